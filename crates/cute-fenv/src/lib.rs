//! The floating-point mode of a call: the default one, whatever mode the thread of the caller is
//! in. Otherwise, the same module could fold to other numbers, or simulate to them: other libraries
//! of a process change how sums are rounded, or make small numbers 0.
//!
//! This crate must not know layouts, nor MLIR.

#[cfg(target_os = "linux")]
mod mode {
    use std::{ffi::c_int, ptr};

    /// Room for the `fenv_t` of any C library.
    #[repr(C, align(16))]
    pub(super) struct Mode([u8; 128]);

    unsafe extern "C" {
        fn fegetenv(mode: *mut Mode) -> c_int;
        fn fesetenv(mode: *const Mode) -> c_int;
    }

    /// `FE_DFL_ENV`, the mode in which programs start.
    const DEFAULT: *const Mode = ptr::without_provenance(usize::MAX);

    impl Mode {
        /// Sets the default mode, and returns the one before.
        pub(super) fn replace() -> Self {
            let mut mode = Self([0; 128]);
            // SAFETY: the mode can be written to, and the default is one.
            unsafe {
                fegetenv(&mut mode);
                fesetenv(DEFAULT);
            }
            mode
        }

        pub(super) fn set(&self) {
            // SAFETY: `fegetenv` has written the mode.
            unsafe { fesetenv(self) };
        }
    }
}

/// Other systems spell the default mode in other ways. There, the mode stays that of the caller.
#[cfg(not(target_os = "linux"))]
mod mode {
    pub(super) struct Mode;

    impl Mode {
        pub(super) fn replace() -> Self {
            Self
        }

        pub(super) fn set(&self) {}
    }
}

/// Restores the mode of the caller when it is dropped.
#[must_use]
pub struct Restore(mode::Mode);

impl Drop for Restore {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Sets the default mode until the result is dropped. Threads that start meanwhile inherit it.
pub fn by_default() -> Restore {
    Restore(mode::Mode::replace())
}
