//! Arithmetic of sums in registers: made, scaled, C added.

use cute_algebra::MmaOperand;
use cute_dialect::{types::value_of, value::Value as Cute};
use cute_ffi::{
    ir::type_of,
    predicate::{FloatPredicate, IntPredicate},
};
use melior::ir::Type;

use crate::code::{Code, Refused, Ssa, Written};

/// The vector of all elements of a fragment.
fn vector_of<'c>(fragment: Ssa<'c>) -> Written<Type<'c>> {
    let value = value_of(type_of(fragment));
    let Cute::MemRef(view) = value.as_ref() else { return Err(Refused::Ir) };
    cute_dialect::types::vector_of(view).ok_or(Refused::Ir)
}

/// Sums of a type: `f32` or `i32`.
#[derive(Clone, Copy)]
pub(super) struct Arithmetic(pub &'static str);

impl Arithmetic {
    fn is_integer(self) -> bool {
        self.0 == "i32"
    }

    /// Zeroed sums of a tile (M, N).
    pub fn zeroed<'c>(self, code: &Code<'c>, mma: Ssa<'c>, [m, n]: [i64; 2]) -> Written<Ssa<'c>> {
        let shape = code.fixed("shapeC", &format!("!cute.shape<\"({m},{n})\">"))?;
        let c = [("operand_id", code.attribute("2 : i32")?)];
        let shape = code.op(("partC", "cute.tiled.mma.partition_shape"), &[mma, shape], &c)?;
        let sums = code.mma_fragment("sums", mma, MmaOperand::C, shape)?;
        self.zero(code, sums)?;
        Ok(sums)
    }

    /// Zeros for a fragment.
    pub fn zero<'c>(self, code: &Code<'c>, fragment: Ssa<'c>) -> Written<()> {
        let t = vector_of(fragment)?;
        let zero = if self.is_integer() { "0" } else { "0.0" };
        let value = code.attribute(&format!("dense<{zero}> : {t}"))?;
        let zeros = code.typed(("zeros", "arith.constant"), &[], t, &[("value", value)])?;
        code.effect("cute.memref.store_vec", &[zeros, fragment], &[])
    }

    /// `made = factor * made`.
    pub fn scale<'c>(self, code: &Code<'c>, made: Ssa<'c>, factor: Ssa<'c>) -> Written<()> {
        let scaled = self.scaled(code, made, factor)?;
        code.effect("cute.memref.store_vec", &[scaled, made], &[])
    }

    /// `made = made + factor * C`; `read` loads C to registers with the layout of `made`, so that
    /// both are one vector.
    pub fn add<'c>(
        self,
        code: &Code<'c>,
        made: Ssa<'c>,
        factor: Ssa<'c>,
        read: impl FnOnce(&Code<'c>, Ssa<'c>) -> Written<()>,
    ) -> Written<()> {
        let added = code.typed(("added", "cute.memref.alloca"), &[], type_of(made), &[])?;
        self.zero(code, added)?;
        read(code, added)?;
        let added = self.scaled(code, added, factor)?;
        let so_far = code.op(("so_far", "cute.memref.load_vec"), &[made], &[])?;
        let add = if self.is_integer() { "arith.addi" } else { "arith.addf" };
        let all = code.binary(("all", add), so_far, added)?;
        code.effect("cute.memref.store_vec", &[all, made], &[])
    }

    /// All elements of a fragment times a factor.
    fn scaled<'c>(self, code: &Code<'c>, fragment: Ssa<'c>, factor: Ssa<'c>) -> Written<Ssa<'c>> {
        let values = code.op(("values", "cute.memref.load_vec"), &[fragment], &[])?;
        let t = type_of(values);
        let factors = code.typed(("factors", "vector.broadcast"), &[factor], t, &[])?;
        let multiply = if self.is_integer() { "arith.muli" } else { "arith.mulf" };
        code.binary(("scaled", multiply), values, factors)
    }

    /// Whether C is needed, which is the case if beta is not zero.
    pub fn nonzero<'c>(self, code: &Code<'c>, number: Ssa<'c>) -> Written<Ssa<'c>> {
        let zero = code.number("zero", code.parse_type(self.0)?, 0)?;
        let (op, predicate) = if self.is_integer() {
            ("arith.cmpi", IntPredicate::Ne.attribute(code.context()))
        } else {
            ("arith.cmpf", FloatPredicate::Une.attribute(code.context()))
        };
        code.op(("wants_c", op), &[number, zero], &[predicate])
    }
}
