//! The entries of a fat binary. Sources: the header of the CUDA toolkit that publishes the first
//! 16 bytes, fat binaries that nvcc 13.0 wrote under each of its options, and one of CUDA 12.9.
//!
//! | byte | bits | of the header |
//! |---|---|---|
//! | 0 | 32 | `0xba55ed50` |
//! | 4 | 16 | the version: 1 |
//! | 6 | 16 | the size of the header: 16 |
//! | 8 | 64 | the size of all entries together |
//!
//! | byte | bits | of an entry |
//! |---|---|---|
//! | 0 | 16 | the [`Kind`] |
//! | 2 | 16 | the version of the layout: `0x0101` |
//! | 4 | 32 | the size of this header with the texts behind it: 64 and more |
//! | 8 | 64 | the size of the contents, with zeros up to a multiple of 8 |
//! | 16 | 32 | the size of compressed contents without these zeros |
//! | 20 | 32 | where the place and the size (32 bits each) of the options stand, from the entry on; or 0 |
//! | 24, 26 | 16 | the version of the contents, minor and major: 0 and 9 for PTX 9.0 |
//! | 28 | 32 | the architecture: 90 |
//! | 32, 36 | 32 | the place and the size of the name of the source, from the entry on; or 0 |
//! | 40 | 64 | [flags](Entry::flags) |
//! | 56 | 64 | the size of contents that are compressed once they are not |

use cute_arch::Portability;
use std::fmt;

/// How a fat binary begins.
pub(super) const MAGIC: u32 = 0xba55_ed50;

/// The size of its header.
pub(super) const HEADER: usize = 16;

/// The size of the header of an entry, without texts.
const ENTRY: usize = 64;

/// The layout of entries, in the upper byte of its version.
const LAYOUT: u16 = 1;

/// Bits of [`FatbinEntry::flags`].
mod flag {
    pub const WIDE: u64 = 1;
    pub const DEBUG: u64 = 1 << 1;
    pub const OLD_PACKING: u64 = 1 << 12;
    pub const LZ4: u64 = 1 << 13;
    pub const ZSTD: u64 = 1 << 15;
    pub const ARCHITECTURE: u64 = 1 << 20;
    pub const FAMILY: u64 = 1 << 21;
}

/// Why bytes are not a fat binary, or not one that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FatbinError {
    /// There is no image.
    #[error("the pointer to the device code is null")]
    Null,
    /// The first bytes are those of nothing that is known.
    #[error(
        "device code that begins with the bytes {} is neither a fat binary, nor a cubin, nor PTX",
        hexadecimal(first)
    )]
    Unknown {
        /// Up to four of them.
        first: Vec<u8>,
    },
    /// The text of PTX is not UTF-8.
    #[error("the text of PTX is not UTF-8 from byte {at} on")]
    Text {
        /// The first byte that is not.
        at: usize,
    },
    /// A version is not known.
    #[error("{part} has version {version:#x}; only {known:#x} is known")]
    Version {
        /// The wrapper, the fat binary or an entry.
        part: &'static str,
        /// The version that it has.
        version: u32,
        /// The version that can be read.
        known: u32,
    },
    /// A part goes beyond what contains it.
    #[error(
        "the fat binary is cut off or damaged: {part} at byte {at} has {size} bytes, but {left} are left"
    )]
    Cut {
        /// The entry, or what it is a part of.
        part: &'static str,
        /// Where it begins, from the fat binary on.
        at: u64,
        /// The size that it has by its header.
        size: u64,
        /// The bytes up to the end.
        left: u64,
    },
    /// The size of a header is smaller than its fields.
    #[error(
        "the fat binary is damaged: the header of {part} at byte {at} has {size} bytes, fewer than {least}"
    )]
    Header {
        /// The fat binary or an entry.
        part: &'static str,
        /// Where it begins, from the fat binary on.
        at: u64,
        /// The size of its header.
        size: u64,
        /// The size of the fields.
        least: u64,
    },
    /// More bytes than device code has.
    #[error("{part} has {size} bytes, more than the limit of {most}")]
    TooLarge {
        /// The fat binary, or the contents of an entry.
        part: &'static str,
        /// The size by its header.
        size: u64,
        /// The limit.
        most: u64,
    },
    /// There are more objects than a program has.
    #[error("the list of linked fat binaries has more than {most} elements, or no end")]
    TooMany {
        /// The limit.
        most: usize,
    },
    /// A compression that cannot be undone.
    #[error(
        "the {entry} is compressed by a method before LZ4 and zstd, which is not supported: build the program with `-no-compress`"
    )]
    OldPacking {
        /// The kind of the entry, and the GPUs that it is for.
        entry: String,
    },
    /// Compressed bytes are damaged.
    #[error("the compressed {entry} is damaged: {why}")]
    Packed {
        /// The kind of the entry, and the GPUs that it is for.
        entry: String,
        /// The error of the decompressor.
        why: String,
    },
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// A fat binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatBinary<'a> {
    /// Its contents in their order.
    pub entries: Vec<FatbinEntry<'a>>,
}

