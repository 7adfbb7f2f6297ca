//! The kernel: one warp loads tiles, and warpgroups multiply them.

use cute_algebra::MmaOperand;
use cute_build::{
    IntPredicate,
    atoms::{self, MmaOptions},
    types,
};

use super::plan::Plan;
use crate::{
    At, Builder, Built, Value,
    barriers::{self, PipelineState, Ring},
    gemm::{
        accumulators,
        cluster::Cluster,
        problem::Arguments,
        producer::Producer,
        raster::Tiles,
        store::{Epilogue, Registers, pairs},
    },
    tiling::strided,
    tma,
};

/// The state of the kernel while it is written.
pub(super) struct Kernel<'a, 'c> {
    plan: &'a Plan,
    code: Builder<'c>,
    arguments: &'a Arguments<'c>,
    tiles: Tiles<'c>,
    cluster: Cluster<'c>,
    warp: Value<'c>,
    /// The warpgroup, and the thread in it.
    warpgroup: Value<'c>,
    thread: Value<'c>,
    memory: Value<'c>,
    ring: Ring<'c>,
    epilogue: Epilogue<'a, 'c>,
}

/// A matrix in shared memory, `(rows,k,stages)`.
type Stages<'c> = [Value<'c>; 2];

impl<'a, 'c> Kernel<'a, 'c> {
    pub fn new(plan: &'a Plan, code: Builder<'c>, arguments: &'a Arguments<'c>) -> Built<Self> {
        let (tid, memory) = (code.named("tid").register("tid.x")?, code.dynamic_shared_memory()?);
        let warp = barriers::warp(&code, tid)?;
        let thread = code.named("thread").rem_unsigned(tid, code.i32(128)?)?;
        let problem = &plan.problem;
        let epilogue = Epilogue {
            problem,
            arguments,
            registers: Registers::Pairs,
            room: plan.room(),
            groups: plan.consumers,
            together: [plan.together, 1],
            memory,
            thread,
            warp: code.named("warp_inside").rem_unsigned(warp, code.i32(4)?)?,
        };
        Ok(Self {
            plan,
            arguments,
            tiles: arguments.tiles,
            cluster: Cluster::new(&code, problem.cluster, 1)?,
            warp,
            warpgroup: code.named("warpgroup").div_unsigned(warp, code.i32(4)?)?,
            thread,
            memory,
            ring: Ring::new(&code, memory, plan.barriers(), plan.stages)?,
            epilogue,
            code,
        })
    }

    pub fn write(&self) -> Built<()> {
        let (code, plan) = (&self.code, self.plan);
        let first = code.named("is_first").is(self.warp, 0)?;
        code.if_then(first, |code| {
            barriers::elected(code, |code| {
                self.ring.init(code, 1, plan.together * self.cluster.readers())?;
                self.epilogue.init(code)?;
                code.effect("nvvm.fence.mbarrier.init", &[], &[])
            })?;
            self.arguments.prefetch(code)
        })?;
        if plan.problem.blocks() > 1 {
            barriers::cluster_barrier(code, false)?;
        } else {
            code.effect("nvvm.barrier0", &[], &[])?;
        }
        let stages = [MmaOperand::A, MmaOperand::B]
            .map(|which| plan.problem.staged(code, self.memory, which, plan.stages));
        let [a, b] = stages;
        let stages = [a?, b?];
        let k_tiles = plan.problem.k_tiles(code, self.arguments, plan.tile())?;
        let producer = code.named("is_producer").is(self.warpgroup, 0)?;
        code.if_else(
            producer,
            |code| {
                plan.registers.shrink(code)?;
                code.if_then(first, |code| self.load(code, stages, k_tiles))
            },
            |code| {
                plan.registers.grow(code)?;
                self.multiply(code, stages, k_tiles)
            },
        )
    }

    /// The warp that loads tiles, as far ahead as there are stages.
    fn load(&self, code: &Builder<'c>, memory: Stages<'c>, k_tiles: Value<'c>) -> Built<()> {
        let plan = self.plan;
        let start = PipelineState::first(code, true)?;
        let (arguments, cluster, ring) = (self.arguments, self.cluster, &self.ring);
        let (tile, masks) = (plan.tile(), cluster.masks(code)?);
        let producer = Producer { arguments, cluster, masks, ring, tile, memory, k_tiles };
        let end = self.tiles.walk(code, (code.i32(0)?, 1), &start.carried(), |code, _, at, state| {
            let own = self.cluster.own(code, at)?;
            producer.load(code, (own, &[]), state, |code, full| {
                barriers::elected(code, |code| barriers::expect(code, full, plan.problem.stage()))
            })
        })?;
        if plan.problem.blocks() == 1 {
            return Ok(());
        }
        // The other blocks of the cluster release stages to this block, which must not have
        // returned by then.
        self.ring.drain(code, &end)
    }

