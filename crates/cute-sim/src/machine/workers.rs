//! The host threads of a launch, and of runs at the same time. They end with the work, so that a
//! program can fork or unload the library between launches.

use std::{iter, num::NonZero, panic::resume_unwind, thread};

/// Bytes of a thread's stack: that of the caller may be small.
const STACK: usize = 2 << 20;

/// The number of threads that can run at the same time, at least one.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Lets other threads of the host go on.
pub(super) fn let_others_run() {
    thread::yield_now();
}

/// Runs `work` in this number of threads at the same time, and returns what each returns. If the
/// system refuses threads, there are fewer; if it refuses all, as WebAssembly does, the work is
/// done in this one.
pub fn run<T: Send>(count: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let start = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &work);
        let all = || iter::repeat_with(start).take(count).map_while(Result::ok).collect();
        let started: Vec<_> = without_signals(all);
        if started.is_empty() {
            return vec![work()];
        }
        // The end of the scope alone would not wait until the system has ended the threads.
        let ended = started.into_iter().map(|thread| thread.join());
        ended.map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Starts threads that get no signals, which are for the threads of the program. New threads
/// inherit that signals are blocked.
#[cfg(unix)]
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    use nix::sys::signal::{SigSet, SigmaskHow};

    let mask = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK);
    let started = start();
    if let Ok(mask) = mask {
        mask.thread_set_mask().expect("a mask that was in force is valid");
    }
    started
}

/// Starts threads on a system without signals.
#[cfg(not(unix))]
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    start()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::SigSet;
    use std::path::{Path, PathBuf};
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    #[test]
    fn threads_have_ended_with_the_work() {
        let own = || fs::read_link("/proc/thread-self").expect("the number of this thread");
        let tasks = run(3, own);
        assert_eq!(tasks.len(), 3);
        assert!(!tasks.contains(&own()));
        // The kernel wakes who joins a thread a moment before it forgets the thread.
        let is_left = |task: &PathBuf| Path::new("/proc").join(task).exists();
        let until = Instant::now() + Duration::from_secs(5);
        while tasks.iter().any(is_left) && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
        assert!(!tasks.iter().any(is_left), "{tasks:?}");
    }

    #[test]
    fn signals_are_blocked_in_the_threads_only() {
        let before = SigSet::thread_get_mask().expect("a mask");
        let masks = run(1, || SigSet::thread_get_mask().expect("a mask"));
        assert!(masks.iter().all(|mask| mask.contains(nix::sys::signal::SIGINT)));
        assert_eq!(SigSet::thread_get_mask().expect("a mask"), before);
    }
}
