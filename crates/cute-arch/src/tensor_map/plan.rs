//! [`MapPlan`]: a tensor map before the extents and strides of its tensor are known.

use cute_algebra::{
    BoxLimits, Boxes, Int,
    error::{Error, ModePath, Result},
    int::Assumption,
};

use super::{Broken, MAX_RANK, MapElement, MapMode, MapSwizzle, TensorMap, check::MAX_BOX};

/// The limits of boxes that the TMA moves.
pub const BOX_LIMITS: BoxLimits = BoxLimits { extent: MAX_BOX as i64, modes: MAX_RANK };

/// The parts of a tensor map, over the leaves of the tensor's shape and strides: element, swizzle,
/// rank and boxes are static; extents and strides are leaves, or are computed from leaves.
///
/// The same plan serves three purposes: to encode a map of known numbers, to emit arithmetic that
/// computes the numbers at run time, and to check the rules that are broken whatever the numbers
/// are:
///
/// 1. [`Boxes::recast`] finds the box and the modes of a tensor in global memory.
/// 2. [`MapPlan::new`] adds the element, the swizzle and the number of CTAs that share a box, and
///    computes strides in bytes.
/// 3. [`MapPlan::check`] reports before run time the rules that the static parts break.
/// 4. At run time, extents, strides and the address make a [`TensorMap`] ([`MapPlan::map`]), whose
///    [`check`](TensorMap::check) has the other rules, and whose [`words`](TensorMap::words) are
///    the descriptor.
///
/// ```
/// use cute_algebra::{Boxes, parse_layout};
/// use cute_arch::tensor_map::{BOX_LIMITS, MapElement, MapPlan, MapSwizzle};
/// let layout = |text| parse_layout(text).unwrap();
/// // 128 rows of 64 elements, of a tensor whose extents and strides are known at run time.
/// let tensor = layout("(?,?):(?{i64},1)");
/// let (memory, values) = (layout("(128,64):(64,1)"), layout("(128,64):(1@0,1@1)"));
/// let boxes = Boxes::new(&tensor, &memory, &values, BOX_LIMITS)?;
/// // Two CTAs load 64 rows each.
/// let plan = MapPlan::new(&boxes, MapElement::F16, MapSwizzle::B128, 2)?;
/// assert_eq!(plan.modes.iter().map(|mode| mode.boxed).collect::<Vec<_>>(), [64, 64]);
/// assert_eq!(plan.modes[1].stride.to_string(), "?{i64 div=2}");
/// assert_eq!(plan.check(), Ok(()));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct MapPlan<I> {
    /// The element type.
    pub element: MapElement,
    /// The swizzle of a box in shared memory.
    pub swizzle: MapSwizzle,
    /// The modes, the contiguous one first.
    pub modes: Vec<PlannedMode<I>>,
}

/// A mode of a [`MapPlan`].
#[derive(Debug, Clone)]
pub struct PlannedMode<I> {
    /// Elements of the tensor; of 64 bits where it is dynamic.
    pub extent: I,
    /// The stride in bytes, as 64 bits if it is dynamic. For mode 0, which must be contiguous, an
    /// element counts as whole bytes.
    /// element.
    pub stride: I,
    /// Elements of a box that one CTA loads.
    pub boxed: u32,
}

impl<I: Int> MapPlan<I> {
    /// The plan of a map for boxes in elements of `element`, each of which `ctas` CTAs load
    /// together.
    ///
    /// # Errors
    /// Returns an error if the CTAs cannot share a box equally, or if arithmetic overflows 64 bits.
    pub fn new(boxes: &Boxes<I>, element: MapElement, swizzle: MapSwizzle, ctas: i64) -> Result<Self> {
        let (bits, bytes) = (i64::from(element.bits()), i64::from(element.bytes()));
        let part = boxes.part(ctas)?;
        let modes = boxes.modes.iter().zip(part).enumerate().map(|(i, (mode, boxed))| {
            let stride = match i {
                0 => mode.stride.mul(&I::from_i64(bytes))?,
                _ => whole_bytes(&mode.stride.mul(&I::from_i64(bits))?, i)?,
            };
            let boxed = u32::try_from(boxed).unwrap_or(u32::MAX);
            Ok(PlannedMode { extent: mode.extent.clone(), stride, boxed })
        });
        Ok(Self { element, swizzle, modes: modes.collect::<Result<_>>()? })
    }

    /// The map of a tensor at `address`, whose extents and strides `value` returns. It need not be
    /// legal.
    pub fn map(&self, address: u64, value: impl Fn(&I) -> u64) -> TensorMap {
        self.with(address, |_, mode| (value(&mode.extent), value(&mode.stride)))
    }

    fn with(&self, address: u64, values: impl Fn(usize, &PlannedMode<I>) -> (u64, u64)) -> TensorMap {
        let mode = |(i, mode): (usize, &PlannedMode<I>)| {
            let (extent, stride) = values(i, mode);
            MapMode { extent, stride, boxed: mode.boxed, step: 1 }
        };
        let modes = self.modes.iter().enumerate().map(mode).collect();
        TensorMap { swizzle: self.swizzle, ..TensorMap::new(self.element, address, modes) }
    }

    /// Checks the driver's rules for what is static.
    ///
    /// # Errors
    /// The first rule that is broken whatever the run-time values are.
    pub fn check(&self) -> std::result::Result<(), Broken> {
        // Unknown extents and strides are replaced by numbers that every rule allows.
        let known = |leaf: &I, otherwise| leaf.as_static().map_or(otherwise, |value| value as u64);
        let stride = |i| if i == 0 { u64::from(self.element.bytes()) } else { 0 };
        self.with(0, |i, mode| (known(&mode.extent, 128), known(&mode.stride, stride(i)))).check()
    }
}

/// The stride of mode `i` in bytes, of that in bits.
fn whole_bytes<I: Int>(bits: &I, i: usize) -> Result<I> {
    let byte = I::from_i64(8);
    match bits.as_static() {
        Some(lhs) if lhs % 8 != 0 => Err(Error::Divisibility {
            what: "the bits of a stride",
            path: ModePath::root().child(i),
            lhs,
            rule: "are not a multiple of",
            rhs: 8,
        }),
        _ => Ok(bits.div(&byte)?.assuming(Assumption::Divides, bits, &byte)),
    }
}
