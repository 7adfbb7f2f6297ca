//! LLVM's command line options, of which there is one set per process.

use std::{
    ffi::{CString, c_char, c_void},
    sync::OnceLock,
};

use mlir_sys::{MlirStringCallback, MlirStringRef};

use super::{c_string, native::*};

unsafe extern "C" {
    fn cuteGiveOptions(
        count: i32,
        options: *const *const c_char,
        f: MlirStringCallback,
        u: *mut c_void,
    ) -> bool;
}

/// Shared-memory pointers of 32 bits take one register instead of two. The square roots of
/// libdevice are correctly rounded, as in CUDA without fast math.
///
/// Addresses are computed from a loop's counter. Strength reduction would keep a 64-bit pointer for
/// each address, in registers that MMAs need; ptxas multiplies and adds in one
/// instruction.
const OURS: [&str; 4] =
    ["--nvptx-short-ptr", "--nvvm-reflect-add=__CUDA_PREC_SQRT=1", "--disable-lsr", "--nvptx-mad-wide-opt"];

/// Options after which LLVM prints a text and ends the process, with the exit code of success.
const ENDING: [&str; 6] = ["help", "help-hidden", "help-list", "help-list-hidden", "h", "version"];

static GIVEN: OnceLock<Vec<String>> = OnceLock::new();

/// Adds options for LLVM to ours, such as `--nvptx-fma-level=0`. An option that ours has already is
/// replaced. Only executables should call this: once, and before anything is compiled.
pub fn add_options(options: Vec<String>) {
    let mut options = Some(options);
    GIVEN.get_or_init(|| options.take().unwrap_or_default());
    assert!(options.is_none(), "options are added once, and before anything is compiled");
}

/// The added options.
pub fn added_options() -> &'static [String] {
    GIVEN.get_or_init(Vec::new)
}

/// The name of an option, without dashes and value.
fn name(option: &str) -> &str {
    option.trim_start_matches('-').split('=').next().unwrap_or_default()
}

/// Prepares LLVM's backend, once.
///
/// # Errors
/// LLVM's message about an option that it does not take.
pub(super) fn prepare() -> Result<(), String> {
    static READY: OnceLock<Result<(), String>> = OnceLock::new();
    READY
        .get_or_init(|| {
            // SAFETY: initialization happens once.
            unsafe {
                LLVMInitializeNVPTXTargetInfo();
                LLVMInitializeNVPTXTarget();
                LLVMInitializeNVPTXTargetMC();
                LLVMInitializeNVPTXAsmPrinter();
            }
            let added = added_options();
            if let Some(option) = added.iter().find(|option| ENDING.contains(&name(option))) {
                return Err(format!("LLVM does not take its options: '{option}' would end the process"));
            }
            // A file may contain any of them, and is read after this check.
            if let Some(option) = added.iter().find(|option| option.starts_with('@')) {
                return Err(format!(
                    "LLVM does not take its options: '{option}' names a file; write its options out"
                ));
            }
            let ours = OURS.into_iter().filter(|own| added.iter().all(|other| name(other) != name(own)));
            let all = ["cute"].into_iter().chain(ours).chain(added.iter().map(String::as_str));
            give(&all.map(c_string).collect::<Result<Vec<_>, _>>()?)
        })
        .clone()
}

/// Gives options to LLVM, after the name of the program.
fn give(options: &[CString]) -> Result<(), String> {
    unsafe extern "C" fn append(text: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the string given below; the text lives for the call.
        unsafe { (*out.cast::<String>()).push_str(crate::text(text)) }
    }
    let options: Vec<_> = options.iter().map(|option| option.as_ptr()).collect();
    let mut why = String::new();
    // SAFETY: the texts outlive the call, which copies what it keeps; `append` writes to `why`.
    let taken = unsafe {
        cuteGiveOptions(options.len() as i32, options.as_ptr(), Some(append), (&raw mut why).cast())
    };
    let line = || why.split_whitespace().collect::<Vec<_>>().join(" ");
    if taken { Ok(()) } else { Err(format!("LLVM does not take its options: {}", line())) }
}
