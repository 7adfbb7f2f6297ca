//! The effect of each instruction on a warp whose size is a symbol: its values, and its events.

mod barriers;
mod collective;
mod copies;
mod memory;
mod values;

use crate::{
    registers::{Reg, lanes_of},
    trace::What,
    value::{self, Val, either},
    walk::{Stop, Walk},
};
use cute_arch::space::{GENERIC, GLOBAL, LOCAL, SHARED};
use cute_machine::int::{IntOp, permute};
use cute_sim::address::{self, in_block, parts};
use cute_sim::program::{
    BulkOp, Cast, GroupOp, MapOp, MbarrierAct, MbarrierOp, Op, Slot, TensorOp, WgmmaOperand,
};

/// Whether an instruction only computes.
pub(crate) fn is_pure(op: &Op) -> bool {
    matches!(
        op,
        Op::Int { .. }
            | Op::Overflowing { .. }
            | Op::IntUnary { .. }
            | Op::IntTernary { .. }
            | Op::IntCompare { .. }
            | Op::Float { .. }
            | Op::FloatUnary { .. }
            | Op::FloatCompare { .. }
            | Op::Fma { .. }
            | Op::Rounded { .. }
            | Op::Convert { .. }
            | Op::Dot { .. }
            | Op::Permute { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Regroup { .. }
            | Op::Copy(_)
            | Op::Freeze(_)
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::Gather { .. }
            | Op::Address { .. }
            | Op::IsInSpace { .. }
            | Op::Special { .. }
            | Op::BlockRank { .. }
            | Op::MapAddress { .. }
            | Op::Coordinates(_)
            | Op::Nothing
            | Op::Agree { .. }
    )
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
            Op::WarpBarrier { mask } => named(*mask),
            Op::Collective { mask: Some(mask), .. } => named(*mask),
            Op::Barrier { aligned, .. }
            | Op::Arrive { aligned, .. }
            | Op::ClusterArrive { aligned, .. }
            | Op::ClusterWait { aligned } => Ok(aligned.then_some(u32::MAX)),
            Op::Tensor(op) => Ok(match **op {
                TensorOp::Commit { .. }
                | TensorOp::Multiply(_)
                | TensorOp::Copy { .. }
                | TensorOp::Fence { .. } => None,
                _ => Some(u32::MAX),
            }),
            Op::Collective { mask: None, .. }
            | Op::Group(_)
            | Op::WgmmaCommit
            | Op::WgmmaWait { .. }
            | Op::Mma { .. }
            | Op::LoadMatrix { .. }
            | Op::StoreMatrix { .. } => Ok(Some(u32::MAX)),
            _ => Ok(None),
        }
    }

    /// Executes an instruction that the next one follows.
    pub(crate) fn execute(&mut self, pc: u32, op: &Op, active: u32) -> Result<(), Stop> {
        let kernel = self.world.kernel;
        match *op {
            Op::Int { op, width, at, .. } => {
                for i in 0..at.lanes {
                    let slots = [at.dst + i, at.a + i, at.b + i];
                    self.two(slots, active, |a, b, bounds| value::binary(op, width, a, b, bounds));
                }
            }
            Op::IntCompare { predicate, width, at } => {
                for i in 0..at.lanes {
                    let [dst, a, b] = [at.dst + i, at.a + i, at.b + i];
                    self.bounds.decided = false;
                    let first = active.trailing_zeros();
                    let line = value::difference(width, self.get(a).at(first), self.get(b).at(first));
                    self.two([dst, a, b], active, |a, b, bounds| {
                        let holds = value::compare(predicate, width, a, b, bounds);
                        holds.map_or(Val::Unknown, |holds| Val::Known(holds.into()))
                    });
                    if let Some(line) = line.filter(|_| self.bounds.decided) {
                        self.decisions.push((pc, line));
                    }
                    self.open.insert(dst, pc);
                }
            }
            // Known numbers, such as the beta of a GEMM; floats do not follow the size.
            Op::FloatCompare { predicate, ty, at } => {
                for i in 0..at.lanes {
                    let dst = at.dst + i;
                    self.two([dst, at.a + i, at.b + i], active, |a, b, _| match (a.known(), b.known()) {
                        (Some(a), Some(b)) => Val::Known(predicate.holds(ty, a, b).into()),
                        _ => Val::Unknown,
                    });
                    self.open.insert(dst, pc);
                }
            }
            Op::IntUnary { op, width, at } => {
                for i in 0..at.lanes {
                    self.one(at.dst + i, at.a + i, active, |a, bounds| value::unary(op, width, a, bounds));
                }
            }
            Op::IntTernary { op, width, at } => {
                let mut bounds = self.bounds;
                let of = [self.get(at.a).clone(), self.get(at.b).clone(), self.get(at.c).clone()];
                let mut result = |lane: u32| {
                    let of = [of[0].at(lane), of[1].at(lane), of[2].at(lane)];
                    either(of, |of| value::ternary(op, width, of, &mut bounds))
                };
                let value = if of.iter().all(|reg| matches!(reg, Reg::All(_))) {
                    Reg::All(result(0))
                } else {
                    Reg::of(|lane| if active >> lane & 1 == 1 { result(lane) } else { Val::Unknown })
                };
                self.bounds = bounds;
                self.set(at.dst, active, value);
            }
            Op::Permute { at } => self.each(at.dst, active, |walk, lane| {
                let of = [at.a, at.b, at.c].map(|slot| walk.get(slot).at(lane).known());
                match of {
                    [Some(a), Some(b), Some(c)] => Val::Known(permute(a, b, c)),
                    _ => Val::Unknown,
                }
            }),
            Op::Cast { cast, at } => {
                for i in 0..at.lanes {
                    let (dst, a) = (at.dst + i, at.a + i);
                    match cast {
                        Cast::Truncate { width } => {
                            self.one(dst, a, active, |a, _| value::truncate(a, width))
                        }
                        Cast::SignExtend { from, to } => {
                            self.one(dst, a, active, |a, bounds| value::extend(a, from, to, bounds));
                        }
                        Cast::AddressSpace { from, to } => self.one(dst, a, active, |a, _| match a {
                            Val::Known(bits) => {
                                address::cast(bits, from, to).map_or(Val::Unknown, Val::Known)
                            }
                            Val::From(of, at) if from == to => Val::From(of, at),
                            _ => Val::Unknown,
                        }),
                        _ => self.set(dst, active, Reg::All(Val::Unknown)),
                    }
                }
            }
            Op::Select { at, per_lane } => {
                for i in 0..at.lanes {
                    let a = if per_lane { at.a + i } else { at.a };
                    self.open.remove(&(at.dst + i));
                    let picked = {
                        let (cond, b, c) = (self.get(a), self.get(at.b + i), self.get(at.c + i));
                        let pick = |lane: u32| {
                            either([cond.at(lane), b.at(lane), c.at(lane)], |[cond, b, c]| match cond {
                                Val::Known(0) => c,
                                Val::Known(_) => b,
                                _ if b == c => b,
                                _ => Val::Unknown,
                            })
                        };
                        match [cond, b, c].iter().all(|reg| matches!(reg, Reg::All(_))) {
                            true => Reg::All(pick(0)),
                            false => Reg::of(pick),
                        }
                    };
                    self.set(at.dst + i, active, picked);
                }
            }
            Op::Copy(m) | Op::Freeze(m) => {
                let values: Vec<Reg> = (0..m.len).map(|i| self.get(m.src + i).clone()).collect();
                for (i, value) in (0..).zip(values) {
                    self.set(m.dst + i, active, value);
                }
            }
            Op::Coordinates(ref of) => {
                let value = self.get(of.src).clone();
                self.set(of.dst, active, value);
            }
            Op::Gather { dst, ref from } => {
                let values: Vec<Reg> = from.iter().map(|slot| self.get(*slot).clone()).collect();
                for (i, value) in (0..).zip(values) {
                    self.set(dst + i, active, value);
                }
            }
            Op::Extract { dst, src, index, lanes } => {
                self.each(dst, active, |walk, lane| match walk.get(index).at(lane).known() {
                    Some(i) if i < lanes.into() => walk.get(src + i as u32).at(lane),
                    _ => Val::Unknown,
                })
            }
            Op::Insert { dst, value, index, lanes } => {
                let place = lanes_of(active).map(|lane| self.get(index).at(lane));
                let mut place = place.collect::<Vec<_>>();
                place.dedup();
                match place[..] {
                    [Val::Known(i)] if i < lanes.into() => {
                        let value = self.get(value).clone();
                        self.set(dst + i as u32, active, value);
                    }
                    _ => self.forget(op, active),
                }
            }
            Op::Regroup { dst, src, from, to, lanes } => {
                let read = if from < to { lanes * (to / from) } else { lanes.div_ceil(from / to) };
                let of: Vec<Reg> = (0..read).map(|i| self.get(src + i).clone()).collect();
                for i in 0..lanes {
                    let one = |lane: u32| value::regroup(|i| of[i as usize].at(lane), from, to, i);
                    let value = match of.iter().all(|reg| matches!(reg, Reg::All(_))) {
                        true => Reg::All(one(0)),
                        false => Reg::of(one),
                    };
                    self.set(dst + i, active, value);
                }
            }
            Op::Address { dst, base, offset, ref terms } => {
                let mut bounds = self.bounds;
                let mut one = |lane: u32| {
                    let base = self.get(base).at(lane);
                    let mut sum = value::binary(IntOp::Add, 64, base, Val::Known(offset as u64), &mut bounds);
                    for term in terms {
                        let index = value::extend(self.get(term.slot).at(lane), term.width, 64, &mut bounds);
                        let scaled = Val::Known(term.scale as u64);
                        let scaled = value::binary(IntOp::Mul, 64, index, scaled, &mut bounds);
                        sum = value::binary(IntOp::Add, 64, sum, scaled, &mut bounds);
                    }
                    sum
                };
                let all = terms.iter().map(|term| term.slot).chain([base]);
                let is_one = all.into_iter().all(|slot| matches!(self.get(slot), Reg::All(_)));
                let value = if is_one {
                    Reg::All(one(0))
                } else {
                    Reg::of(|lane| if active >> lane & 1 == 1 { one(lane) } else { Val::Unknown })
                };
                self.bounds = bounds;
                self.set(dst, active, value);
            }
            Op::IsInSpace { dst, address, space } => self.each(dst, active, |walk, lane| {
                match walk.get(address).at(lane).known().and_then(|at| parts(at, 0).ok()) {
                    Some(parts) if matches!(space, SHARED) && parts.space == SHARED => {
                        Val::Known((parts.byte >> address::RANK_SHIFT == i64::from(walk.rank)).into())
                    }
                    Some(parts) if matches!(space, SHARED | LOCAL) => {
                        Val::Known((parts.space == space).into())
                    }
                    _ => Val::Unknown,
                }
            }),
            Op::MapAddress { dst, address, rank } => self.each(dst, active, |walk, lane| {
                match (walk.get(address).at(lane), walk.get(rank).at(lane)) {
                    (Val::Known(at), Val::Known(rank)) => Val::Known(in_block(at, rank)),
                    _ => Val::Unknown,
                }
            }),
            Op::Alloca { dst, generic, .. } => {
                let local = address::pointer(LOCAL, self.locals, 0);
                let at = if generic { address::cast(local, LOCAL, GENERIC).ok() } else { Some(local) };
                self.locals += 1;
                self.set(dst, active, Reg::All(at.map_or(Val::Unknown, Val::Known)));
            }
            Op::StackSave { dst } => {
                let last = self.locals.checked_sub(1).map_or(0, |last| address::pointer(LOCAL, last, 0));
                self.set(dst, active, Reg::All(Val::Known(last)));
            }
            Op::StackRestore { src } => {
                let Val::Known(last) = self.get(src).at(active.trailing_zeros()) else {
                    return self.undecided(pc, "the pointer of the stack is not known");
                };
                self.locals = match last {
                    0 => 0,
                    last => parts(last, LOCAL).map_or(self.locals, |of| of.allocation + 1),
                };
            }
            Op::Special { dst, special } => self.special(dst, special, active),
            Op::Load { dst, address, access } => return self.load(pc, op, dst, address, access, active),
            Op::Store { src, address, access } => {
                let access = &kernel.accesses[access as usize];
                if access.strong && !access.order.is_relaxed() {
                    self.synchronises(pc, "a store that releases")?;
                }
                self.access(pc, address, access.space, active)?;
                self.hand(pc, src, address, access, active);
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
            Op::Barrier { id, threads, reduction, .. } => {
                self.block_barrier(pc, id, threads, true, active)?;
                if reduction.is_some() {
                    self.forget(op, active);
                }
            }
            Op::Arrive { id, threads, .. } => self.block_barrier(pc, id, Some(threads), false, active)?,
            Op::WarpBarrier { .. } => self.emit(pc, active, What::Meet),
            Op::ClusterArrive { relaxed, .. } => self.emit(pc, active, What::ClusterArrive { relaxed }),
            Op::ClusterWait { .. } => self.emit(pc, active, What::ClusterWait),
            Op::Collective { op: of, .. } => {
                self.emit(pc, active, What::Meet);
                self.collective(of, active);
            }
            Op::Group(GroupOp::Multiply { mma }) => {
                self.emit(pc, active, What::Meet);
                let mma = &kernel.group_mmas[mma as usize];
                let a = match mma.a {
                    WgmmaOperand::Shared(slot) => Some(slot),
                    WgmmaOperand::Registers(_) => None,
                };
                self.touch(pc, &[Some(mma.b), a].into_iter().flatten().collect::<Vec<_>>(), active)?;
                self.emit(pc, active, What::Group);
                self.forget(op, active);
            }
            Op::Group(GroupOp::Registers { .. }) => {
                if self.period.is_some() {
                    return self.undecided(pc, "setmaxnreg in a loop");
                }
                self.emit(pc, active, What::Meet);
                self.emit(pc, active, What::Group);
            }
            Op::Group(GroupOp::Fence) | Op::WgmmaCommit | Op::WgmmaWait { .. } => {
                self.emit(pc, active, What::Meet);
                self.touch(pc, &[], active)?;
            }
            Op::Tensor(ref of) => self.tensor(pc, op, of, active)?,
            Op::LoadMatrix { address, .. } => {
                self.emit(pc, active, What::Meet);
                self.access(pc, address, SHARED, active)?;
                self.forget(op, active);
            }
            Op::StoreMatrix { address, .. } => {
                self.emit(pc, active, What::Meet);
                self.access(pc, address, SHARED, active)?;
                self.overwrites_rows(address, 16, active);
            }
            Op::Mma { .. } => {
                self.emit(pc, active, What::Meet);
                self.forget(op, active);
            }
            Op::AsyncCopy { dst, size, .. } => {
                self.access(pc, dst, SHARED, active)?;
                self.overwrites_rows(dst, size.into(), active);
            }
            Op::FenceProxy { .. }
            | Op::Fence { .. }
            | Op::Bulk(BulkOp::Commit | BulkOp::Wait { .. })
            | Op::AsyncCommit
            | Op::AsyncWait { .. } => self.touch(pc, &[], active)?,
            Op::GridDependency { .. } => {}
            Op::Atomic { access, .. } => {
                if kernel.accesses[access as usize].space != GLOBAL {
                    return self.undecided(pc, "an atomic access, by which threads may synchronise");
                }
                self.synchronises(pc, "an atomic access")?;
                self.forget(op, active);
            }
            Op::Remote(_) => return self.undecided(pc, "st.async or red.async is not followed"),
            Op::Launch(_) => {
                return self.undecided(pc, "cluster launch control chooses the tiles at run time");
            }
            Op::Map(MapOp::Acquire { .. } | MapOp::Release { .. }) => self.touch(pc, &[], active)?,
            Op::Map(_) => return self.undecided(pc, "a tensor map changes"),
            Op::Call { .. } | Op::Back { .. } => return self.undecided(pc, "calls are not followed"),
            Op::Allocate { .. } | Op::Release { .. } => {
                return self.undecided(pc, "the heap is not followed");
            }
            Op::Trap { .. } | Op::Unreachable | Op::Refused { .. } | Op::Nowhere { .. } => {
                return self.undecided(pc, "a thread gets to an instruction that ends the kernel");
            }
            ref op => self.forget(op, active),
        }
        Ok(())
    }
}
