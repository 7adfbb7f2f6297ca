//! Requests for a compilation, and their results.

use cute_algebra::Domain;
use cute_driver::ptxas;

/// The outputs of a compilation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// The module in the llvm and nvvm dialects.
    Mlir,
    /// LLVM IR, not optimized.
    Llvm,
    /// PTX.
    Ptx,
    /// Machine code, by ptxas.
    Cubin,
    /// How to launch the kernels, as JSON.
    Manifest,
}

/// A product of a module, and how to make it.
#[derive(Debug, Clone)]
pub struct Request {
    /// The requested output.
    pub emit: Emit,
    /// The domain policy where no `cute.domain` attribute specifies one.
    pub domain: Option<Domain>,
    /// The steps up to PTX.
    pub settings: cute_driver::Options,
    /// The step from PTX to a cubin.
    pub ptxas: ptxas::Options,
}

/// The result of a compilation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// The requested output.
    pub bytes: Vec<u8>,
    /// How to launch the kernels, as JSON; not for [`Emit::Mlir`].
    pub manifest: Option<String>,
}
