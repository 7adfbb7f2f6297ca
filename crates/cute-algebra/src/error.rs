//! The errors of the algebra as data: the mode path, the values and the rule. The messages are
//! formatted in this file only.

use std::fmt;

use smallvec::SmallVec;

/// The place of an error in a hierarchical tuple: one index per level, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModePath(SmallVec<[usize; 4]>);

impl ModePath {
    /// The whole tuple.
    pub fn root() -> Self {
        Self::default()
    }

    /// The path of mode `i` within the mode that this path names.
    pub fn child(&self, i: usize) -> Self {
        let mut path = self.0.clone();
        path.push(i);
        Self(path)
    }

    /// The path that lies `outer` levels below mode `i`: prepends one level.
    pub fn inside(mut self, i: usize) -> Self {
        self.0.insert(0, i);
        self
    }

    /// "mode 1 of `whole`", or `whole` itself for the empty path.
    fn of(&self, whole: &str) -> String {
        if self.0.is_empty() { whole.to_string() } else { format!("{self} of {whole}") }
    }

    /// One index per level, outermost first.
    pub fn indices(&self) -> &[usize] {
        &self.0
    }
}

impl FromIterator<usize> for ModePath {
    fn from_iter<T: IntoIterator<Item = usize>>(iter: T) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl fmt::Display for ModePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [] => write!(f, "all modes"),
            [i] => write!(f, "mode {i}"),
            path => {
                write!(f, "mode (")?;
                for (n, i) in path.iter().enumerate() {
                    write!(f, "{}{i}", if n == 0 { "" } else { "," })?;
                }
                write!(f, ")")
            }
        }
    }
}

/// A requirement on the boxes of a tensor and a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxRule {
    /// The layouts of the tile are static.
    Static,
    /// The tile has the same number of values in memory and in the tensor.
    SameSize,
    /// The first elements in memory are neighbours along one mode of the tensor.
    Neighbours,
    /// A step is along a mode of the tensor that has no modes of its own.
    OneMode,
    /// Boxes of single rows have two modes.
    TwoModes,
    /// CTAs share a box equally.
    Shared,
}

