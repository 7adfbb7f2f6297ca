//! Tensor maps: the descriptors by which the TMA moves boxes of a tensor between global and shared
//! memory.
//!
//! [`TensorMap`] has the arguments of the driver's function that encodes maps of its [`MapForm`],
//! such as `cuTensorMapEncodeTiled`. [`TensorMap::check`] returns the driver's rules that it
//! breaks, [`TensorMap::words`] encodes it as the driver does, and [`TensorMap::from_words`] reads
//! it back. [`MapPlan`] is the part that is known before run time.

mod check;
mod copy;
mod element;
mod form;
mod multicast;
mod plan;
mod reductions;
mod replace;
mod rules;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

pub use check::MAX_BOX;
pub use copy::{BoxCopy, BoxRequest, NoBoxCopy, unswizzled};
pub use element::MapElement;
pub use form::*;
pub use multicast::multicast_mask;
pub use plan::{BOX_LIMITS, MapPlan, PlannedMode};
pub use reductions::BulkReduction;
pub use replace::MapField;
pub use rules::{Broken, Condition, Number, Rule};
pub use words::{ENCODING_UNKNOWN, Unreadable, WORDS};

use crate::smem::SmemSwizzle;
use cute_algebra::Swizzle;
use serde::{Deserialize, Serialize};

/// The largest rank of a tensor map.
pub const MAX_RANK: usize = 5;

/// Bytes of a tensor map.
pub const BYTES: usize = WORDS * 8;

/// The alignment of a tensor map in bytes.
pub const ALIGN: u32 = 64;

/// A tensor in global memory, and the boxes of it that are copied. The contiguous mode comes first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorMap {
    /// The element type.
    pub element: MapElement,
    /// The start of the tensor in global memory, in bytes.
    pub address: u64,
    /// The modes, 1 to 5.
    pub modes: Vec<MapMode>,
    /// The arrangement of units of 16 bytes in global memory.
    pub interleave: Interleave,
    /// The swizzle of a box in shared memory.
    pub swizzle: MapSwizzle,
    /// The amount that is fetched into L2 at once.
    pub promotion: Promotion,
    /// The value of elements outside the tensor.
    pub fill: Fill,
    /// The data that copies take.
    pub form: MapForm,
}

/// A mode of a tensor map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapMode {
    /// Elements of the tensor.
    pub extent: u64,
    /// The stride in bytes. Mode 0 is contiguous: its stride is the size of an element, rounded up
    /// to a byte, and not stored.
    pub stride: u64,
    /// Elements of a box, or where `step` is not 1, elements that a box reaches over.
    pub boxed: u32,
    /// Every how many elements one is copied.
    pub step: u32,
}

/// The arrangement of units of 16 bytes in global memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Interleave {
    /// One after the other.
    #[default]
    None,
    /// `NC/8HWC8`: 16 bytes of channels.
    B16,
    /// `NC/16HWC16`: 32 bytes of channels.
    B32,
}

impl Interleave {
    /// Every one, by the driver's number.
    pub const ALL: [Self; 3] = [Self::None, Self::B16, Self::B32];

    /// The one that is displayed like this.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interleave| interleave.to_string() == name)
    }
}

impl fmt::Display for Interleave {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::B16 => "16B",
            Self::B32 => "32B",
        })
    }
}

/// Alignment in bytes of a box in shared memory.
pub const BOX_ALIGN: i64 = 128;

/// Bytes of which the sizes and addresses of bulk copies without a tensor map are multiples.
pub const BULK_ALIGN: i64 = 16;

/// The swizzle of a box in shared memory.
///
/// Source: `CUtensorMapSwizzle` of the CUDA driver API names the chunks that change places and the
/// span that they stay in. CuTe's names of the first five functions are those that
/// `get_tma_swizzle_bits` and `get_tma_swizzle_base` of `copy_traits_sm90_tma_swizzle.hpp` in
/// CUTLASS 4.7.0 demand, with their shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum MapSwizzle {
    /// Bytes stay in the order of the tensor.
    #[default]
    None,
    /// Units of 16 bytes in rows of 32.
    B32,
    /// Units of 16 bytes in rows of 64.
    B64,
    /// Units of 16 bytes in rows of 128.
    B128,
    /// Units of 32 bytes in rows of 128.
    B128By32,
    /// The same, with the halves of 8 bytes of each 16 exchanged in every other row.
    B128By32Flip8,
    /// Units of 64 bytes in rows of 128.
    B128By64,
}