    /// The warpgroups that multiply. They start one K tile while the previous one is multiplied,
    /// and then store.
    fn multiply(&self, code: &Builder<'c>, stages: Stages<'c>, k_tiles: Value<'c>) -> Built<()> {
        let plan = self.plan;
        let own = code.named("consumer").sub(self.warpgroup, code.i32(1)?)?;
        let [m, n, k] = plan.tile();
        let mma = self.mma(code, n)?;
        let alternates = plan.together < plan.consumers;
        let at = if alternates {
            code.named("at").fixed_coord("0")?
        } else {
            barriers::warpgroup_coord(code, own)?
        };
        let fragments = [MmaOperand::A, MmaOperand::B].map(|which| {
            let part = code.named("part").mma_partition(mma, which, stages[which as usize], at)?;
            code.named("desc").mma_descriptors(mma, which, part)
        });
        let [a, b] = fragments;
        let (a, b) = (a?, b?);
        let accumulators = || accumulators::of_tile(code, mma, [m, n]);
        let accumulators = (accumulators()?, plan.promote.map(|_| accumulators()).transpose()?);
        let (accumulators, total) = (accumulators.0, accumulators.1.unwrap_or(accumulators.0));
        let released = self.releases(code)?;
        let out = self.epilogue.output(code, own)?;
        let mut start = PipelineState::first(code, false)?;
        let mut which = (code.i32(0)?, 1);
        if alternates {
            // The stages of earlier tiles, which other warpgroups multiply.
            let stages = code.named("stages").mul(own, k_tiles)?;
            start = self.ring.skip(code, start, stages)?;
            which = (own, plan.consumers);
        }
        // Selects which of the two phases of the slots' barriers a tile begins with.
        let carried = [&start.carried()[..], &[code.i32(0)?]].concat();
        self.tiles.walk(code, which, &carried, |code, tile, at, carried| {
            let (state, parity) = (&carried[..2], carried[2]);
            let at = self.cluster.own(code, at)?;
            self.epilogue.begin(code, &out, at)?;
            if alternates {
                self.await_order(code, own, tile)?;
            }
            let zero = code.i32(0)?;
            if plan.promote.is_some() {
                code.fill(total, 0)?;
            }
            let carried = [state, &[zero]].concat();
            let range = [zero, k_tiles, code.i32(1)?];
            let end = code.named("k").for_range(range, &carried, |code, tile, carried| {
                let (state, before) = (PipelineState::of(carried), carried[2]);
                barriers::wait(code, self.ring.full(code, state)?, state.phase)?;
                code.effect("nvvm.wgmma.fence.aligned", &[], &[])?;
                let later = code.named("later").compare(IntPredicate::Ne, tile, code.i32(0)?)?;
                let added = match plan.promote {
                    None => later,
                    Some(every) => {
                        let within = code.named("within").rem_unsigned(tile, code.i32(every)?)?;
                        code.named("added").compare(IntPredicate::Ne, within, code.i32(0)?)?
                    }
                };
                let yes = code.named("yes").truth(true)?;
                for block in 0..k / plan.problem.numbers.k {
                    let keeps = if block == 0 { added } else { yes };
                    let mma = code.named("mma").accumulating(mma, keeps)?;
                    let modes = [At::All, At::All, At::Int(block), At::Value(state.stage)];
                    let (a, b) = (code.named("a").slice(a, &modes)?, code.named("b").slice(b, &modes)?);
                    code.gemm(mma, [accumulators, a, b, accumulators])?;
                }
                code.effect("nvvm.wgmma.commit.group.sync.aligned", &[], &[])?;
                self.multiplied(code, 1)?;
                // The previous tile has been multiplied.
                let frees = code.named("frees").and(released.0, later)?;
                self.release(code, frees, released.1, PipelineState { stage: before, phase: before })?;
                if let Some(every) = plan.promote {
                    self.promote(code, (every, tile, k_tiles), accumulators, total)?;
                }
                let next = self.ring.next(code, state)?;
                Ok(vec![next.stage, next.phase, state.stage])
            })?;
            if alternates {
                self.pass_order(code, own, tile)?;
            }
            self.multiplied(code, 0)?;
            self.release(code, released.0, released.1, PipelineState { stage: end[2], phase: end[2] })?;
            self.epilogue.store(code, &out, (at, parity), |code, part| self.part(code, total, part))?;
            let other = code.named("other").xor(parity, code.i32(1)?)?;
            if !alternates {
                return Ok(vec![end[0], end[1], other]);
            }
            let others = code.named("others").mul(k_tiles, code.i32(plan.consumers - 1)?)?;
            let state = self.ring.skip(code, PipelineState::of(&end), others)?;
            Ok(vec![state.stage, state.phase, other])
        })?;
        code.if_then(out.stores, |code| tma::wait_for_stores(code, 0))
    }

