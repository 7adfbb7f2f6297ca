//! Statements of PTX to instructions.

use super::parse::{Instruction, Operand, Statement, parse};
use crate::conversion::conversion_of;
use crate::special::special;
use crate::{Assembler, malformed, unmodelled};
use cute_machine::convert::packed_bits;
use cute_machine::int::mask;
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Keyword, ScalarType, Spelling};
use cute_sim::Error;
use cute_sim::program::{Op, Piece, Site, Slot};
use std::collections::HashMap;

/// Names of one text.
#[derive(Default)]
pub(super) struct Names {
    /// `$0`, `$1`, ..
    pub(super) given: Vec<(Slot, Scalar)>,
    /// Registers of the text, and their bits.
    pub(super) registers: HashMap<String, (Slot, u32)>,
    /// Edges to the labels, which are set once a label is met.
    pub(super) labels: HashMap<String, u32>,
    pub(super) met: HashMap<String, u32>,
}

/// An instruction on its way, with its words between the dots.
pub(super) struct Line<'p> {
    pub(super) at: &'p Site,
    names: &'p mut Names,
    opcode: &'p str,
    words: Vec<&'p str>,
    operands: &'p [Operand],
    /// Whether its result is unused.
    ignored: bool,
}

impl Line<'_> {
    pub(super) fn wrong(&self, what: &str) -> Error {
        malformed(self.at, format!("`{}`: {what}", self.opcode))
    }

    pub(super) fn operand(&self, index: usize) -> Result<&Operand, Error> {
        self.operands.get(index).ok_or_else(|| self.wrong("an operand is missing"))
    }

    /// The bits of a register as it is declared.
    pub(super) fn bits(&self, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Given(i) => self.names.given.get(*i).map(|(_, scalar)| scalar.bits()),
            Operand::Name(name) => self.names.registers.get(name).map(|(_, bits)| *bits),
            _ => None,
        }
    }

    pub(super) fn operands(&self) -> &[Operand] {
        self.operands
    }

    pub(super) fn opcode(&self) -> &str {
        self.opcode
    }

    pub(super) fn ignored(&self) -> bool {
        self.ignored
    }
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
        let mut names = Names { given, ..Names::default() };
        let statements = parse(text).map_err(|what| unmodelled(at, what))?;
        let is_result = |operand: &Operand| matches!(operand, Operand::Given(i) if *i < names.given.len());
        let is_ignored = |operand: Option<&Operand>| {
            operand.is_some_and(|operand| {
                let mentions: usize = statements.iter().map(|statement| statement.mentions(operand)).sum();
                *operand == Operand::Sink || mentions == 1 && !(is_result(operand) && used)
            })
        };
        let ignored: Vec<bool> = statements
            .iter()
            .map(|s| matches!(s, Statement::Instruction(i) if is_ignored(i.operands.first())))
            .collect();
        for (statement, ignored) in statements.into_iter().zip(ignored) {
            match statement {
                Statement::Label(label) => {
                    let here = self.code.len() as u32;
                    if names.met.insert(label.clone(), here).is_some() {
                        return Err(unmodelled(at, format!("a second label `{label}` in one assembly text")));
                    }
                    let edge = self.edge_of(&mut names, &label);
                    self.set_edge(edge, here);
                }
                Statement::Registers { ty, names: declared } => {
                    let scalar = Scalar::Int(if ty == "pred" { 1 } else { 64 });
                    let count = if ty == "b128" { 2 } else { 1 };
                    for name in declared {
                        let slot = self.allocate(at, &Type::Array(count, Type::Scalar(scalar).into()))?;
                        self.undefined.push((slot..slot + count, at.clone()));
                        names.registers.insert(name, (slot, bits_of(&ty)));
                    }
                }
                Statement::Instruction(Instruction { guard, opcode, operands }) => {
                    let words = opcode.split('.').collect();
                    let mut line =
                        Line { at, names: &mut names, opcode: &opcode, words, operands: &operands, ignored };
                    self.guarded(&mut line, guard.as_ref())?;
                }
            }
        }
        match names.labels.keys().find(|label| !names.met.contains_key(*label)) {
            Some(label) => Err(malformed(at, format!("no label `{label}` in the assembly"))),
            None => Ok(()),
        }
    }

    /// The edge to a label.
    fn edge_of(&mut self, names: &mut Names, label: &str) -> u32 {
        if let Some(edge) = names.labels.get(label) {
            return *edge;
        }
        let edge = self.edge_to(0);
        names.labels.insert(label.to_owned(), edge);
        edge
    }

    fn guarded(&mut self, line: &mut Line<'_>, guard: Option<&(Operand, bool)>) -> Result<(), Error> {
        let first = self.code.len();
        let predicate = guard.map(|(predicate, wanted)| Ok((self.read(line, predicate, 1)?, *wanted)));
        let predicate = predicate.transpose()?;
        if line.words[0] == "bra" {
            let Operand::Name(label) = line.operand(0)?.clone() else {
                return Err(line.wrong("the target is not a label"));
            };
            let (there, next) = (self.edge_of(line.names, &label), self.edge_to(self.code.len() as u32 + 1));
            let branch = match predicate {
                None => Op::Jump { edge: there },
                Some((condition, true)) => Op::Branch { condition, then: there, otherwise: next },
                Some((condition, false)) => Op::Branch { condition, then: next, otherwise: there },
            };
            self.emit(line.at, branch);
        } else {
            let guard = predicate.map(|(slot, wanted)| self.guard(line.at, slot, wanted));
            if !self.instruction(line)? {
                return Err(unmodelled(line.at, format!("the PTX instruction `{}`", line.opcode)));
            }
            if let Some(guard) = guard {
                self.end_guard(guard);
            }
        }
        // Findings name the instruction.
        self.sites[first..].iter_mut().for_each(|site| site.op = line.opcode.into());
        Ok(())
    }

    fn instruction(&mut self, line: &mut Line<'_>) -> Result<bool, Error> {
        let words = line.words.clone();
        match words[..] {
            ["mov", _] if self.special_move(line)? => {}
            ["wgmma", "mma_async", ref rest @ ..] => return self.ptx_product(line, rest),
            _ => {
                if let Some(call) = self.text_call(line)? {
                    self.perform(&call)?;
                    return Ok(true);
                }
                return match words[..] {
                    ["cvt", ..] => self.text_conversion(line, &words),
                    _ => Ok(false),
                };
            }
        }
        Ok(true)
    }

    /// `cvt` between floats. Of two operands, the first is the upper one.
    fn text_conversion(&mut self, line: &Line<'_>, words: &[&str]) -> Result<bool, Error> {
        let Some((conversion, count)) = conversion_of(words) else { return Ok(false) };
        let [result, sources @ ..] = line.operands() else { return Err(line.wrong("an operand is missing")) };
        let (from, to) = (packed_bits(conversion.from), packed_bits(conversion.to));
        if sources.is_empty() || !(count as usize).is_multiple_of(sources.len()) {
            let found = sources.len();
            return Err(line.wrong(&format!("{found} operands for a conversion of {count} numbers")));
        }
        let bits = from * count / sources.len() as u32;
        let mut src = Vec::new();
        for source in sources.iter().rev() {
            src.push(Piece { slot: self.read(line, source, bits)?, bits });
        }
        let dst = Box::new([Piece { slot: self.write(line, result)?, bits: to * count }]);
        self.emit(line.at, Op::Convert { conversion, count, src: src.into(), dst });
        Ok(true)
    }

    /// The register of an operand that is read; of a number, one that holds its lowest bits.
    pub(super) fn read(&mut self, line: &Line<'_>, operand: &Operand, width: u32) -> Result<Slot, Error> {
        match operand {
            Operand::Number(n) => self.constant(line.at, vec![*n as u64 & mask(width)]),
            other => self.write(line, other),
        }
    }

    /// The register of an operand.
    pub(super) fn write(&self, line: &Line<'_>, operand: &Operand) -> Result<Slot, Error> {
        let slot = match operand {
            Operand::Given(i) => line.names.given.get(*i).map(|(slot, _)| *slot),
            Operand::Name(name) => line.names.registers.get(name).map(|(slot, _)| *slot),
            _ => None,
        };
        slot.ok_or_else(|| line.wrong(&format!("{operand:?} is not a register")))
    }

    /// A register that the assembly is given, and its bits.
    pub(super) fn piece(&self, line: &Line<'_>, operand: &Operand) -> Result<Piece, Error> {
        let bits = match operand {
            Operand::Given(i) => line.names.given.get(*i).map_or(32, |(_, scalar)| scalar.bits()),
            _ => 32,
        };
        Ok(Piece { slot: self.write(line, operand)?, bits })
    }

    /// The register of an address in brackets.
    pub(super) fn address(&mut self, line: &Line<'_>, index: usize) -> Result<Slot, Error> {
        let Operand::Memory(base, offset) = line.operand(index)? else {
            return Err(line.wrong("an address in brackets is missing"));
        };
        let base = self.read(line, base, 64)?;
        if *offset == 0 {
            return Ok(base);
        }
        let dst = self.allocate(line.at, &Type::Scalar(Scalar::Int(64)))?;
        self.emit(line.at, Op::Address { dst, base, offset: *offset, terms: Box::default() });
        Ok(dst)
    }

    /// `mov` of a special register, if it is one.
    fn special_move(&mut self, line: &mut Line<'_>) -> Result<bool, Error> {
        let Operand::Name(name) = line.operand(1)? else { return Ok(false) };
        let Some(register) = name.strip_prefix('%').filter(|_| !line.names.registers.contains_key(name))
        else {
            return Ok(false);
        };
        let special = special(&register.replace('_', "."));
        let special = special.ok_or_else(|| unmodelled(line.at, format!("the register `{name}`")))?;
        let dst = self.write(line, line.operand(0)?)?;
        self.emit(line.at, Op::Special { dst, special });
        Ok(true)
    }
}

/// The bits of a type of registers.
fn bits_of(ty: &str) -> u32 {
    ScalarType::read(Spelling::Ptx, ty).map_or(64, ScalarType::bits)
}
