//! Tensor maps for tests.

use cute_arch::tensor_map::{MapElement, MapMode, MapSwizzle, TensorMap};

/// A tensor without gaps but those of strides that are rounded up, with boxes of it.
pub(crate) fn tensor(element: MapElement, extents: &[u64], boxes: &[u32], swizzle: MapSwizzle) -> TensorMap {
    let mut stride = u64::from(element.bits() / 8);
    let mut modes = Vec::new();
    for (i, (extent, boxed)) in extents.iter().zip(boxes).enumerate() {
        modes.push(MapMode { extent: *extent, stride, boxed: *boxed, step: 1 });
        stride = if i == 0 { (stride * extent).next_multiple_of(16) } else { stride * extent };
    }
    TensorMap { swizzle, ..TensorMap::new(element, 0, modes) }
}
