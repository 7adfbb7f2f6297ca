//! The types of a tensor-core GEMM.

use clap::ValueEnum;
use cute_arch::{Element, block_scaled::SF_BLOCK};
use cute_dialect::atom::type_name;

use crate::{Error, quantize::QuantizedFormat};

/// The types of the numbers that are multiplied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Types {
    /// f16, accumulators f32
    F16,
    /// bf16, accumulators f32
    Bf16,
    /// f32 rounded to tf32, accumulators f32
    Tf32,
    /// f8 with 4 bits of exponent, accumulators f32
    E4m3,
    /// f8 with 5 bits of exponent, accumulators f32
    E5m2,
    /// i8, accumulators i32
    S8,
    /// e4m3 with an ue8m0 for each 32 elements of K, accumulators f32; of gemm_sm100 and gemm_sm120
    Mxf8,
    /// e5m2 with an ue8m0 for each 32 elements of K, accumulators f32; of gemm_sm100
    #[value(name = "mxf8-e5m2")]
    Mxf8E5m2,
    /// f6 with 2 bits of exponent, an ue8m0 for each 32 elements of K, accumulators f32; of
    /// gemm_sm100
    #[value(name = "mxf6-e2m3")]
    Mxf6E2m3,
    /// f6 with 3 bits of exponent, an ue8m0 for each 32 elements of K, accumulators f32; of
    /// gemm_sm100
    #[value(name = "mxf6-e3m2")]
    Mxf6E3m2,
    /// e2m1 with an ue8m0 for each 32 elements of K, accumulators f32; of gemm_sm100 and gemm_sm120
    Mxf4,
    /// e2m1 with an ue4m3 for each 16 elements of K, accumulators f32; of gemm_sm100 and gemm_sm120
    Nvf4,
}

impl Types {
    /// Whether they have powers of two as scale factors.
    fn is_mx(self) -> bool {
        matches!(self, Self::Mxf8 | Self::Mxf8E5m2 | Self::Mxf6E2m3 | Self::Mxf6E3m2 | Self::Mxf4)
    }

    fn is_float8(self) -> bool {
        matches!(self, Self::E4m3 | Self::E5m2)
    }
}

/// Scale factors of blocks of A and B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale {
    /// The type of a factor.
    pub element: Element,
    /// Elements of K that share one.
    pub vector: i64,
}

impl Scale {
    /// Elements of K for which a block has factors.
    pub fn block(self) -> i64 {
        SF_BLOCK[1] * self.vector
    }
}

/// The type of D's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Out {
    /// f16
    F16,
    /// bf16
    Bf16,
    /// f32
    F32,
    /// f8 with 4 bits of exponent; larger numbers become its largest finite number
    E4m3,
    /// i32, for i8 only
    S32,
    /// e4m3 with an ue8m0 for each 32 elements of N; from tensor memory
    Mxf8,
    /// e2m1 with an ue8m0 for each 32 elements of N; from tensor memory
    Mxf4,
    /// e2m1 with an ue4m3 for each 16 elements of N, and a factor of all; from tensor memory
    Nvf4,
}

impl Out {
    /// Elements and the factors that scale them, if there are some.
    pub fn quantized(self) -> Option<QuantizedFormat> {
        match self {
            Self::Mxf8 => Some(QuantizedFormat::Mxf8E4m3),
            Self::Mxf4 => Some(QuantizedFormat::Mxf4),
            Self::Nvf4 => Some(QuantizedFormat::Nvf4),
            _ => None,
        }
    }
}

/// The facts that follow from a choice of types.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    /// The elements of A and B in memory, and in the form that the MMA takes.
    pub elem: Element,
    pub operand: Element,
    /// The elements of B, if they are others.
    other: Option<Element>,
    /// Bits that an element has in shared memory.
    pub bits: i64,
    /// K of an MMA.
    pub k: i64,
    pub accumulator: Element,
    pub out: Element,
    pub out_bits: i64,
    /// How D is quantized, if it is.
    pub quantized: Option<QuantizedFormat>,
    /// The scale factors, if there are some.
    pub scale: Option<Scale>,
}

