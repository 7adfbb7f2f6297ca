//! mlir-opt's main function.

use std::{
    env,
    ffi::{CString, c_char, c_int},
    os::unix::ffi::OsStringExt,
};

use crate::dialect::{Dialect, install};

unsafe extern "C" {
    fn cuteOptMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

/// Runs mlir-opt, everything registered, on the arguments of this process; returns the exit code.
pub fn main(dialect: Dialect) -> i32 {
    install(dialect);
    let arguments: Vec<_> = env::args_os().filter_map(|a| CString::new(a.into_vec()).ok()).collect();
    let mut raw: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
    let count = raw.len() as c_int;
    raw.push(std::ptr::null());
    // SAFETY: a NULL-terminated argument vector that outlives the call.
    unsafe { cuteOptMain(count, raw.as_ptr()) }
}
