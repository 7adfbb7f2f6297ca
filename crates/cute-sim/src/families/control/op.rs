//! Instructions after which a thread goes on elsewhere, or not at all, as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::{Move, Slot};
use crate::refusal::Unmodelled;
use serde::{Deserialize, Serialize};

/// An instruction about the course of a thread. Edges are numbers of those of its kernel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ControlOp {
    Jump {
        edge: u32,
    },
    Branch {
        condition: Slot,
        then: u32,
        otherwise: u32,
    },
    Switch {
        flag: Slot,
        cases: Box<[(u64, u32)]>,
        default: u32,
    },
    /// The thread ends.
    Return,
    /// Calls a device function, whose results go to `dst`.
    Call {
        function: u32,
        arguments: Box<[Move]>,
        dst: Slot,
    },
    /// Returns from a device function, with `len` results.
    Back {
        src: Slot,
        len: u32,
    },
    Unreachable,
    /// The kernel traps, after a failed assertion with its message.
    Trap {
        message: Option<Slot>,
    },
    /// The lanes that execute it together must have one value here: those of a `.uni` instruction.
    Agree {
        value: Slot,
    },
    /// An instruction without a model: a finding, if a thread gets there.
    Refused {
        rule: Unmodelled,
        what: Box<str>,
    },
    /// A branch or a call that leads nowhere: a finding, if a thread gets there.
    Nowhere {
        what: Box<str>,
    },
    Nothing,
}

impl ControlOp {
    /// Whether threads end there.
    #[inline]
    pub(crate) fn ends_threads(&self) -> bool {
        matches!(self, ControlOp::Return)
    }

    /// The edges that it may take.
    pub fn edges(&self) -> Vec<u32> {
        match self {
            ControlOp::Jump { edge } => vec![*edge],
            ControlOp::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            ControlOp::Switch { cases, default, .. } => {
                cases.iter().map(|(_, edge)| *edge).chain([*default]).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a thread goes on with the next instruction, at once or after a call.
    pub fn goes_on(&self) -> bool {
        matches!(self, ControlOp::Agree { .. } | ControlOp::Nothing | ControlOp::Call { .. })
    }

    /// Whether control does not continue with the next instruction.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            ControlOp::Jump { .. }
                | ControlOp::Branch { .. }
                | ControlOp::Switch { .. }
                | ControlOp::Return
                | ControlOp::Back { .. }
                | ControlOp::Unreachable
                | ControlOp::Trap { .. }
        )
    }

    /// The edge of a jump.
    pub fn jump(&self) -> Option<u32> {
        match self {
            ControlOp::Jump { edge } => Some(*edge),
            _ => None,
        }
    }

    /// The condition of a branch, and the edges that it takes if the condition is true, and if not.
    pub(crate) fn branch(&self) -> Option<(Slot, [u32; 2])> {
        match self {
            ControlOp::Branch { condition, then, otherwise } => Some((*condition, [*then, *otherwise])),
            _ => None,
        }
    }

    /// Whether it ends the thread or a function of it, as it should.
    pub(crate) fn returns(&self) -> bool {
        matches!(self, ControlOp::Return | ControlOp::Back { .. })
    }

    /// Whether a thread goes on after a function that it calls.
    pub(crate) fn calls(&self) -> bool {
        matches!(self, ControlOp::Call { .. })
    }

    pub fn is_trap(&self) -> bool {
        matches!(self, ControlOp::Trap { .. })
    }

    /// The rule, and the instruction that has no model.
    pub(crate) fn refused(&self) -> Option<(Unmodelled, &str)> {
        match self {
            ControlOp::Refused { rule, what } => Some((*rule, what)),
            _ => None,
        }
    }

    /// The registers whose values have an effect; `None` where a loop cannot go on.
    pub(crate) fn uses(&self) -> Option<Vec<Slot>> {
        match self {
            ControlOp::Branch { condition, .. } => Some(vec![*condition]),
            ControlOp::Switch { flag, .. } => Some(vec![*flag]),
            ControlOp::Agree { value } => Some(vec![*value]),
            ControlOp::Jump { .. } | ControlOp::Return | ControlOp::Nothing => Some(Vec::new()),
            _ => None,
        }
    }
}
