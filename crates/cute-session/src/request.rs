//! Requests for a compilation, and their results.

use cute_algebra::Domain;
pub use cute_driver::Emit;
use cute_driver::ptxas;

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
    /// How to launch the kernels, as JSON; not for [`Emit::Assigned`] and [`Emit::Mlir`].
    pub manifest: Option<String>,
}
