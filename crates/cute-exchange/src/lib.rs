//! Requests to a module of WebAssembly, and its answers. The caller writes a request into the
//! module's memory, calls a function of the module, and reads the answer.
//!
//! | export | meaning |
//! |---|---|
//! | `request(length)` | the address at which the caller writes the request, which has that many bytes |
//! | `text()` | the address of the last answer; the functions that answer return its length in bytes |

#![deny(missing_docs)]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The request and the last answer.
static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn held(buffer: &'static Mutex<Vec<u8>>) -> MutexGuard<'static, Vec<u8>> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a request of `length` bytes, and returns its address.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn request(length: usize) -> *mut u8 {
    let mut request = held(&REQUEST);
    request.clear();
    request.resize(length, 0);
    request.as_mut_ptr()
}

/// The address of the last answer.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn text() -> *const u8 {
    held(&ANSWER).as_ptr()
}

/// Keeps the answer to the request, and returns its length.
pub fn answer<A: Into<Vec<u8>>>(to: impl FnOnce(&[u8]) -> A) -> usize {
    let made = to(&held(&REQUEST)).into();
    let mut answer = held(&ANSWER);
    *answer = made;
    answer.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_to_the_request() {
        request(3);
        assert_eq!(answer(|request| format!("{} bytes", request.len())), 7);
        assert_eq!(held(&ANSWER).as_slice(), b"3 bytes");
        assert_eq!(text(), held(&ANSWER).as_ptr());
    }
}
