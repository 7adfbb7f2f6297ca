//! The main loop of a GEMM: tiles are loaded to shared memory several stages ahead, and k-blocks to
//! registers one ahead.
//!
//! * The last K tile, which may be partial, is loaded first: only its loads check where K ends.
//! * One iteration of the steady loop covers `stages` tiles, so that their addresses are constants.
//!   A second loop handles the tiles left over, and those that load no further tile.

use cute_algebra::MmaOperand;
use cute_build::{
    IntPredicate,
    ops::cute,
    types::{self, Space},
};

use super::{AccumulatorStore, Load, Plan, accumulators};
use crate::{At, Builder, Built, Value, tiling::strided};

/// The modes of a tile (M, N, K) that A (M, K) or B (N, K) has.
pub(super) fn operand_projection(which: MmaOperand) -> &'static str {
    if which == MmaOperand::A { "(1,_,1)" } else { "(_,1,1)" }
}

/// A matrix on its way into registers.
struct Operand<'c> {
    /// Parts of this thread: (V, rows, 1, k) and (V, rows, 1, stages).
    from: Value<'c>,
    into: Value<'c>,
    /// Coordinates of `from`, and the extents of the matrix.
    at: Value<'c>,
    extents: Value<'c>,
    /// The tiled copy from global to shared memory.
    copy_tile: Value<'c>,
    /// Calls of its atom along rows and K, and the valid rows.
    calls: [i64; 2],
    inside: Option<Value<'c>>,
    /// Shared memory, registers, and registers in the form that the MMA takes.
    load: Value<'c>,
    /// The loaded part of mode 0: all, or the one element of an fma, so that rows are adjacent.
    values: At<'c>,
    read: Value<'c>,
    loaded: Value<'c>,
    registers: Value<'c>,
}

