//! The kernel: one warp loads tiles, one starts products, one allocates tensor memory, and four
//! store.

use cute_algebra::MmaOperand;
use cute_arch::atoms::Major;
use cute_ffi::predicate::IntPredicate;

use super::plan::{Plan, TILES};
use crate::{
    barriers::{Ring, Turn},
    code::{At, Code, Ssa, Written},
    gemm::{
        answers::Answers,
        cluster::Cluster,
        pipeline::factor_projection,
        problem::Arguments,
        raster::{Place, Tiles},
        store::{Epilogue, Registers},
    },
    tma::Boxes,
};

/// Warps per block: one loads, one multiplies, one allocates, one is idle, and four store. Each of
/// these four accesses its own quarter of tensor memory.
pub(super) const WARPS: i64 = 8;
const BRINGS: i64 = 0;
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
    code: Code<'c>,
    arguments: &'a Arguments<'c>,
    tiles: Tiles<'c>,
    cluster: Cluster<'c>,
    warp: Ssa<'c>,
    thread: Ssa<'c>,
    memory: Ssa<'c>,
    /// Stages in shared memory, and tiles in tensor memory.
    stages: Ring<'c>,
    sums: Ring<'c>,
    /// Where tiles come from, if the grid has a cluster for each.
    answers: Option<Answers<'c>>,
    epilogue: Epilogue<'a, 'c>,
}

impl<'a, 'c> Kernel<'a, 'c> {
    pub fn new(plan: &'a Plan, code: Code<'c>, arguments: &'a Arguments<'c>) -> Written<Self> {
        let (tid, memory) = (code.register("tid", "tid.x")?, code.dynamic_memory()?);
        let warp = code.warp(tid)?;
        let thread = code.binary(("thread", "arith.remui"), tid, code.i32(STORING)?)?;
        let epilogue = Epilogue {
            problem: &plan.problem,
            arguments,
            registers: plan.registers,
            room: plan.room(),
            groups: 1,
            together: 1,
            memory,
            thread,
            warp: code.binary(("warp_inside", "arith.remui"), warp, code.i32(4)?)?,
        };
        let [stages, sums] = plan.barriers();
        let cluster = Cluster::new(&code, plan.problem.cluster, plan.ctas)?;
        let answers = plan.answers().map(|byte| Answers::new(&code, memory, byte, cluster)).transpose()?;
        Ok(Self {
            plan,
            arguments,
            tiles: arguments.tiles,
            cluster,
            answers,
            warp,
            thread,
            memory,
            stages: Ring::new(&code, memory, stages, plan.stages)?,
            sums: Ring::new(&code, memory, sums, TILES)?,
            epilogue,
            code,
        })
    }

