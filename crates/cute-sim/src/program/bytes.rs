//! The byte form of programs, in which another process can simulate them without MLIR.
//!
//! | bytes | contents |
//! |---|---|
//! | 0..8 | `cuteprog` |
//! | 8..12 | the version of the form, little-endian |
//! | 12..20 | a checksum of the rest, little-endian |
//! | 20.. | the kernels, in the encoding of `postcard` |
//!
//! The form changes with the instructions of this crate, so [`VERSION`] is that of one release. The
//! checksum finds damage, not forgery.

use super::{Kernel, Program};

const MAGIC: &[u8; 8] = b"cuteprog";
const HEADER: usize = MAGIC.len() + 4 + 8;

/// The version of the byte form. It is raised with each change of a type below [`Program`].
pub const VERSION: u32 = 1;

/// The reason why bytes are not a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAProgram {
    /// They begin with something else.
    #[error("these {0} bytes are not a program: they do not begin with `cuteprog`")]
    Foreign(usize),
    /// They were written by another version.
    #[error("the program has version {found} of the byte form, but this library reads version {VERSION}")]
    Version {
        /// The version in the bytes.
        found: u32,
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

impl Program {
    /// The byte form.
    ///
    /// ```
    /// # use cute_sim::{Program, program::NotAProgram};
    /// let program = Program { kernels: Vec::new() };
    /// let mut bytes = program.to_bytes();
    /// assert_eq!(Program::from_bytes(&bytes)?.kernels().count(), 0);
    /// *bytes.last_mut().unwrap() ^= 1;
    /// assert!(matches!(Program::from_bytes(&bytes), Err(NotAProgram::Damaged(_))));
    /// # Ok::<(), NotAProgram>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let kernels = postcard::to_allocvec(&self.kernels).expect("memory is the only limit");
        let sum = checksum(&kernels).to_le_bytes();
        [&MAGIC[..], &VERSION.to_le_bytes(), &sum, &kernels].concat()
    }

    /// The program of a byte form.
    ///
    /// # Errors
    ///
    /// [`NotAProgram`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAProgram> {
        if !bytes.starts_with(MAGIC) {
            return Err(NotAProgram::Foreign(bytes.len()));
        }
        let number = |from: usize, to: usize| bytes.get(from..to);
        let (Some(version), Some(sum)) = (number(8, 12), number(12, HEADER)) else {
            return Err(NotAProgram::Damaged("it ends in its header".into()));
        };
        let found = version.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
        if found != VERSION {
            return Err(NotAProgram::Version { found });
        }
        let rest = &bytes[HEADER..];
        if checksum(rest).to_le_bytes() != sum {
            return Err(NotAProgram::Damaged("its checksum is that of other bytes".into()));
        }
        let (kernels, left): (Vec<Kernel>, _) =
            postcard::take_from_bytes(rest).map_err(|why| NotAProgram::Damaged(why.to_string()))?;
        if !left.is_empty() {
            return Err(NotAProgram::Damaged(format!("{} bytes follow its end", left.len())));
        }
        Ok(Program { kernels })
    }
}
