//! Instructions that move and multiply matrices, through the whole pipeline: where elements arrive
//! in the simulator, and which addresses and descriptors the lowered code computes.

mod block_scaled;
#[path = "../common/full.rs"]
mod full;
mod ldmatrix;
mod tensor_memory;
mod umma;
mod vectors;
