//! Reads the fields of an instruction descriptor. [`MmaAtom::instruction_descriptor`] is the
//! inverse.
//!
//! [`MmaAtom::instruction_descriptor`]: crate::atoms::MmaAtom::instruction_descriptor

use super::{ACCUMULATORS, NEGATE_BITS, bit};
use crate::atoms::{BlockScale, Major, Tcgen05Kind, kind::WIDE_K};
use crate::element::Element;
use serde::{Deserialize, Serialize};

/// The CTAs that multiply together, and their mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tcgen05Group {
    /// `.cta_group::1`.
    One,
    /// `.cta_group::2`.
    Pair,
    /// `.ws`, of one CTA.
    WeightStationary,
}

impl Tcgen05Group {
    /// CTAs.
    pub fn ctas(self) -> u32 {
        if self == Self::Pair { 2 } else { 1 }
    }

    fn name(self) -> &'static str {
        match self {
            Self::One => ".cta_group::1",
            Self::Pair => ".cta_group::2",
            Self::WeightStationary => ".ws",
        }
    }

    /// The legal values of M, with scale factors or without.
    fn rows(self, is_scaled: bool) -> &'static [u32] {
        match self {
            Self::One if is_scaled => &[128],
            Self::One => &[64, 128],
            Self::Pair => &[128, 256],
            Self::WeightStationary => &[32, 64, 128],
        }
    }
}

/// The fields of an instruction descriptor of a dense `tcgen05.mma`.
///
/// ```
/// use cute_arch::{Element, atoms::{InstructionDescriptor, Major, Tcgen05Group, Tcgen05Kind}};
/// let read = |word| InstructionDescriptor::read(word, Tcgen05Kind::F16, Tcgen05Group::Pair);
/// let descriptor = read(0x10408490).unwrap();
/// assert_eq!(descriptor.shape, [256, 256, 16]);
/// assert_eq!((descriptor.a, descriptor.d, descriptor.majors), (Element::Bf16, Element::F32, [Major::Mn, Major::K]));
/// let broken = read(0x04400490).unwrap_err();
/// assert_eq!(broken.to_string(), "M (bits 24 to 28) is 64: .cta_group::2 takes 128 or 256");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InstructionDescriptor {
    /// M and N of both CTAs of a pair, and K.
    pub shape: [u32; 3],
    /// The accumulator's type.
    pub d: Element,
    /// The type of A.
    pub a: Element,
    /// The type of B.
    pub b: Element,
    /// Whether A and B are negated.
    pub negate: [bool; 2],
    /// The contiguous modes of A and B in shared memory.
    pub majors: [Major; 2],
    /// Whether integer accumulators saturate.
    pub saturates: bool,
    /// The code of the largest shift of A, of `.ws` alone.
    pub max_shift: u32,
    /// The scale factors, if the kind has some.
    pub scales: Option<DescribedScales>,
}

/// The scale factors of an instruction descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DescribedScales {
    /// The type of a factor.
    pub element: Element,
    /// The byte of each word with the first factor of A, and of B.
    pub first: [u32; 2],
    /// Factors along K.
    pub count: u32,
}

/// The fields with the first bytes.
const SCALES_OF: [&str; 2] = ["the first scale factor of A", "the first scale factor of B"];

/// A field of a descriptor with a value that its instruction does not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} ({}) is {value}: {rule}", spelled(.bits))]
pub struct BadField {
    /// The name of the field.
    pub field: &'static str,
    /// Its first and last bit.
    pub bits: (u32, u32),
    /// The value that the rule forbids.
    pub value: u32,
    /// The legal values.
    pub rule: String,
}

/// `0 (f16) or 1 (f32)`.
fn listed(numbers: &[(u32, Element)]) -> String {
    either(numbers.iter().map(|(number, element)| format!("{number} ({element})")))
}