impl MapSwizzle {
    /// Every one, by the driver's number.
    pub const ALL: [Self; 7] =
        [Self::None, Self::B32, Self::B64, Self::B128, Self::B128By32, Self::B128By32Flip8, Self::B128By64];

    /// The one that is displayed like this, with or without its comma.
    pub fn named(name: &str) -> Option<Self> {
        let plain = |text: &str| text.replace(',', "");
        Self::ALL.into_iter().find(|swizzle| plain(&swizzle.to_string()) == plain(name))
    }

    /// The function of byte addresses in shared memory, if it is one of CuTe's and known.
    ///
    /// `B128By32Flip8` changes bit 3 as well, in every other row, which no `S<b,m,s>` does.
    /// `B128By64` exchanges the two chunks of 64 bytes in a row of 128: a function of one bit. The
    /// driver's documentation does not say of which rows. CUTLASS 4.7.0 takes `S<2,6,s>` with any
    /// `s` for it. These are different functions, and all of them move chunks to other rows.
    ///
    /// ```
    /// use cute_algebra::Swizzle;
    /// use cute_arch::tensor_map::MapSwizzle;
    /// assert_eq!(MapSwizzle::B128By32.swizzle(), Some(Swizzle::new(2, 5, 2)?));
    /// assert_eq!(MapSwizzle::B128By64.swizzle(), None);
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn swizzle(self) -> Option<Swizzle> {
        Some(match self {
            Self::None => Swizzle::IDENTITY,
            Self::B32 => SmemSwizzle::B32.swizzle(),
            Self::B64 => SmemSwizzle::B64.swizzle(),
            Self::B128 => SmemSwizzle::B128.swizzle(),
            Self::B128By32 => SmemSwizzle::B128By32.swizzle(),
            Self::B128By32Flip8 | Self::B128By64 => return None,
        })
    }

    /// The one whose function is `swizzle`: the inverse of [`Self::swizzle`].
    ///
    /// ```
    /// use cute_algebra::Swizzle;
    /// use cute_arch::tensor_map::MapSwizzle;
    /// assert_eq!(MapSwizzle::of(Swizzle::new(3, 4, 3)?), Some(MapSwizzle::B128));
    /// assert_eq!(MapSwizzle::of(Swizzle::new(3, 3, 3)?), None);
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn of(swizzle: Swizzle) -> Option<Self> {
        Self::ALL.into_iter().find(|own| own.swizzle() == Some(swizzle))
    }

    /// The swizzles of addresses that a map has.
    pub const RULE: &str = "the TMA swizzles by S<0,4,3>, S<1,4,3>, S<2,4,3>, S<3,4,3> and S<2,5,2>";

    /// Its name in the driver: the suffix after `CU_TENSOR_MAP_SWIZZLE_`.
    pub fn driver_name(self) -> &'static str {
        match self {
            Self::None => "NONE",
            Self::B32 => "32B",
            Self::B64 => "64B",
            Self::B128 => "128B",
            Self::B128By32 => "128B_ATOM_32B",
            Self::B128By32Flip8 => "128B_ATOM_32B_FLIP_8B",
            Self::B128By64 => "128B_ATOM_64B",
        }
    }

    /// The sizes in CuTe's codes: of rows and of units.
    pub fn codes(self) -> (u32, u32) {
        match self {
            Self::None => (0, 0),
            Self::B32 => (1, 0),
            Self::B64 => (2, 0),
            Self::B128 => (3, 0),
            Self::B128By32 => (3, 1),
            Self::B128By32Flip8 => (3, 2),
            Self::B128By64 => (3, 3),
        }
    }

    /// Bytes of a row, which limits a box along mode 0; `None` without a swizzle.
    pub fn row(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::B32 => Some(32),
            Self::B64 => Some(64),
            Self::B128 | Self::B128By32 | Self::B128By32Flip8 | Self::B128By64 => Some(128),
        }
    }
}