/// Everything the algebra rejects.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// A product, sum or difference of static integers does not fit 64 bits.
    #[error("{lhs} {op} {rhs} does not fit 64 bits")]
    Overflow {
        /// The operator: `*`, `+`, `-` or `<<`.
        op: &'static str,
        lhs: i64,
        rhs: i64,
    },
    /// Division or remainder by a static zero.
    #[error("{lhs} is divided by zero")]
    DivisionByZero {
        /// The dividend as text.
        lhs: String,
    },
    /// Two trees that must have the same profile do not.
    #[error("{}: {lhs} and {rhs} are not congruent", .path.of(what))]
    NotCongruent {
        /// The pair that is compared, such as "shape and stride".
        what: &'static str,
        /// First mode at which the profiles differ.
        path: ModePath,
        /// Left tree at that mode.
        lhs: String,
        /// Right tree at that mode.
        rhs: String,
    },
    /// A layout has a static extent below one.
    #[error("{}: extent {extent} is not positive", .path.of("the shape"))]
    ExtentNotPositive { path: ModePath, extent: i64 },
    /// A projection and the tiler that it selects modes of have different ranks.
    #[error(
        "the projection has rank {found}, but the tiler {tiler} has rank {expected}; give both the same number of modes"
    )]
    ProjectionRank {
        /// Rank of the projection.
        found: usize,
        /// The tiler, or the part of it that the projection is matched with.
        tiler: String,
        /// Rank of the tiler.
        expected: usize,
    },
    /// A coordinate, tiler or profile has a rank that the operand cannot take.
    #[error("{}: rank {found}, expected {rule} {expected}", .path.of(what))]
    Rank {
        /// The operand with the wrong rank.
        what: &'static str,
        path: ModePath,
        found: usize,
        /// The required relation of `found` to `expected`: "exactly", "at most", "at least".
        rule: &'static str,
        /// The rank it is compared with.
        expected: usize,
    },
    /// A tuple is given for a mode that has no modes of its own.
    #[error("{}: a tuple of rank {found} is given for a mode that has no modes of its own", .path.of(what))]
    Depth {
        /// The operand with the tuple.
        what: &'static str,
        path: ModePath,
        /// The rank of the tuple.
        found: usize,
    },
    /// A mode index or path leads nowhere.
    #[error("{} does not exist", .path.of(what))]
    NoSuchMode {
        what: &'static str,
        /// The requested path.
        path: ModePath,
    },
    /// A range of modes `[begin, end)` is empty, reversed or past the rank.
    #[error("modes [{begin}, {end}) of a tuple of rank {rank} do not exist: begin < end <= rank is required")]
    ModeRange {
        begin: usize,
        /// One past the last mode.
        end: usize,
        /// Rank of the tuple.
        rank: usize,
    },
    /// CuTe's stride divisibility condition of composition.
    #[error(
        "{}: stride {stride} is neither a multiple of, nor less than, extent {extent} of mode {lhs_mode} of the coalesced left operand {lhs}", .path.of("the right operand")
    )]
    StrideDivisibility {
        /// Mode of the right operand.
        path: ModePath,
        /// The remaining stride when it reaches the mode.
        stride: i64,
        /// The extent of the left operand's mode.
        extent: i64,
        /// The mode of the coalesced left operand.
        lhs_mode: usize,
        /// The coalesced left operand.
        lhs: String,
    },
    /// CuTe's shape divisibility condition of composition.
    #[error(
        "{}: extent {extent} is not a multiple of {part}, the part that mode {lhs_mode} of the coalesced left operand {lhs} takes", .path.of("the right operand")
    )]
    ShapeDivisibility {
        /// Mode of the right operand.
        path: ModePath,
        /// The remaining extent when it reaches the mode.
        extent: i64,
        /// The part the mode takes.
        part: i64,
        /// The mode of the coalesced left operand.
        lhs_mode: usize,
        /// The coalesced left operand.
        lhs: String,
    },
    /// Two integers do not divide as the operation requires.
    #[error("{}: {lhs} {rule} {rhs}", .path.of(what))]
    Divisibility {
        what: &'static str,
        path: ModePath,
        lhs: i64,
        /// The relation that does not hold, as text: for instance "is not a multiple of".
        rule: &'static str,
        rhs: i64,
    },
    /// The operand maps two coordinates to one offset where the operation needs it injective.
    #[error(
        "{layout} is not injective: stride {stride} is less than {covered}, which the smaller strides already cover"
    )]
    NotInjective {
        /// The (filtered) layout.
        layout: String,
        /// The stride that falls into covered offsets.
        stride: i64,
        /// One past the offsets covered so far, within the period.
        covered: i64,
    },
    /// The operation needs static strides and found a dynamic one.
    #[error("{what}: stride {stride} of {layout} is dynamic, but static strides are required")]
    DynamicStride { what: &'static str, stride: String, layout: String },
    /// The operation needs a static value and found a dynamic one.
    #[error("{what}: {value} is dynamic, but a static value is required")]
    NotStatic {
        /// The operation and operand.
        what: &'static str,
        value: String,
    },
    /// Integer strides (or values) where basis strides are needed, or the other way round.
    #[error("{what}: {found} found where {expected} is required")]
    Basis {
        what: &'static str,
        /// The stride or value.
        found: String,
        /// The required kind of value.
        expected: &'static str,
    },
    /// Integer and tuple values cannot be added.
    #[error("{lhs} and {rhs} cannot be added: a nonzero integer and a tuple have no sum")]
    MixedSum { lhs: String, rhs: String },
    /// `_` where an integer is needed.
    #[error("{} is `_`, but an integer is required", .path.of(what))]
    Underscore { what: &'static str, path: ModePath },
    /// A swizzle whose fields overlap or do not fit.
    #[error(
        "S<{bits},{base},{shift}> is not a valid swizzle: bits >= 0, base >= 0, |shift| >= bits and base + |shift| + bits <= 32 are required"
    )]
    BadSwizzle {
        /// Number of bits.
        bits: i64,
        base: i64,
        shift: i64,
    },
    /// An operation whose meaning does not extend to this operand.
    #[error("{what}: {why}")]
    Unsupported {
        what: &'static str,
        /// The reason, with values.
        why: String,
    },
    /// No boxes exist for the tensor and the tile.
    #[error("boxes: {why}")]
    NoBoxes {
        /// The requirement that they break.
        rule: BoxRule,
        /// The reason, with values.
        why: String,
    },
    /// The strict domain policy rejects what CuTe accepts.
    #[error("{what}: {why}")]
    Domain {
        what: &'static str,
        /// The rule and the numbers.
        why: String,
    },
}

