//! The functions that are answered: for each, its name in CUDA's headers and its address.

mod version;

use std::{
    ffi::{CStr, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use crate::{
    error::{Error, Result},
    messages,
};

/// A function that is answered.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name in CUDA's headers.
    pub name: &'static str,
    /// The code that programs call.
    pub address: *const (),
    /// Why a call of it has no effect, if it has none.
    pub ignored: Option<&'static str>,
}

// SAFETY: it is the address of code.
unsafe impl Sync for Function {}

/// The functions of each family.
const FAMILIES: &[&[Function]] = &[version::FUNCTIONS];

/// All functions that are answered.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().copied().flatten()
}

/// Runs the body of a function, and returns the number of its error, or 0. A panic is a defect of
/// this library, and is [`Error::UNKNOWN`] for the program.
pub fn answer(body: impl FnOnce() -> Result<()>) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(Error(number))) => number,
        Err(_) => Error::UNKNOWN.0,
    }
}

/// Declares functions of C that return the number of an error, and the table of them. After
/// `ignored "WHY"` a call has no effect.
///
/// ```ignore
/// functions! {
///     fn cudaFree(at: *mut c_void) { memory::free(at) }
///     ignored "there is no cache" fn cudaCtxResetPersistingL2Cache() { Ok(()) }
/// }
/// ```
#[macro_export]
macro_rules! functions {
    ($($(ignored $why:literal)? fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            #[allow(non_snake_case, clippy::missing_safety_doc)]
            unsafe extern "C" fn $name($($arg: $ty),*) -> i32 {
                $crate::api::answer(move || $body)
            }
        )*
        /// The functions of this family.
        pub const FUNCTIONS: &[$crate::api::Function] = &[$($crate::api::Function {
            name: stringify!($name),
            address: $name as *const (),
            ignored: $crate::functions!(@why $($why)?),
        }),*];
    };
    (@why $why:literal) => { Some($why) };
    (@why) => { None };
}

/// A function by its name, for a program of one version of CUDA. An entry `NAME@VERSION` of a
/// family is for programs of this version alone, and goes before one of all versions.
pub fn find(name: &str, version: &str) -> Option<&'static Function> {
    let special = |function: &&Function| function.name.split_once('@') == Some((name, version));
    functions().find(special).or_else(|| functions().find(|function| function.name == name))
}

/// The name and the version in `NAME@VERSION`, as stubs write it.
///
/// # Safety
/// The text ends in a NUL.
unsafe fn asked(text: *const c_char) -> (String, String) {
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let (name, version) = text.split_once('@').unwrap_or((&text, ""));
    (name.to_owned(), version.to_owned())
}

/// The address of a function by its name, with `@VERSION` behind it, or null if it is not answered.
///
/// # Safety
/// The name ends in a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_cuda_function(name: *const c_char) -> *const c_void {
    // SAFETY: the caller's.
    let (name, version) = unsafe { asked(name) };
    find(&name, &version).map_or(ptr::null(), |function| function.address.cast())
}

/// A call of a function that is not answered.
///
/// # Safety
/// The name ends in a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_cuda_missing(name: *const c_char) -> i32 {
    // SAFETY: the caller's.
    let (name, _) = unsafe { asked(name) };
    if messages::missing(&name) == 1 {
        eprintln!("cutec exec: {} is not supported", cute_text::line(&name));
    }
    Error::NOT_SUPPORTED.0
}
