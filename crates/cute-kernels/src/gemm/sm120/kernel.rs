//! The kernel: one warp loads tiles, and warpgroups multiply and store them.

use cute_algebra::MmaOperand;
use cute_build::IntPredicate;

use super::{multiply::Operands, plan::Plan};
use crate::{
    Builder, Built, Value,
    barriers::{self, PipelineState, Ring},
    gemm::{
        cluster::Cluster,
        problem::Arguments,
        producer::Producer,
        raster::Tiles,
        shares::GROUP,
        store::{Epilogue, Registers},
    },
    tma,
};

/// Warps of a warpgroup.
const WARPS: i64 = GROUP / cute_arch::WARP as i64;

/// The state of the kernel while it is written.
pub(super) struct Kernel<'a, 'c> {
    plan: &'a Plan,
    code: Builder<'c>,
    arguments: &'a Arguments<'c>,
    tiles: Tiles<'c>,
    warp: Value<'c>,
    /// The thread of the block.
    thread: Value<'c>,
    memory: Value<'c>,
    ring: Ring<'c>,
    epilogue: Epilogue<'a, 'c>,
}

impl<'a, 'c> Kernel<'a, 'c> {
    pub fn new(plan: &'a Plan, code: Builder<'c>, arguments: &'a Arguments<'c>) -> Built<Self> {
        let (thread, memory) = (code.named("tid").register("tid.x")?, code.dynamic_shared_memory()?);
        let warp = barriers::warp(&code, thread)?;
        let epilogue = Epilogue {
            problem: &plan.problem,
            arguments,
            registers: Registers::Pairs,
            room: plan.room(),
            groups: plan.all_groups(),
            together: plan.groups,
            memory,
            thread: code.named("thread").rem_unsigned(thread, code.i32(GROUP)?)?,
            warp: code.named("warp_inside").rem_unsigned(warp, code.i32(WARPS)?)?,
        };
        Ok(Self {
            plan,
            arguments,
            tiles: arguments.tiles,
            warp,
            thread,
            memory,
            ring: Ring::new(&code, memory, plan.barriers(), plan.stages)?,
            epilogue,
            code,
        })
    }

    pub fn write(&self) -> Built<()> {
        let (code, plan) = (&self.code, self.plan);
        let consumers = WARPS * plan.all_groups();
        let first = code.named("is_first").is(self.warp, 0)?;
        code.if_then(first, |code| {
            barriers::elected(code, |code| {
                self.ring.init(code, 1, consumers)?;
                self.epilogue.init(code)?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.arguments.prefetch(code)
        })?;
        code.effect("nvvm.barrier0", &[], &[])?;
        let stages = [MmaOperand::A, MmaOperand::B]
            .map(|which| plan.problem.staged(code, self.memory, which, plan.stages));
        let [a, b] = stages;
        let stages = [a?, b?];
        let k_tiles = plan.problem.k_tiles(code, self.arguments, plan.tile())?;
        let producer =
            code.named("is_producer").compare(IntPredicate::Uge, self.warp, code.i32(consumers)?)?;
        code.if_else(
            producer,
            |code| {
                plan.registers.shrink(code)?;
                let loads = code.named("loads").is(self.warp, consumers)?;
                code.if_then(loads, |code| self.load(code, stages, k_tiles))
            },
            |code| {
                plan.registers.grow(code)?;
                self.multiply(code, stages, k_tiles)
            },
        )
    }

    /// The warp that loads tiles.
    fn load(&self, code: &Builder<'c>, memory: [Value<'c>; 2], k_tiles: Value<'c>) -> Built<()> {
        let plan = self.plan;
        let (arguments, ring, tile) = (self.arguments, &self.ring, plan.tile());
        let cluster = Cluster::new(code, plan.problem.cluster, 1)?;
        let masks = cluster.masks(code)?;
        let producer = Producer { arguments, cluster, masks, ring, tile, memory, k_tiles };
        let start = PipelineState::first(code, true)?;
        self.tiles.walk(code, (code.i32(0)?, 1), &start.carried(), |code, _, at, state| {
            let factors = plan.problem.factor_boxes(code, arguments, at, (self.memory, plan.stages))?;
            producer.load(code, (at, &factors), state, |code, full| {
                barriers::elected(code, |code| barriers::expect(code, full, plan.problem.loaded()))
            })
        })?;
        Ok(())
    }

    /// The warps that multiply, and then store.
    fn multiply(&self, code: &Builder<'c>, stages: [Value<'c>; 2], k_tiles: Value<'c>) -> Built<()> {
        let operands = Operands::new(code, self.plan, &self.ring, (self.memory, stages), self.thread)?;
        let group = code.named("group").div_unsigned(self.warp, code.i32(WARPS)?)?;
        let out = self.epilogue.output(code, group)?;
        let start = PipelineState::first(code, false)?;
        // The last value selects which of the two phases of the slots' barriers a tile begins with.
        let carried = [&start.carried()[..], &[code.i32(0)?]].concat();
        self.tiles.walk(code, (code.i32(0)?, 1), &carried, |code, _, at, carried| {
            let parity = carried[2];
            self.epilogue.begin(code, &out, at)?;
            let end = operands.multiply_all(code, k_tiles, &carried[..2])?;
            self.epilogue.store(code, &out, (at, parity), |code, part| operands.part(code, part))?;
            let other = code.named("other").xor(parity, code.i32(1)?)?;
            Ok(vec![end[0], end[1], other])
        })?;
        code.if_then(out.stores, |code| tma::wait_for_stores(code, 0))
    }
}
