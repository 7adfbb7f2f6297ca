//! Block-scaled MMAs: layouts of scale factors, descriptors and partitions, as CUTLASS makes them.
//! This module handles requests; `cute-arch` has the layouts and descriptors.
//!
//! | file | requests about |
//! |---|---|
//! | `global` | scale factors in global memory |
//! | `types` | element types |
//! | `descriptor` | instruction descriptors |
//! | `traits` | the atoms of `tcgen05.mma` and of `mma.sync` |
//! | `partition` | the parts that a `tcgen05.mma` takes of a tile, in shared and in tensor memory |
//! | `utccp` | copies from shared to tensor memory |
//! | `sm120` | a tile of `mma.sync`, in shared memory and in registers |

mod descriptor;
mod global;
mod partition;
mod sm120;
mod traits;
mod types;
mod utccp;

use cute_algebra::{Crd, Layout, Tuple, crd2idx};
use cute_arch::block_scaled::NoScales;
use serde_json::{Map, Value as Json, json};

use crate::{
    error::Result,
    inputs::{Inputs, broken, wrong},
};

/// The requests about sparse matrices, which are refused.
const SPARSE: [&str; 11] = [
    "mma_traits_sm100_sparse",
    "mma_traits_sm90_sparse",
    "sm120_sparse_blockscaled_collective",
    "sm80_meta_reorder",
    "sm80_sparse_mma",
    "sm80_uncompress",
    "sparse_compress",
    "sparse_config",
    "sparse_fill_layout",
    "sparse_smem_atom",
    "tmem_e_frg",
];

/// The answer to a request with `inputs`, if `op` belongs to this module.
pub fn answer(op: &str, inputs: &Map<String, Json>) -> Option<Result<Json>> {
    if SPARSE.contains(&op) {
        return Some(not_sparse(op));
    }
    let function = match op {
        "sf_atom" => global::atom,
        "sf_layout" => global::layout,
        "sf_layout_deduce" => global::deduced,
        "sf_output_layout" => global::output,
        "sf_tensor_layout" => global::tensor,
        "narrow_type" => types::narrow,
        "instr_desc" => descriptor::plain,
        "instr_desc_block_scaled" => descriptor::scaled,
        "runtime_instr_desc_block_scaled" => descriptor::with_addresses,
        "mma_traits_block_scaled" => traits::tcgen05,
        "mma_traits_sm120" => traits::warp,
        "tmem_sf_frg" => partition::in_tensor_memory,
        "blockscaled_partition" => partition::of_tile,
        "utccp_traits" => utccp::traits,
        "utccp_copy" => utccp::copy,
        "sm120_blockscaled_collective" => sm120::collective,
        _ => return None,
    };
    let inputs = Inputs(inputs);
    Some(inputs.flag("sparse").and_then(|sparse| match sparse {
        true => not_sparse(op),
        false => function(&inputs),
    }))
}

/// The error for sparse matrices.
fn not_sparse<T>(what: &str) -> Result<T> {
    Err(broken("sparse_not_supported", format!("{what}: sparse matrices are not supported")))
}

/// An error about scale factors, by its rule.
fn scales<T>(result: std::result::Result<T, NoScales>) -> Result<T> {
    result.map_err(|error| broken(error.rule_name(), error))
}

/// An error of the algebra, which has no column here.
fn algebra<T>(result: cute_algebra::error::Result<T>) -> Result<T> {
    scales(result.map_err(NoScales::from))
}

/// The offset of a coordinate of integers; a single one is an index over all modes.
fn offset(layout: &Layout<i64>, coord: &[i64]) -> Result<i64> {
    let coord = match coord {
        [index] => Tuple::leaf(Crd::Int(*index)),
        all => Tuple::from_leaves(all.iter().map(|i| Crd::Int(*i))),
    };
    let index = algebra(crd2idx(&coord, layout))?;
    algebra(index.expect_int("the offset of a scale factor").copied())
}

/// Those of `candidates` that are below `end`, each once and in their order.
fn below(end: i64, candidates: impl IntoIterator<Item = i64>) -> Vec<i64> {
    let mut kept = Vec::new();
    for candidate in candidates {
        if (0..end).contains(&candidate) && !kept.contains(&candidate) {
            kept.push(candidate);
        }
    }
    kept
}

/// A shape of three static extents.
fn mnk(inputs: &Inputs<'_>, key: &str) -> Result<[i64; 3]> {
    let shape = inputs.shape(key)?;
    let extents = <[i64; 3]>::try_from(shape.leaves().to_vec()).ok();
    let positive = extents.filter(|extents| shape.rank() == 3 && extents.iter().all(|extent| *extent > 0));
    positive.ok_or_else(|| wrong(key, format!("(M,N,K) with positive extents is expected, found {shape}")))
}

/// `0x` and the digits of a word.
fn hex(word: u32) -> Json {
    json!(format!("{word:#010x}"))
}
