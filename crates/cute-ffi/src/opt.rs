//! mlir-opt's main function.

use std::{
    env,
    ffi::{CString, c_char, c_int, c_void},
    os::unix::ffi::OsStringExt,
    panic::catch_unwind,
    sync::OnceLock,
};

use mlir_sys::{MlirStringCallback, MlirStringRef};

use crate::{
    dialect::{Dialect, install},
    give, text,
};

unsafe extern "C" {
    fn cuteOptMain(argc: c_int, argv: *const *const c_char) -> c_int;
}

/// The result of `--import` for a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportResult {
    /// Not a module of CuTe DSL; it is read unchanged.
    Other,
    /// A module of CuTe DSL, with the text to read instead if it was rewritten.
    Module(Option<String>),
    /// A module that cannot be imported; the reason was reported.
    Failed,
}

/// Imports a text; the second string is the name of its file.
pub type Import = fn(&str, &str) -> ImportResult;

static IMPORT: OnceLock<Import> = OnceLock::new();

/// Runs mlir-opt with everything registered on the arguments of this process, and returns the exit
/// code. `import` implements `--import`.
pub fn main(dialect: Dialect, import: Import) -> i32 {
    install(dialect);
    IMPORT.get_or_init(|| import);
    let arguments: Vec<_> = env::args_os().filter_map(|a| CString::new(a.into_vec()).ok()).collect();
    let mut raw: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
    let count = raw.len() as c_int;
    raw.push(std::ptr::null());
    // SAFETY: a NULL-terminated argument vector that outlives the call.
    unsafe { cuteOptMain(count, raw.as_ptr()) }
}

/// `CuteFound` of Boundary.h; a text that replaces the module's is pushed.
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_opt_import(
    module: MlirStringRef,
    name: MlirStringRef,
    push: MlirStringCallback,
    u: *mut c_void,
) -> i32 {
    // SAFETY: the texts live for the call; `push` and `u` belong together.
    unsafe {
        let found = catch_unwind(|| (IMPORT.get().expect("main was called"))(text(module), text(name)));
        match found.unwrap_or(ImportResult::Failed) {
            ImportResult::Other => 0,
            ImportResult::Module(None) => 1,
            ImportResult::Module(Some(new)) => {
                give(&new, push, u);
                1
            }
            ImportResult::Failed => 2,
        }
    }
}
