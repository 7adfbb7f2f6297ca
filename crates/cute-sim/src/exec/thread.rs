//! One thread: the interpreter's loop from where the thread is to its next barrier.

use super::WARP;
use super::copy::Copies;
use super::scalar::{cast, regroup};
use super::world::{Tracked, World};
use crate::error::FaultKind;
use crate::memory::address::{LOCAL, MAX_ALLOCATIONS, cast as cast_address, pointer};
use crate::program::{Binary, Edge, Kernel, LaneMask, Move, Op, Slot, Special, Ternary, Unary};
use crate::value::int::{NoWrap, signed};
use crate::value::{float, int};

/// Local memory of a thread in bytes (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const MAX_LOCAL: u64 = 512 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Ready,
    /// At a block barrier that completes with this many threads.
    Barrier {
        id: u32,
        threads: u32,
    },
    WarpBarrier {
        mask: u32,
    },
    Done,
}

pub(super) struct Thread {
    /// Number in the block, x fastest.
    pub(super) number: u32,
    pub(super) position: [u32; 3],
    /// The instruction it is at; at a barrier, the barrier.
    pub(super) pc: u32,
    pub(super) status: Status,
    pub(super) locals: Vec<Tracked>,
    pub(super) copies: Copies,
    registers: Vec<u64>,
    local_bytes: u64,
}

impl Thread {
    pub(super) fn new(number: u32, position: [u32; 3], registers: &[u64]) -> Self {
        Thread {
            number,
            position,
            pc: 0,
            status: Status::Ready,
            locals: Vec::new(),
            copies: Copies::default(),
            registers: registers.to_vec(),
            local_bytes: 0,
        }
    }

    /// Goes past the barrier.
    pub(super) fn resume(&mut self) {
        self.status = Status::Ready;
        self.pc += 1;
    }

    /// Runs to the next barrier or to the end. On an error `pc` is at the instruction.
    pub(super) fn run(&mut self, kernel: &Kernel, world: &mut World<'_>) -> Result<(), FaultKind> {
        while let Some(op) = kernel.code.get(self.pc as usize) {
            if world.stats.instructions >= world.budget {
                return Err(FaultKind::Budget { limit: world.budget });
            }
            world.stats.instructions += 1;
            match op {
                Op::Jump { edge } => self.take(&kernel.edges[*edge as usize]),
                Op::Branch { condition, then, otherwise } => {
                    let edge = if self.get(*condition) & 1 != 0 { then } else { otherwise };
                    self.take(&kernel.edges[*edge as usize]);
                }
                Op::Switch { flag, cases, default } => {
                    let flag = self.get(*flag);
                    let edge =
                        cases.iter().find(|(value, _)| *value == flag).map_or(*default, |(_, edge)| *edge);
                    self.take(&kernel.edges[edge as usize]);
                }
                Op::Return => {
                    self.status = Status::Done;
                    return Ok(());
                }
                Op::Unreachable => return Err(FaultKind::Unreachable),
                Op::Barrier { id, threads } => {
                    let [x, y, z] = world.block_size;
                    let all = x * y * z;
                    let id = id.map_or(0, |slot| self.get(slot) as u32);
                    let count = threads.map_or(all, |slot| self.get(slot) as u32);
                    if id > 15 || (threads.is_some() && (count == 0 || count % WARP != 0)) {
                        return Err(FaultKind::Barrier { id, threads: count });
                    }
                    self.status = Status::Barrier { id, threads: count };
                    return Ok(());
                }
                Op::WarpBarrier { mask } => {
                    self.status = Status::WarpBarrier { mask: self.get(*mask) as u32 };
                    return Ok(());
                }
                op => {
                    self.step(op, kernel, world)?;
                    self.pc += 1;
                }
            }
        }
        self.status = Status::Done;
        Ok(())
    }

