//! From bound instructions to the machine's: one function for each kind of operation, whichever
//! spelling the instruction was read in.

mod barrier;
mod bulk;
mod carry;
mod collective;
mod compare;
mod control;
mod convert;
mod cp_async;
mod fence;
mod float;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod moves;
mod multiply;
mod packed;
mod remote;
mod scaled;
mod stack;
mod tcgen05;
pub mod tensor;
mod wgmma;

pub(crate) use float::rounding_of;
pub(crate) use wgmma::model;

use crate::Assembler;
use crate::call::Call;
use cute_ptx::{Operation, Role};
use cute_sim::Error;
use cute_sim::program::ControlOp;

impl Assembler {
    /// Emits an instruction, which its guard may skip.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit, and for what has no model.
    pub fn perform(&mut self, call: &Call) -> Result<(), Error> {
        let guard = call.maybe_slot(Role::GUARD).map(|guard| self.guard(&call.at, guard, true));
        self.meaning(call)?;
        if let Some(guard) = guard {
            self.end_guard(guard);
        }
        Ok(())
    }

    fn meaning(&mut self, call: &Call) -> Result<(), Error> {
        use Operation as O;
        match call.instruction.row.operation {
            O::Integer(operation) => self.integer(call, operation),
            O::Float(operation) => self.float(call, operation),
            O::Move => self.bits(call),
            O::Pack | O::Unpack => self.parts(call),
            O::Convert | O::FromInteger | O::ToInteger | O::ToWhole | O::ConvertFloat | O::PackIntegers => {
                self.conversion(call)
            }
            O::ConvertScaled => self.scaled_conversion(call),
            O::CopySign => self.sign_copied(call),
            O::CompareToNumber => self.comparison_to_number(call),
            O::SelectBySign => self.selection_by_sign(call),
            O::TestFloat => self.test_of_float(call),
            O::IsInSpace => self.space_of(call),
            O::AddressCast => self.address_cast(call),
            O::Compare => self.comparison(call),
            O::Select => self.selection(call),
            O::Load | O::Store => self.access_of_text(call),
            O::Atomic => self.update_of_text(call),
            O::StackAllocate | O::StackSave | O::StackRestore => self.stack(call),
            O::StoreZeros => self.zeros(call),
            O::CachePolicy => self.policy(call),
            O::KeepLine | O::DiscardLine => self.line(call),
            O::AsyncCopy | O::AsyncCommit | O::AsyncWait => self.cp_async(call),
            O::Permute => self.permutation(call),
            O::DotBytes | O::DotHalves => self.dot_product(call),
            O::ActiveMask => self.active_mask(call),
            O::Shuffle | O::Vote | O::Match | O::Elect | O::Redux | O::ReduxFloat | O::Transpose => {
                self.collective(call)
            }
            O::Barrier
            | O::BarrierReduce
            | O::BarrierArrive
            | O::WarpBarrier
            | O::ClusterArrive
            | O::ClusterWait => self.thread_barrier(call),
            O::Registers
            | O::GridDependency
            | O::MapAddress
            | O::BlockRank
            | O::Trap
            | O::Exit
            | O::TryCancel
            | O::QueryCancel
            | O::QueryBlock => self.control_of(call),
            O::GroupFence | O::GroupCommit | O::GroupWait => self.wgmma(call),
            O::BarrierInit
            | O::BarrierInvalidate
            | O::BarrierExpect
            | O::BarrierComplete
            | O::BarrierPhaseArrive
            | O::BarrierPhaseWait
            | O::BarrierPending
            | O::BarrierFollow => self.phase_barrier(call),
            O::Fence | O::FenceBarriers | O::FenceProxy | O::FenceMapRelease | O::FenceMapAcquire => {
                self.fence_of(call)
            }
            O::RemoteStore | O::RemoteReduce => self.remote(call),
            O::MapReplace | O::MapCopy => self.map(call),
            O::TensorAlloc
            | O::TensorDealloc
            | O::TensorRelinquish
            | O::TensorLoad
            | O::TensorStore
            | O::TensorWait
            | O::TensorFence
            | O::TensorCommit
            | O::TensorCopy
            | O::TensorMultiply => self.tcgen05(call),
            O::LoadMatrix | O::StoreMatrix => self.matrices(call),
            O::BulkLoad
            | O::BulkSend
            | O::BulkStore
            | O::BulkReduce
            | O::BulkCommit
            | O::BulkWait
            | O::BoxLoad
            | O::BoxStore
            | O::BoxReduce => self.bulk(call),
            O::Nothing => {
                self.emit(&call.at, ControlOp::Nothing);
                Ok(())
            }
        }
    }
}
