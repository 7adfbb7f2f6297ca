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
    /// A launch that the device cannot have.
    pub const INVALID_CONFIGURATION: Self = Self(9);
    /// Rows that are longer than their distance.
    pub const INVALID_PITCH: Self = Self(12);
    /// A copy of a kind that does not exist.
    pub const INVALID_MEMCPY_DIRECTION: Self = Self(21);
    /// No variable has this address.
    pub const INVALID_SYMBOL: Self = Self(13);
    /// No kernel has this address.
    pub const INVALID_DEVICE_FUNCTION: Self = Self(98);
    /// A module has no code for the device.
    pub const NO_KERNEL_IMAGE: Self = Self(209);
    /// No stream or event has this handle.
    pub const INVALID_HANDLE: Self = Self(400);
    /// A stream is not in the state that a call needs.
    pub const ILLEGAL_STATE: Self = Self(401);
    /// Nothing has this name.
    pub const NOT_FOUND: Self = Self(500);
    /// A call that no stream can capture.
    pub const CAPTURE_UNSUPPORTED: Self = Self(900);
    /// Something has not ended yet.
    pub const NOT_READY: Self = Self(600);
    /// A thread used memory that is not allocated.
    pub const ILLEGAL_ADDRESS: Self = Self(700);
    /// A thread used an address that is not a multiple of the size of its access.
    pub const MISALIGNED_ADDRESS: Self = Self(716);
    /// A kernel failed.
    pub const LAUNCH_FAILURE: Self = Self(719);
    /// The function is not answered here.
    pub const NOT_SUPPORTED: Self = Self(801);
    /// A failure that CUDA has no number for.
    pub const UNKNOWN: Self = Self(999);
}
