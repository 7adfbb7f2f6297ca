//! The GEMM with `mma.sync` whose tiles the TMA loads: one warp issues the loads, the others
//! multiply, and the TMA stores D.
//!
//! ```text
//! gmem --TMA, stages ahead--> smem --ldmatrix--> registers --MMA--> sums --> smem --TMA--> gmem
//! ```
//!
//! M, N and K may be any extents of the matrices: outside of A and B the TMA loads zeros, which add
//! nothing, and it stores nothing outside of D. So there are no predicates.

use cute_algebra::MmaOperand;
use cute_arch::atoms::Major;
use melior::{
    Context,
    ir::{Module, Type},
};

use super::{pipeline::factor_projection, sums::Arithmetic};
use crate::{
    Error,
    barriers::{BARRIER, Ring, Turn},
    code::{At, Code, Refused, Ssa, Written},
    launch::{self, Launched, Prepared},
    tma::{Boxes, Loads, SharedTile},
};

/// Atoms, tiles and numbers.
pub(super) struct TmaPlan<'c> {
    pub name: &'static str,
    pub tile: [i64; 3],
    pub stages: i64,
    /// Threads that multiply; a warp more brings tiles.
    pub consumers: i64,
    pub elem: &'static str,
    pub sum: &'static str,
    /// K of an MMA.
    pub k: i64,
    pub majors: [Major; 2],
    /// The tiled MMA, and its atom.
    pub mma: [Type<'c>; 2],
    /// The atoms that copy from shared memory to registers.
    pub load: [Type<'c>; 2],
    /// The tiles of A and B, and of C and D.
    pub shared: [SharedTile; 2],
    pub sums: SharedTile,
}

/// The largest shared memory per block of any target.
const MOST: i64 = 227 * 1024;

impl TmaPlan<'_> {
    fn stage(&self) -> i64 {
        self.shared.iter().map(SharedTile::bytes).sum()
    }

    /// Bytes of the stages. D is stored through the same memory after the main loop.
    fn tiles(&self) -> i64 {
        (self.stages * self.stage()).max(self.sums.bytes())
    }

    /// Bytes of the barriers after them: those of the stages, and one for C.
    fn barriers(&self) -> i64 {
        Ring::bytes(self.stages) + BARRIER
    }

    /// Bytes of dynamic shared memory.
    fn memory(&self) -> i64 {
        self.tiles() + self.barriers()
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
        if self.memory() > MOST {
            let fit = (MOST - self.barriers()) / self.stage();
            return Err(Error::Parameters(format!(
                "{} stages of {} bytes and a tile of D of {} bytes do not fit into {MOST} bytes of shared memory: at most {fit} stages of this tile, or a smaller tile",
                self.stages,
                self.stage(),
                self.sums.bytes()
            )));
        }
        let matrix = |elem: &str, major: Major| {
            let strides = if major == Major::Mn { "1,?{i64}" } else { "?{i64},1" };
            format!("!cute.memref<{elem}, gmem, align<16>, \"(?,?):({strides})\">")
        };
        let [a, b] = self.majors.map(|major| matrix(self.elem, major));
        let sums = || matrix(self.sum, Major::K);
        let number = || self.sum.to_string();
        let parameters =
            [("A", a), ("B", b), ("C", sums()), ("D", sums()), ("alpha", number()), ("beta", number())];
        let launched = Launched {
            name: self.name,
            parameters: &parameters,
            threads: self.consumers + 32,
            shared: self.memory(),
            cluster: None,
        };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.prepare(code, arguments),
            |code, arguments| Kernel::new(&self, *code, arguments)?.write(),
        )?)
    }

    /// On the host: a descriptor for each matrix, and a block for each tile of D.
    fn prepare<'m>(&self, code: &Code<'m>, arguments: &[Ssa<'m>]) -> Written<Prepared<'m>> {
        let [a, b, c, d, alpha, beta, ..] = *arguments else { return Err(Refused::Ir) };
        let [load_a, coords_a] = self.shared[0].describe_load(code, "loadA", a, Loads::ALONE)?;
        let [load_b, coords_b] = self.shared[1].describe_load(code, "loadB", b, Loads::ALONE)?;
        let [load_c, coords_c] = self.sums.describe_load(code, "loadC", c, Loads::ALONE)?;
        let [store_d, coords_d] = self.sums.describe_store(code, "storeD", d)?;
        let [m, n, _] = self.tile;
        let tile = code.fixed("tile", &format!("!cute.tile<\"[{m}:1;{n}:1]\">"))?;
        let blocks = code.op(("blocks", "cute.zipped_divide"), &[d, tile], &[])?;
        let grid = [code.size_at("m", blocks, &[1, 0])?, code.size_at("n", blocks, &[1, 1])?, code.i32(1)?];
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
    code: Code<'c>,
    /// Descriptors of A, B, C and D, and the tensors of their coordinates.
    descriptors: [[Ssa<'c>; 2]; 4],
    /// Alpha and beta.
    factors: [Ssa<'c>; 2],
    block: [At<'c>; 2],
    warp: Ssa<'c>,
    thread: Ssa<'c>,
    memory: Ssa<'c>,
    ring: Ring<'c>,
    /// The atom that loads the tile of C.
    old: Ssa<'c>,
}

impl<'a, 'c> Kernel<'a, 'c> {
    fn new(plan: &'a TmaPlan<'c>, code: Code<'c>, arguments: &[Ssa<'c>]) -> Written<Self> {
        let [a, ca, b, cb, c, cc, d, cd, alpha, beta] = *arguments else { return Err(Refused::Ir) };
        let (thread, memory) = (code.register("tid", "tid.x")?, code.dynamic_memory()?);
        Ok(Self {
            plan,
            descriptors: [[a, ca], [b, cb], [c, cc], [d, cd]],
            factors: [alpha, beta],
            block: [
                At::Value(code.register("block_m", "ctaid.x")?),
                At::Value(code.register("block_n", "ctaid.y")?),
            ],
            warp: code.warp(thread)?,
            thread: code.index(thread)?,
            memory,
            ring: Ring::new(&code, memory, plan.tiles(), plan.stages)?,
            old: code.barriers("old", memory, plan.tiles() + Ring::bytes(plan.stages))?,
            code,
        })
    }

    fn write(&self) -> Written<()> {
        let (code, plan) = (&self.code, self.plan);
        let first = code.is("is_first", self.warp, 0)?;
        code.when(first, |code| {
            code.elected(|code| {
                self.ring.init(code, 1, plan.consumers)?;
                code.init_barrier(self.old, 1)?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.descriptors.iter().try_for_each(|[atom, _]| Boxes::prefetch(code, *atom))
        })?;
        code.effect("nvvm.barrier0", &[], &[])?;

        let behind_a = plan.shared[0].bytes() * plan.stages;
        let a = self.factor(MmaOperand::A, 0)?;
        let b = self.factor(MmaOperand::B, behind_a)?;
        let tiles = code.size("tiles", a.boxes.tensor, 1)?;
        let producer = code.is("is_producer", self.warp, plan.consumers / 32)?;
        code.either(
            producer,
            |code| self.bring(code, [&a, &b], tiles),
            |code| self.multiply(code, [&a, &b], tiles, first),
        )
    }

    /// A matrix: its stages in shared memory, and its tiles as boxes.
    fn factor(&self, which: MmaOperand, byte: i64) -> Written<Factor<'c>> {
        let (code, x) = (&self.code, which as usize);
        let name = |prefix: &str| format!("{prefix}{which}");
        let t = code.parse_type(&self.plan.shared[x].view(Some(self.plan.stages)))?;
        let stages = code.view(&name("s"), self.memory, byte, t)?;
        let [atom, coords] = self.descriptors[x];
        let [m, n] = self.block;
        let tiles =
            code.local_tile(&name("c"), coords, self.plan.tile, &[m, n, At::All], factor_projection(which))?;
        Ok(Factor { which, stages, boxes: Boxes::new(code, &name("boxes"), atom, stages, tiles)? })
    }

    /// The warp that loads tiles, as far ahead as there are stages.
    fn bring(&self, code: &Code<'c>, factors: [&Factor<'c>; 2], tiles: Ssa<'c>) -> Written<()> {
        let range = [code.i32(0)?, tiles, code.i32(1)?];
        code.repeat("k", range, &Turn::first(code, true)?.carried(), |code, k, turn| {
            let turn = Turn::of(turn);
            code.wait(self.ring.empty(code, turn)?, turn.phase)?;
            let full = self.ring.full(code, turn)?;
            code.elected(|code| code.expect(full, self.plan.stage()))?;
            for factor in factors {
                factor.boxes.load(code, Some([k, turn.stage]), full, None)?;
            }
            Ok(self.ring.next(code, turn)?.carried().to_vec())
        })?;
        Ok(())
    }

    /// The warps that multiply.
    fn multiply(
        &self,
        code: &Code<'c>,
        factors: [&Factor<'c>; 2],
        tiles: Ssa<'c>,
        first: Ssa<'c>,
    ) -> Written<()> {
        let plan = self.plan;
        let [mma, atom] = plan.mma;
        let mma = code.tiled("mma", "cute.make_tiled_mma", mma, atom)?;
        let [m, n, k] = plan.tile;
        let sums = Arithmetic(plan.sum).zeroed(code, mma, [m, n])?;
        let [a, b] = factors;
        let (a, b) = (self.registers(code, mma, a)?, self.registers(code, mma, b)?);
        let range = [code.i32(0)?, tiles, code.i32(1)?];
        code.repeat("k", range, &Turn::first(code, false)?.carried(), |code, _, turn| {
            let turn = Turn::of(turn);
            code.wait(self.ring.full(code, turn)?, turn.phase)?;
            let load = |block| [&a, &b].into_iter().try_for_each(|r| r.load(code, block, turn.stage));
            let blocks = k / plan.k;
            for block in 0..blocks {
                load(block)?;
                if block + 1 == blocks {
                    // Once the tile is in registers, the stage is no longer needed.
                    code.arrive(self.ring.empty(code, turn)?)?;
                }
                let [a, b] =
                    [&a, &b].map(|r| code.slice("block", r.registers, &[At::All, At::All, At::Int(block)]));
                code.effect("cute.gemm", &[mma, sums, a?, b?, sums], &[])?;
            }
            Ok(self.ring.next(code, turn)?.carried().to_vec())
        })?;
        self.store(code, mma, sums, first)
    }

    fn registers(&self, code: &Code<'c>, mma: Ssa<'c>, factor: &Factor<'c>) -> Written<Registers<'c>> {
        let which = factor.which;
        let name = |prefix: &str| format!("{prefix}{which}");
        let part = code.mma_partition(&name("part"), mma, which, factor.stages, self.thread)?;
        let one = code.slice(&name("part"), part, &[At::All, At::All, At::All, At::Int(0)])?;
        let registers = code.mma_fragment(&name("r"), mma, which, one)?;
        let atom = code.typed(("atom", "cute.make_atom"), &[], self.plan.load[which as usize], &[])?;
        let copy = code.op((&name("load"), &format!("cute.make_tiled_copy_{which}")), &[atom, mma], &[])?;
        let read = code.source(&name("read"), copy, factor.stages, self.thread)?;
        let loaded = code.op((&name("loaded"), "cute.tiled.copy.retile"), &[copy, registers], &[])?;
        Ok(Registers { copy, read, loaded, registers })
    }

    /// Stores D through the memory of the stages, which are no longer in use. If beta needs C, it
    /// is loaded through the same memory before.
    fn store(&self, code: &Code<'c>, mma: Ssa<'c>, sums: Ssa<'c>, first: Ssa<'c>) -> Written<()> {
        let plan = self.plan;
        let [.., c, d] = self.descriptors;
        let tile = code.view("sD", self.memory, 0, code.parse_type(&plan.sums.view(None))?)?;
        let own = code.mma_partition("own", mma, MmaOperand::C, tile, self.thread)?;
        let pair = code.parse_type(&format!("!cute_nvgpu.atom.universal_copy<{}, 64 b>", plan.sum))?;
        let pair = code.typed(("pair", "cute.make_atom"), &[], pair, &[])?;
        let [m, n] = self.block;
        let boxes = |code: &Code<'c>, [atom, coords]: [Ssa<'c>; 2]| {
            let at = code.local_tile("tile", coords, plan.tile, &[m, n, At::All], "(1,1,_)")?;
            Boxes::new(code, "boxes", atom, tile, at)
        };
        let meet = code.i32(1)?;
        code.named_barrier(meet, plan.consumers)?;
        let arithmetic = Arithmetic(plan.sum);
        let wants_c = arithmetic.nonzero(code, self.factors[1])?;
        code.when(wants_c, |code| {
            code.when(first, |code| {
                code.elected(|code| code.expect(self.old, plan.sums.bytes()))?;
                boxes(code, c)?.load(code, None, self.old, None)
            })?;
            code.wait(self.old, code.i32(0)?)
        })?;
        // A few columns at a time: the sums and all of C together do not fit into the registers.
        for column in 0..code.extent(sums, 2)? {
            let part = |name, of| code.slice(name, of, &[At::All, At::All, At::Int(column)]);
            let (sums, own) = (part("made", sums)?, part("own", own)?);
            arithmetic.scale(code, sums, self.factors[0])?;
            code.when(wants_c, |code| {
                arithmetic.add(code, sums, self.factors[1], |code, old| code.copy(pair, own, old, None))
            })?;
            code.copy(pair, sums, own, None)?;
        }
        code.fence_for_tma()?;
        code.named_barrier(meet, plan.consumers)?;
        code.when(first, |code| {
            boxes(code, d)?.store(code)?;
            code.commit_stores()?;
            // Shared memory outlives what reads it.
            code.wait_for_stores(0)
        })
    }
}

/// A matrix in shared memory.
struct Factor<'c> {
    which: MmaOperand,
    /// `(rows,k,stages)`.
    stages: Ssa<'c>,
    boxes: Boxes<'c>,
}

/// A matrix on its way from shared memory to the MMA.
struct Registers<'c> {
    copy: Ssa<'c>,
    read: Ssa<'c>,
    loaded: Ssa<'c>,
    registers: Ssa<'c>,
}

impl<'c> Registers<'c> {
    fn load(&self, code: &Code<'c>, block: i64, stage: Ssa<'c>) -> Written<()> {
        let from = code.slice("from", self.read, &[At::All, At::All, At::Int(block), At::Value(stage)])?;
        let to = code.slice("to", self.loaded, &[At::All, At::All, At::Int(block)])?;
        code.copy(self.copy, from, to, None)
    }
}
