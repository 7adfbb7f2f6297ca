//! The effect of each instruction on a warp whose size is a symbol: its values, and its events.

use crate::{
    registers::{Reg, lanes_of},
    slots,
    trace::What,
    value::{self, Val},
    walk::{Stop, Walk},
    world::World,
};
use cute_arch::space::{CLUSTER, CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED};
use cute_arch::tensor_map::TensorMap;
use cute_machine::int::{IntOp, permute};
use cute_sim::address::{self, in_block, parts};
use cute_sim::program::{
    AwaitedBy, Blocking, Bulk, BulkFar, BulkMove, Cast, Collective, GroupOp, LaneMask, MapOp, MbarrierOp, Op,
    Shuffle, Slot, Special, TensorOp, TensorOperand, WgmmaOperand,
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

/// The known bits of a value.
fn bits(value: Val) -> Option<u64> {
    match value {
        Val::Known(bits) => Some(bits),
        _ => None,
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

    /// A value of each active lane.
    fn each(&mut self, slot: Slot, active: u32, mut f: impl FnMut(&Self, u32) -> Val) {
        let value = Reg::of(|lane| if active >> lane & 1 == 1 { f(self, lane) } else { Val::Unknown });
        self.set(slot, active, value);
    }

    fn two(&mut self, [dst, a, b]: [Slot; 3], active: u32, f: impl Fn(Val, Val, &mut value::Bounds) -> Val) {
        let mut bounds = self.bounds;
        let result = {
            let (a, b) = (self.get(a), self.get(b));
            match (a, b) {
                (Reg::All(a), Reg::All(b)) => Reg::All(f(*a, *b, &mut bounds)),
                (a, b) => Reg::of(|lane| match active >> lane & 1 {
                    1 => f(a.at(lane), b.at(lane), &mut bounds),
                    _ => Val::Unknown,
                }),
            }
        };
        self.bounds = bounds;
        self.set(dst, active, result);
    }

    fn one(&mut self, dst: Slot, a: Slot, active: u32, f: impl Fn(Val, &mut value::Bounds) -> Val) {
        let mut bounds = self.bounds;
        let result = match self.get(a) {
            Reg::All(a) => Reg::All(f(*a, &mut bounds)),
            a => Reg::of(
                |lane| if active >> lane & 1 == 1 { f(a.at(lane), &mut bounds) } else { Val::Unknown },
            ),
        };
        self.bounds = bounds;
        self.set(dst, active, result);
    }

    fn forget(&mut self, op: &Op, active: u32) {
        let mut all = Vec::new();
        slots::set(self.world.kernel, op, |slot| all.push(slot));
        all.into_iter().for_each(|slot| self.set(slot, active, Reg::All(Val::Unknown)));
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
            Op::IntUnary { op, width, at } => {
                for i in 0..at.lanes {
                    self.one(at.dst + i, at.a + i, active, |a, bounds| value::unary(op, width, a, bounds));
                }
            }
            Op::IntTernary { op, width, at } => {
                let mut bounds = self.bounds;
                let of = [self.get(at.a).clone(), self.get(at.b).clone(), self.get(at.c).clone()];
                let mut result = |lane: u32| {
                    value::ternary(op, width, [of[0].at(lane), of[1].at(lane), of[2].at(lane)], &mut bounds)
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
                let of = [at.a, at.b, at.c].map(|slot| bits(walk.get(slot).at(lane)));
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
                        let pick = |lane: u32| match cond.at(lane) {
                            Val::Known(0) => c.at(lane),
                            Val::Known(_) => b.at(lane),
                            _ if b.at(lane) == c.at(lane) => b.at(lane),
                            _ => Val::Unknown,
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
                self.each(dst, active, |walk, lane| match bits(walk.get(index).at(lane)) {
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
            Op::Regroup { dst, src, from, to, lanes } if from == to => {
                for i in 0..lanes {
                    let value = self.get(src + i).clone();
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
                match bits(walk.get(address).at(lane)).and_then(|at| parts(at, 0).ok()) {
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
            Op::Special { dst, special } => self.special(dst, special, active),
            Op::Load { dst, address, access } => return self.load(pc, op, dst, address, access, active),
            Op::Store { address, access, .. } => {
                let access = &kernel.accesses[access as usize];
                if access.strong && !access.order.is_relaxed() {
                    return self.undecided(pc, "a store that releases: threads synchronise through memory");
                }
                self.access(pc, address, access.space, active)?;
            }
            Op::Mbarrier { op: of, address, space } => {
                self.mbarrier(pc, of, address, space, active)?;
                // Only a wait that lasts has an answer that is known.
                match of {
                    MbarrierOp::Wait(wait) => wait.dst.into_iter().for_each(|dst| {
                        self.set(dst, active, Reg::All(Val::Known(1)));
                    }),
                    _ => self.forget(op, active),
                }
            }
            Op::Bulk(ref bulk) => self.bulk(pc, bulk, active)?,
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
            }
            Op::Mma { .. } => {
                self.emit(pc, active, What::Meet);
                self.forget(op, active);
            }
            Op::AsyncCopy { dst, .. } => self.access(pc, dst, SHARED, active)?,
            Op::FenceBarriers
            | Op::FenceProxy { .. }
            | Op::Fence { .. }
            | Op::BulkCommit
            | Op::BulkWait { .. }
            | Op::AsyncCommit
            | Op::AsyncWait { .. } => self.touch(pc, &[], active)?,
            Op::GridDependency { .. } => {}
            Op::Atomic { .. } => {
                return self.undecided(pc, "an atomic access, by which threads may synchronise");
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

    fn special(&mut self, dst: Slot, special: Special, active: u32) {
        let world = self.world;
        let launch = world.launch;
        let (block, cluster, position) = (launch.block, world.cluster, self.position);
        let number = self.number;
        let all = |value: u32| Reg::All(Val::Known(value.into()));
        let each = |f: &dyn Fn(u32) -> u32| Reg::of(|lane| Val::Known(f(lane).into()));
        let value = match special {
            Special::Thread(axis) => each(&|lane| {
                let i = number * 32 + lane;
                [i % block[0], i / block[0] % block[1], i / block[0] / block[1]][axis]
            }),
            Special::Lane => each(&|lane| lane),
            Special::LaneMask(of) => each(&|lane| {
                let before = (1u32 << lane) - 1;
                match of {
                    LaneMask::Lt => before,
                    LaneMask::Le => before | 1 << lane,
                    LaneMask::Eq => 1 << lane,
                    LaneMask::Ge => !before,
                    LaneMask::Gt => !(before | 1 << lane),
                }
            }),
            Special::BlockSize(axis) => all(block[axis]),
            Special::Block(axis) => all(position[axis]),
            Special::GridSize(axis) => all(launch.grid[axis]),
            Special::Warp => all(number),
            Special::WarpSize => all(32),
            Special::DynamicShared => all(launch.dynamic_shared),
            Special::ClusterSize(axis) => all(cluster[axis]),
            Special::ClusterBlocks => all(world.ranks()),
            Special::ClusterBlock(axis) => all(position[axis] % cluster[axis]),
            Special::ClusterRank => all(self.rank),
            Special::Cluster(axis) => all(position[axis] / cluster[axis]),
            Special::Clusters(axis) => all(launch.grid[axis] / cluster[axis]),
            Special::Warps => all(world.warps()),
            Special::Number(number) => all(number),
            Special::ActiveMask
            | Special::Clock
            | Special::Multiprocessor
            | Special::Multiprocessors
            | Special::SharedBytes { .. }
            | Special::HasCluster
            | Special::GridWorkspace { .. } => Reg::All(Val::Unknown),
        };
        self.set(dst, active, value);
    }

    fn collective(&mut self, of: Collective, active: u32) {
        match of {
            Collective::Elect { dst, leader } => {
                let elected = if self.last { 31 - active.leading_zeros() } else { active.trailing_zeros() };
                self.each(dst, active, |_, lane| Val::Known((lane == elected).into()));
                if let Some(leader) = leader {
                    self.set(leader, active, Reg::All(Val::Known(elected.into())));
                }
            }
            Collective::Shuffle { kind, dst, value, offset, clamp, in_range } => {
                let known = |lane| {
                    Some((bits(self.get(offset).at(lane))? as u32, bits(self.get(clamp).at(lane))? as u32))
                };
                let from = self.get(value).clone();
                // The value of a lane that takes part, within the whole warp.
                let source = |lane: u32| {
                    let (offset, clamp) = known(lane)?;
                    let source = match kind {
                        Shuffle::Index if clamp & 0x1f1f == 0x1f => offset & 31,
                        _ => return None,
                    };
                    (active >> source & 1 == 1).then_some(source)
                };
                let same = match &from {
                    Reg::All(value) => Some(*value),
                    Reg::Each(_) => None,
                };
                let sources: Vec<Option<u32>> = (0..32).map(source).collect();
                self.each(dst, active, |_, lane| match (sources[lane as usize], same) {
                    (Some(source), _) => from.at(source),
                    (None, Some(value)) => value,
                    (None, None) => Val::Unknown,
                });
                if let Some(flag) = in_range {
                    self.each(flag, active, |_, lane| {
                        if sources[lane as usize].is_some() { Val::Known(1) } else { Val::Unknown }
                    });
                }
            }
            Collective::Vote { kind, dst, predicate } => {
                let all: Option<u32> = lanes_of(active).try_fold(0, |yes, lane| {
                    Some(yes | u32::from(bits(self.get(predicate).at(lane))? != 0) << lane)
                });
                let value = all.map_or(Val::Unknown, |yes| {
                    use cute_sim::program::Vote;
                    Val::Known(match kind {
                        Vote::All => (yes == active).into(),
                        Vote::Any => (yes != 0).into(),
                        Vote::Uniform => (yes == 0 || yes == active).into(),
                        Vote::Ballot => yes.into(),
                    })
                });
                self.set(dst, active, Reg::All(value));
            }
            Collective::Match { dst, all, .. } => {
                [Some(dst), all]
                    .into_iter()
                    .flatten()
                    .for_each(|slot| self.set(slot, active, Reg::All(Val::Unknown)));
            }
            Collective::Reduce { dst, .. }
            | Collective::ReduceFloat { dst, .. }
            | Collective::Transpose { dst, .. } => self.set(dst, active, Reg::All(Val::Unknown)),
        }
    }

    fn load(
        &mut self,
        pc: u32,
        op: &Op,
        dst: Slot,
        address: Slot,
        access: u32,
        active: u32,
    ) -> Result<(), Stop> {
        let access = &self.world.kernel.accesses[access as usize];
        if access.strong && !access.order.is_relaxed() {
            return self.undecided(pc, "a load that acquires: threads synchronise through memory");
        }
        let places: Option<Vec<_>> = lanes_of(active)
            .map(|lane| {
                let at = bits(self.get(address).at(lane))?;
                parts(at, access.space).ok().map(|parts| (lane, parts))
            })
            .collect();
        let is_constant =
            |places: &Vec<(u32, address::Parts)>| places.iter().all(|(_, of)| of.space == CONSTANT);
        if let Some(places) = places.filter(is_constant) {
            for leaf in &access.leaves {
                let world: &World<'_> = self.world;
                let mut values = [Val::Unknown; 32];
                for (lane, of) in &places {
                    let value = world.constant(of.allocation, of.byte + i64::from(leaf.offset), leaf.bytes);
                    values[*lane as usize] =
                        if leaf.bits < 8 * leaf.bytes { value::truncate(value, leaf.bits) } else { value };
                }
                let first = values[active.trailing_zeros() as usize];
                let same = lanes_of(active).all(|lane| values[lane as usize] == first);
                let value = if same { Reg::All(first) } else { Reg::of(|lane| values[lane as usize]) };
                self.set(dst + leaf.slot, active, value);
            }
            return Ok(());
        }
        self.access(pc, address, access.space, active)?;
        self.forget(op, active);
        // A word of shared memory, such as the address of tensor memory.
        if let ([leaf], SHARED) = (&access.leaves[..], access.space) {
            self.fresh += 1;
            self.set(dst + leaf.slot, active, Reg::All(Val::From(self.fresh, 0)));
        }
        Ok(())
    }

    /// An access of memory: that of shared memory must have a known place.
    fn access(&mut self, pc: u32, address: Slot, space: u32, active: u32) -> Result<(), Stop> {
        if matches!(space, GLOBAL | CONSTANT | LOCAL) {
            return Ok(());
        }
        let mut all = Vec::new();
        for lane in lanes_of(active) {
            let at = match self.get(address).at(lane) {
                Val::Known(at) => at,
                Val::Line(_) => return self.undecided(pc, "an address of shared memory grows with the size"),
                _ => return self.undecided(pc, "the address of an access of shared memory is not known"),
            };
            match parts(at, space) {
                Ok(of) if of.space == SHARED => all.push(i128::from(of.byte)),
                Ok(_) => {}
                Err(_) if space == GENERIC => {}
                Err(_) => all.push(i128::from(at)),
            }
        }
        if !all.is_empty() {
            self.emit(pc, active, What::Touch(all));
        }
        Ok(())
    }

    /// Notes the values that say which shared or tensor memory an operation is about.
    fn touch(&mut self, pc: u32, slots: &[Slot], active: u32) -> Result<(), Stop> {
        let mut all = Vec::new();
        for slot in slots {
            for lane in lanes_of(active) {
                all.push(match self.get(*slot).at(lane) {
                    Val::Known(at) => i128::from(at),
                    Val::From(of, at) if self.period.is_none_or(|before| of <= before) => {
                        i128::from(of) << 64 | i128::from(at as u64) | 1 << 120
                    }
                    Val::Line(_) => {
                        return self.undecided(pc, "a place in shared or tensor memory grows with the size");
                    }
                    _ => return self.undecided(pc, "a place in shared or tensor memory is not known"),
                });
                if let Reg::All(_) = self.get(*slot) {
                    break;
                }
            }
        }
        self.emit(pc, active, What::Touch(all));
        Ok(())
    }

    /// The barrier of a lane.
    fn barrier(&self, pc: u32, at: Val, space: u32) -> Result<u64, Stop> {
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
    fn number(&self, pc: u32, slot: Slot, lane: u32, what: &str) -> Result<u64, Stop> {
        match self.get(slot).at(lane) {
            Val::Known(bits) => Ok(bits),
            Val::Line(_) => self.undecided(pc, format!("{what} grows with the size")),
            _ => self.undecided(pc, format!("{what} is not known")),
        }
    }

    fn mbarrier(
        &mut self,
        pc: u32,
        op: MbarrierOp,
        address: Slot,
        space: u32,
        active: u32,
    ) -> Result<(), Stop> {
        // The lanes of each barrier, in the order of lanes.
        let mut groups: Vec<((u64, u64, u64), u32)> = Vec::new();
        if matches!(op, MbarrierOp::PendingCount { .. }) {
            return self.undecided(pc, "a token of a phase is not followed");
        }
        for lane in lanes_of(active) {
            let at = self.barrier(pc, self.get(address).at(lane), space)?;
            let (first, second) = match op {
                MbarrierOp::Init { count } => {
                    (self.number(pc, count, lane, "the count of the barrier")? as u32, 0)
                }
                MbarrierOp::Expect { bytes, comes: false } => {
                    (self.number(pc, bytes, lane, "the number of bytes")? as u32, 0)
                }
                MbarrierOp::Expect { comes: true, .. } => {
                    return self.undecided(pc, "complete_tx by a thread is not followed");
                }
                MbarrierOp::Arrive(arrival) => {
                    if arrival.drop || !arrival.completes {
                        return self.undecided(pc, "an arrival that drops out, or that completes no phase");
                    }
                    let count =
                        arrival.count.map(|slot| self.number(pc, slot, lane, "the count of the arrival"));
                    let bytes = arrival.expect.map(|slot| self.number(pc, slot, lane, "the number of bytes"));
                    (count.transpose()?.unwrap_or(1) as u32, bytes.transpose()?.unwrap_or(0) as u32)
                }
                MbarrierOp::Follow { increment: true } => {
                    return self.undecided(pc, "cp.async.mbarrier.arrive without .noinc is not followed");
                }
                MbarrierOp::Wait(wait) => match wait.awaited {
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
        for ((barrier, first, second), lanes) in groups {
            let count = lanes.count_ones();
            match op {
                MbarrierOp::Init { .. } => {
                    if self.period.is_some() {
                        return self.undecided(pc, "an mbarrier begins in a loop");
                    }
                    self.emit(pc, lanes, What::Init { barrier, count: first as u32 });
                }
                MbarrierOp::Invalidate => self.emit(pc, lanes, What::Invalidate { barrier }),
                MbarrierOp::Expect { .. } => {
                    self.emit(pc, lanes, What::Expect { barrier, bytes: first as i64 * i64::from(count) });
                }
                MbarrierOp::Arrive(arrival) => {
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
                    self.emit(pc, lanes, What::Arrive { barrier, count, relaxed: arrival.relaxed });
                }
                MbarrierOp::Follow { .. } => self.emit(pc, lanes, What::Follow { barrier, count }),
                MbarrierOp::Wait(wait) => {
                    let lasts = wait.blocking == Blocking::Until
                        || self.world.lasting.get(pc as usize) == Some(&true);
                    if wait.ignored {
                        continue;
                    }
                    if !lasts {
                        return self.undecided(
                            pc,
                            "a test_wait or try_wait whose result decides where the thread goes",
                        );
                    }
                    self.emit(pc, lanes, What::Wait { barrier, parity: first == 1, relaxed: wait.relaxed });
                }
                MbarrierOp::PendingCount { .. } => {}
            }
        }
        Ok(())
    }

    fn block_barrier(
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

    fn bulk(&mut self, pc: u32, bulk: &Bulk, active: u32) -> Result<(), Stop> {
        for lane in lanes_of(active) {
            let one = 1 << lane;
            let shared = self.barrier(pc, self.get(bulk.shared).at(lane), bulk.space).map_err(|_| {
                Stop::Undecided {
                    pc,
                    why: "the place of a copy in shared memory is not known, or grows with the size".into(),
                }
            })?;
            let mut all = vec![i128::from(shared)];
            let bytes = match &bulk.far {
                BulkFar::Global { size, .. } => {
                    self.number(pc, *size, lane, "the number of bytes of the copy")? as u32 as u64
                }
                BulkFar::Shared { size, address } => {
                    all.push(self.number(pc, *address, lane, "the place of the copy")?.into());
                    self.number(pc, *size, lane, "the number of bytes of the copy")? as u32 as u64
                }
                BulkFar::Box { map, space, .. } => {
                    let Val::Known(at) = self.get(*map).at(lane) else {
                        return self.undecided(pc, "the tensor map of the copy is not known");
                    };
                    let of = parts(at, *space).ok().filter(|of| of.space == CONSTANT);
                    let Some(of) = of else {
                        return self.undecided(pc, "the tensor map of the copy is in memory that may change");
                    };
                    let maps = self
                        .world
                        .words(of.allocation, of.byte)
                        .map(|words| TensorMap::from_words(&words).ok());
                    let bytes: Option<Vec<u64>> =
                        maps.map(|map| map.map(|map| map.counted_bytes())).collect();
                    match bytes.as_deref() {
                        Some([first, rest @ ..]) if rest.iter().all(|other| other == first) => *first,
                        _ => return self.undecided(pc, "the box of the tensor map depends on the size"),
                    }
                }
            };
            match bulk.moves {
                BulkMove::Load { barrier, mask, pair, .. } => {
                    let at = self.barrier(pc, self.get(barrier).at(lane), CLUSTER)?;
                    let mask =
                        mask.map(|slot| self.number(pc, slot, lane, "the mask of blocks")).transpose()?;
                    let rank_of = |at: u64| (at >> address::RANK_SHIFT) as u32;
                    let of_rank = |rank: u32| in_block(at, rank.into());
                    let barriers: Vec<u64> = match mask {
                        Some(mask) => lanes_of(mask as u32 & 0xffff)
                            .map(|rank| of_rank(if pair { rank & !1 | rank_of(at) & 1 } else { rank }))
                            .collect(),
                        None => vec![at],
                    };
                    all.extend(barriers.iter().map(|at| i128::from(*at)));
                    self.emit(pc, one, What::Touch(all));
                    for barrier in barriers {
                        self.emit(pc, one, What::Copy { barrier, bytes: bytes as i64 });
                    }
                }
                BulkMove::Store { .. } => self.emit(pc, one, What::Touch(all)),
            }
        }
        Ok(())
    }

    fn tensor(&mut self, pc: u32, op: &Op, of: &TensorOp, active: u32) -> Result<(), Stop> {
        let meets = self.meeting(pc, op, active)?.is_some();
        if meets {
            self.emit(pc, active, What::Meet);
        }
        match of {
            TensorOp::Alloc { to, columns, space, .. } => {
                if self.period.is_some() {
                    return self.undecided(pc, "tensor memory is allocated in a loop");
                }
                self.access(pc, *to, *space, active)?;
                self.touch(pc, &[*columns], active)?;
            }
            TensorOp::Dealloc { columns, .. } => {
                if self.period.is_some() {
                    return self.undecided(pc, "tensor memory is freed in a loop");
                }
                self.touch(pc, &[*columns], active)?;
            }
            TensorOp::Relinquish | TensorOp::Wait { .. } | TensorOp::Fence { .. } => {
                self.touch(pc, &[], active)?
            }
            TensorOp::Load { address, .. } => {
                self.touch(pc, &[*address], active)?;
                self.forget(op, active);
            }
            TensorOp::Store { address, .. } => self.touch(pc, &[*address], active)?,
            TensorOp::Copy { address, source, .. } => self.touch(pc, &[*address, *source], active)?,
            TensorOp::Multiply(mma) => {
                let (TensorOperand::Shared(a) | TensorOperand::Tensor(a)) = mma.a;
                let scales = mma.scales.iter().flat_map(|scales| scales.addresses);
                let all: Vec<Slot> = [mma.d, a, mma.b, mma.instruction].into_iter().chain(scales).collect();
                self.touch(pc, &all, active)?;
            }
            TensorOp::Commit { barrier, space, mask } => {
                for lane in lanes_of(active) {
                    let at = self.barrier(pc, self.get(*barrier).at(lane), *space)?;
                    let mask =
                        mask.map(|slot| self.number(pc, slot, lane, "the mask of blocks")).transpose()?;
                    let barriers: Vec<u64> = match mask {
                        Some(mask) => {
                            lanes_of(mask as u32 & 0xffff).map(|rank| in_block(at, rank.into())).collect()
                        }
                        None => vec![at],
                    };
                    for barrier in barriers {
                        self.emit(pc, 1 << lane, What::Follow { barrier, count: 1 });
                    }
                }
            }
        }
        Ok(())
    }
}
