//! Instructions of the table in PTX's text: operands to their roles.

use super::check::Beside;
use super::lines::Line;
use crate::{Assembler, Call, Held};
use cute_arch::space::GENERIC;
use cute_machine::types::{Scalar, Type};
use cute_ptx::syntax::Operand;
use cute_ptx::{Operand as Form, OperandShape, Operation as O, Role, ScalarType, StateSpace, Takes};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// The instruction with its operands, if the table has it.
    pub(super) fn text_call(&mut self, line: &mut Line<'_, '_>) -> Result<Option<Call>, Error> {
        let all = self.forms(line.opcode);
        let Some(text) = all.first().map(|one| one.instruction.form.text) else { return Ok(None) };
        let fitting =
            all.iter().find_map(|one| Some((fit(&one.instruction.form.operands, line.operands)?, one)));
        let Some((places, known)) = fitting else {
            return Err(line.wrong(Malformed::OperandType, &format!("the operands do not fit `{text}`")));
        };
        if let Some(wrong) = &known.wrong {
            return Err(line.wrong(Malformed::Modifier, wrong));
        }
        if let Some((operand, asked)) = known.policy
            && places[operand].is_some() != asked
        {
            let what = if asked {
                "`.L2::cache_hint` needs a policy as its last operand"
            } else {
                "a policy as the last operand needs `.L2::cache_hint`"
            };
            return Err(line.wrong(Malformed::OperandCount, what));
        }
        let instruction = known.instruction.clone();
        let beside = match instruction.row.operation {
            O::Move | O::Convert => Beside::Move,
            O::AddressCast => Beside::Address,
            _ => Beside::Operands,
        };
        let space = instruction.keyword().map_or(0, StateSpace::address_space);
        let mut operands = Vec::new();
        for ((form, place), takes) in instruction.form.operands.iter().zip(places).zip(&known.takes) {
            let Some(index) = place else { continue };
            let of = |takes| Of { takes, beside };
            let Some(role) = form.role else {
                let operand = line.operand(index)?;
                if self.register(line, operand, takes[0])?.is_none() {
                    self.allowed(line, operand, takes[0], beside)?;
                }
                continue;
            };
            let width = |role| instruction.bits_of(form, role);
            match (form.shape, line.operand(index)?) {
                (OperandShape::Address(own), _) => {
                    let space = own.map_or(space, StateSpace::address_space);
                    let slot = self.address(line, index, takes[0])?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(space)) }));
                }
                (OperandShape::Box(of_each), Operand::Box(base, each)) => {
                    let part = Of { takes: takes[1], beside: Beside::List };
                    for one in each {
                        self.bind(line, &mut operands, of_each, one, width(of_each), part)?;
                    }
                    let slot = self.read(line, base, 64)?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(GENERIC)) }));
                }
                (OperandShape::Pair(other), Operand::Pair(one, two)) => {
                    self.bind(line, &mut operands, role, one, width(role), of(takes[0]))?;
                    self.bind(line, &mut operands, other, two, width(other), of(takes[1]))?;
                }
                (_, Operand::List(list)) => {
                    let takes = match instruction.row.operation {
                        O::Pack | O::Unpack => part_of(takes[0], list.len()),
                        _ => takes[0],
                    };
                    let of = Of { takes, beside: Beside::List };
                    self.bind_list(line, &mut operands, role, list, width(role), of)?;
                }
                (_, one) => self.bind(line, &mut operands, role, one, width(role), of(takes[0]))?,
            }
        }
        let (at, ignored) = (line.at.clone(), line.ignored);
        Ok(Some(Call { at, instruction, operands, ignored, is_text: true, swizzle: None }))
    }

    /// The operands of a list. `_` keeps its place there, and is as wide as the others.
    fn bind_list<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operands: &mut Vec<(Role, Held)>,
        role: Role,
        list: &[Operand<'a>],
        width: u32,
        of: Of,
    ) -> Result<(), Error> {
        let mut declared = None;
        for one in list {
            declared = declared.or(self.declared_bits(line, one)?);
        }
        for one in list {
            if *one == Operand::Sink && list.len() > 1 {
                let bits = role.bits().or(declared).unwrap_or(width);
                let slot = self.temporary(line.at)?;
                operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Int(bits)) }));
            } else {
                self.bind(line, operands, role, one, width, of)?;
            }
        }
        Ok(())
    }

    fn bind<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operands: &mut Vec<(Role, Held)>,
        role: Role,
        operand: &Operand<'a>,
        width: u32,
        of: Of,
    ) -> Result<(), Error> {
        if *operand != Operand::Sink {
            operands.push((role, self.bound(line, role, operand, width, of)?));
        }
        Ok(())
    }

    /// An operand's register.
    fn bound<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        role: Role,
        operand: &Operand<'a>,
        width: u32,
        of: Of,
    ) -> Result<Held, Error> {
        // A register may be wider than the operand's type.
        let (slot, bits) = match (self.register(line, operand, of.takes)?, role) {
            (Some(register), _) => register,
            (None, Role::RESULT | Role::FLAG | Role::REDUCED) => (self.write(line, operand)?, width),
            (None, _) => {
                self.allowed(line, operand, of.takes, of.beside)?;
                (self.read(line, operand, width)?, width)
            }
        };
        Ok(Held { slot, ty: Type::Scalar(Scalar::Int(bits)) })
    }
}

