//! The functions that are answered: for each, its name in CUDA's headers and its address.

mod capture;
mod copies;
mod driver;
mod entry;
mod graph;
mod host;
mod launch;
mod library;
mod linking;
mod memory;
mod nodes;
mod params;
mod pool;
mod register;
mod reset;
mod stream;
mod symbol;
mod tensor_map;

use std::{
    ffi::{CStr, c_char, c_void},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
};

use crate::{
    error::{Error, Result, break_device, broken, fail},
    messages, process,
};

pub(crate) mod device;
pub(crate) mod driver_device;
pub(crate) mod error;
pub(crate) mod occupancy;

/// A function that is answered.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name in CUDA's headers.
    pub name: &'static str,
    /// The code that programs call.
    pub address: *const (),
    /// The same for its forms `_ptsz` and `_ptds`, whose default stream is that of the thread.
    pub per_thread: *const (),
    /// Why a call of it has no effect, if it has none.
    pub ignored: Option<&'static str>,
}

// SAFETY: it is the address of code.
unsafe impl Sync for Function {}

/// The functions of each family.
const FAMILIES: &[&[Function]] = &[
    capture::FUNCTIONS,
    copies::FUNCTIONS,
    device::FUNCTIONS,
    driver_device::FUNCTIONS,
    driver::FUNCTIONS,
    entry::FUNCTIONS,
    error::FUNCTIONS,
    graph::FUNCTIONS,
    host::FUNCTIONS,
    launch::FUNCTIONS,
    library::FUNCTIONS,
    linking::FUNCTIONS,
    memory::FUNCTIONS,
    nodes::FUNCTIONS,
    occupancy::FUNCTIONS,
    pool::FUNCTIONS,
    register::FUNCTIONS,
    stream::FUNCTIONS,
    symbol::FUNCTIONS,
    tensor_map::FUNCTIONS,
];

/// All functions that are answered.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().copied().flatten()
}

/// The version of the runtime that the program was linked with: 12090, 13000, ..
static RUNTIME_VERSION: AtomicU32 = AtomicU32::new(13_000);

/// The version of the runtime that the program was linked with, as `cudaRuntimeGetVersion` has it:
/// 1000 for a major version, 10 for a minor one.
pub fn runtime_version() -> u32 {
    RUNTIME_VERSION.load(Ordering::Relaxed)
}

/// Sets [`runtime_version`].
pub fn set_runtime_version(version: u32) {
    RUNTIME_VERSION.store(version, Ordering::Relaxed);
}

/// Whether the driver may be called: `cuInit` was called, or a function of the runtime, which calls
/// it.
static IS_INITIALIZED: AtomicBool = AtomicBool::new(false);

/// The functions that return their result even after a sticky error: what they return does not
/// depend on the state of the device.
const INDEPENDENT: &[&str] = &[
    "cudaChooseDevice",
    "cudaDeviceGetAttribute",
    "cudaDeviceReset",
    "cudaDriverGetVersion",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceProperties",
    "cudaGetDeviceProperties_v2",
    "cudaGetDriverEntryPoint",
    "cudaGetDriverEntryPointByVersion",
    "cudaGetExportTable",
    "cudaRuntimeGetVersion",
    "cuDeviceComputeCapability",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetName",
    "cuDeviceGetProperties",
    "cuDevicePrimaryCtxReset",
    "cuDevicePrimaryCtxReset_v2",
    "cuDeviceTotalMem",
    "cuDeviceTotalMem_v2",
];

/// The functions of the driver that may be called before `cuInit`.
const BEFORE_INIT: &[&str] = &[
    "cuDriverGetVersion",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGetExportTable",
    "cuGetProcAddress",
    "cuGetProcAddress_v2",
    "cuInit",
];

