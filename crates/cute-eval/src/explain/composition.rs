//! The steps of composition.

use cute_algebra::{
    Dim, Int, Layout, ModePath, Stride, Tile, Tiler, Tuple, TupleRef, Width, add_values, coalesce,
    error::Result, get,
};

use super::{
    Steps, mode_of,
    simplify::{from_flat, pair},
};
use crate::{
    leaf::{Leaf, leaf as leaf_of, text},
    value::{Value, show_layout, show_stride},
};

/// `a o b`, mode by mode for a shape or tile.
pub(super) fn by_tiler(s: &mut Steps, a: &Layout<Leaf>, b: &Tiler<Leaf>) -> Result<Layout<Leaf>> {
    by_tile(s, a, &b.to_tile())
}

fn by_tile(s: &mut Steps, a: &Layout<Leaf>, b: &Tile<Leaf>) -> Result<Layout<Leaf>> {
    match b {
        Tile::Layout(b) => compose(s, a, b),
        Tile::Int(extent) => compose(s, a, &Layout::identity(extent.clone())?),
        Tile::Underscore => {
            s.line("`_`: as it is");
            Ok(a.clone())
        }
        Tile::Modes(tiles) => {
            let mut modes = Vec::new();
            for (i, (mode, tile)) in a.modes().zip(tiles).enumerate() {
                let mode = mode.to_owned();
                let shown = Value::Tile(tile.clone());
                s.line(format!("mode {i}: {} o {shown}", show_layout(&mode)));
                modes.push(s.inside(|s| by_tile(s, &mode, tile))?);
            }
            if tiles.len() < a.rank() {
                s.line(format!("modes {} to {} of a are not reached, dropped", tiles.len(), a.rank() - 1));
            }
            Ok(Layout::from_modes(modes))
        }
    }
}

/// `a o b` for layouts, one leaf of `b` at a time.
pub(super) fn compose(s: &mut Steps, a: &Layout<Leaf>, b: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    // If the strides of b name modes of a, each of these modes is walked separately.
    let any = leaf_of(Dim::dynamic(Width::I64, 1), None);
    let codomain = b.stride().leaves().iter().try_fold(Tuple::leaf(Leaf::fixed(0)), |sum, stride| {
        let zeros = stride.eval(&any)?.map(|_| Leaf::fixed(0));
        add_values(sum.view(), zeros.view())
    })?;
    let flat = coalesced(a, codomain.view())?;
    if show_layout(&flat) != show_layout(a) {
        s.line(format!("a with neighbours merged: {}", show_layout(&flat)));
    }
    let mut parts = Vec::new();
    for (path, (extent, stride)) in b.shape().view().leaf_paths().iter().zip(b.flat()) {
        s.line(format!("{}, {}:", mode_of(path, "b"), pair(extent, stride)));
        parts.push(s.inside(|s| leaf(s, &flat, extent, stride))?);
    }
    Ok(assemble(b.shape(), &mut parts.into_iter()))
}

/// The layout with the tree of `shape` and a part at each leaf.
fn assemble(shape: &Tuple<Leaf>, parts: &mut impl Iterator<Item = Layout<Leaf>>) -> Layout<Leaf> {
    if shape.is_leaf() {
        return parts.next().expect("there is a part for each leaf");
    }
    let modes: Vec<_> = shape.modes().map(|mode| assemble(&mode.to_owned(), parts)).collect();
    Layout::from_modes(modes)
}

fn leaf(s: &mut Steps, a: &Layout<Leaf>, extent: &Leaf, stride: &Stride<Leaf>) -> Result<Layout<Leaf>> {
    if stride.is(0) {
        s.line(format!("stride 0 reads a(0) only: {}", pair(extent, stride)));
        return Layout::scalar(extent.clone(), stride.clone());
    }
    let path = stride.basis().expect_path("composition")?;
    let target = get(a, &path)?;
    if !path.is_empty() {
        let path = ModePath::from_iter(path);
        s.line(format!("counts in {}, {}", mode_of(&path, "a"), show_layout(&target)));
    }
    walk(s, &target, extent, stride.scale())
}

/// `a` coalesced, or its modes where `codomain` has modes; modes past its rank stay.
fn coalesced(a: &Layout<Leaf>, codomain: TupleRef<'_, Leaf>) -> Result<Layout<Leaf>> {
    if codomain.is_leaf() {
        return coalesce(&with_open_end(a)?);
    }
    let modes = a.modes().enumerate().map(|(i, mode)| match codomain.mode(i) {
        Some(inside) => coalesced(&mode.to_owned(), inside),
        None => Ok(mode.to_owned()),
    });
    Ok(Layout::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

/// The last mode extends: with extent 1 it still counts, so that its stride stays.
fn with_open_end(a: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    let count = a.shape().leaves().len();
    let mut i = 0;
    let shape = a.shape().map(|extent| {
        i += 1;
        if i == count && extent.is(1) { Leaf::fixed(2) } else { extent.clone() }
    });
    Layout::new(shape, a.stride().clone())
}

/// Each mode of `a` takes the part of `extent:stride` that falls into it, and passes the rest on.
fn walk(s: &mut Steps, a: &Layout<Leaf>, extent: &Leaf, stride: &Leaf) -> Result<Layout<Leaf>> {
    let (mut rest, mut step) = (extent.clone(), stride.clone());
    let mut taken: Vec<(Leaf, Stride<Leaf>)> = Vec::new();
    let last = a.flat().len().saturating_sub(1);
    for (i, (own, value)) in a.flat().enumerate() {
        let mode = format!("mode {i} of a, {}", pair(own, value));
        if i == last {
            if !taken.is_empty() && rest.is(1) {
                break;
            }
            let reached = value.mul(&step)?;
            let (n, d, v) = (text(&rest), text(&step), show_stride(value));
            s.line(format!(
                "{mode}, extends: {n} by step {d}, {d}*{v} = {}: {}",
                show_stride(&reached),
                pair(&rest, &reached)
            ));
            taken.push((rest.clone(), reached));
            break;
        }
        let magnitude = step.abs()?;
        let room = own.ceil_div(&magnitude)?;
        let next = magnitude.ceil_div(own)?.mul(&step.signum()?)?;
        let (e, d) = (text(own), text(&step));
        let onward = format!("step ceil({d}/{e}) = {}", text(&next));
        if room.is(1) {
            s.line(format!("{mode}: step {d} passes it, {onward} in the next"));
        } else if rest.is(1) {
            s.line(format!("{mode}: nothing is left to take"));
        } else {
            let part = room.min(&rest)?;
            let reached = value.mul(&step)?;
            let left = rest.div(&part)?;
            s.line(format!(
                "{mode}: min(ceil({e}/{d}), {}) = {} by step {d}, {d}*{} = {}: {}; left {}/{} = {}, {onward}",
                text(&rest),
                text(&part),
                show_stride(value),
                show_stride(&reached),
                pair(&part, &reached),
                text(&rest),
                text(&part),
                text(&left),
            ));
            taken.push((part, reached));
            rest = left;
        }
        step = next;
    }
    from_flat(taken)
}
