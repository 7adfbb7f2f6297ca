//! Warp roles, and barriers in shared memory: rings of stages that producers fill and consumers
//! empty.

use cute_algebra::{Crd, Dim, Tuple, Width};
use cute_arch::space::CLUSTER;
use cute_build::types::{self, Space};
use cute_dialect::types::llvm_pointer;
use melior::{
    dialect::llvm::r#type::pointer,
    ir::{Attribute, Type},
};

use crate::{Builder, Built, Value};

/// Runs the body in one lane of a warp. All lanes of the warp must reach it.
pub fn elected<'c>(code: &Builder<'c>, body: impl FnOnce(&Builder<'c>) -> Built<()>) -> Built<()> {
    let one = code.named("one").typed("nvvm.elect.sync", &[], code.integer_type(1), &[])?;
    code.if_then(one, body)
}

/// The warp of a thread, in a form that the compiler recognises as uniform across the warp.
pub fn warp<'c>(code: &Builder<'c>, thread: Value<'c>) -> Built<Value<'c>> {
    let warp = code.named("warp_of").div_unsigned(thread, code.i32(32)?)?;
    code.named("warp").inferred("cute_nvgpu.arch.make_warp_uniform", &[warp], &[])
}

/// Waits at a barrier for some of the block's threads.
pub fn named_barrier<'c>(code: &Builder<'c>, id: Value<'c>, threads: i64) -> Built<()> {
    let barrier = code.op("nvvm.barrier").operands(&[id]).operands(&[code.i32(threads)?]).operands(&[]);
    barrier.segmented().done()
}

/// Arrives at a barrier for some of the block's threads, without waiting.
pub fn named_arrival<'c>(code: &Builder<'c>, id: Value<'c>, threads: i64) -> Built<()> {
    code.effect("nvvm.barrier.arrive", &[id, code.i32(threads)?], &[])
}

/// Makes this thread's earlier writes to shared memory visible to the TMA, and orders its earlier
/// reads before what the TMA writes there.
pub fn fence_for_tma<'c>(code: &Builder<'c>) -> Built<()> {
    let kind = ("kind", code.attribute("#nvvm.proxy_kind<async.shared>")?);
    let space = ("space", code.attribute("#nvvm.shared_space<cta>")?);
    code.effect("nvvm.fence.proxy", &[], &[kind, space])
}

/// A barrier of all lanes of a warp.
pub fn warp_barrier<'c>(code: &Builder<'c>) -> Built<()> {
    code.effect("nvvm.bar.warp.sync", &[code.i32(-1)?], &[])
}

/// Asks the device to cancel a cluster that has not begun. The device writes the response, 16
/// bytes that the barrier counts, to this block, or to the same place in all blocks of the
/// cluster.
pub fn try_cancel<'c>(
    code: &Builder<'c>,
    response: Value<'c>,
    barrier: Value<'c>,
    to_all: bool,
) -> Built<()> {
    let operands = [address(code, response)?, address(code, barrier)?];
    code.op("nvvm.clusterlaunchcontrol.try.cancel").operands(&operands).flag("multicast", to_all).done()
}

/// A field of a response: whether a cluster was cancelled, or the place of its first block.
pub fn query_cancel<'c>(
    code: &Builder<'c>,
    response: Value<'c>,
    field: &str,
    t: Type<'c>,
) -> Built<Value<'c>> {
    let field = ("query_type", code.attribute(&format!("#nvvm<cluster_launch_control_query_type {field}>"))?);
    let op = "nvvm.clusterlaunchcontrol.query.cancel";
    code.typed(op, &[response], t, &[field])
}

/// An address in shared memory in the form that `nvvm` takes.
fn address<'c>(code: &Builder<'c>, barrier: Value<'c>) -> Built<Value<'c>> {
    let t = llvm_pointer(code.context(), Space::Smem);
    code.named("address").typed("builtin.unrealized_conversion_cast", &[barrier], t, &[])
}

