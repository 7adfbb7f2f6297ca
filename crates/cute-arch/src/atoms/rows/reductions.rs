//! The elements that bulk copies reduce, by instruction and operation: the tables "valid combinations
//! of `.redOp` and element type" of the PTX ISA. ptxas checks those of contiguous elements. For those
//! of tensors it cannot, because the element type is in the tensor map.

use crate::{
    atoms::model::{
        BulkReduction::{self, Cluster, Global, Tensor},
        Reduction::{self, Add, And, Dec, Inc, Max, Min, Or, Xor},
    },
    tensor_map::MapElement::{self, Bf16, F16, F32, F64, S32, S64, U32, U64},
};

/// Operations that an instruction applies to the same elements.
pub(crate) struct Row {
    pub instruction: BulkReduction,
    pub operations: &'static [Reduction],
    pub elements: &'static [MapElement],
}

const fn row(
    instruction: BulkReduction,
    operations: &'static [Reduction],
    elements: &'static [MapElement],
) -> Row {
    Row { instruction, operations, elements }
}

/// Any integers, where PTX names bits.
const B32: &[MapElement] = &[U32, S32];
const B32_B64: &[MapElement] = &[U32, S32, U64, S64];

pub(crate) const ROWS: &[Row] = &[
    row(Tensor, &[Add], &[U32, S32, U64, F32, F16, Bf16]),
    row(Tensor, &[Min, Max], &[U32, S32, U64, S64, F16, Bf16]),
    row(Tensor, &[Inc, Dec], &[U32]),
    row(Tensor, &[And, Or, Xor], B32_B64),
    row(Global, &[Add], &[U32, S32, U64, F32, F64, F16, Bf16]),
    row(Global, &[Min, Max], &[U32, S32, U64, S64, F16, Bf16]),
    row(Global, &[Inc, Dec], &[U32]),
    row(Global, &[And, Or, Xor], B32_B64),
    row(Cluster, &[Add], &[U32, S32, U64]),
    row(Cluster, &[Min, Max], B32),
    row(Cluster, &[Inc, Dec], &[U32]),
    row(Cluster, &[And, Or, Xor], B32),
];
