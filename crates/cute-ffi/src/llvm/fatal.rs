//! LLVM's fatal errors: failures that LLVM cannot report in another way, such as an intrinsic that
//! the processor lacks. LLVM has one handler per process, and ends the process when the handler
//! returns.
//!
//! Our handler jumps out of the call instead, like LLVM's own crash recovery. The memory of the
//! call is never freed, which is some megabytes per module. A fatal error outside a guarded call
//! (none is known) still ends the process.

use std::{
    cell::RefCell,
    ffi::c_void,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use melior::StringRef;
use mlir_sys::MlirStringRef;

unsafe extern "C" {
    fn cuteHandleFatalErrors();
    fn cuteGuarded(f: extern "C" fn(*mut c_void), data: *mut c_void) -> bool;
}

/// Whether a fatal error outside a guarded call exits.
static EXITS: AtomicBool = AtomicBool::new(false);

thread_local! {
    static REASON: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes fatal errors outside a guarded call end the process with exit code 1 and one `error:`
/// line, where LLVM would abort. Only executables should call it.
pub fn exit_on_fatal_errors() {
    EXITS.store(true, Ordering::Relaxed);
    // SAFETY: it installs the handler once.
    unsafe { cuteHandleFatalErrors() };
}

/// The result of `step`, or the reason of a fatal error that cut it short.
///
/// Neither `step` nor its argument owns anything, so leaving it in the middle leaks no Rust values.
pub(super) fn guarded<A: Copy, R: Copy>(with: A, step: fn(A) -> R) -> Result<R, String> {
    struct Call<A, R> {
        with: A,
        step: fn(A) -> R,
        result: Option<R>,
    }
    extern "C" fn call<A: Copy, R: Copy>(data: *mut c_void) {
        // SAFETY: the only caller passes a live `Call`, and nothing else refers to it meanwhile.
        let call = unsafe { &mut *data.cast::<Call<A, R>>() };
        call.result = Some((call.step)(call.with));
    }
    let mut data = Call { with, step, result: None };
    // SAFETY: `data` outlives the call. The frames that a fatal error jumps over are `call` and
    // `step`, which have nothing to drop, and LLVM's.
    let ended = unsafe { cuteGuarded(call::<A, R>, (&raw mut data).cast()) };
    match data.result {
        Some(result) if ended => Ok(result),
        _ => Err(REASON.take()),
    }
}

/// Receives the reason of a fatal error. Afterwards C++ jumps to the guarded call, if there is one.
#[unsafe(no_mangle)]
extern "C" fn cute_fatal(reason: MlirStringRef, guarded: bool) {
    // SAFETY: LLVM's reason lives until the handler returns.
    let reason = unsafe { StringRef::from_raw(reason) };
    let reason: Vec<_> = reason.as_str().unwrap_or("").lines().map(str::trim).collect();
    let reason = format!("LLVM cannot compile this: {}", reason.join("; "));
    if guarded {
        REASON.set(reason);
        return;
    }
    // Unlike `eprintln!`, this does not panic if standard error is closed.
    let _ = writeln!(io::stderr(), "error: {reason}");
    if EXITS.load(Ordering::Relaxed) {
        std::process::exit(1);
    }
}
