//! The errors of CUDA, whose numbers the runtime and the driver share.

/// An error of CUDA by its number: `cudaError_t`, or the `CUresult` of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error(pub i32);

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An argument is outside of what the function takes.
    pub const INVALID_VALUE: Self = Self(1);
    /// There is not enough memory.
    pub const OUT_OF_MEMORY: Self = Self(2);
    /// The function is not answered here.
    pub const NOT_SUPPORTED: Self = Self(801);
    /// A failure that CUDA has no number for.
    pub const UNKNOWN: Self = Self(999);
}
