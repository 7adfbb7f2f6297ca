//! Operations on the accumulators before they are rounded: `act(alpha AB + beta C + bias)`, chosen
//! when the kernel is built.
//!
//! The TMA loads C and the bias one part ahead of the accumulators; those of the first part arrive
//! while the tile is multiplied. A part of C is loaded to the slot of D, and the bias of its
//! columns after the slots.

use cute_algebra::Layout;
use cute_arch::Element;
use cute_build::types::{self, Space};

use super::{
    activation::Activation,
    raster::Place,
    store::{Epilogue, Output},
    types::{Numbers, rule},
};
use crate::{
    At, Builder, Built, Error, Value, barriers,
    tiling::strided,
    tma::{self, TileBoxes},
};

/// The operations on the accumulators.
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
    /// These operations on accumulators of a type.
    ///
    /// # Errors
    /// Integers, which are stored as they are, and C beside a quantized D.
    pub fn of(self, numbers: &Numbers) -> Result<Self, Error> {
        rule(!self.beta || numbers.quantized.is_none(), || {
            "C of D's type would need scale factors of its own, so beta C is not supported beside a quantized D; \
             leave out --beta, or take another --out"
                .into()
        })?;
        rule(numbers.accumulator == Element::F32 || self.is_none(), || {
            "alpha, beta, a bias and activations are not supported for i32 accumulators; compute D = A B^T, \
             or use floats"
                .into()
        })?;
        Ok(self)
    }

    /// Whether they need anything that the TMA loads.
    pub fn loads(&self) -> bool {
        self.beta || self.bias
    }

    /// The names of the numbers of f32 that a launch gives, in the order of its parameters.
    pub fn scalars(&self) -> impl Iterator<Item = &'static str> + use<> {
        let all = [(self.alpha, "alpha"), (self.beta, "beta")];
        all.into_iter().filter_map(|(wanted, name)| wanted.then_some(name))
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
        !self.alpha && !self.loads() && self.activation.is_none()
    }
}

/// The kernel's arguments for these operations.
#[derive(Default)]
pub(super) struct FinishArguments<'c> {
    pub alpha: Option<Value<'c>>,
    pub beta: Option<Value<'c>>,
    /// Descriptors and tensors of coordinates.
    pub c: Option<[Value<'c>; 2]>,
    pub bias: Option<[Value<'c>; 2]>,
}

impl<'c> FinishArguments<'c> {
    /// The arguments that these operations need, each by `next` if it is wanted: those of C and the
    /// bias, and then [scalars](Finish::scalars).
    pub fn of(finish: Finish, mut next: impl FnMut(bool) -> Option<Value<'c>>) -> Self {
        let mut pair = |wanted: bool| next(wanted).zip(next(wanted)).map(<[_; 2]>::from);
        let (c, bias) = (pair(finish.beta), pair(finish.bias));
        Self { c, bias, alpha: next(finish.alpha), beta: next(finish.beta) }
    }
}

/// How threads read C and the bias from shared memory.
pub(super) struct Loaded<'c> {
    /// The barriers that count bytes, one for each slot.
    barriers: Value<'c>,
    c: Option<Read<'c>>,
    /// The bias, and its slots.
    bias: Option<(Read<'c>, Value<'c>)>,
}

/// A read from shared memory by a thread.
#[derive(Clone, Copy)]
struct Read<'c> {
    /// The copy, and the thread's part of the slots.
    copy: Value<'c>,
    own: Value<'c>,
    /// Registers for one part, and the same in the form that the copy takes.
    registers: Value<'c>,
    loaded: Value<'c>,
}

impl<'c> Read<'c> {
    fn from(&self, code: &Builder<'c>, slot: Value<'c>) -> Built<Value<'c>> {
        let own = code.named("own").slice(self.own, &[At::All, At::All, At::All, At::Value(slot)])?;
        code.copy(self.copy, own, self.loaded)?;
        code.named("old").load_vec(self.registers)
    }
}