impl fmt::Display for MapSwizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::B32 => "32B",
            Self::B64 => "64B",
            Self::B128 => "128B",
            Self::B128By32 => "128B by 32B",
            Self::B128By32Flip8 => "128B by 32B, 8B exchanged",
            Self::B128By64 => "128B by 64B",
        })
    }
}

/// The amount that is fetched into L2 at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Promotion {
    /// Only the requested bytes.
    None,
    /// 64 bytes.
    B64,
    /// 128 bytes.
    #[default]
    B128,
    /// 256 bytes.
    B256,
}

impl Promotion {
    /// Every one, by the driver's number.
    pub const ALL: [Self; 4] = [Self::None, Self::B64, Self::B128, Self::B256];

    /// The one that is displayed like this.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|promotion| promotion.to_string() == name)
    }
}

impl fmt::Display for Promotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::B64 => "64B",
            Self::B128 => "128B",
            Self::B256 => "256B",
        })
    }
}

/// The value that is read for elements outside the tensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Fill {
    /// 0.
    #[default]
    Zero,
    /// A NaN that multiplies like 0; for floats.
    Nan,
}

impl TensorMap {
    /// A map of boxes without an interleave and without a swizzle, that fetches 128 bytes and fills
    /// with 0.
    pub fn new(element: MapElement, address: u64, modes: Vec<MapMode>) -> Self {
        let (interleave, swizzle) = (Interleave::default(), MapSwizzle::default());
        let (promotion, fill) = (Promotion::default(), Fill::default());
        Self { element, address, modes, interleave, swizzle, promotion, fill, form: MapForm::Tiled }
    }

    /// Bytes from the first element of the tensor to the end of the last; `None` if 64 bits do not
    /// hold that.
    pub fn span(&self) -> Option<u64> {
        let (first, rest) = self.modes.split_first()?;
        let contiguous = first.extent.checked_mul(self.element.bits().into())?.div_ceil(8);
        rest.iter().try_fold(contiguous, |span, mode| {
            span.checked_add(mode.extent.checked_sub(1)?.checked_mul(mode.stride)?)
        })
    }

    /// Bytes of a box in shared memory.
    pub fn box_bytes(&self) -> u64 {
        self.bytes_of_box(self.element.bits_in_shared_memory())
    }

    /// Bytes that an mbarrier expects for the copy of a box to shared memory: those outside the
    /// tensor too, but not those that pad elements of 4 or 6 bits there.
    ///
    /// Source: `TmaTransactionBytes` in `sm100_mma_warpspecialized.hpp` of CUTLASS 4.7.0 counts the
    /// elements of such a tile by their 4 or 6 bits, although its memory has a byte for each.
    ///
    /// ```
    /// use cute_arch::tensor_map::{MapElement, MapMode, TensorMap};
    /// let mode = MapMode { extent: 256, stride: 1, boxed: 128, step: 1 };
    /// let bytes = [MapElement::U4In8, MapElement::U6In8].map(|element| {
    ///     let map = TensorMap::new(element, 0, vec![mode]);
    ///     (map.box_bytes(), map.counted_bytes())
    /// });
    /// assert_eq!(bytes, [(128, 64), (128, 96)]);
    /// ```
    pub fn counted_bytes(&self) -> u64 {
        self.bytes_of_box(self.element.bits())
    }

    fn bytes_of_box(&self, bits: u32) -> u64 {
        let elements: u64 = self.copied().into_iter().map(u64::from).product();
        (elements * u64::from(bits)).div_ceil(8)
    }

    /// The extents of what a copy takes: those of a box, or what [the form](MapForm) has instead.
    pub fn copied(&self) -> Vec<u32> {
        self.form.copied(self)
    }
}
