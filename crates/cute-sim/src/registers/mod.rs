//! The registers of a warp beyond their bits: undefined values, values in flight, and registers
//! that calls have saved.

pub(crate) mod flight;
pub(crate) mod frame;
pub(crate) mod unknown;
