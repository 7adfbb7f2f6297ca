//! The errors of constructors of placements.

use std::fmt::Display;

/// An argument of a constructor that is not legal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum ConstructorError {
    /// The argument is not one of a few values.
    #[error("{constructor}: {argument} is {value}, but must be one of {legal}")]
    NoneOf {
        constructor: &'static str,
        argument: &'static str,
        value: String,
        /// The legal values.
        legal: String,
    },
    /// It breaks a rule.
    #[error("{constructor}: {argument} is {value}, but {rule}")]
    Broken {
        constructor: &'static str,
        argument: &'static str,
        value: String,
        /// The rule, with what is legal.
        rule: String,
    },
    /// A placement with these numbers does not exist.
    #[error(transparent)]
    Placement(#[from] crate::PlacementError),
}

impl From<cute_algebra::Error> for ConstructorError {
    fn from(error: cute_algebra::Error) -> Self {
        Self::Placement(error.into())
    }
}

/// The arguments of one constructor, to complain about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Args(pub(super) &'static str);

impl Args {
    /// `value` must be one of `legal`.
    pub(super) fn one_of<T: PartialEq + Display>(
        self,
        argument: &'static str,
        value: T,
        legal: &[T],
    ) -> Result<(), ConstructorError> {
        if legal.contains(&value) {
            return Ok(());
        }
        let legal = legal.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        Err(ConstructorError::NoneOf { constructor: self.0, argument, value: value.to_string(), legal })
    }

    /// `value` must be positive.
    pub(super) fn positive(self, argument: &'static str, value: i64) -> Result<(), ConstructorError> {
        self.check(value > 0, argument, value, || "must be at least 1".into())
    }

    /// Checks that `value` is a positive multiple of `of`; `why` names the quantity.
    pub(super) fn multiple(
        self,
        argument: &'static str,
        value: i64,
        of: i64,
        why: impl Display,
    ) -> Result<(), ConstructorError> {
        let holds = value > 0 && value.checked_rem(of) == Some(0);
        self.check(holds, argument, value, || match of {
            1 => "must be positive".into(),
            _ => format!("must be a positive multiple of {of}, {why}"),
        })
    }

    /// `rule` must hold.
    pub(super) fn check(
        self,
        holds: bool,
        argument: &'static str,
        value: impl Display,
        rule: impl FnOnce() -> String,
    ) -> Result<(), ConstructorError> {
        if holds { Ok(()) } else { Err(self.broken(argument, value, rule())) }
    }

    /// The failure of a rule.
    pub(super) fn broken(
        self,
        argument: &'static str,
        value: impl Display,
        rule: impl Into<String>,
    ) -> ConstructorError {
        let (value, rule) = (value.to_string(), rule.into());
        ConstructorError::Broken { constructor: self.0, argument, value, rule }
    }
}

/// A shape as text.
pub(super) fn tuple(shape: &[i64]) -> String {
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}
