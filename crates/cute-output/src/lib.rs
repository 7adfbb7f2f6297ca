//! Writes the results of the command line tools: either all of them or none; and reads whole files.
//! The crate handles files and streams; it does not depend on their contents.

#![deny(unsafe_code)]

mod files;
mod input;
mod limit;
mod stdout;

pub use files::{Sink, Writing, write, write_parts};
pub use input::{read, read_own, read_start};
pub use limit::survive_file_limit;
pub use stdout::stdout;

use std::io;

/// An error in writing a result.
#[derive(Debug, thiserror::Error)]
#[error("cannot write '{file}': {}", plain(why))]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Error {
    /// The file, or "standard output".
    pub file: String,
    #[source]
    pub why: io::Error,
}

/// The text of an I/O error, without Rust's "(os error 2)".
pub fn plain(why: &io::Error) -> String {
    let text = why.to_string();
    text.split(" (os error").next().unwrap_or_default().to_string()
}
