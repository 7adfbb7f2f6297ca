//! The information that a program needs to launch kernels, as data: the compiler writes it, beside
//! PTX or a cubin as JSON, and programs that launch or simulate read it.
//!
//! | module | subject |
//! |---|---|
//! | [`role`] | the parts of an argument that are passed at run time, and what types promise of them |
//! | [`argument`] | arguments as the source declares them |
//! | [`element`] | the names of element types in MLIR |
//! | [`expected`] | extents that must be equal, and the number of blocks |
//! | [`manifest`] | kernels and host functions: parameters, shared memory, numbers of threads |
//! | [`mod@read`] | manifests from their JSON |

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod argument;
pub mod element;
pub mod expected;
pub mod manifest;
pub mod read;
pub mod role;

pub use argument::{Argument, LayoutMode, Tma};
pub use expected::{BlockCount, Expected, Extent};
pub use manifest::{
    Field, Function, Holds, Kernel, Leaf, Manifest, Parameter, Passed, SharedMemory, SharedPart,
};
pub use role::{Promise, Role};

/// The attribute of a kernel, `gpu.func` or `llvm.func`, that holds the number of bytes of dynamic
/// shared memory it needs. Launchers read it; it does not affect compilation.
pub const DYNAMIC_SHARED_MEMORY: &str = "cute.dynamic_shared_memory";
