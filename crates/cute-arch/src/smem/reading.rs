//! Reads a descriptor and computes the place of each element of its tile.
//! [`SmemSwizzle::descriptor`] is the inverse.

use super::{ADDRESS_FIELD, DescriptorOf, SmemSwizzle, UNIT, VERSION, bit};
use crate::atoms::Major;
use cute_algebra::{
    Layout, Stride, Tuple,
    error::{Error, Result},
};

/// The fields of a descriptor.
///
/// ```
/// use cute_arch::{atoms::Major, smem::{DescriptorOf, SmemDescriptor}};
/// let descriptor = SmemDescriptor::read(DescriptorOf::Wgmma, 0x4000004000010042).unwrap();
/// assert_eq!((descriptor.address, descriptor.stride), (1024 + 32, 1024));
/// assert_eq!(descriptor.tile(Major::K, [64, 16], 16)?.to_string(), "((8,8),(8,2)):((64,512),(1,8))");
/// // Row 1 of the tile, where the swizzle exchanges adjacent units.
/// assert_eq!(descriptor.place(64 * 2), 1024 + 128 + 48);
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmemDescriptor {
    /// The start of the tile, in bytes.
    pub address: i64,
    /// Bytes of the step that CUTLASS calls the leading one.
    pub leading: i64,
    /// Bytes of the step that it calls the stride.
    pub stride: i64,
    /// Rows of 128 bytes between a multiple of the swizzle's pattern and where the pattern begins.
    pub base: i64,
    /// The swizzle of units of 16 bytes.
    pub swizzle: SmemSwizzle,
    /// The start of the next buffer in bytes, in place of the leading step (bit 52): rows of 128
    /// bytes continue there.
    pub next: Option<i64>,
}

/// Bytes of the K for which a descriptor may name a next buffer: 96 elements of 4 bits.
const WIDE_K: i64 = 48;
/// Bytes of a row, and of the pattern of its swizzle.
const ROW: i64 = 128;
const PATTERN: i64 = 8 * ROW;

impl SmemDescriptor {
    /// The fields of a word; `None` if its swizzle does not exist.
    pub fn read(of: DescriptorOf, word: u64) -> Option<Self> {
        let field = |from: u32| (word >> from) as i64 & ADDRESS_FIELD;
        let (from, swizzles) = match of {
            DescriptorOf::Wgmma => (bit::SWIZZLE_WGMMA, 3),
            DescriptorOf::Tcgen05 => (bit::SWIZZLE_TCGEN05, 7),
        };
        let swizzle = word & swizzles << from;
        Some(SmemDescriptor {
            address: field(0) * UNIT / 8,
            leading: field(bit::LEADING) * UNIT / 8,
            stride: field(bit::STRIDE) * UNIT / 8,
            base: (word >> bit::BASE) as i64 & 7,
            swizzle: SmemSwizzle::ALL.into_iter().find(|s| s.code(of) == Some(swizzle))?,
            next: (of == DescriptorOf::Tcgen05 && word >> bit::ABSOLUTE & 1 == 1)
                .then(|| field(bit::LEADING) * UNIT / 8),
        })
    }

    /// Checks the fields of a word whose values `tcgen05` restricts, for a matrix of this major and
    /// this many bytes along K. The error is the reason why the word is not a descriptor.
    ///
    /// ```
    /// use cute_arch::{atoms::Major, smem::{DescriptorOf, SmemDescriptor}};
    /// let check = |word| SmemDescriptor::check(DescriptorOf::Tcgen05, word, Major::K, 32);
    /// assert_eq!(check(1 << 46 | 2 << 61), Ok(()));
    /// assert_eq!(check(0).unwrap_err(), "the version (bits 46 to 48) is 0: tcgen05 takes 1");
    /// ```
    pub fn check(of: DescriptorOf, word: u64, major: Major, of_k: i64) -> std::result::Result<(), String> {
        if of == DescriptorOf::Wgmma {
            return Ok(());
        }
        let field = |from: u32, to: u32| word >> from & ((2 << (to - from)) - 1);
        let version = field(bit::VERSION, bit::VERSION + 2);
        if version != VERSION {
            return Err(format!("the version (bits 46 to 48) is {version}: tcgen05 takes {VERSION}"));
        }
        let other = field(bit::ZERO, bit::SWIZZLE_TCGEN05 - 1);
        if other != 0 {
            return Err(format!("bits 53 to 60 are {other:#x}: they must be 0"));
        }
        let swizzle = field(bit::SWIZZLE_TCGEN05, bit::SWIZZLE_TCGEN05 + 2);
        match Self::read(of, word).map(|descriptor| descriptor.swizzle) {
            None => Err(format!("the swizzle (bits 61 to 63) is {swizzle}: 0, 1, 2, 4 or 6")),
            Some(SmemSwizzle::B128By32) if major != Major::Mn => Err(format!(
                "the swizzle (bits 61 to 63) is {swizzle}, of 32-byte units, which is for matrices along M or N"
            )),
            Some(_) => Self::read(of, word).map_or(Ok(()), |descriptor| descriptor.check_k(of_k)),
        }
    }

