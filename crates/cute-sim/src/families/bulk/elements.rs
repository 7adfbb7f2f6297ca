//! The updates of elements by bulk reductions.

use crate::finding::{BulkRule, FindingKind};
use crate::program::{BulkUpdate, Update};
use cute_arch::atoms::Reduction;
use cute_arch::tensor_map::{BulkReduction, MapElement, TensorMap};
use cute_machine::float::FloatOp;
use cute_machine::int::IntOp;
use cute_machine::types::Scalar;
use cute_ptx::{Keyword, Spelling};

/// The operation of a reduction on elements of a type: that of the map, or the given type.
pub(super) fn update(
    (reduce, given): BulkUpdate,
    by: BulkReduction,
    map: Option<&TensorMap>,
) -> Result<(Update, Scalar), FindingKind> {
    use MapElement as E;
    let of_scalar = |(scalar, signed): (Scalar, bool)| {
        Some(match (scalar, signed) {
            (Scalar::Int(32), false) => E::U32,
            (Scalar::Int(32), true) => E::S32,
            (Scalar::Int(64), false) => E::U64,
            (Scalar::Int(64), true) => E::S64,
            (Scalar::F16, _) => E::F16,
            (Scalar::Bf16, _) => E::Bf16,
            (Scalar::F32, _) => E::F32,
            (Scalar::F64, _) => E::F64,
            _ => return None,
        })
    };
    let element = map.map_or_else(|| given.and_then(of_scalar), |map| Some(map.element));
    let refuse = || {
        let element = element.map_or_else(|| format!("{given:?}"), |e| e.to_string());
        let reduction = reduce.word(Spelling::Ptx).unwrap_or_default().to_owned();
        let taken = by.elements(reduce).map(|e| e.to_string()).collect::<Vec<_>>().join(", ");
        FindingKind::BulkCopy { rule: BulkRule::Reduction { element, reduction, taken } }
    };
    let element = element.filter(|element| by.takes(reduce, *element)).ok_or_else(refuse)?;
    let (scalar, signed) = match element {
        E::U32 => (Scalar::Int(32), false),
        E::S32 => (Scalar::Int(32), true),
        E::U64 => (Scalar::Int(64), false),
        E::S64 => (Scalar::Int(64), true),
        E::F16 => (Scalar::F16, true),
        E::Bf16 => (Scalar::Bf16, true),
        E::F32 | E::F32Ftz => (Scalar::F32, true),
        E::F64 => (Scalar::F64, true),
        _ => return Err(refuse()),
    };
    let update = match (reduce, scalar.is_float()) {
        (Reduction::Add, true) => Update::Float(FloatOp::Add),
        (Reduction::Min, true) => Update::Float(FloatOp::MinNum),
        (Reduction::Max, true) => Update::Float(FloatOp::MaxNum),
        (Reduction::Add, false) => Update::Int(IntOp::Add),
        (Reduction::Min, false) => Update::Int(if signed { IntOp::MinS } else { IntOp::MinU }),
        (Reduction::Max, false) => Update::Int(if signed { IntOp::MaxS } else { IntOp::MaxU }),
        (Reduction::And, false) => Update::Int(IntOp::And),
        (Reduction::Or, false) => Update::Int(IntOp::Or),
        (Reduction::Xor, false) => Update::Int(IntOp::Xor),
        (Reduction::Inc, false) => Update::IncrementWrap,
        (Reduction::Dec, false) => Update::DecrementWrap,
        (_, true) => return Err(refuse()),
    };
    Ok((update, scalar))
}
