//! The functions that `cute-ffi` calls when MLIR needs an answer about our ops, types and
//! attributes. This module depends on all others; none depends on it.

use cute_algebra::text::closest;
use cute_ffi::{
    dialect::{Dialect, Named, register},
    ops::OpKind,
    types::Kind,
};
use melior::dialect::DialectRegistry;

use crate::{
    further, hooks, host,
    types::{self, State},
};

/// The meaning of the dialects.
pub const MEANING: Dialect = Dialect {
    answer: hooks::answer,
    verify_host: host::verify,
    verify_others: further::verify,
    verify_parsed: further::verify_parsed,
    parse_type: types::parse,
    parse_text: types::parse_text,
    part: types::part,
    leaves: types::leaf_types,
    why_no_coordinate: types::why_no_attribute,
    field_attribute: |t| State::of(&types::value_of(t)).map(|state| state.attribute),
    unknown,
};

/// Registers the dialects `cute`, `cute_nvgpu` and `cuda`.
pub fn register_dialects(registry: &DialectRegistry) {
    register(registry, MEANING);
}

/// The error for a name that is not a type or op of the dialects.
fn unknown(what: Named, name: &str) -> String {
    let did_you_mean = |names: &mut dyn Iterator<Item = &'static str>, sigil: &str| {
        closest(name, names).map_or_else(String::new, |close| format!("; did you mean '{sigil}{close}'?"))
    };
    match what {
        Named::Type => {
            let close = did_you_mean(&mut Kind::ALL.iter().map(|kind| kind.name()), "!");
            format!("unknown type '!{name}'{close}")
        }
        Named::Op => {
            format!("is unknown{}", did_you_mean(&mut OpKind::ALL.iter().map(|kind| kind.name()), ""))
        }
    }
}
