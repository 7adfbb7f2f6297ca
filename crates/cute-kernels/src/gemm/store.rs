//! From accumulators to D: round them, write them to shared memory, store them by the TMA.
//!
//! Four warps have two slots of rows of 128 bytes: one is filled while the TMA reads the other.

mod factors;
mod parts;

use cute_algebra::{Layout, MmaOperand};
use cute_arch::Element;
use cute_build::{
    atoms::{self, MmaOptions},
    types::{self, Space},
};
use melior::{Context, ir::Type};

use super::{
    finish::Loaded,
    problem::{Arguments, Problem},
    raster::Place,
};
use crate::{At, Builder, Built, Value, barriers, tiling::strided, tma::SharedTile};

/// How the accumulators of a part are distributed over four warps.
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
    pub loaded: i64,
}

/// The values that the stores use.
pub(super) struct Epilogue<'a, 'c> {
    pub problem: &'a Problem,
    pub arguments: &'a Arguments<'c>,
    pub registers: Registers,
    pub room: Room,
    /// The number of groups of four storing warps, and how many of these share a tile along M and
    /// along N. Neighbouring groups are neighbours along M.
    pub groups: i64,
    pub together: [i64; 2],
    pub memory: Value<'c>,
    /// The thread and the warp, of four.
    pub thread: Value<'c>,
    pub warp: Value<'c>,
}

/// The copies and views that four warps store a tile with.
pub(super) struct Output<'c> {
    /// All boxes, and the first slot of these warps.
    boxes: Value<'c>,
    first: Value<'c>,
    /// The copy from registers, the thread's part of the slots, and registers for its part of one
    /// slot.
    copy: Value<'c>,
    own: Value<'c>,
    made: Value<'c>,
    /// `made` in the form that the copy takes.
    retiled: Value<'c>,
    /// The number of the group of four warps, its barrier, and whether the warp stores.
    group: Value<'c>,
    barrier: Value<'c>,
    pub stores: Value<'c>,
    /// The reads of C and the bias.
    pub loaded: Option<Loaded<'c>>,
}

/// A copy between a slot and registers.
pub(super) enum Mover<'c> {
    /// By a tiled copy, which determines the order of the registers.
    Tiled(Value<'c>, bool),
    /// By an atom, in the order of the MMA's accumulators.
    Mma(Value<'c>, Value<'c>),
}

