//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction |
//! | `compute`, `alu`, `scalar` | instructions that only compute; arithmetic of 32 lanes |
//! | `flow`, `meet` | branches, calls and ends; barriers |
//! | `special` | values that the machine gives a thread |
//! | `access`, `atomic` | loads, stores, atomic operations |
//! | `order` | the order that atomic operations make |
//! | `span`, `together`, `own` | the places that lanes access, and accesses of all lanes at once |
//! | `call`, `stack` | device functions; local memory that a thread allocates |
//! | `coordinates` | coordinates beyond their extents, and accesses through them |
//! | `issue` | what issues of asynchronous operations have in common |
//! | `heap` | `malloc` and `free` of threads |
//! | `maps` | tensor maps that a kernel changes |
//! | `course` | the order of execution |
//! | `dependence` | `griddepcontrol` |
//! | `remote`, `control` | `st.async` and `red.async`; `clusterlaunchcontrol` |
//! | `undefined` | reads of arrays that begin undefined |
//! | `wgmma`, `flight` | MMAs of warpgroups; registers that they have not written yet |
//! | `columns`, `tmem` | tensor memory: allocation of columns, and loads and stores by warps |
//! | `unwaited` | accesses to tensor memory that are over, although nothing has waited for them |
//! | `tcgen05` | operations that a thread issues to the tensor cores |
//! | `tiles` | tiles in shared memory that MMAs read |
//! | `swizzles` | the swizzles of maps, pointers and descriptors |
//! | `print`, `printf` | `vprintf` and traps; formatting |

mod access;
pub(crate) mod alu;
pub(crate) mod atomic;
pub(crate) mod call;
mod columns;
mod compute;
pub(crate) mod control;
mod coordinates;
mod course;
mod dependence;
pub(crate) mod flight;
mod flow;
mod heap;
mod issue;
mod maps;
mod meet;
mod order;
mod own;
mod print;
mod printf;
mod remote;
mod scalar;
pub(crate) mod span;
mod special;
mod stack;
mod step;
pub(crate) mod swizzles;
mod tcgen05;
pub(crate) mod tiles;
mod tmem;
mod together;
mod undefined;
mod unwaited;
pub(crate) mod wgmma;
