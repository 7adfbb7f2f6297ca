//! The GEMM with `mma.sync` whose tiles the TMA loads: one warp issues the loads, the others
//! multiply, and the TMA stores D.
//!
//! ```text
//! gmem --TMA, stages ahead--> smem --ldmatrix--> registers --MMA--> accumulators --> smem --TMA--> gmem
//! ```
//!
//! M, N and K may be any extents of the matrices: outside of A and B the TMA loads zeros, which add
//! nothing, and it stores nothing outside of D. So there are no predicates.

use cute_algebra::MmaOperand;
use cute_arch::{Element, atoms::Major};
use cute_build::{
    atoms::{self, CopyAtom, TiledMma},
    types,
};
use melior::{Context, ir::Module};

use super::{accumulators, fragments::Fragment, pipeline::operand_projection, plan::equal_extents};
use crate::{
    At, Builder, Built, Error, Value,
    barriers::{self, BARRIER, PipelineState, Ring},
    launch::{self, LaunchedKernel, Prepared},
    tiling::matrix,
    tma::{self, Loads, SharedTile, TileBoxes},
};

/// Atoms, tiles and numbers.
pub(super) struct TmaPlan<'c> {
    pub name: &'static str,
    pub tile: [i64; 3],
    pub stages: i64,
    /// Threads that multiply; one more warp loads tiles.
    pub consumers: i64,
    pub elem: Element,
    pub accumulator: Element,
    /// K of an MMA.
    pub k: i64,
    pub majors: [Major; 2],
    /// The tiled MMA.
    pub mma: TiledMma<'c>,
    /// The atoms that copy from shared memory to registers.
    pub load: [CopyAtom<'c>; 2],
    /// The tiles of A and B, and of C and D.
    pub shared: [SharedTile; 2],
    pub out_tile: SharedTile,
}

impl<'c> TmaPlan<'c> {
    fn stage(&self) -> i64 {
        self.shared.iter().map(SharedTile::bytes).sum()
    }

    /// Bytes of the stages. D is stored through the same memory after the main loop.
    fn tiles(&self) -> i64 {
        (self.stages * self.stage()).max(self.out_tile.bytes())
    }

    /// Bytes of the barriers after some stages: theirs, and one for C.
    pub const fn barriers(stages: i64) -> i64 {
        Ring::bytes(stages) + BARRIER
    }

    /// Bytes of dynamic shared memory.
    fn memory(&self) -> i64 {
        self.tiles() + Self::barriers(self.stages)
    }

    /// The kernel and its host function.
    pub fn module(self, context: &'c Context) -> Result<Module<'c>, Error> {
        let [a, b] = self.majors.map(|major| matrix(context, self.elem, (major, 16), false));
        let accumulators = matrix(context, self.accumulator, (Major::K, 16), false)?;
        let number = types::element(context, self.accumulator)?;
        let parameters = [
            ("A", a?),
            ("B", b?),
            ("C", accumulators),
            ("D", accumulators),
            ("alpha", number),
            ("beta", number),
        ];
        let launched = LaunchedKernel {
            name: self.name,
            parameters: &parameters,
            threads: self.consumers as i32 + 32,
            shared: self.memory(),
            cluster: None,
            equal: &equal_extents(&parameters.map(|(name, _)| name), false),
        };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.prepare(code, arguments),
            |code, arguments| Kernel::new(&self, *code, arguments)?.write(),
        )?)
    }

    /// On the host: a descriptor for each matrix, and a block for each tile of D.
    fn prepare<'m>(&self, code: &Builder<'m>, arguments: &[Value<'m>]) -> Built<Prepared<'m>> {
        let [a, b, c, d, alpha, beta, ..] = *arguments else {
            return code.fail("the host function has the parameters of the plan");
        };
        let [load_a, coords_a] = self.shared[0].describe_load(code, "loadA", a, Loads::ALONE)?;
        let [load_b, coords_b] = self.shared[1].describe_load(code, "loadB", b, Loads::ALONE)?;
        let [load_c, coords_c] = self.out_tile.describe_load(code, "loadC", c, Loads::ALONE)?;
        let [store_d, coords_d] = self.out_tile.describe_store(code, "storeD", d)?;
        let [m, n, _] = self.tile;
        let tile = code.named("tile").tile([m, n])?;
        let blocks = code.named("blocks").inferred("cute.zipped_divide", &[d, tile], &[])?;
        let grid =
            [code.named("m").size(blocks, &[1, 0])?, code.named("n").size(blocks, &[1, 1])?, code.i32(1)?];
        let arguments = vec![
            ("loadA", load_a),
            ("A", coords_a),
            ("loadB", load_b),
            ("B", coords_b),
            ("loadC", load_c),
            ("C", coords_c),
            ("storeD", store_d),
            ("D", coords_d),
            ("alpha", alpha),
            ("beta", beta),
        ];
        Ok(Prepared { arguments, grid })
    }
}

