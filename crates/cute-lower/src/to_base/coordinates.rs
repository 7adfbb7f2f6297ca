//! Addresses that are made of coordinates, which the types assume to be below the extents of their
//! modes. Checked code traps if one is not, and the simulator follows the address to its accesses.
//!
//! The check belongs to the address, and not to the coordinate: a mode with one element has no
//! stride, so that its coordinate is in no expression, and a tensor of coordinates has no memory.

use std::rc::Rc;

use cute_algebra::{Crd, Int, LayoutLike, TupleRef};
use cute_dialect::{
    ops::{Call, OpKind},
    value::{MemRef, Ptr, Space, Value},
};

use crate::emit::{Emit, Expr, Graph, Moves};

/// The results of an op, with what its coordinates assume.
pub(super) fn checked<'c>(
    graph: &Rc<Graph<'c>>,
    call: &Call<'_, 'c, Emit<'c>>,
    results: Vec<Value<'c, Emit<'c>>>,
) -> Vec<Value<'c, Emit<'c>>> {
    if graph.checks().is_none() {
        return results;
    }
    let of = |result| match result {
        Value::Ptr(ptr) => Value::Ptr(address(graph, call, ptr)),
        Value::MemRef(MemRef { iter, layout }) => {
            Value::MemRef(MemRef { iter: address(graph, call, iter), layout })
        }
        other => other,
    };
    results.into_iter().map(of).collect()
}

/// A pointer that the current op makes of its coordinates.
pub(super) fn address<'c>(
    graph: &Rc<Graph<'c>>,
    call: &Call<'_, 'c, Emit<'c>>,
    ptr: Ptr<'c, Emit<'c>>,
) -> Ptr<'c, Emit<'c>> {
    let Some(checks) = graph.checks() else { return ptr };
    // Registers are not addressed, and the columns of tensor memory have checks of their own.
    let has_memory = !matches!(ptr.space, Space::Rmem | Space::Tmem);
    let assumed = checks.take_coordinates();
    if checks.are_marks() && !has_memory {
        return ptr;
    }
    let (mut known, mut coordinates) = (Vec::new(), Vec::new());
    for assumed in assumed {
        // A value may be the coordinate of several modes, which come in order.
        let all = modes_of(call, &assumed.0);
        let path = all.iter().find(|path| !known.contains(*path)).or(all.first()).cloned();
        known.extend(path.clone());
        if !path.as_ref().is_some_and(|path| is_broadcast(call, path)) {
            let path = path.unwrap_or_default().iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            coordinates.push((assumed, path));
        }
    }
    let moves = if ptr.swizzle.is_identity() { Moves::No } else { Moves::Yes };
    let address = graph.of_coordinates(&ptr.address, &coordinates, moves);
    Ptr { address, ..ptr }
}

/// Whether all elements along a mode are one, as in a view of a row that is repeated for each row
/// of a matrix: a tile beyond its extent has the elements of any other. A mode of one element has
/// no stride either, but does not repeat it.
fn is_broadcast<'c>(call: &Call<'_, 'c, Emit<'c>>, path: &[usize]) -> bool {
    let Ok(layout) = call.layout(0) else { return false };
    let path = match (call.kind, path) {
        (OpKind::LocalTile, [first, ..]) => match tiled_mode(call, *first) {
            Some(mode) => vec![mode],
            None => return false,
        },
        (OpKind::LocalTile, []) => return false,
        (_, path) => path.to_vec(),
    };
    let (shape, stride) = (layout.outer().shape().view(), layout.outer().stride().view());
    let (Some(shape), Some(stride)) = (shape.get(&path), stride.get(&path)) else { return false };
    stride.leaves().iter().all(|stride| stride.is(0)) && !shape.leaves().iter().all(|extent| extent.is(1))
}

/// The mode of the input that a mode of the coordinate of `local_tile` belongs to.
fn tiled_mode<'c>(call: &Call<'_, 'c, Emit<'c>>, mode: usize) -> Option<usize> {
    let Some(projection) = call.kept().ok()? else { return Some(mode) };
    let is_open =
        |own: TupleRef<'_, Crd<Emit<'c>>>| own.as_leaf().is_some_and(|leaf| leaf.as_int().is_none());
    let is_kept = |i: usize| !projection.mode(i).is_some_and(is_open);
    is_kept(mode).then(|| (0..mode).filter(|i| is_kept(*i)).count())
}

/// The modes of the op's operands that have this coordinate as it is.
fn modes_of<'c>(call: &Call<'_, 'c, Emit<'c>>, index: &Expr<'c>) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for operand in call.operands {
        if let Value::Coord(coord) = &**operand {
            modes(coord.view(), index, &mut Vec::new(), &mut found);
        }
    }
    found
}

fn modes<'c>(
    coord: TupleRef<'_, Crd<Emit<'c>>>,
    index: &Expr<'c>,
    at: &mut Vec<usize>,
    found: &mut Vec<Vec<usize>>,
) {
    if let Some(leaf) = coord.as_leaf() {
        let own = leaf.as_int().and_then(|leaf| leaf.payload());
        found.extend(own.is_some_and(|own| own.is(index)).then(|| at.clone()));
    }
    for (i, mode) in coord.modes().enumerate().filter(|_| !coord.is_leaf()) {
        at.push(i);
        modes(mode, index, at, found);
        at.pop();
    }
}
