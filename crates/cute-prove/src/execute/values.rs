//! Values of registers, lane by lane.

use crate::{
    registers::Reg,
    slots,
    value::{self, Val, either},
    walk::Walk,
};
use cute_sim::program::{LaneSide, Op, Slot, Special};

impl Walk<'_> {
    /// A value of each active lane.
    pub(super) fn each(&mut self, slot: Slot, active: u32, mut f: impl FnMut(&Self, u32) -> Val) {
        let value = Reg::of(|lane| if active >> lane & 1 == 1 { f(self, lane) } else { Val::Unknown });
        self.set(slot, active, value);
    }

    pub(super) fn two(
        &mut self,
        [dst, a, b]: [Slot; 3],
        active: u32,
        f: impl Fn(Val, Val, &mut value::Bounds) -> Val,
    ) {
        let mut bounds = self.bounds;
        let result = {
            let (a, b) = (self.get(a), self.get(b));
            match (a, b) {
                (Reg::All(a), Reg::All(b)) => Reg::All(either([*a, *b], |[a, b]| f(a, b, &mut bounds))),
                (a, b) => Reg::of(|lane| match active >> lane & 1 {
                    1 => either([a.at(lane), b.at(lane)], |[a, b]| f(a, b, &mut bounds)),
                    _ => Val::Unknown,
                }),
            }
        };
        self.bounds = bounds;
        self.set(dst, active, result);
    }

    pub(super) fn one(
        &mut self,
        dst: Slot,
        a: Slot,
        active: u32,
        f: impl Fn(Val, &mut value::Bounds) -> Val,
    ) {
        let mut bounds = self.bounds;
        let result = match self.get(a) {
            Reg::All(a) => Reg::All(either([*a], |[a]| f(a, &mut bounds))),
            a => Reg::of(|lane| match active >> lane & 1 {
                1 => either([a.at(lane)], |[a]| f(a, &mut bounds)),
                _ => Val::Unknown,
            }),
        };
        self.bounds = bounds;
        self.set(dst, active, result);
    }

    pub(super) fn forget(&mut self, op: &Op, active: u32) {
        let mut all = Vec::new();
        slots::set(self.world.kernel, op, |slot| all.push(slot));
        all.into_iter().for_each(|slot| self.set(slot, active, Reg::All(Val::Unknown)));
    }

    pub(super) fn special(&mut self, dst: Slot, special: Special, active: u32) {
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
            Special::LaneSide(of) => each(&|lane| {
                let before = (1u32 << lane) - 1;
                match of {
                    LaneSide::Lt => before,
                    LaneSide::Le => before | 1 << lane,
                    LaneSide::Eq => 1 << lane,
                    LaneSide::Ge => !before,
                    LaneSide::Gt => !(before | 1 << lane),
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
}
