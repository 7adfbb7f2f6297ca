//! Types of the machine: scalars in 64-bit register slots, aggregates in consecutive slots, and the
//! bytes of each in memory. It does not depend on MLIR.

use cute_arch::{
    Element,
    space::{CLUSTER, CONSTANT, LOCAL, SHARED, TENSOR},
};
use serde::{Deserialize, Serialize};

/// A type that fits in one register slot.
///
/// Integers are stored zero-extended, floats as their bits, pointers in the encoding of
/// an address space and an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scalar {
    /// An integer of 1 to 64 bits.
    Int(u32),
    /// An IEEE float of 16 bits.
    F16,
    /// A bfloat16.
    Bf16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// A pointer of this address space.
    Ptr(u32),
}

impl Scalar {
    /// The number of bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(width) => width,
            Scalar::F16 => Element::F16.bits(),
            Scalar::Bf16 => Element::Bf16.bits(),
            Scalar::F32 => Element::F32.bits(),
            Scalar::F64 => Element::F64.bits(),
            Scalar::Ptr(_) => 64,
        }
    }

    /// Bytes in memory. Integers take the next power of two, as LLVM's alignment makes them.
    /// Pointers outside of generic and global memory are short (`--nvptx-short-ptr`).
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::Ptr(SHARED | CONSTANT | LOCAL | TENSOR | CLUSTER) => 4,
            _ => u64::from(self.bits().div_ceil(8).next_power_of_two()),
        }
    }

    /// Whether it is a float of some width.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }

    /// PTX's name of a float.
    pub fn ptx(self) -> &'static str {
        match self {
            Scalar::F16 => Element::F16.name(),
            Scalar::Bf16 => Element::Bf16.name(),
            Scalar::F32 => Element::F32.name(),
            _ => Element::F64.name(),
        }
    }

    /// Whether memory has each bit of the value, and no others. `i1` is stored as a byte. Of a
    /// pointer of shared or tensor memory, 32 bits are the address, unlike those of other short
    /// pointers.
    fn is_whole_bytes(self) -> bool {
        match self {
            Scalar::Int(1) | Scalar::Ptr(SHARED | TENSOR | CLUSTER) => true,
            _ => u64::from(self.bits()) == self.bytes() * 8,
        }
    }
}

/// A type: a tree of scalars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// One value in one slot.
    Scalar(Scalar),
    /// Values side by side, packed as LLVM packs a vector.
    Vector(u32, Scalar),
    /// A number of elements of one type.
    Array(u32, Box<Type>),
    /// Fields in order, with padding unless they are packed.
    #[allow(missing_docs)]
    Struct { fields: Vec<Type>, packed: bool },
}

/// One scalar of a type in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaf {
    /// Slot within the value.
    pub slot: u32,
    /// Offset within the object, in bytes.
    pub offset: u32,
    /// Size in bytes, 1 to 8.
    pub bytes: u32,
    /// Bits of them that are the value.
    pub bits: u32,
}

/// More slots than this in one value is refused.
pub const MAX_SLOTS: u64 = 1 << 16;

impl Type {
    /// The number of slots that a value takes.
    pub fn slots(&self) -> u64 {
        match self {
            Type::Scalar(_) => 1,
            Type::Vector(n, _) => u64::from(*n),
            Type::Array(n, t) => t.slots().saturating_mul(u64::from(*n)),
            Type::Struct { fields, .. } => fields.iter().fold(0, |s, t| s.saturating_add(t.slots())),
        }
    }