/// Waits until the phase of this parity is over.
pub fn wait<'c>(code: &Builder<'c>, barrier: Value<'c>, parity: Value<'c>) -> Built<()> {
    let ticks = code.i32(1)?;
    code.effect("nvvm.mbarrier.try_wait.parity", &[address(code, barrier)?, parity, ticks], &[])
}

/// Arrives at a barrier of the block.
pub fn arrive<'c>(code: &Builder<'c>, barrier: Value<'c>) -> Built<()> {
    code.effect("nvvm.mbarrier.arrive", &[address(code, barrier)?], &[])
}

/// Arrives at the corresponding barrier in another block of the cluster, to release a stage
/// that was read.
pub fn arrive_at<'c>(code: &Builder<'c>, barrier: Value<'c>, block: Value<'c>) -> Built<()> {
    let there = there(code, address(code, barrier)?, block)?;
    code.effect("nvvm.mbarrier.arrive", &[there], &[])
}

/// Arrives at the corresponding barrier in another block of the cluster, whose threads see this
/// thread's earlier writes to their memory once they have waited by [`wait_in_cluster`].
pub fn publish_to<'c>(code: &Builder<'c>, barrier: Value<'c>, block: Value<'c>) -> Built<()> {
    let there = there(code, address(code, barrier)?, block)?;
    code.effect("nvvm.mbarrier.arrive", &[there], &[cluster_scope(code)?])
}

/// Waits until the phase of this parity is over, and sees what blocks of the cluster wrote before
/// they arrived by [`publish_to`].
pub fn wait_in_cluster<'c>(code: &Builder<'c>, barrier: Value<'c>, parity: Value<'c>) -> Built<()> {
    let (barrier, scope) = (address(code, barrier)?, cluster_scope(code)?);
    let waits = |code: &Builder<'c>, _: &[Value<'c>]| {
        let bit = code.integer_type(1);
        let over = code.named("over").typed("nvvm.mbarrier.try_wait", &[barrier, parity], bit, &[scope])?;
        code.named("waits").xor(over, code.truth(true)?)
    };
    code.while_loop(&[], waits, |_, _| Ok(Vec::new())).map(drop)
}

fn cluster_scope<'c>(code: &Builder<'c>) -> Built<(&'static str, Attribute<'c>)> {
    Ok(("scope", code.attribute("#nvvm.mem_scope<cluster>")?))
}

/// The address in another block of the cluster that corresponds to an address in this block.
pub fn there<'c>(code: &Builder<'c>, address: Value<'c>, block: Value<'c>) -> Built<Value<'c>> {
    code.named("there").typed("nvvm.mapa", &[address, block], pointer(code.context(), CLUSTER), &[])
}

/// Waits at the barrier of the cluster. Earlier writes are visible after it if it `publishes`,
/// or if a fence publishes them.
pub fn cluster_barrier<'c>(code: &Builder<'c>, publishes: bool) -> Built<()> {
    cluster_arrival(code, publishes)?;
    cluster_wait(code)
}

/// Arrives at the barrier of the cluster without waiting.
pub fn cluster_arrival<'c>(code: &Builder<'c>, publishes: bool) -> Built<()> {
    let arrive = if publishes { "nvvm.cluster.arrive" } else { "nvvm.cluster.arrive.relaxed" };
    code.effect(arrive, &[], &[("aligned", code.unit())])
}

/// Waits at the barrier of the cluster after an arrival.
pub fn cluster_wait<'c>(code: &Builder<'c>) -> Built<()> {
    code.effect("nvvm.cluster.wait", &[], &[("aligned", code.unit())])
}

/// Allocates or frees tensor memory for a block or a pair of blocks.
pub fn on_tmem<'c>(code: &Builder<'c>, op: &str, operands: &[Value<'c>], ctas: i64) -> Built<()> {
    let name = format!("cute_nvgpu.arch.sm100.{op}");
    code.op(&name).operands(operands).flag("is_two_cta", ctas == 2).done()
}

