//! The kernel: one warp loads tiles, one issues MMAs, one allocates tensor memory, and four
//! store.

use cute_algebra::{Layout, MmaOperand, Stride};
use cute_build::{
    IntPredicate,
    atoms::{self, MmaOptions},
    types::{self, Space},
};

use super::{factors::Factors, plan::Plan};
use crate::{
    At, Builder, Built, Value,
    barriers::{self, PipelineState, Ring},
    gemm::{
        cluster::Cluster,
        problem::Arguments,
        producer::Producer,
        raster::{Place, Tiles},
        responses::Responses,
        store::{Epilogue, Registers, part_of},
    },
    tiling::strided,
    tma,
};

/// Warps per block: one loads, one multiplies, one allocates, one is idle, and four store. Each of
/// these four accesses its own quarter of tensor memory.
pub(super) const WARPS: i64 = 8;
const LOADER: i64 = 0;
const MULTIPLIES: i64 = 1;
const ALLOCATES: i64 = 2;
const STORES: i64 = 4;
/// Threads that store.
pub(super) const STORING: i64 = 128;
/// Words between lanes of tensor memory.
const LANE: i64 = 1 << 16;

/// The state of the kernel while it is written.
pub(super) struct Kernel<'a, 'c> {
    plan: &'a Plan,
    code: Builder<'c>,
    arguments: &'a Arguments<'c>,
    tiles: Tiles<'c>,
    cluster: Cluster<'c>,
    warp: Value<'c>,
    thread: Value<'c>,
    memory: Value<'c>,
    /// Stages in shared memory, and tiles in tensor memory.
    stages: Ring<'c>,
    accumulators: Ring<'c>,
    /// Where tiles come from, if the grid has a cluster for each.
    responses: Option<Responses<'c>>,
    epilogue: Epilogue<'a, 'c>,
}

impl<'a, 'c> Kernel<'a, 'c> {
    pub fn new(plan: &'a Plan, code: Builder<'c>, arguments: &'a Arguments<'c>) -> Built<Self> {
        let (tid, memory) = (code.named("tid").register("tid.x")?, code.dynamic_shared_memory()?);
        let warp = barriers::warp(&code, tid)?;
        let thread = code.named("thread").rem_unsigned(tid, code.i32(STORING)?)?;
        let epilogue = Epilogue {
            problem: &plan.problem,
            arguments,
            registers: plan.registers,
            room: plan.room(),
            groups: 1,
            together: [1, 1],
            memory,
            thread,
            warp: code.named("warp_inside").rem_unsigned(warp, code.i32(4)?)?,
        };
        let [stages, accumulators] = plan.barriers();
        let cluster = Cluster::new(&code, plan.problem.cluster, plan.ctas)?;
        let responses =
            plan.responses().map(|byte| Responses::new(&code, memory, byte, cluster)).transpose()?;
        Ok(Self {
            plan,
            arguments,
            tiles: arguments.tiles,
            cluster,
            responses,
            warp,
            thread,
            memory,
            stages: Ring::new(&code, memory, stages, plan.stages)?,
            accumulators: Ring::new(&code, memory, accumulators, plan.tiles)?,
            epilogue,
            code,
        })
    }

