//! The errors of a question that cannot be asked.

use cute_launch::bind::Face;
use cute_machine::place::SourcePlace;
use std::ops::Range;

/// The smallest sizes that a question may begin with.
pub(crate) const FIRST: Range<i64> = 0..1 << 20;

/// Seconds that an answer may take at most.
pub(crate) const MOST_SECONDS: f64 = 1e6;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Error {
    #[error("no {} depends on n; write it in braces, as in {}", arguments(*face), example(*face))]
    NoSize { face: Face },
    #[error("argument {argument}: {why}")]
    Expression { argument: String, why: String },
    #[error("n = {n} is the smallest size, but has no launch: {why}; {} gives another one", face.option("first", ""))]
    First { n: i64, face: Face, why: cute_launch::Error },
    #[error("host function '{host}' does not have one launch for n = {n}, but a proof is about one")]
    Launches { host: String, n: i64 },
    #[error("{} is {value}, but must be {rule}", face.option(option, ""))]
    Option { option: &'static str, value: String, rule: String, face: Face },
    #[error(transparent)]
    Launch(#[from] cute_launch::Error),
}

cute_rules::rules! {
    /// The rule that a question about all sizes breaks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ProofRule {
        /// Nothing depends on the size.
        NoSize = "prove-no-size": "An argument or an array depends on the size.",
            "no .. depends on n; write it in braces, as in ..", "Write n in braces where the launch depends on it.";
        /// The braces are not a number.
        Expression = "prove-expression": "Braces with n are numbers, n, +, -, * and parentheses, and fit 64 bits.",
            "argument ..: '..' is not a size; write n with numbers, +, -, * and parentheses, as in ..
argument ..: '..' has no value for n = ..", "Write a sum of products.";
        /// There is no launch of the smallest size.
        First = "prove-first": "The smallest size has a launch.",
            "n = .. is the smallest size, but has no launch: ..; .. gives another one", "Give the smallest size that has a launch.";
        /// A host function with another number of launches.
        Launches = "prove-launches": "A host function has one launch.",
            "host function '..' does not have one launch for n = .., but a proof is about one", "Ask about its kernels one by one.";
        /// An option that is out of range.
        Option = "prove-option": "The smallest size is from 0 to 1048575, and the time is from 0 to 1000000 seconds.",
            ".. is .., but must be ..", "Give a number in the range of the message.";
    }
}

impl Error {
    /// The id of the broken rule.
    pub fn id(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoSize { .. } => ProofRule::NoSize.id(),
            Self::Expression { .. } => ProofRule::Expression.id(),
            Self::First { .. } => ProofRule::First.id(),
            Self::Launches { .. } => ProofRule::Launches.id(),
            Self::Option { .. } => ProofRule::Option.id(),
            Self::Launch(why) => return why.id(),
        })
    }

    /// The place that it is about, if there is one.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Self::Launch(why) => why.place(),
            _ => None,
        }
    }
}

fn arguments(face: Face) -> &'static str {
    match face {
        Face::CommandLine => "--arg or --array",
        _ => "argument or array",
    }
}

fn example(face: Face) -> &'static str {
    match face {
        Face::CommandLine => "--arg 'A:f16[128x{64*n}]'",
        _ => "\"A:f16[128x{64*n}]\"",
    }
}
