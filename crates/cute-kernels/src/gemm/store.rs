//! From sums to D: round them, write them to shared memory, store them by the TMA.
//!
//! Four warps have two slots of rows of 128 bytes: one is filled while the TMA reads the other.

mod parts;

use cute_algebra::MmaOperand;

use super::{
    finish::Brought,
    problem::{Arguments, Problem},
    raster::Place,
};
use crate::code::{At, Code, Ssa, Written};

/// How the sums of a part are distributed over four warps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Registers {
    /// 64 rows, by pairs of columns, as wgmma leaves them.
    Pairs,
    /// 128 rows, one per thread, as tensor memory has them.
    Rows,
    /// 64 rows, one in each thread of two warps; the other two warps have the same number of
    /// columns of the other half of a tile.
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

/// The place in shared memory through which D is stored.
#[derive(Clone, Copy)]
pub(super) struct Room {
    /// Parts of D, and of the bias, two per group of four warps, and the barriers of the loads for
    /// them.
    pub slots: i64,
    pub biases: i64,
    pub brought: i64,
}

/// The values that the stores use.
pub(super) struct Epilogue<'a, 'c> {
    pub problem: &'a Problem,
    pub arguments: &'a Arguments<'c>,
    pub registers: Registers,
    pub room: Room,
    /// The number of groups of four storing warps, and how many of these share a tile.
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
    /// The copy from registers, the thread's part of the slots, and registers for its part of one
    /// slot.
    copy: Ssa<'c>,
    own: Ssa<'c>,
    made: Ssa<'c>,
    /// `made` in the form that the copy takes.
    retiled: Ssa<'c>,
    /// The number of the group of four warps, its barrier, and whether the warp stores.
    group: Ssa<'c>,
    barrier: Ssa<'c>,
    pub stores: Ssa<'c>,
    /// The reads of C and the bias.
    pub brought: Option<Brought<'c>>,
}

/// A copy between a slot and registers.
pub(super) enum Mover<'c> {
    /// By a tiled copy, which determines the order of the registers.
    Tiled(Ssa<'c>, bool),
    /// By an atom, in the order of the MMA's sums.
    Mma(Ssa<'c>, Ssa<'c>),
}

impl<'c> Mover<'c> {
    /// The operand of `cute.copy`.
    pub fn copy(&self) -> Ssa<'c> {
        match self {
            Self::Tiled(copy, _) | Self::Mma(copy, _) => *copy,
        }
    }

    /// The thread's part of a view.
    pub fn part(&self, code: &Code<'c>, view: Ssa<'c>, thread: Ssa<'c>) -> Written<Ssa<'c>> {
        match self {
            Self::Tiled(copy, true) => code.source("own", *copy, view, thread),
            Self::Tiled(copy, false) => code.destination("own", *copy, view, thread),
            Self::Mma(_, mma) => code.mma_partition("own", *mma, MmaOperand::C, view, thread),
        }
    }

    /// Registers in the form that the copy takes.
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

    /// The number of sums of a part per thread.
    pub fn values(&self) -> i64 {
        self.registers.rows() * self.problem.numbers.columns() / 128
    }

    /// Columns of boxes in a tile for each box of a slot.
    fn steps(&self) -> i64 {
        self.problem.tile[1] / self.problem.numbers.columns() / self.registers.boxes()
    }

    /// Registers for a thread's share of a part.
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

    /// The copy of a thread's share of a part to a slot, or from it if it `reads`.
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
        // The two adjacent elements that a thread has of a row.
        let pair = format!("!cute_nvgpu.atom.universal_copy<{elem}, {} b>", 2 * bits);
        Ok(Mover::Mma(made("pair", &pair)?, mma))
    }

    /// Sets the counts of the barriers of loads, by one thread.
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
        // One instruction applies relu to two elements of 16 bits; elements of 8 bits have no such
        // instruction.
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

/// The layout of a thread's elements of this number of columns, by pairs.
pub(super) fn pairs(columns: i64) -> String {
    format!("\"((2,2,{}),1,1):((1,2,4),0,0)\"", columns / 8)
}
