//! The file of this library, on which entries of the cache depend.

use std::{
    ffi::{c_char, c_int, c_void},
    path::PathBuf,
    ptr,
};

use crate::arguments::text;

/// `Dl_info` of the dynamic loader.
#[repr(C)]
struct Loaded {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, loaded: *mut Loaded) -> c_int;
}

/// The file of this library, or of the program that it is linked into.
pub(crate) fn library() -> PathBuf {
    let null = ptr::null_mut();
    let mut loaded = Loaded { file: ptr::null(), base: null, symbol: ptr::null(), address: null };
    // SAFETY: the address is one of this library; the result can be written to, and its text lives
    // as long as the library.
    let file = unsafe {
        match dladdr(API_OF as *const c_void, &mut loaded) {
            0 => None,
            _ => text("the file of the library", loaded.file).ok().flatten(),
        }
    };
    file.map(PathBuf::from).unwrap_or_default()
}

/// A function of this library.
const API_OF: extern "C" fn() -> u32 = crate::cute_api_version;
