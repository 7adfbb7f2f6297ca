//! The errors that stop a compilation.

use cute_dialect::DYNAMIC_SHARED_MEMORY;

use crate::ptxas;

/// Result of a step.
pub type Result<T> = std::result::Result<T, Error>;

/// An error that stops a compilation. The message follows the name of the module.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// MLIR's diagnostics gave the reason.
    #[error("compilation failed")]
    Reported,
    /// A pass failed and reported nothing, or is not registered.
    #[error("the passes failed: {0}")]
    Passes(String),
    /// There is nothing to compile.
    #[error("there is no gpu.module with a kernel")]
    NoKernel,
    /// There is more than one module to compile.
    #[error("there are kernels in more than one gpu.module ({}); compile one at a time", modules.join(", "))]
    ManyModules { modules: Vec<String> },
    /// A kernel whose attribute for dynamic shared memory is not a number of bytes.
    #[error("kernel '{kernel}': {DYNAMIC_SHARED_MEMORY} counts bytes, an integer from 0 on, found {given}")]
    DynamicSharedMemory { kernel: String, given: String },
    /// A kernel or host function whose attributes for extents and blocks cannot be read.
    #[error("kernel '{kernel}': {why}")]
    Expected { kernel: String, why: String },
    /// LLVM's own message.
    #[error("{0}")]
    Llvm(String),
    /// There is no cubin.
    #[error(transparent)]
    Ptxas(#[from] ptxas::Error),
}
