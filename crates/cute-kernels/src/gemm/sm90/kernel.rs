//! The kernel: one warp loads tiles, and warpgroups multiply them.

use cute_algebra::MmaOperand;
use cute_ffi::predicate::IntPredicate;

use super::plan::Plan;
use crate::{
    barriers::{Ring, Turn},
    code::{At, Code, Ssa, Written},
    gemm::{
        cluster::Cluster,
        pipeline::factor_projection,
        problem::Arguments,
        raster::Tiles,
        store::{Epilogue, Registers, pairs},
        sums::Arithmetic,
    },
    tma::Boxes,
};

/// The state of the kernel while it is written.
pub(super) struct Kernel<'a, 'c> {
    plan: &'a Plan,
    code: Code<'c>,
    arguments: &'a Arguments<'c>,
    tiles: Tiles<'c>,
    cluster: Cluster<'c>,
    warp: Ssa<'c>,
    /// The warpgroup, and the thread in it.
    warpgroup: Ssa<'c>,
    thread: Ssa<'c>,
    memory: Ssa<'c>,
    ring: Ring<'c>,
    epilogue: Epilogue<'a, 'c>,
}

/// A matrix in shared memory, `(rows,k,stages)`.
type Stages<'c> = [Ssa<'c>; 2];

impl<'a, 'c> Kernel<'a, 'c> {
    pub fn new(plan: &'a Plan, code: Code<'c>, arguments: &'a Arguments<'c>) -> Written<Self> {
        let (tid, memory) = (code.register("tid", "tid.x")?, code.dynamic_memory()?);
        let warp = code.warp(tid)?;
        let thread = code.binary(("thread", "arith.remui"), tid, code.i32(128)?)?;
        let problem = &plan.problem;
        let epilogue = Epilogue {
            problem,
            arguments,
            registers: Registers::Pairs,
            room: plan.room(),
            groups: plan.consumers,
            together: plan.together,
            memory,
            thread,
            warp: code.binary(("warp_inside", "arith.remui"), warp, code.i32(4)?)?,
        };
        Ok(Self {
            plan,
            arguments,
            tiles: arguments.tiles,
            cluster: Cluster::new(&code, problem.cluster, 1)?,
            warp,
            warpgroup: code.binary(("warpgroup", "arith.divui"), warp, code.i32(4)?)?,
            thread,
            memory,
            ring: Ring::new(&code, memory, plan.barriers(), plan.stages)?,
            epilogue,
            code,
        })
    }

    pub fn write(&self) -> Written<()> {
        let (code, plan) = (&self.code, self.plan);
        let first = code.is("is_first", self.warp, 0)?;
        code.when(first, |code| {
            code.elected(|code| {
                self.ring.init(code, 1, plan.together * self.cluster.readers())?;
                self.epilogue.init(code)?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.arguments.prefetch(code)
        })?;
        if plan.problem.blocks() > 1 {
            code.cluster_barrier(false)?;
        } else {
            code.effect("nvvm.barrier0", &[], &[])?;
        }
        let stages = [
            self.stages(MmaOperand::A, 0)?,
            self.stages(MmaOperand::B, plan.problem.shared[0].bytes() * plan.stages)?,
        ];
        let k_tiles = {
            let at = [At::Int(0), At::Int(0), At::All];
            let a = self.arguments.descriptors[0][1];
            let a =
                if plan.problem.batch { code.slice("first", a, &[At::All, At::All, At::Int(0)])? } else { a };
            let a = code.local_tile("kA", a, plan.tile(), &at, "(1,_,1)")?;
            code.size("k_tiles", a, 2)?
        };
        let producer = code.is("is_producer", self.warpgroup, 0)?;
        let registers = match plan.consumers {
            2 => Some([40, 232]),
            3 => Some([32, 160]),
            _ => None,
        };
        let limit = |code: &Code<'c>, action: &str, which: usize| match registers {
            Some(count) => code.limit_registers(action, count[which]),
            None => Ok(()),
        };
        code.either(
            producer,
            |code| {
                limit(code, "decrease", 0)?;
                code.when(first, |code| self.bring(code, stages, k_tiles))
            },
            |code| {
                limit(code, "increase", 1)?;
                self.multiply(code, stages, k_tiles)
            },
        )
    }

    fn stages(&self, which: MmaOperand, byte: i64) -> Written<Ssa<'c>> {
        let t = self.plan.problem.shared[which as usize].view(Some(self.plan.stages));
        self.code.view(&format!("s{which}"), self.memory, byte, self.code.parse_type(&t)?)
    }

