//! The byte form of programs, in which another process runs them without the compiler.
//!
//! | bytes | contents |
//! |---|---|
//! | 0..8 | the kind of program, such as `cuteprog` |
//! | 8..12 | the version of the form, little-endian |
//! | 12..20 | a checksum of the rest, little-endian |
//! | 20.. | the program, as the crate that defines it encodes it |
//!
//! The checksum finds damage, not forgery.

const HEADER: usize = 8 + 4 + 8;

/// A byte form: of one kind of program, in one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The first eight bytes, in ASCII.
    pub magic: &'static [u8; 8],
    /// The version, which is raised with each change of a type that the program consists of.
    pub version: u32,
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
    /// They were written by another version.
    #[error("the program has version {found} of the byte form, but this library reads version {read}")]
    Version {
        /// The version in the bytes.
        found: u32,
        /// The version that this library reads.
        read: u32,
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
    ///
    /// ```
    /// use cute_machine::bytes::{Form, NotAProgram};
    ///
    /// let form = Form { magic: b"numbers ", version: 1 };
    /// let mut bytes = form.wrap(&[1, 2, 3]);
    /// assert_eq!(form.unwrap(&bytes)?, [1, 2, 3]);
    /// *bytes.last_mut().unwrap() ^= 1;
    /// assert!(matches!(form.unwrap(&bytes), Err(NotAProgram::Damaged(_))));
    /// # Ok::<(), NotAProgram>(())
    /// ```
    pub fn wrap(&self, program: &[u8]) -> Vec<u8> {
        let sum = checksum(program).to_le_bytes();
        [&self.magic[..], &self.version.to_le_bytes(), &sum, program].concat()
    }

    /// The encoded program that follows the header.
    ///
    /// # Errors
    ///
    /// [`NotAProgram`].
    pub fn unwrap<'b>(&self, bytes: &'b [u8]) -> Result<&'b [u8], NotAProgram> {
        if !bytes.starts_with(self.magic) {
            return Err(NotAProgram::Foreign { length: bytes.len(), magic: self.magic });
        }
        let number = |from: usize, to: usize| bytes.get(from..to);
        let (Some(version), Some(sum)) = (number(8, 12), number(12, HEADER)) else {
            return Err(NotAProgram::Damaged("it ends in its header".into()));
        };
        let found = version.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
        if found != self.version {
            return Err(NotAProgram::Version { found, read: self.version });
        }
        let rest = &bytes[HEADER..];
        if checksum(rest).to_le_bytes() != sum {
            return Err(NotAProgram::Damaged("its checksum is that of other bytes".into()));
        }
        Ok(rest)
    }
}
