//! The streams of the process: reports on standard output, and everything that a session says on
//! standard error.

use std::{
    io::{self, Write},
    mem,
    sync::{Mutex, MutexGuard, PoisonError},
};

use cute_output::Sink;
use cute_session::{Listener, Session};
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// Lines that were written to both streams.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    output: String,
    messages: String,
}

/// The lines that are written while [`heard`] listens.
static HEARD: Mutex<Option<Said>> = Mutex::new(None);

fn listening() -> MutexGuard<'static, Option<Said>> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Said {
    /// Writes the lines again.
    ///
    /// # Errors
    /// Those of [`print`].
    pub fn again(&self) -> Result<()> {
        say(&self.messages);
        print(&self.output)
    }
}

/// Runs a function, and returns what was said on the way, too.
pub fn heard<T>(run: impl FnOnce() -> T) -> (T, Said) {
    *listening() = Some(Said::default());
    let result = run();
    (result, mem::take(&mut *listening()).unwrap_or_default())
}

/// Prints a report on standard output.
///
/// # Errors
/// Those of [`cute_output::write`].
pub fn print(text: &str) -> Result<()> {
    if let Some(said) = &mut *listening() {
        said.output.push_str(text);
    }
    Ok(cute_output::write(&[(Sink::Stdout, text.as_bytes())])?)
}

/// A session that says everything on standard error.
pub fn session() -> Session {
    Session::new(Listener::new(|report| say(&report.text)))
}

/// Says lines on standard error.
pub fn message(text: &str) {
    say(&format!("{text}\n"));
}

/// Unlike `eprint!`, this continues if the stream is closed. Names and lines of a module, and what
/// ptxas says, may have control characters, which are shown.
fn say(text: &str) {
    if let Some(said) = &mut *listening() {
        said.messages.push_str(text);
    }
    let _ = io::stderr().write_all(cute_text::lines(text).as_bytes());
}
