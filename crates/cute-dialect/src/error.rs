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
    /// The declared type of the result is of another kind.
    #[error("the result must be {expected}")]
    ResultKind {
        /// Kinds that the op makes.
        expected: &'static str,
    },
    /// The operand is another atom than the result type names.
    #[error("the atom is not the one of the result type")]
    OtherAtom,
    /// Something is left to run time that must be known.
    #[error("the {what} {value} is dynamic{rule}")]
    Dynamic {
        /// Part of the op.
        what: &'static str,
        /// It, and whose it is.
        value: String,
        /// Why it must be known, behind a sign.
        rule: &'static str,
    },
    /// The shape or layout of a fragment is left to run time.
    #[error("a fragment has a static {what}, found {found}")]
    DynamicFragment {
        /// Shape or layout.
        what: &'static str,
        /// It.
        found: String,
    },
    /// A `_` in a coordinate of one element.
    #[error("the coordinate {coord} has a `_`, {rule}")]
    Underscore {
        /// The coordinate.
        coord: String,
        /// What the op does at the coordinate.
        rule: &'static str,
    },
    /// Memory of another space than the op takes or makes.
    #[error("the {what} lies in {found}{rule}")]
    Space {
        /// Operand or result.
        what: &'static str,
        /// Where it lies.
        found: &'static str,
        /// Where it has to, behind a sign.
        rule: String,
    },
    /// Elements that do not have a number of bits.
    #[error("{elem} has no size, so {rule}")]
    NoSize {
        /// Type of the elements.
        elem: String,
        /// What is not possible without.
        rule: String,
    },
    /// An operation on layouts whose inner function is not a swizzle.
    #[error("{layout} is composed with a layout: {rule}")]
    NotSwizzled {
        /// The composed layout.
        layout: String,
        /// What only a swizzle keeps.
        rule: &'static str,
    },
    /// A leaf and the place it fills have different widths.
    #[error("leaf #{leaf} is {found} bits wide, its slot `{slot}` is {expected}: {way_out}")]
    SlotWidth {
        /// Position of the leaf.
        leaf: usize,
        /// Its bits.
        found: u32,
        /// The `?` of the type.
        slot: cute_algebra::Dim,
        /// Its bits.
        expected: u32,
        /// How to make them equal.
        way_out: &'static str,
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
