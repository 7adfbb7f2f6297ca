//! Families of instructions, one folder each: their operations, the rules about them, their state
//! in a cluster, and their effects.
//!
//! | file of a family | subject | may name |
//! |---|---|---|
//! | `op` | its operations, as a program holds them | operands, values |
//! | `rules` | what can go wrong | threads and instructions that findings quote |
//! | `rows`, `outbox` and the like | its data, whose fields only the family reads | |
//! | all others | its effects | the machine |
//!
//! The files lie at different heights of the crate: `program` names `op`, and `finding` names
//! `rules`. `step` names the functions that execute an operation.

pub(crate) mod barrier;
pub(crate) mod bulk;
pub(crate) mod cluster;
pub(crate) mod collective;
pub(crate) mod control;
pub(crate) mod cp_async;
pub(crate) mod fence;
pub(crate) mod launch;
pub mod matrix;
pub(crate) mod mbarrier;
pub(crate) mod memory;
pub(crate) mod scalar;
pub(crate) mod setmaxnreg;
pub(crate) mod system;
pub(crate) mod tcgen05;
pub(crate) mod tensor_map;
pub(crate) mod wgmma;
