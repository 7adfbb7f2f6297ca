//! The registers of a warp beyond their bits: undefined values, values in flight, values
//! that are followed to their uses, and registers
//! that calls have saved.

pub(crate) mod doubt;
pub(crate) mod flight;
pub(crate) mod frame;
pub(crate) mod unknown;
