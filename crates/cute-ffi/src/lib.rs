//! The interface to MLIR and LLVM: the C++ half of the dialects, and safe Rust wrappers. All
//! `unsafe` and `extern "C"` code of the compiler is in this crate; the crates above use only safe
//! types.
//!
//! This crate depends on MLIR, LLVM and the list of ops and types. It must not depend on their
//! meaning: questions from C++ about our ops and types go to the [`Dialect`](dialect::Dialect) that
//! the crate above provides, and calls of passes go to its [`Passes`](passes::Passes).
//!
//! | module | contents |
//! |---|---|
//! | [`dialect`] | the questions that MLIR asks about ops, types and attributes |
//! | [`ops`], [`types`] | the kinds of ops and types, and the value stored with a type |
//! | [`syntax`] | MLIR's parser, for the bodies of types and attributes |
//! | [`rules`] | the rules that `td/` declares |
//! | [`floats`] | recognizes float types |
//! | [`parse`] | modules from text |
//! | [`passes`], [`plugin`] | entry points of passes and of the plugin |
//! | [`ir`], [`order`] | safe forms that melior lacks: walks, facts, additions to IR |
//! | [`create()`] | new ops |
//! | [`lowered`] | types and constants of lowered code, taken apart |
//! | [`rewrite`] | changes to IR by passes, and MLIR patterns for which MLIR has no pass |
//! | [`llvm`] | from IR to PTX through LLVM |
//! | [`opt`] | mlir-opt's main function |
//!
//! A panic never unwinds into C++: it becomes the error "internal error in ..." at the op's
//! location.

mod create;
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
pub mod place;
pub mod plugin;
pub mod rewrite;
pub mod rules;
pub mod syntax;
pub mod types;

pub use create::create;

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
};

use melior::{Context, ContextRef, StringRef, ir::Location};
use mlir_sys::{MlirContext, MlirLocation, MlirStringCallback, MlirStringRef};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The input is wrong.
    Error,
    /// The input is suspicious.
    Warning,
    /// Additional information.
    Remark,
}

unsafe extern "C" {
    fn cuteContextPlace(context: MlirContext) -> *const MlirContext;
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

/// A context that C++ owns, as melior's type for an owned context.
///
/// melior hands out `&Context` as a reference to the place that holds MLIR's pointer, so that place
/// must stay valid. Our dialect has one in each context. In a context without our dialect, it is
/// one leaked word per context and thread.
///
/// # Safety
/// The context lives for `'c`.
pub(crate) unsafe fn context<'c>(raw: MlirContext) -> &'c Context {
    thread_local! {
        static PLACES: RefCell<Vec<(usize, &'static ContextRef<'static>)>> = const { RefCell::new(Vec::new()) };
    }
    // SAFETY: the context is live; the place has the form of melior's own, and lives as long.
    if let Some(place) = unsafe { cuteContextPlace(raw).cast::<ContextRef<'static>>().as_ref() } {
        // SAFETY: the caller promises the context, and so the place, for 'c.
        return unsafe { place.to_ref() };
    }
    let key = raw.ptr as usize;
    PLACES.with_borrow_mut(|places| {
        let known = places.iter().find(|(k, _)| *k == key).map(|(_, place)| *place);
        let place = known.unwrap_or_else(|| {
            // SAFETY: only the pointer is kept; it is used while the context lives, as the caller
            // promises.
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

/// Passes a text to C++.
///
/// # Safety
/// `push` and `u` belong together; `push` copies the text.
pub(crate) unsafe fn give(s: &str, push: MlirStringCallback, u: *mut c_void) -> bool {
    let Some(push) = push else { return false };
    // SAFETY: promised by the caller.
    unsafe { push(StringRef::new(s).to_raw(), u) };
    true
}
