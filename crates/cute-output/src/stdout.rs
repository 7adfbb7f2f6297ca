//! Standard output, which a caller may have closed.
//!
//! Before `main`, Rust's standard library replaces a closed stream by `/dev/null`, so that
//! everything written there is lost without an error. A closed stream can only be detected before
//! that.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

static CLOSED: AtomicBool = AtomicBool::new(false);

#[ctor::ctor(unsafe)]
fn look() {
    CLOSED.store(rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err(), Ordering::Relaxed);
}

/// Standard output, locked.
///
/// # Errors
/// If it was closed when the process started (`>&-`).
pub fn stdout() -> io::Result<impl Write> {
    if CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::new(io::ErrorKind::NotConnected, "standard output is closed"));
    }
    Ok(io::stdout().lock())
}
