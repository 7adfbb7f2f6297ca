//! What each instruction does to a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the instructions, one arm each |
//! | `alu`, `scalar` | arithmetic of 32 lanes |
//! | `access`, `atomic` | loads, stores, atomic operations |
//! | `span`, `together`, `own` | where lanes access, and all of them at once |
//! | `bulk`, `boxes` | what the TMA is asked for; boxes of tensors |
//! | `call` | device functions |
//! | `collective` | shuffles, votes and their like |
//! | `copy` | `cp.async` |
//! | `fences` | fences of the async proxy, and for relaxed synchronisation |
//! | `maps` | tensor maps that a kernel changes |
//! | `mbarrier` | `mbarrier` |
//! | `remote`, `control` | `st.async` and `red.async`; `clusterlaunchcontrol` |
//! | `unknown` | values that nothing gave |
//! | `tensor` | `mma.sync`, `ldmatrix`, `stmatrix` |
//! | `wgmma`, `flight` | products of warpgroups; registers that they are still to write |
//! | `columns`, `tmem` | tensor memory: who has which columns, and what warps load and store there |
//! | `tcgen05` | what a thread asks of the tensor cores |
//! | `tiles` | tiles in shared memory that products read |
//! | `print`, `printf` | `vprintf` and traps; what a format and its arguments make |

mod access;
pub(crate) mod alu;
pub(crate) mod atomic;
mod boxes;
mod bulk;
pub(crate) mod call;
mod collective;
mod columns;
pub(crate) mod control;
mod copy;
pub(crate) mod fences;
pub(crate) mod flight;
mod maps;
mod mbarrier;
mod own;
mod print;
mod printf;
mod remote;
mod scalar;
pub(crate) mod span;
mod step;
mod tcgen05;
mod tensor;
pub(crate) mod tiles;
mod tmem;
mod together;
pub(crate) mod unknown;
pub(crate) mod wgmma;
