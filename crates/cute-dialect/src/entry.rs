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

/// The prefix of the types of atoms.
const ATOMS: &str = "cute_nvgpu.atom.";

/// An atom of CuTe DSL that is not supported.
struct Other {
    /// The end of the name of its type.
    name: &'static str,
    /// The class in the public Python sources of CuTe DSL 4.7 that makes it.
    class: &'static str,
    /// A way to write the same without it.
    instead: &'static str,
}

const OTHERS: [Other; 6] = {
    const fn other(name: &'static str, class: &'static str, instead: &'static str) -> Other {
        Other { name, class, instead }
    }
    const ORDERED: &str = "use atom.universal_copy, or loads and stores with an order";
    [
        other(
            "tmem_load_red",
            "LdRed16x32bx2Op and LdRed32x32bOp",
            "use atom.tmem_load, and reduce the registers",
        ),
        other("g2r", "CopyG2ROp", ORDERED),
        other("r2g", "CopyR2GOp", ORDERED),
        other("s2r", "CopyS2ROp", ORDERED),
        other("r2s", "CopyR2SOp", ORDERED),
        other("dsmem_store", "CopyDsmemStoreOp", "map the address by nvvm.mapa, and store to it"),
    ]
};

/// The end of the error for another atom that is not known.
const OTHER_ATOMS: &str = " (atoms of CuTe DSL for loads of tensor memory with a reduction (LdRed), for copies with a memory \
                           order or a cache mode (CopyG2R, CopyR2G, CopyS2R, CopyR2S) and for stores to another block \
                           (CopyDsmemStore) are not supported; use atom.tmem_load or atom.universal_copy)";

/// The error for a name that is not a type or op of the dialects.
fn unknown(what: Named, name: &str) -> String {
    let did_you_mean = |names: &mut dyn Iterator<Item = &'static str>, sigil: &str| {
        closest(name, names).map_or_else(String::new, |close| format!("; did you mean '{sigil}{close}'?"))
    };
    match what {
        Named::Type => {
            if let Some(other) = OTHERS.iter().find(|other| name.strip_prefix(ATOMS) == Some(other.name)) {
                let Other { class, instead, .. } = other;
                return format!("type '!{name}' of CuTe DSL 4.7 ({class}) is not supported; {instead}");
            }
            let close = did_you_mean(&mut Kind::ALL.iter().map(|kind| kind.name()), "!");
            let others = if name.starts_with(ATOMS) { OTHER_ATOMS } else { "" };
            format!("unknown type '!{name}'{close}{others}")
        }
        Named::Op => {
            format!("is unknown{}", did_you_mean(&mut OpKind::ALL.iter().map(|kind| kind.name()), ""))
        }
    }
}
