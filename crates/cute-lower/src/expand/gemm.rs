//! `cute.gemm`: one call of the atom for each (m,n,k).

use cute_algebra::{self as algebra, Crd, Dim, LayoutLike, Tuple};
use cute_dialect::{boundary::ir, partition::GemmForm};
use melior::ir::{Value, operation::OperationRef};

use super::{MOST_UNROLLED, layout_of, rank};
use crate::build::{Build, Built, Failed};

pub(super) fn expand<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Build::before(op);
    let [atom, d, x, y, c] = ir::operands(op)[..] else {
        return b.fail("'cute.gemm' op expects an atom and four views");
    };
    let Some(form) = GemmForm::of(rank(x), rank(c)) else { return Err(Failed) };
    let first = usize::from(form.values);
    let [m, n] = [0, 1].map(|i| if form.mn { extent(&b, c, first + i) } else { Ok(1) });
    let k = if form.k { extent(&b, x, first + 1) } else { Ok(1) };
    let (m, n, k) = (m?, n?, k?);
    if m.saturating_mul(n).saturating_mul(k) > MOST_UNROLLED {
        return b.fail(&format!(
            "'cute.gemm' op of {m} x {n} x {k} calls is not supported, {MOST_UNROLLED} calls are; slice K and write a loop"
        ));
    }
    for k in 0..k {
        // The sums so far are in D.
        let sums = if k == 0 { c } else { d };
        for (m, n) in serpentine(m, n) {
            let at = |modes: &[Option<i64>]| Index { values: form.values, modes: modes.iter().flatten().copied().collect() };
            let (row, column) = (form.mn.then_some(m), form.mn.then_some(n));
            let depth = form.k.then_some(k);
            let operands = [
                atom,
                sliced(&b, d, &at(&[row, column]))?,
                sliced(&b, x, &at(&[row, depth]))?,
                sliced(&b, y, &at(&[column, depth]))?,
                sliced(&b, sums, &at(&[row, column]))?,
            ];
            b.effect("cute.mma_atom_call", &operands, &[], vec![])?;
        }
    }
    Ok(())
}

/// All (m,n), column by column, every second column upwards: neighbours share an operand.
fn serpentine(m: i64, n: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..n).flat_map(move |j| (0..m).map(move |i| (if j % 2 == 0 { i } else { m - 1 - i }, j)))
}

/// A coordinate of the modes behind the values.
struct Index {
    values: bool,
    modes: Vec<i64>,
}

/// The static size of a mode.
fn extent<'c>(b: &Build<'c>, view: Value<'c, 'c>, mode: usize) -> Built<i64> {
    let layout = layout_of(view).ok_or(Failed)?;
    let size = layout.outer().shape().modes().nth(mode).map(algebra::product);
    let size = size.transpose().map_err(|_| Failed)?.unwrap_or(Dim::fixed(1));
    match size.as_static() {
        Some(n) => Ok(n),
        None => b.fail(&format!("'cute.gemm' op: mode {mode} of {} is dynamic, which is not supported", layout)),
    }
}

/// The operand of one call.
fn sliced<'c>(b: &Build<'c>, view: Value<'c, 'c>, at: &Index) -> Built<Value<'c, 'c>> {
    if at.modes.is_empty() {
        return Ok(view);
    }
    let values = at.values.then(|| Tuple::leaf(Crd::Underscore));
    let modes = at.modes.iter().map(|i| Tuple::leaf(Crd::Int(Dim::fixed(*i))));
    let mut modes: Vec<_> = values.into_iter().chain(modes).collect();
    // A view of one mode may be a leaf.
    let is_leaf = layout_of(view).is_some_and(|l| l.outer().shape().is_leaf());
    let coord = if is_leaf { modes.remove(0) } else { Tuple::from_modes(modes) };
    let coord = b.coord(coord, &[])?;
    b.inferred("cute.slice", &[view, coord], &[])
}
