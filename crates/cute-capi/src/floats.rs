//! The floating-point mode of a call: the default one, whatever mode the thread of the caller is
//! in. Otherwise, the same module could fold to other numbers, or simulate to them.

use std::{ffi::c_int, ptr};

/// Room for the `fenv_t` of any C library.
#[repr(C, align(16))]
struct Mode([u8; 128]);

unsafe extern "C" {
    fn fegetenv(mode: *mut Mode) -> c_int;
    fn fesetenv(mode: *const Mode) -> c_int;
}

/// `FE_DFL_ENV`, the mode in which programs start.
const DEFAULT: *const Mode = ptr::without_provenance(usize::MAX);

/// Restores the mode of the caller.
pub(crate) struct Restore(Mode);

impl Drop for Restore {
    fn drop(&mut self) {
        // SAFETY: `fegetenv` has written the mode.
        unsafe { fesetenv(&self.0) };
    }
}

/// Sets the default mode until the result is dropped. Threads that start meanwhile inherit it.
#[must_use]
pub(crate) fn by_default() -> Restore {
    let mut mode = Mode([0; 128]);
    // SAFETY: the mode can be written to, and the default is one.
    unsafe {
        fegetenv(&mut mode);
        fesetenv(DEFAULT);
    }
    Restore(mode)
}
