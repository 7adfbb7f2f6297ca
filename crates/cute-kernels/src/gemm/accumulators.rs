//! Arithmetic of accumulators in registers: made, scaled, C added.

use cute_algebra::MmaOperand;
use cute_build::IntPredicate;
use cute_ffi::ir::type_of;

use crate::{Builder, Built, Value};

/// Accumulators of a tile (M, N), without values.
pub(super) fn of_tile<'c>(code: &Builder<'c>, mma: Value<'c>, [m, n]: [i64; 2]) -> Built<Value<'c>> {
    let shape = code.named("shapeC").shape([m, n])?;
    let shape = code.named("partC").mma_partition_shape(mma, MmaOperand::C, shape)?;
    code.named("accumulators").mma_fragment(mma, MmaOperand::C, shape)
}

/// Zeroed accumulators of a tile (M, N).
pub(super) fn zeroed<'c>(code: &Builder<'c>, mma: Value<'c>, tile: [i64; 2]) -> Built<Value<'c>> {
    let accumulators = of_tile(code, mma, tile)?;
    code.fill(accumulators, 0)?;
    Ok(accumulators)
}

/// `made = scale * made`.
pub(super) fn scale<'c>(code: &Builder<'c>, made: Value<'c>, scale: Value<'c>) -> Built<()> {
    let scaled = scaled(code, made, scale)?;
    code.store_vec(scaled, made)
}

/// `made = made + scale * C`; `read` loads C to registers with the layout of `made`, so that
/// both are one vector.
pub(super) fn add<'c>(
    code: &Builder<'c>,
    made: Value<'c>,
    scale: Value<'c>,
    read: impl FnOnce(&Builder<'c>, Value<'c>) -> Built<()>,
) -> Built<()> {
    let added = code.named("added").alloca(type_of(made))?;
    code.fill(added, 0)?;
    read(code, added)?;
    let added = scaled(code, added, scale)?;
    let so_far = code.named("so_far").load_vec(made)?;
    let all = code.named("all").add(so_far, added)?;
    code.store_vec(all, made)
}

/// All elements of a fragment times a scale.
fn scaled<'c>(code: &Builder<'c>, fragment: Value<'c>, scale: Value<'c>) -> Built<Value<'c>> {
    let values = code.named("values").load_vec(fragment)?;
    let scales = code.named("factors").broadcast(scale, values)?;
    code.named("scaled").mul(values, scales)
}

/// Whether C is needed, which is the case if beta is not zero.
pub(super) fn nonzero<'c>(code: &Builder<'c>, number: Value<'c>) -> Built<Value<'c>> {
    let zero = code.named("zero").number(type_of(number), 0)?;
    code.named("wants_c").compare(IntPredicate::Ne, number, zero)
}
