//! CuTe's layouts as placements, and placements as layouts.
//!
//! A layout maps a coordinate, the first mode fastest, to an offset; a placement maps a coordinate,
//! the last dimension fastest, to a place on axes. They share the coordinate: mode `i` is dimension
//! `i`, and within it the leaves have the reverse order.
//!
//! | file | layouts |
//! |---|---|
//! | `register` | of registers: (thread, value) to an element; and in Triton's form |
//! | `tensor` | of tensor memory, in which a lane is 2^16 words: along `TLane` and `TCol` |
//! | `shared` | of shared memory, behind the swizzle of the byte address: along `m` |

mod register;
mod shared;
mod tensor;

pub use register::{Threads, from_thread_value, from_triton_layout, to_thread_value, triton_layout};
pub use shared::{from_shared_memory, storage_swizzle, to_shared_memory};
pub use tensor::{from_tensor_memory, to_tensor_memory};
