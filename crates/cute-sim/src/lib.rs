//! Runs a lowered GPU kernel on the CPU, so that a test can compare compiled code with a plain
//! loop.
//!
//! The input is a `gpu.module` whose kernels are in MLIR's LLVM and NVVM dialects, as
//! `convert-gpu-to-nvvm` and its companions leave it. [`Program::decode`] turns it into a compact
//! program once. [`Program::run`] executes a launch, and either finishes or returns findings, with
//! the block, the thread and the source location of each.
//!
//! These properties are checked: bounds and alignment of every access, races in shared and global
//! memory, reads of unwritten shared memory, reads of data that an asynchronous copy has not
//! delivered yet, decisions that depend on undefined values, barriers and collectives that some
//! thread never reaches, divisions and shifts without a result, `nsw` and `nuw` arithmetic that
//! wraps, and an instruction budget. Bank conflicts and sectors are counted for each access in the
//! source.
//!
//! ```
//! use cute_sim::{Arg, Launch, Memory, Program};
//! use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};
//!
//! let registry = DialectRegistry::new();
//! register_all_dialects(&registry);
//! let context = Context::new();
//! context.append_dialect_registry(&registry);
//! context.load_all_available_dialects();
//! let module = Module::parse(
//!     &context,
//!     r#"
//!     gpu.module @kernels {
//!       llvm.func @double(%data: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
//!         %i = nvvm.read.ptx.sreg.tid.x : i32
//!         %p = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
//!         %x = llvm.load %p : !llvm.ptr<1> -> f32
//!         %y = llvm.fadd %x, %x : f32
//!         llvm.store %y, %p : f32, !llvm.ptr<1>
//!         llvm.return
//!       }
//!     }"#,
//! )
//! .expect("the module parses");
//!
//! let program = Program::decode(module.as_operation())?;
//! let mut memory = Memory::new();
//! let data = memory.upload(&[1.0f32, 2.0, 3.0]);
//! let report = program.run(&Launch::new("double", [1, 1, 1], [3, 1, 1]), &mut memory, &[Arg::Buffer(data)])?;
//! assert_eq!(memory.download::<f32>(data), [2.0, 4.0, 6.0]);
//! assert_eq!(report.stats.loads, 3);
//!
//! // One thread too many.
//! let error = program.run(&Launch::new("double", [1, 1, 1], [4, 1, 1]), &mut memory, &[Arg::Buffer(data)]);
//! assert!(error.unwrap_err().to_string().contains("4 bytes at byte 12 of buffer 0, which has 12 bytes"));
//! # Ok::<(), cute_sim::Error>(())
//! ```
//!
//! The results are the device's where the device is exact. `sin` and similar functions are the
//! host's, and [`accuracy`] lists how far the device may be from them. Time is not modelled, except
//! that [`wavefronts`] counts the passes of a shared memory access.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod decode;
mod engine;
mod error;
mod exec;
mod finding;
mod ir;
mod lanes;
mod machine;
mod memory;
mod op;
mod program;
mod race;
mod report;
mod schedule;
mod sectors;
pub mod tensor;
mod types;
mod value;

pub use cute_arch::banks::wavefronts;
pub use error::Error;
pub use finding::{
    AccessKind, BulkRule, ClusterBarrierMisuse, Completion, CopyRole, Finding, FindingKind, Grade,
    MbarrierMisuse, Origin, Party, PendingCopy, Place, ProxyRule, TensorFence, TensorRule, Waiting,
    WgmmaRule,
};
pub use machine::{Arg, Launch, Schedule};
pub use memory::{Buffer, Element, Memory};
pub use program::Program;
pub use report::{OpCount, Report, SiteCount, Stats, Traffic};
pub use value::accuracy::{self, Accuracy, ErrorBound};
pub use value::format;
