//! The functions that `cute-ffi` calls when MLIR needs an answer about our ops, types and
//! attributes. This module depends on all others; none depends on it.

use cute_algebra::text::closest;
use cute_ffi::{
    dialect::{Dialect, NameKind, register},
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

/// Atoms that CuTe DSL has and that are not supported.
pub struct OtherAtoms {
    /// The use that kernels make of them.
    pub purpose: &'static str,
    /// The ends of the names of their types.
    types: &'static [&'static str],
    /// Their classes in Python.
    pub classes: &'static [&'static str],
    /// A way to write the same without them.
    pub instead: &'static str,
}

/// No published module shows how the bodies of their types are written.
pub const OTHER_ATOMS: [OtherAtoms; 3] = [
    OtherAtoms {
        purpose: "loads of tensor memory with a reduction",
        types: &["tmem_load_red"],
        classes: &["LdRed16x32bx2Op", "LdRed32x32bOp"],
        instead: "load by atom.tmem_load, and reduce the registers",
    },
    OtherAtoms {
        purpose: "copies with a memory order or a cache mode",
        types: &["g2r", "r2g", "s2r", "r2s"],
        classes: &["CopyG2ROp", "CopyR2GOp", "CopyS2ROp", "CopyR2SOp"],
        instead: "copy by atom.universal_copy, or by nvvm.load.ext and nvvm.store.ext",
    },
    OtherAtoms {
        purpose: "stores to another block",
        types: &["dsmem_store"],
        classes: &["CopyDsmemStoreOp"],
        instead: "store through the address that nvvm.mapa returns",
    },
];

/// The end of the error for an atom that is not known.
fn other_atoms() -> String {
    let of_one = |atoms: &OtherAtoms| {
        format!("for {} ({}): {}", atoms.purpose, atoms.classes.join(", "), atoms.instead)
    };
    format!(
        " (atoms of CuTe DSL that are not supported are those {})",
        OTHER_ATOMS.each_ref().map(of_one).join("; ")
    )
}

/// The error for a name that is not a type or op of the dialects.
fn unknown(what: NameKind, name: &str) -> String {
    let did_you_mean = |names: &mut dyn Iterator<Item = &'static str>, sigil: &str| {
        closest(name, names).map_or_else(String::new, |close| format!("; did you mean '{sigil}{close}'?"))
    };
    match what {
        NameKind::Type => {
            let is_of =
                |atoms: &&OtherAtoms| atoms.types.iter().any(|end| name.strip_prefix(ATOMS) == Some(*end));
            if let Some(atoms) = OTHER_ATOMS.iter().find(is_of) {
                let (classes, instead) = (atoms.classes.join(", "), atoms.instead);
                return format!("type '!{name}' of CuTe DSL 4.7 ({classes}) is not supported; {instead}");
            }
            let close = did_you_mean(&mut Kind::ALL.iter().map(|kind| kind.name()), "!");
            let others = if name.starts_with(ATOMS) { other_atoms() } else { String::new() };
            format!("unknown type '!{name}'{close}{others}")
        }
        NameKind::Op => {
            format!("is unknown{}", did_you_mean(&mut OpKind::ALL.iter().map(|kind| kind.name()), ""))
        }
    }
}
