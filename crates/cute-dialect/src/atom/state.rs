//! The run-time state of atoms, as their families define it.

use cute_algebra::{Dim, Tuple};
use melior::ir::Type;

use crate::space::Space;

/// The run-time state of an atom: its fields in the order of `make_atom`.
#[derive(Debug, Clone)]
pub struct AtomState<'c> {
    /// The attribute that names a field: `atom_mma_field_sm90`.
    pub attribute: &'static str,
    /// The name and the type of each field.
    pub fields: Vec<(&'static str, StateFieldType<'c>)>,
    /// Whether `make_atom` takes no values, and the program sets the fields that it needs.
    pub is_made_unset: bool,
}

/// The type of a field.
#[derive(Debug, Clone)]
pub enum StateFieldType<'c> {
    /// An integer of this width.
    Integer(u32),
    /// A pointer to elements of a type, as these are aligned by nature.
    Pointer(Type<'c>, Space),
    /// A pointer to a descriptor of the TMA.
    Descriptor,
    /// A vector of this number of words.
    Words(u32),
    /// Integers.
    IntTuple(Tuple<Dim>),
}
