//! The forms of an opcode, with what their operands take.

use crate::Assembler;
use cute_ptx::{Instruction, OperandShape, OwnType, ScalarType, Spelling, Takes, find};
use std::rc::Rc;

/// A form of an opcode that was met.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) instruction: Instruction,
    /// The registers that each operand takes, and those that its second part takes.
    pub(super) takes: Vec<[Option<Takes>; 2]>,
    /// The operand that is a policy for the cache, and whether the opcode asks for it.
    pub(super) policy: Option<(usize, bool)>,
    /// The reason for which its modifiers do not go together, if they do not.
    pub(super) wrong: Option<String>,
}

impl Known {
    fn new(instruction: Instruction, opcode: &str) -> Self {
        let parts = |operand: &cute_ptx::Operand| {
            let second = match operand.shape {
                OperandShape::Pair(role) | OperandShape::Box(role) => instruction.takes(operand, Some(role)),
                _ => None,
            };
            [instruction.takes(operand, operand.role), second]
        };
        let takes = instruction.form.operands.iter().map(parts).collect();
        let words: Vec<&str> = opcode.split('.').collect();
        let wrong = instruction.wrong_modifiers(&words);
        let is_policy = |operand: &cute_ptx::Operand| {
            operand.role.is_none() && operand.own == Some(OwnType::Fixed(ScalarType::U64))
        };
        let policy = instruction.form.operands.iter().position(is_policy);
        let policy = policy.map(|operand| (operand, words.contains(&"L2::cache_hint")));
        Known { instruction, takes, policy, wrong }
    }
}

impl Assembler {
    /// The forms of an opcode. What follows from an opcode alone is worked out once.
    pub(super) fn forms(&mut self, opcode: &str) -> Rc<[Known]> {
        if let Some(known) = self.opcodes.get(opcode) {
            return known.clone();
        }
        let found: Rc<[Known]> =
            find(Spelling::Ptx, opcode).into_iter().map(|one| Known::new(one, opcode)).collect();
        self.opcodes.insert(opcode.to_owned(), found.clone());
        found
    }
}
