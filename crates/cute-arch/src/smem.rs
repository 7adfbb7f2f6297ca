//! Tiles in shared memory for `wgmma` and `tcgen05`: the layouts of their blocks, and the
//! descriptors that point at them (PTX, "Shared memory descriptor"). This module contains bytes and
//! majors, not instructions.

mod reading;

pub use reading::SmemDescriptor;

use crate::atoms::Major;
use cute_algebra::{
    ComposedLayout, Layout, Stride, Swizzle, Tiler, Tuple,
    error::{Error, Result},
    logical_divide, product, upcast,
};
use std::{fmt, str::FromStr};

/// Bits of the units in which descriptors count, and in which swizzles of 16 bytes move data.
pub const UNIT: i64 = 128;

/// The swizzle of 16-byte units, over rows of a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SmemSwizzle {
    /// Not at all: rows of 16 bytes.
    Interleave,
    /// Rows of 32 bytes.
    B32,
    /// Rows of 64 bytes.
    B64,
    /// Rows of 128 bytes.
    B128,
    /// Rows of 128 bytes in units of 32: `tcgen05` alone, contiguous along M and N.
    B128By32,
}

impl SmemSwizzle {
    /// Every one, by the length of its rows.
    pub const ALL: [Self; 5] = [Self::Interleave, Self::B32, Self::B64, Self::B128, Self::B128By32];

    /// CuTe's name of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interleave => "INTER",
            Self::B32 => "SW32",
            Self::B64 => "SW64",
            Self::B128 => "SW128",
            Self::B128By32 => "SW128_32B",
        }
    }

    /// Units of 16 bytes in a row.
    fn units(self) -> i64 {
        match self {
            Self::Interleave => 1,
            Self::B32 => 2,
            Self::B64 => 4,
            Self::B128 | Self::B128By32 => 8,
        }
    }

    /// Bits of a row.
    pub fn row_bits(self) -> i64 {
        UNIT * self.units()
    }

    /// Rows of a block.
    fn rows(self) -> i64 {
        if self == Self::B128By32 { 4 } else { 8 }
    }

    /// The swizzle of the byte address.
    pub fn swizzle(self) -> Swizzle {
        match self {
            Self::Interleave => Swizzle::IDENTITY,
            Self::B32 => const { Swizzle::literal(1, 4, 3) },
            Self::B64 => const { Swizzle::literal(2, 4, 3) },
            Self::B128 => const { Swizzle::literal(3, 4, 3) },
            Self::B128By32 => const { Swizzle::literal(2, 5, 2) },
        }
    }

    /// The period of the swizzle in bytes. A descriptor points at a multiple of it.
    ///
    /// ```
    /// use cute_arch::smem::SmemSwizzle;
    /// assert_eq!(SmemSwizzle::ALL.map(SmemSwizzle::period), [16, 256, 512, 1024, 512]);
    /// ```
    pub fn period(self) -> i64 {
        let s = self.swizzle();
        if s.is_identity() { UNIT / 8 } else { 1 << (s.base() + s.shift().unsigned_abs() + s.bits()) }
    }

    /// The number of bytes, from a multiple of the [`period`](Self::period) on, in which the
    /// swizzle only depends on the start: steps that stay within them may begin anywhere.
    pub fn reach(self) -> i64 {
        let s = self.swizzle();
        if s.is_identity() { UNIT / 8 } else { 1 << (s.base() + s.shift().unsigned_abs()) }
    }

    /// The block of eight rows that tiles consist of, for elements of `bits`: contiguous along K,
    /// or along M and N.
    ///
    /// The swizzle applies to the byte address. CuTe prints such a swizzle before a layout in
    /// elements.
    ///
    /// ```
    /// use cute_arch::{atoms::Major, smem::SmemSwizzle};
    /// assert_eq!(SmemSwizzle::B128.block(Major::K, 16)?.to_string(), "S<3,4,3> o 0 o (8,64):(64,1)");
    /// assert_eq!(SmemSwizzle::B32.block(Major::Mn, 8)?.to_string(), "S<1,4,3> o 0 o (32,8):(1,32)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn block(self, major: Major, bits: i64) -> Result<ComposedLayout<i64>> {
        let fail = |why| Err(Error::Unsupported { what: "shared-memory block", why });
        let row = self.row_bits();
        if bits < 1 || row % bits != 0 {
            return fail(format!("elements of {bits} b do not fill a row of {} bytes", row / 8));
        }
        let (row, rows) = (row / bits, self.rows());
        let (shape, stride) = match major {
            Major::K if self == Self::B128By32 => return fail(format!("{self} is for majors MN")),
            Major::K => ([rows, row], [row, 1]),
            Major::Mn => ([row, rows], [1, row]),
            Major::Any => return fail("the major must be K or MN".into()),
        };
        let layout = Layout::new(Tuple::from_leaves(shape), Tuple::from_leaves(stride.map(Stride::int)))?;
        Ok(ComposedLayout::swizzled(self.swizzle(), layout))
    }

    /// The [`block`](Self::block) with a swizzle of offsets in elements, as in layouts of memory.
    ///
    /// ```
    /// use cute_arch::{atoms::Major, smem::SmemSwizzle};
    /// assert_eq!(SmemSwizzle::B128.element_block(Major::K, 16)?.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// assert_eq!(SmemSwizzle::B64.element_block(Major::Mn, 8)?.to_string(), "S<2,4,3> o 0 o (64,8):(1,64)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn element_block(self, major: Major, bits: i64) -> Result<ComposedLayout<i64>> {
        let block = self.block(major, bits)?;
        let of_bytes = self.swizzle();
        // An element of `bits` is `bits / 8` bytes, so the fields move down by log2 of that.
        let base = i64::from(of_bytes.base()) + 3 - i64::from(bits.ilog2());
        let swizzle = Swizzle::new(of_bytes.bits().into(), base, of_bytes.shift().into())?;
        Ok(ComposedLayout::swizzled(swizzle, block.outer().clone()))
    }

    /// The swizzle in units of 16 bytes whose rows have this number of bits.
    pub fn of_row(bits: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.row_bits() == bits)
    }
}

