//! What the dialect rejects, as data. The text is made here, once; the op's name is put before it where it is emitted.

use cute_algebra::Error as Algebra;

/// Why an op is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The algebra rejects the operands.
    #[error("{}{}", .0, way_out(.0))]
    Algebra(#[from] Algebra),
    /// Too few or too many operands.
    #[error("expects {expected}, found {found} operands")]
    OperandCount {
        /// What is expected.
        expected: String,
        /// Number of operands.
        found: usize,
    },
    /// An operand of a kind the op does not take.
    #[error("operand #{index} must be {expected}, found {found}")]
    OperandKind {
        /// Position of the operand.
        index: usize,
        /// Kinds that are accepted.
        expected: &'static str,
        /// Its type.
        found: String,
    },
    /// The declared type of a result is not what the op makes.
    #[error("result #{index}: declared {declared} is not a weakening of {inferred}: {why}")]
    ResultType {
        /// Position of the result.
        index: usize,
        /// Type that is written.
        declared: String,
        /// Type that follows from the operands.
        inferred: String,
        /// The difference.
        why: String,
        /// What may have led to the declaration.
        note: Option<String>,
    },
    /// More or fewer results than the op makes.
    #[error("has {declared} results, its operands make {inferred}")]
    ResultCount {
        /// Number declared.
        declared: usize,
        /// Number inferred.
        inferred: usize,
    },
    /// An attribute is missing or malformed.
    #[error("attribute '{name}' must be {expected}")]
    Attribute {
        /// Its name.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A rule of one op.
    #[error("{0}")]
    Rule(String),
}

/// How to get what the strict policy rejects.
fn way_out(error: &Algebra) -> &'static str {
    match error {
        Algebra::Domain { .. } => "; set cute.domain = \"extend\" to accept it as CuTe does",
        _ => "",
    }
}

impl Error {
    /// What is said beside the error.
    pub fn note(&self) -> Option<&str> {
        match self {
            Self::ResultType { note, .. } => note.as_deref(),
            _ => None,
        }
    }
}

/// Result of asking what an op makes.
pub type Result<T> = std::result::Result<T, Error>;
