//! Ops of other dialects that carry values of ours, whatever these are: what upstream passes make of branches and of
//! values that nobody needs. They are carried leaf by leaf. Regions, branches and calls were rewritten before, by
//! MLIR's structural patterns.

use cute_dialect::types::{State, leaf_types, value_of};
use cute_ffi::ir;
use melior::ir::{Type, operation::OperationRef};

use super::Lowering;
use crate::{
    build::{Build, Built, Failed},
    emit::{Expr, ops::op as emit_op},
};

impl<'c> Lowering<'c, '_> {
    /// An op that is not ours, with an operand or result of type `t`, which is.
    pub(super) fn carried(&mut self, op: OperationRef<'c, 'c>, name: &str, t: Type<'c>) -> Built<()> {
        let leaves = match name {
            "arith.select" => self.selected(op)?,
            "ub.poison" => {
                let leaves = leaf_types(t).into_iter().flatten();
                leaves
                    .map(|leaf| emit_op(op, "llvm.mlir.poison", &[], leaf, &[]))
                    .map(|leaf| Expr::Value(self.graph.clone(), leaf))
                    .collect()
            }
            _ => {
                return Build::before(op)
                    .fail(&format!("'{name}' op on a value of type {t} is not supported"));
            }
        };
        self.replaced.push(op);
        self.define_leaves(op, t, leaves)
    }

    /// The only result of an op, of type `t`, has these leaves.
    pub(super) fn define_leaves(
        &mut self,
        op: OperationRef<'c, 'c>,
        t: Type<'c>,
        leaves: Vec<Expr<'c>>,
    ) -> Built<()> {
        if State::of(&*value_of(t)).is_some() {
            self.define_state(op, leaves.clone());
        }
        let value = self.with_leaves(t, leaves).ok_or(Failed)?;
        self.define(op, vec![value])
    }

    fn selected(&self, op: OperationRef<'c, 'c>) -> Built<Vec<Expr<'c>>> {
        let [condition, yes, no] = ir::operands(op)[..] else { return Err(Failed) };
        let condition = Expr::Value(self.graph.clone(), condition);
        let (yes, no) = (self.leaves_of(op, yes)?, self.leaves_of(op, no)?);
        Ok(yes.iter().zip(&no).map(|(yes, no)| Expr::select(&condition, yes, no)).collect())
    }
}
