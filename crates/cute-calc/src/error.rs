//! The errors of the shell: of an input, of a file, or of a stream.

use std::path::PathBuf;

/// An error of an input, with its position, or of what the shell reads and writes.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An expression, a command or a request.
    #[error(transparent)]
    Input(#[from] cute_eval::error::Error),
    /// An unknown word after `:`.
    #[error("unknown command ':{0}'; ':help' lists the commands")]
    Command(String),
    /// A file that cannot be read.
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: std::io::Error },
    /// A result cannot be written.
    #[error(transparent)]
    Output(#[from] cute_output::Error),
    /// Standard input or output fails.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl Error {
    /// An input that is not valid, in words.
    pub fn request(why: impl Into<String>) -> Self {
        Self::Input(cute_eval::error::Error::Request(why.into()))
    }
}

/// Result of the shell.
pub type Result<T> = std::result::Result<T, Error>;
