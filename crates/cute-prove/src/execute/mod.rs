//! The effect of each instruction on a warp whose size is a symbol: its values, and its events.

mod barriers;
mod collective;
mod control;
mod copies;
mod memory;
mod scalar;
mod values;

use crate::{
    registers::{Reg, lanes_of},
    trace::What,
    value::Val,
    walk::{Stop, Walk},
};
use cute_arch::space::SHARED;
use cute_sim::address::in_block;
use cute_sim::program::{
    BarrierOp, BulkOp, ClusterOp, ControlOp, CpAsyncOp, LaunchOp, MatrixOp, MbarrierAct, MbarrierOp,
    MemoryOp, Op, Slot, TensorMapOp,
};

/// Whether an instruction only computes.
pub(crate) fn is_pure(op: &Op) -> bool {
    match op {
        Op::Scalar(_) => true,
        Op::Cluster(op) => matches!(op, ClusterOp::Rank { .. } | ClusterOp::Map { .. }),
        Op::Memory(op) => matches!(op, MemoryOp::IsInSpace { .. }),
        Op::Control(op) => matches!(op, ControlOp::Nothing | ControlOp::Agree { .. }),
        _ => false,
    }
}

impl Walk<'_> {
    /// The lanes that an instruction needs together, if it needs any.
    pub(crate) fn meeting(&self, pc: u32, op: &Op, active: u32) -> Result<Option<u32>, Stop> {
        let named = |slot: Slot| -> Result<Option<u32>, Stop> {
            let mut all = 0;
            for lane in lanes_of(active) {
                match self.get(slot).at(lane) {
                    Val::Known(own) if own as u32 >> lane & 1 == 1 => all |= own as u32,
                    _ => return self.undecided(pc, "the mask of the lanes is not known"),
                }
            }
            Ok(Some(all))
        };
        match op {
            Op::Barrier(BarrierOp::Warp { mask }) => named(*mask),
            Op::Collective(op) => op.mask.map_or(Ok(Some(u32::MAX)), named),
            Op::Barrier(BarrierOp::Wait { aligned, .. } | BarrierOp::Arrive { aligned, .. })
            | Op::Cluster(ClusterOp::Arrive { aligned, .. } | ClusterOp::Wait { aligned }) => {
                Ok(aligned.then_some(u32::MAX))
            }
            Op::Tcgen05(op) => Ok(op.is_of_warp().then_some(u32::MAX)),
            Op::Wgmma(_) | Op::SetRegisters(_) | Op::Matrix(_) => Ok(Some(u32::MAX)),
            _ => Ok(None),
        }
    }

    /// Executes an instruction that the next one follows.
    pub(crate) fn execute(&mut self, pc: u32, op: &Op, active: u32) -> Result<(), Stop> {
        match *op {
            Op::Scalar(ref of) => self.scalar(pc, op, of, active),
            Op::Memory(of) => self.memory(pc, op, of, active)?,
            // `control` executes it.
            Op::Control(_) => {}
            Op::System(of) if of.prints() => self.forget(op, active),
            Op::System(_) => return self.undecided(pc, "the heap is not followed"),
            Op::Cluster(ClusterOp::Map { dst, address, rank }) => {
                self.each(dst, active, |walk, lane| {
                    match (walk.get(address).at(lane), walk.get(rank).at(lane)) {
                        (Val::Known(at), Val::Known(rank)) => Val::Known(in_block(at, rank)),
                        _ => Val::Unknown,
                    }
                })
            }
            Op::Mbarrier(MbarrierOp::Fence) => self.touch(pc, &[], active)?,
            Op::Mbarrier(MbarrierOp::PendingCount { .. }) => {
                return self.undecided(pc, "a token of a phase is not followed");
            }
            Op::Mbarrier(MbarrierOp::At { act, address, space }) => {
                self.mbarrier(pc, act, address, space, active)?;
                // Only a wait that lasts has an answer that is known.
                match act {
                    MbarrierAct::Wait(wait) if self.tests(pc, &wait) => {}
                    MbarrierAct::Wait(wait) => wait.dst.into_iter().for_each(|dst| {
                        self.set(dst, active, Reg::All(Val::Known(1)));
                    }),
                    _ => self.forget(op, active),
                }
            }
            Op::Bulk(BulkOp::Copy(ref copy)) => self.bulk(pc, copy, active)?,
            Op::Barrier(BarrierOp::Wait { id, threads, reduction, .. }) => {
                self.block_barrier(pc, id, threads, true, active)?;
                if reduction.is_some() {
                    self.forget(op, active);
                }
            }
            Op::Barrier(BarrierOp::Arrive { id, threads, .. }) => {
                self.block_barrier(pc, id, Some(threads), false, active)?;
            }
            Op::Barrier(BarrierOp::Warp { .. }) => self.emit(pc, active, What::Meet),
            Op::Cluster(ClusterOp::Arrive { relaxed, .. }) => {
                self.emit(pc, active, What::ClusterArrive { relaxed })
            }
            Op::Cluster(ClusterOp::Wait { .. }) => self.emit(pc, active, What::ClusterWait),
            Op::Collective(ref of) => {
                self.emit(pc, active, What::Meet);
                self.collective(of.act, active);
            }
            Op::Wgmma(ref of) => {
                self.emit(pc, active, What::Meet);
                self.touch(pc, &of.descriptors(), active)?;
                if of.multiplies() {
                    self.emit(pc, active, What::Group);
                    self.forget(op, active);
                }
            }
            Op::SetRegisters(_) => {
                if self.period.is_some() {
                    return self.undecided(pc, "setmaxnreg in a loop");
                }
                self.emit(pc, active, What::Meet);
                self.emit(pc, active, What::Group);
            }
            Op::Tcgen05(ref of) => self.tensor(pc, op, of, active)?,
            Op::Matrix(MatrixOp::Load { address, .. }) => {
                self.emit(pc, active, What::Meet);
                self.access(pc, address, SHARED, active)?;
                self.forget(op, active);
            }
            Op::Matrix(MatrixOp::Store { address, .. }) => {
                self.emit(pc, active, What::Meet);
                self.access(pc, address, SHARED, active)?;
                self.overwrites_rows(address, 16, active);
            }
            Op::Matrix(MatrixOp::Multiply(_)) => {
                self.emit(pc, active, What::Meet);
                self.forget(op, active);
            }
            Op::CpAsync(CpAsyncOp::Copy { dst, size, .. }) => {
                self.access(pc, dst, SHARED, active)?;
                self.overwrites_rows(dst, size.into(), active);
            }
            Op::Fence(_)
            | Op::Bulk(BulkOp::Commit | BulkOp::Wait { .. })
            | Op::CpAsync(CpAsyncOp::Commit | CpAsyncOp::Wait { .. }) => self.touch(pc, &[], active)?,
            Op::Launch(LaunchOp::Dependency { .. }) => {}
            Op::Cluster(ClusterOp::Send(_)) => {
                return self.undecided(pc, "st.async or red.async is not followed");
            }
            Op::Launch(_) => {
                return self.undecided(pc, "cluster launch control chooses the tiles at run time");
            }
            Op::TensorMap(TensorMapOp::Acquire { .. } | TensorMapOp::Release { .. }) => {
                self.touch(pc, &[], active)?;
            }
            Op::TensorMap(_) => return self.undecided(pc, "a tensor map changes"),
            ref op => self.forget(op, active),
        }
        Ok(())
    }
}
