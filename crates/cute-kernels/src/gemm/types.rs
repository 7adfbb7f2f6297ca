//! Types that a GEMM of tensor cores is made for.

use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use cute_arch::atoms::Major;

use crate::Error;

/// Which numbers are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Types {
    /// f16, sums f32
    F16,
    /// bf16, sums f32
    Bf16,
    /// f32 rounded to tf32, sums f32
    Tf32,
    /// f8 with 4 bits of exponent, sums f32
    E4m3,
    /// f8 with 5 bits of exponent, sums f32
    E5m2,
    /// i8, sums i32
    S8,
}

/// What D is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Out {
    /// f16
    F16,
    /// bf16
    Bf16,
    /// f32
    F32,
    /// f8 with 4 bits of exponent; what is beyond its largest number becomes that
    E4m3,
    /// i32, of i8 alone
    S32,
}

/// Facts of a choice of types.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// Elements of A and B in memory, and as the MMA takes them.
    pub elem: &'static str,
    pub factor: &'static str,
    pub bits: i64,
    /// K of an MMA.
    pub k: i64,
    pub sum: &'static str,
    pub out: &'static str,
    pub out_bits: i64,
}

impl Numbers {
    /// # Errors
    /// Sums that are not rounded to D.
    pub fn new(types: Types, out: Option<Out>) -> Result<Self, Error> {
        let (elem, factor, bits, sum, own) = match types {
            Types::F16 => ("f16", "f16", 16, "f32", Out::F16),
            Types::Bf16 => ("bf16", "bf16", 16, "f32", Out::Bf16),
            Types::Tf32 => ("f32", "tf32", 32, "f32", Out::F32),
            Types::E4m3 => ("f8E4M3FN", "f8E4M3FN", 8, "f32", Out::F32),
            Types::E5m2 => ("f8E5M2", "f8E5M2", 8, "f32", Out::F32),
            Types::S8 => ("i8", "i8", 8, "i32", Out::S32),
        };
        let (out, out_bits) = match out.unwrap_or(own) {
            Out::F16 => ("f16", 16),
            Out::Bf16 => ("bf16", 16),
            Out::F32 => ("f32", 32),
            Out::E4m3 => ("f8E4M3FN", 8),
            Out::S32 => ("i32", 32),
        };
        let instead =
            if sum == "i32" { "sums of i32 are stored as they are" } else { "take f32, f16, bf16 or e4m3" };
        rule((sum == "i32") == (out == "i32"), || {
            format!("D of {out} from sums of {sum}: not supported; {instead}")
        })?;
        Ok(Self { elem, factor, bits, k: 256 / bits, sum, out, out_bits })
    }

    /// Columns of D that are stored at a time: rows of 128 bytes.
    pub fn columns(&self) -> i64 {
        1024 / self.out_bits
    }

    /// Columns of A and of B in a stage where nothing is said: 128 bytes.
    pub fn k_tile(&self) -> i64 {
        1024 / self.bits
    }
}

/// A rule that parameters keep.
pub(super) fn rule(holds: bool, text: impl FnOnce() -> String) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Parameters(text())) }
}

/// Reads `k`, or the other mode.
pub(super) fn major(mn: &'static str) -> impl TypedValueParser<Value = Major> {
    PossibleValuesParser::new(["k", mn]).map(|text| if text == "k" { Major::K } else { Major::Mn })
}

/// Shared memory of a block on Hopper and on Blackwell, and bytes of it that are left for barriers.
pub(super) const MEMORY: i64 = 227 * 1024;
/// See [`MEMORY`].
pub(super) const BARRIERS: i64 = 1024;
/// The most stages that help.
const MOST_STAGES: i64 = 16;

/// As many stages of so many bytes as there are beside what D goes through, or as many as are wanted.
pub(super) fn stages(wanted: Option<i64>, stage: i64, slots: i64) -> Result<i64, Error> {
    let fit = ((MEMORY - BARRIERS - slots) / stage).min(MOST_STAGES);
    let stages = wanted.unwrap_or(fit);
    rule(fit >= 2, || {
        format!(
            "two stages of {stage} bytes and {slots} bytes that D goes through do not fit into {MEMORY} bytes of shared memory: take a smaller tile"
        )
    })?;
    rule((2..=fit).contains(&stages), || {
        format!(
            "{stages} stages of {stage} bytes: 2 to {fit} are possible beside the {slots} bytes that D goes through"
        )
    })?;
    Ok(stages)
}
