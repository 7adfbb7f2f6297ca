//! Barriers of warps, blocks and clusters.

use crate::call::Call;
use crate::{Assembler, unmodelled};
use cute_ptx::{Operation, Role, Spelling};
use cute_sim::Error;
use cute_sim::program::Op;

impl Assembler {
    pub(crate) fn thread_barrier(&mut self, call: &Call) -> Result<(), Error> {
        let (id, threads) = (call.maybe_slot(Role::Id), call.maybe_slot(Role::Threads));
        let is_op = call.instruction.form.spelling == Spelling::Nvvm;
        // NVVM's barriers of a block are all aligned, and so is PTX's `bar`.
        let aligned = call.has("aligned");
        let all = aligned || is_op || call.has("bar");
        let instruction = match call.instruction.row.operation {
            Operation::Barrier if call.maybe(Role::C).is_some() || call.maybe(Role::Result).is_some() => {
                return Err(unmodelled(&call.at, "a reduction"));
            }
            Operation::Barrier => Op::Barrier { id, threads, aligned: all },
            Operation::BarrierArrive => Op::Arrive { id, threads: call.slot(Role::Threads)?, aligned: all },
            Operation::WarpBarrier => Op::WarpBarrier { mask: call.slot(Role::Mask)? },
            Operation::ClusterArrive => Op::ClusterArrive { relaxed: call.has("relaxed"), aligned },
            _ => Op::ClusterWait { aligned },
        };
        self.emit(&call.at, instruction);
        Ok(())
    }
}
