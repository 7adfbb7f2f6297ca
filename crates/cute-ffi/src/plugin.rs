//! The entry points of a plugin for MLIR's tools.

use std::ffi::c_void;

use mlir_sys::{MlirDialectRegistry, MlirStringCallback, MlirStringRef};

use crate::dialect::{Dialect, register_raw};

unsafe extern "C" {
    fn cuteVersionMatches(f: MlirStringCallback, u: *mut c_void) -> bool;
}

/// Both LLVM versions, if the host's differs from the one that this was built for.
pub fn version_mismatch() -> Option<String> {
    unsafe extern "C" fn append(s: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the string given below.
        unsafe { (*out.cast::<String>()).push_str(crate::text(s)) }
    }
    let mut out = String::new();
    // SAFETY: `append` writes to `out`, which outlives the call.
    let same = unsafe { cuteVersionMatches(Some(append), (&raw mut out).cast()) };
    (!same).then_some(out)
}

/// Registers the dialects with the registry of a plugin's host.
///
/// # Safety
/// `registry` is MLIR's live `DialectRegistry`.
#[doc(hidden)]
pub unsafe fn register(registry: *mut c_void, dialect: Dialect) {
    // SAFETY: promised by the caller.
    unsafe { register_raw(MlirDialectRegistry { ptr: registry }, dialect) }
}

/// Defines the entry points that `mlir-opt --load-dialect-plugin --load-pass-plugin` looks up.
#[macro_export]
macro_rules! export_plugin {
    ($dialect:path, $register_passes:path) => {
        mod plugin {
            use std::ffi::{CStr, c_char, c_void};

            /// `DialectPluginLibraryInfo` and `PassPluginLibraryInfo` of MLIR.
            #[repr(C)]
            pub struct Info<F> {
                api_version: u32,
                name: *const c_char,
                version: *const c_char,
                register: F,
            }

            const NAME: &CStr = c"cute";
            const VERSION: &CStr =
                match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
                    Ok(v) => v,
                    Err(_) => c"",
                };

            extern "C" fn dialects(registry: *mut c_void) {
                // SAFETY: MLIR calls with its live registry.
                unsafe { $crate::plugin::register(registry, $dialect) }
            }
            extern "C" fn passes() {
                $register_passes();
            }

            fn info<F>(register: F) -> Info<F> {
                // Another LLVM version has another C++ ABI. The plugin then returns an API version
                // that no host accepts.
                let mismatch = $crate::plugin::version_mismatch();
                if let Some(versions) = &mismatch {
                    eprintln!("error: cute plugin {versions}");
                }
                let api_version = if mismatch.is_some() { 0 } else { 1 };
                Info { api_version, name: NAME.as_ptr(), version: VERSION.as_ptr(), register }
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlirGetDialectPluginInfo() -> Info<extern "C" fn(*mut c_void)> {
                info(dialects)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirGetPassPluginInfo() -> Info<extern "C" fn()> {
                info(passes)
            }
        }
    };
}
