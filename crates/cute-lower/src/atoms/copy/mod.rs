//! Calls of copy atoms and their prefetches: one file per family.

mod bulk;
mod cp_async;
mod matrix;
mod s2t;
mod tma;
mod tmem;
mod universal;

use cute_algebra::Dim;
use cute_arch::Target;
use cute_dialect::{
    atom::{CopyAtom, CopyFamily},
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::ir;
use melior::ir::{Value, operation::OperationRef};

use crate::{Builder, Built};

/// The operands of one call of an atom.
struct CopyCall<'c> {
    atom: Value<'c, 'c>,
    src: Value<'c, 'c>,
    dst: Value<'c, 'c>,
    pred: Option<Value<'c, 'c>>,
}

/// Lowers the calls of a family of atoms.
trait LowersCopy<'c>: CopyFamily<'c> {
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()>;

    /// A prefetch of the data that a call of an atom would read.
    fn prefetch(&self, b: &Builder<'c>, _: Target, _atom: Value<'c, 'c>, _src: Value<'c, 'c>) -> Built<()> {
        b.refuse(&format!("a prefetch by !{} is not supported yet", self.kind().name()))
    }
}

/// The family of an atom, where it is lowered.
fn copied_by<'a, 'c>(atom: &'a Cute<'c, Dim>) -> Option<&'a dyn LowersCopy<'c>> {
    let Cute::CopyAtom(atom) = atom else { return None };
    Some(match atom {
        CopyAtom::Universal(atom) => atom,
        CopyAtom::Async(atom) => atom,
        CopyAtom::Matrix(atom) => atom,
        CopyAtom::Bulk(atom) => atom,
        CopyAtom::Tma(atom) => &**atom,
        CopyAtom::Tmem(atom) => atom,
        CopyAtom::S2t(atom) => atom,
    })
}

/// `cute.copy_atom_call`.
pub(super) fn lower<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let b = Builder::before(op);
    let operands = ir::operands(op);
    let [atom, src, dst, ..] = operands[..] else {
        return b.fail("'cute.copy_atom_call' op expects an atom and two views");
    };
    let call = CopyCall { atom, src, dst, pred: operands.get(3).copied() };
    let atom = value_of(ir::type_of(atom));
    match copied_by(&atom) {
        Some(family) => family.copy(&b, target, &call),
        None => b.refuse(&format!("{} is not supported yet", atom.what())),
    }
}

/// `cute.prefetch_atom_call`.
pub(super) fn prefetch<'c>(op: OperationRef<'c, 'c>, target: Target) -> Built<()> {
    let b = Builder::before(op);
    let [atom, src] = ir::operands(op)[..] else {
        return b.fail("'cute.prefetch_atom_call' op expects an atom and a view");
    };
    let family = value_of(ir::type_of(atom));
    match copied_by(&family) {
        Some(known) => known.prefetch(&b, target, atom, src),
        None => b.refuse(&format!("a prefetch by {} is not supported yet", family.what())),
    }
}