    pub fn write(&self) -> Written<()> {
        let code = &self.code;
        let brings = code.is("brings", self.warp, BRINGS)?;
        code.when(brings, |code| {
            code.elected(|code| {
                self.stages.init(code, 1, self.cluster.readers())?;
                self.sums.init(code, 1, STORING * self.plan.ctas)?;
                self.epilogue.init(code)?;
                self.answers.iter().try_for_each(|answers| answers.init(code, self.plan.walkers()))?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.arguments.prefetch(code)
        })?;
        if self.plan.ctas == 2 {
            // Both blocks of a pair must run before its tensor memory is allocated.
            code.cluster_barrier(false)?;
        }
        let address =
            code.recast("address", self.memory, self.plan.address(), "!cute.ptr<i32, smem, align<8>>")?;
        let allocates = code.is("allocates", self.warp, ALLOCATES)?;
        let columns = code.i32(self.plan.columns())?;
        code.when(allocates, |code| {
            code.on_tmem("alloc_tmem", &[columns, address], self.plan.ctas)?;
            code.on_tmem("relinquish_tmem_alloc_permit", &[], self.plan.ctas)
        })?;
        self.meet(code)?;
        let sums = self.tensor_memory(code, address)?;

        let leads = code.is("leads", self.cluster.half(code)?, 0)?;
        let multiplies = code.is("multiplies", self.warp, MULTIPLIES)?;
        let multiplies = code.binary(("multiplies", "arith.andi"), multiplies, leads)?;
        let stores = code.compare("stores", IntPredicate::Uge, self.warp, code.i32(STORES)?)?;
        let k_tiles = self.k_tiles(code)?;
        let memory = [MmaOperand::A, MmaOperand::B].map(|which| self.shared(which));
        let [a, b] = memory;
        let memory = [a?, b?];
        code.when(brings, |code| self.bring(code, memory, (k_tiles, leads)))?;
        code.when(multiplies, |code| self.multiply(code, memory, k_tiles, sums))?;
        code.when(stores, |code| self.store(code, sums))?;

        // Wait until no thread uses the tensor memory or the shared memory of another block.
        self.meet(code)?;
        let first = code.slice("first", sums, &[At::All, At::All, At::All, At::Int(0)])?;
        let first = code.op(("first", "cute.get_iter"), &[first], &[])?;
        code.when(allocates, |code| code.on_tmem("dealloc_tmem", &[first, columns], self.plan.ctas))
    }

    /// All threads of the cluster, or of a block that is alone, synchronise here and see the
    /// operations on tensor memory.
    fn meet(&self, code: &Code<'c>) -> Written<()> {
        code.fence_tmem("before")?;
        if self.cluster.blocks() > 1 {
            code.cluster_barrier(true)?;
        } else {
            code.effect("nvvm.barrier0", &[], &[])?;
        }
        code.fence_tmem("after")
    }

    /// The number of tiles along K.
    fn k_tiles(&self, code: &Code<'c>) -> Written<Ssa<'c>> {
        let a = self.arguments.descriptors[0][1];
        let batched = self.plan.problem.batch;
        let a = if batched { code.slice("first", a, &[At::All, At::All, At::Int(0)])? } else { a };
        let tile = self.tile();
        let a = code.local_tile("kA", a, tile, &[At::Int(0), At::Int(0), At::All], "(1,_,1)")?;
        code.size("k_tiles", a, 2)
    }

    /// The rows of A and of B that a block loads, and K.
    fn tile(&self) -> [i64; 3] {
        let [m, n] = self.plan.problem.tile;
        [m, n / self.plan.ctas, self.plan.k]
    }

    /// A matrix in shared memory, `(rows,k,stages)`.
    fn shared(&self, which: MmaOperand) -> Written<Ssa<'c>> {
        let (plan, x) = (self.plan, which as usize);
        let byte = if x == 0 { 0 } else { plan.problem.shared[0].bytes() * plan.stages };
        let t = self.code.parse_type(&plan.problem.shared[x].view(Some(plan.stages)))?;
        self.code.view(&format!("s{which}"), self.memory, byte, t)
    }

    /// The sums of all tiles in tensor memory, `((rows,columns),1,1,tiles)`.
    fn tensor_memory(&self, code: &Code<'c>, address: Ssa<'c>) -> Written<Ssa<'c>> {
        let ([m, n], sum) = (self.plan.problem.tile, self.plan.problem.numbers.sum);
        let t = code.parse_type(&format!("!cute.ptr<{sum}, tmem, align<16>>"))?;
        let pointer = code.typed(("tmem", "cute_nvgpu.arch.sm100.retrieve_tmem_ptr"), &[address], t, &[])?;
        let tile = self.plan.tile_columns();
        let layout = match self.plan.registers {
            Registers::Pairs => format!("(((16,4),{n}),1,1,{TILES}):((({LANE},{}),1),0,0,{tile})", 32 * LANE),
            Registers::Rows => format!("(({m},{n}),1,1,{TILES}):(({LANE},1),0,0,{tile})"),
            Registers::Halves => {
                format!("(({m},({tile},2)),1,1,{TILES}):(({LANE},(1,{})),0,0,{tile})", m * LANE)
            }
        };
        let layout = format!("!cute.layout<\"{layout}\">");
        code.view_of("sums", pointer, code.fixed("layout", &layout)?)
    }

    /// Walks the tiles of the cluster: `carried = body(place, carried)`. One role `asks` for the
    /// next ones.
    fn walk(
        &self,
        code: &Code<'c>,
        asks: bool,
        carried: &[Ssa<'c>],
        body: impl FnOnce(&Code<'c>, Place<'c>, &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        match &self.answers {
            Some(answers) => answers.walk(code, &self.tiles, asks, carried, body),
            None => self
                .tiles
                .walk(code, (code.i32(0)?, 1), carried, |code, _, at, carried| body(code, at, carried)),
        }
    }

    /// The warp that loads tiles, as far ahead as there are stages. The first block of a pair
    /// counts the bytes of both.
    fn bring(
        &self,
        code: &Code<'c>,
        memory: [Ssa<'c>; 2],
        (k_tiles, leads): (Ssa<'c>, Ssa<'c>),
    ) -> Written<()> {
        let plan = self.plan;
        let start = Turn::first(code, true)?;
        let masks = [self.cluster.mask(code, 0)?, self.cluster.mask(code, 1)?];
        let half = self.cluster.half(code)?;
        let bytes = plan.ctas * plan.problem.stage();
        let end = self.walk(code, true, &start.carried(), |code, at, turn| {
            let mut own = self.cluster.own(code, at)?;
            if plan.ctas == 2 {
                let first = code.binary(("first", "arith.muli"), own.n, code.i32(plan.ctas)?)?;
                own.n = code.binary(("half", "arith.addi"), first, half)?;
            }
            let [a, b] = [MmaOperand::A, MmaOperand::B].map(|which| {
                let x = which as usize;
                let [atom, coords] = self.arguments.descriptors[x];
                let coords = own.matrix(code, coords)?;
                let at = [At::Value(own.m), At::Value(own.n), At::All];
                let tiles = code.local_tile("tiles", coords, self.tile(), &at, factor_projection(which))?;
                Boxes::shared(code, "boxes", (atom, self.cluster.shares(code, x)?), memory[x], tiles)
            });
            let (a, b) = (a?, b?);
            let range = [code.i32(0)?, k_tiles, code.i32(1)?];
            code.repeat("k", range, turn, |code, k, turn| {
                let turn = Turn::of(turn);
                code.wait(self.stages.empty(code, turn)?, turn.phase)?;
                let full = self.stages.full(code, turn)?;
                if plan.ctas == 2 {
                    code.when(leads, |code| code.elected(|code| code.expect(full, bytes)))?;
                } else {
                    code.elected(|code| code.expect(full, bytes))?;
                }
                for (boxes, mask) in [(a, masks[0]), (b, masks[1])] {
                    boxes.load(code, Some([k, turn.stage]), full, mask)?;
                }
                Ok(self.stages.next(code, turn)?.carried().to_vec())
            })
        })?;
        // The products release stages of this block, which must not have returned by then.
        self.drain(code, &self.stages, plan.stages, &end)
    }

    /// Waits until all stages of a ring are empty.
    fn drain(&self, code: &Code<'c>, ring: &Ring<'c>, stages: i64, from: &[Ssa<'c>]) -> Written<()> {
        let range = [code.i32(0)?, code.i32(stages)?, code.i32(1)?];
        code.repeat("stage", range, from, |code, _, turn| {
            let turn = Turn::of(turn);
            code.wait(ring.empty(code, turn)?, turn.phase)?;
            Ok(ring.next(code, turn)?.carried().to_vec())
        })?;
        Ok(())
    }

    /// The MMA with this tile, on this number of blocks.
    fn mma(&self, code: &Code<'c>, [m, n, k]: [i64; 3], ctas: i64) -> Written<Ssa<'c>> {
        let numbers = &self.plan.problem.numbers;
        let major = |i: usize| if self.plan.problem.majors[i] == Major::Mn { "mn" } else { "k" };
        let atom = format!(
            "!cute_nvgpu.sm100.mma<{m}x{n}x{k}, num_cta = {ctas}, ab_major = ({}, {}), elem_type = ({}, {}, {}), frag_kind = ss, c_scale_exp = 0>",
            major(0),
            major(1),
            numbers.factor,
            numbers.factor,
            numbers.sum
        );
        let no = code.number("no", code.parse_type("i1")?, 0)?;
        let tiled = format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>");
        let atom = code.typed(("atom", "cute.make_atom"), &[no; 3], code.parse_type(&atom)?, &[])?;
        code.typed(("mma", "cute.make_tiled_mma"), &[atom], code.parse_type(&tiled)?, &[])
    }

    /// The warp that starts products, in the first block of a pair. One tile of tensor memory is
    /// written while another is stored.
    fn multiply(
        &self,
        code: &Code<'c>,
        memory: [Ssa<'c>; 2],
        k_tiles: Ssa<'c>,
        sums: Ssa<'c>,
    ) -> Written<()> {
        let plan = self.plan;
        let mma = self.mma(code, plan.mma(), plan.ctas)?;
        // A block's share in shared memory is what it would multiply alone.
        let [m, n, _] = self.tile();
        let own = self.mma(code, [m, n, plan.problem.numbers.k], 1)?;
        let origin = code.fixed("origin", "!cute.coord<\"0\">")?;
        let fragments = [MmaOperand::A, MmaOperand::B].map(|which| {
            let part = code.mma_partition("part", own, which, memory[which as usize], origin)?;
            code.mma_descriptors("desc", mma, which, part)
        });
        let [a, b] = fragments;
        let (a, b) = (a?, b?);
        let (both, bringers) = (self.cluster.both(code)?, self.cluster.bringers(code)?);
        let carried = [Turn::first(code, false)?.carried(), Turn::first(code, true)?.carried()].concat();
        let end = self.walk(code, false, &carried, |code, _, carried| {
            let tile = Turn::of(&carried[2..]);
            code.wait(self.sums.empty(code, tile)?, tile.phase)?;
            code.fence_tmem("after")?;
            let sums = code.slice("sums", sums, &[At::All, At::All, At::All, At::Value(tile.stage)])?;
            let range = [code.i32(0)?, k_tiles, code.i32(1)?];
            let turn = code.repeat("k", range, &carried[..2], |code, k, turn| {
                let turn = Turn::of(turn);
                code.wait(self.stages.full(code, turn)?, turn.phase)?;
                code.fence_tmem("after")?;
                let later = code.compare("later", IntPredicate::Ne, k, code.i32(0)?)?;
                let yes = code.number("yes", code.parse_type("i1")?, 1)?;
                let field = code.attribute("#cute_nvgpu.atom_mma_field_sm100<accum_c>")?;
                for block in 0..plan.k / plan.problem.numbers.k {
                    let keeps = if block == 0 { later } else { yes };
                    let mma =
                        code.op(("mma", "cute_nvgpu.atom.set_value"), &[mma, keeps], &[("field", field)])?;
                    let modes = [At::All, At::All, At::Int(block), At::Value(turn.stage)];
                    let (a, b) = (code.slice("a", a, &modes)?, code.slice("b", b, &modes)?);
                    code.effect("cute.gemm", &[mma, sums, a, b, sums], &[])?;
                }
                code.elected(|code| code.commit(self.stages.empty(code, turn)?, bringers, plan.ctas))?;
                Ok(self.stages.next(code, turn)?.carried().to_vec())
            })?;
            code.elected(|code| code.commit(self.sums.full(code, tile)?, both, plan.ctas))?;
            let next = self.sums.next(code, tile)?;
            Ok([turn, next.carried().to_vec()].concat())
        })?;
        // The storing warps of both blocks release tiles to this block.
        self.drain(code, &self.sums, TILES, &end[2..])
    }

    /// The warps that store.
    fn store(&self, code: &Code<'c>, sums: Ssa<'c>) -> Written<()> {
        let plan = self.plan;
        let out = self.epilogue.output(code, code.i32(0)?)?;
        let take = self.take(code, sums)?;
        let leader = self.cluster.leader(code)?;
        let carried = [&Turn::first(code, false)?.carried()[..], &[code.i32(0)?]].concat();
        self.walk(code, false, &carried, |code, at, carried| {
            let (turn, parity) = (Turn::of(carried), carried[2]);
            let at = self.cluster.own(code, at)?;
            self.epilogue.begin(code, &out, at)?;
            code.wait(self.sums.full(code, turn)?, turn.phase)?;
            code.fence_tmem("after")?;
            self.epilogue.store_row(code, &out, (at, parity), |code, part| {
                let modes = [At::All, At::All, At::All, part.at(), At::Value(turn.stage)];
                let from = code.slice("from", take.from, &modes)?;
                code.copy(take.copy, from, take.registers, None)?;
                code.wait_tmem("load")?;
                self.epilogue.at_last(code, part, |code| {
                    // The whole tile is in registers or stored.
                    code.fence_tmem("before")?;
                    let empty = self.sums.empty(code, turn)?;
                    if plan.ctas == 2 { code.arrive_at(empty, leader) } else { code.arrive(empty) }
                })?;
                code.op(("values", "cute.memref.load_vec"), &[take.registers], &[])
            })?;
            let next = self.sums.next(code, turn)?;
            let other = code.binary(("other", "arith.xori"), parity, code.i32(1)?)?;
            Ok(vec![next.stage, next.phase, other])
        })?;
        code.when(out.stores, |code| code.wait_for_stores(0))
    }

    /// How a thread reads one part of a tile of tensor memory.
    fn take(&self, code: &Code<'c>, sums: Ssa<'c>) -> Written<Take<'c>> {
        let numbers = &self.plan.problem.numbers;
        let (tile, columns, sum) = (self.plan.tile_columns(), numbers.columns(), numbers.sum);
        let first = code.op(("first", "cute.get_iter"), &[sums], &[])?;
        let (rows, by_row, lanes, registers) = match self.plan.registers {
            Registers::Rows | Registers::Halves => {
                let registers = format!("\"(({columns},1),1,1):((1,0),0,0)\"");
                ("128", LANE.to_string(), format!("32 DP, 32 bit, x{columns}"), registers)
            }
            Registers::Pairs => {
                let registers = format!("\"(({},1),1,1):((1,0),0,0)\"", columns / 2);
                let by_row = format!("({LANE},{})", 32 * LANE);
                ("(16,4)", by_row, format!("16 DP, 256 bit, x{}", columns / 8), registers)
            }
        };
        let layout = format!(
            "!cute.layout<\"({rows},{columns},{},{TILES}):({by_row},1,{columns},{tile})\">",
            tile / columns
        );
        let parts = code.view_of("parts", first, code.fixed("layout", &layout)?)?;
        let one = code.slice("one", parts, &[At::All, At::All, At::Int(0), At::Int(0)])?;
        let atom = code.parse_type(&format!("!cute_nvgpu.atom.tmem_load<{sum}, {lanes}>"))?;
        let atom = code.typed(("load", "cute.make_atom"), &[], atom, &[])?;
        let copy = code.op(("take", "cute_nvgpu.atom.make_tmem_copy"), &[atom, one], &[])?;
        let from = code.source("from", copy, parts, code.index(self.thread)?)?;
        let registers = code.parse_type(&format!("!cute.memref<{sum}, rmem, align<16>, {registers}>"))?;
        let registers = code.typed(("taken", "cute.memref.alloca"), &[], registers, &[])?;
        Ok(Take { copy, from, registers })
    }
}

/// A read of tensor memory by a thread.
struct Take<'c> {
    copy: Ssa<'c>,
    /// The thread's elements of all parts of all tiles.
    from: Ssa<'c>,
    registers: Ssa<'c>,
}