/// The kernel while it is written.
pub(super) struct Pipeline<'a, 'c> {
    pub plan: &'a Plan<'c>,
    pub code: Builder<'c>,
    /// A, B, C, D, alpha and beta.
    pub arguments: [Value<'c>; 6],
    /// The block's tile along M and N.
    pub block: [Value<'c>; 2],
    pub thread: Value<'c>,
    /// Dynamic shared memory.
    pub memory: Value<'c>,
}

/// The stages that an iteration of the loop reads and writes, and the checks that it needs.
struct Iteration<'c> {
    read: At<'c>,
    next: At<'c>,
    write: At<'c>,
    /// The tile to load.
    ahead: Value<'c>,
    /// Whether there is a tile to load, and one to continue with; `None` if neither needs a check.
    asks: Option<[Value<'c>; 2]>,
}

impl<'a, 'c> Pipeline<'a, 'c> {
    pub fn new(plan: &'a Plan<'c>, code: Builder<'c>, arguments: [Value<'c>; 6]) -> Built<Self> {
        let thread = code.index(code.named("tid").register("tid.x")?)?;
        let block = [code.named("block_m").register("ctaid.x")?, code.named("block_n").register("ctaid.y")?];
        let memory = code.dynamic_shared_memory()?;
        Ok(Self { plan, code, arguments, block, thread, memory })
    }

    pub fn write(&self) -> Built<()> {
        let code = &self.code;
        let [of_a, of_b] = &self.plan.g2s;
        let copy_a = code.named("g2s").tiled_copy(of_a)?;
        let copy_b = if of_a == of_b { copy_a } else { code.named("g2sB").tiled_copy(of_b)? };
        let [m, n, _] = self.plan.tile;
        let mma = code.named("mma").tiled_mma(&self.plan.mma, &[])?;
        let a = self.operand(copy_a, mma, MmaOperand::A)?;
        let b = self.operand(copy_b, mma, MmaOperand::B)?;
        let accumulators = accumulators::zeroed(code, mma, [m, n])?;
        self.main_loop(mma, [&a, &b], accumulators)?;
        match &self.plan.accumulators {
            AccumulatorStore::Shared { tile, columns, store } => {
                self.store_through_shared(mma, accumulators, *tile, *columns, store)
            }
            AccumulatorStore::Direct(atom) => self.store_directly(mma, accumulators, atom),
        }
    }

    /// The tiles of a tensor (rows, K) that belong to the block: (rows, k_tile, k).
    fn k_tiles(&self, name: &str, of: Value<'c>, which: MmaOperand) -> Built<Value<'c>> {
        let [m, n] = self.block.map(At::Value);
        self.code.named(name).local_tile(
            of,
            self.plan.tile,
            &[m, n, At::All],
            Some(operand_projection(which)),
        )
    }

    fn operand(&self, copy_tile: Value<'c>, mma: Value<'c>, which: MmaOperand) -> Built<Operand<'c>> {
        let code = &self.code;
        let x = which as usize;
        let tensor = self.arguments[x];
        let name = |prefix: &str| format!("{prefix}{which}");
        let tiles = self.k_tiles(&name("g"), tensor, which)?;
        let layout = code.named(&name("layout")).inferred("cute.get_layout", &[tensor], &[])?;
        let extents = code.named(&name("shape")).inferred("cute.get_shape", &[layout], &[])?;
        let coords = code.named(&name("coords")).inferred("cute.make_identity_tensor", &[extents], &[])?;
        let coords = self.k_tiles(&name("c"), coords, which)?;

        let before = if which == MmaOperand::A { 0 } else { self.plan.behind_a };
        let shared = code.named(&name("s")).view(self.memory, before, self.plan.shared[x])?;

        let from = code.named(&name("from")).partition_s(copy_tile, tiles, self.thread)?;
        let at = code.named(&name("at")).partition_s(copy_tile, coords, self.thread)?;
        let into = code.named(&name("into")).partition_d(copy_tile, shared, self.thread)?;
        let calls = [code.extent(into, 1)?, code.extent(into, 2)?];

        let part = code.named(&name("part")).mma_partition(mma, which, shared, self.thread)?;
        let first = code.named(&name("part")).slice(part, &[At::All, At::All, At::All, At::Int(0)])?;
        let registers = code.named(&name("r")).mma_fragment(mma, which, first)?;
        let (load, values, read, loaded) = match &self.plan.load[x] {
            Load::Tiled(atom) => {
                let atom = code.named("atom").atom(atom)?;
                let load = code.named(&name("load")).tiled_copy_of(which, atom, mma)?;
                let read = code.named(&name("read")).partition_s(load, shared, self.thread)?;
                (load, At::All, read, code.named(&name("loaded")).retile(load, registers)?)
            }
            Load::Plain(atom) => {
                let load = code.named(&name("load")).atom(atom)?;
                (load, At::Int(0), part, registers)
            }
        };
        let mut operand = Operand {
            from,
            into,
            at,
            extents,
            copy_tile,
            calls,
            inside: None,
            load,
            values,
            read,
            loaded,
            registers,
        };
        if !self.plan.aligned {
            operand.inside = Some(self.rows_inside(&operand)?);
        }
        Ok(operand)
    }

    /// One byte for each call of an atom at (0, i, j), which is true if the call is inside the
    /// matrix. Along modes whose `asked` is not 1 all of them are equal.
    pub fn predicate(
        &self,
        code: &Builder<'c>,
        calls: [i64; 2],
        asked: [i64; 2],
        inside: impl Fn(&Builder<'c>, i64, i64) -> Built<Value<'c>>,
    ) -> Built<Value<'c>> {
        let [rows, columns] = asked;
        let strides = [0, i64::from(rows > 1 || calls[1] == 1), if columns > 1 { rows } else { 0 }];
        let layout = strided([1, calls[0], calls[1]], strides)?;
        let byte = code.integer_type(8);
        let bytes = types::pointer(byte, Space::Rmem).align(32).memref(layout)?;
        let predicate = code.named("inside").alloca(bytes)?;
        for (j, i) in (0..columns).flat_map(|j| (0..rows).map(move |i| (j, i))) {
            let bit = inside(code, i, j)?;
            let bit = code.named("bit").typed("arith.extui", &[bit], byte, &[])?;
            let at = code.coord(&[At::Int(0), At::Int(i), At::Int(j)])?;
            code.effect("cute.memref.store", &[predicate, at, bit], &[])?;
        }
        Ok(predicate)
    }

    /// The coordinate of a thread's call (i, j) in tile `k`.
    fn coordinate(
        &self,
        code: &Builder<'c>,
        operand: &Operand<'c>,
        (i, j): (i64, i64),
        k: At<'c>,
    ) -> Built<Value<'c>> {
        let first = code.named("first").slice(operand.at, &[At::Int(0), At::Int(i), At::Int(j), k])?;
        let iter = code.named("iter").inferred("cute.get_iter", &[first], &[])?;
        code.named("coord").inferred("cute.deref_arith_tuple_iter", &[iter], &[])
    }

