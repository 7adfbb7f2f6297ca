//! Statements of PTX to instructions.

use super::check::Beside;
use super::names::Names;
use super::survey::Survey;
use crate::{Assembler, Guard, malformed, unmodelled};
use cute_machine::types::Scalar;
use cute_ptx::mnemonics::{Support, mnemonic};
use cute_ptx::syntax::{Body, Instruction, Operand, Statement};
use cute_ptx::{Keyword, ScalarType, Spelling, Takes};
use cute_sim::program::{ControlOp, ScalarOp, Site, Slot};
use cute_sim::{Error, Malformed, Unmodelled};

/// An instruction on its way.
pub(crate) struct Line<'a, 'p> {
    pub(crate) at: &'p Site,
    pub(crate) names: &'p mut Names<'a>,
    pub(crate) opcode: &'p str,
    pub(crate) operands: &'p [Operand<'a>],
    /// Whether its result is unused.
    pub(crate) ignored: bool,
}

impl<'a, 'p> Line<'a, 'p> {
    pub(crate) fn wrong(&self, rule: Malformed, what: &str) -> Error {
        if *self.at.op == *self.opcode {
            return malformed(self.at, rule, what);
        }
        malformed(self.at, rule, format!("`{}`: {what}", self.opcode))
    }

    /// Checks the modifiers of an instruction without types.
    pub(crate) fn has_only(&self, modifiers: &[&str]) -> Result<(), Error> {
        let mut words = self.opcode.split('.');
        let name = words.next().unwrap_or_default();
        match words.find(|word| !modifiers.contains(word)) {
            Some(other) => Err(self.wrong(Malformed::Modifier, &format!("`{name}` has no `.{other}`"))),
            None => Ok(()),
        }
    }

    pub(crate) fn operand(&self, index: usize) -> Result<&'p Operand<'a>, Error> {
        self.operands.get(index).ok_or_else(|| self.wrong(Malformed::OperandCount, "an operand is missing"))
    }
}

/// Whether an instruction has a model.
pub(crate) enum Written {
    /// It is part of the kernel.
    Done,
    /// It has no model.
    Unknown,
}

impl Assembler {
    /// The instructions of a text, whose `$0`, `$1` are these registers. `used`: whether something
    /// uses a result.
    ///
    /// # Errors
    ///
    /// Returns an error for a text that cannot be read, and for an instruction without a model.
    pub fn assembly(
        &mut self,
        at: &Site,
        text: &str,
        given: Vec<(Slot, Scalar)>,
        used: bool,
    ) -> Result<(), Error> {
        let body = Body { text, line: 1 };
        let unread = |error: cute_ptx::syntax::SyntaxError| {
            malformed(at, Malformed::Syntax, format!("the assembly, {error}"))
        };
        let mut names = Names::new(&Survey::of(body).map_err(unread)?, given);
        for statement in body.statements() {
            match statement.map_err(unread)?.1 {
                Statement::Instruction(instruction) => {
                    let first = self.code.len();
                    if let Written::Unknown =
                        self.instruction(at, &mut names, &instruction, instruction.opcode, used)?
                    {
                        return Err(unknown(at, instruction.opcode));
                    }
                    // Findings name the instruction.
                    self.sites[first..].iter_mut().for_each(|site| site.op = instruction.opcode.into());
                }
                Statement::Variable(variable) => {
                    let what = format!("the variable `{}` in one assembly text", variable.name);
                    return Err(unmodelled(at, Unmodelled::Variable, what));
                }
                other => self.declaration(at, &mut names, other)?,
            }
        }
        self.no_label_is_missing(at, &mut names)
    }

    /// Checks that each branch has its target.
    pub(crate) fn no_label_is_missing(&mut self, at: &Site, names: &mut Names<'_>) -> Result<(), Error> {
        match names.missing_label(self) {
            Some(label) => {
                Err(malformed(at, Malformed::Undeclared, format!("no label `{label}` in the assembly")))
            }
            None => Ok(()),
        }
    }

