//! The functions that name errors and return the last one.

use std::{
    ffi::{CStr, c_char},
    ptr,
};

use crate::{
    api::non_null,
    error::{Error, Result, Row, last, take_last},
    functions,
};

/// The name and the text of a number that is not that of an error.
const UNRECOGNIZED: &CStr = c"unrecognized error code";

/// The row of an error that the runtime has. Driver errors that it lacks are unknown to it.
fn of_runtime(number: i32) -> Option<&'static Row> {
    Error(number).row().filter(|row| row.runtime.is_some())
}

/// Writes what the driver returns about an error that it has, or null.
fn of_driver(number: i32, to: *mut *const c_char, read: impl FnOnce(&Row) -> &'static CStr) -> Result<()> {
    let to = non_null(to)?;
    let row = Error(number).row().filter(|row| row.driver.is_some());
    // SAFETY: the caller passes the address of a pointer.
    unsafe { to.write(row.map_or(ptr::null(), |row| read(row).as_ptr())) };
    row.map(|_| ()).ok_or(Error::INVALID_VALUE)
}

functions! {
    fn cudaGetErrorName(number: i32) -> *const c_char {
        of_runtime(number).and_then(|row| row.runtime).unwrap_or(UNRECOGNIZED).as_ptr()
    }
    fn cudaGetErrorString(number: i32) -> *const c_char {
        of_runtime(number).map_or(UNRECOGNIZED, |row| row.text).as_ptr()
    }
    fn cudaGetLastError() -> i32 {
        take_last().map_or(0, |error| error.0)
    }
    fn cudaPeekAtLastError() -> i32 {
        last().map_or(0, |error| error.0)
    }
    fn cuGetErrorName(number: i32, to: *mut *const c_char) {
        of_driver(number, to, |row| row.driver.unwrap_or_default())
    }
    fn cuGetErrorString(number: i32, to: *mut *const c_char) {
        of_driver(number, to, |row| row.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{fail, tests::alone};

    fn text(from: *const c_char) -> &'static str {
        unsafe { CStr::from_ptr(from) }.to_str().unwrap()
    }

    #[test]
    fn the_runtime_names_its_own_errors() {
        let of = |number| unsafe { (text(cudaGetErrorName(number)), text(cudaGetErrorString(number))) };
        assert_eq!(of(0), ("cudaSuccess", "no error"));
        assert_eq!(of(98), ("cudaErrorInvalidDeviceFunction", "invalid device function"));
        assert_eq!(of(700), ("cudaErrorIllegalAddress", "an illegal memory access was encountered"));
        let unknown = "unrecognized error code";
        assert_eq!([of(202), of(-1), of(10_001)], [(unknown, unknown); 3]);
    }

    #[test]
    fn the_driver_names_its_own_errors() {
        let of = |number| {
            let mut name = ptr::null();
            let error = unsafe { cuGetErrorName(number, &raw mut name) };
            (error, (!name.is_null()).then(|| text(name)))
        };
        assert_eq!(of(0), (0, Some("CUDA_SUCCESS")));
        assert_eq!(of(719), (0, Some("CUDA_ERROR_LAUNCH_FAILED")));
        assert_eq!([of(98), of(-1)], [(1, None); 2]);
        assert_eq!(unsafe { cuGetErrorString(1, ptr::null_mut()) }, 1);
        let mut name = ptr::null();
        assert_eq!(unsafe { cuGetErrorString(2, &raw mut name) }, 0);
        assert_eq!(text(name), "out of memory");
    }

    #[test]
    fn reading_the_last_error_clears_it_and_peeking_does_not() {
        let _turn = alone();
        fail(Error::INVALID_VALUE);
        let read = unsafe { [cudaPeekAtLastError(), cudaGetLastError(), cudaGetLastError()] };
        assert_eq!(read, [1, 1, 0]);
    }
}