/// The bits of a descriptor that are the address, in units of 16 bytes.
pub const ADDRESS_FIELD: i64 = (1 << 14) - 1;

/// The version in the descriptors of `tcgen05`.
const VERSION: u64 = 1;

/// Whose descriptor it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DescriptorOf {
    /// `wgmma`.
    Wgmma,
    /// `tcgen05`.
    Tcgen05,
}

/// The first bits of the fields.
mod bit {
    pub(super) const LEADING: u32 = 16;
    pub(super) const STRIDE: u32 = 32;
    pub(super) const VERSION: u32 = 46;
    pub(super) const BASE: u32 = 49;
    /// Whether the leading step is an address; of `tcgen05` alone.
    pub(super) const ABSOLUTE: u32 = 52;
    pub(super) const ZERO: u32 = 53;
    pub(super) const SWIZZLE_TCGEN05: u32 = 61;
    pub(super) const SWIZZLE_WGMMA: u32 = 62;
}

impl SmemSwizzle {
    /// The code in a descriptor, and where it stands.
    fn code(self, of: DescriptorOf) -> Option<u64> {
        Some(match (of, self) {
            (_, Self::Interleave) => 0,
            (DescriptorOf::Wgmma, Self::B128) => 1 << bit::SWIZZLE_WGMMA,
            (DescriptorOf::Wgmma, Self::B64) => 2 << bit::SWIZZLE_WGMMA,
            (DescriptorOf::Wgmma, Self::B32) => 3 << bit::SWIZZLE_WGMMA,
            (DescriptorOf::Wgmma, Self::B128By32) => return None,
            (DescriptorOf::Tcgen05, Self::B128By32) => 1 << bit::SWIZZLE_TCGEN05,
            (DescriptorOf::Tcgen05, Self::B128) => 2 << bit::SWIZZLE_TCGEN05,
            (DescriptorOf::Tcgen05, Self::B64) => 4 << bit::SWIZZLE_TCGEN05,
            (DescriptorOf::Tcgen05, Self::B32) => 6 << bit::SWIZZLE_TCGEN05,
        })
    }

