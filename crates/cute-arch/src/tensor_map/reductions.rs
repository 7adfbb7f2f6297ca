//! The elements that bulk copies reduce, by instruction and operation: the tables of valid
//! combinations of `.redOp` and element type in the PTX ISA. ptxas checks those of contiguous
//! elements. It cannot check those of tensors, because the element type is in the tensor map.

use super::MapElement::{self, Bf16, F16, F32, F32Ftz, F64, S32, S64, U32, U64};
use crate::atoms::Reduction::{self, Add, And, Dec, Inc, Max, Min, Or, Xor};

/// The instructions that reduce memory asynchronously.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BulkReduction {
    /// `cp.reduce.async.bulk.tensor`: a box into a tensor, whose map names the element type.
    Tensor,
    /// `cp.reduce.async.bulk` of contiguous elements into global memory.
    Global,
    /// The same into the shared memory of the cluster.
    Cluster,
}

use BulkReduction::{Cluster, Global, Tensor};

/// Integers, where PTX names bits.
const B32: &[MapElement] = &[U32, S32];
const B32_B64: &[MapElement] = &[U32, S32, U64, S64];

/// An instruction, operations, and the elements that it applies them to.
type Row = (BulkReduction, &'static [Reduction], &'static [MapElement]);

const ROWS: &[Row] = &[
    (Tensor, &[Add], &[U32, S32, U64, F32, F16, Bf16]),
    (Tensor, &[Min, Max], &[U32, S32, U64, S64, F16, Bf16]),
    (Tensor, &[Inc, Dec], &[U32]),
    (Tensor, &[And, Or, Xor], B32_B64),
    (Global, &[Add], &[U32, S32, U64, F32, F64, F16, Bf16]),
    (Global, &[Min, Max], &[U32, S32, U64, S64, F16, Bf16]),
    (Global, &[Inc, Dec], &[U32]),
    (Global, &[And, Or, Xor], B32_B64),
    (Cluster, &[Add], &[U32, S32, U64]),
    (Cluster, &[Min, Max], B32),
    (Cluster, &[Inc, Dec], &[U32]),
    (Cluster, &[And, Or, Xor], B32),
];

impl BulkReduction {
    /// An operation on elements of a type, as PTX spells both without a tensor map: operations on
    /// bits have types of bits, and sums of 16-bit floats keep subnormals.
    ///
    /// ```
    /// use cute_arch::{atoms::Reduction, tensor_map::{BulkReduction, MapElement}};
    /// assert_eq!(BulkReduction::ptx(Reduction::Add, MapElement::F16), "add.noftz.f16");
    /// assert_eq!(BulkReduction::ptx(Reduction::Xor, MapElement::S64), "xor.b64");
    /// ```
    pub fn ptx(by: Reduction, element: MapElement) -> String {
        let name = by.name().to_lowercase();
        let of_half = element.is_float() && element.bits() == 16;
        match by {
            And | Or | Xor if !element.is_float() => format!("{name}.b{}", element.bits()),
            Add if of_half => format!("{name}.noftz.{element}"),
            _ => format!("{name}.{element}"),
        }
    }

    /// The elements that the instruction reduces by an operation.
    pub fn elements(self, by: Reduction) -> impl Iterator<Item = MapElement> {
        let own = ROWS.iter().filter(move |(instruction, all, _)| *instruction == self && all.contains(&by));
        own.flat_map(|(.., elements)| elements.iter().copied())
    }

    /// Whether the instruction reduces elements of this type by an operation. f32 whose subnormals
    /// are zero is a form of f32.
    ///
    /// ```
    /// use cute_arch::{atoms::Reduction, tensor_map::{BulkReduction, MapElement}};
    /// assert!(BulkReduction::Tensor.takes(Reduction::Add, MapElement::F32));
    /// assert!(!BulkReduction::Tensor.takes(Reduction::Inc, MapElement::F32));
    /// ```
    pub fn takes(self, by: Reduction, element: MapElement) -> bool {
        let element = if element == F32Ftz { F32 } else { element };
        self.elements(by).any(|own| own == element)
    }
}
