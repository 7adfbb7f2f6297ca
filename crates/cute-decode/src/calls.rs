//! Device functions of the module, their calls, and kernel parameters passed by value.

use super::{Decoder, blocks, malformed, operations, unmodelled};
use crate::ir;
use cute_assembler::Held;
use cute_machine::types::{Scalar, Type};
use cute_sim::Place;
use cute_sim::address::{CONSTANT, LOCAL};
use cute_sim::program::{Access, Constant, ControlOp, Function, Kept, MemoryOp, Move, Param};
use cute_sim::program::{Order, Scope};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::BlockRef;
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationRef};
use std::collections::HashMap;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// Functions with a body, by name.
pub(super) type Functions<'c, 'a> = HashMap<String, OperationRef<'c, 'a>>;

/// A function as its calls see it.
pub(super) struct Callee {
    number: u32,
    params: Vec<Held>,
    /// The type of its result, if it has one.
    result: Option<Type>,
}

/// A function with a body, by its name.
pub(super) fn function<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<(String, OperationRef<'c, 'a>)> {
    let has_body = op.regions().any(|r| blocks(r).next().is_some());
    (ir::is_function(op) && has_body).then(|| Some((ir::str_attr(op, "sym_name")?, op)))?
}

/// The functions that a body calls, directly or indirectly, callees before their callers.
pub(super) fn called<'c: 'a, 'a>(
    body: &[BlockRef<'c, 'a>],
    functions: &Functions<'c, 'a>,
) -> Vec<(String, OperationRef<'c, 'a>)> {
    fn visit<'c: 'a, 'a>(
        body: &[BlockRef<'c, 'a>],
        functions: &Functions<'c, 'a>,
        seen: &mut Vec<String>,
        found: &mut Vec<(String, OperationRef<'c, 'a>)>,
    ) {
        let calls = body.iter().flat_map(|b| operations(*b)).filter(|op| ir::name(*op) == "llvm.call");
        for name in calls.filter_map(|op| ir::symbol_attr(op, "callee")) {
            let Some(function) = functions.get(&name) else { continue };
            if !seen.contains(&name) {
                seen.push(name.clone());
                let body: Vec<_> = function.regions().flat_map(blocks).collect();
                visit(&body, functions, seen, found);
                found.push((name, *function));
            }
        }
    }
    let mut found = Vec::new();
    visit(body, functions, &mut Vec::new(), &mut found);
    found
}

