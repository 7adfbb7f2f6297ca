//! The main loop of a GEMM: tiles are loaded to shared memory several stages ahead, and k-blocks to
//! registers one ahead.
//!
//! * The last K tile, which may be partial, is loaded first: only its loads check where K ends.
//! * One iteration of the steady loop covers `stages` tiles, so that their addresses are constants.
//!   A second loop handles the tiles left over, and those that load no further tile.

use cute_algebra::MmaOperand;
use cute_ffi::predicate::IntPredicate;
use melior::ir::Type;

use super::{Load, Plan, Sums};
use crate::code::{At, Code, Refused, Ssa, Written};

/// The modes of a tile (M, N, K) that A (M, K) or B (N, K) has.
pub(super) fn factor_projection(which: MmaOperand) -> &'static str {
    if which == MmaOperand::A { "(1,_,1)" } else { "(_,1,1)" }
}

/// A matrix on its way into registers.
struct Factor<'c> {
    /// Parts of this thread: (V, rows, 1, k) and (V, rows, 1, stages).
    from: Ssa<'c>,
    into: Ssa<'c>,
    /// Coordinates of `from`, and the extents of the matrix.
    at: Ssa<'c>,
    extents: Ssa<'c>,
    /// The tiled copy from global to shared memory.
    bring: Ssa<'c>,
    /// Calls of its atom along rows and K, and the valid rows.
    calls: [i64; 2],
    inside: Option<Ssa<'c>>,
    /// Shared memory, registers, and registers in the form that the MMA takes.
    load: Ssa<'c>,
    /// The loaded part of mode 0: all, or the one element of an fma, so that rows are adjacent.
    values: At<'c>,
    read: Ssa<'c>,
    loaded: Ssa<'c>,
    registers: Ssa<'c>,
}

