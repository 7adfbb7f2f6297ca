//! What atoms are given at run time. The algebra never looks at it: it is carried beside the atom.

use cute_algebra::{MmaOperand, Swizzle};
use cute_ffi::types::{Kind, context_of};
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use super::{natural_align, type_of};
use crate::{
    atom::{CopyAtom, MmaAtom, MmaKind, TmaCopy, TmaKind, scale_name},
    value::{Machine, Ptr, Space, Value},
};

/// The run-time state of an atom: its fields in the order of `make_atom`, which is that of its leaves.
#[derive(Debug, Clone)]
pub struct State<'c> {
    /// The attribute that names a field: `atom_mma_field_sm90`.
    pub attribute: &'static str,
    /// The fields.
    pub fields: Vec<StateField<'c>>,
}

/// A field of the state.
#[derive(Debug, Clone, Copy)]
pub struct StateField<'c> {
    /// Its name: `accum_c`.
    pub name: &'static str,
    /// What it holds. A pointer that says more can be stored.
    pub holds: Type<'c>,
}

impl<'c> State<'c> {
    /// The state of an atom, bare or tiled; `None` if it has none, or is no atom.
    pub fn of<I: Machine>(value: &Value<'c, I>) -> Option<Self> {
        match value {
            Value::CopyAtom(atom) => Self::of_copy(atom),
            Value::TiledCopy(tiled) => Self::of_copy(&tiled.atom),
            Value::MmaAtom(atom) => Self::of_mma(atom),
            Value::TiledMma(tiled) => Self::of_mma(&tiled.atom),
            _ => None,
        }
    }

    fn of_copy(atom: &CopyAtom<'c>) -> Option<Self> {
        match atom {
            CopyAtom::Tma(tma) => Some(Self::of_tma(tma)),
            _ => None,
        }
    }

    fn of_tma(tma: &TmaCopy<'c>) -> Self {
        let c = context_of(tma.elem);
        let integer = |bits| IntegerType::new(c, bits).into();
        let descriptor = type_of(c, &Value::Opaque(Kind::TmaDescriptorTiled));
        let descriptor = pointer(c, descriptor, Space::Generic, DESCRIPTOR_ALIGN);
        let barrier = pointer(c, integer(64), Space::Smem, 8);
        let cache = StateField { name: "cache_policy", holds: integer(64) };
        let strides = type_of(c, &Value::IntTuple(tma.strides.clone()));
        let strides = StateField { name: "g_stride", holds: strides };
        let executable = StateField { name: "tma_descriptor_ptr", holds: descriptor };
        let host = || vec![StateField { name: "tma_desc", holds: descriptor }];
        let (attribute, fields) = match tma.kind {
            TmaKind::Load => (
                "atom_copy_field_tmaload",
                vec![
                    executable,
                    StateField { name: "tma_bar", holds: barrier },
                    StateField { name: "mcast_mask", holds: integer(16) },
                    cache,
                    strides,
                ],
            ),
            TmaKind::Store => ("atom_copy_field_tmastore", vec![executable, cache, strides]),
            TmaKind::Reduce => ("atom_copy_field_tmareduce", vec![executable, cache, strides]),
            TmaKind::NonExecLoad => ("atom_copy_field_non_exec_tma_load", host()),
            TmaKind::NonExecStore => ("atom_copy_field_non_exec_tma_store", host()),
            TmaKind::NonExecReduce => ("atom_copy_field_non_exec_tma_reduce", host()),
        };
        Self { attribute, fields }
    }

    fn of_mma(atom: &MmaAtom<'c>) -> Option<Self> {
        let c = context_of(atom.elems[0]);
        const UMMA: &[&str] = &["accum_c", "neg_a", "neg_b"];
        // Scales and metadata are pointed at.
        let (attribute, flags, space): (_, &[_], _) = match atom.kind {
            MmaKind::Sm90 => ("atom_mma_field_sm90", &["accum_c"], Space::Rmem),
            MmaKind::Sm100 => ("atom_mma_field_sm100", UMMA, Space::Tmem),
            MmaKind::Sm100Scaled => ("atom_mma_field_sm100_block_scaled", UMMA, Space::Tmem),
            MmaKind::Sm100Sparse => ("atom_mma_field_sm100_sparse", UMMA, Space::Tmem),
            MmaKind::Sm100SparseScaled => ("atom_mma_field_sm100_block_scaled_sparse", UMMA, Space::Tmem),
            MmaKind::Sm120Scaled => ("atom_mma_field_sm120_block_scaled", &[], Space::Rmem),
            MmaKind::Sm80Sparse => ("atom_mma_field_sm80_sparse", &[], Space::Rmem),
            _ => return None,
        };
        let flag = IntegerType::new(c, 1).into();
        let mut fields: Vec<_> = flags.iter().map(|name| StateField { name, holds: flag }).collect();
        if let Some((scale, _)) = atom.options.scale {
            let scale = Type::parse(c, scale_name(scale))?;
            let holds = pointer(c, scale, space, 1);
            fields.extend(["sf_a", "sf_b"].map(|name| StateField { name, holds }));
        }
        if atom.is_sparse(MmaOperand::A) {
            let holds = pointer(c, IntegerType::new(c, 8).into(), space, 1);
            fields.push(StateField { name: "e", holds });
        }
        Some(Self { attribute, fields })
    }

    /// `#cute_nvgpu.atom_mma_field_sm90<accum_c>`, and the others.
    pub fn names(&self) -> String {
        let named = |f: &StateField<'_>| format!("#cute_nvgpu.{}<{}>", self.attribute, f.name);
        self.fields.iter().map(named).collect::<Vec<_>>().join(", ")
    }
}

/// Bytes that a descriptor of the TMA is aligned to.
const DESCRIPTOR_ALIGN: i64 = 64;

fn pointer<'c>(c: &'c Context, elem: Type<'c>, space: Space, align: i64) -> Type<'c> {
    let align = align.max(natural_align(Some(elem)).unwrap_or(1));
    type_of(c, &Value::Ptr(Ptr { elem: Some(elem), space, align, swizzle: Swizzle::IDENTITY, address: () }))
}
