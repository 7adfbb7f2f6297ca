//! All errors in an input, as data. Columns count from 1.

/// An error in the evaluation of an input, with its position.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// Another token was found.
    #[error("column {column}: expected {expected}, found {found}")]
    Unexpected {
        column: usize,
        /// The expected tokens.
        expected: &'static str,
        /// The token that was found.
        found: String,
    },
    /// Brackets nest too deep.
    #[error("column {column}: more than {limit} nested brackets")]
    TooDeep {
        column: usize,
        /// The maximum nesting depth.
        limit: usize,
    },
    /// More operators than the calculator accepts.
    #[error("column {column}: more than {limit} operators")]
    TooManyOperators {
        column: usize,
        /// The maximum number.
        limit: usize,
    },
    /// More integers than the calculator accepts.
    #[error("column {column}: {what} has more than {limit} leaves")]
    TooLarge {
        column: usize,
        /// The expression or the result.
        what: &'static str,
        /// The maximum number.
        limit: usize,
    },
    /// A call of a function that does not exist.
    #[error("column {column}: unknown function '{name}'{}", did_you_mean(.suggestion))]
    UnknownFunction {
        column: usize,
        name: String,
        /// A similar name that exists.
        suggestion: Option<String>,
    },
    /// A name that is neither a variable nor an atom.
    #[error("column {column}: '{name}' is not defined{}", did_you_mean(.suggestion))]
    UnknownName {
        column: usize,
        name: String,
        /// A similar name that has a value.
        suggestion: Option<String>,
    },
    /// The name of an atom that does not exist.
    #[error("column {column}: no atom is called '{name}'{}", begins(.longer, did_you_mean(.suggestion)))]
    UnknownAtom {
        column: usize,
        name: String,
        /// The atoms whose names begin with it.
        longer: Vec<&'static str>,
        /// A similar name, if there are none.
        suggestion: Option<String>,
    },
    /// Too few or too many arguments.
    #[error("column {column}: {name} takes {expected}, but got {found}: {signature}")]
    Arity {
        column: usize,
        name: String,
        /// The number of arguments that it takes.
        expected: String,
        /// The number of arguments that it was given.
        found: usize,
        signature: String,
    },
    /// A value of one kind where another is needed.
    #[error("column {column}: {what} must be {expected}, but {found} is {kind}")]
    Kind {
        column: usize,
        what: String,
        /// The kind of value that is needed.
        expected: &'static str,
        /// The given value as text.
        found: String,
        /// The kind of the given value.
        kind: &'static str,
    },
    /// The algebra rejects it.
    #[error("column {column}: {}", algebra(.error))]
    Algebra { column: usize, error: cute_algebra::Error },
    /// An error about a placement, which has no columns.
    #[error("{0}")]
    Placement(cute_placement::PlacementError),
    /// A table or picture was requested for a value that has none.
    #[error("column {column}: {why}")]
    Table { column: usize, why: String },
    /// A broken rule, with its name for programs.
    #[error("{text}")]
    Rule { name: &'static str, text: String },
    /// A line or file that is not a valid request.
    #[error("{0}")]
    Request(String),
    /// An argument of a request.
    #[error("argument {index}: {error}")]
    Argument {
        /// The position of the argument, counted from 1.
        index: usize,
        /// The error, whose columns count in the argument.
        error: Box<Error>,
    },
    /// An option, which has another name at each face.
    #[error("{}", .0.text(None))]
    Setting(SettingError),
    /// An argument with a name.
    #[error("argument '{name}': {error}")]
    Named {
        name: String,
        /// The error, whose columns count in the argument.
        error: Box<Error>,
    },
}

/// An error about an option. Its `option` is the name in requests, such as `bits`.
#[derive(Debug)]
#[allow(missing_docs, reason = "the text explains each field")]
pub enum SettingError {
    /// `banks needs the bits of an element, --bits N`
    Missing { by: &'static str, what: &'static str, option: &'static str, value: &'static str },
    /// `--bits 0: an element has 1 to 128 bits`
    Bad { option: &'static str, given: String, rule: String },
    /// `argument '--tile': column 1: ..`
    Inside { option: &'static str, error: Box<Error> },
}

/// The label of an option at a face that has fields.
pub type Label = fn(&str) -> Option<&'static str>;

impl SettingError {
    /// The text at a shell, or at a face whose fields have these labels.
    fn text(&self, label: Option<Label>) -> String {
        let (Self::Missing { option, .. } | Self::Bad { option, .. } | Self::Inside { option, .. }) = self;
        match (self, label.and_then(|label| label(option))) {
            (Self::Missing { by, what, value, .. }, None) => {
                format!("{by} needs {what}, --{option} {value}")
            }
            (Self::Missing { what, .. }, Some(field)) => {
                format!("this needs {what}: fill in the field '{field}'")
            }
            (Self::Bad { given, rule, .. }, None) => format!("--{option} {given}: {rule}"),
            (Self::Bad { given, rule, .. }, Some(field)) => format!("field '{field}': {given}: {rule}"),
            (Self::Inside { error, .. }, None) => format!("argument '--{option}': {error}"),
            (Self::Inside { error, .. }, Some(field)) => format!("field '{field}': {}", error.text(label)),
        }
    }
}

impl Error {
    /// Its text at a face whose fields have these labels; without labels that of a shell.
    pub fn text(&self, label: Option<Label>) -> String {
        match self {
            Self::Setting(setting) => setting.text(label),
            Self::Argument { index, error } => format!("argument {index}: {}", error.text(label)),
            Self::Named { name, error } => format!("argument '{name}': {}", error.text(label)),
            other => other.to_string(),
        }
    }
}

/// Result of an evaluation.
pub type Result<T> = std::result::Result<T, Error>;

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map(|name| format!("; did you mean '{name}'?")).unwrap_or_default()
}

/// The number of names that an error lists.
const LISTED: usize = 6;

fn begins(longer: &[&str], otherwise: String) -> String {
    match longer {
        [] => otherwise,
        [one] => format!("; did you mean '{one}'?"),
        _ => {
            let listed: Vec<_> = longer.iter().take(LISTED).copied().collect();
            let more = match longer.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("; {} begin with it: {}{more}", longer.len(), listed.join(", "))
        }
    }
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