/// The form of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text of PTX.
    Ptx,
    /// Machine code for one architecture: an ELF file.
    Cubin,
    /// Machine code in the form of CUDA 3 and before.
    OldCubin,
    /// The intermediate form for optimisation at link time.
    Ir,
    /// Another number.
    Other(u16),
}

/// The GPUs that code is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// The compute capability, major and minor.
    pub capability: (u32, u32),
    /// Which GPUs run the code: `a` or `f` behind the number.
    pub portability: Portability,
}

impl Code {
    /// The code for a target of PTX: `sm_90a`.
    pub fn of(target: &str) -> Option<Self> {
        let name = target.strip_prefix("sm_")?;
        let suffix = |p: &Portability| name.ends_with(p.suffix());
        let all = [Portability::Architecture, Portability::Family, Portability::Forward];
        let portability = all.into_iter().find(suffix)?;
        let number: u32 = name.strip_suffix(portability.suffix())?.parse().ok()?;
        Some(Self::new(number, portability))
    }

    /// The code for an architecture by its number, such as 90.
    fn new(number: u32, portability: Portability) -> Self {
        Self { capability: (number / 10, number % 10), portability }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.capability;
        write!(f, "sm_{major}{minor}{}", self.portability.suffix())
    }
}

/// How contents are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    None,
    /// A block of LZ4: CUDA 12 and before, and later ones under `--compress-mode=speed`.
    Lz4,
    /// A frame of zstd: CUDA 13 by default.
    Zstd,
    /// A method before them.
    Old,
}

/// An image in a fat binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FatbinEntry<'a> {
    /// The form of the code.
    pub kind: Kind,
    /// The GPUs that it is for.
    pub code: Code,
    /// The version of the contents, major and minor: of PTX, or of the form of cubins.
    pub version: (u32, u32),
    /// Bits: 0 for addresses of 64 bits, 1 for debugging information (`-G`), 2 to 7 for where the
    /// host code runs (4: Linux), 12, 13 and 15 for the [`Packing`], 20 for an architecture that
    /// ends in `a`, and 21 for one that ends in `f`.
    pub flags: u64,
    /// The source file, under `-lineinfo` and `-G`.
    pub name: Option<&'a str>,
    /// The options for ptxas, of PTX.
    pub options: Option<&'a str>,
    /// The contents as they are stored, with zeros behind them where they are not compressed.
    pub stored: &'a [u8],
    /// The size of compressed contents when they are not.
    pub unpacked: u64,
}

impl FatbinEntry<'_> {
    /// Whether addresses have 64 bits.
    pub fn is_wide(&self) -> bool {
        self.flags & flag::WIDE != 0
    }

    /// Whether it has debugging information of the whole program (`-G`).
    pub fn is_debug(&self) -> bool {
        self.flags & flag::DEBUG != 0
    }

    /// How its contents are compressed.
    pub fn packing(&self) -> Packing {
        match self.flags {
            flags if flags & flag::ZSTD != 0 => Packing::Zstd,
            flags if flags & flag::LZ4 != 0 => Packing::Lz4,
            flags if flags & flag::OLD_PACKING != 0 => Packing::Old,
            _ => Packing::None,
        }
    }
}

impl fmt::Display for FatbinEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.code;
        match self.kind {
            Kind::Ptx => write!(f, "PTX for {code}")?,
            Kind::Cubin | Kind::OldCubin => write!(f, "cubin for {code}")?,
            Kind::Ir => write!(f, "intermediate code of -dlto for {code}")?,
            Kind::Other(kind) => write!(f, "code of kind {kind} for {code}")?,
        }
        if !self.is_wide() {
            write!(f, " with addresses of 32 bits")?;
        }
        Ok(())
    }
}

impl<'a> FatBinary<'a> {
    /// Reads a fat binary without a wrapper. Bytes behind its end are not looked at.
    ///
    /// # Errors
    /// [`FatbinError`] if it is cut off or damaged.
    pub fn read(bytes: &'a [u8]) -> Result<Self, FatbinError> {
        let all = Fields { bytes, from: 0 };
        all.part("the fat binary", 0, HEADER as u64)?;
        let (magic, version, header) = (all.word(0), all.half(4), u64::from(all.half(6)));
        if magic != MAGIC {
            return Err(FatbinError::Unknown { first: bytes[..4].to_vec() });
        }
        if version != 1 {
            return Err(FatbinError::Version { part: "the fat binary", version: version.into(), known: 1 });
        }
        if header < HEADER as u64 {
            let (part, least) = ("the fat binary", HEADER as u64);
            return Err(FatbinError::Header { part, at: 0, size: header, least });
        }
        let size = header.saturating_add(all.double(8));
        let all = Fields { bytes: all.part("the fat binary", 0, size)?, from: 0 };
        let mut entries = Vec::new();
        let mut at = header;
        while at < size {
            let (entry, length) = Self::entry(&all, at)?;
            entries.push(entry);
            at += length;
        }
        Ok(Self { entries })
    }

