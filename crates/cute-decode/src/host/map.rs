//! Decodes TMA descriptors.

use cute_arch::tensor_map::{MapElement, MapMode, MapSwizzle, TensorMap};
use cute_ffi::ir;
use melior::ir::{attribute::DenseI32ArrayAttribute, operation::OperationLike};

use super::{Decoded, Decoder, Op, fail, site};
use cute_host::{program::Step, types::Type};

impl Decoder {
    /// `cuda.tensor_map`.
    pub(super) fn map(&mut self, op: Op<'_, '_>) -> Decoded<Step> {
        let of =
            template(op).ok_or_else(|| fail(op, "does not state the tensor and box of the descriptor"))?;
        let operands = ir::operands(op);
        let rank = of.modes.len();
        let ids = operands.iter().map(|v| self.value(op, *v)).collect::<Decoded<Vec<_>>>()?;
        let [address, numbers @ ..] = &ids[..] else { return Err(fail(op, "has no operands")) };
        let (extents, strides) = numbers.split_at(rank.min(numbers.len()));
        let result = ir::result(op, 0).expect("MLIR has verified that it has a result");
        let result = self.define(op, result)?;
        self.program.types[result] = Type::TensorMap;
        Ok(Step::Map {
            result,
            of: of.into(),
            address: *address,
            extents: extents.to_vec(),
            strides: strides.to_vec(),
            site: site(op),
        })
    }
}

/// The descriptor without its numbers.
fn template(op: Op<'_, '_>) -> Option<TensorMap> {
    let text = |name: &str| op.attribute(name).ok().and_then(ir::string);
    let boxed = DenseI32ArrayAttribute::try_from(op.attribute("box_shape").ok()?).ok()?;
    let mode = |i| {
        let boxed = u32::try_from(boxed.element(i).ok()?).ok()?;
        Some(MapMode { extent: 0, stride: 0, boxed, step: 1 })
    };
    let element = MapElement::named(text("element")?)?;
    let modes = (0..boxed.len()).map(mode).collect::<Option<_>>()?;
    Some(TensorMap { swizzle: MapSwizzle::named(text("swizzle")?)?, ..TensorMap::new(element, 0, modes) })
}