impl<'c> Epilogue<'_, 'c> {
    /// The reads of C and the bias from the slots, if there are any; `thread` is a coordinate.
    pub fn loaded(
        &self,
        code: &Builder<'c>,
        slots: Value<'c>,
        thread: Value<'c>,
    ) -> Built<Option<Loaded<'c>>> {
        let (problem, columns) = (self.problem, self.problem.numbers.columns());
        let finish = problem.finish;
        if !finish.loads() {
            return Ok(None);
        }
        let n = &problem.numbers;
        let c = if finish.beta { Some(self.read(code, n.out, slots, thread)?) } else { None };
        let bias = if finish.bias {
            let (boxes, count) = (self.registers.boxes(), 2 * self.groups);
            let rows = self.registers.rows() / boxes;
            let f32 = types::element(code.context(), Element::F32)?;
            let view = |layout: Layout<i64>| {
                let t = types::pointer(f32, Space::Smem).align(128).memref(layout)?;
                code.named("sBias").view(self.memory, self.room.biases, t)
            };
            // All rows of a box have the same bias.
            let down = strided([rows, boxes], [0, columns])?;
            let down = if boxes == 1 { down.mode(0)? } else { down };
            let across = strided([columns, count], [1, boxes * columns])?;
            let matrix = view(Layout::from_modes([down, across.mode(0)?, across.mode(1)?]))?;
            let read = self.read(code, Element::F32, matrix, thread)?;
            Some((read, view(strided([columns, count * boxes], [1, columns])?)?))
        } else {
            None
        };
        Ok(Some(Loaded {
            barriers: barriers::barriers(&code.named("brought"), self.memory, self.room.loaded)?,
            c,
            bias,
        }))
    }

    fn read(&self, code: &Builder<'c>, elem: Element, view: Value<'c>, thread: Value<'c>) -> Built<Read<'c>> {
        let mover = self.mover(code, elem, true)?;
        let registers = code.named("old").alloca(self.registers_of(code.context(), elem)?)?;
        let own = mover.part(code, view, thread)?;
        Ok(Read { copy: mover.copy(), own, registers, loaded: mover.retiled(code, registers)? })
    }

    /// Asks for C and the bias of a part, by the warp that stores.
    pub fn load_part(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        place: Place<'c>,
        slot: Value<'c>,
    ) -> Built<()> {
        let Some(loaded) = &out.loaded else { return Ok(()) };
        let (problem, columns) = (self.problem, self.problem.numbers.columns());
        let finish = problem.finish;
        code.if_then(out.stores, |code| {
            if finish.beta {
                // The slot had a part of D.
                tma::wait_for_stores(code, 0)?;
            }
            let barrier = code.named("brought").add_offset(loaded.barriers, slot)?;
            let of_c = if finish.beta { problem.out_tile.bytes() } else { 0 };
            let bytes = self.registers.boxes() * (of_c + finish.bias_bytes(columns));
            barriers::elected(code, |code| barriers::expect(code, barrier, bytes))?;
            for (place, number, to) in self.boxes(code, out, (place, slot))? {
                if let Some([atom, coords]) = self.arguments.finish.c {
                    let coords = place.matrix(code, coords)?;
                    let at = [At::Value(place.m), At::Value(place.n), At::All];
                    let from = code.named("from").local_tile(
                        coords,
                        [self.rows(), columns, 1],
                        &at,
                        Some("(1,1,_)"),
                    )?;
                    TileBoxes::new(code, "boxes", atom, to, from)?.load(code, None, barrier, None)?;
                }
                if let (Some([atom, coords]), Some((_, slots))) = (self.arguments.finish.bias, loaded.bias) {
                    let tiler = code.named("tiler").tile([columns])?;
                    let coords = match place.batch {
                        Some(batch) => code.named("vector").slice(coords, &[At::All, At::Value(batch)])?,
                        None => coords,
                    };
                    let at = code.coord(&[At::Value(place.n)])?;
                    let from = code.named("from").inferred("cute.local_tile", &[coords, tiler, at], &[])?;
                    let to = code.named("slot").slice(slots, &[At::All, At::Value(number)])?;
                    TileBoxes::of_vector(code, "boxes", atom, to, from)?.load(code, None, barrier, None)?;
                }
            }
            Ok(())
        })
    }

    /// `act(alpha values + beta C + bias)` of a part.
    pub fn finish(
        &self,
        code: &Builder<'c>,
        out: &Output<'c>,
        mut values: Value<'c>,
        slot: Value<'c>,
        phase: Value<'c>,
    ) -> Built<Value<'c>> {
        let t = cute_ffi::ir::type_of(values);
        let all = |name: &str, number, like| code.named(name).broadcast(number, like);
        if let Some(alpha) = self.arguments.finish.alpha {
            values = code.named("scaled").mul(values, all("alphas", alpha, values)?)?;
        }
        if let Some(loaded) = &out.loaded {
            barriers::wait(code, code.named("brought").add_offset(loaded.barriers, slot)?, phase)?;
            // The bias is added to the products, the sum to C, so that each is one instruction.
            if let Some((bias, _)) = loaded.bias {
                values = code.named("biased").add(values, bias.from(code, slot)?)?;
            }
            if let (Some(c), Some(beta)) = (loaded.c, self.arguments.finish.beta) {
                let mut old = c.from(code, slot)?;
                if self.problem.numbers.out_bits < 32 {
                    old = code.named("wide").typed("arith.extf", &[old], t, &[])?;
                }
                let old = code.named("old").mul(old, all("betas", beta, values)?)?;
                values = code.named("sum").add(old, values)?;
            }
        }
        match self.problem.finish.activation {
            Some(activation) if activation.is_long() => activation.of(code, values, self.values()),
            _ => Ok(values),
        }
    }

    /// Elements of D with negative ones replaced by 0, if relu is chosen.
    pub fn rectified(&self, code: &Builder<'c>, values: Value<'c>) -> Built<Value<'c>> {
        if self.problem.finish.activation != Some(Activation::Relu) {
            return Ok(values);
        }
        Activation::Relu.of(code, values, self.values())
    }
}