    /// The descriptor of a tile (MN,K) of elements of `bits`, at a byte address in shared memory.
    ///
    /// The tile must consist of whole blocks, one step apart along each mode:
    ///
    /// ```text
    /// K,  in units of 16 bytes: ((8,m),(2,1)):((W,stride),(1,_));       not swizzled ((8,m),(2,1)):((1,stride),(leading,_))
    /// MN, in units of 16 bytes: ((W,m),(8,k)):((1,leading),(W,stride)); not swizzled ((1,m),(8,k)):((_,stride),(1,leading))
    /// ```
    ///
    /// where W units form a row.
    ///
    /// ```
    /// use cute_algebra::parse_layout;
    /// use cute_arch::{atoms::Major, smem::{DescriptorOf, SmemSwizzle}};
    /// let tile = parse_layout("(64,16):(64,1)").unwrap().to_const().unwrap();
    /// let word = SmemSwizzle::B128.descriptor(DescriptorOf::Wgmma, Major::K, &tile, 16, 1024 + 32)?;
    /// assert_eq!(word, 0x4000004000010042);
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn descriptor(
        self,
        of: DescriptorOf,
        major: Major,
        tile: &Layout<i64>,
        bits: i64,
        address: i64,
    ) -> Result<u64> {
        let fail = |why| Err(Error::Unsupported { what: "shared-memory descriptor", why });
        let Some(code) = self.code(of) else { return fail(format!("{self} is for tcgen05")) };
        if bits < 1 || UNIT % bits != 0 {
            return fail(format!("elements of {bits} b do not fill 16 bytes"));
        }
        if address % 16 != 0 || !(0..1 << 18).contains(&address) {
            return fail(format!("address {address} is not a multiple of 16 below 262144"));
        }
        let [mn, k] = match &tile.shape().modes().map(product).collect::<Result<Vec<_>>>()?[..] {
            &[mn, k] if !tile.is_leaf() => [mn, k],
            _ => return fail(format!("{tile} must have exactly two modes (MN, K)")),
        };
        // One instruction takes 256 bits along K; 128 of a sparse A, and 512 of the B beside it.
        let along_k = k.saturating_mul(bits);
        if of == DescriptorOf::Wgmma
            && !([256, 512].contains(&along_k) || major == Major::Mn && along_k == UNIT)
        {
            return fail(format!(
                "{tile} is {mn} by {k} elements, which is {along_k} b along K; wgmma takes 256 b, or 128 b \
                 of a sparse A and 512 b of the B beside it"
            ));
        }
        let units = upcast(tile, UNIT / bits)?;
        let of_units = units.shape().modes().map(product).collect::<Result<Vec<_>>>()?;
        let contiguous = if major == Major::K { of_units[0] == mn } else { of_units[1] == k };
        let by = match major {
            Major::K => [8, 2],
            Major::Mn => [self.units(), self.rows()],
            Major::Any => return fail("the major must be K or MN".into()),
        };
        let blocks = logical_divide(&units, &Tiler::Shape(Tuple::from_leaves(by)))?;
        let strides: Vec<i64> = blocks.stride().leaves().iter().filter_map(Stride::as_static).collect();
        let pairs =
            [0, 1].map(|i| blocks.mode(i).is_ok_and(|mode| !mode.is_leaf() && mode.flat().len() == 2));
        let plain = self == Self::Interleave;
        let fields = match (&strides[..], major) {
            (&[row, stride, unit, _], Major::K) if row == self.units() && (plain || unit == 1) => {
                [unit, stride]
            }
            (&[_, stride, row, leading], Major::Mn) if plain && row == 1 => [leading, stride],
            (&[1, leading, row, stride], Major::Mn) if !plain && row == self.units() => [leading, stride],
            _ => [-1; 2],
        };
        if !contiguous
            || pairs != [true; 2]
            || fields.iter().any(|field| !(0..=ADDRESS_FIELD).contains(field))
        {
            return fail(format!("{tile} is not made of blocks {}", self.block(major, bits)?));
        }
        let [leading, stride] = fields.map(|field| field as u64);
        let version = if of == DescriptorOf::Tcgen05 { VERSION << bit::VERSION } else { 0 };
        Ok(code | version | stride << bit::STRIDE | leading << bit::LEADING | (address as u64 >> 4))
    }
}

impl fmt::Display for SmemSwizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a swizzle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown swizzle '{name}'; there are {}", SmemSwizzle::ALL.map(SmemSwizzle::name).join(", "))]
pub struct UnknownSwizzle {
    /// The given name.
    pub name: String,
}

impl FromStr for SmemSwizzle {
    type Err = UnknownSwizzle;

    fn from_str(name: &str) -> std::result::Result<Self, UnknownSwizzle> {
        Self::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| UnknownSwizzle { name: name.into() })
    }
}
