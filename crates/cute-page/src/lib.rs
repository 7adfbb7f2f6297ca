//! `cute-eval` as WebAssembly, without imports: the page in `page/` exchanges requests and answers
//! with the module, as [`cute_exchange`] describes. The module computes nothing of its own.
//!
//! | export | meaning |
//! |---|---|
//! | `answer()` | answers a request in JSON like `cute-calc --json`: an object, or one line for each of an array |
//! | `view()` | answers it as [`cute_eval::view`] describes |
//! | `about()` | the functions that the page lists, and the colours: see [`cute_eval::view::about`] |
//! | `numbers()` | the address of the numbers that belong to the last view: doubles |
//!
//! A panic aborts, and the memory is then in an unknown state: the page reports an internal error
//! and starts a new instance.

use std::sync::{Mutex, PoisonError};

use cute_algebra::Domain;
use cute_eval::{
    eval::Session,
    request::{answer as one, answer_array, failure},
    view,
};
use cute_exchange as exchange;

/// The numbers of the last view.
static NUMBERS: Mutex<Vec<f64>> = Mutex::new(Vec::new());

/// The address of the numbers of the last view.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn numbers() -> *const f64 {
    NUMBERS.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

/// Answers the request like `cute-calc --json`.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn answer() -> usize {
    exchange::answer(answered)
}

/// The data that the page draws for the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn view() -> usize {
    exchange::answer(|request| {
        let view = view::answer(request);
        *NUMBERS.lock().unwrap_or_else(PoisonError::into_inner) = view.numbers;
        view.text
    })
}

/// The functions that the page lists, and the colours.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn about() -> usize {
    exchange::answer(|_| view::about().to_string())
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
