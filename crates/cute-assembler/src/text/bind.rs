//! Instructions of the table in PTX's text: operands to their roles.

use super::lines::Line;
use crate::{Assembler, Call, Held};
use cute_arch::space::GENERIC;
use cute_machine::types::{Scalar, Type};
use cute_ptx::syntax::Operand;
use cute_ptx::{Instruction, Operand as Form, Role, Shape, Spelling, StateSpace, find};
use cute_sim::{Error, Malformed};
use std::rc::Rc;

impl Assembler {
    /// The instruction with its operands, if the table has it.
    pub(super) fn text_call(&mut self, line: &mut Line<'_, '_>) -> Result<Option<Call>, Error> {
        let all = self.forms(line.opcode);
        let Some(text) = all.first().map(|one| one.form.text) else { return Ok(None) };
        let fitting = all.iter().find_map(|one| Some((fit(&one.form.operands, line.operands)?, one.clone())));
        let Some((places, instruction)) = fitting else {
            return Err(line.wrong(Malformed::OperandType, &format!("the operands do not fit `{text}`")));
        };
        let space = instruction.keyword().map_or(0, StateSpace::address_space);
        let mut operands = Vec::new();
        for (form, place) in instruction.form.operands.iter().zip(places) {
            let (Some(role), Some(index)) = (form.role, place) else { continue };
            let width = |role| instruction.bits_of(form, role);
            match (form.shape, line.operand(index)?) {
                (Shape::Address(own), _) => {
                    let space = own.map_or(space, StateSpace::address_space);
                    let slot = self.address(line, index)?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(space)) }));
                }
                (Shape::Box(of_each), Operand::Box(base, each)) => {
                    for one in each {
                        self.bind(line, &mut operands, of_each, one, width(of_each))?;
                    }
                    let slot = self.read(line, base, 64)?;
                    operands.push((role, Held { slot, ty: Type::Scalar(Scalar::Ptr(GENERIC)) }));
                }
                (Shape::Pair(other), Operand::Pair(one, two)) => {
                    self.bind(line, &mut operands, role, one, width(role))?;
                    self.bind(line, &mut operands, other, two, width(other))?;
                }
                (_, Operand::List(list)) => self.bind_list(line, &mut operands, role, list, width(role))?,
                (_, one) => self.bind(line, &mut operands, role, one, width(role))?,
            }
        }
        let (at, ignored) = (line.at.clone(), line.ignored);
        Ok(Some(Call { at, instruction, operands, ignored, is_text: true, swizzle: None }))
    }

    /// The forms of an opcode.
    fn forms(&mut self, opcode: &str) -> Rc<[Instruction]> {
        if let Some(known) = self.opcodes.get(opcode) {
            return known.clone();
        }
        let found: Rc<[Instruction]> = find(Spelling::Ptx, opcode).into();
        self.opcodes.insert(opcode.to_owned(), found.clone());
        found
    }

    /// The operands of a list. `_` keeps its place there, and is as wide as the others.
    fn bind_list<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operands: &mut Vec<(Role, Held)>,
        role: Role,
        list: &[Operand<'a>],
        width: u32,
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
                self.bind(line, operands, role, one, width)?;
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
    ) -> Result<(), Error> {
        if *operand != Operand::Sink {
            operands.push((role, self.bound(line, role, operand, width)?));
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
    ) -> Result<Held, Error> {
        let slot = match role {
            Role::Result | Role::Flag | Role::Reduced => self.write(line, operand)?,
            _ => self.read(line, operand, width)?,
        };
        // A register may be wider than the operand's type.
        let bits = self.declared_bits(line, operand)?.unwrap_or(width);
        Ok(Held { slot, ty: Type::Scalar(Scalar::Int(bits)) })
    }
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
        (Shape::Address(_), Operand::Memory(..))
        | (Shape::Box(_), Operand::Box(..))
        | (Shape::Pair(_), Operand::Pair(..)) => true,
        (Shape::Address(_) | Shape::Box(_) | Shape::Pair(_), _) => false,
        (Shape::Number, operand) => matches!(operand, Operand::Number(_)),
        (Shape::List, Operand::List(_)) => true,
        // One operand may stand in braces.
        (_, Operand::List(list)) => matches!(&list[..], [one] if !matches!(one, Operand::List(_))),
        (_, Operand::Memory(..) | Operand::Box(..) | Operand::Group(_)) => false,
        (_, operand) => !matches!(operand, Operand::Pair(..)),
    }
}
