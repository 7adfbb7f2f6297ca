//! The entry points of a plugin for MLIR's tools.

use std::ffi::c_void;

use mlir_sys::{MlirDialectHandle, MlirDialectRegistry, MlirStringCallback, MlirStringRef};

use crate::dialect::{Dialect, install, register_raw};

unsafe extern "C" {
    fn mlirGetDialectHandle__cute_in_rust__() -> MlirDialectHandle;
    fn mlirGetDialectHandle__cute_nvgpu_in_rust__() -> MlirDialectHandle;
    fn mlirGetDialectHandle__cuda_in_rust__() -> MlirDialectHandle;
    fn cuteVersionMatches(f: MlirStringCallback, u: *mut c_void) -> bool;
    fn cuteLlvmPluginApi() -> u32;
    fn cuteRegisterLlvmPasses(builder: *mut c_void);
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

/// The version of the interface between LLVM and plugins with passes on LLVM IR.
#[doc(hidden)]
pub fn llvm_api() -> u32 {
    // SAFETY: it returns a constant.
    unsafe { cuteLlvmPluginApi() }
}

/// Adds the steps around LLVM's optimization to the default pipelines of a plugin's host.
///
/// # Safety
/// `builder` is LLVM's live `PassBuilder`.
#[doc(hidden)]
pub unsafe fn register_llvm_passes(builder: *mut c_void) {
    // SAFETY: promised by the caller.
    unsafe { cuteRegisterLlvmPasses(builder) }
}

/// The dialects of a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Namespace {
    /// `cute`
    Cute,
    /// `cute_nvgpu`
    CuteNvgpu,
    /// `cuda`
    Cuda,
}

/// A dialect as a handle of MLIR's C API.
#[doc(hidden)]
pub fn handle(namespace: Namespace, dialect: Dialect) -> MlirDialectHandle {
    install(dialect);
    // SAFETY: they return the address of a static table of functions.
    unsafe {
        match namespace {
            Namespace::Cute => mlirGetDialectHandle__cute_in_rust__(),
            Namespace::CuteNvgpu => mlirGetDialectHandle__cute_nvgpu_in_rust__(),
            Namespace::Cuda => mlirGetDialectHandle__cuda_in_rust__(),
        }
    }
}

/// Defines the functions of `cute_mlir.h`, and the entry points that
/// `mlir-opt --load-dialect-plugin --load-pass-plugin` and `opt --load-pass-plugin` look up.
#[macro_export]
macro_rules! export_plugin {
    ($dialect:path, $register_passes:path) => {
        #[allow(non_snake_case)]
        mod plugin {
            use std::ffi::{CStr, c_char, c_void};

            /// The version of the interface between MLIR and its plugins.
            const MLIR_API: u32 = 1;

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

            extern "C" fn llvm_passes(builder: *mut c_void) {
                // SAFETY: LLVM calls with its live builder.
                unsafe { $crate::plugin::register_llvm_passes(builder) }
            }

            fn info<F>(api: u32, register: F) -> Info<F> {
                // Another LLVM version has another C++ ABI. The plugin then returns an API version
                // that no host accepts.
                let mismatch = $crate::plugin::version_mismatch();
                if let Some(versions) = &mismatch {
                    eprintln!("error: cute plugin {versions}");
                }
                let api_version = if mismatch.is_some() { 0 } else { api };
                Info { api_version, name: NAME.as_ptr(), version: VERSION.as_ptr(), register }
            }

            /// `MlirDialectHandle` of MLIR's C API.
            #[repr(C)]
            pub struct Handle(*const c_void);

            fn handle(namespace: $crate::plugin::Namespace) -> Handle {
                Handle($crate::plugin::handle(namespace, $dialect).ptr)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirGetDialectHandle__cute__() -> Handle {
                handle($crate::plugin::Namespace::Cute)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirGetDialectHandle__cute_nvgpu__() -> Handle {
                handle($crate::plugin::Namespace::CuteNvgpu)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirGetDialectHandle__cuda__() -> Handle {
                handle($crate::plugin::Namespace::Cuda)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirRegisterCutePasses() {
                $register_passes();
            }

            #[unsafe(no_mangle)]
            extern "C" fn mlirGetDialectPluginInfo() -> Info<extern "C" fn(*mut c_void)> {
                info(MLIR_API, dialects)
            }
            #[unsafe(no_mangle)]
            extern "C" fn mlirGetPassPluginInfo() -> Info<extern "C" fn()> {
                info(MLIR_API, passes)
            }

            /// `PassPluginLibraryInfo` of LLVM.
            #[repr(C)]
            pub struct LlvmInfo {
                passes: Info<extern "C" fn(*mut c_void)>,
                before_code: *const c_void,
            }

            #[unsafe(no_mangle)]
            extern "C" fn llvmGetPassPluginInfo() -> LlvmInfo {
                let register: extern "C" fn(*mut c_void) = llvm_passes;
                LlvmInfo { passes: info($crate::plugin::llvm_api(), register), before_code: std::ptr::null() }
            }
        }
    };
}
