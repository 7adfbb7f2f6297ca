//! The run-time state of atoms, read.

use super::{Lowered, Site};
use crate::to_base::{state::place, values::Made};

/// `atom.get_value`: the leaves of the field.
pub fn get_value<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let field = at.ask(place(at.call))?;
    let state = at.values.leaves_of(at.op, at.operand(0))?;
    Ok(vec![Made::Leaves(state[field].to_vec())])
}
