//! The domain policy of an op: what CuTe accepts (`extend`), or only what its equation says (`strict`).

use cute_algebra::Dim;
use melior::ir::{attribute::StringAttribute, operation::OperationRef};

use crate::{
    boundary::ir::enclosing_attribute,
    error::{Error, Result},
    ops::{Call, OpKind},
    partition,
    value::Value,
};

/// Whether the ops around `op` ask for the strict policy; it is the default.
fn is_strict(op: OperationRef<'_, '_>) -> Result<bool> {
    let Some(a) = enclosing_attribute(op, "cute.domain") else { return Ok(true) };
    match StringAttribute::try_from(a).as_ref().map(|s| s.value()) {
        Ok("strict") => Ok(true),
        Ok("extend") => Ok(false),
        _ => Err(Error::Attribute { name: "cute.domain", expected: "\"strict\" or \"extend\"" }),
    }
}

/// Checks what the policy in force asks of an op beyond its types.
pub fn check<'c>(op: OperationRef<'c, '_>, call: &Call<'_, 'c, Dim>, _results: &[Value<'c, Dim>]) -> Result<()> {
    let strict = is_strict(op)?;
    if call.kind == OpKind::TiledDivide
        && let Some(layout) = call.operand(0)?.layout()
    {
        partition::check_tiled_divide(&layout, &call.tiler(1)?, strict)?;
    }
    Ok(())
}
