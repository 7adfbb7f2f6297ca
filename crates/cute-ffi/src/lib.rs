//! Everything that talks to MLIR and LLVM: the C++ half of the dialects, and safe Rust over it. All `unsafe` and
//! `extern "C"` of the compiler is here; above there are only safe types.
//!
//! It knows MLIR, LLVM and which ops and types exist. It must not know what any of them means: what C++ asks about our
//! ops and types goes to the [`Dialect`](dialect::Dialect) that the crate above hands over, and what it asks of passes
//! to the [`Passes`](passes::Passes).
//!
//! | module | what it has |
//! |---|---|
//! | [`dialect`] | the questions that MLIR asks about ops, types and attributes, and who answers them |
//! | [`ops`], [`types`] | the kinds of ops and types, and what is stored with a type |
//! | [`syntax`] | MLIR's parser, for the bodies of types and attributes |
//! | [`floats`] | which float type a type is |
//! | [`parse`] | modules from text |
//! | [`passes`], [`plugin`] | entry points of passes and of the plugin |
//! | [`ir`], [`order`] | what melior has no safe form for: walks, facts, what adds to IR |
//! | [`lowered`] | types and constants of lowered code, taken apart |
//! | [`predicate`] | what comparisons compare for |
//! | [`rewrite`] | the right of a pass to change IR, and patterns of MLIR's that it has no pass for |
//! | [`llvm`] | from IR to PTX through LLVM |
//! | [`opt`] | mlir-opt's main function |
//!
//! A panic never unwinds into C++: it becomes the error "internal error in ..." at the op's location.

pub mod dialect;
pub mod floats;
pub mod ir;
pub mod llvm;
pub mod lowered;
pub mod ops;
pub mod opt;
pub mod order;
pub mod parse;
pub mod passes;
pub mod plugin;
pub mod predicate;
pub mod rewrite;
pub mod syntax;
pub mod types;

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

use melior::{Context, ContextRef, StringRef, ir::Location};
use mlir_sys::{MlirContext, MlirLocation, MlirStringCallback, MlirStringRef};

/// How much a diagnostic matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The input is wrong.
    Error,
    /// The input is suspicious.
    Warning,
    /// Something worth knowing.
    Remark,
}

unsafe extern "C" {
    fn cuteEmit(
        location: MlirLocation,
        severity: i32,
        text: MlirStringRef,
        notes: isize,
        locations: *const MlirLocation,
        texts: *const MlirStringRef,
    );
}

/// Emits a diagnostic with notes.
pub fn emit(location: Location<'_>, severity: Severity, text: &str, notes: &[(Location<'_>, String)]) {
    let locations: Vec<_> = notes.iter().map(|(l, _)| l.to_raw()).collect();
    let texts: Vec<_> = notes.iter().map(|(_, t)| StringRef::new(t).to_raw()).collect();
    let text = StringRef::new(text).to_raw();
    // SAFETY: all pointers live until the call returns; C++ copies the text.
    unsafe {
        cuteEmit(
            location.to_raw(),
            severity as i32,
            text,
            notes.len() as isize,
            locations.as_ptr(),
            texts.as_ptr(),
        );
    }
}

/// Runs `f`; a panic becomes an error "internal error in `what`" at `location`.
pub(crate) fn guarded<T>(what: &str, location: Location<'_>, f: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<String>().map(String::as_str);
        let why = why.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        emit(location, Severity::Error, &format!("internal error in {what}: {why}"), &[]);
        None
    })
}

/// A context that C++ owns, as melior's type for an owned one.
///
/// melior hands out `&Context` as a reference to the place that holds MLIR's pointer, so that place must stay: it is one
/// leaked word for each context and thread.
///
/// # Safety
/// The context lives for `'c`.
pub(crate) unsafe fn context<'c>(raw: MlirContext) -> &'c Context {
    thread_local! {
        static PLACES: RefCell<Vec<(usize, &'static ContextRef<'static>)>> = const { RefCell::new(Vec::new()) };
    }
    let key = raw.ptr as usize;
    PLACES.with_borrow_mut(|places| {
        let known = places.iter().find(|(k, _)| *k == key).map(|(_, place)| *place);
        let place = known.unwrap_or_else(|| {
            // SAFETY: only the pointer is kept; it is used while the context lives, as the caller promises.
            let place: &'static ContextRef<'static> =
                Box::leak(Box::new(unsafe { ContextRef::from_raw(raw) }));
            places.push((key, place));
            place
        });
        // SAFETY: `place` is never freed, and the caller promises the context for 'c.
        unsafe { place.to_ref() }
    })
}

/// The text of a string that C++ lent for the call.
///
/// # Safety
/// `s` points at `s.length` readable bytes for `'a`.
unsafe fn text<'a>(s: MlirStringRef) -> &'a str {
    if s.data.is_null() {
        return "";
    }
    // SAFETY: promised by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(s.data.cast::<u8>(), s.length) };
    std::str::from_utf8(bytes).unwrap_or("")
}

/// A NUL-terminated string of a C API.
///
/// # Safety
/// `s` is null or NUL-terminated and readable.
pub unsafe fn c_text(s: *const c_char) -> String {
    if s.is_null() {
        return String::new();
    }
    // SAFETY: promised by the caller.
    unsafe { CStr::from_ptr(s) }.to_string_lossy().into_owned()
}

/// Gives a text to C++.
///
/// # Safety
/// `push` and `u` belong together; `push` copies the text.
pub(crate) unsafe fn give(s: &str, push: MlirStringCallback, u: *mut c_void) -> bool {
    let Some(push) = push else { return false };
    // SAFETY: promised by the caller.
    unsafe { push(StringRef::new(s).to_raw(), u) };
    true
}
