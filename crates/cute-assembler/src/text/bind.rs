//! Instructions of the table in PTX's text: operands to their roles.

use super::lines::Line;
use super::parse::Operand;
use crate::call::Call;
use crate::{Assembler, Held};
use cute_arch::space::GENERIC;
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Operand as Form, Role, ScalarType, Shape, Spelling, StateSpace, find};
use cute_sim::Error;

impl Assembler {
    /// The instruction with its operands, if the table has it.
    pub(super) fn text_call(&mut self, line: &Line<'_>) -> Result<Option<Call>, Error> {
        let all = find(Spelling::Ptx, line.opcode());
        let Some(text) = all.first().map(|one| one.form.text) else { return Ok(None) };
        let fitting = all.into_iter().find_map(|one| Some((fit(&one.form.operands, line.operands())?, one)));
        let Some((places, instruction)) = fitting else {
            return Err(line.wrong(&format!("the operands do not fit `{text}`")));
        };
        let space = instruction.keyword().map_or(0, StateSpace::address_space);
        let width = instruction.keyword().map_or(32, |ty: ScalarType| ty.bits().min(64));
        let mut operands = Vec::new();
        for (form, place) in instruction.form.operands.iter().zip(places) {
            let (Some(role), Some(index)) = (form.role, place) else { continue };
            let mut bind = |decoder: &mut Self, role: Role, operand: &Operand| {
                if *operand != Operand::Sink {
                    operands.push((role, decoder.text_operand(line, role, operand, width)?));
                }
                Ok::<(), Error>(())
            };
            match (form.shape, line.operand(index)?) {
                (Shape::Address(own), _) => {
                    let space = own.map_or(space, StateSpace::address_space);
                    let slot = self.address(line, index)?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(space)) }));
                }
                (Shape::Box(of_each), Operand::Box(base, each)) => {
                    each.iter().try_for_each(|one| bind(self, of_each, one))?;
                    let slot = self.read(line, base, 64)?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(GENERIC)) }));
                }
                (Shape::Pair(other), Operand::Pair(one, two)) => {
                    bind(self, role, one)?;
                    bind(self, other, two)?;
                }
                (_, Operand::List(list)) => list.iter().try_for_each(|one| bind(self, role, one))?,
                (_, one) => bind(self, role, one)?,
            }
        }
        Ok(Some(Call {
            at: line.at.clone(),
            instruction,
            operands,
            ignored: line.ignored(),
            is_text: true,
            swizzle: None,
        }))
    }

    fn text_operand(
        &mut self,
        line: &Line<'_>,
        role: Role,
        operand: &Operand,
        width: u32,
    ) -> Result<Held, Error> {
        let bits = role.bits().unwrap_or(width);
        let slot = match role {
            Role::Result | Role::Flag => self.write(line, operand)?,
            _ => self.read(line, operand, bits)?,
        };
        // A register may be wider than the instruction's type.
        let bits = line.bits(operand).unwrap_or(bits);
        Ok(Held { slot, ty: Type::Scalar(Scalar::Int(bits)) })
    }
}

/// The position of each operand of a form, if these operands fit it.
fn fit(forms: &[Form], operands: &[Operand]) -> Option<Vec<Option<usize>>> {
    fn from(forms: &[Form], operands: &[Operand], at: usize, places: &mut Vec<Option<usize>>) -> bool {
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

fn has_shape(form: &Form, operand: &Operand) -> bool {
    match (form.shape, operand) {
        (Shape::Address(_), Operand::Memory(..))
        | (Shape::Box(_), Operand::Box(..))
        | (Shape::Pair(_), Operand::Pair(..)) => true,
        (Shape::Address(_) | Shape::Box(_) | Shape::Pair(_), _) => false,
        (Shape::Number, operand) => matches!(operand, Operand::Number(_)),
        (Shape::List, Operand::List(_)) => true,
        (_, operand) => {
            matches!(operand, Operand::Given(_) | Operand::Name(_) | Operand::Number(_) | Operand::Sink)
        }
    }
}
