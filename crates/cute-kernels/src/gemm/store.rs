//! From sums to D: rounded, through shared memory, stored by the TMA.
//!
//! Four warps have two slots of rows of 128 bytes: one is filled while the TMA reads the other.

use cute_algebra::MmaOperand;

use super::{
    finish::Brought,
    problem::{Arguments, Problem},
    raster::Place,
};
use crate::{
    code::{At, Code, Ssa, Written},
    tma::Boxes,
};

/// How four warps have the sums of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Registers {
    /// 64 rows, by pairs of columns, as wgmma leaves them.
    Pairs,
    /// 128 rows, one in each thread, as tensor memory has them.
    Rows,
    /// 64 rows, one in each thread of two warps; the other two have as many columns of the other half of a tile.
    Halves,
}

impl Registers {
    /// Rows of a slot.
    pub fn rows(self) -> i64 {
        if self == Self::Pairs { 64 } else { 128 }
    }

    /// Boxes of a slot, one above the other.
    pub fn boxes(self) -> i64 {
        if self == Self::Halves { 2 } else { 1 }
    }
}

/// Where in shared memory D goes through.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Parts of D, and of the bias, two for each four warps, and barriers of what is brought for them.
    pub slots: i64,
    pub biases: i64,
    pub brought: i64,
}

/// What sums are stored by.
pub(super) struct Epilogue<'a, 'c> {
    pub problem: &'a Problem,
    pub arguments: &'a Arguments<'c>,
    pub registers: Registers,
    pub room: Room,
    /// How often there are four warps that store, and how many of these share a tile.
    pub groups: i64,
    pub together: i64,
    pub memory: Ssa<'c>,
    /// The thread and the warp, of four.
    pub thread: Ssa<'c>,
    pub warp: Ssa<'c>,
}

/// The copies and views that four warps store a tile with.
pub(super) struct Output<'c> {
    /// All boxes, and the first slot of these warps.
    boxes: Ssa<'c>,
    first: Ssa<'c>,
    /// The copy from registers, what a thread writes of the slots, and registers of what it writes of one.
    copy: Ssa<'c>,
    own: Ssa<'c>,
    made: Ssa<'c>,
    /// `made` as the copy takes it.
    retiled: Ssa<'c>,
    /// Which four warps, their barrier, and whether the warp stores.
    group: Ssa<'c>,
    barrier: Ssa<'c>,
    pub stores: Ssa<'c>,
    /// How C and the bias are read.
    pub brought: Option<Brought<'c>>,
}

/// A copy between a slot and registers.
pub(super) enum Mover<'c> {
    /// By a tiled copy, in whose order registers are.
    Tiled(Ssa<'c>, bool),
    /// By an atom, as an MMA has its sums.
    Mma(Ssa<'c>, Ssa<'c>),
}

