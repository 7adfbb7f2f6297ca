//! One warp: 32 lanes, each with a program counter. Of the lanes that can go on, those that are least far in the code
//! run together until they meet others; blocks lie in an order in which that is where branches join again.

use super::alu::{self, LaneFinding, Lanes, lanes_of, try_map, zip};
use super::block::Block;
use super::copy::Copies;
use super::machine::Machine;
use super::scalar::{cast, regroup};
use super::{WARP, collective};
use crate::finding::FindingKind;
use crate::memory::address::{LOCAL, MAX_ALLOCATIONS, cast as cast_address, pointer};
use crate::memory::tracked::Tracked;
use crate::program::{Binary, Cast, Edge, LaneMask, Move, Op, Slot, Special, Ternary, Unary};
use crate::value::int::{NoWrap, signed};

/// Local memory of a thread in bytes (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
const MAX_LOCAL: u64 = 512 << 10;

/// Instructions of a warp before another one has its turn.
const QUANTUM: u32 = 20_000;

/// Why a lane does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    /// At a block barrier that completes with this many threads.
    Barrier { id: u32, threads: u32 },
    /// At a warp barrier of these lanes.
    Warp { mask: u32 },
    /// At an operation of these lanes together.
    Collective { mask: u32 },
}

pub(super) struct Warp {
    /// Number in the block.
    pub(super) number: u32,
    /// Lanes that are threads.
    pub(super) exists: u32,
    /// Lanes that can go on.
    pub(super) ready: u32,
    pub(super) done: u32,
    /// The instruction that each lane is at; at a barrier, the barrier.
    pub(super) pcs: [u32; 32],
    pub(super) waits: [Option<Wait>; 32],
    /// The instruction that runs.
    pub(super) at: u32,
    pub(super) locals: Vec<Vec<Tracked>>,
    pub(super) copies: Copies,
    registers: Vec<Lanes>,
    /// For each register the lanes in which it holds no value.
    undefined: Vec<u32>,
    local_bytes: [u64; 32],
    /// The last turn ended in the middle; other lanes first, lest they wait for ever for what these spin on.
    others_first: bool,
    executed: u64,
}

/// Where a group of lanes goes.
enum Flow {
    Next,
    To(u32),
    /// Apart, or nowhere: each lane's counter says where.
    Apart,
}

impl Warp {
    pub(super) fn new(number: u32, threads: u32, machine: &Machine<'_>) -> Self {
        let lanes = (threads - number * WARP).min(WARP);
        let exists = if lanes == WARP { u32::MAX } else { (1 << lanes) - 1 };
        Warp {
            number,
            exists,
            ready: exists,
            done: 0,
            pcs: [0; 32],
            waits: [None; 32],
            at: 0,
            locals: vec![Vec::new(); 32],
            copies: Copies::default(),
            registers: machine.registers.clone(),
            undefined: machine.undefined.clone(),
            local_bytes: [0; 32],
            others_first: false,
            executed: 0,
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.exists
    }

    /// Runs until no lane can go on, or the turn is over.
    pub(super) fn run(&mut self, block: &mut Block<'_>) -> Result<(), LaneFinding> {
        let kernel = block.machine.kernel;
        let mut turn = QUANTUM;
        while self.ready != 0 {
            let (mut pc, active, limit) = self.group();
            while pc < limit {
                if turn == 0 {
                    self.park(active, pc);
                    self.others_first = !self.others_first;
                    return Ok(());
                }
                turn -= 1;
                self.at = pc;
                self.executed += 1;
                let Some(op) = kernel.code.get(pc as usize) else { return Ok(()) };
                block.count(pc, active)?;
                match self.step(op, active, block)? {
                    Flow::Next => pc += 1,
                    Flow::To(target) => pc = target,
                    Flow::Apart => break,
                }
            }
            // Lanes that went apart have their counters already.
            if pc >= limit {
                self.park(active, pc);
            }
        }
        self.others_first = false;
        Ok(())
    }

    /// The lanes that are to run now, where they are, and where they meet others.
    fn group(&self) -> (u32, u32, u32) {
        let at = |lane: u32| self.pcs[lane as usize];
        let first = lanes_of(self.ready).map(at).min().unwrap_or(0);
        let last = lanes_of(self.ready).map(at).max().unwrap_or(0);
        let pc = if self.others_first { last } else { first };
        let active = lanes_of(self.ready).filter(|lane| at(*lane) == pc).fold(0, |m, lane| m | 1 << lane);
        let limit = lanes_of(self.ready & !active).map(at).filter(|other| *other > pc).min();
        (pc, active, limit.unwrap_or(u32::MAX))
    }

    fn park(&mut self, lanes: u32, pc: u32) {
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = pc);
    }

