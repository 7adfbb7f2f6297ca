//! Which registers an operand takes: how the type of an instruction and that of a register agree.
//!
//! | the operand's type | takes registers of |
//! |---|---|
//! | `.pred` | `.pred` |
//! | `.b32` | any type of 32 bits |
//! | `.u32`, `.s32` | integers and bits, 32 of them |
//! | `.f16`, `.f32`, `.f64`, `.f16x2` | the same type, and as many bits |
//! | `.bf16`, `.e4m3x2`, `.tf32`, ..., for which there are no registers | as many bits |
//!
//! `ld`, `st` and `cvt` take wider registers, too, of bits or of integers.

use crate::keyword::{Keyword, Spelling};
use crate::words::ScalarType;
use ScalarType as S;
use std::fmt::{Display, Formatter, Result};

/// The registers that an operand takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Those that agree with a type.
    Typed {
        /// That of the instruction, or of this operand of it.
        ty: ScalarType,
        /// Whether they may be wider.
        wider: bool,
        /// Whether floats may be in registers of integers, as those of a vector may.
        vector: bool,
    },
    /// Integers and bits of this width. Other than a `.u32`, a pair of numbers is none.
    Integer(u32),
    /// Bits of this width alone.
    Bits(u32),
    /// A number of bytes, or a predicate.
    Bytes,
    /// An address: integers and bits of 32 or of 64.
    Address,
}

/// The kinds of types that registers and operands have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Predicate,
    Bits,
    Integer,
    /// Pairs of integers of 16 bits.
    Pair,
    Float,
    /// Numbers that have no registers of their own.
    Packed,
}

fn kind(ty: ScalarType) -> Kind {
    match ty {
        S::Pred => Kind::Predicate,
        S::B8 | S::B16 | S::B32 | S::B64 | S::B128 => Kind::Bits,
        S::U8 | S::U16 | S::U32 | S::U64 | S::S8 | S::S16 | S::S32 | S::S64 | S::U8x4 | S::S8x4 => {
            Kind::Integer
        }
        S::U16x2 | S::S16x2 => Kind::Pair,
        S::F16 | S::F32 | S::F64 | S::F16x2 => Kind::Float,
        _ => Kind::Packed,
    }
}

/// Whether numbers of this type have registers of their own type.
pub(crate) fn has_registers(ty: ScalarType) -> bool {
    kind(ty) != Kind::Packed
}

impl Display for Takes {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Takes::Typed { ty, wider, .. } => {
                write!(f, "`.{}`", ty.word(Spelling::Ptx).unwrap_or_default())?;
                // No register is wider than 128 bits.
                if *wider && *ty != S::B128 { f.write_str(" or a wider register") } else { Ok(()) }
            }
            Takes::Integer(bits) => write!(f, "an integer of {bits} bits"),
            Takes::Bits(bits) => write!(f, "`.b{bits}`"),
            Takes::Bytes => f.write_str("a number of bytes in 32 bits, or a predicate"),
            Takes::Address => f.write_str("an address of 32 or of 64 bits"),
        }
    }
}

impl Takes {
    /// Those that agree with a type exactly.
    pub fn exactly(ty: ScalarType) -> Self {
        Takes::Typed { ty, wider: false, vector: false }
    }

    /// Whether it takes an integer as a number.
    pub fn accepts_integer(self) -> bool {
        match self {
            Takes::Typed { ty, .. } => {
                matches!(kind(ty), Kind::Predicate | Kind::Bits | Kind::Integer | Kind::Pair)
            }
            _ => true,
        }
    }

    /// Whether it takes a float as a number: one of double precision, or one that is written as the
    /// 32 bits of single precision.
    pub fn accepts_float(self, is_double: bool) -> bool {
        match self {
            Takes::Typed { ty: S::F32 | S::F64, .. } => true,
            Takes::Typed { ty: S::B32, .. } => !is_double,
            Takes::Typed { ty: S::B64, .. } => is_double,
            _ => false,
        }
    }

    /// Whether it takes a predicate.
    pub fn accepts_predicate(self) -> bool {
        self.accepts(S::Pred)
    }

    /// Whether a register of this type is one of them.
    pub fn accepts(self, register: ScalarType) -> bool {
        let (of, bits) = (kind(register), register.bits());
        let whole = matches!(of, Kind::Bits | Kind::Integer);
        match self {
            Takes::Typed { ty, wider, vector } => {
                let fits = bits == ty.bits() || wider && bits > ty.bits();
                match kind(ty) {
                    Kind::Predicate => of == Kind::Predicate,
                    Kind::Bits => of != Kind::Predicate && fits,
                    Kind::Integer => (whole || register == S::F16x2) && fits,
                    Kind::Pair => (of == Kind::Bits || register == S::F16x2) && fits,
                    Kind::Float => {
                        register == ty
                            || of == Kind::Bits && fits
                            || vector && ty != S::F16x2 && whole && bits == ty.bits()
                    }
                    Kind::Packed => of == Kind::Bits && bits == ty.bits(),
                }
            }
            Takes::Integer(own) => whole && bits == own,
            Takes::Bits(own) => of == Kind::Bits && bits == own,
            Takes::Bytes => of == Kind::Predicate || whole && bits == 32,
            Takes::Address => whole && matches!(bits, 32 | 64),
        }
    }
}
