//! The atoms that may copy instead of another one.

use std::borrow::Cow;

use cute_algebra::Dim;
use cute_build::atoms::{cp_async, ldmatrix, stmatrix, universal_copy};
use cute_dialect::{
    atom::{AsyncCopy, CopyAtom, UniversalCopy},
    ops::{Attributes, Call, OpKind, atoms::derived_copy},
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::ir;
use melior::ir::{Type, operation::OperationRef};

/// Bits of the accesses of one thread, the widest first.
const WIDTHS: [i64; 5] = [128, 64, 32, 16, 8];

/// The atom, and wider ones of the same kind.
pub fn at_least_as_wide<'c>(atom: &CopyAtom<'c>) -> Vec<CopyAtom<'c>> {
    let wide = |bits: &i64| match atom {
        CopyAtom::Universal(copy) => {
            let other = CopyAtom::Universal(UniversalCopy { bits: *bits, ..*copy });
            other.check().is_ok().then_some(other)
        }
        CopyAtom::Async(AsyncCopy { elem, cache, .. }) => cp_async(*elem, *cache, *bits).ok(),
        _ => None,
    };
    let wider = WIDTHS.iter().filter(|bits| **bits > atom.bits()).filter_map(wide);
    std::iter::once(atom.clone()).chain(wider).collect()
}

/// Atoms for the operand of an MMA that `op` copies, with the tiled copies that they make.
pub fn of_operand<'c>(op: OperationRef<'c, 'c>) -> Vec<Cute<'c, Dim>> {
    let operands: Vec<_> = ir::operands(op).into_iter().map(|v| value_of(ir::type_of(v))).collect();
    let (Some(kind), Some(Cute::CopyAtom(atom))) =
        (OpKind::from_name(ir::op_name(op)), operands.first().map(Cow::as_ref))
    else {
        return Vec::new();
    };
    let mut atoms = vec![atom.clone()];
    let elem = atom.elem();
    match kind {
        OpKind::MakeTiledCopyC if matches!(atom, CopyAtom::Matrix(_)) => {
            atoms.extend(matrices(elem, stmatrix))
        }
        OpKind::MakeTiledCopyC => {}
        _ => atoms.extend(matrices(elem, ldmatrix)),
    }
    atoms.extend(WIDTHS.iter().filter_map(|bits| universal_copy(elem, *bits).ok()));
    let attributes = Attributes::of(op);
    let made = |atom: CopyAtom<'c>| {
        let mut operands = operands.clone();
        operands[0] = Cow::Owned(Cute::CopyAtom(atom));
        let context = ir::context(op);
        let call = Call { kind, operands: &operands, attributes: &attributes, declared: &[], context };
        derived_copy(&call).ok()
    };
    atoms.into_iter().filter_map(made).collect()
}

/// `ldmatrix` or `stmatrix` in all forms.
fn matrices<'c>(
    elem: Type<'c>,
    make: impl Fn(Type<'c>, i64, bool) -> cute_build::Result<CopyAtom<'c>>,
) -> Vec<CopyAtom<'c>> {
    [4, 2, 1].iter().flat_map(|n| [false, true].map(|t| make(elem, *n, t).ok())).flatten().collect()
}
