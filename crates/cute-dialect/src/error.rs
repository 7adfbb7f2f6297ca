//! The errors of the dialect, as data. Their texts are made here, once; the op's name is prepended
//! where an error is emitted.

mod atom;
mod rules;

pub use atom::AtomError;
use cute_algebra::Error as Algebra;
use cute_placement::PlacementError;
pub use rules::{OpRule, rule_of};

/// Why an op is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// The algebra rejects the operands.
    #[error("{}{}", .0, way_out(.0))]
    Algebra(#[from] Algebra),
    /// An operation on placements has no result.
    #[error(transparent)]
    Placement(Box<PlacementError>),
    /// Too few or too many operands.
    #[error("expects {expected}, found {found} operands")]
    OperandCount {
        /// The expected kind.
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
        found: String,
    },
    /// The declared type of a result does not match the op's result.
    #[error("result #{index}: declared {declared} is not a weakening of {inferred}: {why}")]
    ResultType {
        /// Position of the result.
        index: usize,
        /// Type that is written.
        declared: String,
        /// Type that follows from the operands.
        inferred: String,
        why: String,
        /// A possible reason for the declaration.
        note: Option<String>,
    },
    /// The number of results differs from the number that the op computes.
    #[error("has {declared} results, but computes {inferred} from its operands")]
    ResultCount {
        /// Number declared.
        declared: usize,
        /// Number inferred.
        inferred: usize,
    },
    /// An attribute is missing or malformed.
    #[error("attribute '{name}' must be {expected}")]
    Attribute {
        name: &'static str,
        /// The expected value.
        expected: &'static str,
    },
    /// The declared type of the result is of another kind.
    #[error("the result must be {expected}")]
    ResultKind {
        /// The kinds that the op returns.
        expected: &'static str,
    },
    /// The operand is another atom than the result type names.
    #[error("the atom is not the one of the result type")]
    OtherAtom,
    /// A value is dynamic, but must be static.
    #[error("the {what} {value} is dynamic{rule}")]
    Dynamic {
        /// Part of the op.
        what: &'static str,
        /// It, and whose it is.
        value: String,
        /// The reason, after a punctuation mark.
        rule: &'static str,
    },
    /// The shape or layout of a fragment is left to run time.
    #[error("a fragment must have a static {what}, found {found}")]
    DynamicFragment {
        /// Shape or layout.
        what: &'static str,
        found: String,
    },
    /// A `_` in a coordinate of one element.
    #[error("the coordinate {coord} has a `_`, but {rule}")]
    Underscore {
        coord: String,
        /// The effect of the op at the coordinate.
        rule: &'static str,
    },
    /// Memory is in a space that the op does not take or return.
    #[error("the {what} lies in {found}{rule}")]
    Space {
        /// Operand or result.
        what: &'static str,
        /// The actual space.
        found: &'static str,
        /// The required space, after a punctuation mark.
        rule: String,
    },
    /// The width of the elements is unknown.
    #[error("{elem} has no size, so {rule}")]
    NoSize {
        /// Type of the elements.
        elem: String,
        /// The consequence of the missing width.
        rule: String,
    },
    /// An operation on layouts whose inner function is not a swizzle.
    #[error("{layout} is composed with a layout: {rule}")]
    NotSwizzled {
        /// The composed layout.
        layout: String,
        /// The property that only a swizzle has.
        rule: &'static str,
    },
    /// A leaf and the place it fills have different widths.
    #[error("leaf #{leaf} is {found} bits wide, but its slot `{slot}` is {expected} bits wide: {way_out}")]
    SlotWidth {
        /// Position of the leaf.
        leaf: usize,
        found: u32,
        /// The `?` of the type.
        slot: cute_algebra::Dim,
        expected: u32,
        /// How to make the widths equal.
        way_out: &'static str,
    },
    /// The type of an atom does not name an instruction.
    #[error(transparent)]
    Atom(#[from] AtomError),
    /// A rule of one op.
    #[error("{0}")]
    Rule(String),
}

impl From<PlacementError> for Error {
    fn from(error: PlacementError) -> Self {
        match error {
            PlacementError::Algebra(error) => Self::Algebra(error),
            error => Self::Placement(Box::new(error)),
        }
    }
}

/// How to get what the strict policy rejects.
fn way_out(error: &Algebra) -> &'static str {
    match error {
        Algebra::Domain { what: "offset", .. } => "; cute.domain = \"extend\" does so by itself",
        Algebra::Domain { .. } => "; set cute.domain = \"extend\" to accept it as CuTe does",
        _ => "",
    }
}

impl Error {
    /// The note beside the error.
    pub fn note(&self) -> Option<&str> {
        match self {
            Self::ResultType { note, .. } => note.as_deref(),
            _ => None,
        }
    }
}

/// The result of evaluating an op.
pub type Result<T> = std::result::Result<T, Error>;