/// Orders this thread's operations on tensor memory `before` or `after` a synchronisation with
/// others.
pub fn fence_tmem<'c>(code: &Builder<'c>, when: &str) -> Built<()> {
    let kind = ("kind", code.attribute(&format!("#nvvm.tcgen05_fence<{when}>"))?);
    code.effect("nvvm.tcgen05.fence", &[], &[kind])
}

/// Waits until this warp's `load`s from tensor memory, or its `store`s to it, are complete.
pub fn wait_tmem<'c>(code: &Builder<'c>, what: &str) -> Built<()> {
    let kind = ("kind", code.attribute(&format!("#nvvm.tcgen05_wait<{what}>"))?);
    code.effect("nvvm.tcgen05.wait", &[], &[kind])
}

/// Arrives at a barrier once the MMAs that this thread has started are complete. With a
/// `mask`, arrives in each block of it.
pub fn commit<'c>(code: &Builder<'c>, barrier: Value<'c>, mask: Option<Value<'c>>, ctas: i64) -> Built<()> {
    let group = ("group", code.attribute(&format!("#nvvm.cta_group<cta_{ctas}>"))?);
    let operands: Vec<_> = [address(code, barrier)?].into_iter().chain(mask).collect();
    code.effect("nvvm.tcgen05.commit", &operands, &[group])
}

/// Changes the number of registers per thread of a warpgroup: `decrease` or `increase`.
pub fn limit_registers<'c>(code: &Builder<'c>, action: &str, count: i32) -> Built<()> {
    let action = code.attribute(&format!("#nvvm<action {action}>"))?;
    code.op("nvvm.setmaxregister").attribute("regCount", count).attribute("action", action).done()
}

/// The first thread of a warpgroup as a coordinate, in a form that the compiler recognises as
/// such.
pub fn warpgroup_coord<'c>(code: &Builder<'c>, warpgroup: Value<'c>) -> Built<Value<'c>> {
    let warpgroup = code.named("warpgroup").make_int(warpgroup)?;
    let threads = code.named("threads").int_tuple(128)?;
    let first = code.named("first").inferred("cute.tuple_mul", &[warpgroup, threads], &[])?;
    code.named("at").make_coord(Tuple::leaf(Crd::Int(Dim::dynamic(Width::I32, 128))), &[first])
}

/// Arrives, and announces the number of bytes to expect.
pub fn expect<'c>(code: &Builder<'c>, barrier: Value<'c>, bytes: i64) -> Built<()> {
    code.effect("nvvm.mbarrier.arrive.expect_tx", &[address(code, barrier)?, code.i32(bytes)?], &[])
}

/// Sets the number of arrivals that end a phase.
pub fn init_barrier<'c>(code: &Builder<'c>, barrier: Value<'c>, arrivals: i64) -> Built<()> {
    code.effect("nvvm.mbarrier.init", &[address(code, barrier)?, code.i32(arrivals)?], &[])
}

/// The first of some barriers that begin at a byte of shared memory.
pub fn barriers<'c>(code: &Builder<'c>, memory: Value<'c>, byte: i64) -> Built<Value<'c>> {
    code.pointer(memory, byte, types::pointer(code.integer_type(64), Space::Smem).ptr()?)
}

/// Bytes of a barrier.
pub const BARRIER: i64 = 8;

/// A stage, and the current parity of its barriers.
#[derive(Clone, Copy)]
pub struct PipelineState<'c> {
    /// The number of the stage in the ring.
    pub stage: Value<'c>,
    /// The parity of the phase that a wait is for.
    pub phase: Value<'c>,
}

impl<'c> PipelineState<'c> {
    /// The first state. A producer begins in phase 1, which precedes the first phase and counts as
    /// complete: all stages are empty.
    pub fn first(code: &Builder<'c>, producer: bool) -> Built<Self> {
        Ok(Self { stage: code.i32(0)?, phase: code.i32(producer.into())? })
    }