    pub fn write(&self) -> Built<()> {
        let code = &self.code;
        let loads = code.named("is_loader").is(self.warp, LOADER)?;
        code.if_then(loads, |code| {
            barriers::elected(code, |code| {
                self.stages.init(code, 1, self.cluster.readers())?;
                self.accumulators.init(code, 1, STORING * self.plan.ctas)?;
                self.epilogue.init(code)?;
                self.responses.iter().try_for_each(|responses| responses.init(code, self.plan.walkers()))?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.arguments.prefetch(code)
        })?;
        if self.plan.ctas == 2 {
            // Both blocks of a pair must run before its tensor memory is allocated.
            barriers::cluster_barrier(code, false)?;
        }
        let address = code.named("address").pointer(
            self.memory,
            self.plan.address(),
            types::pointer(code.i32_type(), Space::Smem).align(8).ptr()?,
        )?;
        let allocates = code.named("allocates").is(self.warp, ALLOCATES)?;
        let columns = code.i32(self.plan.columns())?;
        code.if_then(allocates, |code| {
            barriers::on_tmem(code, "alloc_tmem", &[columns, address], self.plan.ctas)?;
            barriers::on_tmem(code, "relinquish_tmem_alloc_permit", &[], self.plan.ctas)
        })?;
        self.meet(code)?;
        let accumulators = self.tensor_memory(code, address)?;

        let leads = code.named("leads").is(self.cluster.half(code)?, 0)?;
        let multiplies = code.named("multiplies").is(self.warp, MULTIPLIES)?;
        let multiplies = code.named("multiplies").and(multiplies, leads)?;
        let stores = code.named("stores").compare(IntPredicate::Uge, self.warp, code.i32(STORES)?)?;
        let k_tiles = self.plan.problem.k_tiles(code, self.arguments, self.tile())?;
        let memory = [MmaOperand::A, MmaOperand::B]
            .map(|which| self.plan.problem.staged(code, self.memory, which, self.plan.stages));
        let [a, b] = memory;
        let memory = [a?, b?];
        code.if_then(loads, |code| self.load_tiles(code, memory, (k_tiles, leads)))?;
        code.if_then(multiplies, |code| self.multiply(code, memory, k_tiles, accumulators))?;
        code.if_then(stores, |code| self.store(code, accumulators))?;

        // Wait until no thread uses the tensor memory or the shared memory of another block.
        self.meet(code)?;
        let first = code.named("first").slice(accumulators, &[At::All, At::All, At::All, At::Int(0)])?;
        let first = code.named("first").inferred("cute.get_iter", &[first], &[])?;
        code.if_then(allocates, |code| {
            barriers::on_tmem(code, "dealloc_tmem", &[first, columns], self.plan.ctas)
        })
    }

    /// All threads of the cluster, or of a block that is alone, synchronise here and see the
    /// operations on tensor memory.
    fn meet(&self, code: &Builder<'c>) -> Built<()> {
        barriers::fence_tmem(code, "before")?;
        if self.cluster.blocks() > 1 {
            barriers::cluster_barrier(code, true)?;
        } else {
            code.effect("nvvm.barrier0", &[], &[])?;
        }
        barriers::fence_tmem(code, "after")
    }

    /// The rows of A and of B that a block loads, and K.
    fn tile(&self) -> [i64; 3] {
        let [m, n] = self.plan.problem.tile;
        [m, n / self.plan.ctas, self.plan.k]
    }

    /// The accumulators of all tiles in tensor memory, `((rows,columns),1,1,tiles)`.
    fn tensor_memory(&self, code: &Builder<'c>, address: Value<'c>) -> Built<Value<'c>> {
        let ([m, n], accumulator) = (self.plan.problem.tile, self.plan.problem.numbers.accumulator);
        let t = types::pointer(types::element(code.context(), accumulator)?, Space::Tmem).align(16).ptr()?;
        let pointer =
            code.named("tmem").typed("cute_nvgpu.arch.sm100.retrieve_tmem_ptr", &[address], t, &[])?;
        let tile = self.plan.tile_columns();
        let [rows, columns] = match self.plan.registers {
            Registers::Pairs => [strided([16, 4], [LANE, 32 * LANE])?, mode(n, 1)?],
            Registers::Rows => [mode(m, LANE)?, mode(n, 1)?],
            Registers::Halves => [mode(m, LANE)?, strided([tile, 2], [1, m * LANE])?],
        };
        let one = || Layout::unit();
        let accumulators = [Layout::from_modes([rows, columns]), one(), one(), mode(self.plan.tiles, tile)?];
        let layout = code.named("layout").layout(Layout::from_modes(accumulators))?;
        code.named("accumulators").view_of(pointer, layout)
    }

    /// Walks the tiles of the cluster: `carried = body(place, carried)`. One role `asks` for the
    /// next ones.
    fn walk(
        &self,
        code: &Builder<'c>,
        asks: bool,
        carried: &[Value<'c>],
        body: impl FnOnce(&Builder<'c>, Place<'c>, &[Value<'c>]) -> Built<Vec<Value<'c>>>,
    ) -> Built<Vec<Value<'c>>> {
        match &self.responses {
            Some(responses) => responses.walk(code, &self.tiles, asks, carried, body),
            None => self
                .tiles
                .walk(code, (code.i32(0)?, 1), carried, |code, _, at, carried| body(code, at, carried)),
        }
    }

    /// The warp that loads tiles, as far ahead as there are stages. The first block of a pair
    /// counts the bytes of both.
    fn load_tiles(
        &self,
        code: &Builder<'c>,
        memory: [Value<'c>; 2],
        (k_tiles, leads): (Value<'c>, Value<'c>),
    ) -> Built<()> {
        let plan = self.plan;
        let start = PipelineState::first(code, true)?;
        let (arguments, cluster, ring) = (self.arguments, self.cluster, &self.stages);
        let (tile, masks) = (self.tile(), cluster.masks(code)?);
        let producer = Producer { arguments, cluster, masks, ring, tile, memory, k_tiles };
        let half = self.cluster.half(code)?;
        let bytes = plan.ctas * plan.problem.loaded();
        let expect =
            |code: &Builder<'c>, full| barriers::elected(code, |code| barriers::expect(code, full, bytes));
        let end = self.walk(code, true, &start.carried(), |code, at, state| {
            let mut own = self.cluster.own(code, at)?;
            let factors = plan.problem.factor_boxes(code, arguments, own, (self.memory, plan.stages))?;
            if plan.ctas == 2 {
                let first = code.named("first").mul(own.n, code.i32(plan.ctas)?)?;
                own.n = code.named("half").add(first, half)?;
            }
            producer.load(code, (own, &factors), state, |code, full| match plan.ctas {
                2 => code.if_then(leads, |code| expect(code, full)),
                _ => expect(code, full),
            })
        })?;
        // The MMAs release stages of this block, which must not have returned by then.
        self.stages.drain(code, &end)
    }

    /// The MMA with this tile, on this number of blocks, and with these places of scale factors.
    fn mma(
        &self,
        code: &Builder<'c>,
        (tile, ctas): ([i64; 3], i64),
        factors: Option<&Factors<'c>>,
    ) -> Built<Value<'c>> {
        let (context, numbers) = (code.context(), &self.plan.problem.numbers);
        let [a, b] = [0, 1].map(|which| types::element(context, numbers.elements(which)[1]));
        let (a, b, accumulator) = (a?, b?, types::element(context, numbers.accumulator)?);
        let majors = self.plan.problem.majors.into();
        let scale = numbers.scale.map(|scale| (scale.element, scale.vector));
        let options = MmaOptions { majors, num_cta: ctas, scale, ..MmaOptions::default() };
        let atom = atoms::tcgen05_mma(tile, [a, b, accumulator], options)?;
        let tiled = atoms::plain_mma(atom, strided([1; 3], [0; 3])?)?;
        let no = code.named("no").truth(false)?;
        let state = [no; 3].into_iter().chain(factors.into_iter().flat_map(Factors::pointers));
        code.named("mma").tiled_mma(&tiled, &state.collect::<Vec<_>>())
    }

    /// The warp that issues MMAs, in the first block of a pair. One tile of tensor memory is
    /// written while another is stored.
    fn multiply(
        &self,
        code: &Builder<'c>,
        memory: [Value<'c>; 2],
        k_tiles: Value<'c>,
        accumulators: Value<'c>,
    ) -> Built<()> {
        let plan = self.plan;
        let factors = match &plan.problem.scales {
            Some(_) => Some(Factors::new(code, plan, (self.memory, accumulators))?),
            None => None,
        };
        let factors = factors.as_ref();
        let mma = self.mma(code, (plan.mma(), plan.ctas), factors)?;
        // A block's share in shared memory is what it would multiply alone.
        let [m, n, _] = self.tile();
        let own = self.mma(code, ([m, n, plan.problem.numbers.k], 1), factors)?;
        let origin = code.named("origin").fixed_coord("0")?;
        let fragments = [MmaOperand::A, MmaOperand::B].map(|which| {
            let part = code.named("part").mma_partition(own, which, memory[which as usize], origin)?;
            code.named("desc").mma_descriptors(mma, which, part)
        });
        let [a, b] = fragments;
        let (a, b) = (a?, b?);
        let (both, loaders) = (self.cluster.both(code)?, self.cluster.loaders(code)?);
        let carried =
            [PipelineState::first(code, false)?.carried(), PipelineState::first(code, true)?.carried()]
                .concat();
        let end = self.walk(code, false, &carried, |code, at, carried| {
            let tile = PipelineState::of(&carried[2..]);
            let halves = plan.problem.scales.as_ref().filter(|scales| scales.halves);
            let factors = match (factors, halves) {
                (Some(factors), Some(scales)) => {
                    Some(factors.of_tile(code, scales, self.cluster.own(code, at)?.n)?)
                }
                (factors, _) => factors.copied(),
            };
            barriers::wait(code, self.accumulators.empty(code, tile)?, tile.phase)?;
            barriers::fence_tmem(code, "after")?;
            let accumulators = code
                .named("accumulators")
                .slice(accumulators, &[At::All, At::All, At::All, At::Value(tile.stage)])?;
            let range = [code.i32(0)?, k_tiles, code.i32(1)?];
            let state = code.named("k").for_range(range, &carried[..2], |code, k, state| {
                let at = PipelineState::of(state);
                barriers::wait(code, self.stages.full(code, at)?, at.phase)?;
                barriers::fence_tmem(code, "after")?;
                let later = code.named("later").compare(IntPredicate::Ne, k, code.i32(0)?)?;
                let yes = code.named("yes").truth(true)?;
                if let Some(factors) = &factors {
                    factors.copy(code, at)?;
                }
                for block in 0..plan.k / plan.problem.numbers.k {
                    let keeps = if block == 0 { later } else { yes };
                    let mma = code.named("mma").accumulating(mma, keeps)?;
                    let modes = [At::All, At::All, At::Int(block), At::Value(at.stage)];
                    let (a, b) = (code.named("a").slice(a, &modes)?, code.named("b").slice(b, &modes)?);
                    match &factors {
                        Some(factors) => {
                            let [sfa, sfb] = factors.of_block(code, block)?;
                            code.gemm_scaled(mma, [accumulators, a, sfa, b, sfb, accumulators])?;
                        }
                        None => code.gemm(mma, [accumulators, a, b, accumulators])?,
                    }
                }
                barriers::elected(code, |code| {
                    barriers::commit(code, self.stages.empty(code, at)?, loaders, plan.ctas)
                })?;
                Ok(self.stages.next(code, at)?.carried().to_vec())
            })?;
            barriers::elected(code, |code| {
                barriers::commit(code, self.accumulators.full(code, tile)?, both, plan.ctas)
            })?;
            let next = self.accumulators.next(code, tile)?;
            Ok([state, next.carried().to_vec()].concat())
        })?;
        // The storing warps of both blocks release tiles to this block.
        self.accumulators.drain(code, &end[2..])
    }

    /// The warps that store.
    fn store(&self, code: &Builder<'c>, accumulators: Value<'c>) -> Built<()> {
        let plan = self.plan;
        let out = self.epilogue.output(code, code.i32(0)?)?;
        let take = self.take(code, accumulators)?;
        let leader = self.cluster.leader(code)?;
        let carried = [&PipelineState::first(code, false)?.carried()[..], &[code.i32(0)?]].concat();
        self.walk(code, false, &carried, |code, at, carried| {
            let (state, parity) = (PipelineState::of(carried), carried[2]);
            let at = self.cluster.own(code, at)?;
            self.epilogue.begin(code, &out, at)?;
            barriers::wait(code, self.accumulators.full(code, state)?, state.phase)?;
            barriers::fence_tmem(code, "after")?;
            self.epilogue.store_row(code, &out, (at, parity), |code, part| {
                let modes = [At::All, At::All, At::All, part.at(), At::Value(state.stage)];
                let from = code.named("from").slice(take.from, &modes)?;
                code.copy(take.copy, from, take.registers)?;
                barriers::wait_tmem(code, "load")?;
                self.epilogue.at_last(code, part, |code| {
                    // The whole tile is in registers or stored.
                    barriers::fence_tmem(code, "before")?;
                    let empty = self.accumulators.empty(code, state)?;
                    if plan.ctas == 2 {
                        barriers::arrive_at(code, empty, leader)
                    } else {
                        barriers::arrive(code, empty)
                    }
                })?;
                code.named("values").load_vec(take.registers)
            })?;
            let next = self.accumulators.next(code, state)?;
            let other = code.named("other").xor(parity, code.i32(1)?)?;
            Ok(vec![next.stage, next.phase, other])
        })?;
        code.if_then(out.stores, |code| tma::wait_for_stores(code, 0))
    }

    /// How a thread reads one part of a tile of tensor memory.
    fn take(&self, code: &Builder<'c>, accumulators: Value<'c>) -> Built<Take<'c>> {
        let numbers = &self.plan.problem.numbers;
        let (tile, columns, accumulator) = (self.plan.tile_columns(), numbers.columns(), numbers.accumulator);
        let first = code.named("first").inferred("cute.get_iter", &[accumulators], &[])?;
        let accumulator = types::element(code.context(), accumulator)?;
        // The shape of a load: lanes, bits of each, and repetitions.
        let (rows, (lanes, bits, repeats)) = match self.plan.registers {
            Registers::Rows | Registers::Halves => (mode(128, LANE)?, (32, 32, columns)),
            Registers::Pairs => (strided([16, 4], [LANE, 32 * LANE])?, (16, 256, columns / 8)),
        };
        let across = strided([columns, tile / columns, self.plan.tiles], [1, columns, tile])?;
        let parts = [rows, across.mode(0)?, across.mode(1)?, across.mode(2)?];
        let parts = code.named("layout").layout(Layout::from_modes(parts))?;
        let parts = code.named("parts").view_of(first, parts)?;
        let one = code.named("one").slice(parts, &[At::All, At::All, At::Int(0), At::Int(0)])?;
        let atom = code.named("load").atom(atoms::tmem_load(accumulator, [lanes, bits, repeats])?)?;
        let copy = code.named("take").inferred("cute_nvgpu.atom.make_tmem_copy", &[atom, one], &[])?;
        let from = code.named("from").partition_s(copy, parts, code.index(self.thread)?)?;
        let values = if lanes == 32 { columns } else { columns / 2 };
        let registers = part_of(strided([values, 1], [1, 0])?);
        let registers = types::pointer(accumulator, Space::Rmem).align(16).memref(registers)?;
        let registers = code.named("taken").alloca(registers)?;
        Ok(Take { copy, from, registers })
    }
}

/// A read of tensor memory by a thread.
struct Take<'c> {
    copy: Value<'c>,
    /// The thread's elements of all parts of all tiles.
    from: Value<'c>,
    registers: Value<'c>,
}

/// A mode of rows, columns or tiles.
fn mode(extent: i64, stride: i64) -> Built<Layout<i64>> {
    Ok(Layout::scalar(extent, Stride::int(stride))?)
}
