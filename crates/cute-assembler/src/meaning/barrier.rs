//! Barriers of warps, blocks and clusters.

use crate::call::Call;
use crate::{Assembler, Held, malformed};
use cute_machine::predicate::IntPredicate;
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Operation, Role, Spelling};
use cute_sim::program::{BarrierOp, BarrierReduction, Binary, ClusterOp, Op, ScalarOp, Site, Slot};
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn thread_barrier(&mut self, call: &Call) -> Result<(), Error> {
        let (id, threads) = (call.maybe_slot(Role::ID), call.maybe_slot(Role::THREADS));
        // Barrier 0 is that of `__syncthreads`.
        let id = id.filter(|slot| self.known.get(slot) != Some(&0));
        let is_op = call.instruction.form.spelling == Spelling::Nvvm;
        // NVVM's barriers of a block are all aligned, and so is PTX's `bar`.
        let aligned = call.has("aligned");
        let all = aligned || is_op || call.has("bar");
        let instruction = match call.instruction.row.operation {
            Operation::Barrier => Op::Barrier(BarrierOp::Wait { id, threads, aligned: all, reduction: None }),
            Operation::BarrierReduce => {
                let predicate = self.barrier_predicate(call)?;
                let dst = call.slot(Role::RESULT)?;
                let reduction = Some(BarrierReduction { verdict: call.needed()?, predicate, dst });
                Op::Barrier(BarrierOp::Wait { id, threads, aligned: all, reduction })
            }
            Operation::BarrierArrive => {
                let threads = call.slot(Role::THREADS)?;
                Op::Barrier(BarrierOp::Arrive { id, threads, aligned: all })
            }
            Operation::WarpBarrier => Op::Barrier(BarrierOp::Warp { mask: call.slot(Role::MASK)? }),
            Operation::ClusterArrive => {
                Op::Cluster(ClusterOp::Arrive { relaxed: call.has("relaxed"), aligned })
            }
            _ => Op::Cluster(ClusterOp::Wait { aligned }),
        };
        self.emit(&call.at, instruction);
        Ok(())
    }

    /// `__syncthreads()`: all threads of the block wait for each other.
    pub fn block_barrier(&mut self, at: &Site) {
        let barrier = BarrierOp::Wait { id: None, threads: None, aligned: true, reduction: None };
        self.emit(at, Op::Barrier(barrier));
    }

    /// The bit that a thread adds to a reduction. NVVM's op has an i32, which is not 0 if the
    /// predicate holds.
    fn barrier_predicate(&mut self, call: &Call) -> Result<Slot, Error> {
        let &Held { slot, ref ty } = call.held(Role::CONDITION)?;
        let width = match ty {
            Type::Scalar(Scalar::Int(1)) => return Ok(slot),
            Type::Scalar(Scalar::Int(width)) if !call.is_text => *width,
            other => {
                return Err(malformed(
                    &call.at,
                    Malformed::OperandType,
                    format!("a predicate of type {other:?}"),
                ));
            }
        };
        let (dst, zero) = (self.temporary(&call.at)?, self.constant(&call.at, vec![0])?);
        let at = Binary { dst, a: slot, b: zero, lanes: 1 };
        self.emit(&call.at, ScalarOp::IntCompare { predicate: IntPredicate::Ne, width, at });
        Ok(dst)
    }
}
