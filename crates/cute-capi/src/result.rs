//! Results: a status, a message, and the parts that a call made.

use std::{
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use crate::{Failure, Status};

/// `cute_part`: the number of a part.
pub(crate) type Part = usize;
pub(crate) const CODE: Part = 0;
pub(crate) const MANIFEST: Part = 1;
pub(crate) const LAUNCHES: Part = 2;
pub(crate) const REPORT: Part = 3;
pub(crate) const REPORT_JSON: Part = 4;
pub(crate) const DIAGNOSTICS: Part = 5;
pub(crate) const REPORT_HTML: Part = 6;
pub(crate) const ERROR_JSON: Part = 7;
const PARTS: usize = 8;

/// `cute_result`.
pub struct CuteResult {
    status: Status,
    message: CString,
    /// Each ends in a NUL that does not belong to it.
    parts: [Option<Vec<u8>>; PARTS],
}

/// The parts that a call makes.
#[derive(Debug, Default)]
pub(crate) struct Parts([Option<Vec<u8>>; PARTS]);

impl Parts {
    pub(crate) fn set(&mut self, part: Part, bytes: impl Into<Vec<u8>>) {
        let mut bytes = bytes.into();
        bytes.push(0);
        self.0[part] = Some(bytes);
    }
}

/// A C string of a message. A NUL in it ends it.
pub(crate) fn c_string(text: String) -> CString {
    CString::new(text).unwrap_or_else(|e| {
        let end = e.nul_position();
        CString::new(&e.into_vec()[..end]).unwrap_or_default()
    })
}

/// Runs a call, and stores its result at `out`. The parts that are set before a failure remain.
///
/// # Safety
/// `out` is null or can be written to.
pub(crate) unsafe fn give(
    out: *mut *mut CuteResult,
    call: impl FnOnce(&mut Parts) -> Result<(), Failure>,
) -> Status {
    if out.is_null() {
        return Status::InvalidArgument;
    }
    let mut parts = Parts::default();
    let _restored = cute_fenv::by_default();
    let done = catch_unwind(AssertUnwindSafe(|| call(&mut parts)));
    let done = done.unwrap_or_else(|panic| Err(Failure::panic(&*panic)));
    let failure = done.err();
    // Findings have a report.
    if let Some(failure) = failure.as_ref().filter(|failure| failure.status != Status::Findings) {
        parts.set(ERROR_JSON, failure.json());
    }
    let Failure { status, message, .. } = failure.unwrap_or(Failure::new(Status::Ok, ""));
    let result = Box::new(CuteResult { status, message: c_string(message), parts: parts.0 });
    // SAFETY: promised by the caller.
    unsafe { out.write(Box::into_raw(result)) };
    status
}

/// `cute_result_status`. That of null is [`Status::InvalidArgument`].
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_result_status(result: *const CuteResult) -> Status {
    // SAFETY: promised by the caller.
    unsafe { result.as_ref() }.map_or(Status::InvalidArgument, |result| result.status)
}

/// `cute_result_message`.
///
/// # Safety
/// `result` is null or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_result_message(result: *const CuteResult) -> *const c_char {
    // SAFETY: promised by the caller.
    unsafe { result.as_ref() }.map_or(c"the result is null".as_ptr(), |result| result.message.as_ptr())
}

/// `cute_result_part`.
///
/// # Safety
/// `result` is null or a result; `size` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_result_part(
    result: *const CuteResult,
    part: i32,
    size: *mut usize,
) -> *const c_void {
    // SAFETY: promised by the caller.
    let result = unsafe { result.as_ref() };
    let part = usize::try_from(part).ok();
    let bytes = result.zip(part).and_then(|(result, part)| result.parts.get(part)?.as_deref());
    if !size.is_null() {
        // SAFETY: promised by the caller.
        unsafe { size.write(bytes.map_or(0, |bytes| bytes.len() - 1)) };
    }
    bytes.map_or(ptr::null(), |bytes| bytes.as_ptr().cast())
}

/// `cute_result_destroy`.
///
/// # Safety
/// `result` is null or a result, which is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_result_destroy(result: *mut CuteResult) {
    if !result.is_null() {
        // SAFETY: promised by the caller; it comes from a box.
        drop(unsafe { Box::from_raw(result) });
    }
}