    /// Distance between neighbours in an array, in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Type::Scalar(s) => s.bytes(),
            Type::Vector(n, s) => (u64::from(*n) * s.bytes()).next_power_of_two(),
            Type::Array(n, t) => t.size().saturating_mul(u64::from(*n)),
            Type::Struct { fields, .. } => round_up(self.field_offset(fields.len()), self.align()),
        }
    }

    /// Natural alignment in bytes.
    pub fn align(&self) -> u64 {
        match self {
            Type::Scalar(_) | Type::Vector(..) => self.size().max(1),
            Type::Array(_, t) => t.align(),
            Type::Struct { packed: true, .. } => 1,
            Type::Struct { fields, .. } => fields.iter().map(Type::align).max().unwrap_or(1),
        }
    }

    /// Byte offset of a struct's field, or of the end of the last one if `field` is the number of
    /// fields.
    pub fn field_offset(&self, field: usize) -> u64 {
        let Type::Struct { fields, packed } = self else { return 0 };
        let mut at = 0u64;
        for (i, t) in fields.iter().enumerate() {
            at = if *packed { at } else { round_up(at, t.align()) };
            if i == field {
                break;
            }
            at = at.saturating_add(t.size());
        }
        at
    }

    /// The element at `index`: its first slot and its type.
    pub fn element(&self, index: u64) -> Option<(u64, Type)> {
        match self {
            Type::Scalar(_) => None,
            Type::Vector(n, s) => (index < u64::from(*n)).then_some((index, Type::Scalar(*s))),
            Type::Array(n, t) => (index < u64::from(*n)).then(|| (index * t.slots(), (**t).clone())),
            Type::Struct { fields, .. } => {
                let i = usize::try_from(index).ok()?;
                let field = fields.get(i)?;
                Some((fields[..i].iter().map(Type::slots).sum(), field.clone()))
            }
        }
    }

    /// Element count and scalar of a scalar or vector.
    pub fn lanes(&self) -> Option<(u32, Scalar)> {
        match self {
            Type::Scalar(s) => Some((1, *s)),
            Type::Vector(n, s) => Some((*n, *s)),
            _ => None,
        }
    }

    /// The scalars in slot order.
    pub fn scalars(&self) -> Vec<Scalar> {
        match self {
            Type::Scalar(s) => vec![*s],
            Type::Vector(n, s) => vec![*s; *n as usize],
            Type::Array(n, t) => t.scalars().repeat(*n as usize),
            Type::Struct { fields, .. } => fields.iter().flat_map(Type::scalars).collect(),
        }
    }

    /// The scalars with their places in memory; `None` if some scalar does not fill its bytes or
    /// the type is too large.
    pub fn leaves(&self) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        (self.slots() <= MAX_SLOTS && self.push_leaves(0, &mut leaves)).then_some(leaves)
    }

    fn push_leaves(&self, offset: u64, leaves: &mut Vec<Leaf>) -> bool {
        match self {
            Type::Scalar(s) => push_leaf(*s, offset, leaves),
            Type::Vector(n, s) => {
                // LLVM packs vectors of i1 into bits.
                s.bits() != 1 && (0..u64::from(*n)).all(|i| push_leaf(*s, offset + i * s.bytes(), leaves))
            }
            Type::Array(_, t) if t.slots() == 0 => true,
            Type::Array(n, t) => (0..u64::from(*n)).all(|i| t.push_leaves(offset + i * t.size(), leaves)),
            Type::Struct { fields, .. } => {
                fields.iter().enumerate().all(|(i, t)| t.push_leaves(offset + self.field_offset(i), leaves))
            }
        }
    }
}

fn push_leaf(scalar: Scalar, offset: u64, leaves: &mut Vec<Leaf>) -> bool {
    let (Ok(slot), Ok(offset)) = (u32::try_from(leaves.len()), u32::try_from(offset)) else { return false };
    let bytes = scalar.bytes() as u32;
    leaves.push(Leaf { slot, offset, bytes, bits: scalar.bits().min(8 * bytes) });
    scalar.is_whole_bytes()
}

/// The smallest multiple of `align` that is not below `n`.
pub fn round_up(n: u64, align: u64) -> u64 {
    n.div_ceil(align.max(1)).saturating_mul(align.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_struct_is_padded_unless_packed() {
        let fields = vec![Type::Scalar(Scalar::Int(8)), Type::Scalar(Scalar::F64), Type::Scalar(Scalar::F16)];
        let padded = Type::Struct { fields: fields.clone(), packed: false };
        assert_eq!((padded.size(), padded.align(), padded.field_offset(1)), (24, 8, 8));
        let packed = Type::Struct { fields, packed: true };
        assert_eq!((packed.size(), packed.align(), packed.field_offset(1)), (11, 1, 1));
    }

    #[test]
    fn an_array_of_vectors_counts_slots_and_bytes_apart() {
        let t = Type::Array(2, Box::new(Type::Vector(3, Scalar::F32)));
        assert_eq!((t.slots(), t.size()), (6, 32));
        let offsets: Vec<_> = t.leaves().unwrap().iter().map(|l| l.offset).collect();
        assert_eq!(offsets, [0, 4, 8, 16, 20, 24]);
    }

    #[test]
    fn a_vector_of_i1_has_no_bytes() {
        assert_eq!(Type::Vector(8, Scalar::Int(1)).leaves(), None);
    }
}