impl<'c> Mover<'c> {
    /// The operand of `cute.copy`.
    pub fn copy(&self) -> Value<'c> {
        match self {
            Self::Tiled(copy, _) | Self::Mma(copy, _) => *copy,
        }
    }

    /// The thread's part of a view.
    pub fn part(&self, code: &Builder<'c>, view: Value<'c>, thread: Value<'c>) -> Built<Value<'c>> {
        match self {
            Self::Tiled(copy, true) => code.named("own").partition_s(*copy, view, thread),
            Self::Tiled(copy, false) => code.named("own").partition_d(*copy, view, thread),
            Self::Mma(_, mma) => code.named("own").mma_partition(*mma, MmaOperand::C, view, thread),
        }
    }

    /// Registers in the form that the copy takes.
    pub fn retiled(&self, code: &Builder<'c>, registers: Value<'c>) -> Built<Value<'c>> {
        match self {
            Self::Tiled(copy, _) => code.named("retiled").retile(*copy, registers),
            Self::Mma(..) => Ok(registers),
        }
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// Rows of a box.
    pub fn rows(&self) -> i64 {
        self.registers.rows() / self.registers.boxes()
    }

    /// The number of accumulators of a part per thread.
    pub fn values(&self) -> i64 {
        self.registers.rows() * self.problem.numbers.columns() / 128
    }

    /// Columns of boxes in a group's share of a tile for each box of a slot.
    fn steps(&self) -> i64 {
        self.problem.tile[1] / self.problem.numbers.columns() / self.registers.boxes() / self.together[1]
    }

    /// Registers for a thread's share of a part.
    pub fn registers_of<'m>(&self, context: &'m Context, elem: Element) -> Built<Type<'m>> {
        let columns = self.problem.numbers.columns();
        let layout = match self.registers {
            Registers::Pairs => pairs(columns)?,
            Registers::Rows | Registers::Halves => {
                let vector = 128 / i64::from(elem.bits());
                part_of(strided([vector, columns / vector], [1, vector])?)
            }
        };
        types::pointer(types::element(context, elem)?, Space::Rmem).align(16).memref(layout)
    }

    /// The copy of a thread's share of a part to a slot, or from it if it `reads`.
    pub fn mover(&self, code: &Builder<'c>, elem: Element, reads: bool) -> Built<Mover<'c>> {
        let (context, columns) = (code.context(), self.problem.numbers.columns());
        let (t, bits) = (types::element(context, elem)?, i64::from(elem.bits()));
        if self.registers != Registers::Pairs {
            let rows = self.registers.rows();
            let access = atoms::universal_copy(t, 128)?;
            let copy = atoms::tiled_copy_tv(access, strided([rows, columns], [1, rows])?, [rows, columns])?;
            return Ok(Mover::Tiled(code.named("rows").tiled_copy(&copy)?, reads));
        }
        // Accumulators of floats and integers lie alike.
        let [f16, f32] = [Element::F16, Element::F32].map(|elem| types::element(context, elem));
        let (f16, f32) = (f16?, f32?);
        let mma = atoms::wgmma([64, columns, 16], [f16, f16, f32], MmaOptions::default())?;
        let mma = atoms::plain_mma(mma, strided([1; 3], [0; 3])?)?;
        let no = code.named("no").truth(false)?;
        let mma = code.named("mma").tiled_mma(&mma, &[no])?;
        if bits == 16 {
            let atom = if reads { atoms::ldmatrix(t, 4, false) } else { atoms::stmatrix(t, 4, false) };
            let atom = code.named("matrices").atom(atom?)?;
            return Ok(Mover::Tiled(code.named("tiled").tiled_copy_of(MmaOperand::C, atom, mma)?, reads));
        }
        // The two adjacent elements that a thread has of a row.
        let pair = atoms::universal_copy(t, 2 * bits)?;
        Ok(Mover::Mma(code.named("pair").atom(pair)?, mma))
    }

    /// Sets the counts of the barriers of loads, by one thread.
    pub fn init(&self, code: &Builder<'c>) -> Built<()> {
        if !self.problem.finish.loads() {
            return Ok(());
        }
        let first = barriers::barriers(&code.named("brought"), self.memory, self.room.loaded)?;
        let range = [code.i32(0)?, code.i32(2 * self.groups)?, code.i32(1)?];
        code.named("slot").for_range(range, &[], |code, slot, _| {
            barriers::init_barrier(code, code.named("brought").add_offset(first, slot)?, 1)?;
            Ok(Vec::new())
        })?;
        Ok(())
    }

    /// The views of the warps of number `group`.
    pub fn output(&self, code: &Builder<'c>, group: Value<'c>) -> Built<Output<'c>> {
        let n = &self.problem.numbers;
        let (out_tile, count) = (&self.problem.out_tile, 2 * self.groups);
        let view = |tile: &SharedTile, count| {
            code.named("sD").view(self.memory, self.room.slots, tile.view(code.context(), Some(count))?)
        };
        let slots = view(&out_tile.with_rows(self.registers.rows()), count)?;
        let boxes = match self.registers.boxes() {
            1 => slots,
            boxes => view(out_tile, count * boxes)?,
        };
        let thread = code.index(self.thread)?;
        let made = code.named("made").alloca(self.registers_of(code.context(), n.out)?)?;
        let mover = self.mover(code, n.out, false)?;
        let (own, retiled) = (mover.part(code, slots, thread)?, mover.retiled(code, made)?);
        let two = code.i32(2)?;
        Ok(Output {
            boxes,
            first: code.named("first").mul(group, two)?,
            copy: mover.copy(),
            own,
            made,
            retiled,
            group,
            barrier: code.named("barrier").add(group, code.i32(1)?)?,
            stores: code.named("stores").is(self.warp, 0)?,
            loaded: self.loaded(code, slots, thread)?,
        })
    }

    /// The boxes of a part: their places in parts, and where they are in shared memory.
    pub fn boxes(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        (part, slot): (Place<'c>, Value<'c>),
    ) -> Built<Vec<(Place<'c>, Value<'c>, Value<'c>)>> {
        let boxes = self.registers.boxes();
        (0..boxes)
            .map(|i| {
                let (mut at, mut number) = (part, slot);
                if boxes > 1 {
                    at.n = code.named("column").add(at.n, code.i32(i * self.steps())?)?;
                    let first = code.named("box").mul(slot, code.i32(boxes)?)?;
                    number = code.named("box").add(first, code.i32(i)?)?;
                }
                Ok((at, number, code.named("slot").slice(out.boxes, &[At::All, At::All, At::Value(number)])?))
            })
            .collect()
    }

    /// Some of the accumulators, as elements of the part of D at a place.
    fn round(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        mut values: Value<'c>,
        at: Place<'c>,
        (slot, phase): (Value<'c>, Value<'c>),
    ) -> Built<()> {
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
        if let (Some(format), Some(factors)) = (n.quantized, self.arguments.factors) {
            values = self.quantized(code, values, (format, factors), at)?;
        }
        if n.out != n.accumulator {
            let t = Type::vector(&[self.values() as u64], types::element(code.context(), n.out)?);
            values = code.named("rounded").typed("arith.truncf", &[values], t, &[])?;
        }
        if !narrow {
            values = self.rectified(code, values)?;
        }
        code.store_vec(values, out.made)
    }
}

/// The layout of a thread's elements of this number of columns, by pairs.
pub(super) fn pairs(columns: i64) -> Built<Layout<i64>> {
    Ok(part_of(strided([2, 2, columns / 8], [1, 2, 4])?))
}

/// A thread's elements as its part of a tile, which consists of one atom.
pub(super) fn part_of(values: Layout<i64>) -> Layout<i64> {
    let one = || Layout::unit();
    Layout::from_modes([values, one(), one()])
}
