//! Whether the operands of PTX are of the kinds and widths that an instruction takes.

use super::lines::Line;
use super::names::Named;
use crate::special::{fits, is_unmodelled, named};
use crate::{Assembler, unmodelled};
use cute_machine::types::Scalar;
use cute_ptx::syntax::{Number, Operand};
use cute_ptx::{Keyword, ScalarType, Spelling, Takes};
use cute_sim::program::{Slot, Special};
use cute_sim::{Error, Malformed, Unmodelled};

/// The place of an operand that is not a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// Among the other operands.
    Operands,
    /// As the source of `mov`, or of `cvt` between integers, which also read special registers.
    Move,
    /// As the source of `cvta`, which takes the address of a variable.
    Address,
    /// In a list in braces, which may have special registers, and numbers of any kind.
    List,
}

impl Assembler {
    /// The register that an operand is, with its type, if it is one that the instruction takes;
    /// `None` for an operand that is not a register.
    pub(super) fn register<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
        takes: Option<Takes>,
    ) -> Result<Option<(Slot, u32)>, Error> {
        match *operand {
            Operand::Name(name) => match line.names.find(self, line.at, name)? {
                Some(Named::Register(slot, ty)) => match takes {
                    Some(takes) if !takes.accepts(ty) => Err(line.disagrees(name, ty, takes)),
                    _ => Ok(Some((slot, ty.bits()))),
                },
                _ => Ok(None),
            },
            Operand::Given(i) => {
                let Some((slot, scalar)) = line.names.given.get(i).copied() else { return Ok(None) };
                let types = types_of(scalar);
                match takes {
                    Some(takes) if !types.iter().any(|ty| takes.accepts(*ty)) => {
                        Err(line.disagrees(&format!("${i}"), types[0], takes))
                    }
                    _ => Ok(Some((slot, scalar.bits()))),
                }
            }
            _ => Ok(None),
        }
    }

    /// Checks an operand that is not a register.
    pub(super) fn allowed<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
        takes: Option<Takes>,
        beside: Beside,
    ) -> Result<(), Error> {
        let Some(takes) = takes else { return Ok(()) };
        match *operand {
            Operand::Number(_) if beside == Beside::List => Ok(()),
            Operand::Number(Number::Integer(value)) if !takes.accepts_integer() => {
                line.refuses(takes, format!("the number {value} is an integer"))
            }
            Operand::Number(Number::Single(bits)) if !takes.accepts_float(false) => {
                line.refuses(takes, format!("the number {} is a float", f32::from_bits(bits)))
            }
            Operand::Number(Number::Double(bits)) if !takes.accepts_float(true) => {
                line.refuses(takes, format!("the number {} is a float", f64::from_bits(bits)))
            }
            Operand::Not(name) => {
                if !takes.accepts_predicate() {
                    return line.refuses(takes, format!("`!{name}` is a predicate"));
                }
                let pred = Some(Takes::exactly(ScalarType::Pred));
                match self.register(line, &Operand::Name(name), pred)? {
                    Some(_) => Ok(()),
                    None => line.refuses(takes, format!("`{name}` is not a predicate")),
                }
            }
            Operand::Name(name) => match line.names.find(self, line.at, name)? {
                Some(Named::Symbol(_)) if beside == Beside::Operands => Err(line.wrong(
                    Malformed::OperandType,
                    &format!(
                        "`{name}` is a variable, whose address only `mov` and `cvta` take as an operand"
                    ),
                )),
                Some(Named::Symbol(_)) if !takes.accepts_integer() => {
                    line.refuses(takes, format!("`{name}` is the address of a variable"))
                }
                Some(_) => Ok(()),
                None => {
                    let special = self.special_register(line, name)?;
                    let of_type = |ty| fits(special, &name[1..], ty);
                    match (beside, takes) {
                        (Beside::Operands | Beside::Address, _) => Err(line.wrong(
                            Malformed::OperandType,
                            &format!("`{name}` is a special register, which only `mov` and `cvt` between integers read"),
                        )),
                        // Alone, a register of 16 bits takes the low half of one of 32.
                        (_, Takes::Typed { ty, wider, .. })
                            if !(of_type(ty) || wider && ty.bits() < bits_of(of_type))
                                || beside == Beside::List && !wider && ty.bits() < bits_of(of_type) =>
                        {
                            let bits = bits_of(of_type);
                            line.refuses(takes, format!("`{name}` is a special register of {bits} bits"))
                        }
                        _ => Ok(()),
                    }
                }
            },
            _ => Ok(()),
        }
    }

    /// The special register of this name, `%` included.
    pub(super) fn special_register(&self, line: &Line<'_, '_>, name: &str) -> Result<Special, Error> {
        let own = name.strip_prefix('%').unwrap_or_default();
        match named(own) {
            Some(special) => Ok(special),
            // One of a newer version of PTX, perhaps.
            None if is_unmodelled(own) || !own.is_empty() && !own.ends_with(|c: char| c.is_ascii_digit()) => {
                Err(unmodelled(line.at, Unmodelled::Register, format!("the register `{name}`")))
            }
            None => Err(line.wrong(Malformed::Undeclared, &format!("`{name}` is not declared"))),
        }
    }

    /// The register of a guard.
    pub(super) fn predicate<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
    ) -> Result<Slot, Error> {
        match self.register(line, operand, Some(Takes::exactly(ScalarType::Pred)))? {
            Some((slot, _)) => Ok(slot),
            None => Err(line.wrong(Malformed::OperandType, "the guard is not a predicate")),
        }
    }
}

/// The types of registers that an operand of assembly may be in. LLVM declares those of its own by
/// their bits, and extends an integer that is narrower than its constraint.
fn types_of(scalar: Scalar) -> &'static [ScalarType] {
    use ScalarType::{B8, B16, B32, B64, B128, Pred};
    match scalar {
        Scalar::Ptr(space) if space != 0 => &[B64, B32],
        _ => match scalar.bits() {
            0..=1 => &[Pred, B16, B32],
            2..=8 => &[B8, B16, B32],
            9..=16 => &[B16, B32],
            17..=32 => &[B32],
            33..=64 => &[B64],
            _ => &[B128],
        },
    }
}

/// The bits of a special register.
fn bits_of(fits: impl Fn(ScalarType) -> bool) -> u32 {
    let all = [ScalarType::B64, ScalarType::B32, ScalarType::Pred];
    all.into_iter().find(|ty| fits(*ty)).map_or(32, ScalarType::bits)
}

impl Line<'_, '_> {
    /// The error for an operand of another kind than the instruction takes.
    fn refuses<T>(&self, takes: Takes, what: String) -> Result<T, Error> {
        let what = format!("{what}, but the instruction takes {takes} there");
        Err(self.wrong(Malformed::OperandType, &what))
    }

    /// The error for a register of a type that the instruction does not take.
    fn disagrees(&self, name: &str, ty: ScalarType, takes: Takes) -> Error {
        let ty = ty.word(Spelling::Ptx).unwrap_or_default();
        self.wrong(
            Malformed::OperandType,
            &format!("`{name}` is a register of type `.{ty}`, but the instruction takes {takes} there"),
        )
    }
}
