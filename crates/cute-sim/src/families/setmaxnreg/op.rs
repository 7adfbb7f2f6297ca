//! `setmaxnreg` as an operation of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use serde::{Deserialize, Serialize};

/// Sets the number of registers per thread, by a warpgroup together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetRegistersOp {
    pub count: u32,
    pub increase: bool,
}

impl SetRegistersOp {
    /// The number of registers that it asks for.
    pub(crate) fn count(self) -> u32 {
        self.count
    }
}
