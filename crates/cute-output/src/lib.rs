//! Writing the results of the command line tools: all of them, or none. It knows files and streams, and nothing of what
//! is written.

#![deny(unsafe_code)]

mod files;
mod stdout;

pub use files::{Sink, write};
pub use stdout::stdout;

use std::io;

/// A result that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write '{file}': {}", plain(why))]
pub struct Error {
    /// The file, or "standard output".
    pub file: String,
    /// Why.
    #[source]
    pub why: io::Error,
}

/// The text of an I/O error, without Rust's "(os error 2)".
pub fn plain(why: &io::Error) -> String {
    let text = why.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
