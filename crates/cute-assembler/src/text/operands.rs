//! Operands of PTX to registers.

use super::lines::Line;
use super::names::{Named, Symbol};
use crate::Assembler;
use cute_machine::int::{IntOp, NoWrap, mask};
use cute_ptx::Takes;
use cute_ptx::syntax::{Number, Operand};
use cute_sim::program::{Binary, Piece, ScalarOp, Slot};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// The register of an operand that is read; of a number or an address, one that holds its
    /// lowest bits.
    pub(crate) fn read<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
        width: u32,
    ) -> Result<Slot, Error> {
        match *operand {
            Operand::Number(number) => self.constant(line.at, vec![bits_of(number, width)]),
            Operand::Sum(name, offset) => self.sum(line, name, offset, width),
            Operand::Not(name) => {
                let (a, one) = (self.read(line, &Operand::Name(name), 1)?, self.constant(line.at, vec![1])?);
                let dst = self.temporary(line.at)?;
                let at = Binary { dst, a, b: one, lanes: 1 };
                self.emit(
                    line.at,
                    ScalarOp::Int { op: IntOp::Xor, width: 1, no_wrap: NoWrap::default(), at },
                );
                Ok(dst)
            }
            Operand::Name(name) => match line.names.find(self, line.at, name)? {
                Some(Named::Register(slot, _)) => Ok(slot),
                Some(Named::Symbol(_)) => self.sum(line, name, 0, width),
                None => {
                    let special = self.special_register(line, name)?;
                    let dst = self.temporary(line.at)?;
                    self.emit(line.at, ScalarOp::Special { dst, special });
                    Ok(dst)
                }
            },
            _ => self.write(line, operand),
        }
    }

    /// The register of an operand.
    pub(crate) fn write<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
    ) -> Result<Slot, Error> {
        match *operand {
            Operand::Given(i) => {
                let given = line.names.given.get(i).map(|(slot, _)| *slot);
                given.ok_or_else(|| {
                    line.wrong(Malformed::Undeclared, &format!("`${i}` is not an operand of the assembly"))
                })
            }
            Operand::Name(name) => match line.names.find(self, line.at, name)? {
                Some(Named::Register(slot, _)) => Ok(slot),
                Some(Named::Symbol(_)) => {
                    Err(line.wrong(Malformed::OperandType, &format!("`{name}` is not a register")))
                }
                None => Err(line.wrong(Malformed::Undeclared, &format!("`{name}` is not declared"))),
            },
            // The result is lost.
            Operand::Sink => self.temporary(line.at),
            _ => Err(line.wrong(Malformed::OperandType, "an operand is not a register")),
        }
    }

    /// The bits of a register as it is declared.
    pub(super) fn declared_bits<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
    ) -> Result<Option<u32>, Error> {
        Ok(match *operand {
            Operand::Given(i) => line.names.given.get(i).map(|(_, scalar)| scalar.bits()),
            Operand::Name(name) => match line.names.find(self, line.at, name)? {
                Some(Named::Register(_, ty)) => Some(ty.bits()),
                _ => None,
            },
            _ => None,
        })
    }

    /// A register of a matrix.
    pub(super) fn piece<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
        takes: Takes,
    ) -> Result<Piece, Error> {
        match self.register(line, operand, Some(takes))? {
            Some((slot, bits)) => Ok(Piece { slot, bits }),
            None => Ok(Piece { slot: self.write(line, operand)?, bits: 32 }),
        }
    }

    /// The register of an address in brackets.
    pub(crate) fn address(
        &mut self,
        line: &mut Line<'_, '_>,
        index: usize,
        takes: Option<Takes>,
    ) -> Result<Slot, Error> {
        let Operand::Memory(base, offset) = line.operand(index)? else {
            return Err(line.wrong(Malformed::OperandCount, "an address in brackets is missing"));
        };
        if let Operand::Name(name) = **base
            && let Some(Named::Symbol(_)) = line.names.find(self, line.at, name)?
        {
            return self.sum(line, name, *offset, 64);
        }
        let base = match self.register(line, base, takes)? {
            Some((slot, _)) => slot,
            None => self.located(line, base)?,
        };
        self.shifted(line, base, *offset)
    }

    /// An address that is neither a register nor a variable: a number, which local memory has.
    fn located<'a>(&mut self, line: &mut Line<'a, '_>, base: &Operand<'a>) -> Result<Slot, Error> {
        match base {
            Operand::Number(Number::Integer(_)) if line.opcode.split('.').any(|word| word == "local") => {
                self.read(line, base, 64)
            }
            Operand::Number(_) => Err(line.wrong(
                Malformed::OperandType,
                "an address is a number, which only `.local` memory has as an address",
            )),
            Operand::Name(name) => {
                self.special_register(line, name)?;
                let what = format!("`{name}` is a special register, which is not an address");
                Err(line.wrong(Malformed::OperandType, &what))
            }
            _ => Err(line.wrong(Malformed::OperandType, "an address is neither a register nor a variable")),
        }
    }

    fn shifted(&mut self, line: &Line<'_, '_>, base: Slot, offset: i64) -> Result<Slot, Error> {
        if offset == 0 {
            return Ok(base);
        }
        let dst = self.temporary(line.at)?;
        self.emit(line.at, ScalarOp::Address { dst, base, offset, terms: Box::default() });
        Ok(dst)
    }

    /// A symbol's address and an offset, in this many bits.
    fn sum<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        name: &'a str,
        offset: i64,
        width: u32,
    ) -> Result<Slot, Error> {
        match line.names.find(self, line.at, name)? {
            Some(Named::Symbol(Symbol::Constant(address))) => {
                self.address_constant(line.at, address.wrapping_add(offset as u64), width)
            }
            Some(Named::Symbol(Symbol::Register(base))) => self.shifted(line, base, offset),
            Some(Named::Register(base, _)) => self.shifted(line, base, offset),
            None => Err(line.wrong(Malformed::Undeclared, &format!("`{name}` is not declared"))),
        }
    }
}

/// The bits of a number in an operand of this width. A predicate is true for every integer except
/// 0. A number of the form `0f3f800000` is these 32 bits, as for ptxas, also where 64 are needed.
pub(crate) fn bits_of(number: Number, width: u32) -> u64 {
    match (number, width) {
        (Number::Integer(value), 1) => u64::from(value != 0),
        (Number::Integer(value), _) => value as u64 & mask(width),
        (Number::Single(bits), _) => bits.into(),
        (Number::Double(bits), 64) => bits,
        (Number::Double(bits), _) => (f64::from_bits(bits) as f32).to_bits().into(),
    }
}