/// The variants that are about a mode.
macro_rules! with_path {
    ($path:ident) => {
        Self::NotCongruent { $path, .. }
            | Self::ExtentNotPositive { $path, .. }
            | Self::Rank { $path, .. }
            | Self::Depth { $path, .. }
            | Self::NoSuchMode { $path, .. }
            | Self::StrideDivisibility { $path, .. }
            | Self::ShapeDivisibility { $path, .. }
            | Self::Divisibility { $path, .. }
            | Self::Underscore { $path, .. }
    };
}

impl Error {
    /// The mode that it is about, if there is one.
    pub fn path(&self) -> Option<&ModePath> {
        match self {
            with_path!(path) => Some(path),
            _ => None,
        }
    }

    /// The broken rule by its name, and its integers by theirs.
    pub fn rule(&self) -> (&'static str, Vec<(&'static str, i64)>) {
        let index = |n: &usize| i64::try_from(*n).unwrap_or(i64::MAX);
        match self {
            Self::Overflow { lhs, rhs, .. } => ("overflow", vec![("lhs", *lhs), ("rhs", *rhs)]),
            Self::DivisionByZero { .. } => ("division by zero", vec![]),
            Self::NotCongruent { .. } => ("congruence", vec![]),
            Self::ExtentNotPositive { extent, .. } => ("positive extents", vec![("extent", *extent)]),
            Self::ProjectionRank { found, expected, .. } | Self::Rank { found, expected, .. } => {
                ("rank", vec![("found", index(found)), ("expected", index(expected))])
            }
            Self::Depth { found, .. } => ("depth", vec![("found", index(found))]),
            Self::NoSuchMode { .. } => ("modes exist", vec![]),
            Self::ModeRange { begin, end, rank } => {
                ("mode range", vec![("begin", index(begin)), ("end", index(end)), ("rank", index(rank))])
            }
            Self::StrideDivisibility { stride, extent, lhs_mode, .. } => {
                let values = vec![("stride", *stride), ("extent", *extent), ("lhs_mode", index(lhs_mode))];
                ("stride divisibility", values)
            }
            Self::ShapeDivisibility { extent, part, lhs_mode, .. } => {
                let values = vec![("extent", *extent), ("part", *part), ("lhs_mode", index(lhs_mode))];
                ("shape divisibility", values)
            }
            Self::Divisibility { lhs, rhs, .. } => ("divisibility", vec![("lhs", *lhs), ("rhs", *rhs)]),
            Self::NotInjective { stride, covered, .. } => {
                ("injectivity", vec![("stride", *stride), ("covered", *covered)])
            }
            Self::DynamicStride { .. } | Self::NotStatic { .. } => ("static values", vec![]),
            Self::Basis { .. } | Self::MixedSum { .. } => ("bases", vec![]),
            Self::Underscore { .. } => ("integers", vec![]),
            Self::BadSwizzle { bits, base, shift } => {
                ("swizzle", vec![("bits", *bits), ("base", *base), ("shift", *shift)])
            }
            Self::Unsupported { .. } => ("unsupported", vec![]),
            Self::NoBoxes { .. } => ("boxes", vec![]),
            Self::Domain { .. } => ("domain", vec![]),
        }
    }

    /// Returns the error as seen from one level further out: prepends mode `i` to the path, if the
    /// variant has one.
    #[must_use]
    pub fn inside(mut self, i: usize) -> Self {
        if let with_path!(path) = &mut self {
            *path = std::mem::take(path).inside(i);
        }
        self
    }
}

/// Fails unless a tuple of rank `found` fits a mode of rank `expected`. `None` stands for a mode
/// that has no modes of its own, which no tuple fits.
pub(crate) fn expect_rank(what: &'static str, found: usize, expected: Option<usize>) -> Result<()> {
    let path = ModePath::root();
    match expected {
        None => Err(Error::Depth { what, path, found }),
        Some(expected) if expected == found => Ok(()),
        Some(expected) => Err(Error::Rank { what, path, found, rule: "exactly", expected }),
    }
}

/// Result of an algebra operation.
pub type Result<T> = std::result::Result<T, Error>;
