//! Operations on the sums before they are rounded: `act(alpha AB + beta C + bias)`, chosen when the
//! kernel is built.
//!
//! The TMA loads C and the bias one part ahead of the sums; those of the first part arrive while
//! the tile is multiplied. A part of C is loaded to the slot of D, and the bias of its columns
//! behind the slots.

use super::{
    activation::Activation,
    raster::Place,
    store::{Epilogue, Output},
    types::{Numbers, rule},
};
use crate::{
    Error,
    code::{At, Code, Ssa, Written},
    tma::Boxes,
};

/// The operations on the sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finish {
    /// Whether they are scaled by alpha.
    pub alpha: bool,
    /// Whether beta C is added.
    pub beta: bool,
    /// Whether a vector of f32 along N is added.
    pub bias: bool,
    pub activation: Option<Activation>,
}

impl Finish {
    /// These operations on sums of a type.
    ///
    /// # Errors
    /// Integers, which are stored as they are.
    pub fn of(self, numbers: &Numbers) -> Result<Self, Error> {
        rule(numbers.sum == "f32" || self.is_none(), || {
            "alpha, beta, a bias and activations of sums of i32: not supported; take D = A B^T, or floats"
                .into()
        })?;
        Ok(self)
    }

    /// Whether they need anything that the TMA loads.
    pub fn brings(&self) -> bool {
        self.beta || self.bias
    }

    /// Bytes of the bias for this number of columns.
    pub fn bias_bytes(&self, columns: i64) -> i64 {
        if self.bias { 4 * columns } else { 0 }
    }

    /// Whether an element takes enough instructions for a loop to be better.
    pub fn is_long(&self) -> bool {
        self.activation.is_some_and(Activation::is_long)
    }

    pub fn is_none(&self) -> bool {
        !self.alpha && !self.brings() && self.activation.is_none()
    }
}

/// The kernel's arguments for these operations.
#[derive(Default)]
pub(super) struct Given<'c> {
    pub alpha: Option<Ssa<'c>>,
    pub beta: Option<Ssa<'c>>,
    /// Descriptors and tensors of coordinates.
    pub c: Option<[Ssa<'c>; 2]>,
    pub bias: Option<[Ssa<'c>; 2]>,
}

/// How threads read C and the bias from shared memory.
pub(super) struct Brought<'c> {
    /// The barriers that count bytes, one for each slot.
    barriers: Ssa<'c>,
    c: Option<Read<'c>>,
    /// The bias, and its slots.
    bias: Option<(Read<'c>, Ssa<'c>)>,
}

/// A read from shared memory by a thread.
#[derive(Clone, Copy)]
struct Read<'c> {
    /// The copy, and the thread's part of the slots.
    copy: Ssa<'c>,
    own: Ssa<'c>,
    /// Registers for one part, and the same in the form that the copy takes.
    registers: Ssa<'c>,
    loaded: Ssa<'c>,
}

impl<'c> Read<'c> {
    fn from(&self, code: &Code<'c>, slot: Ssa<'c>) -> Written<Ssa<'c>> {
        let own = code.slice("own", self.own, &[At::All, At::All, At::All, At::Value(slot)])?;
        code.copy(self.copy, own, self.loaded, None)?;
        code.op(("old", "cute.memref.load_vec"), &[self.registers], &[])
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// The reads of C and the bias from the slots, if there are any; `thread` is a coordinate.
    pub fn brought(&self, code: &Code<'c>, slots: Ssa<'c>, thread: Ssa<'c>) -> Written<Option<Brought<'c>>> {
        let (problem, columns) = (self.problem, self.problem.numbers.columns());
        let finish = problem.finish;
        if !finish.brings() {
            return Ok(None);
        }
        let n = &problem.numbers;
        let c = if finish.beta { Some(self.read(code, (n.out, n.out_bits), slots, thread)?) } else { None };
        let bias = if finish.bias {
            let (boxes, count) = (self.registers.boxes(), 2 * self.groups);
            let rows = self.registers.rows() / boxes;
            let view =
                |text: String| code.view("sBias", self.memory, self.room.biases, code.parse_type(&text)?);
            let smem = |layout: String| format!("!cute.memref<f32, smem, align<128>, \"{layout}\">");
            let matrix = if boxes == 1 {
                format!("({rows},{columns},{count}):(0,1,{columns})")
            } else {
                format!("(({rows},{boxes}),{columns},{count}):((0,{columns}),1,{})", boxes * columns)
            };
            let (matrix, count) = (view(smem(matrix))?, count * boxes);
            let read = self.read(code, ("f32", 32), matrix, thread)?;
            Some((read, view(smem(format!("({columns},{count}):(1,{columns})")))?))
        } else {
            None
        };
        Ok(Some(Brought { barriers: code.barriers("brought", self.memory, self.room.brought)?, c, bias }))
    }

    fn read(
        &self,
        code: &Code<'c>,
        (elem, bits): (&str, i64),
        view: Ssa<'c>,
        thread: Ssa<'c>,
    ) -> Written<Read<'c>> {
        let mover = self.mover(code, (elem, bits), true)?;
        let registers = code.parse_type(&self.registers_of(elem, bits))?;
        let registers = code.typed(("old", "cute.memref.alloca"), &[], registers, &[])?;
        let own = mover.part(code, view, thread)?;
        Ok(Read { copy: mover.copy(), own, registers, loaded: mover.retiled(code, registers)? })
    }

