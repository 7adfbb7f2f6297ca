//! The streams of the process: reports on standard output, and everything that a session says on
//! standard error.

use std::{
    io::{self, Write},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use cute_output::Sink;
use cute_session::{Listener, Report, ReportSeverity, Session};
use serde::{Deserialize, Serialize};

use crate::error::Result;

/// Lines that were written to both streams.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    output: String,
    messages: String,
}

/// The lines that are written during [`recorded`].
static RECORDING: Mutex<Option<Said>> = Mutex::new(None);

fn recording() -> MutexGuard<'static, Option<Said>> {
    RECORDING.lock().unwrap_or_else(PoisonError::into_inner)
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
pub fn recorded<T>(run: impl FnOnce() -> T) -> (T, Said) {
    *recording() = Some(Said::default());
    let result = run();
    (result, mem::take(&mut *recording()).unwrap_or_default())
}

/// Prints a report on standard output.
///
/// # Errors
/// Those of [`cute_output::write`].
pub fn print(text: &str) -> Result<()> {
    if let Some(said) = &mut *recording() {
        said.output.push_str(text);
    }
    Ok(cute_output::write(&[(Sink::Stdout, text.as_bytes())])?)
}

/// A session that says everything on standard error.
pub fn session() -> Session {
    Session::new(Listener::new(|report| say(&report.text)))
}

/// The first error that a session said.
#[derive(Debug, Clone, Default)]
pub struct Heard(Arc<Mutex<Option<Report>>>);

impl Heard {
    /// The first error.
    pub fn first_error(&self) -> Option<Report> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn hear(&self, report: &Report) {
        if report.severity == ReportSeverity::Error {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| report.clone());
        }
    }
}

/// A session that says everything on standard error, and whose first error is kept.
pub fn session_that(heard: &Heard) -> Session {
    let heard = heard.clone();
    Session::new(Listener::new(move |report| {
        heard.hear(report);
        say(&report.text);
    }))
}

/// Says lines on standard error.
pub fn message(text: &str) {
    say(&format!("{text}\n"));
}

/// Unlike `eprint!`, this continues if the stream is closed. Names and lines of a module, and what
/// ptxas says, may have control characters, which are shown.
fn say(text: &str) {
    if let Some(said) = &mut *recording() {
        said.messages.push_str(text);
    }
    let _ = io::stderr().write_all(cute_text::lines(text).as_bytes());
}
