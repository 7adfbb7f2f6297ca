//! Reads the fields of an instruction descriptor. [`MmaAtom::instruction_descriptor`] is the
//! inverse.
//!
//! [`MmaAtom::instruction_descriptor`]: crate::atoms::MmaAtom::instruction_descriptor

use super::{NEGATE_BITS, bit};
use crate::atoms::Major;
use crate::element::Element;
use serde::{Deserialize, Serialize};

/// The types that a `tcgen05.mma` multiplies: its `.kind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Tcgen05Kind {
    /// f16 and bf16.
    F16,
    /// tf32.
    Tf32,
    /// Floats of 8, 6 and 4 bits, each in a byte.
    F8f6f4,
    /// Integers of 8 bits.
    I8,
}

impl Tcgen05Kind {
    /// The kinds, in the order in which PTX lists them.
    pub const ALL: [Self; 4] = [Self::F16, Self::Tf32, Self::F8f6f4, Self::I8];

    /// The kind that multiplies such elements.
    ///
    /// ```
    /// use cute_arch::{Element, atoms::Tcgen05Kind};
    /// assert_eq!(Tcgen05Kind::of(Element::Bf16), Some(Tcgen05Kind::F16));
    /// assert_eq!(Tcgen05Kind::of(Element::E2m1), Some(Tcgen05Kind::F8f6f4));
    /// assert_eq!(Tcgen05Kind::of(Element::F32), None);
    /// ```
    pub fn of(element: Element) -> Option<Self> {
        Self::numbered(element).map(|(kind, _)| kind)
    }

    /// The kind that multiplies such elements, and their number in its format fields.
    pub(super) fn numbered(element: Element) -> Option<(Self, u32)> {
        let mut all = Self::ALL.into_iter().flat_map(|kind| (0..8).map(move |format| (kind, format)));
        all.find(|(kind, format)| kind.element(*format) == Some(element))
    }

    /// PTX's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::F16 => "f16",
            Self::Tf32 => "tf32",
            Self::F8f6f4 => "f8f6f4",
            Self::I8 => "i8",
        }
    }

    /// Bits of an element of A or B.
    pub fn bits(self) -> u32 {
        match self {
            Self::F16 => 16,
            Self::Tf32 => 32,
            Self::F8f6f4 | Self::I8 => 8,
        }
    }

    /// The type that a format field names.
    fn element(self, format: u32) -> Option<Element> {
        Some(match (self, format) {
            (Self::F16, 0) => Element::F16,
            (Self::F16, 1) => Element::Bf16,
            (Self::Tf32, 2) => Element::Tf32,
            (Self::F8f6f4, 0) => Element::E4m3,
            (Self::F8f6f4, 1) => Element::E5m2,
            (Self::F8f6f4, 3) => Element::E2m3,
            (Self::F8f6f4, 4) => Element::E3m2,
            (Self::F8f6f4, 5) => Element::E2m1,
            (Self::I8, 0) => Element::U8,
            (Self::I8, 1) => Element::S8,
            _ => return None,
        })
    }

    fn formats(self) -> &'static str {
        match self {
            Self::F16 => "0 (f16) or 1 (bf16)",
            Self::Tf32 => "2 (tf32)",
            Self::F8f6f4 => "0 (e4m3), 1 (e5m2), 3 (e2m3), 4 (e3m2) or 5 (e2m1)",
            Self::I8 => "0 (u8) or 1 (s8)",
        }
    }
}

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

    /// The legal values of M.
    fn rows(self) -> &'static [u32] {
        match self {
            Self::One => &[64, 128],
            Self::Pair => &[128, 256],
            Self::WeightStationary => &[32, 64, 128],
        }
    }
}

/// The fields of an instruction descriptor of a dense `tcgen05.mma` without scales.
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
}

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

fn spelled((from, to): &(u32, u32)) -> String {
    if from == to { format!("bit {from}") } else { format!("bits {from} to {to}") }
}

