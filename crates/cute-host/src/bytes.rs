//! The byte form of host programs, in which another process can run them without MLIR.

use cute_machine::bytes::{Form, NotAProgram};

use crate::program::Program;

/// The byte form. Its version changes with each type below [`Program`], so it is that of one
/// release.
pub const FORM: Form = Form { magic: b"cutehost", version: 3 };

impl Program {
    /// The byte form.
    pub fn to_bytes(&self) -> Vec<u8> {
        FORM.wrap(&postcard::to_allocvec(self).expect("memory is the only limit"))
    }

    /// The program of a byte form.
    ///
    /// # Errors
    ///
    /// [`NotAProgram`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAProgram> {
        postcard::from_bytes(FORM.unwrap(bytes)?).map_err(|why| NotAProgram::Damaged(why.to_string()))
    }
}
