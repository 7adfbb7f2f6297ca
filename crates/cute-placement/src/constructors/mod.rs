//! The placements that instructions need, under the names of TIRx's constructors. Elements count
//! row-major, along the axes of [`axes`](crate::axes).
//!
//! | file | subject |
//! |---|---|
//! | `tensor` | accumulators and A of `tcgen05.mma` in tensor memory, by data path |
//! | `register` | the registers of a warpgroup's threads for `tcgen05.ld` and `st` |
//! | `shared` | tiles in shared memory, swizzled as descriptors specify |
//! | `scale` | scale factors, in tensor and in shared memory |
//! | `trainium` | tensors in the partitions and banks of Trainium |
//!
//! Where TIRx accepts meaningless arguments, these constructors return an error that lists the
//! legal ones.

mod error;
mod register;
mod scale;
mod shared;
mod tensor;
mod trainium;

use crate::{Placement, Point, placement::Iter};
use cute_algebra::Axis;

pub use error::ConstructorError;
pub use register::{AtomShape, tcgen05_atom_layout, wg_local_layout};
pub use scale::{Scales, sf_smem_layout, sf_tmem_layout};
pub use shared::{mma_atom_layout, mma_atom_shape, mma_shared_layout};
pub use tensor::{Datapath, MmaOperand, TmemMma, tmem_datapath_layout, tmem_mma_operand_layout};
pub use trainium::{is_trainium, to_psum, trainium};

type Result<T> = std::result::Result<T, ConstructorError>;

fn iter(extent: i64, stride: i64, axis: &str) -> Result<Iter> {
    Ok(Iter::new(extent, stride, Axis::new(axis)?))
}

/// The placement of these iters and copies: (extent, stride, axis).
fn placed(shard: &[(i64, i64, &str)], replica: &[(i64, i64, &str)]) -> Result<Placement> {
    let iters = |iters: &[(i64, i64, &str)]| -> Result<Vec<Iter>> {
        iters.iter().map(|(extent, stride, axis)| iter(*extent, *stride, axis)).collect()
    };
    Ok(Placement::new(iters(shard)?, iters(replica)?, Point::default())?)
}

/// `inner` with additional iters before and after, none of which merges with another.
fn between(front: Option<Iter>, inner: &Placement, back: Option<Iter>) -> Result<Placement> {
    let shard = front.into_iter().chain(inner.shard().iter().copied()).chain(back).collect();
    Ok(Placement::new(shard, inner.replica().to_vec(), inner.offset().clone())?)
}
