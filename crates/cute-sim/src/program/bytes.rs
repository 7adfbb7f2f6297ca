//! The byte form of programs, in which another process can simulate them without MLIR.

use cute_machine::bytes::{Form, NotAProgram};

use super::Program;

/// The byte form. Its version changes with each type below [`Program`], so it is that of one
/// release.
pub const FORM: Form = Form { magic: b"cuteprog", version: 9 };

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
        let kernels = postcard::from_bytes(FORM.unwrap(bytes)?);
        let kernels = kernels.map_err(|why| NotAProgram::Damaged(why.to_string()))?;
        Ok(Self { kernels })
    }
}