/// Whether the name is that of a function of the driver: `cuInit`, but not `cudaFree`, nor
/// `__cudaRegisterFunction`.
fn is_of_driver(name: &str) -> bool {
    name.strip_prefix("cu").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Runs the body of the function of this name, and returns the number of its error, or 0. A panic
/// is a defect of this library, and is [`Error::UNKNOWN`] for the program.
///
/// An error of the runtime becomes the thread's last one; the driver has no such thing. After a
/// sticky error most functions return it without doing anything.
pub fn answer(name: &str, body: impl FnOnce() -> Result<()>) -> i32 {
    let is_of_driver = is_of_driver(name);
    let is_early = BEFORE_INIT.contains(&name);
    // Programs register their kernels before they call anything.
    let is_registration = name.starts_with("__") && !name.starts_with("__cudaLaunchKernel");
    if name == "cuInit" || !is_of_driver && !is_registration {
        IS_INITIALIZED.store(true, Ordering::Relaxed);
        process::begin();
    } else if is_of_driver && !is_early && !IS_INITIALIZED.load(Ordering::Relaxed) {
        return Error::NOT_INITIALIZED.0;
    }
    let is_independent = is_early || is_registration || INDEPENDENT.contains(&name);
    let unusable = process::unusable().filter(|_| !is_early);
    let result = match unusable.or_else(|| broken().filter(|_| !is_independent)) {
        Some(broken) => Err(broken),
        None => catch_unwind(AssertUnwindSafe(body)).unwrap_or(Err(Error::UNKNOWN)),
    };
    match result {
        Ok(()) => 0,
        Err(error) if is_of_driver && error.row().is_none_or(|row| row.driver.is_none()) => {
            of_driver(error).0
        }
        Err(error) => {
            if is_of_driver {
                break_device(error);
            } else {
                fail(error);
            }
            error.0
        }
    }
}

/// The driver's error in place of one that the runtime alone has.
fn of_driver(error: Error) -> Error {
    match error {
        Error::INVALID_DEVICE_FUNCTION => Error::INVALID_HANDLE,
        _ => Error::INVALID_VALUE,
    }
}

/// The address that a program passed for a result.
///
/// # Errors
/// [`Error::INVALID_VALUE`] if it is null.
pub fn non_null<T>(at: *mut T) -> Result<*mut T> {
    if at.is_null() { Err(Error::INVALID_VALUE) } else { Ok(at) }
}

/// Writes a result.
///
/// # Errors
/// [`Error::INVALID_VALUE`] if the address is null.
pub fn write<T>(to: *mut T, value: T) -> Result<()> {
    let to = non_null(to)?;
    // SAFETY: a program passes the address of a variable.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Runs the body of a function whose result is not an error. After a panic, which is a defect of
/// this library, the result is 0 or null.
pub fn result<T>(body: impl FnOnce() -> T) -> T {
    // SAFETY: results of functions of C are numbers, pointers, and structures of numbers.
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| unsafe { mem::zeroed() })
}

/// Declares functions of C that return the number of an error, and the table of them. After
/// `ignored "WHY"` a call has no effect. A function with another result has it after `->`. One that
/// is declared otherwise in one version of CUDA has that version behind its name in CUDA's headers.
///
/// ```text
/// functions! {
///     fn cudaFree(at: *mut c_void) { memory::free(at) }
///     ignored "there is no cache" fn cudaCtxResetPersistingL2Cache() { Ok(()) }
///     fn cudaGetErrorName(number: i32) -> *const c_char { name(number) }
///     fn remove_12 = "cudaGraphRemove@12" (graph: usize) { remove(graph) }
/// }
/// ```
#[macro_export]
macro_rules! functions {
    (
        $($(ignored $why:literal)?
        fn $name:ident $(= $symbol:literal)? ($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? $body:block)*
    ) => {
        $($crate::functions!(
            @define [$crate::functions!(@symbol $name $($symbol)?)] $name($($arg: $ty),*) $(-> $result)? $body
        );)*
        /// The functions of this family.
        pub const FUNCTIONS: &[$crate::api::Function] = &[$($crate::api::Function {
            name: $crate::functions!(@symbol $name $($symbol)?),
            address: $name as *const (),
            per_thread: $crate::functions!(@per_thread $name($($arg: $ty),*) $(-> $result)?),
            ignored: $crate::functions!(@why $($why)?),
        }),*];
    };
    (@symbol $name:ident) => { stringify!($name) };
    (@symbol $name:ident $symbol:literal) => { $symbol };
    (@define [$symbol:expr] $name:ident($($arg:ident: $ty:ty),*) $body:block) => {
        #[allow(non_snake_case, clippy::missing_safety_doc)]
        unsafe extern "C" fn $name($($arg: $ty),*) -> i32 {
            $crate::api::answer($symbol, move || $body)
        }
    };
    (@define [$symbol:expr] $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block) => {
        #[allow(non_snake_case, clippy::missing_safety_doc)]
        unsafe extern "C" fn $name($($arg: $ty),*) -> $result {
            $crate::api::result(move || $body)
        }
    };
    (@per_thread $name:ident($($arg:ident: $ty:ty),*)) => {{
        unsafe extern "C" fn per_thread($($arg: $ty),*) -> i32 {
            // SAFETY: the arguments are those of the function.
            $crate::streams::per_thread(move || unsafe { $name($($arg),*) })
        }
        per_thread as *const ()
    }};
    (@per_thread $name:ident($($arg:ident: $ty:ty),*) -> $result:ty) => { $name as *const () };
    (@why $why:literal) => { Some($why) };
    (@why) => { None };
}

/// The name of a function without the ending of its form for the default stream of each thread, and
/// whether it has one.
pub fn plain(name: &str) -> (&str, bool) {
    let plain = name.strip_suffix("_ptsz").or_else(|| name.strip_suffix("_ptds"));
    (plain.unwrap_or(name), plain.is_some())
}

/// The code of a function by its name, for a program of one version of CUDA. An entry
/// `NAME@VERSION` of a family is for programs of this version alone, and goes before one of all
/// versions.
pub fn find(name: &str, version: &str) -> Option<*const ()> {
    let (name, is_per_thread) = plain(name);
    let special = |function: &&Function| function.name.split_once('@') == Some((name, version));
    let of_all = || functions().find(|function| function.name == name);
    let function = functions().find(special).or_else(of_all)?;
    Some(if is_per_thread { function.per_thread } else { function.address })
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
    if version == "12" {
        set_runtime_version(12_090);
    }
    find(&name, &version).map_or(ptr::null(), <*const ()>::cast)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{last, reset, tests::alone};

    #[test]
    fn a_function_is_found_by_its_name() {
        let of = |name: &CStr| unsafe { cute_cuda_function(name.as_ptr()) };
        assert!(!of(c"cudaGetLastError").is_null());
        assert!(of(c"cudaGetLastErro").is_null());
        let mut names: Vec<_> = functions().map(|function| function.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn a_function_may_be_another_one_in_a_version_and_for_the_stream_of_a_thread() {
        let of = |name, version| find(name, version).expect("it is answered");
        assert_ne!(of("cudaGraphAddDependencies", "12"), of("cudaGraphAddDependencies", "13"));
        assert_eq!(of("cudaGraphAddNode", "13"), of("cudaGraphAddNode", ""));
        assert_ne!(of("cudaMemcpy_ptds", "13"), of("cudaMemcpy", "13"));
        assert_ne!(of("cuStreamGetCaptureInfo_v2_ptsz", "13"), of("cuStreamGetCaptureInfo_v2", "13"));
    }

    #[test]
    fn functions_of_the_driver_have_an_upper_case_letter_after_cu() {
        let names = ["cuInit", "cuMemAlloc_v2", "cudaFree", "__cudaRegisterFunction", "cu"];
        assert_eq!(names.map(is_of_driver), [true, true, false, false, false]);
    }

    #[test]
    fn an_error_of_the_runtime_is_the_last_one_but_not_one_of_the_driver() {
        let _turn = alone();
        assert_eq!(answer("cudaFree", || Err(Error::INVALID_VALUE)), 1);
        assert_eq!(answer("cuMemFree_v2", || Err(Error::OUT_OF_MEMORY)), 2);
        assert_eq!(answer("cuLaunchKernel", || Err(Error::INVALID_CONFIGURATION)), 1);
        assert_eq!(answer("cuLaunchKernel", || Err(Error::INVALID_DEVICE_FUNCTION)), 400);
        assert_eq!(answer("cudaFree", || Ok(())), 0);
        assert_eq!(last(), Some(Error::INVALID_VALUE));
    }

    #[test]
    fn after_a_sticky_error_only_independent_functions_run() {
        let _turn = alone();
        assert_eq!(answer("cuInit", || Ok(())), 0);
        assert_eq!(answer("cuCtxSynchronize", || Err(Error::ILLEGAL_ADDRESS)), 700);
        assert_eq!(answer("cudaMalloc", || Ok(())), 700);
        assert_eq!(answer("cuMemAlloc_v2", || Ok(())), 700);
        let independent = ["cudaGetDevice", "cuDeviceGet", "cuDriverGetVersion", "__cudaRegisterVar"];
        assert_eq!(independent.map(|name| answer(name, || Ok(()))), [0; 4]);
        reset();
        assert_eq!(answer("cudaMalloc", || Ok(())), 0);
    }

    #[test]
    fn a_panic_is_an_unknown_error() {
        let _turn = alone();
        assert_eq!(answer("cudaMalloc", || panic!("on purpose")), 999);
        assert_eq!(result(|| -> usize { panic!("on purpose") }), 0);
    }
}
