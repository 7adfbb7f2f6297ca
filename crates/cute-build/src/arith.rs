//! Constants and arithmetic. The op follows from the types: `add` is `arith.addi` or `arith.addf`.

use cute_ffi::{
    ir::{float_width, type_of},
    lowered::{element_of, vector_of, vector_parts},
};
use melior::ir::{
    Attribute, Type, TypeLike,
    attribute::{DenseElementsAttribute, FloatAttribute, IntegerAttribute},
    r#type::IntegerType,
};

use crate::predicate::{self, FloatPredicate, IntPredicate};
use crate::{Builder, Result, Value};

/// A dimension of the grid, of a block or of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Whether a type is a float, or a vector of floats.
fn is_float(t: Type<'_>) -> bool {
    element_of(t).is_float()
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $of_integers:literal $of_floats:literal,)*) => {
        impl<'c> Builder<'c> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`Draft::value`](crate::Draft::value).
            #[track_caller]
            pub fn $name(&self, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
                let op = if is_float(type_of(a)) { $of_floats } else { $of_integers };
                self.inferred(op, &[a, b], &[])
            }
        )*}
    };
}

binary! {
    /// `a + b`
    add "arith.addi" "arith.addf",
    /// `a - b`
    sub "arith.subi" "arith.subf",
    /// `a * b`
    mul "arith.muli" "arith.mulf",
    /// `a / b`; of signed integers, rounded towards zero.
    div "arith.divsi" "arith.divf",
    /// The remainder of [`div`](Self::div), with the sign of `a`.
    rem "arith.remsi" "arith.remf",
    /// The smaller one; of a float and a NaN, the float.
    min "arith.minsi" "arith.minnumf",
    /// The larger one; of a float and a NaN, the float.
    max "arith.maxsi" "arith.maxnumf",
}

