//! The parts of a tile, one after the other: in straight code, or in a loop if a part takes many
//! instructions.

use cute_build::IntPredicate;

use super::{Epilogue, Output};
use crate::{
    At, Builder, Built, Value, barriers,
    gemm::raster::Place,
    tma::{self, TileBoxes},
};

/// The number of a part: known, or counted by a loop.
#[derive(Clone, Copy)]
pub(in crate::gemm) enum Part<'c> {
    Known(i64),
    Counted(Value<'c>),
}

impl<'c> Part<'c> {
    /// The number as a mode of a coordinate.
    pub fn at(self) -> At<'c> {
        match self {
            Self::Known(part) => At::Int(part),
            Self::Counted(part) => At::Value(part),
        }
    }

    /// 1 for odd parts, 0 for even ones.
    fn odd(self, code: &Builder<'c>) -> Built<Value<'c>> {
        match self {
            Self::Known(part) => code.i32(part % 2),
            Self::Counted(part) => code.named("odd").and(part, code.i32(1)?),
        }
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// The number of parts of a tile per group of four warps.
    pub fn parts(&self) -> i64 {
        self.problem.tile[0] / self.rows() / self.together[0] * self.steps()
    }

    /// Asks for what the first part of a tile needs.
    pub fn begin(&self, code: &Builder<'c>, out: &Output<'c>, tile: Place<'c>) -> Built<()> {
        if out.loaded.is_none() {
            return Ok(());
        }
        let (at, slot) = self.part_at(code, out, tile, Part::Known(0))?;
        self.load_part(code, out, at, slot)
    }

    /// Stores a tile of D, a part at a time; `take` loads its accumulators to registers. `parity`
    /// tells whether an odd number of tiles came before.
    pub fn store(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        at: (Place<'c>, Value<'c>),
        take: impl Fn(&Builder<'c>, i64) -> Built<Value<'c>>,
    ) -> Built<()> {
        (0..self.parts())
            .try_for_each(|part| self.store_part(code, out, at, Part::Known(part), |code| take(code, part)))
    }

    /// Like `store`, for a tile in which each group of warps has one row of parts. Activations with
    /// many instructions are in a loop over the parts.
    pub fn store_row(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        at: (Place<'c>, Value<'c>),
        take: impl Fn(&Builder<'c>, Part<'c>) -> Built<Value<'c>>,
    ) -> Built<()> {
        debug_assert_eq!(self.parts(), self.steps());
        let finish = self.problem.finish;
        if !finish.is_long() {
            return self.store(code, out, at, |code, part| take(code, Part::Known(part)));
        }
        if !finish.beta && self.parts() % 2 == 1 {
            // The last part of the tile before has the slot of the first part of this one.
            code.if_then(out.stores, |code| tma::wait_for_stores(code, 0))?;
        }
        let range = [code.i32(0)?, code.i32(self.parts())?, code.i32(1)?];
        code.named("part").for_range(range, &[], |code, part, _| {
            let part = Part::Counted(part);
            self.store_part(code, out, at, part, |code| take(code, part))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Runs `body` for the last part.
    pub fn at_last(
        &self,
        code: &Builder<'c>,
        part: Part<'c>,
        body: impl FnOnce(&Builder<'c>) -> Built<()>,
    ) -> Built<()> {
        match part {
            Part::Known(part) if part + 1 < self.parts() => Ok(()),
            Part::Known(_) => body(code),
            Part::Counted(part) => code.if_then(code.named("is_last").is(part, self.parts() - 1)?, body),
        }
    }

    /// The row and the column of a part of a tile, in parts, and its slot.
    fn part_at(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        tile: Place<'c>,
        part: Part<'c>,
    ) -> Built<(Place<'c>, Value<'c>)> {
        let ([m, n], steps) = (self.problem.tile, self.steps());
        let (down, step) = match part {
            Part::Known(part) => (part / steps * self.together[0], Part::Known(part % steps)),
            counted => (0, counted),
        };
        let moved = |name: &str, tile, parts: i64, by: Part<'c>| {
            let first = code.named(name).mul(tile, code.i32(parts)?)?;
            let by = match by {
                Part::Known(by) => code.i32(by)?,
                Part::Counted(by) => by,
            };
            code.named(name).add(first, by)
        };
        let mut row = moved("row", tile.m, m / self.rows(), Part::Known(down))?;
        let columns = n / self.problem.numbers.columns();
        let mut column = moved("column", tile.n, columns, step)?;
        let [along_m, along_n] = self.together;
        let (mut below, mut beside) = (out.group, out.group);
        if along_m > 1 && along_n > 1 {
            below = code.named("below").rem_unsigned(out.group, code.i32(along_m)?)?;
            beside = code.named("beside").div_unsigned(out.group, code.i32(along_m)?)?;
        }
        if along_m > 1 {
            row = code.named("row").add(row, below)?;
        }
        if along_n > 1 {
            let first = code.named("first").mul(beside, code.i32(steps)?)?;
            column = code.named("column").add(column, first)?;
        }
        let slot = code.named("slot").add(out.first, part.odd(code)?)?;
        Ok((Place { m: row, n: column, ..tile }, slot))
    }

    /// Asks for what the part after this one needs, if there is one.
    fn load_next(&self, code: &Builder<'c>, out: &Output<'c>, tile: Place<'c>, part: Part<'c>) -> Built<()> {
        if out.loaded.is_none() {
            return Ok(());
        }
        let load = |code: &Builder<'c>, next| {
            let (at, slot) = self.part_at(code, out, tile, next)?;
            self.load_part(code, out, at, slot)
        };
        match part {
            Part::Known(part) if part + 1 == self.parts() => Ok(()),
            Part::Known(part) => load(code, Part::Known(part + 1)),
            Part::Counted(part) => {
                let last = code.i32(self.parts() - 1)?;
                let more = code.named("more").compare(IntPredicate::Slt, part, last)?;
                code.if_then(more, |code| {
                    let next = code.named("next").add(part, code.i32(1)?)?;
                    load(code, Part::Counted(next))
                })
            }
        }
    }

    /// The parity of the phase in which the slot of a part is: it was used once per two parts
    /// before, in this tile and in each tile before.
    fn phase(&self, code: &Builder<'c>, parity: Value<'c>, part: Part<'c>) -> Built<Value<'c>> {
        let parts = self.parts();
        let each = match part {
            Part::Known(part) => code.i32((parts - part % 2 + 1) / 2 % 2)?,
            Part::Counted(_) if parts % 2 == 0 => code.i32(parts / 2 % 2)?,
            Part::Counted(_) => code.named("each").xor(part.odd(code)?, code.i32((parts + 1) / 2 % 2)?)?,
        };
        let phase = code.named("phase").and(parity, each)?;
        let times = match part {
            Part::Known(part) => code.i32(part / 2 % 2)?,
            Part::Counted(part) => {
                let times = code.named("times").shift_right_unsigned(part, code.i32(1)?)?;
                code.named("times").and(times, code.i32(1)?)?
            }
        };
        code.named("phase").xor(phase, times)
    }

    /// Stores a part of D: its accumulators are rounded, written to its slot, and stored by the
    /// TMA.
    fn store_part(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        (tile, parity): (Place<'c>, Value<'c>),
        part: Part<'c>,
        take: impl FnOnce(&Builder<'c>) -> Built<Value<'c>>,
    ) -> Built<()> {
        let finish = self.problem.finish;
        let columns = self.problem.numbers.columns();
        let (at, slot) = self.part_at(code, out, tile, part)?;
        self.load_next(code, out, tile, part)?;
        let accumulators = take(code)?;
        if !finish.beta {
            // The slot was last stored two parts ago; for the first slot of a tile, one part ago if
            // the number of parts is odd.
            let is_first = matches!(part, Part::Known(0));
            let pending = i32::from(!is_first || self.parts() % 2 == 0);
            code.if_then(out.stores, |code| tma::wait_for_stores(code, pending))?;
        }
        let phase = self.phase(code, parity, part)?;
        // If C or the bias is loaded, threads write to a slot from which others have read, so the
        // barrier follows the reads.
        let loads = finish.loads();
        if !loads {
            barriers::named_barrier(code, out.barrier, 128)?;
        }
        self.round(code, out, accumulators, at, (slot, phase))?;
        if loads {
            barriers::named_barrier(code, out.barrier, 128)?;
        }
        let own = code.named("own").slice(out.own, &[At::All, At::All, At::All, At::Value(slot)])?;
        code.copy(out.copy, out.retiled, own)?;
        barriers::fence_for_tma(code)?;
        barriers::named_barrier(code, out.barrier, 128)?;
        code.if_then(out.stores, |code| {
            let [atom, coords] = self.arguments.descriptors[2];
            for (at, _, from) in self.boxes(code, out, (at, slot))? {
                let coords = at.matrix(code, coords)?;
                let at = [At::Value(at.m), At::Value(at.n), At::All];
                let to =
                    code.named("to").local_tile(coords, [self.rows(), columns, 1], &at, Some("(1,1,_)"))?;
                TileBoxes::new(code, "boxes", atom, from, to)?.store(code)?;
            }
            tma::commit_stores(code)
        })
    }
}
