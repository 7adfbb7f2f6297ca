//! The run-time state of atoms. The algebra does not use it; it is carried beside the atom.

use cute_algebra::Swizzle;
use cute_ffi::types::{Kind, context_of};
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use super::{natural_align, type_of};
use crate::{
    atom::{AtomState, StateFieldType},
    value::{Machine, Ptr, Space, Value},
};

/// The run-time state of an atom: its fields in the order of its leaves, which is the order of
/// `make_atom`'s operands if it takes values.
#[derive(Debug, Clone)]
pub struct State<'c> {
    /// The attribute that names a field: `atom_mma_field_sm90`.
    pub attribute: &'static str,
    /// The fields, in the order of the type's text.
    pub fields: Vec<StateField<'c>>,
    /// Whether `make_atom` takes no values, and the program sets the fields that it needs.
    pub is_made_unset: bool,
}

/// A field of the state.
#[derive(Debug, Clone, Copy)]
pub struct StateField<'c> {
    /// Its name: `accum_c`.
    pub name: &'static str,
    /// Its type. A pointer with more static properties can be stored.
    pub holds: Type<'c>,
}

impl<'c> State<'c> {
    /// The state of an atom, bare or tiled; `None` if it has none, or if the value is not an atom.
    pub fn of<I: Machine>(value: &Value<'c, I>) -> Option<Self> {
        let (state, elem) = match value {
            Value::CopyAtom(atom) => (atom.state(), atom.elem()),
            Value::TiledCopy(tiled) => (tiled.atom.state(), tiled.atom.elem()),
            Value::MmaAtom(atom) => (atom.state(), atom.elems[0]),
            Value::TiledMma(tiled) => (tiled.atom.state(), tiled.atom.elems[0]),
            _ => return None,
        };
        state.map(|state| Self::stated(state, context_of(elem)))
    }

    fn stated(state: AtomState<'c>, c: &'c Context) -> Self {
        let descriptor = || type_of(c, &Value::Opaque(Kind::TmaDescriptorTiled));
        let field = |(name, holds)| {
            let holds = match holds {
                StateFieldType::Integer(bits) => IntegerType::new(c, bits).into(),
                StateFieldType::Pointer(elem, space) => pointer(c, elem, space, 1),
                StateFieldType::Descriptor => pointer(c, descriptor(), Space::Generic, DESCRIPTOR_ALIGN),
                StateFieldType::Words(count) => Type::vector(&[count.into()], IntegerType::new(c, 32).into()),
                StateFieldType::IntTuple(tuple) => type_of(c, &Value::IntTuple(tuple)),
            };
            StateField { name, holds }
        };
        Self {
            attribute: state.attribute,
            fields: state.fields.into_iter().map(field).collect(),
            is_made_unset: state.is_made_unset,
        }
    }

    /// `#cute_nvgpu.atom_mma_field_sm90<accum_c>`, and the others.
    pub fn names(&self) -> String {
        let named = |f: &StateField<'_>| format!("#cute_nvgpu.{}<{}>", self.attribute, f.name);
        self.fields.iter().map(named).collect::<Vec<_>>().join(", ")
    }
}

/// Size of a TMA descriptor in bytes.
pub const DESCRIPTOR_BYTES: u32 = cute_arch::tensor_map::BYTES as u32;
/// Alignment of a TMA descriptor in bytes.
pub const DESCRIPTOR_ALIGN: i64 = cute_arch::tensor_map::ALIGN as i64;

fn pointer<'c>(c: &'c Context, elem: Type<'c>, space: Space, align: i64) -> Type<'c> {
    let align = align.max(natural_align(Some(elem)).unwrap_or(1));
    type_of(c, &Value::Ptr(Ptr { elem: Some(elem), space, align, swizzle: Swizzle::IDENTITY, address: () }))
}