    /// The size of a fat binary by its header, which has [`HEADER`] bytes.
    pub(super) fn size(header: &[u8; HEADER]) -> u64 {
        let fields = Fields { bytes: header, from: 0 };
        u64::from(fields.half(6)).saturating_add(fields.double(8))
    }

    /// The entry at some byte, and its size.
    fn entry(all: &Fields<'a>, at: u64) -> Result<(FatbinEntry<'a>, u64), FatbinError> {
        let part = "an entry";
        let fields = Fields { bytes: all.part(part, at, ENTRY as u64)?, from: at };
        let (layout, header) = (fields.half(2), u64::from(fields.word(4)));
        if layout >> 8 != LAYOUT {
            return Err(FatbinError::Version { part, version: layout.into(), known: 0x101 });
        }
        if header < ENTRY as u64 {
            return Err(FatbinError::Header { part, at, size: header, least: ENTRY as u64 });
        }
        let size = fields.double(8);
        let length = header.saturating_add(size);
        let whole = all.part(part, at, length)?;
        let fields = Fields { bytes: &whole[..header as usize], from: at };
        let contents = Fields { bytes: &whole[header as usize..], from: at + header };
        let flags = fields.double(40);
        let (number, portability) = (
            fields.word(28),
            match flags {
                flags if flags & flag::ARCHITECTURE != 0 => Portability::Architecture,
                flags if flags & flag::FAMILY != 0 => Portability::Family,
                _ => Portability::Forward,
            },
        );
        let kind = match fields.half(0) {
            1 => Kind::Ptx,
            2 => Kind::Cubin,
            4 => Kind::OldCubin,
            8 => Kind::Ir,
            other => Kind::Other(other),
        };
        let options = match fields.word(20) {
            0 => None,
            _ if !matches!(kind, Kind::Ptx | Kind::Ir) => None,
            place => {
                let pair = fields.inner("the options of an entry", place.into(), 8)?;
                let pair = Fields { bytes: pair, from: 0 };
                fields.text("the options of an entry", pair.word(0), pair.word(4))?
            }
        };
        let mut entry = FatbinEntry {
            kind,
            code: Code::new(number, portability),
            version: (fields.half(26).into(), fields.half(24).into()),
            flags,
            name: fields.text("the name of an entry", fields.word(32), fields.word(36))?,
            options,
            stored: contents.bytes,
            unpacked: fields.double(56),
        };
        if entry.packing() != Packing::None {
            entry.stored = contents.inner("the compressed code of an entry", 0, fields.word(16).into())?;
        }
        Ok((entry, length))
    }
}

/// Bytes of a fat binary, and where they begin in it.
struct Fields<'a> {
    bytes: &'a [u8],
    from: u64,
}

impl<'a> Fields<'a> {
    /// Some bytes, by where they begin in the fat binary.
    fn part(&self, part: &'static str, at: u64, size: u64) -> Result<&'a [u8], FatbinError> {
        self.inner(part, at - self.from, size)
    }

    /// Some bytes, by where they begin in these bytes.
    fn inner(&self, part: &'static str, at: u64, size: u64) -> Result<&'a [u8], FatbinError> {
        let left = (self.bytes.len() as u64).saturating_sub(at);
        if size > left {
            return Err(FatbinError::Cut { part, at: self.from + at, size, left });
        }
        // Both are at most the number of bytes, unless there are none.
        let at = at.min(self.bytes.len() as u64) as usize;
        Ok(&self.bytes[at..at + size as usize])
    }

    /// A text, if there is one.
    fn text(&self, part: &'static str, at: u32, size: u32) -> Result<Option<&'a str>, FatbinError> {
        if at == 0 || size == 0 {
            return Ok(None);
        }
        let bytes = self.inner(part, at.into(), size.into())?;
        let text = std::str::from_utf8(bytes).ok();
        Ok(text.map(|text| text.trim_matches(['\0', ' '])).filter(|text| !text.is_empty()))
    }

    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut array = [0; N];
        array.copy_from_slice(&self.bytes[at..at + N]);
        array
    }

    fn half(&self, at: usize) -> u16 {
        u16::from_le_bytes(self.array(at))
    }

    fn word(&self, at: usize) -> u32 {
        u32::from_le_bytes(self.array(at))
    }

    fn double(&self, at: usize) -> u64 {
        u64::from_le_bytes(self.array(at))
    }
}