/// The registers that an operand may be, and its place.
#[derive(Clone, Copy)]
struct Of {
    takes: Option<Takes>,
    beside: Beside,
}

/// The parts of a register that has this type.
fn part_of(takes: Option<Takes>, parts: usize) -> Option<Takes> {
    let Some(Takes::Typed { ty, .. }) = takes else { return takes };
    let part = match ty.bits() / (parts as u32).max(1) {
        8 => ScalarType::B8,
        16 => ScalarType::B16,
        32 => ScalarType::B32,
        64 => ScalarType::B64,
        // Another number of parts is an error of its own.
        _ => return None,
    };
    Some(Takes::exactly(part))
}

/// The position of each operand of a form, if these operands fit it.
fn fit(forms: &[Form], operands: &[Operand<'_>]) -> Option<Vec<Option<usize>>> {
    fn from(forms: &[Form], operands: &[Operand<'_>], at: usize, places: &mut Vec<Option<usize>>) -> bool {
        let Some((form, rest)) = forms.split_first() else { return at == operands.len() };
        let takes = operands.get(at).is_some_and(|operand| has_shape(form, operand));
        for place in [takes.then_some(at), None] {
            if place.is_none() && !form.optional {
                continue;
            }
            places.push(place);
            if from(rest, operands, at + usize::from(place.is_some()), places) {
                return true;
            }
            places.pop();
        }
        false
    }
    let mut places = Vec::new();
    from(forms, operands, 0, &mut places).then_some(places)
}

fn has_shape(form: &Form, operand: &Operand<'_>) -> bool {
    match (form.shape, operand) {
        (OperandShape::Address(_), Operand::Memory(..))
        | (OperandShape::Box(_), Operand::Box(..))
        | (OperandShape::Pair(_), Operand::Pair(..)) => true,
        (OperandShape::Address(_) | OperandShape::Box(_) | OperandShape::Pair(_), _) => false,
        (OperandShape::Number, operand) => matches!(operand, Operand::Number(_)),
        (OperandShape::List, Operand::List(_)) => true,
        // One operand may stand in braces.
        (_, Operand::List(list)) => matches!(&list[..], [one] if !matches!(one, Operand::List(_))),
        (_, Operand::Memory(..) | Operand::Box(..) | Operand::Group(_)) => false,
        (_, operand) => !matches!(operand, Operand::Pair(..)),
    }
}
