//! Barriers: `mbarrier`, and those of the block.

use crate::{
    registers::{Reg, lanes_of},
    trace::What,
    value::Val,
    walk::{Stop, Walk},
};
use cute_arch::space::{GENERIC, SHARED};
use cute_sim::address::parts;
use cute_sim::program::{AwaitedBy, BarrierWait, Blocking, MbarrierAct, Slot};

impl Walk<'_> {
    /// The barrier of a lane.
    pub(super) fn barrier(&self, pc: u32, at: Val, space: u32) -> Result<u64, Stop> {
        let Val::Known(at) = at else {
            return self.undecided(pc, "the address of the mbarrier is not known");
        };
        let space = if space == GENERIC && parts(at, GENERIC).is_err() { SHARED } else { space };
        match parts(at, space) {
            Ok(of) if of.space == SHARED && of.byte >= 0 => Ok(of.byte as u64),
            _ => self.undecided(pc, "the address of the mbarrier is not one of shared memory"),
        }
    }

    /// The value of a lane, which the size must not change.
    pub(super) fn number(&self, pc: u32, slot: Slot, lane: u32, what: &str) -> Result<u64, Stop> {
        match self.get(slot).at(lane) {
            Val::Known(bits) => Ok(bits),
            Val::Line(_) => self.undecided(pc, format!("{what} grows with the size")),
            _ => self.undecided(pc, format!("{what} is not known")),
        }
    }

    /// Whether the answer of a wait may be that the phase is not over.
    pub(super) fn tests(&self, pc: u32, wait: &BarrierWait) -> bool {
        let lasts = wait.blocking == Blocking::Until || self.world.lasting.get(pc as usize) == Some(&true);
        !lasts && !wait.ignored
    }

    pub(super) fn mbarrier(
        &mut self,
        pc: u32,
        op: MbarrierAct,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<(), Stop> {
        // The lanes of each barrier, in the order of lanes.
        let mut groups: Vec<((u64, u64, u64), u32)> = Vec::new();
        for lane in lanes_of(active) {
            let at = self.barrier(pc, self.get(address).at(lane), space)?;
            let (first, second) = match op {
                MbarrierAct::Init { count } => {
                    (self.number(pc, count, lane, "the count of the barrier")? as u32, 0)
                }
                MbarrierAct::Expect { bytes, comes: false } => {
                    (self.number(pc, bytes, lane, "the number of bytes")? as u32, 0)
                }
                MbarrierAct::Expect { comes: true, .. } => {
                    return self.undecided(pc, "complete_tx by a thread is not followed");
                }
                MbarrierAct::Arrive(arrival) => {
                    if arrival.drop || !arrival.completes {
                        return self.undecided(pc, "an arrival that drops out, or that completes no phase");
                    }
                    let count =
                        arrival.count.map(|slot| self.number(pc, slot, lane, "the count of the arrival"));
                    let bytes = arrival.expect.map(|slot| self.number(pc, slot, lane, "the number of bytes"));
                    (count.transpose()?.unwrap_or(1) as u32, bytes.transpose()?.unwrap_or(0) as u32)
                }
                MbarrierAct::Follow { increment: true } => {
                    return self.undecided(pc, "cp.async.mbarrier.arrive without .noinc is not followed");
                }
                MbarrierAct::Wait(wait) => match wait.awaited {
                    AwaitedBy::Parity(slot) => (self.number(pc, slot, lane, "the parity")? as u32 & 1, 0),
                    AwaitedBy::Token(_) => return self.undecided(pc, "a token of a phase is not followed"),
                },
                _ => (0, 0),
            };
            let key = (at, u64::from(first), u64::from(second));
            match groups.iter_mut().find(|(own, _)| *own == key) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => groups.push((key, 1 << lane)),
            }
        }
        let is_plain = |((_, _, bytes), _): &((u64, u64, u64), u32)| *bytes == 0;
        let together =
            matches!(op, MbarrierAct::Arrive(_)) && groups.len() > 1 && groups.iter().all(is_plain);
        if together {
            self.emit(pc, active, What::Together);
        }
        for ((barrier, first, second), lanes) in groups {
            let count = lanes.count_ones();
            match op {
                MbarrierAct::Init { .. } => {
                    if self.period.is_some() {
                        return self.undecided(pc, "an mbarrier begins in a loop");
                    }
                    self.emit(pc, lanes, What::Init { barrier, count: first as u32 });
                }
                MbarrierAct::Invalidate => self.emit(pc, lanes, What::Invalidate { barrier }),
                MbarrierAct::Expect { .. } => {
                    self.emit(pc, lanes, What::Expect { barrier, bytes: first as i64 * i64::from(count) });
                }
                MbarrierAct::Arrive(arrival) => {
                    if second != 0 {
                        self.emit(
                            pc,
                            lanes,
                            What::Expect { barrier, bytes: second as i64 * i64::from(count) },
                        );
                    }
                    let Some(count) = (first as u32).checked_mul(count) else {
                        return self.undecided(pc, "the count of the arrival is too large");
                    };
                    let relaxed = arrival.relaxed;
                    self.emit(pc, lanes, What::Arrive { barrier, count, relaxed, together });
                }
                MbarrierAct::Follow { .. } => self.emit(pc, lanes, What::Follow { barrier, count }),
                MbarrierAct::Wait(wait) => {
                    let (parity, relaxed) = (first == 1, wait.relaxed);
                    if wait.ignored {
                        continue;
                    }
                    if self.tests(pc, &wait) {
                        let Some(dst) = wait.dst.filter(|_| lanes == active && !relaxed) else {
                            return self.undecided(
                                pc,
                                "a test_wait or try_wait of several barriers, or a relaxed one, whose result decides where the thread goes",
                            );
                        };
                        let number = self.notes.borrow_mut().number((barrier, parity));
                        self.emit(pc, lanes, What::Peek { barrier, parity });
                        self.set(dst, lanes, Reg::All(Val::Peek { number, no: 0, yes: 1 }));
                        continue;
                    }
                    self.emit(pc, lanes, What::Wait { barrier, parity, relaxed, tested: false });
                    if self.world.together && lanes.count_ones() > 1 {
                        self.emit(pc, lanes, What::Meet);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn block_barrier(
        &mut self,
        pc: u32,
        id: Option<Slot>,
        threads: Option<Slot>,
        waits: bool,
        active: u32,
    ) -> Result<(), Stop> {
        let mut groups: Vec<((u32, u32), u32)> = Vec::new();
        for lane in lanes_of(active) {
            let id =
                id.map_or(Ok(0), |slot| self.number(pc, slot, lane, "the number of the barrier"))? as u32;
            let all = self.world.warps() * 32;
            let threads = threads
                .map_or(Ok(all.into()), |slot| self.number(pc, slot, lane, "the number of threads"))?
                as u32;
            match groups.iter_mut().find(|(own, _)| *own == (id, threads)) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => groups.push(((id, threads), 1 << lane)),
            }
        }
        if !self.world.threads().is_multiple_of(32) {
            return self.undecided(pc, "the last warp of the block is not whole");
        }
        if groups.len() > 1 {
            return self.undecided(pc, "lanes of a warp meet at different barriers");
        }
        for ((id, threads), lanes) in groups {
            self.emit(pc, lanes, What::Block { id, threads, waits });
        }
        Ok(())
    }
}