impl<'c> Mover<'c> {
    /// What `cute.copy` takes.
    pub fn copy(&self) -> Ssa<'c> {
        match self {
            Self::Tiled(copy, _) | Self::Mma(copy, _) => *copy,
        }
    }

    /// What a thread has of a view.
    pub fn part(&self, code: &Code<'c>, view: Ssa<'c>, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        match self {
            Self::Tiled(copy, true) => code.source("own", *copy, view, thread),
            Self::Tiled(copy, false) => code.destination("own", *copy, view, thread),
            Self::Mma(_, mma) => code.mma_partition("own", *mma, MmaOperand::C, view, thread),
        }
    }

    /// Registers as the copy takes them.
    pub fn retiled(&self, code: &Code<'c>, registers: Ssa<'c>) -> Written<Ssa<'c>> {
        match self {
            Self::Tiled(copy, _) => code.op(("retiled", "cute.tiled.copy.retile"), &[*copy, registers], &[]),
            Self::Mma(..) => Ok(registers),
        }
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// Rows of a box.
    pub fn rows(&self) -> i64 {
        self.registers.rows() / self.registers.boxes()
    }

    /// Sums of a part that a thread has.
    fn values(&self) -> i64 {
        self.registers.rows() * self.problem.numbers.columns() / 128
    }

    /// Columns of boxes in a tile for each box of a slot.
    fn steps(&self) -> i64 {
        self.problem.tile[1] / self.problem.numbers.columns() / self.registers.boxes()
    }

    /// Registers for what a thread has of a part.
    pub fn registers_of(&self, elem: &str, bits: i64) -> String {
        let layout = match self.registers {
            Registers::Pairs => pairs(self.problem.numbers.columns()),
            Registers::Rows | Registers::Halves => {
                let (columns, vector) = (self.problem.numbers.columns(), 128 / bits);
                format!("\"(({vector},{}),1,1):((1,{vector}),0,0)\"", columns / vector)
            }
        };
        format!("!cute.memref<{elem}, rmem, align<16>, {layout}>")
    }

    /// The copy of what a thread has of a part, from a slot where it `reads`.
    pub fn mover(&self, code: &Code<'c>, (elem, bits): (&str, i64), reads: bool) -> Written<Mover<'c>> {
        let columns = self.problem.numbers.columns();
        let made =
            |name: &str, text: &str| code.typed((name, "cute.make_atom"), &[], code.parse_type(text)?, &[]);
        if self.registers != Registers::Pairs {
            let rows = self.registers.rows();
            let atom = format!("!cute_nvgpu.atom.universal_copy<{elem}, 128 b>");
            let t = format!(
                "!cute.tiled_copy<{atom}, layout_copy_tv = <\"({rows},{columns}):(1,{rows})\">, tiler_mn = <\"[{rows}:1;{columns}:1]\">>"
            );
            let copy =
                code.tiled("rows", "cute.make_tiled_copy", code.parse_type(&t)?, code.parse_type(&atom)?)?;
            return Ok(Mover::Tiled(copy, reads));
        }
        // Sums of floats and integers lie alike.
        let atom = format!(
            "!cute_nvgpu.sm90.mma<64x{columns}x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>"
        );
        let mma = format!("!cute.tiled_mma<{atom}, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>");
        let no = code.number("no", code.parse_type("i1")?, 0)?;
        let atom = code.typed(("atom", "cute.make_atom"), &[no], code.parse_type(&atom)?, &[])?;
        let mma = code.typed(("mma", "cute.make_tiled_mma"), &[atom], code.parse_type(&mma)?, &[])?;
        if bits == 16 {
            let matrices = if reads {
                format!("ldsm<val_type = {elem}, mode = <\"(8,8)\">, sz_pattern = u16, num_matrices = 4, n>")
            } else {
                format!("stsm<{elem}, mode = <\"(8,8)\">, num_matrices = 4, n>")
            };
            let atom = made("matrices", &format!("!cute_nvgpu.atom.{matrices}"))?;
            return Ok(Mover::Tiled(code.op(("tiled", "cute.make_tiled_copy_C"), &[atom, mma], &[])?, reads));
        }
        // The two neighbours that a thread has of a row.
        let pair = format!("!cute_nvgpu.atom.universal_copy<{elem}, {} b>", 2 * bits);
        Ok(Mover::Mma(made("pair", &pair)?, mma))
    }

    /// Sets the counts of the barriers of what is brought, by one thread.
    pub fn init(&self, code: &Code<'c>) -> Written<()> {
        if !self.problem.finish.brings() {
            return Ok(());
        }
        let first = code.barriers("brought", self.memory, self.room.brought)?;
        let range = [code.i32(0)?, code.i32(2 * self.groups)?, code.i32(1)?];
        code.repeat("slot", range, &[], |code, slot, _| {
            code.init_barrier(code.barrier_at("brought", first, slot)?, 1)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The views of the warps of number `group`.
    pub fn output(&self, code: &Code<'c>, group: Ssa<'c>) -> Written<Output<'c>> {
        let n = &self.problem.numbers;
        let (sums, count) = (&self.problem.sums, 2 * self.groups);
        let view = |text: String| code.view("sD", self.memory, self.room.slots, code.parse_type(&text)?);
        let slots = view(sums.with_rows(self.registers.rows()).view(Some(count)))?;
        let boxes = match self.registers.boxes() {
            1 => slots,
            boxes => view(sums.view(Some(count * boxes)))?,
        };
        let thread = code.index(self.thread)?;
        let made = code.parse_type(&self.registers_of(n.out, n.out_bits))?;
        let made = code.typed(("made", "cute.memref.alloca"), &[], made, &[])?;
        let mover = self.mover(code, (n.out, n.out_bits), false)?;
        let (own, retiled) = (mover.part(code, slots, thread)?, mover.retiled(code, made)?);
        let two = code.i32(2)?;
        Ok(Output {
            boxes,
            first: code.binary(("first", "arith.muli"), group, two)?,
            copy: mover.copy(),
            own,
            made,
            retiled,
            group,
            barrier: code.binary(("barrier", "arith.addi"), group, code.i32(1)?)?,
            stores: code.is("stores", self.warp, 0)?,
            brought: self.brought(code, slots, thread)?,
        })
    }

    /// The row and the column of a part of a tile, in parts, and its slot.
    fn part_at(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        tile: Place<'c>,
        part: i64,
    ) -> Written<(Place<'c>, Ssa<'c>)> {
        let ([m, n], steps) = (self.problem.tile, self.steps());
        let (down, step) = (part / steps * self.together, part % steps);
        let moved = |name: &str, tile, parts: i64, by: i64| {
            let first = code.binary((name, "arith.muli"), tile, code.i32(parts)?)?;
            code.binary((name, "arith.addi"), first, code.i32(by)?)
        };
        let mut row = moved("row", tile.m, m / self.rows(), down)?;
        if self.together > 1 {
            row = code.binary(("row", "arith.addi"), row, out.group)?;
        }
        let slot = code.binary(("slot", "arith.addi"), out.first, code.i32(part % 2)?)?;
        let columns = n / self.problem.numbers.columns();
        Ok((Place { m: row, n: moved("column", tile.n, columns, step)?, ..tile }, slot))
    }

    /// The boxes of a part: their places in parts, and where they are in shared memory.
    pub fn boxes(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        (part, slot): (Place<'c>, Ssa<'c>),
    ) -> Written<Vec<(Place<'c>, Ssa<'c>, Ssa<'c>)>> {
        let boxes = self.registers.boxes();
        (0..boxes)
            .map(|i| {
                let (mut at, mut number) = (part, slot);
                if boxes > 1 {
                    at.n = code.binary(("column", "arith.addi"), at.n, code.i32(i * self.steps())?)?;
                    let first = code.binary(("box", "arith.muli"), slot, code.i32(boxes)?)?;
                    number = code.binary(("box", "arith.addi"), first, code.i32(i)?)?;
                }
                Ok((at, number, code.slice("slot", out.boxes, &[At::All, At::All, At::Value(number)])?))
            })
            .collect()
    }

    /// Asks for what the first part of a tile needs.
    pub fn begin(&self, code: &Code<'c>, out: &Output<'c>, tile: Place<'c>) -> Written<()> {
        if out.brought.is_none() {
            return Ok(());
        }
        let (at, slot) = self.part_at(code, out, tile, 0)?;
        self.bring_part(code, out, at, slot)
    }

    /// How many parts a tile has for four warps.
    pub fn parts(&self) -> i64 {
        self.problem.tile[0] / self.rows() / self.together * self.steps()
    }

    /// Stores a tile of D of the sums that `take` brings to registers, a part at a time; `parity` says whether an odd number of tiles
    /// came before.
    pub fn store(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        (tile, parity): (Place<'c>, Ssa<'c>),
        take: impl Fn(&Code<'c>, i64) -> Written<Ssa<'c>>,
    ) -> Written<()> {
        let finish = self.problem.finish;
        let columns = self.problem.numbers.columns();
        let parts = self.parts();
        for part in 0..parts {
            let (at, slot) = self.part_at(code, out, tile, part)?;
            if out.brought.is_some() && part + 1 < parts {
                let (next, its_slot) = self.part_at(code, out, tile, part + 1)?;
                self.bring_part(code, out, next, its_slot)?;
            }
            let sums = take(code, part)?;
            if !finish.beta {
                // The slot was stored the time before last; the first one of a tile the last time, where parts are odd.
                let pending = i64::from(part > 0 || parts % 2 == 0);
                code.when(out.stores, |code| code.wait_for_stores(pending))?;
            }
            // How often the slot was used in this tile, and in each before.
            let (times, each) = (part / 2, (parts - part % 2 + 1) / 2);
            let phase = code.binary(("phase", "arith.andi"), parity, code.i32(each % 2)?)?;
            let phase = code.binary(("phase", "arith.xori"), phase, code.i32(times % 2)?)?;
            // Where C or the bias was brought, threads write to a slot what others have read from it: the barrier is behind the reads.
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
            })?;
        }
        Ok(())
    }

    /// Some of the sums, as elements of D.
    fn round(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        mut values: Ssa<'c>,
        (slot, phase): (Ssa<'c>, Ssa<'c>),
    ) -> Written<()> {
        let n = &self.problem.numbers;
        if !self.problem.finish.is_none() {
            values = self.finish(code, out, values, slot, phase)?;
        }
        // Two elements of 16 bits are rectified by one instruction, those of 8 bits by none.
        let narrow = n.out_bits < 16;
        if narrow {
            values = self.rectified(code, values)?;
        }
        if n.out != n.sum {
            let t = code.parse_type(&format!("vector<{}x{}>", self.values(), n.out))?;
            values = code.typed(("rounded", "arith.truncf"), &[values], t, &[])?;
        }
        if !narrow {
            values = self.rectified(code, values)?;
        }
        code.effect("cute.memref.store_vec", &[values, out.made], &[])
    }
}

/// The layout of what a thread has of so many columns, by pairs.
pub(super) fn pairs(columns: i64) -> String {
    format!("\"((2,2,{}),1,1):((1,2,4),0,0)\"", columns / 8)
}
