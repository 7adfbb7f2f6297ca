//! Ops of other dialects that carry values of ours without using them: casts, by which values enter
//! and leave the dialect, and ops that upstream passes create for branches and for unused values.
//! They carry such values leaf by leaf. Regions, branches and calls were rewritten before, by
//! MLIR's structural patterns.

use cute_dialect::{
    hooks::declared_types,
    types::{State, leaf_types},
};
use cute_ffi::{ir, types::kind_of};
use melior::ir::{
    Type,
    operation::{OperationLike, OperationRef},
};

use super::{Lowering, values::Made};
use crate::{
    Builder, Built,
    emit::{Expr, ops::op as emit_op},
};

impl<'c> Lowering<'c, '_> {
    /// `builtin.unrealized_conversion_cast`.
    pub(super) fn cast(&mut self, op: OperationRef<'c, 'c>) -> Built<()> {
        let (operands, results) = (ir::operands(op), declared_types(op));
        let enters = results.first().is_some_and(|t| kind_of(*t).is_some());
        let leaves = operands.first().is_some_and(|v| kind_of(ir::type_of(*v)).is_some());
        if !enters && !leaves {
            return Ok(());
        }
        self.replaced.push(op);
        if enters && leaves {
            let value = self.values.lookup(op, operands[0])?.into_owned();
            if State::of(&value).is_some() {
                let state = self.values.leaves_of(op, operands[0])?;
                self.values.define_state(op, state);
            }
            return self.values.define(op, 0, Made::Value(value));
        }
        if enters {
            let leaves = operands.iter().map(|v| Expr::Value(self.values.graph.clone(), *v)).collect();
            return self.values.define(op, 0, Made::Leaves(leaves));
        }
        let leaves = self.values.leaves_of(op, operands[0])?;
        if leaves.len() != results.len() {
            return Builder::before(op).fail("a cast to the wrong number of leaves");
        }
        let each = leaves.into_iter().enumerate();
        each.into_iter().try_for_each(|(i, leaf)| self.values.define(op, i, Made::Leaves(vec![leaf])))
    }

    /// An op that is not ours, with an operand or result of type `t`, which is.
    pub(super) fn carried(&mut self, op: OperationRef<'c, 'c>, name: &str, t: Type<'c>) -> Built<()> {
        let leaves = match name {
            "cuda.launch_ex" => return self.launch(op),
            "arith.select" => self.selected(op)?,
            "ub.poison" => {
                let leaves = leaf_types(t).into_iter().flatten();
                leaves
                    .map(|leaf| emit_op(op, "llvm.mlir.poison", &[], leaf, &[]))
                    .map(|leaf| Expr::Value(self.values.graph.clone(), leaf))
                    .collect()
            }
            _ => {
                return Builder::before(op)
                    .fail(&format!("'{name}' op on a value of type {t} is not supported"));
            }
        };
        self.replaced.push(op);
        self.values.define(op, 0, Made::Leaves(leaves))
    }

    /// A launch passes the leaves of its arguments.
    fn launch(&mut self, op: OperationRef<'c, 'c>) -> Built<()> {
        let mut operands = Vec::new();
        for operand in ir::operands(op) {
            let leaves = self.values.leaves_of(op, operand)?;
            operands.extend(leaves.iter().map(|leaf| self.values.graph.value(leaf)));
        }
        let attributes: Vec<_> = op.attributes().collect();
        let launch = Builder::before(op).op("cuda.launch_ex").operands(&operands).attributes_of(&attributes);
        let result = launch.results(&declared_types(op)).value()?;
        self.replaced.push(op);
        self.values.define(op, 0, Made::Leaves(vec![Expr::Value(self.values.graph.clone(), result)]))
    }

    fn selected(&self, op: OperationRef<'c, 'c>) -> Built<Vec<Expr<'c>>> {
        let [condition, yes, no] = ir::operands(op)[..] else { panic!("arith.select has three operands") };
        let condition = Expr::Value(self.values.graph.clone(), condition);
        let (yes, no) = (self.values.leaves_of(op, yes)?, self.values.leaves_of(op, no)?);
        Ok(yes.iter().zip(&no).map(|(yes, no)| Expr::select(&condition, yes, no)).collect())
    }
}
