//! An instruction whose operands are bound to their roles, whatever its spelling.

use crate::{Assembler, Held, malformed};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Instruction, Keyword, Role};
use cute_sim::program::{Site, Slot};
use cute_sim::{Error, Malformed};

/// An instruction with its operands.
pub struct Call {
    /// The place of the instruction.
    pub at: Site,
    /// The instruction and its modifiers.
    pub instruction: Instruction,
    /// The operands and results; a list gives its role to several.
    pub operands: Vec<(Role, Held)>,
    /// Whether it has results, and nothing uses them.
    pub ignored: bool,
    /// Whether it is PTX's text, whose registers hold words of bits.
    pub is_text: bool,
    /// The swizzle with which the kernel accesses the shared memory of a box, if it is known.
    pub swizzle: Option<String>,
}

impl Call {
    /// The first operand with this role.
    pub fn maybe(&self, role: Role) -> Option<&Held> {
        self.operands.iter().find(|(own, _)| *own == role).map(|(_, held)| held)
    }

    /// The first operand with this role.
    ///
    /// # Errors
    ///
    /// Returns an error for an operand that is missing or another.
    pub fn held(&self, role: Role) -> Result<&Held, Error> {
        self.maybe(role).ok_or_else(|| {
            malformed(&self.at, Malformed::OperandCount, format!("the operand `{}` is missing", role.name()))
        })
    }

    /// The register of the first operand with this role.
    ///
    /// # Errors
    ///
    /// Returns an error for an operand that is missing or another.
    pub fn slot(&self, role: Role) -> Result<Slot, Error> {
        Ok(self.held(role)?.slot)
    }

    /// The register of the first operand with this role.
    pub fn maybe_slot(&self, role: Role) -> Option<Slot> {
        self.maybe(role).map(|held| held.slot)
    }

    /// All operands with this role.
    pub fn all(&self, role: Role) -> impl Iterator<Item = &Held> {
        self.operands.iter().filter(move |(own, _)| *own == role).map(|(_, held)| held)
    }

    /// An address, and the space of its pointer.
    ///
    /// # Errors
    ///
    /// Returns an error for an operand that is missing or another.
    pub fn pointer(&self, role: Role) -> Result<(Slot, u32), Error> {
        match self.held(role)? {
            Held { slot, ty: Type::Scalar(Scalar::Ptr(space)) } => Ok((*slot, *space)),
            other => {
                Err(malformed(&self.at, Malformed::OperandType, format!("an address of type {:?}", other.ty)))
            }
        }
    }

    /// The meaning of a modifier.
    pub fn keyword<K: Keyword>(&self) -> Option<K> {
        self.instruction.keyword()
    }

    /// A modifier that the instruction must have.
    ///
    /// # Errors
    ///
    /// Returns an error for an operand that is missing or another.
    pub fn needed<K: Keyword>(&self) -> Result<K, Error> {
        self.keyword()
            .ok_or_else(|| malformed(&self.at, Malformed::Modifier, format!("no {}", K::TABLE.name)))
    }

    /// Whether the instruction has this flag.
    pub fn has(&self, flag: &str) -> bool {
        self.instruction.has(flag)
    }
}

impl Assembler {
    /// The number in an operand that is known when the kernel is decoded.
    ///
    /// # Errors
    ///
    /// Returns an error for an operand that is not a constant.
    pub fn number_of(&self, call: &Call, role: Role) -> Result<i64, Error> {
        let known = self.known.get(&call.slot(role)?).copied();
        let known = known.ok_or_else(|| {
            malformed(
                &call.at,
                Malformed::OperandValue,
                format!("the operand `{}` is not a constant", role.name()),
            )
        })?;
        Ok(known as i64)
    }
}
