//! The versions of CUDA that programs are told.

use std::ffi::c_int;

use super::{Function, answer};
use crate::error::{Error, Result};

/// The newest version whose functions are known: 13.0.
const NEWEST: c_int = 13000;

/// The version of `libcudart.so.12`: 12.9.
const TWELVE: c_int = 12090;

/// Writes a version.
fn tell(version: c_int, to: *mut c_int) -> Result<()> {
    // SAFETY: the caller passes null or a place for an integer.
    let to = unsafe { to.as_mut() }.ok_or(Error::INVALID_VALUE)?;
    *to = version;
    Ok(())
}

unsafe extern "C" fn newest(version: *mut c_int) -> i32 {
    answer("cudaRuntimeGetVersion", || tell(NEWEST, version))
}

unsafe extern "C" fn twelve(version: *mut c_int) -> i32 {
    answer("cudaRuntimeGetVersion", || tell(TWELVE, version))
}

/// The functions of this family. A driver runs programs of older versions than its own.
pub const FUNCTIONS: &[Function] = &[
    Function { name: "cudaDriverGetVersion", address: newest as *const (), ignored: None },
    Function { name: "cudaRuntimeGetVersion", address: newest as *const (), ignored: None },
    Function { name: "cudaRuntimeGetVersion@12", address: twelve as *const (), ignored: None },
    Function { name: "cuDriverGetVersion", address: newest as *const (), ignored: None },
];
