//! The C library `libcute.so`, whose interface is `include/cute.h`.
//!
//! This crate translates between C and `cute-session`, which does the work. It must not depend on
//! MLIR's types, nor decide anything about a compilation. Each function catches panics, so that
//! none unwinds into C.
//!
//! | module | subject |
//! |---|---|
//! | `arguments` | pointers, texts and numbers that C passes |
//! | `bind` | the arguments of a kernel or host function |
//! | `session` | sessions and their options |
//! | `callback` | the callback for diagnostics |
//! | `loaded` | the file of this library |
//! | `result` | results and their parts |
//! | `calls` | verification, import, compilation, host functions |
//! | `simulate` | launches in the simulator |

mod arguments;
mod bind;
mod callback;
mod calls;
mod loaded;
mod result;
mod session;
mod simulate;

use std::ffi::c_char;

/// `CUTE_API`: the version of the interface.
pub const API: u32 = 1;

/// `cute_status`.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The call did what it should.
    Ok = 0,
    /// A null pointer, an unknown option, or a value that is not valid.
    InvalidArgument = 1,
    /// The library does not have the version of the header.
    WrongVersion = 2,
    /// A text that is not UTF-8, or has a NUL in it.
    NotText = 3,
    /// The module is wrong, or cannot be compiled.
    Failed = 4,
    /// The simulated kernel has mistakes.
    Findings = 5,
    /// The callback for diagnostics asked to stop.
    Closed = 6,
    /// A defect of the library.
    Internal = 7,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Status::InvalidArgument, message)
    }

    /// The failure that a panic is.
    pub(crate) fn panic(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Self::new(Status::Internal, format!("internal error: {text}"))
    }
}

impl From<cute_session::Error> for Failure {
    fn from(error: cute_session::Error) -> Self {
        let status = match error {
            cute_session::Error::NotText { .. } | cute_session::Error::Nul { .. } => Status::NotText,
            _ => Status::Failed,
        };
        Self::new(status, error.to_string())
    }
}

impl From<cute_launch::Error> for Failure {
    fn from(error: cute_launch::Error) -> Self {
        use cute_launch::Error;
        let status = match error {
            Error::Launch { .. } | Error::ArgumentCount { .. } | Error::Argument { .. } => {
                Status::InvalidArgument
            }
            Error::NoMemory { .. } => Status::InvalidArgument,
            _ => Status::Failed,
        };
        Self::new(status, error.to_string())
    }
}

impl From<cute_driver::options::Error> for Failure {
    fn from(error: cute_driver::options::Error) -> Self {
        Self::argument(error.to_string())
    }
}

/// `cute_version`.
#[unsafe(no_mangle)]
pub extern "C" fn cute_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// `cute_api_version`.
#[unsafe(no_mangle)]
pub extern "C" fn cute_api_version() -> u32 {
    API
}