    /// The warp that loads tiles, as far ahead as there are stages.
    fn bring(&self, code: &Code<'c>, stages: Stages<'c>, k_tiles: Ssa<'c>) -> Written<()> {
        let plan = self.plan;
        let start = Turn::first(code, true)?;
        let masks = [self.cluster.mask(code, 0)?, self.cluster.mask(code, 1)?];
        let end = self.tiles.walk(code, (code.i32(0)?, 1), &start.carried(), |code, _, at, turn| {
            let own = self.cluster.own(code, at)?;
            let [a, b] = [MmaOperand::A, MmaOperand::B].map(|which| {
                let x = which as usize;
                let [atom, coords] = self.arguments.descriptors[x];
                let coords = own.matrix(code, coords)?;
                let at = [At::Value(own.m), At::Value(own.n), At::All];
                let tiles = code.local_tile("tiles", coords, plan.tile(), &at, factor_projection(which))?;
                let shares = self.cluster.shares(code, x)?;
                Boxes::shared(code, "boxes", (atom, shares), stages[x], tiles)
            });
            let (a, b) = (a?, b?);
            let range = [code.i32(0)?, k_tiles, code.i32(1)?];
            code.repeat("k", range, turn, |code, k, turn| {
                let turn = Turn::of(turn);
                code.wait(self.ring.empty(code, turn)?, turn.phase)?;
                let full = self.ring.full(code, turn)?;
                code.elected(|code| code.expect(full, plan.problem.stage()))?;
                for (boxes, mask) in [(a, masks[0]), (b, masks[1])] {
                    boxes.load(code, Some([k, turn.stage]), full, mask)?;
                }
                Ok(self.ring.next(code, turn)?.carried().to_vec())
            })
        })?;
        if plan.problem.blocks() == 1 {
            return Ok(());
        }
        // The other blocks of the cluster release stages to this block, which must not have
        // returned by then.
        let range = [code.i32(0)?, code.i32(plan.stages)?, code.i32(1)?];
        code.repeat("stage", range, &end, |code, _, turn| {
            let turn = Turn::of(turn);
            code.wait(self.ring.empty(code, turn)?, turn.phase)?;
            Ok(self.ring.next(code, turn)?.carried().to_vec())
        })?;
        Ok(())
    }

