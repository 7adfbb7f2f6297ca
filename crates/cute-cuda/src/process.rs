//! The process of the program, which may fork, and may end while a thread of it launches.

use std::sync::{
    Once,
    atomic::{AtomicBool, Ordering},
};

use crate::{error::Error, state};

/// Whether this process was forked after the other one had called CUDA.
static IS_FORKED: AtomicBool = AtomicBool::new(false);

/// Whether the program ends.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// The first call of the process: forks and the end are noticed from now on.
pub fn begin() {
    static FIRST: Once = Once::new();
    // SAFETY: the functions have the signatures of C. The library stays loaded.
    FIRST.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(forked));
        libc::atexit(ended);
    });
}

/// A lock may be held by a thread that this process does not have, so nothing may wait for one.
unsafe extern "C" fn forked() {
    IS_FORKED.store(true, Ordering::Relaxed);
}

extern "C" fn ended() {
    IS_ENDING.store(true, Ordering::Relaxed);
    if !IS_FORKED.load(Ordering::Relaxed) && state::is_busy() {
        eprintln!("cutec exec: the program ended during a launch of another thread, which is not reported");
    }
}

/// Whether the program ends. What other threads do is not waited for.
pub fn is_ending() -> bool {
    IS_ENDING.load(Ordering::Relaxed)
}

const REMARK: &[u8] =
    b"cutec exec: a process that was forked after the first call of CUDA cannot use it: fork before that \
call, or execute a program in the new process\n";

/// The error of all calls in a process that cannot use CUDA.
pub fn unusable() -> Option<Error> {
    if !IS_FORKED.load(Ordering::Relaxed) {
        return None;
    }
    static SAID: AtomicBool = AtomicBool::new(false);
    if !SAID.swap(true, Ordering::Relaxed) {
        // SAFETY: the text has this length. The standard stream may be locked, so it is not used.
        unsafe { libc::write(libc::STDERR_FILENO, REMARK.as_ptr().cast(), REMARK.len()) };
    }
    Some(Error::NOT_INITIALIZED)
}
