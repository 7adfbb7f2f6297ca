//! Standard error, where everything goes that a session says.

use std::io::{self, Write};

use cute_session::{Listener, Session};

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
    let _ = io::stderr().write_all(cute_text::lines(text).as_bytes());
}