    /// The values that a loop carries.
    pub fn carried(&self) -> [Value<'c>; 2] {
        [self.stage, self.phase]
    }

    /// The state made of the values that a loop carried.
    pub fn of(carried: &[Value<'c>]) -> Self {
        Self { stage: carried[0], phase: carried[1] }
    }
}

/// Stages with two barriers each: `full` signals that a stage holds its bytes, `empty` that its
/// consumers have finished with them.
pub struct Ring<'c> {
    stages: i64,
    full: Value<'c>,
    empty: Value<'c>,
}

impl<'c> Ring<'c> {
    /// The size in bytes of the barriers for a number of stages.
    pub const fn bytes(stages: i64) -> i64 {
        2 * stages * BARRIER
    }

    /// Barriers for a number of stages, from a byte of shared memory on.
    pub fn new(code: &Builder<'c>, memory: Value<'c>, byte: i64, stages: i64) -> Built<Self> {
        let full = barriers(&code.named("full"), memory, byte)?;
        Ok(Self { stages, full, empty: barriers(&code.named("empty"), memory, byte + stages * BARRIER)? })
    }

    /// Sets the arrival counts, by one thread: those that fill a stage, and those that empty it.
    pub fn init(&self, code: &Builder<'c>, fill: i64, release: i64) -> Built<()> {
        let range = [code.i32(0)?, code.i32(self.stages)?, code.i32(1)?];
        code.named("stage").for_range(range, &[], |code, stage, _| {
            let state = PipelineState { stage, phase: stage };
            init_barrier(code, self.full(code, state)?, fill)?;
            init_barrier(code, self.empty(code, state)?, release)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The barrier that signals that a stage is full.
    pub fn full(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<Value<'c>> {
        code.named("full").add_offset(self.full, state.stage)
    }

    /// The barrier that signals that a stage is empty.
    pub fn empty(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<Value<'c>> {
        code.named("empty").add_offset(self.empty, state.stage)
    }

    /// The state `count` stages later.
    pub fn skip(
        &self,
        code: &Builder<'c>,
        state: PipelineState<'c>,
        count: Value<'c>,
    ) -> Built<PipelineState<'c>> {
        let (stages, one) = (code.i32(self.stages)?, code.i32(1)?);
        let sum = code.named("sum").add(state.stage, count)?;
        let wraps = code.named("wraps").div_unsigned(sum, stages)?;
        let odd = code.named("odd").and(wraps, one)?;
        let phase = code.named("phase").xor(state.phase, odd)?;
        Ok(PipelineState { stage: code.named("stage").rem_unsigned(sum, stages)?, phase })
    }

    /// The next state; the parity changes when the ring wraps around.
    pub fn next(&self, code: &Builder<'c>, state: PipelineState<'c>) -> Built<PipelineState<'c>> {
        let one = code.i32(1)?;
        let next = code.named("next").add(state.stage, one)?;
        let wraps = code.named("wraps").is(next, self.stages)?;
        let stage = code.named("stage").select(wraps, code.i32(0)?, next)?;
        let other = code.named("other").xor(state.phase, one)?;
        let phase = code.named("phase").select(wraps, other, state.phase)?;
        Ok(PipelineState { stage, phase })
    }

    /// Waits until all stages are empty, from a state of the producer on.
    pub fn drain(&self, code: &Builder<'c>, from: &[Value<'c>]) -> Built<()> {
        let range = [code.i32(0)?, code.i32(self.stages)?, code.i32(1)?];
        code.named("stage").for_range(range, from, |code, _, state| {
            let state = PipelineState::of(state);
            wait(code, self.empty(code, state)?, state.phase)?;
            Ok(self.next(code, state)?.carried().to_vec())
        })?;
        Ok(())
    }
}
