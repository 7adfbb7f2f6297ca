//! A and B on their way from shared memory to the registers of `mma.sync`, a k-block at a time.

use cute_algebra::MmaOperand;
use cute_build::atoms::CopyAtom;

use crate::{At, Builder, Built, Value};

/// A matrix on its way from the stages in shared memory to the MMA.
pub(super) struct Fragment<'c> {
    /// The tiled copy, and the thread's part of the stages.
    copy: Value<'c>,
    read: Value<'c>,
    /// Registers for a K tile, and the same in the form that the copy takes.
    registers: Value<'c>,
    loaded: Value<'c>,
}

impl<'c> Fragment<'c> {
    /// A thread's part of the stages, `(rows,k,stages)`, which `atom` loads.
    pub fn new(
        code: &Builder<'c>,
        (mma, which): (Value<'c>, MmaOperand),
        atom: &CopyAtom<'c>,
        stages: Value<'c>,
        thread: Value<'c>,
    ) -> Built<Self> {
        let name = |prefix: &str| format!("{prefix}{which}");
        let part = code.named(&name("part")).mma_partition(mma, which, stages, thread)?;
        let one = code.named(&name("part")).slice(part, &[At::All, At::All, At::All, At::Int(0)])?;
        let registers = code.named(&name("r")).mma_fragment(mma, which, one)?;
        let atom = code.named("atom").atom(atom)?;
        let copy = code.named(&name("load")).tiled_copy_of(which, atom, mma)?;
        let read = code.named(&name("read")).partition_s(copy, stages, thread)?;
        let loaded = code.named(&name("loaded")).retile(copy, registers)?;
        Ok(Self { copy, read, registers, loaded })
    }

    /// Loads a k-block of a stage.
    pub fn load(&self, code: &Builder<'c>, block: i64, stage: Value<'c>) -> Built<()> {
        let from =
            code.named("from").slice(self.read, &[At::All, At::All, At::Int(block), At::Value(stage)])?;
        let to = code.named("to").slice(self.loaded, &[At::All, At::All, At::Int(block)])?;
        code.copy(self.copy, from, to)
    }

    /// The registers of a k-block.
    pub fn block(&self, code: &Builder<'c>, block: i64) -> Built<Value<'c>> {
        code.named("block").slice(self.registers, &[At::All, At::All, At::Int(block)])
    }
}
