//! The operations, one family per file. Each is written once, generic over [`Int`](crate::Int).
//!
//! The meaning is CuTe's: the last mode of an outer layout extends, divides round up. What a stricter policy rejects is
//! in the strict policy.

pub use crate::layout::{make_identity_layout, make_layout, make_layout_right};
