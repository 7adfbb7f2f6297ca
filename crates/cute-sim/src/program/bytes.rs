//! The byte form of programs, in which another process can simulate them without MLIR.

use cute_machine::bytes::{Form, NotAProgram};

use super::Program;

const FORM: Form = Form { magic: b"cuteprog" };

impl Program {
    /// The byte form.
    ///
    /// ```
    /// # use cute_sim::{Program, program::NotAProgram};
    /// let program = Program { kernels: Vec::new() };
    /// let bytes = program.to_bytes();
    /// assert_eq!(Program::from_bytes(&bytes)?.kernels().count(), 0);
    /// assert!(matches!(Program::from_bytes(&bytes[1..]), Err(NotAProgram::Foreign { .. })));
    /// # Ok::<(), NotAProgram>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        FORM.wrap(&postcard::to_allocvec(&self.kernels).expect("memory is the only limit"))
    }

    /// The program of a byte form.
    ///
    /// # Errors
    ///
    /// [`NotAProgram`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAProgram> {
        Ok(Self { kernels: FORM.read(bytes, postcard::take_from_bytes)? })
    }
}
