//! The run-time state of atoms: an atom is accompanied by the leaves of its fields, in the order of
//! `State::fields`.

use std::ops::Range;

use cute_dialect::{
    hooks::declared_types,
    ops::{Call, OpKind, state::field},
    types::{State, leaf_types, value_of},
};
use cute_ffi::ir;
use melior::ir::{Type, Value, operation::OperationRef};

use super::{report, values::Values};
use crate::{
    Builder, Built,
    emit::{Emit, Expr, ops::op as emit_op},
};

impl<'c> Values<'c> {
    /// The leaves of an operand, those of an atom being its state.
    pub fn leaves_of(&self, op: OperationRef<'c, 'c>, value: Value<'c, 'c>) -> Built<Vec<Expr<'c>>> {
        let t = ir::type_of(value);
        if let Some(state) = State::of(&*value_of(t)) {
            return match self.states.get(&ir::identity(value)) {
                Some(state) => Ok(state.clone()),
                None => Builder::before(ir::definer(value).unwrap_or(op)).refuse(&format!(
                    "gives {t} no run-time state; cute.make_atom takes it, as {}",
                    state.names()
                )),
            };
        }
        match leaf_types(t) {
            None => Ok(vec![Expr::Value(self.graph.clone(), value)]),
            Some(_) => Ok(self.leaves(t, &*self.lookup(op, value)?)),
        }
    }

    /// Sets the state of an op's only result.
    pub fn define_state(&mut self, op: OperationRef<'c, 'c>, state: Vec<Expr<'c>>) {
        let result = ir::result(op, 0).expect("an op that makes an atom has a result");
        self.states.insert(ir::identity(result), state);
    }

    /// The state of the atom that an op makes from atoms, if it has state.
    pub fn made_state(
        &self,
        op: OperationRef<'c, 'c>,
        call: &Call<'_, 'c, Emit<'c>>,
    ) -> Built<Option<Vec<Expr<'c>>>> {
        use OpKind as K;
        if !call.kind.carries_state()
            || declared_types(op).first().is_none_or(|t| State::of(&*value_of(*t)).is_none())
        {
            return Ok(None);
        }
        let mut given = Vec::new();
        for operand in ir::operands(op) {
            given.push(self.leaves_of(op, operand)?);
        }
        Ok(Some(match call.kind {
            K::MakeAtom if given.is_empty() => {
                leaves_of_type(op).map(|t| Expr::Value(self.graph.clone(), zero(op, t))).collect()
            }
            K::MakeAtom => given.concat(),
            K::AtomSetValue => {
                let [mut atom, value] =
                    <[_; 2]>::try_from(given).expect("atom.set_value has an atom and a value");
                atom.splice(place(call).map_err(|why| report(op, call.kind, &why))?, value);
                atom
            }
            K::MakeExecTma => {
                let unset = leaves_of_type(op).skip(1).map(|t| Expr::Value(self.graph.clone(), zero(op, t)));
                given.into_iter().flatten().chain(unset).collect()
            }
            _ => given.into_iter().next().expect("what an atom is made of comes first"),
        }))
    }
}

/// The types of the state's leaves for the atom that an op makes.
fn leaves_of_type<'c>(op: OperationRef<'c, 'c>) -> impl Iterator<Item = Type<'c>> {
    let made = State::of(&*value_of(declared_types(op)[0])).expect("the op makes an atom with a state");
    made.fields.into_iter().flat_map(|f| leaf_types(f.holds).unwrap_or(vec![f.holds]))
}

/// The value of a field that was never set: a copy that needs it was rejected before.
fn zero<'c>(op: OperationRef<'c, 'c>, t: Type<'c>) -> Value<'c, 'c> {
    emit_op(op, "llvm.mlir.zero", &[], t, &[])
}

/// The positions of the leaves of the field that an op names, among those of the atom.
pub fn place<'c>(call: &Call<'_, 'c, Emit<'c>>) -> Result<Range<usize>, cute_dialect::Error> {
    let (state, at) = field(call)?;
    let before = state.fields[..at].iter().map(|f| width(f.holds)).sum();
    Ok(before..before + width(state.fields[at].holds))
}

/// The number of leaves of a type; a value of another dialect is its own leaf.
fn width(t: Type<'_>) -> usize {
    leaf_types(t).map_or(1, |leaves| leaves.len())
}