impl Numbers {
    /// # Errors
    /// Returns an error if the accumulators are not rounded to D's type.
    pub fn new(types: Types, out: Option<Out>) -> Result<Self, Error> {
        let (operand, accumulator, own) = match types {
            Types::F16 => (Element::F16, Element::F32, Out::F16),
            Types::Bf16 => (Element::Bf16, Element::F32, Out::Bf16),
            Types::Tf32 => (Element::Tf32, Element::F32, Out::F32),
            Types::E4m3 => (Element::E4m3, Element::F32, Out::F32),
            Types::E5m2 => (Element::E5m2, Element::F32, Out::F32),
            Types::S8 => (Element::S8, Element::S32, Out::S32),
            Types::Mxf8 => (Element::E4m3, Element::F32, Out::F32),
            Types::Mxf8E5m2 => (Element::E5m2, Element::F32, Out::F32),
            Types::Mxf6E2m3 => (Element::E2m3, Element::F32, Out::F32),
            Types::Mxf6E3m2 => (Element::E3m2, Element::F32, Out::F32),
            Types::Mxf4 | Types::Nvf4 => (Element::E2m1, Element::F32, Out::F32),
        };
        let scale = match types {
            _ if types.is_mx() => Some(Scale { element: Element::Ue8m0, vector: 32 }),
            Types::Nvf4 => Some(Scale { element: Element::Ue4m3, vector: 16 }),
            _ => None,
        };
        // In memory, tf32 is f32.
        let elem = if operand == Element::Tf32 { Element::F32 } else { operand };
        let out = out.unwrap_or(own);
        let quantized = out.quantized();
        let out = match out {
            Out::F16 => Element::F16,
            Out::Bf16 => Element::Bf16,
            Out::F32 => Element::F32,
            Out::E4m3 | Out::Mxf8 => Element::E4m3,
            Out::Mxf4 | Out::Nvf4 => Element::E2m1,
            Out::S32 => Element::S32,
        };
        let instead = match accumulator {
            Element::S32 => "i32 accumulators are stored unchanged",
            _ => "take f32, f16, bf16 or e4m3",
        };
        rule((accumulator == Element::S32) == (out == Element::S32), || {
            let [out, accumulator] = [out, accumulator].map(name);
            format!("D of {out} from accumulators of {accumulator} is not supported; {instead}")
        })?;
        let [bits, out_bits] = [elem, out].map(|elem| i64::from(elem.bits()));
        // Elements of 6 bits have a byte each.
        let bits = if bits == 6 { 8 } else { bits };
        let other = None;
        Ok(Self { elem, operand, other, bits, k: 256 / bits, accumulator, out, out_bits, quantized, scale })
    }

    /// Those of A as `types` and of B as `other`, both of which `self` and an MMA of bytes have.
    ///
    /// # Errors
    /// Returns an error if no MMA multiplies these types by each other.
    pub fn mixed(self, types: Types, other: Types) -> Result<Self, Error> {
        if types == other {
            return Ok(self);
        }
        rule(types.is_mx() && other.is_mx() || types.is_float8() && other.is_float8(), || {
            let [a, b] = [types, other].map(|types| {
                types.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
            });
            format!(
                "A of {a} is not multiplied by B of {b}: mxf8, mxf8-e5m2, mxf6-e2m3, mxf6-e3m2 and mxf4 are by each other, and e4m3 and e5m2"
            )
        })?;
        let b = Self::new(other, None)?;
        Ok(Self { other: Some(b.operand), bits: 8, k: 32, ..self })
    }

    /// The elements of A or of B in memory, and in the form that the MMA takes.
    pub fn elements(&self, which: usize) -> [Element; 2] {
        match self.other {
            Some(other) if which == 1 => [other; 2],
            _ => [self.elem, self.operand],
        }
    }

    /// Checks that a kernel without scale factors multiplies these types.
    pub fn plain(self, instruction: &str) -> Result<Self, Error> {
        rule(self.scale.is_none(), || {
            format!(
                "{instruction} multiplies without scale factors: take other types, or gemm_sm100 or gemm_sm120"
            )
        })?;
        Ok(self)
    }

    /// Checks that a kernel does not quantize D.
    pub fn with_plain_result(self, kernel: &str) -> Result<Self, Error> {
        rule(self.quantized.is_none(), || {
            format!("{kernel} stores D without scale factors: take another --out, or gemm_sm100")
        })?;
        Ok(self)
    }

    /// Columns of D that are stored at a time: rows of 128 bytes, and 128 accumulators per row at
    /// most.
    pub fn columns(&self) -> i64 {
        (1024 / self.out_bits).min(128)
    }

    /// The default number of columns of A and B per stage: 128 bytes.
    pub fn k_tile(&self) -> i64 {
        1024 / self.bits
    }

    /// The same where a block has less shared memory: 64 bytes, but at least a block of factors.
    pub fn short_k_tile(&self) -> i64 {
        (512 / self.bits).max(self.scale.map_or(0, Scale::block))
    }
}

/// The name of an element's type in the IR.
pub(super) fn name(elem: Element) -> &'static str {
    type_name(elem).unwrap_or(elem.name())
}

/// Checks a rule about the parameters.
pub(super) fn rule(holds: bool, text: impl FnOnce() -> String) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Parameters(text())) }
}
