//! The byte form of programs, in which another process runs them without the compiler.
//!
//! | bytes | contents |
//! |---|---|
//! | 0..8 | the kind of program, such as `cuteprog` |
//! | 8..12 | the release that wrote it, little-endian |
//! | 12..20 | a checksum of the rest, little-endian |
//! | 20.. | the program, as the crate that defines it encodes it |
//!
//! A release reads what it has written itself: it may change each type that a program consists of,
//! and what an operation means. The checksum finds damage, not forgery.

use std::fmt;

const HEADER: usize = 8 + 4 + 8;

/// The byte form of one kind of program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The first eight bytes, in ASCII.
    pub magic: &'static [u8; 8],
}

/// The version of all byte forms: that of the release, `MAJOR.MINOR.PATCH`, in 8, 8 and 16 bits. A
/// pre-release has the version of its release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormVersion(u32);

impl FormVersion {
    /// The version that this library writes and reads.
    pub const OWN: Self = {
        let major = part(env!("CARGO_PKG_VERSION_MAJOR"), 8);
        let minor = part(env!("CARGO_PKG_VERSION_MINOR"), 8);
        Self(major << 24 | minor << 16 | part(env!("CARGO_PKG_VERSION_PATCH"), 16))
    };
}

/// A part of a version, which has this number of bits.
const fn part(text: &str, bits: u32) -> u32 {
    match u32::from_str_radix(text, 10) {
        Ok(number) if number >> bits == 0 => number,
        _ => panic!("the version of this crate has too large a part"),
    }
}

impl fmt::Display for FormVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0 >> 24, self.0 >> 16 & 0xff, self.0 & 0xffff)
    }
}

/// The reason why bytes are not a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAProgram {
    /// They begin with something else.
    #[error("these {length} bytes are not a program: they do not begin with `{}`", .magic.escape_ascii())]
    Foreign {
        /// The number of bytes.
        length: usize,
        /// The bytes with which programs of the kind begin.
        magic: &'static [u8; 8],
    },
    /// Another version wrote them.
    #[error("the program has version {found} of the byte form, but this library reads version {read}")]
    Version {
        /// The version in the bytes.
        found: FormVersion,
        /// The version that this library reads.
        read: FormVersion,
    },
    /// Some are missing, added or changed.
    #[error("the program is damaged: {0}")]
    Damaged(String),
}

/// FNV-1a of 64 bits.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

impl Form {
    /// Puts the header before an encoded program.
    pub fn wrap(&self, program: &[u8]) -> Vec<u8> {
        let sum = checksum(program).to_le_bytes();
        [&self.magic[..], &FormVersion::OWN.0.to_le_bytes(), &sum, program].concat()
    }

    /// The program after the header. `decode` returns it, and the bytes that it does not need, of
    /// which there must be none.
    ///
    /// # Errors
    ///
    /// [`NotAProgram`].
    ///
    /// ```
    /// use cute_machine::bytes::{Form, NotAProgram};
    ///
    /// const PAIRS: Form = Form { magic: b"numbers " };
    /// fn pair(bytes: &[u8]) -> Result<&[u8], NotAProgram> {
    ///     PAIRS.read(bytes, |own| own.split_at_checked(2).ok_or("it is too short"))
    /// }
    /// let (mut bytes, more) = (PAIRS.wrap(&[1, 2]), PAIRS.wrap(&[1, 2, 3]));
    /// assert_eq!(pair(&bytes)?, [1, 2]);
    /// *bytes.last_mut().unwrap() ^= 1;
    /// assert!(matches!(pair(&bytes), Err(NotAProgram::Damaged(_))));
    /// let why = pair(&more).unwrap_err().to_string();
    /// assert_eq!(why, "the program is damaged: it ends at byte 22 of 23");
    /// # Ok::<(), NotAProgram>(())
    /// ```
    pub fn read<'b, T, E: fmt::Display>(
        &self,
        bytes: &'b [u8],
        decode: impl FnOnce(&'b [u8]) -> Result<(T, &'b [u8]), E>,
    ) -> Result<T, NotAProgram> {
        if !bytes.starts_with(self.magic) {
            return Err(NotAProgram::Foreign { length: bytes.len(), magic: self.magic });
        }
        let number = |from: usize, to: usize| bytes.get(from..to);
        let (Some(version), Some(sum)) = (number(8, 12), number(12, HEADER)) else {
            return Err(NotAProgram::Damaged("it ends in its header".into()));
        };
        let found = FormVersion(version.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)));
        if found != FormVersion::OWN {
            return Err(NotAProgram::Version { found, read: FormVersion::OWN });
        }
        let rest = &bytes[HEADER..];
        if checksum(rest).to_le_bytes() != sum {
            return Err(NotAProgram::Damaged("its checksum is that of other bytes".into()));
        }
        let (program, left) = decode(rest).map_err(|why| NotAProgram::Damaged(why.to_string()))?;
        match left.is_empty() {
            true => Ok(program),
            false => {
                let (end, whole) = (bytes.len() - left.len(), bytes.len());
                Err(NotAProgram::Damaged(format!("it ends at byte {end} of {whole}")))
            }
        }
    }
}
