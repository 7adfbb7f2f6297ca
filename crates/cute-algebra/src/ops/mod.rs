//! The operations, one family per file. Each is written once, generic over [`Int`](crate::Int).
//!
//! The semantics are CuTe's: the last mode of an outer layout extends, and divides round up. The
//! checks of a stricter policy are in [`domain`](crate::domain). The four core operations, from
//! which most others are built, are coalesce, composition, complement and right inverse. A divide,
//! for instance, composes a layout with a tiler and the tiler's complement:
//!
//! ```
//! use cute_algebra::{Tiler, complement, composition, logical_divide};
//! use cute_algebra::{Layout, parse_layout, parse_shape};
//! let (layout, tile) = (parse_layout("24:2")?, parse_layout("4:3")?);
//! let rest = complement(&tile, parse_shape("24")?.view())?;
//! let both = Layout::from_modes([tile.clone(), rest]);
//! assert_eq!(both.to_string(), "(4,(3,2)):(3,(1,12))");
//! let divided = composition(&layout, &Tiler::Layout(both))?;
//! assert_eq!(divided.to_string(), "(4,(3,2)):(6,(2,24))");
//! assert_eq!(divided, logical_divide(&layout, &Tiler::Layout(tile))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | operations |
//! |---|---|
//! | `size` | size, cosize, coshape, product, ceil_div, shape_div, compatible |
//! | `coords` | crd2idx, layout_eval, idx2crd, crd2crd, get_hier/flat/1d_coord |
//! | `modes` | get, group, flatten, select, take, append, prepend, replace |
//! | `coalesce` | coalesce, filter, filter_zeros |
//! | `composition`, `complement`, `inverse` | composition, complement, right and left inverse, max_common_vector |
//! | `outer`, `stencil` | outer divides, stencil_divide |
//! | `relate`, `image` | congruence, compatibility and order with reasons; compact, contiguous |
//! | `fast_divmod` | division by an invariant divisor |
//! | `divide`, `product` | logical, zipped, tiled, flat; blocked and raked product |
//! | `slice`, `swizzled` | slice, dice, and slices behind a swizzle |
//! | `make` | make_layout_like, make_ordered_layout, make_fragment_like |
//! | `partition` | local_tile, local_partition, outer_partition |
//! | `recast` | upcast, downcast, recast_layout |
//! | `fit` | tile_to_shape, evenly_divides, max_alignment, domain_distribute |
//! | `equivalent`, `same_image` | equivalent, same_image |
//! | `offsets` | all values at once |
//! | `bases`, `basis_product` | inverses, complements and products of layouts with basis strides |
//! | `arithmetic` | tuple_sub, tuple_mul, tuple_div, tuple_mod, increment_coord, pad_tuple |
//! | `cover` | tiles_in, cover_shape: tiles and blocks that need not divide |

mod arithmetic;
mod bases;
mod basis_product;
pub(crate) mod coalesce;
mod complement;
pub(crate) mod composition;
pub(crate) mod coords;
mod cover;
pub(crate) mod divide;
mod equivalent;
mod fast_divmod;
mod fit;
mod image;
mod inverse;
mod make;
mod modes;
mod offsets;
mod outer;
pub(crate) mod partition;
mod product;
mod recast;
mod relate;
mod same_image;
pub(crate) mod size;
mod slice;
mod stencil;
mod swizzled;

pub use arithmetic::{
    increment_coord, pad_tuple, sizes_of_modes, tuple_div, tuple_mod, tuple_mul, tuple_sub,
};
pub use bases::{complement_of_bases, left_inverse_of_bases, right_inverse_of_bases};
pub(crate) use basis_product::complement_along_last;
pub use basis_product::{Arrangement, product_of_bases};
pub use coalesce::{
    coalesce, coalesce_profile, coalesce_up_to, filter, filter_profile, filter_zeros, filter_zeros_profile,
};
pub use complement::{complement, complement_in_cosize, complement_uncoalesced};
pub use composition::composition;
pub use coords::{
    crd2crd, crd2idx, crd2idx_in_shape, get_1d_coord, get_flat_coord, get_hier_coord, idx2crd, layout_eval,
};
pub(crate) use cover::repetitions;
pub use cover::{cover_shape, tiles_in};
pub use divide::{Grouping, divide_uncoalesced, flat_divide, logical_divide, tiled_divide, zipped_divide};
pub use equivalent::equivalent;
pub use fast_divmod::FastDivisor;
pub use fit::{domain_distribute, evenly_divides, max_alignment, product_each, tile_to_shape};
pub use image::{is_compact, is_contiguous};
pub use inverse::{Invertible, left_inverse, max_common_layout, max_common_vector, nullspace, right_inverse};
pub use make::{make_fragment_like, make_layout_like, make_ordered_layout};
pub use modes::{
    append, append_to_rank, append_to_rank_with, flatten, get, group, prepend, prepend_to_rank_with, replace,
    select, take, unflatten,
};
pub use offsets::offsets;
pub use outer::{
    outer_flat_divide, outer_logical_divide, outer_tiled_divide, outer_zipped_divide, reverse, reverse_tiler,
};
pub use partition::{
    local_partition, local_partition_projected, local_tile, local_tile_projected, outer_partition,
};
pub use product::{
    blocked_product, flat_product, logical_product, raked_product, tiled_product, zipped_product,
};
pub use recast::{Recast, downcast, recast_layout, upcast};
pub use relate::{
    Mismatch, Relation, Verdict, congruent, elem_less, relate, weakly_compatible, weakly_congruent,
};
pub use same_image::same_image;
pub use size::{
    add_values, ceil_div, compatible, coshape, cosize, cosize_at, product, shape_div, size, size_at,
};
pub use slice::{Sliceable, dice, dice_tile, dice_tuple, slice, slice_and_offset, slice_tuple};
pub use stencil::stencil_divide;

pub use crate::layout::{make_identity_layout, make_layout, make_layout_right};
