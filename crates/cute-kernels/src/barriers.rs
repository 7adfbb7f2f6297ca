//! Warp roles and barriers in shared memory: rings of stages that producers fill and consumers empty.

use cute_ffi::predicate::IntPredicate;

use crate::code::{Code, Ssa, Written};

impl<'c> Code<'c> {
    /// By one lane of a warp, all of whose lanes come here.
    pub fn elected(&self, body: impl FnOnce(&Self) -> Written<()>) -> Written<()> {
        let one = self.typed(("one", "nvvm.elect.sync"), &[], self.parse_type("i1")?, &[])?;
        self.when(one, body)
    }

    /// The warp of a thread, the same in all its lanes as far as the compiler can tell.
    pub fn warp(&self, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        let warp = self.binary(("warp_of", "arith.divui"), thread, self.i32(32)?)?;
        self.op(("warp", "cute_nvgpu.arch.make_warp_uniform"), &[warp], &[])
    }

    /// Whether two integers are equal.
    pub fn is(&self, name: &str, a: Ssa<'c>, b: i64) -> Written<Ssa<'c>> {
        self.compare(name, IntPredicate::Eq, a, self.i32(b)?)
    }

    /// A barrier of some of the block's threads.
    pub fn named_barrier(&self, id: Ssa<'c>, threads: i64) -> Written<()> {
        let sizes = self.attribute("array<i32: 1, 1, 0>")?;
        self.effect("nvvm.barrier", &[id, self.i32(threads)?], &[("operandSegmentSizes", sizes)])
    }

    /// Arrives at a barrier of some of the block's threads, which others wait at.
    pub fn named_arrival(&self, id: Ssa<'c>, threads: i64) -> Written<()> {
        self.effect("nvvm.barrier.arrive", &[id, self.i32(threads)?], &[])
    }

    /// Makes this thread's earlier writes to shared memory visible to the TMA.
    pub fn fence_for_tma(&self) -> Written<()> {
        let kind = ("kind", self.attribute("#nvvm.proxy_kind<async.shared>")?);
        let space = ("space", self.attribute("#nvvm.shared_space<cta>")?);
        self.effect("nvvm.fence.proxy", &[], &[kind, space])
    }

    /// An mbarrier's address as `nvvm` takes it.
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

    /// Arrives at the barrier of the same place in a block of the cluster, to hand back what was read.
    pub fn arrive_at(&self, barrier: Ssa<'c>, block: Ssa<'c>) -> Written<()> {
        let t = self.parse_type("!llvm.ptr<7>")?;
        let there = self.typed(("there", "nvvm.mapa"), &[self.address(barrier)?, block], t, &[])?;
        self.effect("nvvm.mbarrier.arrive", &[there], &[])
    }

    /// A barrier of the cluster; what was written before it is seen behind it where it `publishes`, or where a fence says so.
    pub fn cluster_barrier(&self, publishes: bool) -> Written<()> {
        let aligned = || Ok::<_, crate::code::Refused>([("aligned", self.attribute("unit")?)]);
        let arrive = if publishes { "nvvm.cluster.arrive" } else { "nvvm.cluster.arrive.relaxed" };
        self.effect(arrive, &[], &aligned()?)?;
        self.effect("nvvm.cluster.wait", &[], &aligned()?)
    }

    /// Allocates tensor memory, or gives it back, for a block or a pair of them.
    pub fn on_tmem(&self, op: &str, operands: &[Ssa<'c>], ctas: i64) -> Written<()> {
        let pair = ("is_two_cta", self.attribute("unit")?);
        let attributes: &[_] = if ctas == 2 { &[pair] } else { &[] };
        self.effect(&format!("cute_nvgpu.arch.sm100.{op}"), operands, attributes)
    }

    /// Orders what this thread asks of tensor memory `before` or `after` a synchronisation with others.
    pub fn fence_tmem(&self, when: &str) -> Written<()> {
        let kind = ("kind", self.attribute(&format!("#nvvm.tcgen05_fence<{when}>"))?);
        self.effect("nvvm.tcgen05.fence", &[], &[kind])
    }

    /// Waits until the `load`s from tensor memory, or `store`s to it, of this warp are over.
    pub fn wait_tmem(&self, what: &str) -> Written<()> {
        let kind = ("kind", self.attribute(&format!("#nvvm.tcgen05_wait<{what}>"))?);
        self.effect("nvvm.tcgen05.wait", &[], &[kind])
    }

    /// Arrives at a barrier when the products that this thread has started are over; in each block of `mask` where there is one.
    pub fn commit(&self, barrier: Ssa<'c>, mask: Option<Ssa<'c>>, ctas: i64) -> Written<()> {
        let group = ("group", self.attribute(&format!("#nvvm.cta_group<cta_{ctas}>"))?);
        let operands: Vec<_> = [self.address(barrier)?].into_iter().chain(mask).collect();
        self.effect("nvvm.tcgen05.commit", &operands, &[group])
    }

    /// Changes how many registers the threads of a warpgroup have: `decrease` or `increase`.
    pub fn limit_registers(&self, action: &str, count: i64) -> Written<()> {
        let action = ("action", self.attribute(&format!("#nvvm<action {action}>"))?);
        self.effect(
            "nvvm.setmaxregister",
            &[],
            &[("regCount", self.attribute(&format!("{count} : i32"))?), action],
        )
    }

    /// The first thread of a warpgroup as a coordinate, which the compiler knows to be one.
    pub fn warpgroup_coord(&self, warpgroup: Ssa<'c>) -> Written<Ssa<'c>> {
        let t = self.parse_type("!cute.int_tuple<\"?\">")?;
        let warpgroup = self.typed(("warpgroup", "cute.make_int_tuple"), &[warpgroup], t, &[])?;
        let threads = self.fixed("threads", "!cute.int_tuple<\"128\">")?;
        let first = self.op(("first", "cute.tuple_mul"), &[warpgroup, threads], &[])?;
        self.typed(("at", "cute.make_coord"), &[first], self.parse_type("!cute.coord<\"?{div=128}\">")?, &[])
    }

    /// Arrives, and says how many bytes will come.
    pub fn expect(&self, barrier: Ssa<'c>, bytes: i64) -> Written<()> {
        self.effect("nvvm.mbarrier.arrive.expect_tx", &[self.address(barrier)?, self.i32(bytes)?], &[])
    }

    /// Sets how many arrivals end a phase.
    pub fn init_barrier(&self, barrier: Ssa<'c>, arrivals: i64) -> Written<()> {
        self.effect("nvvm.mbarrier.init", &[self.address(barrier)?, self.i32(arrivals)?], &[])
    }

    /// The first of some barriers from a byte of shared memory on.
    pub fn barriers(&self, name: &str, memory: Ssa<'c>, byte: i64) -> Written<Ssa<'c>> {
        self.recast(name, memory, byte, "!cute.ptr<i64, smem, align<8>>")
    }

    /// Shared memory from a byte on as a pointer of a type.
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

/// A stage, and the parity of the phase that its barriers are in.
#[derive(Clone, Copy)]
pub struct Turn<'c> {
    /// The stage.
    pub stage: Ssa<'c>,
    /// The parity.
    pub phase: Ssa<'c>,
}

impl<'c> Turn<'c> {
    /// The first one. A producer begins in phase 1, the one before the first, which counts as over: all stages are empty.
    pub fn first(code: &Code<'c>, producer: bool) -> Written<Self> {
        Ok(Self { stage: code.i32(0)?, phase: code.i32(producer.into())? })
    }

    /// The values that a loop carries.
    pub fn carried(&self) -> [Ssa<'c>; 2] {
        [self.stage, self.phase]
    }

    /// The turn of the values that a loop carried.
    pub fn of(carried: &[Ssa<'c>]) -> Self {
        Self { stage: carried[0], phase: carried[1] }
    }
}

/// Stages with two barriers each: `full` says that a stage has its bytes, `empty` that its consumers need them no more.
pub struct Ring<'c> {
    stages: i64,
    full: Ssa<'c>,
    empty: Ssa<'c>,
}

impl<'c> Ring<'c> {
    /// Bytes of the barriers of so many stages.
    pub const fn bytes(stages: i64) -> i64 {
        2 * stages * BARRIER
    }

    /// Barriers for so many stages, from a byte of shared memory on.
    pub fn new(code: &Code<'c>, memory: Ssa<'c>, byte: i64, stages: i64) -> Written<Self> {
        let full = code.barriers("full", memory, byte)?;
        Ok(Self { stages, full, empty: code.barriers("empty", memory, byte + stages * BARRIER)? })
    }

    /// Sets the counts, by one thread: arrivals that fill a stage, and that empty it.
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

    /// The barrier that a stage is filled by.
    pub fn full(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Ssa<'c>> {
        code.barrier_at("full", self.full, turn.stage)
    }

    /// The barrier that a stage is emptied by.
    pub fn empty(&self, code: &Code<'c>, turn: Turn<'c>) -> Written<Ssa<'c>> {
        code.barrier_at("empty", self.empty, turn.stage)
    }

    /// The stage so many stages later.
    pub fn skip(&self, code: &Code<'c>, turn: Turn<'c>, count: Ssa<'c>) -> Written<Turn<'c>> {
        let (stages, one) = (code.i32(self.stages)?, code.i32(1)?);
        let sum = code.binary(("sum", "arith.addi"), turn.stage, count)?;
        let turns = code.binary(("turns", "arith.divui"), sum, stages)?;
        let odd = code.binary(("odd", "arith.andi"), turns, one)?;
        let phase = code.binary(("phase", "arith.xori"), turn.phase, odd)?;
        Ok(Turn { stage: code.binary(("stage", "arith.remui"), sum, stages)?, phase })
    }

    /// The next stage; the parity changes where the ring begins anew.
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