    fn rows_inside(&self, operand: &Operand<'c>) -> Built<Value<'c>> {
        let asked = [operand.calls[0], 1];
        self.predicate(&self.code, operand.calls, asked, |code, i, j| {
            let coord = self.coordinate(code, operand, (i, j), At::Int(0))?;
            let row = cute::get(&code.named("row"), coord, &[0])?;
            let rows = cute::get(&code.named("rows"), operand.extents, &[0])?;
            code.named("inside").inferred("cute.elem_less", &[row, rows], &[])
        })
    }

    /// Loads tile `tile` into `stage`.
    fn copy_tile(
        &self,
        code: &Builder<'c>,
        operands: [&Operand<'c>; 2],
        tile: Value<'c>,
        stage: At<'c>,
    ) -> Built<()> {
        for f in operands {
            self.copy_operand(code, f, tile, stage, f.inside)?;
        }
        Ok(())
    }

    fn copy_operand(
        &self,
        code: &Builder<'c>,
        f: &Operand<'c>,
        tile: Value<'c>,
        stage: At<'c>,
        inside: Option<Value<'c>>,
    ) -> Built<()> {
        let from = code.named("from").slice(f.from, &[At::All, At::All, At::All, At::Value(tile)])?;
        let into = code.named("into").slice(f.into, &[At::All, At::All, At::All, stage])?;
        code.copy_if(inside, f.copy_tile, from, into)
    }

    fn main_loop(&self, mma: Value<'c>, operands: [&Operand<'c>; 2], accumulators: Value<'c>) -> Built<()> {
        let (code, stages) = (&self.code, self.plan.stages);
        let tiles = code.named("tiles").size(operands[0].from, &[3])?;
        let one = code.i32(1)?;

        // The last tile first: it may be partial.
        let some = code.named("some").compare(IntPredicate::Slt, code.i32(0)?, tiles)?;
        code.if_then(some, |code| {
            let last = code.named("last").sub(tiles, one)?;
            for f in operands {
                let inside = match f.inside {
                    None => None,
                    Some(_) => Some(self.predicate(code, f.calls, f.calls, |code, i, j| {
                        let coord = self.coordinate(code, f, (i, j), At::Value(last))?;
                        code.named("inside").inferred("cute.elem_less", &[coord, f.extents], &[])
                    })?),
                };
                self.copy_operand(code, f, last, At::Int(0), inside)?;
            }
            Ok(())
        })?;
        self.commit(code)?;
        for stage in 1..stages - 1 {
            let there = code.named("there").compare(IntPredicate::Slt, code.i32(stage)?, tiles)?;
            code.if_then(there, |code| {
                let tile = code.i32(stage - 1)?;
                self.copy_tile(code, operands, tile, At::Int(stage))
            })?;
            self.commit(code)?;
        }
        self.arrived(code)?;
        code.if_then(some, |code| self.load(code, operands, 0, At::Int(0)))?;

        // The complete iterations, in which every loaded tile exists.
        let zero = code.i32(0)?;
        let ahead = code.named("ahead").sub(tiles, code.i32(stages - 1)?)?;
        let ahead = code.named("ahead").max(ahead, zero)?;
        let every = code.i32(stages)?;
        let rest = code.named("rest").rem(ahead, every)?;
        let steady = code.named("steady").sub(ahead, rest)?;
        code.named("t").for_range([zero, steady, every], &[], |code, t, _| {
            for stage in 0..stages {
                let ahead = code.named("tile").add(t, code.i32(stage + stages - 2)?)?;
                let [next, write] = [stage + 1, stage + stages - 1].map(|s| At::Int(s % stages));
                let iteration = Iteration { read: At::Int(stage), next, write, ahead, asks: None };
                self.iteration(code, mma, operands, accumulators, &iteration)?;
            }
            Ok(Vec::new())
        })?;
        let start = [zero, code.i32(stages - 1)?];
        code.named("t").for_range([steady, tiles, one], &start, |code, t, stage| {
            let [read, write] = [0, 1].map(|i| stage[i]);
            let next = self.next_stage(code, read)?;
            let ahead = code.named("tile").add(t, code.i32(stages - 2)?)?;
            let upcoming = code.named("upcoming").add(ahead, one)?;
            let more = code.named("more").compare(IntPredicate::Slt, upcoming, tiles)?;
            let following = code.named("following").add(t, one)?;
            let goes_on = code.named("goes_on").compare(IntPredicate::Slt, following, tiles)?;
            let iteration = Iteration {
                read: At::Value(read),
                next: At::Value(next),
                write: At::Value(write),
                ahead,
                asks: Some([more, goes_on]),
            };
            self.iteration(code, mma, operands, accumulators, &iteration)?;
            Ok(vec![next, self.next_stage(code, write)?])
        })?;
        Ok(())
    }

    fn next_stage(&self, code: &Builder<'c>, stage: Value<'c>) -> Built<Value<'c>> {
        let next = code.named("next").add(stage, code.i32(1)?)?;
        let wraps = code.named("wraps").compare(IntPredicate::Eq, next, code.i32(self.plan.stages)?)?;
        code.named("stage").select(wraps, code.i32(0)?, next)
    }