    /// The warpgroups that multiply. They start one K tile while the previous one is multiplied,
    /// and then store.
    fn multiply(&self, code: &Code<'c>, stages: Stages<'c>, k_tiles: Ssa<'c>) -> Written<()> {
        let plan = self.plan;
        let own = code.binary(("consumer", "arith.subi"), self.warpgroup, code.i32(1)?)?;
        let [m, n, k] = plan.tile();
        let mma = {
            let atom = self.atom(n);
            let t =
                format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"({},1,1):(1,0,0)\">>", plan.together);
            self.tiled_mma(code, &atom, &t)?
        };
        let takes_turns = plan.together < plan.consumers;
        let at =
            if takes_turns { code.fixed("at", "!cute.coord<\"0\">")? } else { code.warpgroup_coord(own)? };
        let fragments = [MmaOperand::A, MmaOperand::B].map(|which| {
            let part = code.mma_partition("part", mma, which, stages[which as usize], at)?;
            code.mma_descriptors("desc", mma, which, part)
        });
        let [a, b] = fragments;
        let (a, b) = (a?, b?);
        let sums = |code: &Code<'c>| {
            let shape = code.fixed("shapeC", &format!("!cute.shape<\"({m},{n})\">"))?;
            let c = [("operand_id", code.attribute("2 : i32")?)];
            let shape = code.op(("partC", "cute.tiled.mma.partition_shape"), &[mma, shape], &c)?;
            code.mma_fragment("sums", mma, MmaOperand::C, shape)
        };
        let sums = (sums(code)?, plan.promote.map(|_| sums(code)).transpose()?);
        let (sums, total) = (sums.0, sums.1.unwrap_or(sums.0));
        let released = self.releases(code)?;
        let out = self.epilogue.output(code, own)?;
        let mut start = Turn::first(code, false)?;
        let mut which = (code.i32(0)?, 1);
        if takes_turns {
            // The stages of earlier tiles, which other warpgroups multiply.
            let stages = code.binary(("stages", "arith.muli"), own, k_tiles)?;
            start = self.ring.skip(code, start, stages)?;
            which = (own, plan.consumers);
        }
        // Selects which of the two phases of the slots' barriers a tile begins with.
        let carried = [&start.carried()[..], &[code.i32(0)?]].concat();
        self.tiles.walk(code, which, &carried, |code, tile, at, carried| {
            let (turn, parity) = (&carried[..2], carried[2]);
            let at = self.cluster.own(code, at)?;
            self.epilogue.begin(code, &out, at)?;
            if takes_turns {
                self.await_turn(code, own, tile)?;
            }
            let zero = code.i32(0)?;
            if plan.promote.is_some() {
                Arithmetic(plan.problem.numbers.sum).zero(code, total)?;
            }
            let carried = [turn, &[zero]].concat();
            let range = [zero, k_tiles, code.i32(1)?];
            let end = code.repeat("k", range, &carried, |code, tile, carried| {
                let (turn, before) = (Turn::of(carried), carried[2]);
                code.wait(self.ring.full(code, turn)?, turn.phase)?;
                code.effect("nvvm.wgmma.fence.aligned", &[], &[])?;
                let later = code.compare("later", IntPredicate::Ne, tile, code.i32(0)?)?;
                let added = match plan.promote {
                    None => later,
                    Some(every) => {
                        let within = code.binary(("within", "arith.remui"), tile, code.i32(every)?)?;
                        code.compare("added", IntPredicate::Ne, within, code.i32(0)?)?
                    }
                };
                let yes = code.number("yes", code.parse_type("i1")?, 1)?;
                for block in 0..k / plan.problem.numbers.k {
                    let field = code.attribute("#cute_nvgpu.atom_mma_field_sm90<accum_c>")?;
                    let keeps = if block == 0 { added } else { yes };
                    let mma =
                        code.op(("mma", "cute_nvgpu.atom.set_value"), &[mma, keeps], &[("field", field)])?;
                    let modes = [At::All, At::All, At::Int(block), At::Value(turn.stage)];
                    let (a, b) = (code.slice("a", a, &modes)?, code.slice("b", b, &modes)?);
                    code.effect("cute.gemm", &[mma, sums, a, b, sums], &[])?;
                }
                code.effect("nvvm.wgmma.commit.group.sync.aligned", &[], &[])?;
                self.multiplied(code, 1)?;
                // The previous tile has been multiplied.
                let frees = code.binary(("frees", "arith.andi"), released.0, later)?;
                self.release(code, frees, released.1, Turn { stage: before, phase: before })?;
                if let Some(every) = plan.promote {
                    self.promote(code, (every, tile, k_tiles), sums, total)?;
                }
                let next = self.ring.next(code, turn)?;
                Ok(vec![next.stage, next.phase, turn.stage])
            })?;
            if takes_turns {
                self.give_turn(code, own, tile)?;
            }
            self.multiplied(code, 0)?;
            self.release(code, released.0, released.1, Turn { stage: end[2], phase: end[2] })?;
            self.epilogue.store(code, &out, (at, parity), |code, part| self.part(code, total, part))?;
            let other = code.binary(("other", "arith.xori"), parity, code.i32(1)?)?;
            if !takes_turns {
                return Ok(vec![end[0], end[1], other]);
            }
            let others = code.binary(("others", "arith.muli"), k_tiles, code.i32(plan.consumers - 1)?)?;
            let turn = self.ring.skip(code, Turn::of(&end), others)?;
            Ok(vec![turn.stage, turn.phase, other])
        })?;
        code.when(out.stores, |code| code.wait_for_stores(0))
    }

    /// Adds sums to their total after every `promote` K tiles, and after the last one.
    fn promote(
        &self,
        code: &Code<'c>,
        (every, tile, k_tiles): (i64, Ssa<'c>, Ssa<'c>),
        sums: Ssa<'c>,
        total: Ssa<'c>,
    ) -> Written<()> {
        let next = code.binary(("next_k", "arith.addi"), tile, code.i32(1)?)?;
        let within = code.binary(("within", "arith.remui"), next, code.i32(every)?)?;
        let whole = code.is("whole", within, 0)?;
        let last = code.compare("last", IntPredicate::Eq, next, k_tiles)?;
        let promotes = code.binary(("promotes", "arith.ori"), whole, last)?;
        code.when(promotes, |code| {
            self.multiplied(code, 0)?;
            let load = |of| code.op(("values", "cute.memref.load_vec"), &[of], &[]);
            let values = code.binary(("total", "arith.addf"), load(total)?, load(sums)?)?;
            code.effect("cute.memref.store_vec", &[values, total], &[])
        })
    }

    /// The sums of a part.
    fn part(&self, code: &Code<'c>, sums: Ssa<'c>, part: i64) -> Written<Ssa<'c>> {
        let (n, columns) = (self.plan.problem.tile[1], self.plan.problem.numbers.columns());
        let steps = n / columns;
        let from = part / steps * n / 2 + part % steps * columns / 2;
        let first = code.op(("first", "cute.get_iter"), &[sums], &[])?;
        let first = if from == 0 {
            first
        } else {
            let offset = code.fixed("offset", &format!("!cute.int_tuple<\"{from}\">"))?;
            code.op(("first", "cute.add_offset"), &[first, offset], &[])?
        };
        let layout = code.fixed("layout", &format!("!cute.layout<{}>", pairs(columns)))?;
        let part = code.view_of("part", first, layout)?;
        code.op(("values", "cute.memref.load_vec"), &[part], &[])
    }

    /// The barrier at which a warpgroup waits for its turn.
    fn turn_of(&self, code: &Code<'c>, consumer: Ssa<'c>) -> Written<Ssa<'c>> {
        code.binary(("turn", "arith.addi"), consumer, code.i32(1 + self.plan.consumers)?)
    }

    /// Waits until the previous tile has been multiplied. The first tile does not wait.
    fn await_turn(&self, code: &Code<'c>, own: Ssa<'c>, tile: Ssa<'c>) -> Written<()> {
        let waits = code.compare("waits", IntPredicate::Ne, tile, self.tiles.cluster)?;
        code.when(waits, |code| code.named_barrier(self.turn_of(code, own)?, 256))
    }

    /// Lets the next warpgroup begin if there is another tile.
    fn give_turn(&self, code: &Code<'c>, own: Ssa<'c>, tile: Ssa<'c>) -> Written<()> {
        let next = code.binary(("next_tile", "arith.addi"), tile, self.tiles.clusters)?;
        let gives = code.compare("gives", IntPredicate::Slt, next, self.tiles.all(code)?)?;
        code.when(gives, |code| {
            let next = code.binary(("next", "arith.addi"), own, code.i32(1)?)?;
            let next = code.binary(("next", "arith.remui"), next, code.i32(self.plan.consumers)?)?;
            code.named_arrival(self.turn_of(code, next)?, 256)
        })
    }

    /// The MMA of a warpgroup with this number of columns.
    fn atom(&self, columns: i64) -> String {
        let n = &self.plan.problem.numbers;
        let major = |i: usize, mn: &'static str| {
            if self.plan.problem.majors[i] == cute_arch::atoms::Major::Mn { mn } else { "k" }
        };
        format!(
            "!cute_nvgpu.sm90.mma<64x{columns}x{}, ab_major = ({}, {}), elem_type = ({}, {}, {}), frag_kind = ss>",
            n.k,
            major(0, "mn"),
            major(1, "mn"),
            n.factor,
            n.factor,
            n.sum
        )
    }

    fn tiled_mma(&self, code: &Code<'c>, atom: &str, tiled: &str) -> Written<Ssa<'c>> {
        let no = code.number("no", code.parse_type("i1")?, 0)?;
        let atom = code.typed(("atom", "cute.make_atom"), &[no], code.parse_type(atom)?, &[])?;
        code.typed(("mma", "cute.make_tiled_mma"), &[atom], code.parse_type(tiled)?, &[])
    }

    /// Waits until all but the newest `pending` groups of products are complete.
    fn multiplied(&self, code: &Code<'c>, pending: i64) -> Written<()> {
        let group = ("group", code.attribute(&format!("{pending} : i64"))?);
        code.effect("nvvm.wgmma.wait.group.sync.aligned", &[], &[group])
    }

    /// Whether a thread of a warpgroup releases stages, and to which of the blocks that write to
    /// this one.
    fn releases(&self, code: &Code<'c>) -> Written<(Ssa<'c>, Ssa<'c>)> {
        let [m, n] = self.cluster.size;
        let blocks = code.i32(m * n)?;
        let is_one = code.compare("is_one", IntPredicate::Ult, self.thread, blocks)?;
        if m == 1 || n == 1 {
            return Ok((is_one, self.thread));
        }
        let along = code.i32(m)?;
        let row = code.binary(("row", "arith.remui"), self.thread, along)?;
        let column = code.binary(("column", "arith.divui"), self.thread, along)?;
        let same_row = code.compare("same_row", IntPredicate::Eq, row, self.cluster.rank[0])?;
        let same_column = code.compare("same_column", IntPredicate::Eq, column, self.cluster.rank[1])?;
        let same = code.binary(("same", "arith.ori"), same_row, same_column)?;
        Ok((code.binary(("releases", "arith.andi"), is_one, same)?, self.thread))
    }

    fn release(&self, code: &Code<'c>, frees: Ssa<'c>, block: Ssa<'c>, turn: Turn<'c>) -> Written<()> {
        let empty = self.ring.empty(code, turn)?;
        code.when(frees, |code| {
            if self.plan.problem.blocks() > 1 { code.arrive_at(empty, block) } else { code.arrive(empty) }
        })
    }
}