/// The kernel while it is written.
pub(super) struct Pipeline<'a, 'c> {
    pub plan: &'a Plan<'c>,
    pub code: Code<'c>,
    /// A, B, C, D, alpha and beta.
    pub arguments: [Ssa<'c>; 6],
    /// The block's tile along M and N.
    pub block: [Ssa<'c>; 2],
    pub thread: Ssa<'c>,
    /// Dynamic shared memory.
    pub memory: Ssa<'c>,
}

/// The stages that an iteration of the loop reads and writes, and the checks that it needs.
struct Turn<'c> {
    read: At<'c>,
    next: At<'c>,
    write: At<'c>,
    /// The tile to bring.
    ahead: Ssa<'c>,
    /// Whether there is a tile to load, and one to continue with; `None` if neither needs a check.
    asks: Option<[Ssa<'c>; 2]>,
}

impl<'a, 'c> Pipeline<'a, 'c> {
    pub fn new(plan: &'a Plan<'c>, code: Code<'c>, arguments: &[Ssa<'c>]) -> Written<Self> {
        let arguments = <[Ssa<'c>; 6]>::try_from(arguments).map_err(|_| Refused::Ir)?;
        let thread = code.index(code.register("tid", "tid.x")?)?;
        let block = [code.register("block_m", "ctaid.x")?, code.register("block_n", "ctaid.y")?];
        let memory = code.dynamic_memory()?;
        Ok(Self { plan, code, arguments, block, thread, memory })
    }

    pub fn write(&self) -> Written<()> {
        let code = &self.code;
        let [of_a, of_b] = self.plan.bring;
        let bring =
            |name, [bring, atom]: [Type<'c>; 2]| code.tiled(name, "cute.make_tiled_copy", bring, atom);
        let bring_a = bring("bring", of_a)?;
        let bring_b = if of_a == of_b { bring_a } else { bring("bringB", of_b)? };
        let [mma, atom] = self.plan.mma;
        let [m, n, _] = self.plan.tile;
        let mma = code.tiled("mma", "cute.make_tiled_mma", mma, atom)?;
        let a = self.factor(bring_a, mma, MmaOperand::A)?;
        let b = self.factor(bring_b, mma, MmaOperand::B)?;
        let sums = self.plan.arithmetic().zeroed(code, mma, [m, n])?;
        self.main_loop(mma, [&a, &b], sums)?;
        match &self.plan.sums {
            Sums::Shared { tile, columns, store } => {
                self.store_through_shared(mma, sums, tile, *columns, *store)
            }
            Sums::Direct(atom) => self.store_directly(mma, sums, *atom),
        }
    }

    /// The tiles of a tensor (rows, K) that belong to the block: (rows, k_tile, k).
    fn k_tiles(&self, name: &str, of: Ssa<'c>, which: MmaOperand) -> Written<Ssa<'c>> {
        let [m, n] = self.block.map(At::Value);
        self.code.local_tile(name, of, self.plan.tile, &[m, n, At::All], factor_projection(which))
    }

    fn factor(&self, bring: Ssa<'c>, mma: Ssa<'c>, which: MmaOperand) -> Written<Factor<'c>> {
        let code = &self.code;
        let x = which as usize;
        let tensor = self.arguments[x];
        let name = |prefix: &str| format!("{prefix}{which}");
        let tiles = self.k_tiles(&name("g"), tensor, which)?;
        let layout = code.op((&name("layout"), "cute.get_layout"), &[tensor], &[])?;
        let extents = code.op((&name("shape"), "cute.get_shape"), &[layout], &[])?;
        let coords = code.op((&name("coords"), "cute.make_identity_tensor"), &[extents], &[])?;
        let coords = self.k_tiles(&name("c"), coords, which)?;

        let shared = code.parse_type(&self.plan.shared[x])?;
        let before = if which == MmaOperand::A { 0 } else { self.plan.behind_a };
        let shared = code.view(&name("s"), self.memory, before, shared)?;

        let from = code.source(&name("from"), bring, tiles, self.thread)?;
        let at = code.source(&name("at"), bring, coords, self.thread)?;
        let into = code.destination(&name("into"), bring, shared, self.thread)?;
        let calls = [code.extent(into, 1)?, code.extent(into, 2)?];

        let part = code.mma_partition(&name("part"), mma, which, shared, self.thread)?;
        let first = code.slice(&name("part"), part, &[At::All, At::All, At::All, At::Int(0)])?;
        let registers = code.mma_fragment(&name("r"), mma, which, first)?;
        let (load, values, read, loaded) = match self.plan.load[x] {
            Load::Tiled(atom) => {
                let atom = code.typed(("atom", "cute.make_atom"), &[], atom, &[])?;
                let make = format!("cute.make_tiled_copy_{which}");
                let load = code.op((&name("load"), &make), &[atom, mma], &[])?;
                let read = code.source(&name("read"), load, shared, self.thread)?;
                (
                    load,
                    At::All,
                    read,
                    code.op((&name("loaded"), "cute.tiled.copy.retile"), &[load, registers], &[])?,
                )
            }
            Load::Plain(atom) => {
                let load = code.typed((&name("load"), "cute.make_atom"), &[], atom, &[])?;
                (load, At::Int(0), part, registers)
            }
        };
        let mut factor = Factor {
            from,
            into,
            at,
            extents,
            bring,
            calls,
            inside: None,
            load,
            values,
            read,
            loaded,
            registers,
        };
        if !self.plan.aligned {
            factor.inside = Some(self.rows_inside(&factor)?);
        }
        Ok(factor)
    }

    /// One byte for each call of an atom at (0, i, j), which is true if the call is inside the
    /// matrix. Along modes whose `asked` is not 1 all of them are equal.
    pub fn predicate(
        &self,
        code: &Code<'c>,
        calls: [i64; 2],
        asked: [i64; 2],
        inside: impl Fn(&Code<'c>, i64, i64) -> Written<Ssa<'c>>,
    ) -> Written<Ssa<'c>> {
        let [rows, columns] = asked;
        let strides = [i64::from(rows > 1 || calls[1] == 1), if columns > 1 { rows } else { 0 }];
        let t = format!(
            "!cute.memref<i8, rmem, align<32>, \"(1,{},{}):(0,{},{})\">",
            calls[0], calls[1], strides[0], strides[1]
        );
        let predicate = code.typed(("inside", "cute.memref.alloca"), &[], code.parse_type(&t)?, &[])?;
        let byte = code.parse_type("i8")?;
        for (j, i) in (0..columns).flat_map(|j| (0..rows).map(move |i| (j, i))) {
            let bit = inside(code, i, j)?;
            let bit = code.typed(("bit", "arith.extui"), &[bit], byte, &[])?;
            let at = code.coord(&[At::Int(0), At::Int(i), At::Int(j)])?;
            code.effect("cute.memref.store", &[predicate, at, bit], &[])?;
        }
        Ok(predicate)
    }

    /// The coordinate of a thread's call (i, j) in tile `k`.
    fn coordinate(
        &self,
        code: &Code<'c>,
        factor: &Factor<'c>,
        (i, j): (i64, i64),
        k: At<'c>,
    ) -> Written<Ssa<'c>> {
        let first = code.slice("first", factor.at, &[At::Int(0), At::Int(i), At::Int(j), k])?;
        let iter = code.op(("iter", "cute.get_iter"), &[first], &[])?;
        code.op(("coord", "cute.deref_arith_tuple_iter"), &[iter], &[])
    }

    fn rows_inside(&self, factor: &Factor<'c>) -> Written<Ssa<'c>> {
        let asked = [factor.calls[0], 1];
        self.predicate(&self.code, factor.calls, asked, |code, i, j| {
            let coord = self.coordinate(code, factor, (i, j), At::Int(0))?;
            let mode = || Ok::<_, Refused>(("mode", code.attribute("array<i32: 0>")?));
            let row = code.op(("row", "cute.get"), &[coord], &[mode()?])?;
            let rows = code.op(("rows", "cute.get"), &[factor.extents], &[mode()?])?;
            code.op(("inside", "cute.elem_less"), &[row, rows], &[])
        })
    }

    /// Brings tile `tile` into `stage`.
    fn bring(&self, code: &Code<'c>, factors: [&Factor<'c>; 2], tile: Ssa<'c>, stage: At<'c>) -> Written<()> {
        for f in factors {
            self.bring_one(code, f, tile, stage, f.inside)?;
        }
        Ok(())
    }

    fn bring_one(
        &self,
        code: &Code<'c>,
        f: &Factor<'c>,
        tile: Ssa<'c>,
        stage: At<'c>,
        inside: Option<Ssa<'c>>,
    ) -> Written<()> {
        let from = code.slice("from", f.from, &[At::All, At::All, At::All, At::Value(tile)])?;
        let into = code.slice("into", f.into, &[At::All, At::All, At::All, stage])?;
        code.copy(f.bring, from, into, inside)
    }

    fn main_loop(&self, mma: Ssa<'c>, factors: [&Factor<'c>; 2], sums: Ssa<'c>) -> Written<()> {
        let (code, stages) = (&self.code, self.plan.stages);
        let tiles = code.size("tiles", factors[0].from, 3)?;
        let one = code.i32(1)?;

        // The last tile first: it may be partial.
        let some = code.compare("some", IntPredicate::Slt, code.i32(0)?, tiles)?;
        code.when(some, |code| {
            let last = code.binary(("last", "arith.subi"), tiles, one)?;
            for f in factors {
                let inside = match f.inside {
                    None => None,
                    Some(_) => Some(self.predicate(code, f.calls, f.calls, |code, i, j| {
                        let coord = self.coordinate(code, f, (i, j), At::Value(last))?;
                        code.op(("inside", "cute.elem_less"), &[coord, f.extents], &[])
                    })?),
                };
                self.bring_one(code, f, last, At::Int(0), inside)?;
            }
            Ok(())
        })?;
        self.commit(code)?;
        for stage in 1..stages - 1 {
            let there = code.compare("there", IntPredicate::Slt, code.i32(stage)?, tiles)?;
            code.when(there, |code| {
                let tile = code.i32(stage - 1)?;
                self.bring(code, factors, tile, At::Int(stage))
            })?;
            self.commit(code)?;
        }
        self.arrived(code)?;
        code.when(some, |code| self.load(code, factors, 0, At::Int(0)))?;

        // The complete iterations, in which every loaded tile exists.
        let zero = code.i32(0)?;
        let ahead = code.binary(("ahead", "arith.subi"), tiles, code.i32(stages - 1)?)?;
        let ahead = code.binary(("ahead", "arith.maxsi"), ahead, zero)?;
        let every = code.i32(stages)?;
        let rest = code.binary(("rest", "arith.remsi"), ahead, every)?;
        let steady = code.binary(("steady", "arith.subi"), ahead, rest)?;
        code.repeat("t", [zero, steady, every], &[], |code, t, _| {
            for stage in 0..stages {
                let ahead = code.binary(("tile", "arith.addi"), t, code.i32(stage + stages - 2)?)?;
                let [next, write] = [stage + 1, stage + stages - 1].map(|s| At::Int(s % stages));
                let turn = Turn { read: At::Int(stage), next, write, ahead, asks: None };
                self.turn(code, mma, factors, sums, &turn)?;
            }
            Ok(Vec::new())
        })?;
        let start = [zero, code.i32(stages - 1)?];
        code.repeat("t", [steady, tiles, one], &start, |code, t, stage| {
            let [read, write] = [0, 1].map(|i| stage[i]);
            let next = self.next_stage(code, read)?;
            let ahead = code.binary(("tile", "arith.addi"), t, code.i32(stages - 2)?)?;
            let upcoming = code.binary(("upcoming", "arith.addi"), ahead, one)?;
            let more = code.compare("more", IntPredicate::Slt, upcoming, tiles)?;
            let following = code.binary(("following", "arith.addi"), t, one)?;
            let goes_on = code.compare("goes_on", IntPredicate::Slt, following, tiles)?;
            let turn = Turn {
                read: At::Value(read),
                next: At::Value(next),
                write: At::Value(write),
                ahead,
                asks: Some([more, goes_on]),
            };
            self.turn(code, mma, factors, sums, &turn)?;
            Ok(vec![next, self.next_stage(code, write)?])
        })?;
        Ok(())
    }

    fn next_stage(&self, code: &Code<'c>, stage: Ssa<'c>) -> Written<Ssa<'c>> {
        let next = code.binary(("next", "arith.addi"), stage, code.i32(1)?)?;
        let wraps = code.compare("wraps", IntPredicate::Eq, next, code.i32(self.plan.stages)?)?;
        code.op(("stage", "arith.select"), &[wraps, code.i32(0)?, next], &[])
    }

