//! Assembly of a kernel: a few PTX instructions, whose `$0` is an operand of an operation.

use crate::ir;
use crate::{Decoder, malformed, site, unmodelled};
use cute_assembler::Held;
use cute_ffi::ir::is_used;
use cute_machine::types::{Scalar, Type};
use cute_sim::program::{Move, ScalarOp, Slot};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    /// `llvm.inline_asm` with this text.
    pub(crate) fn asm(&mut self, op: Ir<'_, '_>, text: &str) -> Result<(), Error> {
        let given = self.asm_operands(op)?;
        self.written(op, text, given)
    }

    /// `nvvm.inline_ptx` with this text.
    pub(crate) fn inline_ptx(&mut self, op: Ir<'_, '_>, text: &str) -> Result<(), Error> {
        let (given, predicate) = self.ptx_operands(op)?;
        let guard = predicate.map(|predicate| self.assembler.guard(&site(op), predicate, true));
        self.written(op, text, given)?;
        if let Some(guard) = guard {
            self.end_guard(guard);
        }
        Ok(())
    }

    fn written(&mut self, op: Ir<'_, '_>, text: &str, given: Vec<(Slot, Scalar)>) -> Result<(), Error> {
        let used = op.results().any(|result| is_used(result.into()));
        self.assembler.assembly(&site(op), text, given, used)
    }

    /// The operands of `llvm.inline_asm`: outputs, then inputs, as its constraints list them.
    fn asm_operands(&mut self, op: Ir<'_, '_>) -> Result<Vec<(Slot, Scalar)>, Error> {
        let constraints = ir::str_attr(op, "constraints").unwrap_or_default();
        let constraints: Vec<&str> =
            constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')).collect();
        let outputs = constraints.iter().filter(|c| c.starts_with('=')).count();
        if constraints.len() - outputs != op.operand_count() {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                "the constraints do not match the number of operands",
            ));
        }
        let mut given = self.scalars_of_result(op)?;
        if given.len() != outputs {
            return Err(malformed(
                op,
                Malformed::OperandCount,
                "the constraints do not match the number of results",
            ));
        }
        for (i, constraint) in constraints[outputs..].iter().enumerate() {
            let input = self.scalar_operand(op, i)?;
            match constraint.parse::<usize>() {
                // The register begins with the initial value of the output.
                Ok(tied) => {
                    let output = *given.get(tied).ok_or_else(|| {
                        malformed(op, Malformed::Structure, "a tied operand without output")
                    })?;
                    self.emit(op, ScalarOp::Copy(Move { dst: output.0, src: input.0, len: 1 }));
                    given.push(output);
                }
                Err(_) => given.push(input),
            }
        }
        Ok(given)
    }

    /// The operands of `nvvm.inline_ptx`, and its predicate.
    #[allow(clippy::type_complexity)]
    fn ptx_operands(&mut self, op: Ir<'_, '_>) -> Result<(Vec<(Slot, Scalar)>, Option<Slot>), Error> {
        let segments = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let [reads, changes, predicates] = segments[..] else {
            return Err(malformed(op, Malformed::Attribute, "no operandSegmentSizes"));
        };
        if changes != 0 {
            return Err(unmodelled(op, Unmodelled::Operand, "an operand that is read and written"));
        }
        let mut given = self.scalars_of_result(op)?;
        for i in 0..reads as usize {
            given.push(self.scalar_operand(op, i)?);
        }
        let predicate = (predicates != 0).then(|| self.scalar_operand(op, reads as usize)).transpose()?;
        Ok((given, predicate.map(|(slot, _)| slot)))
    }

    fn scalars_of_result(&mut self, op: Ir<'_, '_>) -> Result<Vec<(Slot, Scalar)>, Error> {
        let mut scalars = Vec::new();
        for Held { slot, ty } in self.results(op)? {
            if matches!(ty, Type::Vector(..) | Type::Array(..)) {
                return Err(unmodelled(op, Unmodelled::Operand, format!("a result {ty:?} of assembly")));
            }
            scalars.extend((slot..).zip(ty.scalars()));
        }
        Ok(scalars)
    }
}
