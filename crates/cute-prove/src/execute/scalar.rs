//! Instructions that compute, on values that may follow the size.

use crate::{
    registers::{Reg, lanes_of},
    value::{self, Val, either},
    walk::Walk,
};
use cute_machine::int::{IntOp, permute};
use cute_sim::address;
use cute_sim::program::{Cast, Op, ScalarOp};

impl Walk<'_> {
    pub(super) fn scalar(&mut self, pc: u32, op: &Op, of: &ScalarOp, active: u32) {
        match *of {
            ScalarOp::Int { op, width, at, .. } => {
                for i in 0..at.lanes {
                    let slots = [at.dst + i, at.a + i, at.b + i];
                    self.two(slots, active, |a, b, bounds| value::binary(op, width, a, b, bounds));
                }
            }
            ScalarOp::IntCompare { predicate, width, at } => {
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
            ScalarOp::FloatCompare { predicate, ty, at } => {
                for i in 0..at.lanes {
                    let dst = at.dst + i;
                    self.two([dst, at.a + i, at.b + i], active, |a, b, _| match (a.known(), b.known()) {
                        (Some(a), Some(b)) => Val::Known(predicate.holds(ty, a, b).into()),
                        _ => Val::Unknown,
                    });
                    self.open.insert(dst, pc);
                }
            }
            ScalarOp::IntUnary { op, width, at } => {
                for i in 0..at.lanes {
                    self.one(at.dst + i, at.a + i, active, |a, bounds| value::unary(op, width, a, bounds));
                }
            }
            ScalarOp::IntTernary { op, width, at } => {
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
            ScalarOp::Permute { at } => self.each(at.dst, active, |walk, lane| {
                let of = [at.a, at.b, at.c].map(|slot| walk.get(slot).at(lane).known());
                match of {
                    [Some(a), Some(b), Some(c)] => Val::Known(permute(a, b, c)),
                    _ => Val::Unknown,
                }
            }),
            ScalarOp::Cast { cast, at } => {
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
            ScalarOp::Select { at, per_lane } => {
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
            _ => self.moved(op, of, active),
        }
    }

    /// Executes an instruction that moves values, or computes an address.
    fn moved(&mut self, op: &Op, of: &ScalarOp, active: u32) {
        match *of {
            ScalarOp::Copy(m) | ScalarOp::Freeze(m) => {
                let values: Vec<Reg> = (0..m.len).map(|i| self.get(m.src + i).clone()).collect();
                for (i, value) in (0..).zip(values) {
                    self.set(m.dst + i, active, value);
                }
            }
            ScalarOp::Coordinates(ref of) => {
                let value = self.get(of.src).clone();
                self.set(of.dst, active, value);
            }
            ScalarOp::Gather { dst, ref from } => {
                let values: Vec<Reg> = from.iter().map(|slot| self.get(*slot).clone()).collect();
                for (i, value) in (0..).zip(values) {
                    self.set(dst + i, active, value);
                }
            }
            ScalarOp::Extract { dst, src, index, lanes } => {
                self.each(dst, active, |walk, lane| match walk.get(index).at(lane).known() {
                    Some(i) if i < lanes.into() => walk.get(src + i as u32).at(lane),
                    _ => Val::Unknown,
                })
            }
            ScalarOp::Insert { dst, value, index, lanes } => {
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
            ScalarOp::Regroup { dst, src, from, to, lanes } => {
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
            ScalarOp::Address { dst, base, offset, ref terms } => {
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
            ScalarOp::Special { dst, special } => self.special(dst, special, active),
            _ => self.forget(op, active),
        }
    }
}