    fn commit(&self, code: &Code<'c>) -> Written<()> {
        code.effect("nvvm.cp.async.commit.group", &[], &[])
    }

    /// Waits until all threads see every tile but the newest `stages - 2`.
    fn arrived(&self, code: &Code<'c>) -> Written<()> {
        let pending = code.attribute(&format!("{} : i32", self.plan.stages - 2))?;
        code.effect("nvvm.cp.async.wait.group", &[], &[("n", pending)])?;
        code.effect("nvvm.barrier0", &[], &[])
    }

    /// Registers of a k-block from shared memory.
    fn load(&self, code: &Code<'c>, factors: [&Factor<'c>; 2], block: i64, stage: At<'c>) -> Written<()> {
        for f in factors {
            let from = code.slice("from", f.read, &[f.values, At::All, At::Int(block), stage])?;
            let to = code.slice("to", f.loaded, &[f.values, At::All, At::Int(block)])?;
            code.copy(f.load, from, to, None)?;
        }
        Ok(())
    }

    /// Multiplies one K tile: the next k-block is loaded while this one is multiplied.
    fn turn(
        &self,
        code: &Code<'c>,
        mma: Ssa<'c>,
        factors: [&Factor<'c>; 2],
        sums: Ssa<'c>,
        turn: &Turn<'c>,
    ) -> Written<()> {
        let blocks = self.plan.tile[2] / self.plan.k;
        let asked = |code: &Code<'c>, i: usize, body: &dyn Fn(&Code<'c>) -> Written<()>| match turn.asks {
            Some(asks) => code.when(asks[i], |code| body(code)),
            None => body(code),
        };
        for block in 0..blocks {
            if block + 1 < blocks {
                self.load(code, factors, block + 1, turn.read)?;
            } else {
                self.arrived(code)?;
                asked(code, 1, &|code| self.load(code, factors, 0, turn.next))?;
            }
            if block == 0 {
                asked(code, 0, &|code| self.bring(code, factors, turn.ahead, turn.write))?;
                self.commit(code)?;
            }
            let [a, b] =
                factors.map(|f| code.slice("block", f.registers, &[At::All, At::All, At::Int(block)]));
            code.effect("cute.gemm", &[mma, sums, a?, b?, sums], &[])?;
        }
        Ok(())
    }
}
