//! The kinds of the functions' values, for callers that state types. A test of the table compares
//! them with the values of the examples.

use cute_algebra::AnyLayout;

use crate::{tilings::Tiling, value::Value};

/// The kind of a function's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A layout, which is plain where the first argument is a plain layout or a shape.
    Layout,
    /// A plain layout.
    Plain,
    /// A composed layout.
    Composed,
    /// One integer that is static in any case.
    Count,
    /// One integer.
    Integer,
    /// An integer or a tuple of integers.
    Tuple,
    /// Integers and elements of a basis.
    Stride,
    /// True, false or unknown.
    Truth,
    /// An offset and a layout, which is as in [`Kind::Layout`].
    Part,
    /// A tiled MMA.
    TiledMma,
    /// A tiled copy.
    TiledCopy,
    /// As an argument is: a layout of a layout, and a tuple of a tuple.
    Same,
}

impl Kind {
    /// Its name for other languages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::Plain => "plain",
            Self::Composed => "composed",
            Self::Count => "count",
            Self::Integer => "integer",
            Self::Tuple => "tuple",
            Self::Stride => "stride",
            Self::Truth => "truth",
            Self::Part => "part",
            Self::TiledMma => "tiled MMA",
            Self::TiledCopy => "tiled copy",
            Self::Same => "same",
        }
    }

    /// Whether a value is of this kind.
    pub fn has(self, value: &Value) -> bool {
        match self {
            Self::Layout => matches!(value, Value::Layout(_)),
            Self::Plain => matches!(value, Value::Layout(AnyLayout::Plain(_))),
            Self::Composed => matches!(value, Value::Layout(AnyLayout::Composed(_))),
            Self::Count | Self::Integer => matches!(value, Value::Tuple(tuple) if tuple.is_leaf()),
            Self::Tuple => matches!(value, Value::Tuple(_)),
            Self::Stride => matches!(value, Value::Tuple(_) | Value::Stride(_)),
            Self::Truth => matches!(value, Value::Truth(_)),
            Self::Part => matches!(value, Value::Part { .. }),
            Self::TiledMma => {
                matches!(value, Value::Tiling(tiling) if matches!(**tiling, Tiling::Mma { .. }))
            }
            Self::TiledCopy => {
                matches!(value, Value::Tiling(tiling) if matches!(**tiling, Tiling::Copy { .. }))
            }
            Self::Same => true,
        }
    }
}

/// The functions by the kind of their values; the others make a [`Kind::Layout`].
const RESULTS: &[(Kind, &[&str])] = &[
    (
        Kind::Plain,
        &[
            "make_layout",
            "make_layout_right",
            "make_ordered_layout",
            "make_layout_like",
            "make_fragment_like",
            "make_identity_layout",
            "domain_distribute",
            "coalesce_up_to",
            "complement",
            "max_common_layout",
            "nullspace",
            "outer",
            "right_inverse_of_bases",
            "left_inverse_of_bases",
            "complement_of_bases",
            "layoutA_TV",
            "layoutB_TV",
            "layoutC_TV",
            "layoutS_TV",
            "layoutD_TV",
            "layoutSFA_TV",
            "layoutSFB_TV",
            "thr_layout_vmnk",
            "sf_atom",
            "sf_atom_mn",
            "sm103_sf_atom",
            "tile_atom_to_shape_sf",
            "tile_atom_to_shape_sfa",
            "tile_atom_to_shape_sfb",
            "tile_atom_to_shape_sfd",
            "make_smem_layout_sfa",
            "make_smem_layout_sfb",
            "make_tmem_layout_sfa",
            "make_tmem_layout_sfb",
        ],
    ),
    (Kind::Composed, &["make_composed_layout"]),
    (Kind::Count, &["rank", "depth", "max_alignment", "max_common_vector"]),
    (Kind::Integer, &["size", "cosize", "product", "inner_product", "get_1d_coord", "apply"]),
    (
        Kind::Tuple,
        &[
            "coshape",
            "product_each",
            "ceil_div",
            "shape_div",
            "add_values",
            "tuple_sub",
            "tuple_mul",
            "tuple_div",
            "tuple_mod",
            "increment_coord",
            "sizes_of_modes",
            "pad_tuple",
            "prefix_product",
            "elem_scale",
            "crd2idx",
            "layout_eval",
            "idx2crd",
            "crd2crd",
            "get_hier_coord",
            "get_flat_coord",
            "offset",
            "shape",
            "tile_mnk",
            "partition_shape_A",
            "partition_shape_B",
            "partition_shape_C",
            "partition_shape_SFA",
            "partition_shape_SFB",
        ],
    ),
    (Kind::Stride, &["stride"]),
    (
        Kind::Truth,
        &[
            "congruent",
            "weakly_congruent",
            "compatible",
            "evenly_divides",
            "equivalent",
            "same_image",
            "weakly_compatible",
            "elem_less",
            "is_compact",
            "is_contiguous",
            "is_static",
        ],
    ),
    (
        Kind::Part,
        &[
            "slice_and_offset",
            "local_tile",
            "outer_partition",
            "local_partition",
            "partition_A",
            "partition_B",
            "partition_C",
            "partition_S",
            "partition_D",
            "partition_SFA",
            "partition_SFB",
        ],
    ),
    (Kind::TiledMma, &["tiled_mma"]),
    (
        Kind::TiledCopy,
        &[
            "tiled_copy",
            "make_tiled_copy",
            "make_cotiled_copy",
            "make_tiled_copy_A",
            "make_tiled_copy_B",
            "make_tiled_copy_C",
            "make_tiled_copy_C_atom",
            "make_tiled_copy_S",
            "make_tiled_copy_D",
        ],
    ),
    (Kind::Same, &["get", "make_tuple", "group", "flatten", "select", "take", "slice", "dice"]),
];

/// The kind of the values of the function with this name.
pub(super) fn of(name: &str) -> Kind {
    let found = RESULTS.iter().find(|(_, names)| names.contains(&name));
    found.map_or(Kind::Layout, |(kind, _)| *kind)
}

#[cfg(test)]
mod tests {
    use super::RESULTS;
    use crate::registry::functions;

    #[test]
    fn each_name_is_that_of_a_function_and_there_once() {
        let mut names: Vec<_> = RESULTS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert!(names.iter().all(|name| functions().any(|f| f.name == *name)));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