/// The kernel while it is written.
struct Kernel<'a, 'c> {
    plan: &'a TmaPlan<'c>,
    code: Builder<'c>,
    /// Descriptors of A, B, C and D, and the tensors of their coordinates.
    descriptors: [[Value<'c>; 2]; 4],
    /// Alpha and beta.
    scales: [Value<'c>; 2],
    block: [At<'c>; 2],
    warp: Value<'c>,
    thread: Value<'c>,
    memory: Value<'c>,
    ring: Ring<'c>,
    /// The atom that loads the tile of C.
    old: Value<'c>,
}

impl<'a, 'c> Kernel<'a, 'c> {
    fn new(plan: &'a TmaPlan<'c>, code: Builder<'c>, arguments: &[Value<'c>]) -> Built<Self> {
        let [a, ca, b, cb, c, cc, d, cd, alpha, beta] = *arguments else {
            return code.fail("the kernel has the arguments of the launch");
        };
        let (thread, memory) = (code.named("tid").register("tid.x")?, code.dynamic_shared_memory()?);
        Ok(Self {
            plan,
            descriptors: [[a, ca], [b, cb], [c, cc], [d, cd]],
            scales: [alpha, beta],
            block: [
                At::Value(code.named("block_m").register("ctaid.x")?),
                At::Value(code.named("block_n").register("ctaid.y")?),
            ],
            warp: barriers::warp(&code, thread)?,
            thread: code.index(thread)?,
            memory,
            ring: Ring::new(&code, memory, plan.tiles(), plan.stages)?,
            old: barriers::barriers(&code.named("old"), memory, plan.tiles() + Ring::bytes(plan.stages))?,
            code,
        })
    }

    fn write(&self) -> Built<()> {
        let (code, plan) = (&self.code, self.plan);
        let first = code.named("is_first").is(self.warp, 0)?;
        code.if_then(first, |code| {
            barriers::elected(code, |code| {
                self.ring.init(code, 1, plan.consumers)?;
                barriers::init_barrier(code, self.old, 1)?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.descriptors.iter().try_for_each(|[atom, _]| TileBoxes::prefetch(code, *atom))
        })?;
        code.effect("nvvm.barrier0", &[], &[])?;

        let behind_a = plan.shared[0].bytes() * plan.stages;
        let a = self.operand(MmaOperand::A, 0)?;
        let b = self.operand(MmaOperand::B, behind_a)?;
        let tiles = code.named("tiles").size(a.boxes.tensor, &[1])?;
        let producer = code.named("is_producer").is(self.warp, plan.consumers / 32)?;
        code.if_else(
            producer,
            |code| self.load_tiles(code, [&a, &b], tiles),
            |code| self.multiply(code, [&a, &b], tiles, first),
        )
    }

    /// A matrix: its stages in shared memory, and its tiles as boxes.
    fn operand(&self, which: MmaOperand, byte: i64) -> Built<Operand<'c>> {
        let (code, x) = (&self.code, which as usize);
        let name = |prefix: &str| format!("{prefix}{which}");
        let t = self.plan.shared[x].view(code.context(), Some(self.plan.stages))?;
        let stages = code.named(&name("s")).view(self.memory, byte, t)?;
        let [atom, coords] = self.descriptors[x];
        let [m, n] = self.block;
        let tiles = code.named(&name("c")).local_tile(
            coords,
            self.plan.tile,
            &[m, n, At::All],
            Some(operand_projection(which)),
        )?;
        Ok(Operand { which, stages, boxes: TileBoxes::new(code, &name("boxes"), atom, stages, tiles)? })
    }

    /// The warp that loads tiles, as far ahead as there are stages.
    fn load_tiles(&self, code: &Builder<'c>, operands: [&Operand<'c>; 2], tiles: Value<'c>) -> Built<()> {
        let range = [code.i32(0)?, tiles, code.i32(1)?];
        code.named("k").for_range(
            range,
            &PipelineState::first(code, true)?.carried(),
            |code, k, state| {
                let state = PipelineState::of(state);
                barriers::wait(code, self.ring.empty(code, state)?, state.phase)?;
                let full = self.ring.full(code, state)?;
                barriers::elected(code, |code| barriers::expect(code, full, self.plan.stage()))?;
                for operand in operands {
                    operand.boxes.load(code, Some([k, state.stage]), full, None)?;
                }
                Ok(self.ring.next(code, state)?.carried().to_vec())
            },
        )?;
        Ok(())
    }

    /// The warps that multiply.
    fn multiply(
        &self,
        code: &Builder<'c>,
        operands: [&Operand<'c>; 2],
        tiles: Value<'c>,
        first: Value<'c>,
    ) -> Built<()> {
        let plan = self.plan;
        let mma = code.named("mma").tiled_mma(&plan.mma, &[])?;
        let [m, n, k] = plan.tile;
        let accumulators = accumulators::zeroed(code, mma, [m, n])?;
        let [a, b] = operands;
        let fragment = |operand: &Operand<'c>| {
            let atom = &plan.load[operand.which as usize];
            Fragment::new(code, (mma, operand.which), atom, operand.stages, self.thread)
        };
        let (a, b) = (fragment(a)?, fragment(b)?);
        let range = [code.i32(0)?, tiles, code.i32(1)?];
        code.named("k").for_range(
            range,
            &PipelineState::first(code, false)?.carried(),
            |code, _, state| {
                let state = PipelineState::of(state);
                barriers::wait(code, self.ring.full(code, state)?, state.phase)?;
                let load = |block| [&a, &b].into_iter().try_for_each(|r| r.load(code, block, state.stage));
                let blocks = k / plan.k;
                for block in 0..blocks {
                    load(block)?;
                    if block + 1 == blocks {
                        // Once the tile is in registers, the stage is no longer needed.
                        barriers::fence_for_tma(code)?;
                        barriers::arrive(code, self.ring.empty(code, state)?)?;
                    }
                    let (a, b) = (a.block(code, block)?, b.block(code, block)?);
                    code.gemm(mma, [accumulators, a, b, accumulators])?;
                }
                Ok(self.ring.next(code, state)?.carried().to_vec())
            },
        )?;
        self.store(code, mma, accumulators, first)
    }

    /// Stores D through the memory of the stages, which are no longer in use. If beta needs C, it
    /// is loaded through the same memory before.
    fn store(
        &self,
        code: &Builder<'c>,
        mma: Value<'c>,
        accumulators: Value<'c>,
        first: Value<'c>,
    ) -> Built<()> {
        let plan = self.plan;
        let [.., c, d] = self.descriptors;
        let tile = code.named("sD").view(self.memory, 0, plan.out_tile.view(code.context(), None)?)?;
        let own = code.named("own").mma_partition(mma, MmaOperand::C, tile, self.thread)?;
        let accumulator = types::element(code.context(), plan.accumulator)?;
        let pair = code.named("pair").atom(atoms::universal_copy(accumulator, 64)?)?;
        let [m, n] = self.block;
        let boxes = |code: &Builder<'c>, [atom, coords]: [Value<'c>; 2]| {
            let at = code.named("tile").local_tile(coords, plan.tile, &[m, n, At::All], Some("(1,1,_)"))?;
            TileBoxes::new(code, "boxes", atom, tile, at)
        };
        let meet = code.i32(1)?;
        barriers::named_barrier(code, meet, plan.consumers)?;
        let wants_c = accumulators::nonzero(code, self.scales[1])?;
        code.if_then(wants_c, |code| {
            code.if_then(first, |code| {
                barriers::elected(code, |code| barriers::expect(code, self.old, plan.out_tile.bytes()))?;
                boxes(code, c)?.load(code, None, self.old, None)
            })?;
            barriers::wait(code, self.old, code.i32(0)?)
        })?;
        // A few columns at a time: the accumulators and all of C together do not fit into the
        // registers.
        for column in 0..code.extent(accumulators, 2)? {
            let part = |name, of| code.named(name).slice(of, &[At::All, At::All, At::Int(column)]);
            let (accumulators, own) = (part("made", accumulators)?, part("own", own)?);
            accumulators::scale(code, accumulators, self.scales[0])?;
            code.if_then(wants_c, |code| {
                accumulators::add(code, accumulators, self.scales[1], |code, old| code.copy(pair, own, old))
            })?;
            code.copy(pair, accumulators, own)?;
        }
        barriers::fence_for_tma(code)?;
        barriers::named_barrier(code, meet, plan.consumers)?;
        code.if_then(first, |code| {
            boxes(code, d)?.store(code)?;
            tma::commit_stores(code)?;
            // Shared memory outlives what reads it.
            tma::wait_for_stores(code, 0)
        })
    }
}

/// A matrix in shared memory.
struct Operand<'c> {
    which: MmaOperand,
    /// `(rows,k,stages)`.
    stages: Value<'c>,
    boxes: TileBoxes<'c>,
}