    /// A statement that emits nothing.
    pub(crate) fn declaration<'a>(
        &mut self,
        at: &Site,
        names: &mut Names<'a>,
        statement: Statement<'a>,
    ) -> Result<(), Error> {
        match statement {
            Statement::Open => names.open(),
            Statement::Close => names.close(self),
            Statement::Label(label) => {
                let is_new = names.label(label, self.here());
                if !is_new {
                    return Err(malformed(at, Malformed::SecondName, format!("a second label `{label}`")));
                }
            }
            Statement::Registers { vector: 1, ty, names: declared } => names.declare(ty, &declared),
            Statement::Registers { .. } => {
                return Err(unmodelled(at, Unmodelled::Type, "a register that is a vector"));
            }
            Statement::Targets { label, targets } => names.table(label, targets),
            _ => {}
        }
        Ok(())
    }

    /// An instruction, which its guard may skip.
    pub(crate) fn instruction<'a>(
        &mut self,
        at: &Site,
        names: &mut Names<'a>,
        instruction: &Instruction<'a>,
        opcode: &str,
        used: bool,
    ) -> Result<Written, Error> {
        let Instruction { guard, operands, .. } = instruction;
        let ignored = operands.first().is_some_and(|operand| names.is_only_mention(operand, used));
        let mut line = Line { at, names, opcode, operands, ignored };
        let predicate =
            guard.as_ref().map(|(predicate, wanted)| Ok((self.predicate(&mut line, predicate)?, *wanted)));
        let predicate = predicate.transpose()?;
        if opcode == "bra" || opcode.starts_with("bra.") {
            line.has_only(&["uni"])?;
            let Operand::Name(label) = *line.operand(0)? else {
                return Err(line.wrong(Malformed::OperandType, "the target is not a label"));
            };
            let there = line.names.edge(self, label);
            self.agree(at, opcode, predicate);
            self.branch(at, predicate, there);
            return Ok(Written::Done);
        }
        let guard = predicate.map(|(slot, wanted)| self.guard(at, slot, wanted));
        let written = self.unguarded(&mut line)?;
        if let Some(guard) = guard {
            self.end_guard(guard);
        }
        Ok(written)
    }

    /// The lanes that execute a `.uni` instruction together do the same.
    fn agree(&mut self, at: &Site, opcode: &str, predicate: Option<(Slot, bool)>) {
        if let Some((value, _)) = predicate
            && opcode.split('.').any(|word| word == "uni")
        {
            self.emit(at, ControlOp::Agree { value });
        }
    }

    /// Lets lanes skip an instruction that its guard does not let run.
    pub(crate) fn skipped<'a>(
        &mut self,
        at: &Site,
        names: &mut Names<'a>,
        instruction: &Instruction<'a>,
    ) -> Result<Option<Guard>, Error> {
        let Some((predicate, wanted)) = &instruction.guard else { return Ok(None) };
        let mut line = Line { at, names, opcode: instruction.opcode, operands: &[], ignored: false };
        let predicate = self.predicate(&mut line, predicate)?;
        self.agree(at, instruction.opcode, Some((predicate, *wanted)));
        Ok(Some(self.guard(at, predicate, *wanted)))
    }

    /// A branch, if the predicate is as wanted.
    pub(crate) fn branch(&mut self, at: &Site, predicate: Option<(Slot, bool)>, there: u32) {
        let next = self.edge_to(self.here() + 1);
        let branch = match predicate {
            None => ControlOp::Jump { edge: there },
            Some((condition, true)) => ControlOp::Branch { condition, then: there, otherwise: next },
            Some((condition, false)) => ControlOp::Branch { condition, then: next, otherwise: there },
        };
        self.emit(at, branch);
    }

    fn unguarded(&mut self, line: &mut Line<'_, '_>) -> Result<Written, Error> {
        let words: Vec<&str> = line.opcode.split('.').collect();
        let known = match words[..] {
            ["mov", ty] if self.special_move(line, ty)? => true,
            ["mma", ref rest @ ..] => self.warp_product(line, rest)?,
            ["wmma", ref rest @ ..] => self.wmma(line, rest)?,
            ["wgmma", "mma_async", ref rest @ ..] => self.product(line, rest)?,
            _ => match self.text_call(line)? {
                Some(call) => {
                    self.perform(&call)?;
                    true
                }
                None => false,
            },
        };
        Ok(if known { Written::Done } else { Written::Unknown })
    }

    /// `mov` of a special register, if it is one.
    fn special_move(&mut self, line: &mut Line<'_, '_>, ty: &str) -> Result<bool, Error> {
        let [to, from @ Operand::Name(name)] = line.operands else { return Ok(false) };
        if !name.starts_with('%') || line.names.find(self, line.at, name)?.is_some() {
            return Ok(false);
        }
        let takes = ScalarType::read(Spelling::Ptx, ty).map(Takes::exactly);
        self.allowed(line, from, takes, Beside::Move)?;
        let special = self.special_register(line, name)?;
        let dst = match self.register(line, to, takes)? {
            Some((slot, _)) => slot,
            None => self.write(line, to)?,
        };
        self.emit(line.at, ScalarOp::Special { dst, special });
        Ok(true)
    }
}

/// The error for an instruction without a model.
pub(crate) fn unknown(at: &Site, opcode: &str) -> Error {
    unmodelled(at, missing(opcode), format!("the PTX instruction {}", refused(opcode, opcode)))
}

/// Whether an instruction without a model is one of PTX.
pub(crate) fn missing(opcode: &str) -> Unmodelled {
    if mnemonic(opcode).is_some() { Unmodelled::Instruction } else { Unmodelled::Unknown }
}

/// An instruction without a model as it is shown, with the reason if PTX has the instruction.
pub(crate) fn refused(opcode: &str, text: &str) -> String {
    match mnemonic(opcode) {
        Some((_, Support::Refused(reason))) => format!("`{text}` ({reason})"),
        _ => format!("`{text}`"),
    }
}
