//! The parts of a tile, one after the other: in straight code, or in a loop if a part takes many
//! instructions.

use cute_ffi::predicate::IntPredicate;

use super::{Epilogue, Output};
use crate::{
    code::{At, Code, Ssa, Written},
    gemm::raster::Place,
    tma::Boxes,
};

/// The number of a part: known, or counted by a loop.
#[derive(Clone, Copy)]
pub(in crate::gemm) enum Part<'c> {
    Known(i64),
    Counted(Ssa<'c>),
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
    fn odd(self, code: &Code<'c>) -> Written<Ssa<'c>> {
        match self {
            Self::Known(part) => code.i32(part % 2),
            Self::Counted(part) => code.binary(("odd", "arith.andi"), part, code.i32(1)?),
        }
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// The number of parts of a tile per group of four warps.
    pub fn parts(&self) -> i64 {
        self.problem.tile[0] / self.rows() / self.together * self.steps()
    }

    /// Asks for what the first part of a tile needs.
    pub fn begin(&self, code: &Code<'c>, out: &Output<'c>, tile: Place<'c>) -> Written<()> {
        if out.brought.is_none() {
            return Ok(());
        }
        let (at, slot) = self.part_at(code, out, tile, Part::Known(0))?;
        self.bring_part(code, out, at, slot)
    }

    /// Stores a tile of D, a part at a time; `take` loads its sums to registers. `parity` tells
    /// whether an odd number of tiles came before.
    pub fn store(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        at: (Place<'c>, Ssa<'c>),
        take: impl Fn(&Code<'c>, i64) -> Written<Ssa<'c>>,
    ) -> Written<()> {
        (0..self.parts())
            .try_for_each(|part| self.store_part(code, out, at, Part::Known(part), |code| take(code, part)))
    }

    /// Like `store`, for a tile in which each group of warps has one row of parts. Activations with
    /// many instructions are in a loop over the parts.
    pub fn store_row(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        at: (Place<'c>, Ssa<'c>),
        take: impl Fn(&Code<'c>, Part<'c>) -> Written<Ssa<'c>>,
    ) -> Written<()> {
        debug_assert_eq!(self.parts(), self.steps());
        let finish = self.problem.finish;
        if !finish.is_long() {
            return self.store(code, out, at, |code, part| take(code, Part::Known(part)));
        }
        if !finish.beta && self.parts() % 2 == 1 {
            // The last part of the tile before has the slot of the first part of this one.
            code.when(out.stores, |code| code.wait_for_stores(0))?;
        }
        let range = [code.i32(0)?, code.i32(self.parts())?, code.i32(1)?];
        code.repeat("part", range, &[], |code, part, _| {
            let part = Part::Counted(part);
            self.store_part(code, out, at, part, |code| take(code, part))?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// Runs `body` for the last part.
    pub fn at_last(
        &self,
        code: &Code<'c>,
        part: Part<'c>,
        body: impl FnOnce(&Code<'c>) -> Written<()>,
    ) -> Written<()> {
        match part {
            Part::Known(part) if part + 1 < self.parts() => Ok(()),
            Part::Known(_) => body(code),
            Part::Counted(part) => code.when(code.is("is_last", part, self.parts() - 1)?, body),
        }
    }

    /// The row and the column of a part of a tile, in parts, and its slot.
    fn part_at(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        tile: Place<'c>,
        part: Part<'c>,
    ) -> Written<(Place<'c>, Ssa<'c>)> {
        let ([m, n], steps) = (self.problem.tile, self.steps());
        let (down, step) = match part {
            Part::Known(part) => (part / steps * self.together, Part::Known(part % steps)),
            counted => (0, counted),
        };
        let moved = |name: &str, tile, parts: i64, by: Part<'c>| {
            let first = code.binary((name, "arith.muli"), tile, code.i32(parts)?)?;
            let by = match by {
                Part::Known(by) => code.i32(by)?,
                Part::Counted(by) => by,
            };
            code.binary((name, "arith.addi"), first, by)
        };
        let mut row = moved("row", tile.m, m / self.rows(), Part::Known(down))?;
        if self.together > 1 {
            row = code.binary(("row", "arith.addi"), row, out.group)?;
        }
        let slot = code.binary(("slot", "arith.addi"), out.first, part.odd(code)?)?;
        let columns = n / self.problem.numbers.columns();
        Ok((Place { m: row, n: moved("column", tile.n, columns, step)?, ..tile }, slot))
    }

    /// Asks for what the part after this one needs, if there is one.
    fn bring_next(&self, code: &Code<'c>, out: &Output<'c>, tile: Place<'c>, part: Part<'c>) -> Written<()> {
        if out.brought.is_none() {
            return Ok(());
        }
        let bring = |code: &Code<'c>, next| {
            let (at, slot) = self.part_at(code, out, tile, next)?;
            self.bring_part(code, out, at, slot)
        };
        match part {
            Part::Known(part) if part + 1 == self.parts() => Ok(()),
            Part::Known(part) => bring(code, Part::Known(part + 1)),
            Part::Counted(part) => {
                let last = code.i32(self.parts() - 1)?;
                let more = code.compare("more", IntPredicate::Slt, part, last)?;
                code.when(more, |code| {
                    let next = code.binary(("next", "arith.addi"), part, code.i32(1)?)?;
                    bring(code, Part::Counted(next))
                })
            }
        }
    }

    /// The parity of the phase in which the slot of a part is: it was used once per two parts
    /// before, in this tile and in each tile before.
    fn phase(&self, code: &Code<'c>, parity: Ssa<'c>, part: Part<'c>) -> Written<Ssa<'c>> {
        let parts = self.parts();
        let each = match part {
            Part::Known(part) => code.i32((parts - part % 2 + 1) / 2 % 2)?,
            Part::Counted(_) if parts % 2 == 0 => code.i32(parts / 2 % 2)?,
            Part::Counted(_) => {
                code.binary(("each", "arith.xori"), part.odd(code)?, code.i32((parts + 1) / 2 % 2)?)?
            }
        };
        let phase = code.binary(("phase", "arith.andi"), parity, each)?;
        let times = match part {
            Part::Known(part) => code.i32(part / 2 % 2)?,
            Part::Counted(part) => {
                let times = code.binary(("times", "arith.shrui"), part, code.i32(1)?)?;
                code.binary(("times", "arith.andi"), times, code.i32(1)?)?
            }
        };
        code.binary(("phase", "arith.xori"), phase, times)
    }

    /// Stores a part of D: its sums are rounded, written to its slot, and stored by the TMA.
    fn store_part(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        (tile, parity): (Place<'c>, Ssa<'c>),
        part: Part<'c>,
        take: impl FnOnce(&Code<'c>) -> Written<Ssa<'c>>,
    ) -> Written<()> {
        let finish = self.problem.finish;
        let columns = self.problem.numbers.columns();
        let (at, slot) = self.part_at(code, out, tile, part)?;
        self.bring_next(code, out, tile, part)?;
        let sums = take(code)?;
        if !finish.beta {
            // The slot was last stored two parts ago; for the first slot of a tile, one part ago if
            // the number of parts is odd.
            let is_first = matches!(part, Part::Known(0));
            let pending = i64::from(!is_first || self.parts() % 2 == 0);
            code.when(out.stores, |code| code.wait_for_stores(pending))?;
        }
        let phase = self.phase(code, parity, part)?;
        // If C or the bias is loaded, threads write to a slot from which others have read, so the
        // barrier follows the reads.
        let brings = finish.brings();
        if !brings {
            code.named_barrier(out.barrier, 128)?;
        }
        self.round(code, out, sums, (slot, phase))?;
        if brings {
            code.named_barrier(out.barrier, 128)?;
        }
        let own = code.slice("own", out.own, &[At::All, At::All, At::All, At::Value(slot)])?;
        code.copy(out.copy, out.retiled, own, None)?;
        code.fence_for_tma()?;
        code.named_barrier(out.barrier, 128)?;
        code.when(out.stores, |code| {
            let [atom, coords] = self.arguments.descriptors[2];
            for (at, _, from) in self.boxes(code, out, (at, slot))? {
                let coords = at.matrix(code, coords)?;
                let at = [At::Value(at.m), At::Value(at.n), At::All];
                let to = code.local_tile("to", coords, [self.rows(), columns, 1], &at, "(1,1,_)")?;
                Boxes::new(code, "boxes", atom, from, to)?.store(code)?;
            }
            code.commit_stores()
        })
    }
}