impl Decoder<'_> {
    /// Decodes the functions that the kernel calls. They are placed before it: lanes that call are
    /// less far than those that do not, and so rejoin them after the call.
    pub(super) fn callees(&mut self, called: &[(String, Ir<'_, '_>)]) -> Result<(), Error> {
        let bodies: Vec<Vec<BlockRef<'_, '_>>> =
            called.iter().map(|(_, f)| f.regions().flat_map(blocks).collect()).collect();
        // All signatures first, for functions that call each other.
        for (number, ((name, function), body)) in (0..).zip(called.iter().zip(&bodies)) {
            let first = self.registers.len() as u32;
            self.arguments(*function, body)?;
            let mut params = Vec::new();
            for i in 0..body[0].argument_count() {
                if ir::by_value(*function, i).is_some() {
                    return Err(unmodelled(
                        *function,
                        Unmodelled::Call,
                        "attribute llvm.byval of a device function",
                    ));
                }
                let argument = body[0]
                    .argument(i)
                    .map_err(|e| malformed(*function, Malformed::Structure, e.to_string()))?;
                params.push(self.held(*function, argument.into())?);
            }
            let returns = body.iter().flat_map(|b| operations(*b)).find(|op| ir::name(*op) == "llvm.return");
            let value = returns.and_then(|op| op.operands().next());
            let result = value.map(|v| ir::machine_type(melior::ir::ValueLike::r#type(&v))).transpose();
            let result = result.map_err(|what| unmodelled(*function, Unmodelled::Type, what))?;
            self.callees.insert(name.clone(), Callee { number, params, result });
            let arguments = first..self.registers.len() as u32;
            self.functions.push(Function { start: 0, arguments, locals: 0..0 });
        }
        self.inside = true;
        for (number, ((_, function), body)) in called.iter().zip(&bodies).enumerate() {
            let (start, first) = (self.code.len() as u32, self.registers.len() as u32);
            self.body(*function, body)?;
            self.functions[number].start = start;
            self.functions[number].locals = first..self.registers.len() as u32;
        }
        self.inside = false;
        Ok(())
    }

    /// A call of a function of the module.
    pub(super) fn call(&mut self, op: Ir<'_, '_>) -> Result<bool, Error> {
        let Some(name) = ir::symbol_attr(op, "callee") else {
            return Err(unmodelled(op, Unmodelled::Call, "a call through a pointer"));
        };
        let Some(Callee { number, params, result }) = self.callees.get(&name) else {
            if self.call_libdevice(&name, op)? {
                return Ok(true);
            }
            return Err(unmodelled(
                op,
                Unmodelled::Call,
                format!("a call of @{name}, which has no body here,"),
            ));
        };
        let (function, result) = (*number, result.clone());
        if params.len() != op.operand_count() {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                format!("{} operands for {}", op.operand_count(), params.len()),
            ));
        }
        let mut arguments = Vec::new();
        for (i, param) in params.iter().enumerate() {
            let from = self.operand(op, i)?;
            if from.ty != param.ty {
                return Err(malformed(
                    op,
                    Malformed::OperandType,
                    format!("operand {i} does not fit the parameter"),
                ));
            }
            arguments.push(Move { dst: param.slot, src: from.slot, len: param.ty.slots() as u32 });
        }
        let mut dst = 0;
        if op.result_count() > 0 {
            let held = self.result(op)?;
            if result.is_some_and(|ty| ty != held.ty) {
                return Err(malformed(op, Malformed::OperandType, "the result does not fit the function"));
            }
            dst = held.slot;
        }
        self.emit(op, ControlOp::Call { function, arguments: arguments.into(), dst });
        Ok(true)
    }

    /// `llvm.return`, of a kernel or a device function.
    pub(super) fn return_from(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let value = (op.operand_count() > 0).then(|| self.operand(op, 0)).transpose()?;
        match (self.inside, value) {
            (false, Some(_)) => {
                return Err(unmodelled(op, Unmodelled::Call, "a kernel that returns a value"));
            }
            (false, None) => self.emit(op, ControlOp::Return),
            (true, None) => self.emit(op, ControlOp::Back { src: 0, len: 0 }),
            (true, Some(Held { slot, ty })) => {
                self.emit(op, ControlOp::Back { src: slot, len: ty.slots() as u32 })
            }
        }
        Ok(())
    }

    /// A parameter by value, whose pointer is in register `pointer`. A `grid_constant` is one
    /// memory for all threads; otherwise each thread first copies the scalars to its local memory.
    pub(super) fn by_value(
        &mut self,
        function: Ir<'_, '_>,
        number: usize,
        pointer: Held,
        ty: &Type,
    ) -> Result<Param, Error> {
        let refuse = |what| {
            Err(unmodelled(function, Unmodelled::Call, format!("a parameter by value through {what:?}")))
        };
        let leaves =
            ty.leaves().ok_or_else(|| unmodelled(function, Unmodelled::Type, format!("{ty:?} in memory")))?;
        let scalars = ty.scalars().into_iter().zip(leaves.iter().copied()).collect();
        let size = ty.size();
        if ir::is_grid_constant(function, number) {
            let Type::Scalar(Scalar::Ptr(0 | CONSTANT)) = pointer.ty else { return refuse(pointer.ty) };
            let constant = self.constant_objects.len() as u32;
            let bytes =
                vec![
                    0;
                    usize::try_from(size).map_err(|_| unmodelled(function, Unmodelled::Size, "this size"))?
                ];
            self.constant_objects.push(Constant { place: Place::Parameter(number as u32), bytes });
            self.registers[pointer.slot as usize] = cute_sim::address::pointer(CONSTANT, constant, 0);
            return Ok(Param::Value { size, scalars, kept: Kept::Constant(constant) });
        }
        let generic = match pointer.ty {
            Type::Scalar(Scalar::Ptr(0)) => true,
            Type::Scalar(Scalar::Ptr(LOCAL)) => false,
            other => return refuse(other),
        };
        let slot = self.allocate(function, ty)?;
        let count = self.constant(function, vec![1])?;
        self.emit(function, MemoryOp::Alloca { dst: pointer.slot, count, size, generic });
        self.accesses.push(Access {
            space: if generic { 0 } else { LOCAL },
            bytes: size,
            align: 1,
            leaves: leaves.into(),
            strong: false,
            order: Order::default(),
            scope: Scope::Device,
        });
        let access = self.accesses.len() as u32 - 1;
        self.emit(function, MemoryOp::Store { src: slot, address: pointer.slot, access });
        Ok(Param::Value { size, scalars, kept: Kept::Registers(slot) })
    }
}
