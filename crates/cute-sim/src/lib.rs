//! Runs a lowered GPU kernel on the CPU, so that a test can compare compiled code with a plain
//! loop.
//!
//! The input is a [`Program`], which `cute-decode` reads from MLIR's LLVM and NVVM dialects; this
//! crate does not depend on MLIR. [`Program::run`] executes a launch, and either finishes or
//! returns findings, with the block, the thread and the source location of each.
//!
//! These properties are checked: bounds and alignment of every access, races in shared and global
//! memory, reads of unwritten shared memory, reads of data that an asynchronous copy has not
//! delivered yet, decisions that depend on undefined values, barriers and collectives that some
//! thread never reaches, divisions and shifts without a result, `nsw` and `nuw` arithmetic that
//! wraps, and an instruction budget. Bank conflicts and sectors are counted for each access in the
//! source.
//!
//! The results are the device's where the device is exact. `sin` and similar functions are the
//! host's, and [`accuracy`] lists how far the device may be from them. Time is not modelled, except
//! that [`wavefronts`] counts the passes of a shared memory access.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod access;
mod agents;
mod block;
mod by_key;
mod course;
mod engine;
mod error;
pub mod events;
mod exec;
mod families;
mod finding;
mod heap;
mod isa;
mod lanes;
mod machine;
mod memory;
pub mod names;
mod operand;
pub mod order;
pub mod program;
mod quoted;
mod race;
mod refusal;
mod registers;
mod report;
mod schedule;
mod shared;
mod task;
pub mod tensor;
mod update;

pub use cute_arch::banks::wavefronts;
pub use cute_machine::{
    accuracy::{self, Accuracy, ErrorBound},
    format,
    place::{self, SourcePlace},
};
pub use error::Error;
pub use families::wgmma::model::Wgmma;
pub use families::{collective::movmatrix, matrix};
pub use finding::{
    AccessKind, BarrierState, BulkRule, ClusterBarrierMisuse, Completion, CopyRole, ExplainedKinds, Finding,
    FindingKind, Grade, HeapAct, HeapBlock, HeapRule, ISA_RULES, IsaRule, KINDS, MbarrierMisuse, Origin,
    Party, PendingCopy, Place, Places, ProxyRule, Queues, RULES, Rule, ScaleRule, Side, Spot, TensorFence,
    TensorRule, Waiting, WaitingWarp, WgmmaRule, explain,
};
pub use machine::{Arg, Elected, Election, Launch, Schedule, Start, Stop, workers};
pub use memory::{Buffer, Contents, Element, Image, MOST_BYTES, Memory, Operation, Touch, Zeros, address};
pub use program::Program;
pub use refusal::{Malformed, Refused, Unmodelled};
pub use report::{
    BankCount, BufferCount, Counted, Found, LeftOut, OpCount, Report, Sample, SiteCount, Stats, Traffic,
    WarpAccess,
};
