//! Descriptors of A and B of a gemm, by the ops that made them: each is made for its own side of
//! the MMA, from its own partition, and of elements that the atom multiplies. Declared types need
//! not state any of this, so it is derived here from `mma.make_fragment`, and checked by the rules
//! of the verifier ([`Factor::check`]). Registers of the other matrix differ in size, or are spread
//! alike.

use cute_algebra::MmaOperand;
use cute_dialect::{
    atom::{Factor, MmaAtom},
    ops::OpKind,
    partition::GemmOperand,
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{Value, operation::OperationRef};
use rustc_hash::FxHashSet;

use super::views::{maker, matrix, operand, whole};
use crate::incoming::Incoming;

/// The operands of a gemm that an MMA multiplies.
const FACTORS: [GemmOperand; 2] = [GemmOperand::A, GemmOperand::B];

/// An `mma.make_fragment`.
struct Made<'c> {
    op: OperationRef<'c, 'c>,
    which: MmaOperand,
}

impl<'c> Made<'c> {
    fn by(op: OperationRef<'c, 'c>) -> Option<Self> {
        (op_name(op) == OpKind::MmaMakeFragment.name()).then_some(())?;
        Some(Self { op, which: matrix(op)? })
    }

    /// The matrix of the descriptors that it makes; `None` if it makes none.
    fn factor(&self) -> Option<Factor<'c>> {
        let [mma, like] = ir::operands(self.op).first_chunk().copied()?;
        let Cute::SmemDescView(_) = value_of(ir::type_of(ir::result(self.op, 0)?)).as_ref() else {
            return None;
        };
        let Cute::MemRef(view) = value_of(ir::type_of(like)).into_owned() else { return None };
        Some(Factor::of(&atom(mma)?, self.which, view.iter.elem?))
    }

    /// The op that partitions the tile in shared memory that its descriptors are of.
    fn partition(&self) -> Option<OperationRef<'c, 'c>> {
        self.factor()?;
        maker(whole(operand(self.op, 1)?), OpKind::TiledMmaPartition)
    }
}

fn atom<'c>(mma: Value<'c, 'c>) -> Option<MmaAtom<'c>> {
    match value_of(ir::type_of(mma)).as_ref() {
        Cute::TiledMma(tiled) => Some(tiled.atom.clone()),
        Cute::MmaAtom(atom) => Some(atom.clone()),
        _ => None,
    }
}

fn is_descriptor(value: Value<'_, '_>) -> bool {
    matches!(value_of(ir::type_of(value)).as_ref(), Cute::SmemDescView(_) | Cute::SmemDesc(_))
}

/// The ops that made the descriptors that a value is, as far as they can be seen. Every op on
/// descriptors returns descriptors of the same matrix.
fn made<'c>(value: Value<'c, 'c>, incoming: &Incoming<'c>) -> Vec<Made<'c>> {
    let (mut open, mut seen, mut found) = (vec![value], FxHashSet::default(), Vec::new());
    while let Some(value) = open.pop() {
        if !seen.insert(ir::identity(value)) {
            continue;
        }
        let ours = ir::definer(value).filter(|op| OpKind::from_name(op_name(*op)).is_some());
        let Some(op) = ours else {
            open.extend(incoming.reaching(value));
            continue;
        };
        match operand(op, 0) {
            Some(from) if is_descriptor(from) => open.push(from),
            _ => found.extend(Made::by(op)),
        }
    }
    found
}

/// The memory that a factor of a gemm is read from: what its descriptors are of, or itself. `None`
/// if the descriptors cannot be followed.
pub(super) fn described<'c>(factor: Value<'c, 'c>, incoming: &Incoming<'c>) -> Option<Value<'c, 'c>> {
    if !is_descriptor(factor) {
        return Some(factor);
    }
    match made(factor, incoming)[..] {
        [ref made] => operand(made.op, 1),
        _ => None,
    }
}

/// Reports an operand of a gemm that is another matrix, or of other elements, than the atom
/// multiplies; returns whether there is none.
pub(super) fn are_right<'c>(op: OperationRef<'c, 'c>, incoming: &Incoming<'c>) -> bool {
    let operands = ir::operands(op);
    let Some(atom) = operands.first().and_then(|mma| atom(*mma)) else { return true };
    for factor in FACTORS {
        let which = factor.matrix();
        let position = factor.position(operands.len() - 1);
        let Some(value) = position.and_then(|position| operands.get(1 + position)) else { continue };
        for made in made(*value, incoming) {
            let Some(factor) = made.factor() else { continue };
            if let Err(why) = factor.check(&atom, which) {
                let text = format!("'{}' op {why}", op_name(op));
                let note = (ir::location(made.op), "the fragment is made here".to_string());
                cute_ffi::emit(ir::location(op), Severity::Error, &text, &[note]);
                return false;
            }
        }
    }
    true
}

/// Reports descriptors whose tile is partitioned as another matrix than they are made for; returns
/// whether they are not.
pub(super) fn is_own_partition(op: OperationRef<'_, '_>) -> bool {
    let Some(made) = Made::by(op) else { return true };
    let Some(partition) = made.partition() else { return true };
    let which = made.which;
    let Some(by) = matrix(partition).filter(|by| *by != which) else { return true };
    let text = format!(
        "'{}' op makes descriptors of {which} from a partition of {by}: partition the tile by cute.tiled.mma.partition {which}",
        op_name(op)
    );
    let note = (ir::location(partition), format!("the tile is partitioned as {by} here"));
    cute_ffi::emit(ir::location(op), Severity::Error, &text, &[note]);
    false
}