    /// Adds accumulators to their total after every `promote` K tiles, and after the last one.
    fn promote(
        &self,
        code: &Builder<'c>,
        (every, tile, k_tiles): (i64, Value<'c>, Value<'c>),
        accumulators: Value<'c>,
        total: Value<'c>,
    ) -> Built<()> {
        let next = code.named("next_k").add(tile, code.i32(1)?)?;
        let within = code.named("within").rem_unsigned(next, code.i32(every)?)?;
        let whole = code.named("whole").is(within, 0)?;
        let last = code.named("last").compare(IntPredicate::Eq, next, k_tiles)?;
        let promotes = code.named("promotes").or(whole, last)?;
        code.if_then(promotes, |code| {
            self.multiplied(code, 0)?;
            let load = |of| code.named("values").load_vec(of);
            let values = code.named("total").add(load(total)?, load(accumulators)?)?;
            code.store_vec(values, total)
        })
    }

    /// The accumulators of a part.
    fn part(&self, code: &Builder<'c>, accumulators: Value<'c>, part: i64) -> Built<Value<'c>> {
        let (n, columns) = (self.plan.problem.tile[1], self.plan.problem.numbers.columns());
        let steps = n / columns;
        let from = part / steps * n / 2 + part % steps * columns / 2;
        let first = code.named("first").inferred("cute.get_iter", &[accumulators], &[])?;
        let first = if from == 0 { first } else { code.named("first").add_offset(first, from)? };
        let layout = code.named("layout").layout(pairs(columns)?)?;
        let part = code.named("part").view_of(first, layout)?;
        code.named("values").load_vec(part)
    }

    /// The barrier at which a warpgroup waits for its turn.
    fn order_barrier(&self, code: &Builder<'c>, consumer: Value<'c>) -> Built<Value<'c>> {
        code.named("turn").add(consumer, code.i32(1 + self.plan.consumers)?)
    }

    /// Waits until the previous tile has been multiplied. The first tile does not wait.
    fn await_order(&self, code: &Builder<'c>, own: Value<'c>, tile: Value<'c>) -> Built<()> {
        let waits = code.named("waits").compare(IntPredicate::Ne, tile, self.tiles.cluster)?;
        code.if_then(waits, |code| barriers::named_barrier(code, self.order_barrier(code, own)?, 256))
    }

    /// Lets the next warpgroup begin if there is another tile.
    fn pass_order(&self, code: &Builder<'c>, own: Value<'c>, tile: Value<'c>) -> Built<()> {
        let next = code.named("next_tile").add(tile, self.tiles.clusters)?;
        let gives = code.named("gives").compare(IntPredicate::Slt, next, self.tiles.all(code)?)?;
        code.if_then(gives, |code| {
            let next = code.named("next").add(own, code.i32(1)?)?;
            let next = code.named("next").rem_unsigned(next, code.i32(self.plan.consumers)?)?;
            barriers::named_arrival(code, self.order_barrier(code, next)?, 256)
        })
    }

    /// The MMA of the warpgroups that multiply a tile together, with this number of columns each.
    fn mma(&self, code: &Builder<'c>, columns: i64) -> Built<Value<'c>> {
        let (context, n) = (code.context(), &self.plan.problem.numbers);
        let (operand, accumulator) =
            (types::element(context, n.operand)?, types::element(context, n.accumulator)?);
        let options = MmaOptions { majors: self.plan.problem.majors.into(), ..MmaOptions::default() };
        let atom = atoms::wgmma([64, columns, n.k], [operand, operand, accumulator], options)?;
        let tiled = atoms::plain_mma(atom, strided([self.plan.together, 1, 1], [1, 0, 0])?)?;
        let no = code.named("no").truth(false)?;
        code.named("mma").tiled_mma(&tiled, &[no])
    }

    /// Waits until all but the newest `pending` groups of MMAs are complete.
    fn multiplied(&self, code: &Builder<'c>, pending: i64) -> Built<()> {
        code.op("nvvm.wgmma.wait.group.sync.aligned").attribute("group", pending).done()
    }

    /// Whether a thread of a warpgroup releases stages, and to which of the blocks that write to
    /// this one.
    fn releases(&self, code: &Builder<'c>) -> Built<(Value<'c>, Value<'c>)> {
        let [m, n] = self.cluster.size;
        let blocks = code.i32(m * n)?;
        let is_one = code.named("is_one").compare(IntPredicate::Ult, self.thread, blocks)?;
        if m == 1 || n == 1 {
            return Ok((is_one, self.thread));
        }
        let along = code.i32(m)?;
        let row = code.named("row").rem_unsigned(self.thread, along)?;
        let column = code.named("column").div_unsigned(self.thread, along)?;
        let same_row = code.named("same_row").compare(IntPredicate::Eq, row, self.cluster.rank[0])?;
        let same_column =
            code.named("same_column").compare(IntPredicate::Eq, column, self.cluster.rank[1])?;
        let same = code.named("same").or(same_row, same_column)?;
        Ok((code.named("releases").and(is_one, same)?, self.thread))
    }

    fn release(
        &self,
        code: &Builder<'c>,
        frees: Value<'c>,
        block: Value<'c>,
        state: PipelineState<'c>,
    ) -> Built<()> {
        let empty = self.ring.empty(code, state)?;
        code.if_then(frees, |code| {
            if self.plan.problem.blocks() > 1 {
                barriers::arrive_at(code, empty, block)
            } else {
                barriers::arrive(code, empty)
            }
        })
    }
}
