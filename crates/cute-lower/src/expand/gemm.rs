//! `cute.gemm`: one call of the atom for each (m,n,k).

use cute_algebra::{self as algebra, Crd, Dim, Layout, LayoutLike, Tuple};
use cute_dialect::{
    partition::{GemmForm, GemmMode, GemmOperand},
    types::type_of,
    value::{MemRef, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{Value, operation::OperationRef};

use super::{MOST_UNROLLED, layout_of, rank};
use crate::{Builder, Built, values::view_of};

pub(super) fn expand<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    use GemmOperand::{A, C, D};
    let b = Builder::before(op);
    let all = ir::operands(op);
    let operands =
        all.split_first().and_then(|(atom, views)| Some((atom, views, GemmOperand::of_op(views.len())?)));
    let Some((atom, views, named)) = operands else {
        return b.fail("'cute.gemm' op expects an atom and a view for each matrix");
    };
    let (mut views, count) = (views.to_vec(), views.len());
    let at = |operand: GemmOperand| operand.position(count).expect("an op has the matrices of its atom");
    let form =
        GemmForm::of(rank(views[at(A)]), rank(views[at(C)])).expect("the verifier knows the ranks of a gemm");
    let inner = GemmForm { values: true, ..form };
    if !form.values {
        for view in &mut views {
            *view = with_values(&b, *view)?;
        }
    }
    let size = |operand, mode| match inner.position(operand, mode) {
        Some(position) => extent(&b, views[at(operand)], position),
        None => Ok(1),
    };
    let [m, n, k] = [size(C, GemmMode::M)?, size(C, GemmMode::N)?, size(A, GemmMode::K)?];
    if m.saturating_mul(n).saturating_mul(k) > MOST_UNROLLED {
        return b.fail(&format!(
            "'cute.gemm' op would unroll into {m} x {n} x {k} calls; at most {MOST_UNROLLED} are supported. \
             Slice K and write a loop"
        ));
    }
    for k in 0..k {
        for (m, n) in serpentine(m, n) {
            let mut operands = vec![*atom];
            for operand in named.iter().copied() {
                // The accumulators so far are in D.
                let from = if operand == C && k > 0 { D } else { operand };
                let at_mode = |mode: GemmMode| match mode {
                    GemmMode::M => m,
                    GemmMode::N => n,
                    GemmMode::K => k,
                };
                let own = operand.modes().into_iter().filter(|mode| inner.position(operand, *mode).is_some());
                let coord: Vec<i64> = own.map(at_mode).collect();
                operands.push(sliced(&b, views[at(from)], &coord)?);
            }
            b.effect("cute.mma_atom_call", &operands, &[])?;
        }
    }
    Ok(())
}

/// All (m,n), column by column, every second column upwards: neighbours share an operand.
fn serpentine(m: i64, n: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..n).flat_map(move |j| (0..m).map(move |i| (if j % 2 == 0 { i } else { m - 1 - i }, j)))
}

/// A view of single elements with a mode 0 of one value.
fn with_values<'c>(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    let layout = b.inferred("cute.get_layout", &[view], &[])?;
    let one = b.fixed(&Cute::Layout(Layout::unit()))?;
    let modes = b.attr(rank(view) as i32 + 1);
    let layout = b.inferred("cute.prepend_to_rank", &[layout, one], &[("rank", modes)])?;
    let t = Cute::MemRef(MemRef { iter: view_of(view).iter, layout: layout_of(layout) });
    let iter = b.inferred("cute.get_iter", &[view], &[])?;
    b.typed("cute.make_view", &[iter, layout], type_of(b.context(), &t), &[])
}

/// The static size of a mode.
fn extent<'c>(b: &Builder<'c>, view: Value<'c, 'c>, mode: usize) -> Built<i64> {
    let layout = layout_of(view);
    let size = layout.outer().shape().modes().nth(mode).map(algebra::product);
    let size = b.ask(size.transpose())?.unwrap_or(Dim::fixed(1));
    match size.as_static() {
        Some(n) => Ok(n),
        None => {
            b.fail(&format!("'cute.gemm' op: mode {mode} of {} is dynamic, which is not supported", layout))
        }
    }
}

/// The operand of one call: all values at a coordinate of the other modes.
fn sliced<'c>(b: &Builder<'c>, view: Value<'c, 'c>, at: &[i64]) -> Built<Value<'c, 'c>> {
    if at.is_empty() {
        return Ok(view);
    }
    let rest = at.iter().map(|i| Tuple::leaf(Crd::Int(Dim::fixed(*i))));
    let coord =
        b.make_coord(Tuple::from_modes([Tuple::leaf(Crd::Underscore)].into_iter().chain(rest)), &[])?;
    b.inferred("cute.slice", &[view, coord], &[])
}