macro_rules! of_integers {
    ($($(#[$doc:meta])* $name:ident $op:literal,)*) => {
        impl<'c> Builder<'c> {$(
            $(#[$doc])*
            ///
            /// # Errors
            /// As [`Draft::value`](crate::Draft::value).
            #[track_caller]
            pub fn $name(&self, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
                self.inferred($op, &[a, b], &[])
            }
        )*}
    };
}

of_integers! {
    /// `a / b` of unsigned integers.
    div_unsigned "arith.divui",
    /// `a % b` of unsigned integers.
    rem_unsigned "arith.remui",
    /// The smaller one of two unsigned integers.
    min_unsigned "arith.minui",
    /// The bits that both have.
    and "arith.andi",
    /// The bits that one of them has.
    or "arith.ori",
    /// The bits that only one of them has.
    xor "arith.xori",
    /// `a << b`
    shift_left "arith.shli",
    /// `a >> b` of signed integers.
    shift_right "arith.shrsi",
    /// `a >> b` of unsigned integers.
    shift_right_unsigned "arith.shrui",
}

impl<'c> Builder<'c> {
    /// Signless integers of this width.
    pub fn integer_type(&self, bits: u32) -> Type<'c> {
        IntegerType::new(self.context(), bits).into()
    }

    /// The type of integers of 32 bits.
    pub fn i32_type(&self) -> Type<'c> {
        self.integer_type(32)
    }

    /// A constant of 32 bits. A program for an author calls it `c4`.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn i32(&self, value: i64) -> Result<Value<'c>> {
        let name = if value < 0 { format!("cm{}", value.unsigned_abs()) } else { format!("c{value}") };
        self.or_named(&name).constant(32, value)
    }

    /// An integer constant of this width.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn constant(&self, bits: u32, value: i64) -> Result<Value<'c>> {
        self.number(self.integer_type(bits), value)
    }

    /// An i1 constant.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn truth(&self, value: bool) -> Result<Value<'c>> {
        self.constant(1, value.into())
    }

    /// A constant of an integer, float or vector type, the same in each element.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn number(&self, t: Type<'c>, value: i64) -> Result<Value<'c>> {
        if is_float(t) {
            return self.float(t, value as f64);
        }
        self.constant_of(t, IntegerAttribute::new(element_of(t), value).into())
    }

    /// A constant of a float type, or of a vector of floats.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn float(&self, t: Type<'c>, value: f64) -> Result<Value<'c>> {
        self.constant_of(t, FloatAttribute::new(self.context(), element_of(t), value).into())
    }

    #[track_caller]
    fn constant_of(&self, t: Type<'c>, element: Attribute<'c>) -> Result<Value<'c>> {
        let value = match vector_parts(t) {
            Some(_) => DenseElementsAttribute::splat(t, element).into(),
            None => element,
        };
        self.typed("arith.constant", &[], t, &[("value", value)])
    }

    /// A comparison of integers, or of floats, where `Slt` is ordered and less, `Eq` ordered and
    /// equal, and `Ne` their opposite.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value); a predicate of unsigned integers has no float.
    #[track_caller]
    pub fn compare(&self, how: IntPredicate, a: Value<'c>, b: Value<'c>) -> Result<Value<'c>> {
        use {FloatPredicate as F, IntPredicate as I};
        if !is_float(type_of(a)) {
            return self.inferred(
                "arith.cmpi",
                &[a, b],
                &[predicate::attribute(self.context(), how.number())],
            );
        }
        let how = match how {
            I::Eq => F::Oeq,
            I::Ne => F::Une,
            I::Slt => F::Olt,
            I::Sle => F::Ole,
            I::Sgt => F::Ogt,
            I::Sge => F::Oge,
            I::Ult | I::Ule | I::Ugt | I::Uge => {
                return self.fail(&format!("{how:?} compares unsigned integers, found {}", type_of(a)));
            }
        };
        self.inferred("arith.cmpf", &[a, b], &[predicate::attribute(self.context(), how.number())])
    }

    /// Whether an integer is equal to a constant.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn is(&self, value: Value<'c>, constant: i64) -> Result<Value<'c>> {
        self.compare(IntPredicate::Eq, value, self.unnamed().i32(constant)?)
    }

    /// A number, or each element of a vector, as another type. Integers other than `i1` have a
    /// sign. Floats are rounded to nearest even, or to an integer towards zero.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn convert(&self, value: Value<'c>, element: Type<'c>) -> Result<Value<'c>> {
        let from = element_of(type_of(value));
        if from == element {
            return Ok(value);
        }
        let is_number = |t: Type<'c>| t.is_float() || t.is_integer();
        if let Some(other) = [from, element].into_iter().find(|t| !is_number(*t)) {
            return self.fail(&format!("numbers are integers and floats, found {other}"));
        }
        let t = match vector_parts(type_of(value)) {
            Some((extents, _)) => vector_of(&extents, element),
            None => element,
        };
        let width = |t: Type<'c>| match IntegerType::try_from(t) {
            Ok(integer) => integer.width(),
            Err(_) => float_width(t),
        };
        let grows = width(element) > width(from);
        let op = match (from.is_float(), element.is_float()) {
            (true, true) if grows => "arith.extf",
            (true, true) => "arith.truncf",
            (true, false) => "arith.fptosi",
            (false, true) if width(from) == 1 => "arith.uitofp",
            (false, true) => "arith.sitofp",
            (false, false) if !grows => "arith.trunci",
            (false, false) if width(from) == 1 => "arith.extui",
            (false, false) => "arith.extsi",
        };
        self.typed(op, &[value], t, &[])
    }

    /// `yes` if the condition holds, otherwise `no`.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn select(&self, condition: Value<'c>, yes: Value<'c>, no: Value<'c>) -> Result<Value<'c>> {
        self.inferred("arith.select", &[condition, yes, no], &[])
    }

    /// A scalar in each element of a vector like another one.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn broadcast(&self, scalar: Value<'c>, like: Value<'c>) -> Result<Value<'c>> {
        self.typed("vector.broadcast", &[scalar], type_of(like), &[])
    }

    /// A special register of the thread, such as `tid.x`.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn register(&self, name: &str) -> Result<Value<'c>> {
        self.typed(&format!("nvvm.read.ptx.sreg.{name}"), &[], self.i32_type(), &[])
    }

    /// The thread's place in its block.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn thread_id(&self, axis: Axis) -> Result<Value<'c>> {
        self.special("tid", axis)
    }

    /// The block's place in the grid.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn block_id(&self, axis: Axis) -> Result<Value<'c>> {
        self.special("ctaid", axis)
    }

    #[track_caller]
    fn special(&self, name: &str, axis: Axis) -> Result<Value<'c>> {
        let axis = match axis {
            Axis::X => "x",
            Axis::Y => "y",
            Axis::Z => "z",
        };
        self.register(&format!("{name}.{axis}"))
    }
}