    /// Lets lanes wait at the instruction that runs.
    pub(super) fn wait(&mut self, lanes: u32, why: impl Fn(u32) -> Wait) {
        let at = self.at;
        self.park(lanes, at);
        self.ready &= !lanes;
        lanes_of(lanes).for_each(|lane| self.waits[lane as usize] = Some(why(lane)));
    }

    /// Lets waiting lanes go past what they wait at.
    pub(super) fn resume(&mut self, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.waits[lane as usize] = None;
            self.pcs[lane as usize] += 1;
        }
        self.ready |= lanes;
    }

    /// Number in the block of a lane's thread.
    pub(super) fn thread(&self, lane: u32) -> u32 {
        self.number * WARP + lane
    }

    fn step(&mut self, op: &Op, active: u32, block: &mut Block<'_>) -> Result<Flow, LaneFinding> {
        let kernel = block.machine.kernel;
        match *op {
            Op::Int { op, width, no_wrap, at } => {
                let no_wrap = if block.machine.launch.check_overflow { no_wrap } else { NoWrap::default() };
                return self
                    .binary(at, active, |defined, a, b| alu::int_binary(op, width, no_wrap, defined, a, b));
            }
            Op::IntCompare { predicate, width, at } => {
                return self.binary(at, active, |_, a, b| Ok(alu::int_compare(predicate, width, a, b)));
            }
            Op::Float { op, ty, at } => {
                return self.binary(at, active, |_, a, b| Ok(alu::float_binary(op, ty, a, b)));
            }
            Op::FloatCompare { predicate, ty, at } => {
                return self.binary(at, active, |_, a, b| Ok(alu::float_compare(predicate, ty, a, b)));
            }
            Op::IntUnary { op, width, at } => {
                return self.unary(at, active, |_, a| Ok(alu::int_unary(op, width, a)));
            }
            Op::FloatUnary { op, ty, at } => {
                return self.unary(at, active, |_, a| Ok(alu::float_unary(op, ty, active, a)));
            }
            Op::Cast { cast: kind, at } => return self.cast(kind, at, active),
            Op::Fma { ty, at: Ternary { dst, a, b, c, lanes } } => {
                for i in 0..lanes {
                    let [a, b, c] = [a + i, b + i, c + i];
                    let fused = alu::fma(ty, active, self.get(a), self.get(b), self.get(c));
                    let undefined = self.undefined_in(a) | self.undefined_in(b) | self.undefined_in(c);
                    self.set(dst + i, active, &fused, undefined);
                }
            }
            Op::Select { at: Ternary { dst, a, b, c, lanes }, per_lane } => {
                for i in 0..lanes {
                    let [a, b, c] = [if per_lane { a + i } else { a }, b + i, c + i];
                    let value = alu::select(self.get(a), self.get(b), self.get(c));
                    let then = mask_of(self.get(a));
                    let picked = then & self.undefined_in(b) | !then & self.undefined_in(c);
                    self.set(dst + i, active, &value, self.undefined_in(a) | picked);
                }
            }
            Op::Regroup { dst, src, from, to, lanes } => self.regroup(dst, src, from, to, lanes, active),
            Op::Copy(m) => self.copy(&m, active),
            Op::Freeze(m) => {
                self.copy(&m, active);
                (m.dst..m.dst + m.len).for_each(|slot| self.undefined[slot as usize] &= !active);
            }
            Op::Extract { dst, src, index, lanes } => {
                self.defined(index, active, "index")?;
                for lane in lanes_of(active) {
                    let element = self.element(index, lanes, lane)?;
                    self.move_lane(dst, src + element, lane);
                }
            }
            Op::Insert { dst, value, index, lanes } => {
                self.defined(index, active, "index")?;
                for lane in lanes_of(active) {
                    let element = self.element(index, lanes, lane)?;
                    self.move_lane(dst + element, value, lane);
                }
            }
            Op::Gather { dst, ref from } => {
                for (to, from) in (dst..).zip(from.iter()) {
                    self.copy(&Move { dst: to, src: *from, len: 1 }, active);
                }
            }
            Op::Address { dst, base, offset, ref terms } => {
                let mut sum = *self.get(base);
                let mut undefined = self.undefined_in(base);
                sum.iter_mut().for_each(|s| *s = s.wrapping_add_signed(offset));
                for t in terms {
                    let (width, scale) = (t.width, t.scale);
                    sum = zip(&sum, self.get(t.slot), |s, x| {
                        s.wrapping_add_signed(signed(x, width).wrapping_mul(scale))
                    });
                    undefined |= self.undefined_in(t.slot);
                }
                self.set(dst, active, &sum, undefined);
            }
            Op::Load { dst, address, access } => {
                self.load(block, &kernel.accesses[access as usize], dst, address, active)?;
            }
            Op::Store { src, address, access } => {
                self.store(block, &kernel.accesses[access as usize], src, address, active)?;
            }
            Op::Atomic { .. } => self.atomic(block, op, active)?,
            Op::Alloca { dst, count, size, generic } => self.alloca(dst, count, size, generic, active)?,
            Op::Special { dst, special } => {
                let value = std::array::from_fn(|lane| self.special(special, lane as u32, block).into());
                self.set(dst, active, &value, 0);
            }
            Op::AsyncCopy { dst, src, size, read } => self.issue(block, dst, src, size, read, active)?,
            Op::AsyncCommit => self.copies.commit(active),
            Op::AsyncWait { pending } => self.wait_copies(block, pending, active),
            Op::Print { dst, format, arguments } => self.print(block, dst, format, arguments, active)?,
            Op::Fence | Op::Nothing => {}
            Op::Jump { edge } => return Ok(self.take(&kernel.edges[edge as usize], active)),
            Op::Branch { condition, then, otherwise } => {
                self.defined(condition, active, "condition of the branch")?;
                let taken = mask_of(self.get(condition)) & active;
                return Ok(self.fork(&[
                    (taken, &kernel.edges[then as usize]),
                    (active & !taken, &kernel.edges[otherwise as usize]),
                ]));
            }
            Op::Switch { flag, ref cases, default } => {
                self.defined(flag, active, "flag of the switch")?;
                let flags = *self.get(flag);
                let mut left = active;
                let mut ways = Vec::new();
                for (value, edge) in cases.iter() {
                    let taken = lanes_of(left).filter(|lane| flags[*lane as usize] == *value);
                    let taken = taken.fold(0, |m, lane| m | 1 << lane);
                    left &= !taken;
                    ways.push((taken, &kernel.edges[*edge as usize]));
                }
                ways.push((left, &kernel.edges[default as usize]));
                return Ok(self.fork(&ways));
            }
            Op::Return => {
                let at = self.at;
                self.park(active, at);
                self.ready &= !active;
                self.done |= active;
                return Ok(Flow::Apart);
            }
            Op::Unreachable => return Err(first_lane(active, FindingKind::Unreachable)),
            Op::Trap => return Err(first_lane(active, FindingKind::Trap)),
            Op::Barrier { id, threads } => {
                self.enter_barrier(block, id, threads, active)?;
                return Ok(Flow::Apart);
            }
            Op::Arrive { id, threads } => self.arrive(block, id, threads, active)?,
            Op::WarpBarrier { mask } => {
                self.defined(mask, active, "lane mask")?;
                self.enter_warp_barrier(block, mask, active)?;
                return Ok(Flow::Apart);
            }
            Op::Collective { mask, op } => {
                return Ok(match self.gather(mask, active)? {
                    Some(lanes) if lanes == active => {
                        collective::run(self, op, lanes);
                        Flow::Next
                    }
                    Some(lanes) => {
                        collective::run(self, op, lanes);
                        self.park(active, self.at + 1);
                        self.resume(lanes & !active);
                        Flow::Apart
                    }
                    None => Flow::Apart,
                });
            }
        }
        Ok(Flow::Next)
    }

    pub(super) fn get(&self, slot: Slot) -> &Lanes {
        &self.registers[slot as usize]
    }

    pub(super) fn undefined_in(&self, slot: Slot) -> u32 {
        self.undefined[slot as usize]
    }

    /// Sets the active lanes of a register, of which some are undefined.
    pub(super) fn set(&mut self, slot: Slot, active: u32, value: &Lanes, undefined: u32) {
        let u = &mut self.undefined[slot as usize];
        *u = *u & !active | undefined & active;
        let register = &mut self.registers[slot as usize];
        // Lanes that run no more do not mind.
        if active | self.done | !self.exists == u32::MAX {
            *register = *value;
        } else {
            for (i, (to, from)) in register.iter_mut().zip(value).enumerate() {
                *to = if active >> i & 1 != 0 { *from } else { *to };
            }
        }
    }

    pub(super) fn set_lane(&mut self, slot: Slot, lane: u32, value: u64) {
        self.registers[slot as usize][lane as usize] = value;
        self.undefined[slot as usize] &= !(1 << lane);
    }

    fn move_lane(&mut self, dst: Slot, src: Slot, lane: u32) {
        let undefined = self.undefined[src as usize] >> lane & 1;
        let value = self.registers[src as usize][lane as usize];
        self.set_lane(dst, lane, value);
        self.undefined[dst as usize] |= undefined << lane;
    }

    /// Is the register defined in all these lanes?
    pub(super) fn defined(&self, slot: Slot, active: u32, role: &'static str) -> Result<(), LaneFinding> {
        match self.undefined[slot as usize] & active {
            0 => Ok(()),
            lanes => Err(first_lane(lanes, FindingKind::Undefined { role })),
        }
    }

    fn binary(
        &mut self,
        at: Binary,
        active: u32,
        f: impl Fn(u32, &Lanes, &Lanes) -> Result<Lanes, LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        for i in 0..at.lanes {
            let undefined = self.undefined_in(at.a + i) | self.undefined_in(at.b + i);
            let value = f(active & !undefined, self.get(at.a + i), self.get(at.b + i))?;
            self.set(at.dst + i, active, &value, undefined);
        }
        Ok(Flow::Next)
    }

    fn unary(
        &mut self,
        at: Unary,
        active: u32,
        f: impl Fn(u32, &Lanes) -> Result<Lanes, LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        for i in 0..at.lanes {
            let undefined = self.undefined_in(at.a + i);
            let value = f(active & !undefined, self.get(at.a + i))?;
            self.set(at.dst + i, active, &value, undefined);
        }
        Ok(Flow::Next)
    }

    fn cast(&mut self, kind: Cast, at: Unary, active: u32) -> Result<Flow, LaneFinding> {
        use crate::value::int::mask;
        self.unary(at, active, |defined, a| match kind {
            Cast::Truncate { width } => Ok(alu::map(a, |x| x & mask(width))),
            Cast::SignExtend { from, to } => Ok(alu::map(a, |x| signed(x, from) as u64 & mask(to))),
            _ => try_map(defined, |lane| cast(kind, a[lane])),
        })
    }

    fn regroup(&mut self, dst: Slot, src: Slot, from: u32, to: u32, lanes: u32, active: u32) {
        let parts = |i: u32| {
            if to < from {
                i / (from / to)..i / (from / to) + 1
            } else {
                i * (to / from)..(i + 1) * (to / from)
            }
        };
        // The source may be the target's neighbour, never the target.
        for i in 0..lanes {
            let sources = parts(i);
            let undefined = sources.clone().fold(0, |u, s| u | self.undefined_in(src + s));
            let value = std::array::from_fn(|lane| {
                regroup(|s| self.registers[(src + s) as usize][lane], from, to, i)
            });
            self.set(dst + i, active, &value, undefined);
        }
    }

    pub(super) fn copy(&mut self, m: &Move, active: u32) {
        for i in 0..m.len {
            let value = self.registers[(m.src + i) as usize];
            let undefined = self.undefined_in(m.src + i);
            self.set(m.dst + i, active, &value, undefined);
        }
    }

    fn element(&self, index: Slot, lanes: u32, lane: u32) -> Result<u32, LaneFinding> {
        let index = self.get(index)[lane as usize];
        let element = u32::try_from(index).ok().filter(|i| *i < lanes);
        element.ok_or(LaneFinding { lane, kind: FindingKind::Lane { index, lanes } })
    }

    /// Gives the target block its arguments and goes there.
    fn take(&mut self, edge: &Edge, active: u32) -> Flow {
        if edge.overlap {
            let slots = |start: Slot, len: u32| start..start + len;
            let values: Vec<(Lanes, u32)> = edge
                .moves
                .iter()
                .flat_map(|m| slots(m.src, m.len))
                .map(|s| (self.registers[s as usize], self.undefined_in(s)))
                .collect();
            let targets = edge.moves.iter().flat_map(|m| slots(m.dst, m.len));
            for (slot, (value, undefined)) in targets.zip(&values) {
                self.set(slot, active, value, *undefined);
            }
        } else {
            edge.moves.iter().for_each(|m| self.copy(m, active));
        }
        Flow::To(edge.target)
    }

    /// Sends lanes along several edges.
    fn fork(&mut self, ways: &[(u32, &Edge)]) -> Flow {
        let mut taken = ways.iter().filter(|(lanes, _)| *lanes != 0);
        if let (Some((lanes, edge)), None) = (taken.next(), taken.next()) {
            return self.take(edge, *lanes);
        }
        for (lanes, edge) in ways.iter().filter(|(lanes, _)| *lanes != 0) {
            self.take(edge, *lanes);
            self.park(*lanes, edge.target);
        }
        Flow::Apart
    }

    fn alloca(
        &mut self,
        dst: Slot,
        count: Slot,
        size: u64,
        generic: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.defined(count, active, "size")?;
        for lane in lanes_of(active) {
            let i = lane as usize;
            let bytes = self.get(count)[i].saturating_mul(size);
            let (locals, used) = (&mut self.locals[i], &mut self.local_bytes[i]);
            *used = used.saturating_add(bytes);
            if *used > MAX_LOCAL || locals.len() >= MAX_ALLOCATIONS as usize {
                let kind = FindingKind::LocalMemory { bytes: *used, limit: MAX_LOCAL };
                return Err(LaneFinding { lane, kind });
            }
            let local = pointer(LOCAL, locals.len() as u32, 0);
            locals.push(Tracked::new(bytes as usize));
            let address = if generic { cast_address(local, LOCAL, 0) } else { Ok(local) };
            let address = address.map_err(|kind| LaneFinding { lane, kind })?;
            self.set_lane(dst, lane, address);
        }
        Ok(())
    }

    fn special(&self, special: Special, lane: u32, block: &Block<'_>) -> u32 {
        let launch = block.machine.launch;
        let before = (1u32 << lane) - 1;
        match special {
            Special::Thread(axis) => block.thread(self.thread(lane))[axis],
            Special::BlockSize(axis) => launch.block[axis],
            Special::Block(axis) => block.position[axis],
            Special::GridSize(axis) => launch.grid[axis],
            Special::Lane => lane,
            Special::Warp => self.number,
            Special::WarpSize => WARP,
            Special::LaneMask(LaneMask::Lt) => before,
            Special::LaneMask(LaneMask::Le) => before | 1 << lane,
            Special::LaneMask(LaneMask::Eq) => 1 << lane,
            Special::LaneMask(LaneMask::Ge) => !before,
            Special::LaneMask(LaneMask::Gt) => !(before | 1 << lane),
            Special::DynamicShared => launch.dynamic_shared,
            Special::ClusterSize | Special::ClusterBlocks => 1,
            Special::ClusterBlock | Special::ClusterRank => 0,
            Special::Cluster(axis) => block.position[axis],
            Special::Clusters(axis) => launch.grid[axis],
            Special::Clock => self.executed as u32,
        }
    }
}

pub(super) fn first_lane(lanes: u32, kind: FindingKind) -> LaneFinding {
    LaneFinding { lane: lanes.trailing_zeros(), kind }
}

/// The lanes in which a bit is set.
pub(super) fn mask_of(bits: &Lanes) -> u32 {
    bits.iter().enumerate().fold(0, |m, (lane, bit)| m | ((bit & 1) as u32) << lane)
}
