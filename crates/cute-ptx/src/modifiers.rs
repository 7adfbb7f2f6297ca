//! Modifiers that do not go together.

use crate::table::Instruction;

impl Instruction {
    /// The reason for which an instruction of PTX may not have these modifiers together; `None` if
    /// it may.
    pub fn wrong_modifiers(&self) -> Option<String> {
        None
    }
}
