//! The errors of building and compiling a kernel, with MLIR's own words if it has any.

use cute_algebra::ParseError;

/// Why something could not be built, run or parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// MLIR cannot build an op: the result type of its operands cannot be inferred, or its dialect
    /// is not loaded.
    #[error("cannot build '{op}': {why}")]
    Build {
        /// Name of the op.
        op: String,
        /// The reason.
        why: String,
    },
    /// A string of the algebra that does not parse.
    #[error("invalid {what} \"{text}\": {error}")]
    Text {
        /// The expected kind: "layout", "tile".
        what: &'static str,
        /// The string.
        text: String,
        /// The reason, with the column.
        error: Box<ParseError>,
    },
    /// A type, or an attribute, that MLIR does not parse.
    #[error("invalid {text}: {why}")]
    Type {
        /// Its text.
        text: String,
        /// The reason.
        why: String,
    },
    /// A module that MLIR does not parse, or that is invalid.
    #[error("{0}")]
    Module(String),
    /// A pass that failed.
    #[error("{0}")]
    Pass(String),
    /// An error of melior.
    #[error("{0}")]
    Melior(String),
    /// An op whose value is needed has no result or more than one.
    #[error("'{op}' has {results} results where one is expected")]
    OneResult {
        /// Name of the op.
        op: String,
        /// The number of its results.
        results: usize,
    },
}

impl From<melior::Error> for Error {
    fn from(error: melior::Error) -> Self {
        Self::Melior(error.to_string())
    }
}
