//! The run-time state of atoms.

use std::convert::Infallible;

use cute_algebra::Dim;

use super::{AttributeName, Call};
use crate::{
    atom::{DISABLED_LANES, TypeField},
    error::{Error, Result},
    types::{State, StateField, described, value_of},
    value::{Machine, Value},
    weakening,
};

/// `make_atom`: the operands are the run-time state of the atom.
pub fn make_atom<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let made = match call.declared(0)? {
        Value::CopyAtom(atom) => Value::CopyAtom(atom.clone()),
        Value::MmaAtom(atom) => Value::MmaAtom(atom.clone()),
        other => return Err(Error::Rule(format!("{} is not an atom", other.what()))),
    };
    let state = State::of(&made);
    let is_made_unset = state.as_ref().is_some_and(|state| state.is_made_unset);
    let fields = state.filter(|_| !is_made_unset).map_or_else(Vec::new, |state| state.fields);
    let found = call.operands.len();
    // A gemm may name the scale factors instead.
    let may_be_unset = fields.iter().all(|field| matches!(field.name, "sf_a" | "sf_b"));
    if found == 0 && may_be_unset {
        return Ok(vec![made]);
    }
    if found != fields.len() {
        let names: Vec<_> = fields.iter().map(|f| f.name).collect();
        let expected = match names.len() {
            0 if is_made_unset => "no operands: atom.set_value gives this atom its run-time state".into(),
            0 => "no operands: this atom has no run-time state".into(),
            n => {
                let given = found == n + 1 && may_mask(&made);
                let lanes = if given { format!("; {WITH_LANES}") } else { String::new() };
                format!("{n} operands, the run-time state of this atom: {}{lanes}", names.join(", "))
            }
        };
        return Err(Error::OperandCount { expected, found });
    }
    fields.iter().enumerate().try_for_each(|(i, field)| takes(*field, call.operand(i)?))?;
    Ok(vec![made])
}

/// The way to an atom that has that field.
const WITH_LANES: &str = "an atom whose type says `disable_output_lane = true` has that field, too";

/// Whether the type of an atom may have lanes of D that are not written.
fn may_mask<I: Machine>(atom: &Value<'_, I>) -> bool {
    matches!(atom, Value::MmaAtom(atom) if atom.kind.fields().contains(&TypeField::LaneMask))
}

/// `atom.set_value`: the same atom, one field of its state replaced.
pub fn set_value<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (state, field) = field(call)?;
    takes(state.fields[field], call.operand(1)?)?;
    call.operand(0).cloned()
}

/// `atom.get_value`: the declared type may be weaker than the field's.
pub fn get_value<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (state, field) = field(call)?;
    let (declared, held) = (call.declared(0)?, value_of(state.fields[field].holds));
    weakening::check(declared, &held).map_err(|why| Error::ResultType {
        index: 0,
        declared: described(declared),
        inferred: described(&held),
        why: why.to_string(),
        note: None,
    })?;
    Ok(Vec::new())
}

/// The state of operand 0, and the field that the op names.
pub fn field<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<(State<'c>, usize)> {
    let atom = call.operand(0)?;
    let Some(state) = State::of(atom) else {
        return Err(Error::Rule(format!("{} has no run-time state", atom.what())));
    };
    let expected = "a field of an atom, such as #cute_nvgpu.atom_mma_field_sm90<accum_c>";
    let bad = Error::Attribute { name: "field", expected };
    let asked = call
        .attributes
        .word(AttributeName::Field)
        .filter(|(attribute, _)| attribute.starts_with("atom_"))
        .ok_or(bad)?;
    let (attribute, name) = asked;
    let of_atom = attribute == state.attribute;
    match state.fields.iter().position(|f| of_atom && f.name == name) {
        Some(field) => Ok((state, field)),
        None if of_atom && name == DISABLED_LANES => {
            Err(Error::Rule(format!("the type of the atom lacks {DISABLED_LANES}; {WITH_LANES}")))
        }
        None => Err(Error::Rule(format!(
            "{} has no field #cute_nvgpu.{attribute}<{name}>; it has {}",
            atom.what(),
            state.names()
        ))),
    }
}

/// Checks that a field can hold a value.
fn takes<'c, I: Machine>(field: StateField<'c>, value: &Value<'c, I>) -> Result<()> {
    let value: std::result::Result<Value<'c, Dim>, Infallible> = value.try_map(|_| Ok(()), |i| i.dim());
    let (Ok(value), held) = (value, value_of(field.holds));
    weakening::check(&held, &value).map_err(|why| {
        let StateField { name, holds } = field;
        let why = if value.kind() == held.kind() && value.kind().is_some() {
            format!(": {why}")
        } else {
            String::new()
        };
        Error::Rule(format!("{name} must be {holds}, found {}{why}", described(&value)))
    })
}
