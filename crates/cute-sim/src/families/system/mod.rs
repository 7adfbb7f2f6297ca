//! Functions that the system of a device has: `vprintf`, `malloc` and `free`.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `execute` | the effect of each |
//! | `print`, `printf` | `vprintf`, and the texts of traps; formatting |
//! | `heap` | `malloc` and `free` of threads |

pub(crate) mod execute;
mod heap;
pub mod op;
pub(crate) mod print;
mod printf;
