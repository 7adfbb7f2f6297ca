//! Everything that can be wrong with an input, as data. Columns count from 1.

use std::path::PathBuf;

/// Why an expression has no value, and where.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something else stands there.
    #[error("column {column}: expected {expected}, found {found}")]
    Unexpected {
        /// Where.
        column: usize,
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// Brackets nest too deep.
    #[error("column {column}: more than {limit} nested brackets")]
    TooDeep {
        /// Where.
        column: usize,
        /// Deepest nesting that is read.
        limit: usize,
    },
    /// More operators than the calculator takes.
    #[error("column {column}: more than {limit} operators")]
    TooManyOperators {
        /// Where.
        column: usize,
        /// The most that are taken.
        limit: usize,
    },
    /// More integers than the calculator takes.
    #[error("column {column}: {what} has more than {limit} leaves")]
    TooLarge {
        /// Where.
        column: usize,
        /// The expression or the result.
        what: &'static str,
        /// The most that are taken.
        limit: usize,
    },
    /// A call of a function that does not exist.
    #[error("column {column}: unknown function '{name}'{}", did_you_mean(.suggestion))]
    UnknownFunction {
        /// Where.
        column: usize,
        /// The name.
        name: String,
        /// One that exists.
        suggestion: Option<String>,
    },
    /// A name without a value.
    #[error("column {column}: '{name}' has no value{}", did_you_mean(.suggestion))]
    UnknownName {
        /// Where.
        column: usize,
        /// The name.
        name: String,
        /// One that has.
        suggestion: Option<String>,
    },
    /// Too few or too many arguments.
    #[error("column {column}: {name} takes {expected}, {found} given: {signature}")]
    Arity {
        /// Where.
        column: usize,
        /// The function.
        name: String,
        /// How many it takes.
        expected: String,
        /// How many it got.
        found: usize,
        /// Its parameters.
        signature: String,
    },
    /// A value of one kind where another is needed.
    #[error("column {column}: {what} must be {expected}, {found} is {kind}")]
    Kind {
        /// Where.
        column: usize,
        /// The argument.
        what: String,
        /// What is needed.
        expected: &'static str,
        /// What is given, as text.
        found: String,
        /// What that is.
        kind: &'static str,
    },
    /// The algebra rejects it.
    #[error("column {column}: {}", algebra(.error))]
    Algebra {
        /// Where.
        column: usize,
        /// Why.
        error: cute_algebra::Error,
    },
    /// What the algebra says of a placement, which has no columns.
    #[error("{0}")]
    Placement(cute_algebra::Error),
    /// A table of something that has none.
    #[error("column {column}: {why}")]
    Table {
        /// Where.
        column: usize,
        /// Why.
        why: String,
    },
    /// A rule that is broken, and its name for programs.
    #[error("{text}")]
    Rule {
        /// Its name.
        name: &'static str,
        /// What breaks it.
        text: String,
    },
    /// A line or file that is no request.
    #[error("{0}")]
    Request(String),
    /// An argument of a request.
    #[error("argument {index}: {error}")]
    Argument {
        /// Which, from 1.
        index: usize,
        /// What is wrong with it; its columns count in the argument.
        error: Box<Error>,
    },
    /// An argument with a name.
    #[error("argument '{name}': {error}")]
    Named {
        /// Its name.
        name: String,
        /// What is wrong with it; its columns count in the argument.
        error: Box<Error>,
    },
    /// An unknown word after `:`.
    #[error("unknown command ':{0}'; ':help' lists the commands")]
    Command(String),
    /// A file that cannot be read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A result cannot be written.
    #[error(transparent)]
    Output(#[from] cute_output::Error),
    /// Standard input or output fails.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// Result of the calculator.
pub type Result<T> = std::result::Result<T, Error>;

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

fn algebra(error: &cute_algebra::Error) -> String {
    match error {
        cute_algebra::Error::Domain { what, why } => {
            format!("{what}: {why}; --domain extend accepts it as CuTe does")
        }
        other => other.to_string(),
    }
}

/// The error of the algebra at `column`.
pub fn at<T>(column: usize, result: cute_algebra::error::Result<T>) -> Result<T> {
    result.map_err(|error| Error::Algebra { column, error })
}
