//! `cute-eval` as WebAssembly, without imports: the page in `page/` writes a request into the
//! module's memory, calls a function, and reads the answer. The module computes nothing of its own.
//!
//! | export | meaning |
//! |---|---|
//! | `request(length)` | the address at which the caller writes the request, which is JSON of that many bytes |
//! | `answer()` | answers it like `cute-calc --json`: an object, or one line for each of an array |
//! | `view()` | answers it as [`cute_eval::view`] describes |
//! | `about()` | the functions that the page lists, and the colours: see [`cute_eval::view::about`] |
//! | `text()` | the address of the last answer; the functions above return its length in bytes |
//! | `numbers()` | the address of the numbers that belong to the last view: doubles |
//!
//! A panic aborts, and the memory is then in an unknown state: the page reports an internal error
//! and starts a new instance.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cute_algebra::Domain;
use cute_eval::{
    eval::Session,
    request::{answer as one, answer_array, failure},
    view,
};

/// The request, the last answer, and the numbers of the last view.
static REQUEST: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static NUMBERS: Mutex<Vec<f64>> = Mutex::new(Vec::new());

fn held<T>(buffer: &'static Mutex<Vec<T>>) -> MutexGuard<'static, Vec<T>> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps an answer, and returns its length.
fn keep(text: Vec<u8>) -> usize {
    let mut answer = held(&ANSWER);
    *answer = text;
    answer.len()
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

/// The address of the numbers of the last view.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn numbers() -> *const f64 {
    held(&NUMBERS).as_ptr()
}

/// Answers the request like `cute-calc --json`.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer() -> usize {
    keep(answered(&held(&REQUEST)).into_bytes())
}

/// The data that the page draws for the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn view() -> usize {
    let view = view::answer(&held(&REQUEST));
    *held(&NUMBERS) = view.numbers;
    keep(view.text.into_bytes())
}

/// The functions that the page lists, and the colours.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn about() -> usize {
    keep(view::about().to_string().into_bytes())
}

/// The answer to a request; for an array one per line.
fn answered(text: &[u8]) -> String {
    let session = Session::new(Domain::Extend);
    if !text.trim_ascii_start().starts_with(b"[") {
        return one(&session, text).to_string();
    }
    match answer_array(&session, text) {
        Ok(answers) => answers.map(|answer| format!("{answer}\n")).collect(),
        Err(error) => failure(&error).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::answered;

    #[test]
    fn an_array_is_answered_line_by_line() {
        let coalesce = r#"{"op":"coalesce","args":["(2,4):(1,2)"]}"#;
        assert_eq!(answered(coalesce.as_bytes()), r#"{"result":"8:1","value":{"shape":8,"stride":1}}"#);
        let lines = answered(format!("[{coalesce},{{}}]").as_bytes());
        assert_eq!(lines.lines().count(), 2);
        assert!(lines.lines().nth(1).is_some_and(|line| line.contains("error")), "{lines}");
        assert!(answered(b"[").contains("error"));
    }
}