    /// Checks that the bytes along K lie in rows of 128 bytes, and in the next buffer only if the
    /// descriptor names it.
    fn check_k(&self, of_k: i64) -> std::result::Result<(), String> {
        if of_k != WIDE_K {
            return match self.next {
                None => Ok(()),
                Some(_) => Err(format!(
                    "an absolute leading address (bit 52) is for {WIDE_K} bytes along K, but this matrix has {of_k}"
                )),
            };
        }
        if self.swizzle != SmemSwizzle::B128 {
            let name = self.swizzle.name();
            return Err(format!(
                "{WIDE_K} bytes along K are supported in rows of {ROW} bytes, not with {name}"
            ));
        }
        let (begins, at) = (self.address - self.address % ROW, self.address % ROW);
        let is_aligned = |address: i64| (address - self.base * ROW) % PATTERN == 0;
        match self.next {
            _ if !is_aligned(begins) => Err(format!(
                "the row at byte {begins} does not begin a pattern of {PATTERN} bytes, which {WIDE_K} bytes along K need"
            )),
            Some(next) if !is_aligned(next) => Err(format!(
                "the next buffer (bits 16 to 29) is at byte {next}, which does not begin a pattern of {PATTERN} bytes"
            )),
            None if at + WIDE_K > ROW => Err(format!(
                "{WIDE_K} bytes along K from byte {at} of a row of {ROW} on reach the next buffer, which an absolute leading \
                 address (bit 52) has to name"
            )),
            _ => Ok(()),
        }
    }

    /// Maps the coordinates (MN,K) of a tile of elements of `bits` to elements from its beginning,
    /// before the swizzle.
    ///
    /// The blocks are those of [`SmemSwizzle::descriptor`]; a tile may end within one.
    pub fn tile(&self, major: Major, [mn, k]: [i64; 2], bits: i64) -> Result<Layout<i64>> {
        let fail = |why| Err(Error::Unsupported { what: "shared-memory descriptor", why });
        if bits < 1 || UNIT % bits != 0 {
            return fail(format!("elements of {bits} b do not fill 16 bytes"));
        }
        let (unit, row, rows) = (UNIT / bits, self.swizzle.row_bits() / bits, self.swizzle.rows());
        let [leading, stride] = [self.leading, self.stride].map(|bytes| bytes * 8 / bits);
        let plain = self.swizzle == SmemSwizzle::Interleave;
        // Along each mode: elements of a block and their stride, and the step from block to block.
        let (of_mn, of_k) = match major {
            Major::K if plain => ((8, unit, stride), (unit, 1, leading)),
            Major::K => ((8, row, stride), (unit, 1, unit)),
            Major::Mn if plain => ((unit, 1, stride), (8, unit, leading)),
            Major::Mn => ((row, 1, leading), (rows, row, stride)),
            Major::Any => return fail("the major must be K or MN".into()),
        };
        let mode = |extent: i64, (block, inner, step): (i64, i64, i64)| {
            let shape = [block, (extent + block - 1) / block];
            Layout::new(Tuple::from_leaves(shape), Tuple::from_leaves([inner, step].map(Stride::int)))
        };
        Ok(Layout::from_modes([mode(mn, of_mn)?, mode(k, of_k)?]))
    }

    /// The address of the byte at this offset from the beginning, counted before the swizzle.
    pub fn place(&self, offset: i64) -> i64 {
        self.swizzled(self.address + offset)
    }

    /// The address of the byte at these offsets across and along rows, counted before the swizzle.
    ///
    /// ```
    /// use cute_arch::smem::{DescriptorOf, SmemDescriptor};
    /// // From byte 96 of rows at 1024 on, and then from the beginning of rows at 4096.
    /// let word = 1 << 46 | 1 << 52 | 2 << 61 | 64 << 32 | (4096 / 16) << 16 | (1024 + 96) / 16;
    /// let descriptor = SmemDescriptor::read(DescriptorOf::Tcgen05, word).unwrap();
    /// assert_eq!([0, 16, 32].map(|along| descriptor.place_along(0, along)), [1024 + 96, 1024 + 112, 4096]);
    /// assert_eq!(descriptor.place_along(128, 32), 4096 + 128 + 16);
    /// ```
    pub fn place_along(&self, across: i64, along: i64) -> i64 {
        match self.next {
            Some(next) if self.address % ROW + along >= ROW => {
                self.swizzled(next + across + self.address % ROW + along - ROW)
            }
            _ => self.place(across + along),
        }
    }

    /// The lower one of the addresses that the descriptor names.
    pub fn lowest(&self) -> i64 {
        self.next.unwrap_or(self.address).min(self.address)
    }

    fn swizzled(&self, address: i64) -> i64 {
        let swizzle = self.swizzle.swizzle();
        let pattern = address - self.base * 128;
        address ^ (pattern & swizzle.source_mask()) >> swizzle.shift()
    }
}