    fn commit(&self, code: &Builder<'c>) -> Built<()> {
        code.effect("nvvm.cp.async.commit.group", &[], &[])
    }

    /// Waits until all threads see every tile but the newest `stages - 2`.
    fn arrived(&self, code: &Builder<'c>) -> Built<()> {
        code.op("nvvm.cp.async.wait.group").attribute("n", self.plan.stages as i32 - 2).done()?;
        code.effect("nvvm.barrier0", &[], &[])
    }

    /// Registers of a k-block from shared memory.
    fn load(&self, code: &Builder<'c>, operands: [&Operand<'c>; 2], block: i64, stage: At<'c>) -> Built<()> {
        for f in operands {
            let from = code.named("from").slice(f.read, &[f.values, At::All, At::Int(block), stage])?;
            let to = code.named("to").slice(f.loaded, &[f.values, At::All, At::Int(block)])?;
            code.copy(f.load, from, to)?;
        }
        Ok(())
    }

    /// Multiplies one K tile: the next k-block is loaded while this one is multiplied, and the tile
    /// `stages - 1` ahead is on its way. Its group is committed before the wait for the next tile,
    /// which counts groups.
    ///
    /// A tile of one k-block has one set of registers, so the next tile is loaded after it has
    /// been multiplied.
    fn iteration(
        &self,
        code: &Builder<'c>,
        mma: Value<'c>,
        operands: [&Operand<'c>; 2],
        accumulators: Value<'c>,
        iteration: &Iteration<'c>,
    ) -> Built<()> {
        let blocks = self.plan.tile[2] / self.plan.k;
        let asked = |i: usize, body: &dyn Fn(&Builder<'c>) -> Built<()>| match iteration.asks {
            Some(asks) => code.if_then(asks[i], |code| body(code)),
            None => body(code),
        };
        let copy_tile = || {
            asked(0, &|code| self.copy_tile(code, operands, iteration.ahead, iteration.write))?;
            self.commit(code)
        };
        let next = || {
            self.arrived(code)?;
            asked(1, &|code| self.load(code, operands, 0, iteration.next))
        };
        let multiply = |block| {
            let [a, b] =
                operands.map(|f| code.named("block").slice(f.registers, &[At::All, At::All, At::Int(block)]));
            code.gemm(mma, [accumulators, a?, b?, accumulators])
        };
        if blocks == 1 {
            copy_tile()?;
            multiply(0)?;
            return next();
        }
        for block in 0..blocks {
            if block + 1 < blocks {
                self.load(code, operands, block + 1, iteration.read)?;
            } else {
                next()?;
            }
            if block == 0 {
                copy_tile()?;
            }
            multiply(block)?;
        }
        Ok(())
    }
}
