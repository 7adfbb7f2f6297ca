//! The fields of an atom that are given at run time.

use cute_dialect::types::{State, value_of};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Value,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built};

/// The fields of an atom that has some.
#[derive(Clone, Copy)]
pub(super) struct Fields<'c>(pub Value<'c, 'c>);

impl<'c> Fields<'c> {
    /// The value of a field.
    pub fn get(self, b: &Builder<'c>, name: &str) -> Built<Value<'c, 'c>> {
        let state = self.state();
        let field = state.fields.iter().find(|f| f.name == name).expect("the atom has the field");
        let attribute = b.attribute(&format!("#cute_nvgpu.{}<{name}>", state.attribute))?;
        b.typed("cute_nvgpu.atom.get_value", &[self.0], field.holds, &[("field", attribute)])
    }

    /// The value of a field that the copy requires; `why` explains the requirement.
    pub fn needed(self, b: &Builder<'c>, name: &str, why: &str) -> Built<Value<'c, 'c>> {
        if is_given(self.0, name) {
            return self.get(b, name);
        }
        let attribute = self.state().attribute;
        b.refuse(&format!(
            "the atom has no {name}: {why}; cute_nvgpu.atom.set_value gives it one, with field = #cute_nvgpu.{attribute}<{name}>"
        ))
    }

    /// The cache policy, if the program has set one.
    pub fn cache(self, b: &Builder<'c>) -> Built<Vec<Value<'c, 'c>>> {
        if is_given(self.0, "cache_policy") { Ok(vec![self.get(b, "cache_policy")?]) } else { Ok(Vec::new()) }
    }

    fn state(self) -> State<'c> {
        State::of(&*value_of(ir::type_of(self.0))).expect("the atom has a state")
    }
}

/// Whether an atom may have been given a value for a field, which is the case if an op that leads
/// to it sets the field. If the atom is carried around a loop or returned from a branch, any such
/// op of the function counts.
fn is_given(atom: Value<'_, '_>, field: &str) -> bool {
    let mut at = atom;
    while let Some(op) = ir::definer(at) {
        match op_name(op) {
            SET if sets(op, field) => return true,
            "cute_nvgpu.atom.make_exec_tma" => return false,
            "cute.make_atom" => return op.operand_count() > 0,
            SET | "cute.derefine" => at = ir::operands(op)[0],
            _ => return anywhere(op, field),
        }
    }
    let argument = BlockArgument::try_from(at).expect("a value is made by an op or is an argument");
    ir::parent_of(argument.owner()).is_none_or(|op| ir::is_function(op) || anywhere(op, field))
}

const SET: &str = "cute_nvgpu.atom.set_value";

fn sets(op: OperationRef<'_, '_>, field: &str) -> bool {
    op.attribute("field").ok().and_then(ir::nvgpu_word).is_some_and(|(_, name)| name == field)
}

/// Whether an atom is an argument of the function around `op`, or an op in that function sets a
/// field of any atom.
fn anywhere(op: OperationRef<'_, '_>, field: &str) -> bool {
    let Some(function) = ir::enclosing_isolated(op) else { return true };
    let gives = |op: &OperationRef<'_, '_>| match op_name(*op) {
        SET => sets(*op, field),
        name => name == "cute.make_atom" && op.operand_count() > 0,
    };
    let mut arguments = (0..).map_while(|i| ir::block_argument(function, i));
    let has_field = |v: Value<'_, '_>| {
        State::of(&*value_of(ir::type_of(v)))
            .is_some_and(|state| state.fields.iter().any(|f| f.name == field))
    };
    arguments.any(has_field) || ir::walk(function).iter().any(gives)
}