/// `a, b or c`.
fn either(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    match all.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn spelled((from, to): &(u32, u32)) -> String {
    if from == to { format!("bit {from}") } else { format!("bits {from} to {to}") }
}

impl InstructionDescriptor {
    /// The fields of a word, for an instruction of this kind. One with scale factors has the number
    /// that it takes by default.
    pub fn read(word: u32, kind: Tcgen05Kind, group: Tcgen05Group) -> Result<Self, BadField> {
        Self::read_scaled(word, kind, group, kind.default_scales())
    }

    /// The same for an instruction whose name says this number of scale factors along K, if it has
    /// some. The name counts those of the shorter K.
    pub fn read_scaled(
        word: u32,
        kind: Tcgen05Kind,
        group: Tcgen05Group,
        count: Option<u32>,
    ) -> Result<Self, BadField> {
        let field = |from: u32, to: u32| word >> from & (u32::MAX >> (31 - (to - from)));
        let bad = |field: &'static str, bits: (u32, u32), value: u32, rule: String| BadField {
            field,
            bits,
            value,
            rule,
        };
        let zero = |name: &'static str, from: u32, to: u32, rule: &str| match field(from, to) {
            0 => Ok(()),
            value => Err(bad(name, (from, to), value, rule.to_owned())),
        };
        zero("the sparsity selector", bit::SPARSE_ID, bit::SPARSE_ID + 1, "it is for sparse matrices")?;
        zero("the sparsity", bit::SPARSE, bit::SPARSE, "this instruction takes dense matrices")?;
        zero("a reserved field", 6, 6, "it must be 0")?;
        let is_scaled = kind.is_scaled();
        if is_scaled {
            if !kind.has_k(WIDE_K) {
                zero("the longer K", bit::WIDE_K, bit::WIDE_K, "K = 96 is for elements of 4 bits")?;
            }
            zero("a reserved field", 3, 3, "it must be 0")?;
        } else {
            zero("a reserved field", bit::SCALE_UE8M0, bit::SCALE_UE8M0, "it must be 0")?;
            zero("a reserved field", 29, 29, "it must be 0")?;
            if group != Tcgen05Group::WeightStationary {
                zero("the largest shift", bit::MAX_SHIFT, bit::MAX_SHIFT + 1, "it is for .ws")?;
            }
        }
        if !kind.is_integer() {
            zero("the saturation", bit::SATURATES, bit::SATURATES, "it is for integers")?;
        } else {
            let [a, b] = NEGATE_BITS;
            zero("the negation of A", a, a, "integers are not negated")?;
            zero("the negation of B", b, b, "integers are not negated")?;
        }
        let name = kind.row().keyword;
        let format = |field_name, from: u32| {
            let code = field(from, from + 2);
            let found = kind.row().formats.iter().find(|(number, _)| *number == code);
            let rule = || format!("{name} takes {}", listed(kind.row().formats));
            found.map(|(_, element)| *element).ok_or_else(|| bad(field_name, (from, from + 2), code, rule()))
        };
        let a = format("the type of A", bit::A_FORMAT)?;
        let b = format("the type of B", bit::B_FORMAT)?;
        let k = if is_scaled && field(bit::WIDE_K, bit::WIDE_K) == 1 { WIDE_K } else { kind.k() };
        let legal = kind.accumulators(a, b);
        let (d, scales) = if is_scaled {
            let ue8m0 = field(bit::SCALE_UE8M0, bit::SCALE_UE8M0);
            let element = if ue8m0 == 1 { Element::Ue8m0 } else { Element::Ue4m3 };
            let taken = |scale: &&BlockScale| count.is_none_or(|count| scale.count == count);
            if !kind.row().scales.iter().filter(taken).any(|scale| scale.element == element) {
                // A kind with one number of factors does not spell it.
                let spelled = count.filter(|_| kind.default_scales().is_none());
                let spelled = spelled.map_or(String::new(), |count| format!(" with .scale_vec::{count}X"));
                let rule = format!("{name}{spelled} takes 1 (ue8m0)");
                return Err(bad("the type of the scales", (bit::SCALE_UE8M0, bit::SCALE_UE8M0), ue8m0, rule));
            }
            let first = [bit::A_SCALES, bit::B_SCALES].map(|from| field(from, from + 1));
            let named = count.unwrap_or(1);
            let count = named * k / kind.k();
            for ((id, from), matrix) in first.into_iter().zip([bit::A_SCALES, bit::B_SCALES]).zip(SCALES_OF) {
                let legal = BlockScale { element, count }.first_bytes();
                if !legal.clone().any(|legal| legal == id) {
                    let legal = either(legal.map(|id| id.to_string()));
                    let wide = if k == WIDE_K { " and K = 96" } else { "" };
                    let rule = format!("with .scale_vec::{named}X{wide} the first byte is {legal}");
                    return Err(bad(matrix, (from, from + 1), id, rule));
                }
            }
            (Element::F32, Some(DescribedScales { element, first, count }))
        } else {
            let bits = (bit::D_FORMAT, bit::D_FORMAT + 1);
            let code = field(bits.0, bits.1);
            let taken: Vec<_> = ACCUMULATORS.into_iter().filter(|(_, d)| legal.contains(d)).collect();
            let rule = || format!("{name} of {a} and {b} takes {}", listed(&taken));
            let found = taken.iter().find(|(number, _)| *number == code);
            (found.ok_or_else(|| bad("the type of D", bits, code, rule()))?.1, None)
        };
        let (m, n) = (field(bit::M, bit::M + 4) << 4, field(bit::N, bit::N + 5) << 3);
        let rows = group.rows(is_scaled);
        if !rows.contains(&m) {
            let rows = either(rows.iter().map(u32::to_string));
            let rule = format!("{} takes {rows}", group.name());
            return Err(bad("M", (bit::M, bit::M + 4), m, rule));
        }
        let step = match (group, m) {
            (Tcgen05Group::One, 64) if !(kind.is_integer() && n > 8) => 8,
            (Tcgen05Group::One, _) if is_scaled => 8,
            (Tcgen05Group::Pair, _) if kind.is_integer() => 32,
            (Tcgen05Group::WeightStationary, _) => 64,
            _ => 16,
        };
        let is_power = group != Tcgen05Group::WeightStationary || n.is_power_of_two();
        if n == 0 || n > 256 || !n.is_multiple_of(step) || !is_power {
            let rule = match group {
                Tcgen05Group::WeightStationary => ".ws takes 64, 128 or 256".to_owned(),
                _ => format!("with M = {m}, {} takes multiples of {step} up to 256", group.name()),
            };
            return Err(bad("N", (bit::N, bit::N + 5), n, rule));
        }
        let major = |from| if field(from, from) == 1 { Major::Mn } else { Major::K };
        Ok(InstructionDescriptor {
            shape: [m, n, k],
            d,
            a,
            b,
            negate: NEGATE_BITS.map(|from| field(from, from) == 1),
            majors: [bit::A_MN_MAJOR, bit::B_MN_MAJOR].map(major),
            max_shift: if is_scaled { 0 } else { field(bit::MAX_SHIFT, bit::MAX_SHIFT + 1) },
            saturates: !is_scaled && field(bit::SATURATES, bit::SATURATES) == 1,
            scales,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::{Instruction, MmaAtom};

    /// Reading an atom's descriptor returns the atom's properties.
    #[test]
    fn a_descriptor_says_what_its_atom_is() {
        let mut seen = 0;
        let one = Instruction::TCGEN05;
        for (instruction, group) in [
            (one, Tcgen05Group::One),
            (one.scaled(), Tcgen05Group::One),
            (one.pair(), Tcgen05Group::Pair),
            (one.pair().scaled(), Tcgen05Group::Pair),
        ] {
            for atom in instruction.atoms() {
                let MmaAtom { shape, d, a, b, .. } = atom;
                let kind = atom.tcgen05_kind().expect("an atom of tcgen05.mma has a kind");
                for majors in [[Major::K, Major::K], [Major::Mn, Major::K], [Major::K, Major::Mn]] {
                    let Some(word) = atom.instruction_descriptor(majors[0], majors[1]) else { continue };
                    let count = atom.scale.as_ref().map(|scale| kind.k() / scale.vector);
                    let read = InstructionDescriptor::read_scaled(word, kind, group, count);
                    let read = read.unwrap_or_else(|e| panic!("{}: {e}", atom.name));
                    assert_eq!((read.shape, read.d, read.majors), (*shape, *d, majors), "{}", atom.name);
                    assert_eq!((read.a, read.b), (a.element, b.element), "{}", atom.name);
                    let scale = atom.scale.as_ref().map(|scale| scale.element);
                    assert_eq!(read.scales.map(|scales| scales.element), scale, "{}", atom.name);
                    let count = atom.scale.as_ref().map(|scale| shape[2] / scale.vector);
                    assert_eq!(read.scales.map(|scales| scales.count), count, "{}", atom.name);
                    assert_eq!(read.word(kind), Some(word), "{}", atom.name);
                    seen += 1;
                }
            }
        }
        assert!(seen > 1000, "{seen}");
    }

    #[test]
    fn each_field_is_checked() {
        let good = 0x08400490;
        let read = |word| InstructionDescriptor::read(word, Tcgen05Kind::F16, Tcgen05Group::One);
        assert!(read(good).is_ok());
        for (bits, field) in [
            (1, "the sparsity selector"),
            (1 << 2, "the sparsity"),
            (1 << 3, "the saturation"),
            (1 << 6, "a reserved field"),
            (2 << 7, "the type of A"),
            (2 << 10, "the type of B"),
            (2 << 4, "the type of D"),
            (1 << 17, "N"),
            (1 << 24, "M"),
            (1 << 29, "a reserved field"),
            (1 << 30, "the largest shift"),
        ] {
            assert_eq!(read(good | bits).unwrap_err().field, field, "{bits:#x}");
        }
    }
    #[test]
    fn scale_factors_have_fields_of_their_own() {
        let atom = MmaAtom::by_name("SM100_MMA_MXF8F6F4_SS<e4m3,e5m2,float,ue8m0,128,64>").unwrap();
        let word = atom.instruction_descriptor(Major::K, Major::K).unwrap();
        let read = |word, kind| InstructionDescriptor::read(word, kind, Tcgen05Group::One);
        let scales = read(word | 1 << 29 | 2 << 4, Tcgen05Kind::Mxf8f6f4).unwrap().scales.unwrap();
        assert_eq!((scales.element, scales.first), (Element::Ue8m0, [1, 2]));
        let error = |word, kind| read(word, kind).unwrap_err().to_string();
        let ue4m3 = word & !(1 << 23);
        let expected = "the type of the scales (bit 23) is 0: kind::mxf8f6f4 takes 1 (ue8m0)";
        assert_eq!(error(ue4m3, Tcgen05Kind::Mxf8f6f4), expected);
        let expected = "the type of A (bits 7 to 9) is 0: kind::mxf4 takes 1 (e2m1)";
        assert_eq!(error(word, Tcgen05Kind::Mxf4), expected);
        let rows = word & !(8 << 24) | 4 << 24;
        let expected = "M (bits 24 to 28) is 64: .cta_group::1 takes 128";
        assert_eq!(error(rows, Tcgen05Kind::Mxf8f6f4), expected);
    }

    /// Factors of one MMA after the other: 3 begin in bytes 0, 3, 2 and 1, and 6 in bytes 0 and 2.
    #[test]
    fn a_longer_k_has_three_halves_of_the_factors() {
        let read = |name: &str, change: u32, count| {
            let atom = MmaAtom::by_name(name).unwrap();
            let word = atom.instruction_descriptor(Major::K, Major::K).unwrap() | change;
            InstructionDescriptor::read_scaled(word, Tcgen05Kind::Mxf4nvf4, Tcgen05Group::One, Some(count))
        };
        let (by_32, by_16) = (
            "SM103_MXF4_ULTRA_SS_VS<e2m1,e2m1,float,ue8m0,128,128,32>",
            "SM103_MXF4_ULTRA_SS_VS<e2m1,e2m1,float,ue4m3,128,128,16>",
        );
        let scales = read(by_32, 3 << 29 | 1 << 4, 2).unwrap().scales.unwrap();
        assert_eq!((scales.count, scales.first), (3, [3, 1]));
        let scales = read(by_16, 2 << 29, 4).unwrap().scales.unwrap();
        assert_eq!((scales.count, scales.first), (6, [2, 0]));
        let expected = "the first scale factor of B (bits 4 to 5) is 1: with .scale_vec::4X and K = 96 the first byte is 0 or 2";
        assert_eq!(read(by_16, 1 << 4, 4).unwrap_err().to_string(), expected);
        let atom = MmaAtom::by_name("SM100_MMA_MXF8F6F4_SS<e4m3,e5m2,float,ue8m0,128,64>").unwrap();
        let word = atom.instruction_descriptor(Major::K, Major::K).unwrap() | 1 << 31;
        let error = InstructionDescriptor::read(word, Tcgen05Kind::Mxf8f6f4, Tcgen05Group::One).unwrap_err();
        assert_eq!(error.to_string(), "the longer K (bit 31) is 1: K = 96 is for elements of 4 bits");
    }

    #[test]
    fn scale_factors_begin_where_their_number_allows() {
        let atom = MmaAtom::by_name("SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue4m3,128,64,16>").unwrap();
        let word = atom.instruction_descriptor(Major::K, Major::K).unwrap();
        let read = |word, count| {
            let one = Tcgen05Group::One;
            InstructionDescriptor::read_scaled(word, Tcgen05Kind::Mxf4nvf4, one, Some(count))
        };
        let error = |word, count| read(word, count).unwrap_err().to_string();
        let expected =
            "the type of the scales (bit 23) is 0: kind::mxf4nvf4 with .scale_vec::2X takes 1 (ue8m0)";
        assert_eq!(error(word, 2), expected);
        let powers = word | 1 << 23;
        assert_eq!(read(powers | 2 << 29 | 2 << 4, 2).unwrap().scales.unwrap().first, [2, 2]);
        let expected =
            "the first scale factor of A (bits 29 to 30) is 1: with .scale_vec::2X the first byte is 0 or 2";
        assert_eq!(error(powers | 1 << 29, 2), expected);
        let expected =
            "the first scale factor of B (bits 4 to 5) is 2: with .scale_vec::4X the first byte is 0";
        assert_eq!(error(word | 2 << 4, 4), expected);
    }
}
