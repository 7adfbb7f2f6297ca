//! `st.async`, `red.async`, and changes of tensor maps.

use crate::call::Call;
use crate::scope::scope_of;
use crate::{Assembler, malformed};
use cute_arch::tensor_map::MapField;
use cute_machine::int::IntOp;
use cute_machine::types::Scalar;
use cute_ptx::{MemoryScope, Operation, RemoteUpdate, Role, ScalarType};
use cute_sim::program::{ClusterOp, Op, Remote, Slot, TensorMapOp, Update};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// The values go to the address, and the barrier counts their bytes.
    pub(crate) fn remote(&mut self, call: &Call) -> Result<(), Error> {
        let (scalar, update) = match call.keyword() {
            Some(update) => {
                let (bits, update) = update_of(update);
                (Scalar::Int(bits), Some(update))
            }
            None => (scalar_of(call.needed()?), None),
        };
        let values: Box<[Slot]> = call.all(Role::VALUES).map(|held| held.slot).collect();
        let counts: &[usize] = if update.is_some() { &[1] } else { &[1, 2, 4] };
        if !counts.contains(&values.len()) {
            return Err(malformed(&call.at, Malformed::OperandCount, format!("{} values", values.len())));
        }
        let (address, barrier) = (call.slot(Role::ADDRESS)?, call.slot(Role::BARRIER)?);
        let remote = Remote { address, values, scalar, update, barrier };
        self.emit(&call.at, Op::Cluster(ClusterOp::Send(remote.into())));
        Ok(())
    }

    pub(crate) fn map(&mut self, call: &Call) -> Result<(), Error> {
        if call.instruction.row.operation == Operation::MapCopy {
            let scope = scope_of(call.needed::<MemoryScope>()?);
            self.whole_map(call)?;
            let (to, from) = (call.pointer(Role::ADDRESS)?, call.pointer(Role::SOURCE)?);
            self.emit(&call.at, Op::TensorMap(TensorMapOp::Copy { to, from, scope }));
            return Ok(());
        }
        let field: MapField = call.needed()?;
        let ordinal = call.maybe_slot(Role::ORDINAL);
        let ((address, space), value) = (call.pointer(Role::ADDRESS)?, call.slot(Role::A)?);
        self.emit(&call.at, Op::TensorMap(TensorMapOp::Replace { address, space, field, ordinal, value }));
        Ok(())
    }
}

fn scalar_of(ty: ScalarType) -> Scalar {
    match ty {
        ScalarType::F32 => Scalar::F32,
        ScalarType::F64 => Scalar::F64,
        other => Scalar::Int(other.bits()),
    }
}

/// The bits of the numbers, and the update.
fn update_of(update: RemoteUpdate) -> (u32, Update) {
    use RemoteUpdate as R;
    match update {
        R::Increment => (32, Update::IncrementWrap),
        R::Decrement => (32, Update::DecrementWrap),
        R::Add32 => (32, Update::Int(IntOp::Add)),
        R::Add64 => (64, Update::Int(IntOp::Add)),
        R::MinS => (32, Update::Int(IntOp::MinS)),
        R::MinU => (32, Update::Int(IntOp::MinU)),
        R::MaxS => (32, Update::Int(IntOp::MaxS)),
        R::MaxU => (32, Update::Int(IntOp::MaxU)),
        R::And => (32, Update::Int(IntOp::And)),
        R::Or => (32, Update::Int(IntOp::Or)),
        R::Xor => (32, Update::Int(IntOp::Xor)),
    }
}
