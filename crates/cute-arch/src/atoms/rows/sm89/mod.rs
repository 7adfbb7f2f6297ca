//! Ada.

pub(crate) mod mma;
