//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction, or family of instructions |
//! | `alu` | names that all effects use |
//! | `meet` | barriers |
//! | `access` | what accesses of memory have in common |
//! | `order` | the order that atomic operations make |
//! | `span` | the places that lanes access |
//! | `issue` | what issues of asynchronous operations have in common |
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

mod access;
pub(crate) mod alu;
mod columns;
pub(crate) mod control;
mod course;
mod dependence;
pub(crate) mod flight;
mod issue;
mod maps;
mod meet;
mod order;
mod remote;
pub(crate) mod span;
mod step;
pub(crate) mod swizzles;
mod tcgen05;
pub(crate) mod tiles;
mod tmem;
mod undefined;
mod unwaited;
pub(crate) mod wgmma;
