//! Constants, and taking vectors, structs and arrays apart and together.

use super::{Decoder, malformed, unmodelled};
use crate::ir::{self, Elements};
use cute_assembler::Held;
use cute_machine::int::mask;
use cute_machine::types::{MAX_SLOTS, Type};
use cute_sim::program::{Move, ScalarOp, Slot};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn aggregate(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "llvm.mlir.constant" | "arith.constant" => self.literal(op)?,
            "llvm.mlir.undef" | "llvm.mlir.poison" | "ub.poison" => {
                let held = self.result(op)?;
                let slots = held.slot..held.slot + held.ty.slots() as Slot;
                self.undefined.push((slots, super::site(op)));
            }
            "llvm.mlir.zero" => {
                let slots = self.result_type(op)?.slots();
                if slots > MAX_SLOTS {
                    return Err(unmodelled(op, Unmodelled::Size, format!("a value of {slots} registers")));
                }
                let slot = self.constant(op, vec![0; slots as usize])?;
                self.alias(op, slot)?;
            }
            "llvm.extractvalue" => {
                let operand = self.operand(op, 0)?;
                let (slot, _) = position(op, &operand)?;
                self.alias(op, slot)?;
            }
            "llvm.insertvalue" => {
                let (container, value) = (self.operand(op, 0)?, self.operand(op, 1)?);
                let (slot, ty) = position(op, &container)?;
                if ty != value.ty {
                    return Err(malformed(op, Malformed::OperandType, "the value does not fit the position"));
                }
                let dst = self.copy_of(op, &container)?;
                let dst = dst + (slot - container.slot);
                self.emit(op, ScalarOp::Copy(Move { dst, src: value.slot, len: ty.slots() as u32 }));
            }
            "llvm.extractelement" => self.extract_element(op)?,
            "llvm.insertelement" => self.insert_element(op)?,
            "llvm.shufflevector" => self.shuffle(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn literal(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let ty = self.result_type(op)?;
        let attribute = op.attribute("value").map_err(|_| malformed(op, Malformed::Attribute, "no value"))?;
        let elements = ir::elements(attribute)
            .ok_or_else(|| unmodelled(op, Unmodelled::Type, format!("the constant {attribute}")))?;
        if ty.slots() > MAX_SLOTS {
            return Err(unmodelled(op, Unmodelled::Size, format!("a constant of {} registers", ty.slots())));
        }
        let scalars = ty.scalars();
        let (values, bits) = match elements {
            Elements::Splat(value, scalar) => (vec![value; scalars.len()], scalar.bits()),
            Elements::List(values, scalar) => (values, scalar.bits()),
        };
        if values.len() != scalars.len() || (values.len() > 1 && scalars.iter().any(|s| s.bits() != bits)) {
            return Err(malformed(
                op,
                Malformed::OperandType,
                format!("the constant {attribute} is not a {ty:?}"),
            ));
        }
        let values = values.iter().zip(&scalars).map(|(v, s)| v & mask(s.bits())).collect();
        let slot = self.constant(op, values)?;
        self.alias(op, slot)
    }

    /// New registers with the operand's value, which become the result.
    fn copy_of(&mut self, op: Ir<'_, '_>, operand: &Held) -> Result<Slot, Error> {
        let result = self.result(op)?;
        if result.ty != operand.ty {
            return Err(malformed(op, Malformed::OperandType, "the result is not of the container's type"));
        }
        let len = operand.ty.slots() as u32;
        self.emit(op, ScalarOp::Copy(Move { dst: result.slot, src: operand.slot, len }));
        Ok(result.slot)
    }

    fn extract_element(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let container = self.operand(op, 0)?;
        let (index, _) = self.scalar_operand(op, 1)?;
        // Integers of 128 bits take two registers each.
        if let Type::Array(lanes, element) = &container.ty {
            let lane = self.known_lane(index, *lanes);
            let lane = lane.ok_or_else(|| {
                unmodelled(op, Unmodelled::Instruction, "an index that is not known of integers of 128 bits")
            })?;
            return self.alias(op, container.slot + lane * element.slots() as u32);
        }
        let (src, lanes) = vector(op, &container)?;
        if let Some(lane) = self.known_lane(index, lanes) {
            return self.alias(op, src + lane);
        }
        let dst = self.result(op)?.slot;
        self.emit(op, ScalarOp::Extract { dst, src, index, lanes });
        Ok(())
    }

    fn insert_element(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let container = self.operand(op, 0)?;
        let (_, lanes) = vector(op, &container)?;
        let (value, _) = self.scalar_operand(op, 1)?;
        let (index, _) = self.scalar_operand(op, 2)?;
        let dst = self.copy_of(op, &container)?;
        match self.known_lane(index, lanes) {
            Some(lane) => self.emit(op, ScalarOp::Copy(Move { dst: dst + lane, src: value, len: 1 })),
            None => self.emit(op, ScalarOp::Insert { dst, value, index, lanes }),
        }
        Ok(())
    }

    /// The lane that a constant index names.
    fn known_lane(&self, index: Slot, lanes: u32) -> Option<u32> {
        let lane = u32::try_from(*self.known.get(&index)?).ok()?;
        (lane < lanes).then_some(lane)
    }

    fn shuffle(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let (a, lanes) = vector(op, &self.operand(op, 0)?)?;
        let (b, lanes_b) = vector(op, &self.operand(op, 1)?)?;
        let picks =
            ir::ints_attr(op, "mask").ok_or_else(|| malformed(op, Malformed::Attribute, "no mask"))?;
        let result = self.result(op)?;
        if result.ty.slots() != picks.len() as u64 {
            return Err(malformed(op, Malformed::OperandCount, "the mask does not fit the result"));
        }
        let from = picks.iter().map(|&i| match u32::try_from(i) {
            Ok(i) if i < lanes => Ok(a + i),
            Ok(i) if i - lanes < lanes_b => Ok(b + (i - lanes)),
            // -1 means any value.
            Err(_) => Ok(a),
            Ok(i) => Err(malformed(
                op,
                Malformed::OperandValue,
                format!("mask element {i} of {} lanes", lanes + lanes_b),
            )),
        });
        let from = from.collect::<Result<_, _>>()?;
        self.emit(op, ScalarOp::Gather { dst: result.slot, from });
        Ok(())
    }
}

/// The part of a container that the `position` attribute names.
fn position(op: Ir<'_, '_>, container: &Held) -> Result<(Slot, Type), Error> {
    let path =
        ir::ints_attr(op, "position").ok_or_else(|| malformed(op, Malformed::Attribute, "no position"))?;
    let mut slot = u64::from(container.slot);
    let mut ty = container.ty.clone();
    for index in path {
        let part = u64::try_from(index).ok().and_then(|i| ty.element(i));
        let (at, part) =
            part.ok_or_else(|| malformed(op, Malformed::OperandValue, format!("no element {index}")))?;
        slot += at;
        ty = part;
    }
    Ok((slot as Slot, ty))
}

fn vector(op: Ir<'_, '_>, operand: &Held) -> Result<(Slot, u32), Error> {
    match operand.ty {
        Type::Vector(lanes, _) if lanes > 0 => Ok((operand.slot, lanes)),
        _ => Err(malformed(op, Malformed::OperandType, "the operand is not a vector")),
    }
}
