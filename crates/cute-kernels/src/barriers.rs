//! Warp roles, and barriers in shared memory: rings of stages that producers fill and consumers
//! empty.

use cute_ffi::predicate::IntPredicate;

use crate::code::{Code, Ssa, Written};

impl<'c> Code<'c> {
    /// Runs the body in one lane of a warp. All lanes of the warp must reach it.
    pub fn elected(&self, body: impl FnOnce(&Self) -> Written<()>) -> Written<()> {
        let one = self.typed(("one", "nvvm.elect.sync"), &[], self.parse_type("i1")?, &[])?;
        self.when(one, body)
    }

    /// The warp of a thread, in a form that the compiler recognises as uniform across the warp.
    pub fn warp(&self, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        let warp = self.binary(("warp_of", "arith.divui"), thread, self.i32(32)?)?;
        self.op(("warp", "cute_nvgpu.arch.make_warp_uniform"), &[warp], &[])
    }

    /// Compares two integers for equality.
    pub fn is(&self, name: &str, a: Ssa<'c>, b: i64) -> Written<Ssa<'c>> {
        self.compare(name, IntPredicate::Eq, a, self.i32(b)?)
    }

    /// Waits at a barrier for some of the block's threads.
    pub fn named_barrier(&self, id: Ssa<'c>, threads: i64) -> Written<()> {
        let sizes = self.attribute("array<i32: 1, 1, 0>")?;
        self.effect("nvvm.barrier", &[id, self.i32(threads)?], &[("operandSegmentSizes", sizes)])
    }

    /// Arrives at a barrier for some of the block's threads, without waiting.
    pub fn named_arrival(&self, id: Ssa<'c>, threads: i64) -> Written<()> {
        self.effect("nvvm.barrier.arrive", &[id, self.i32(threads)?], &[])
    }

    /// Makes this thread's earlier writes to shared memory visible to the TMA.
    pub fn fence_for_tma(&self) -> Written<()> {
        let kind = ("kind", self.attribute("#nvvm.proxy_kind<async.shared>")?);
        let space = ("space", self.attribute("#nvvm.shared_space<cta>")?);
        self.effect("nvvm.fence.proxy", &[], &[kind, space])
    }

    /// A barrier of all lanes of a warp.
    pub fn warp_barrier(&self) -> Written<()> {
        self.effect("nvvm.bar.warp.sync", &[self.i32(-1)?], &[])
    }

    /// Asks the device to cancel a cluster that has not begun. The device writes the answer, 16
    /// bytes that the barrier counts, to this block, or to the same place in all blocks of the
    /// cluster.
    pub fn try_cancel(&self, answer: Ssa<'c>, barrier: Ssa<'c>, to_all: bool) -> Written<()> {
        let to_all = if to_all { vec![("multicast", self.attribute("unit")?)] } else { Vec::new() };
        let operands = [self.address(answer)?, self.address(barrier)?];
        self.effect("nvvm.clusterlaunchcontrol.try.cancel", &operands, &to_all)
    }

    /// A field of an answer: whether a cluster was cancelled, or the place of its first block.
    pub fn query_cancel(&self, name: &str, answer: Ssa<'c>, field: &str, t: &str) -> Written<Ssa<'c>> {
        let field =
            ("query_type", self.attribute(&format!("#nvvm<cluster_launch_control_query_type {field}>"))?);
        let op = "nvvm.clusterlaunchcontrol.query.cancel";
        self.typed((name, op), &[answer], self.parse_type(t)?, &[field])
    }

    /// An address in shared memory in the form that `nvvm` takes.
    fn address(&self, barrier: Ssa<'c>) -> Written<Ssa<'c>> {
        let t = self.parse_type("!llvm.ptr<3>")?;
        self.typed(("address", "builtin.unrealized_conversion_cast"), &[barrier], t, &[])
    }

    /// Waits until the phase of this parity is over.
    pub fn wait(&self, barrier: Ssa<'c>, parity: Ssa<'c>) -> Written<()> {
        let ticks = self.i32(1)?;
        self.effect("nvvm.mbarrier.try_wait.parity", &[self.address(barrier)?, parity, ticks], &[])
    }

    /// Arrives at a barrier of the block.
    pub fn arrive(&self, barrier: Ssa<'c>) -> Written<()> {
        self.effect("nvvm.mbarrier.arrive", &[self.address(barrier)?], &[])
    }

    /// Arrives at the corresponding barrier in another block of the cluster, to release a stage
    /// that was read.
    pub fn arrive_at(&self, barrier: Ssa<'c>, block: Ssa<'c>) -> Written<()> {
        let t = self.parse_type("!llvm.ptr<7>")?;
        let there = self.typed(("there", "nvvm.mapa"), &[self.address(barrier)?, block], t, &[])?;
        self.effect("nvvm.mbarrier.arrive", &[there], &[])
    }

    /// Waits at the barrier of the cluster. Earlier writes are visible after it if it `publishes`,
    /// or if a fence publishes them.
    pub fn cluster_barrier(&self, publishes: bool) -> Written<()> {
        let aligned = || Ok::<_, crate::code::Refused>([("aligned", self.attribute("unit")?)]);
        let arrive = if publishes { "nvvm.cluster.arrive" } else { "nvvm.cluster.arrive.relaxed" };
        self.effect(arrive, &[], &aligned()?)?;
        self.effect("nvvm.cluster.wait", &[], &aligned()?)
    }

    /// Allocates or frees tensor memory for a block or a pair of blocks.
    pub fn on_tmem(&self, op: &str, operands: &[Ssa<'c>], ctas: i64) -> Written<()> {
        let pair = ("is_two_cta", self.attribute("unit")?);
        let attributes: &[_] = if ctas == 2 { &[pair] } else { &[] };
        self.effect(&format!("cute_nvgpu.arch.sm100.{op}"), operands, attributes)
    }

    /// Orders this thread's operations on tensor memory `before` or `after` a synchronisation with
    /// others.
    pub fn fence_tmem(&self, when: &str) -> Written<()> {
        let kind = ("kind", self.attribute(&format!("#nvvm.tcgen05_fence<{when}>"))?);
        self.effect("nvvm.tcgen05.fence", &[], &[kind])
    }

    /// Waits until this warp's `load`s from tensor memory, or its `store`s to it, are complete.
    pub fn wait_tmem(&self, what: &str) -> Written<()> {
        let kind = ("kind", self.attribute(&format!("#nvvm.tcgen05_wait<{what}>"))?);
        self.effect("nvvm.tcgen05.wait", &[], &[kind])
    }

    /// Arrives at a barrier once the products that this thread has started are complete. With a
    /// `mask`, arrives in each block of it.
    pub fn commit(&self, barrier: Ssa<'c>, mask: Option<Ssa<'c>>, ctas: i64) -> Written<()> {
        let group = ("group", self.attribute(&format!("#nvvm.cta_group<cta_{ctas}>"))?);
        let operands: Vec<_> = [self.address(barrier)?].into_iter().chain(mask).collect();
        self.effect("nvvm.tcgen05.commit", &operands, &[group])
    }

    /// Changes the number of registers per thread of a warpgroup: `decrease` or `increase`.
    pub fn limit_registers(&self, action: &str, count: i64) -> Written<()> {
        let action = ("action", self.attribute(&format!("#nvvm<action {action}>"))?);
        self.effect(
            "nvvm.setmaxregister",
            &[],
            &[("regCount", self.attribute(&format!("{count} : i32"))?), action],
        )
    }

    /// The first thread of a warpgroup as a coordinate, in a form that the compiler recognises as
    /// such.
    pub fn warpgroup_coord(&self, warpgroup: Ssa<'c>) -> Written<Ssa<'c>> {
        let t = self.parse_type("!cute.int_tuple<\"?\">")?;
        let warpgroup = self.typed(("warpgroup", "cute.make_int_tuple"), &[warpgroup], t, &[])?;
        let threads = self.fixed("threads", "!cute.int_tuple<\"128\">")?;
        let first = self.op(("first", "cute.tuple_mul"), &[warpgroup, threads], &[])?;
        self.typed(("at", "cute.make_coord"), &[first], self.parse_type("!cute.coord<\"?{div=128}\">")?, &[])
    }

    /// Arrives, and announces the number of bytes to expect.
    pub fn expect(&self, barrier: Ssa<'c>, bytes: i64) -> Written<()> {
        self.effect("nvvm.mbarrier.arrive.expect_tx", &[self.address(barrier)?, self.i32(bytes)?], &[])
    }

    /// Sets the number of arrivals that end a phase.
    pub fn init_barrier(&self, barrier: Ssa<'c>, arrivals: i64) -> Written<()> {
        self.effect("nvvm.mbarrier.init", &[self.address(barrier)?, self.i32(arrivals)?], &[])
    }

    /// The first of some barriers that begin at a byte of shared memory.
    pub fn barriers(&self, name: &str, memory: Ssa<'c>, byte: i64) -> Written<Ssa<'c>> {
        self.recast(name, memory, byte, "!cute.ptr<i64, smem, align<8>>")
    }

    /// Shared memory from a byte on, as a pointer of a type.
    pub fn recast(&self, name: &str, memory: Ssa<'c>, byte: i64, t: &str) -> Written<Ssa<'c>> {
        let offset = self.fixed("offset", &format!("!cute.int_tuple<\"{byte}\">"))?;
        let memory = self.op(("memory", "cute.add_offset"), &[memory, offset], &[])?;
        self.typed((name, "cute.recast_iter"), &[memory], self.parse_type(t)?, &[])
    }

    /// One of several barriers.
    pub fn barrier_at(&self, name: &str, first: Ssa<'c>, index: Ssa<'c>) -> Written<Ssa<'c>> {
        let t = self.parse_type("!cute.int_tuple<\"?\">")?;
        let at = self.typed(("at", "cute.make_int_tuple"), &[index], t, &[])?;
        self.op((name, "cute.add_offset"), &[first, at], &[])
    }
}

/// Bytes of a barrier.
pub const BARRIER: i64 = 8;

/// A stage, and the current parity of its barriers.
#[derive(Clone, Copy)]
pub struct Turn<'c> {
    /// The stage.
    pub stage: Ssa<'c>,
    /// The parity.
    pub phase: Ssa<'c>,
}

impl<'c> Turn<'c> {
    /// The first turn. A producer begins in phase 1, which precedes the first phase and counts as
    /// complete: all stages are empty.
    pub fn first(code: &Code<'c>, producer: bool) -> Written<Self> {
        Ok(Self { stage: code.i32(0)?, phase: code.i32(producer.into())? })
    }

    /// The values that a loop carries.
    pub fn carried(&self) -> [Ssa<'c>; 2] {
        [self.stage, self.phase]
    }

    /// The turn made of the values that a loop carried.
    pub fn of(carried: &[Ssa<'c>]) -> Self {
        Self { stage: carried[0], phase: carried[1] }
    }
}

/// Stages with two barriers each: `full` signals that a stage holds its bytes, `empty` that its
/// consumers have finished with them.
pub struct Ring<'c> {
    stages: i64,
    full: Ssa<'c>,
    empty: Ssa<'c>,
}

impl<'c> Ring<'c> {
    /// The size in bytes of the barriers for a number of stages.
    pub const fn bytes(stages: i64) -> i64 {
        2 * stages * BARRIER
    }

    /// Barriers for a number of stages, from a byte of shared memory on.
    pub fn new(code: &Code<'c>, memory: Ssa<'c>, byte: i64, stages: i64) -> Written<Self> {
        let full = code.barriers("full", memory, byte)?;
        Ok(Self { stages, full, empty: code.barriers("empty", memory, byte + stages * BARRIER)? })
    }

    /// Sets the arrival counts, by one thread: those that fill a stage, and those that empty it.
    pub fn init(&self, code: &Code<'c>, fill: i64, release: i64) -> Written<()> {
        let range = [code.i32(0)?, code.i32(self.stages)?, code.i32(1)?];
        code.repeat("stage", range, &[], |code, stage, _| {
            let turn = Turn { stage, phase: stage };
            code.init_barrier(self.full(code, turn)?, fill)?;
            code.init_barrier(self.empty(code, turn)?, release)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The barrier that signals that a stage is full.
    pub fn full(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Ssa<'c>> {
        code.barrier_at("full", self.full, turn.stage)
    }

    /// The barrier that signals that a stage is empty.
    pub fn empty(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Ssa<'c>> {
        code.barrier_at("empty", self.empty, turn.stage)
    }

    /// The turn `count` stages later.
    pub fn skip(&self, code: &Code<'c>, turn: Turn<'c>, count: Ssa<'c>) -> Written<Turn<'c>> {
        let (stages, one) = (code.i32(self.stages)?, code.i32(1)?);
        let sum = code.binary(("sum", "arith.addi"), turn.stage, count)?;
        let turns = code.binary(("turns", "arith.divui"), sum, stages)?;
        let odd = code.binary(("odd", "arith.andi"), turns, one)?;
        let phase = code.binary(("phase", "arith.xori"), turn.phase, odd)?;
        Ok(Turn { stage: code.binary(("stage", "arith.remui"), sum, stages)?, phase })
    }

    /// The next turn; the parity changes when the ring wraps around.
    pub fn next(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Turn<'c>> {
        let one = code.i32(1)?;
        let next = code.binary(("next", "arith.addi"), turn.stage, one)?;
        let wraps = code.is("wraps", next, self.stages)?;
        let stage = code.op(("stage", "arith.select"), &[wraps, code.i32(0)?, next], &[])?;
        let other = code.binary(("other", "arith.xori"), turn.phase, one)?;
        let phase = code.op(("phase", "arith.select"), &[wraps, other, turn.phase], &[])?;
        Ok(Turn { stage, phase })
    }
}
