//! The meaning of `$0` and of the names in assembly.

use crate::ir;
use crate::{Decoder, Held, malformed, unmodelled};
use cute_machine::types::{Scalar, Type};
use cute_sim::Error;
use cute_sim::program::{Move, Op, Slot};
use melior::ir::operation::{OperationLike, OperationRef};
use std::collections::HashMap;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// Names of one text.
#[derive(Default)]
pub(super) struct Names {
    /// `$0`, `$1`, ..
    pub(super) given: Vec<(Slot, Scalar)>,
    pub(super) registers: HashMap<String, Slot>,
    /// Edges to the labels, which are set once a label is met.
    pub(super) labels: HashMap<String, u32>,
    pub(super) met: HashMap<String, u32>,
}

impl Decoder<'_> {
    /// The operands of `llvm.inline_asm`: outputs, then inputs, as its constraints list them.
    pub(super) fn asm_operands(&mut self, op: Ir<'_, '_>) -> Result<Vec<(Slot, Scalar)>, Error> {
        let constraints = ir::str_attr(op, "constraints").unwrap_or_default();
        let constraints: Vec<&str> =
            constraints.split(',').filter(|c| !c.is_empty() && !c.starts_with('~')).collect();
        let outputs = constraints.iter().filter(|c| c.starts_with('=')).count();
        if constraints.len() - outputs != op.operand_count() {
            return Err(malformed(op, "the constraints do not match the number of operands"));
        }
        let mut given = self.scalars_of_result(op)?;
        if given.len() != outputs {
            return Err(malformed(op, "the constraints do not match the number of results"));
        }
        for (i, constraint) in constraints[outputs..].iter().enumerate() {
            let input = self.scalar_operand(op, i)?;
            match constraint.parse::<usize>() {
                // The register begins with the initial value of the output.
                Ok(tied) => {
                    let output =
                        *given.get(tied).ok_or_else(|| malformed(op, "a tied operand without output"))?;
                    self.emit(op, Op::Copy(Move { dst: output.0, src: input.0, len: 1 }));
                    given.push(output);
                }
                Err(_) => given.push(input),
            }
        }
        Ok(given)
    }

    /// The operands of `nvvm.inline_ptx`, and its predicate.
    #[allow(clippy::type_complexity)]
    pub(super) fn ptx_operands(
        &mut self,
        op: Ir<'_, '_>,
    ) -> Result<(Vec<(Slot, Scalar)>, Option<Slot>), Error> {
        let segments = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let [reads, changes, predicates] = segments[..] else {
            return Err(malformed(op, "no operandSegmentSizes"));
        };
        if changes != 0 {
            return Err(unmodelled(op, "an operand that is read and written"));
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
                return Err(unmodelled(op, format!("a result {ty:?} of assembly")));
            }
            scalars.extend((slot..).zip(ty.scalars()));
        }
        Ok(scalars)
    }
}
