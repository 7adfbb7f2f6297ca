//! Scale factors of block-scaled MMAs: their layouts in global, shared and tensor memory. This
//! module contains layouts, not instructions; the scales that an atom takes are a field of its row.
//!
//! | file | subject |
//! |---|---|
//! | `error` | the reasons why factors have no layout |
//! | `vector` | the number of elements that share a factor, and the block of factors that memory consists of |
//! | `global` | matrices of factors in global memory |
//! | `tile` | the factors of a tile of `tcgen05.mma` in shared and in tensor memory |
//! | `warp` | the factors of a tile of `mma.sync` in shared memory, and the part that a thread has |
//!
//! A row of A or B has a factor for every [`SfVec`] elements of K. Layouts of factors are over the
//! coordinates of the *elements*: a mode of stride 0 stands for the elements that share a factor.
//!
//! Source: `Sm1xxBlockScaledConfig` and its siblings in `cutlass/detail`, and `tmem_sf_frg` in
//! `cute/atom/mma_traits_sm100_frag.hpp` of CUTLASS 4.7.0.

mod error;
mod global;
mod tile;
mod vector;
mod warp;

pub use error::{NoScales, Result};

pub use global::{
    sf_tensor_atom, tile_atom_to_shape, tile_atom_to_shape_sf, tile_atom_to_shape_sfa,
    tile_atom_to_shape_sfb, tile_atom_to_shape_sfd,
};
pub use tile::{
    is_sfb_two_by_two, make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa,
    make_tmem_layout_sfb, sf_mma_shape, sf_of_mma,
};
pub use vector::{SF_BLOCK, SfBlock, SfVec, sf_atom, sf_rows};
pub use warp::{sf_of_thread, sm120_make_smem_layout_sfa, sm120_make_smem_layout_sfb};