    /// An instruction that goes on to the next one.
    fn step(&mut self, op: &Op, kernel: &Kernel, world: &mut World<'_>) -> Result<(), FaultKind> {
        match *op {
            Op::Int { op, width, no_wrap, at } => {
                let no_wrap = if world.check_overflow { no_wrap } else { NoWrap::default() };
                self.binary(at, |a, b| int::binary(op, width, no_wrap, a, b))
            }
            Op::IntUnary { op, width, at } => self.unary(at, |a| Ok(int::unary(op, width, a))),
            Op::IntCompare { predicate, width, at } => {
                self.binary(at, |a, b| Ok(int::compare(predicate, width, a, b).into()))
            }
            Op::Float { op, ty, at } => self.binary(at, |a, b| Ok(float::binary(op, ty, a, b))),
            Op::FloatUnary { op, ty, at } => self.unary(at, |a| Ok(float::unary(op, ty, a))),
            Op::FloatCompare { predicate, ty, at } => {
                self.binary(at, |a, b| Ok(float::compare(predicate, ty, a, b).into()))
            }
            Op::Fma { ty, at: Ternary { dst, a, b, c, lanes } } => {
                for i in 0..lanes {
                    let fused = float::fma(ty, self.get(a + i), self.get(b + i), self.get(c + i));
                    self.set(dst + i, fused);
                }
                Ok(())
            }
            Op::Cast { cast: kind, at } => self.unary(at, |a| cast(kind, a)),
            Op::Select { at: Ternary { dst, a, b, c, lanes }, per_lane } => {
                for i in 0..lanes {
                    let condition = self.get(if per_lane { a + i } else { a });
                    let value = self.get(if condition & 1 != 0 { b + i } else { c + i });
                    self.set(dst + i, value);
                }
                Ok(())
            }
            Op::Regroup { dst, src, from, to, lanes } => {
                for i in 0..lanes {
                    let bits = regroup(&self.registers[src as usize..], from, to, i);
                    self.set(dst + i, bits);
                }
                Ok(())
            }
            Op::Copy(Move { dst, src, len }) => {
                self.registers.copy_within(src as usize..(src + len) as usize, dst as usize);
                Ok(())
            }
            Op::Extract { dst, src, index, lanes } => {
                let lane = self.lane(index, lanes)?;
                self.set(dst, self.get(src + lane));
                Ok(())
            }
            Op::Insert { dst, value, index, lanes } => {
                let lane = self.lane(index, lanes)?;
                self.set(dst + lane, self.get(value));
                Ok(())
            }
            Op::Gather { dst, ref from } => {
                for (to, from) in (dst..).zip(from.iter()) {
                    self.set(to, self.get(*from));
                }
                Ok(())
            }
            Op::Address { dst, base, offset, ref terms } => {
                let sum = terms.iter().fold(offset, |sum, t| {
                    sum.wrapping_add(signed(self.get(t.slot), t.width).wrapping_mul(t.scale))
                });
                self.set(dst, self.get(base).wrapping_add_signed(sum));
                Ok(())
            }
            Op::Load { dst, address, access } => {
                let address = self.get(address);
                let access = &kernel.accesses[access as usize];
                world.load(&self.locals, access, address, &mut self.registers[dst as usize..])
            }
            Op::Store { src, address, access } => {
                let address = self.get(address);
                let access = &kernel.accesses[access as usize];
                world.store(&mut self.locals, access, address, &self.registers[src as usize..])
            }
            Op::Alloca { dst, count, size, generic } => self.alloca(dst, self.get(count), size, generic),
            Op::Special { dst, special } => {
                self.set(dst, self.special(special, world).into());
                Ok(())
            }
            Op::AsyncCopy { dst, src, size, read } => {
                let read = read.map_or(u64::from(size), |slot| self.get(slot));
                self.issue(world, self.get(dst), self.get(src), size, read)
            }
            Op::AsyncCommit => {
                self.commit();
                Ok(())
            }
            Op::AsyncWait { pending } => {
                self.wait(world, pending);
                Ok(())
            }
            Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return
            | Op::Unreachable
            | Op::Barrier { .. }
            | Op::WarpBarrier { .. } => Ok(()),
        }
    }

    fn get(&self, slot: Slot) -> u64 {
        self.registers[slot as usize]
    }

    fn set(&mut self, slot: Slot, value: u64) {
        self.registers[slot as usize] = value;
    }

    fn unary(&mut self, at: Unary, f: impl Fn(u64) -> Result<u64, FaultKind>) -> Result<(), FaultKind> {
        for i in 0..at.lanes {
            let value = f(self.get(at.a + i))?;
            self.set(at.dst + i, value);
        }
        Ok(())
    }

    fn binary(
        &mut self,
        at: Binary,
        f: impl Fn(u64, u64) -> Result<u64, FaultKind>,
    ) -> Result<(), FaultKind> {
        for i in 0..at.lanes {
            let value = f(self.get(at.a + i), self.get(at.b + i))?;
            self.set(at.dst + i, value);
        }
        Ok(())
    }

    fn lane(&self, index: Slot, lanes: u32) -> Result<u32, FaultKind> {
        let index = self.get(index);
        u32::try_from(index).ok().filter(|i| *i < lanes).ok_or(FaultKind::Lane { index, lanes })
    }

    /// Gives the target block its arguments and goes there.
    fn take(&mut self, edge: &Edge) {
        if edge.overlap {
            let range = |m: &Move| m.src as usize..(m.src + m.len) as usize;
            let values: Vec<u64> =
                edge.moves.iter().flat_map(|m| self.registers[range(m)].iter().copied()).collect();
            let slots = edge.moves.iter().flat_map(|m| m.dst..m.dst + m.len);
            for (slot, value) in slots.zip(values) {
                self.registers[slot as usize] = value;
            }
        } else {
            for m in &edge.moves {
                self.registers.copy_within(m.src as usize..(m.src + m.len) as usize, m.dst as usize);
            }
        }
        self.pc = edge.target;
    }

    fn alloca(&mut self, dst: Slot, count: u64, size: u64, generic: bool) -> Result<(), FaultKind> {
        let bytes = count.saturating_mul(size);
        self.local_bytes = self.local_bytes.saturating_add(bytes);
        if self.local_bytes > MAX_LOCAL || self.locals.len() >= MAX_ALLOCATIONS as usize {
            return Err(FaultKind::LocalMemory { bytes: self.local_bytes, limit: MAX_LOCAL });
        }
        let local = pointer(LOCAL, self.locals.len() as u32, 0);
        self.locals.push(Tracked::new(bytes as usize));
        self.set(dst, if generic { cast_address(local, LOCAL, 0)? } else { local });
        Ok(())
    }

    fn special(&self, special: Special, world: &World<'_>) -> u32 {
        let lane = self.number % WARP;
        let before = (1u32 << lane) - 1;
        match special {
            Special::Thread(axis) => self.position[axis],
            Special::BlockSize(axis) => world.block_size[axis],
            Special::Block(axis) => world.block[axis],
            Special::GridSize(axis) => world.grid[axis],
            Special::Lane => lane,
            Special::Warp => self.number / WARP,
            Special::WarpSize => WARP,
            Special::LaneMask(LaneMask::Lt) => before,
            Special::LaneMask(LaneMask::Le) => before | 1 << lane,
            Special::LaneMask(LaneMask::Eq) => 1 << lane,
            Special::LaneMask(LaneMask::Ge) => !before,
            Special::LaneMask(LaneMask::Gt) => !(before | 1 << lane),
            Special::DynamicShared => world.dynamic_shared,
        }
    }
}
