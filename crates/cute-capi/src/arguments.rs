//! The values that C passes: pointers, texts and arrays of numbers.

use std::{
    ffi::{CStr, c_char},
    slice,
};

use cute_session::{Error, Source, source::MOST_BYTES};

use crate::{Failure, Status};

/// The name of a text without a name.
const UNNAMED: &str = "module";

/// `CUTE_TO_NUL`: a text that ends in a NUL.
const TO_NUL: usize = usize::MAX;

/// The text at a pointer; `None` for null. `what` names it in messages.
///
/// # Safety
/// `at` is null or a readable text that ends in a NUL, for `'a`.
pub(crate) unsafe fn text<'a>(what: &str, at: *const c_char) -> Result<Option<&'a str>, Failure> {
    if at.is_null() {
        return Ok(None);
    }
    // SAFETY: promised by the caller.
    let bytes = unsafe { CStr::from_ptr(at) };
    let not_text = |why: std::str::Utf8Error| {
        Failure::new(Status::NotText, format!("{what} is not UTF-8 text (byte {})", why.valid_up_to()))
    };
    bytes.to_str().map(Some).map_err(not_text)
}

/// A text and its name.
///
/// # Safety
/// `name` is as for [`text`]. `at` is null, or has `length` readable bytes, or ends in a NUL if
/// that is [`TO_NUL`].
pub(crate) unsafe fn source(
    name: *const c_char,
    at: *const c_char,
    length: usize,
) -> Result<Source, Failure> {
    // SAFETY: promised by the caller.
    let name = unsafe { text("the name of the module", name) }?.unwrap_or(UNNAMED);
    if at.is_null() {
        return Err(Failure::argument("the text is null"));
    }
    // SAFETY: promised by the caller.
    let bytes = unsafe {
        match length {
            TO_NUL => CStr::from_ptr(at).to_bytes(),
            length => elements("the bytes of the text", at.cast::<u8>(), length)?,
        }
    };
    // Before they are copied.
    if bytes.len() > MOST_BYTES {
        return Err(Error::TooLarge { file: name.into(), most: MOST_BYTES }.into());
    }
    Ok(Source::new(name, bytes.to_vec())?)
}

/// The elements of an array, which may be null if there are none.
///
/// # Safety
/// `at` is null, or has `count` readable elements for `'a`.
pub(crate) unsafe fn elements<'a, T>(what: &str, at: *const T, count: usize) -> Result<&'a [T], Failure> {
    // No array is larger: Rust and C measure distances in it as signed numbers.
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    match (at.is_null(), count) {
        (_, 0) => Ok(&[]),
        _ if !fits => Err(Failure::argument(format!("{what} are too many: {count}"))),
        (true, _) => Err(Failure::argument(format!("{what} are null"))),
        // SAFETY: promised by the caller.
        (false, count) => Ok(unsafe { slice::from_raw_parts(at, count) }),
    }
}
