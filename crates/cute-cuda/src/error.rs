//! The errors of CUDA, whose numbers the runtime and the driver share, and the error that a thread
//! was returned last.
//!
//! Most errors concern one call. After a [sticky](Error::is_sticky) one the device is unusable:
//! every later call of any thread returns it again, until `cudaDeviceReset`.

use std::{
    cell::Cell,
    fmt,
    sync::atomic::{AtomicI32, Ordering},
};

mod table;

pub use table::{ERRORS, Row};

/// An error of CUDA by its number: `cudaError_t`, or the `CUresult` of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error(pub i32);

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// The errors after which a device cannot be used: those of kernels while they run, and those of
/// the hardware (CUDA Runtime API, "Data types used by CUDA Runtime", which says of each that the
/// process is left in an inconsistent state).
const STICKY: &[Error] = &[
    Error::ECC_UNCORRECTABLE,
    Error::NVLINK_UNCORRECTABLE,
    Error::CONTAINED,
    Error::ILLEGAL_ADDRESS,
    Error::LAUNCH_TIMEOUT,
    Error::ASSERT,
    Error::HARDWARE_STACK_ERROR,
    Error::ILLEGAL_INSTRUCTION,
    Error::MISALIGNED_ADDRESS,
    Error::INVALID_ADDRESS_SPACE,
    Error::INVALID_PC,
    Error::LAUNCH_FAILED,
    Error::TENSOR_MEMORY_LEAK,
    Error::EXTERNAL_DEVICE,
];

impl Error {
    /// Whether it makes the device unusable until it is reset.
    pub fn is_sticky(self) -> bool {
        STICKY.contains(&self)
    }

    /// Its names and its text, if CUDA has such an error.
    pub fn row(self) -> Option<&'static Row> {
        let at = ERRORS.binary_search_by_key(&self.0, |row| row.number).ok()?;
        Some(&ERRORS[at])
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.row() {
            None => write!(f, "error {}", self.0),
            Some(row) => {
                let name = row.runtime.or(row.driver).unwrap_or_default();
                write!(f, "{} ({})", row.text.to_string_lossy(), name.to_string_lossy())
            }
        }
    }
}

/// The number of the sticky error, or 0.
static BROKEN: AtomicI32 = AtomicI32::new(0);

thread_local! {
    /// The number of the error that a runtime function last returned to this thread, or 0.
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// Notes that a runtime function returns the error to this thread. A sticky error is noted for all
/// threads.
pub fn fail(error: Error) {
    break_device(error);
    LAST.set(error.0);
}

/// Notes the error for all threads, if it is sticky. The first one stays: the others follow from
/// it.
pub fn break_device(error: Error) {
    if error.is_sticky() {
        let _ = BROKEN.compare_exchange(0, error.0, Ordering::AcqRel, Ordering::Acquire);
    }
}

/// The sticky error, if there was one since the device was last reset.
pub fn broken() -> Option<Error> {
    Some(BROKEN.load(Ordering::Acquire)).filter(|number| *number != 0).map(Error)
}

/// The error that a runtime function last returned to this thread, or the sticky one.
pub fn last() -> Option<Error> {
    broken().or_else(|| Some(LAST.get()).filter(|number| *number != 0).map(Error))
}

/// [`last`], which is forgotten unless it is sticky.
pub fn take_last() -> Option<Error> {
    let last = last();
    LAST.set(0);
    last
}

/// Forgets the sticky error, and this thread's last one: the device has been reset.
pub fn reset() {
    BROKEN.store(0, Ordering::Release);
    LAST.set(0);
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;

    /// A sticky error is one for all threads: tests of it, and tests that it would disturb, take
    /// turns.
    pub fn alone() -> MutexGuard<'static, ()> {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        reset();
        turn
    }

    #[test]
    fn numbers_are_in_order_and_each_error_has_a_name() {
        assert!(ERRORS.is_sorted_by(|a, b| a.number < b.number));
        for row in ERRORS {
            assert!(row.runtime.is_some() || row.driver.is_some(), "{row:?}");
            assert!(!row.text.is_empty(), "{row:?}");
        }
        assert_eq!(ERRORS.iter().filter(|row| row.runtime.is_some()).count(), 134);
        assert_eq!(ERRORS.iter().filter(|row| row.driver.is_some()).count(), 101);
    }

    #[test]
    fn an_error_prints_what_programs_print() {
        let texts = [Error::OUT_OF_MEMORY, Error::LAUNCH_FAILED, Error::KEY_ROTATION, Error(12_345)]
            .map(|error| error.to_string());
        assert_eq!(
            texts,
            [
                "out of memory (cudaErrorMemoryAllocation)",
                "unspecified launch failure (cudaErrorLaunchFailure)",
                "an error happened in key rotation sequence (CUDA_ERROR_KEY_ROTATION)",
                "error 12345",
            ]
        );
    }

    #[test]
    fn an_error_is_forgotten_when_it_is_taken_but_a_sticky_one_stays() {
        let _turn = alone();
        assert_eq!(last(), None);
        fail(Error::INVALID_VALUE);
        assert_eq!(
            [last(), take_last(), take_last()],
            [Some(Error::INVALID_VALUE), Some(Error::INVALID_VALUE), None]
        );
        fail(Error::ILLEGAL_ADDRESS);
        fail(Error::LAUNCH_FAILED);
        assert_eq!([take_last(), take_last(), broken()], [Some(Error::ILLEGAL_ADDRESS); 3]);
        let elsewhere = std::thread::spawn(last).join().unwrap();
        assert_eq!(elsewhere, Some(Error::ILLEGAL_ADDRESS));
        reset();
        assert_eq!([last(), broken()], [None; 2]);
    }

    #[test]
    fn the_last_error_is_one_per_thread() {
        let _turn = alone();
        fail(Error::INVALID_VALUE);
        assert_eq!(std::thread::spawn(last).join().unwrap(), None);
        assert_eq!(take_last(), Some(Error::INVALID_VALUE));
    }
}