    /// Asks for C and the bias of a part, by the warp that stores.
    pub fn bring_part(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        place: Place<'c>,
        slot: Ssa<'c>,
    ) -> Written<()> {
        let Some(brought) = &out.brought else { return Ok(()) };
        let (problem, columns) = (self.problem, self.problem.numbers.columns());
        let finish = problem.finish;
        code.when(out.stores, |code| {
            if finish.beta {
                // The slot had a part of D.
                code.wait_for_stores(0)?;
            }
            let barrier = code.barrier_at("brought", brought.barriers, slot)?;
            let of_c = if finish.beta { problem.sums.bytes() } else { 0 };
            let bytes = self.registers.boxes() * (of_c + finish.bias_bytes(columns));
            code.elected(|code| code.expect(barrier, bytes))?;
            for (place, number, to) in self.boxes(code, out, (place, slot))? {
                if let Some([atom, coords]) = self.arguments.given.c {
                    let coords = place.matrix(code, coords)?;
                    let at = [At::Value(place.m), At::Value(place.n), At::All];
                    let from = code.local_tile("from", coords, [self.rows(), columns, 1], &at, "(1,1,_)")?;
                    Boxes::new(code, "boxes", atom, to, from)?.load(code, None, barrier, None)?;
                }
                if let (Some([atom, coords]), Some((_, slots))) = (self.arguments.given.bias, brought.bias) {
                    let tiler = code.fixed("tiler", &format!("!cute.tile<\"[{columns}:1]\">"))?;
                    let coords = match place.batch {
                        Some(batch) => code.slice("vector", coords, &[At::All, At::Value(batch)])?,
                        None => coords,
                    };
                    let at = code.coord(&[At::Value(place.n)])?;
                    let from = code.op(("from", "cute.local_tile"), &[coords, tiler, at], &[])?;
                    let to = code.slice("slot", slots, &[At::All, At::Value(number)])?;
                    Boxes::of_vector(code, "boxes", atom, to, from)?.load(code, None, barrier, None)?;
                }
            }
            Ok(())
        })
    }

    /// `act(alpha values + beta C + bias)` of a part.
    pub fn finish(
        &self,
        code: &Code<'c>,
        out: &Output<'c>,
        mut values: Ssa<'c>,
        slot: Ssa<'c>,
        phase: Ssa<'c>,
    ) -> Written<Ssa<'c>> {
        let t = cute_ffi::ir::type_of(values);
        let all = |name: &str, number| code.typed((name, "vector.broadcast"), &[number], t, &[]);
        if let Some(alpha) = self.arguments.given.alpha {
            values = code.binary(("scaled", "arith.mulf"), values, all("alphas", alpha)?)?;
        }
        if let Some(brought) = &out.brought {
            code.wait(code.barrier_at("brought", brought.barriers, slot)?, phase)?;
            // The bias is added to the products, the sum to C, so that each is one instruction.
            if let Some((bias, _)) = brought.bias {
                values = code.binary(("biased", "arith.addf"), values, bias.from(code, slot)?)?;
            }
            if let (Some(c), Some(beta)) = (brought.c, self.arguments.given.beta) {
                let mut old = c.from(code, slot)?;
                if self.problem.numbers.out_bits < 32 {
                    old = code.typed(("wide", "arith.extf"), &[old], t, &[])?;
                }
                let old = code.binary(("old", "arith.mulf"), old, all("betas", beta)?)?;
                values = code.binary(("sum", "arith.addf"), old, values)?;
            }
        }
        match self.problem.finish.activation {
            Some(activation) if activation.is_long() => activation.of(code, values, self.values()),
            _ => Ok(values),
        }
    }

    /// Elements of D with negative ones replaced by 0, if relu is chosen.
    pub fn rectified(&self, code: &Code<'c>, values: Ssa<'c>) -> Written<Ssa<'c>> {
        if self.problem.finish.activation != Some(Activation::Relu) {
            return Ok(values);
        }
        Activation::Relu.of(code, values, self.values())
    }
}
