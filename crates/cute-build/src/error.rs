//! The errors of building IR, with MLIR's own words if it has any.

use cute_algebra::ParseError;
use cute_ffi::ir;
use melior::ir::Location;

/// Result of building.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something could not be built, run or parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// MLIR cannot build an op: the result type of its operands cannot be inferred, or its dialect
    /// is not loaded.
    #[error("cannot build '{op}': {why}")]
    Build {
        /// Name of the op.
        op: String,
        why: String,
    },
    /// A string of the algebra that does not parse.
    #[error("invalid {what} \"{text}\": {error}")]
    Text {
        /// The expected kind: "layout", "tile".
        what: &'static str,
        text: String,
        /// The reason, with the column.
        error: Box<ParseError>,
    },
    /// A type, or an attribute, that MLIR does not parse.
    #[error("invalid {text}: {why}")]
    Type { text: String, why: String },
    /// A rule that a value breaks.
    #[error("{0}")]
    Rule(String),
    /// A module that MLIR does not parse, or that is invalid. Each error has a line of its own.
    #[error("{0}")]
    Module(String),
    /// A pass that failed.
    #[error("{0}")]
    Pass(String),
    /// An error of melior.
    #[error("{0}")]
    Melior(String),
    /// An op whose value is needed has no result or more than one.
    #[error("'{op}' has {results} results where {expected} is expected")]
    Results {
        /// Name of the op.
        op: String,
        /// The number of its results.
        results: usize,
        /// The number that the caller takes.
        expected: usize,
    },
    /// An error at a line of the program that builds IR.
    #[error("{}{}{error}", place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default(),
        name.as_ref().map(|name| format!("%{name}: ")).unwrap_or_default())]
    At {
        /// `src/main.rs:16:31`, if it is known.
        place: Option<String>,
        /// The name of the value that would have been built, if it has one.
        name: Option<String>,
        error: Box<Self>,
    },
    /// A pass reported the reason at the op that it is about.
    #[error("MLIR's diagnostics state the reason")]
    Reported,
}

impl Error {
    /// The error at a location, unless it has one already.
    pub(crate) fn at(self, location: Location<'_>) -> Self {
        let (place, name) = (crate::diagnostics::line(location), ir::location_name(location));
        match self {
            placed @ Self::At { .. } => placed,
            error if place.is_none() && name.is_none() => error,
            error => Self::At { place, name, error: Box::new(error) },
        }
    }

    /// The error without its place.
    pub fn cause(&self) -> &Self {
        match self {
            Self::At { error, .. } => error.cause(),
            error => error,
        }
    }
}

impl From<melior::Error> for Error {
    fn from(error: melior::Error) -> Self {
        Self::Melior(error.to_string())
    }
}

impl From<cute_algebra::Error> for Error {
    fn from(error: cute_algebra::Error) -> Self {
        Self::Rule(error.to_string())
    }
}

impl From<cute_dialect::Error> for Error {
    fn from(error: cute_dialect::Error) -> Self {
        Self::Rule(error.to_string())
    }
}
