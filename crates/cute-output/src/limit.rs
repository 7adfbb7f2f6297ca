//! The limit of the size of files that a user may set (`ulimit -f`).

use nix::sys::signal::{SigSet, Signal};

/// Makes a write beyond the limit an error, so that what is written beside a file is removed. The
/// default is that a signal ends the process.
///
/// It holds for this thread and those that it starts from now on, so a program calls it first. A
/// library leaves the signals of its program alone.
pub fn survive_file_limit() {
    // A signal that is blocked stays pending, and the write fails with EFBIG.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}
