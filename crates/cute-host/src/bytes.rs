//! The byte form of host programs, in which another process can run them without MLIR.

use cute_machine::bytes::{Form, NotAProgram};

use crate::program::Program;

const FORM: Form = Form { magic: b"cutehost" };

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
        FORM.read(bytes, postcard::take_from_bytes)
    }
}