impl InstructionDescriptor {
    /// The fields of a word, for an instruction of this kind.
    pub fn read(word: u32, kind: Tcgen05Kind, group: Tcgen05Group) -> Result<Self, BadField> {
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
        zero("the sparsity selector", 0, 1, "it is for sparse matrices")?;
        zero("the sparsity", 2, 2, "this instruction takes dense matrices")?;
        zero("a reserved field", 6, 6, "it must be 0")?;
        zero("a reserved field", 23, 23, "it must be 0")?;
        zero("a reserved field", 29, 29, "it must be 0")?;
        if group != Tcgen05Group::WeightStationary {
            zero("the largest shift", 30, 31, "it is for .ws")?;
        }
        let is_integer = kind == Tcgen05Kind::I8;
        if !is_integer {
            zero("the saturation", 3, 3, "it is for integers")?;
        } else {
            let [a, b] = NEGATE_BITS;
            zero("the negation of A", a, a, "integers are not negated")?;
            zero("the negation of B", b, b, "integers are not negated")?;
        }
        let format = |name, from: u32| {
            let code = field(from, from + 2);
            let rule = || format!("kind::{} takes {}", kind.name(), kind.formats());
            kind.element(code).ok_or_else(|| bad(name, (from, from + 2), code, rule()))
        };
        let a = format("the type of A", bit::A_FORMAT)?;
        let b = format("the type of B", bit::B_FORMAT)?;
        let code = field(bit::D_FORMAT, bit::D_FORMAT + 1);
        let halves = kind == Tcgen05Kind::F8f6f4 || (a, b) == (Element::F16, Element::F16);
        let d = match (code, is_integer) {
            (0, false) if halves => Element::F16,
            (1, false) => Element::F32,
            (2, true) => Element::S32,
            _ => {
                let takes = match (is_integer, halves) {
                    (true, _) => "2 (s32)",
                    (_, true) => "0 (f16) or 1 (f32)",
                    _ => "1 (f32)",
                };
                let rule = format!("kind::{} of {a} and {b} takes {takes}", kind.name());
                return Err(bad("the type of D", (bit::D_FORMAT, bit::D_FORMAT + 1), code, rule));
            }
        };
        let (m, n) = (field(bit::M, bit::M + 4) << 4, field(bit::N, bit::N + 5) << 3);
        if !group.rows().contains(&m) {
            let rows: Vec<String> = group.rows().iter().map(u32::to_string).collect();
            let (last, others) = rows.split_last().expect("each group has some");
            let rule = format!("{} takes {} or {last}", group.name(), others.join(", "));
            return Err(bad("M", (bit::M, bit::M + 4), m, rule));
        }
        let step = match (group, m) {
            (Tcgen05Group::One, 64) if !(is_integer && n > 8) => 8,
            (Tcgen05Group::Pair, _) if is_integer => 32,
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
            shape: [m, n, 256 / kind.bits()],
            d,
            a,
            b,
            negate: NEGATE_BITS.map(|from| field(from, from) == 1),
            majors: [bit::A_MN_MAJOR, bit::B_MN_MAJOR].map(major),
            saturates: field(3, 3) == 1,
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
        for (instruction, group) in
            [(Instruction::TCGEN05, Tcgen05Group::One), (Instruction::TCGEN05.pair(), Tcgen05Group::Pair)]
        {
            for atom in instruction.atoms() {
                let MmaAtom { shape, d, a, b, .. } = atom;
                let kind = Tcgen05Kind::of(a.element).expect("a type that tcgen05.mma multiplies");
                for majors in [[Major::K, Major::K], [Major::Mn, Major::K], [Major::K, Major::Mn]] {
                    let Some(word) = atom.instruction_descriptor(majors[0], majors[1]) else { continue };
                    let read = InstructionDescriptor::read(word, kind, group);
                    let read = read.unwrap_or_else(|e| panic!("{}: {e}", atom.name));
                    assert_eq!((read.shape, read.d, read.majors), (*shape, *d, majors), "{}", atom.name);
                    assert_eq!((read.a, read.b), (a.element, b.element), "{}", atom.name);
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
}
