//! Options of kernels: each is declared once, by its name, type, range, sentence and default. It
//! must not know what any of them means.
//!
//! A [`Range`] is shown by `--help`, and enforced by [`check_ranges`] before anything is computed
//! from the numbers, so that no arithmetic on options overflows.

use std::fmt;

use cute_arch::Target;
use melior::{Context, ir::Module};

use crate::Error;

/// The legal values of a numeric option.
///
/// ```
/// use cute_kernels::options::Range;
/// let tile = Range::multiples(64, 64, 256);
/// assert_eq!(tile.to_string(), "between 64 and 256 and a multiple of 64");
/// assert_eq!(tile.values().collect::<Vec<_>>(), [64, 128, 192, 256]);
/// assert!(Range::powers(2, 8).contains(4) && !Range::powers(2, 8).contains(6));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The smallest value.
    pub least: i64,
    /// The largest value.
    pub most: i64,
    step: Step,
}

/// The legal values between two others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Multiples(i64),
    Powers,
}

impl Range {
    /// All numbers from the smallest to the largest.
    pub const fn between(least: i64, most: i64) -> Self {
        Self::multiples(1, least, most)
    }

    /// Multiples of a number, the smallest and the largest included.
    pub const fn multiples(of: i64, least: i64, most: i64) -> Self {
        assert!(of > 0 && least % of == 0 && most % of == 0 && least <= most);
        Self { least, most, step: Step::Multiples(of) }
    }

    /// Powers of two.
    pub const fn powers(least: i64, most: i64) -> Self {
        assert!(least > 0 && least & (least - 1) == 0 && most & (most - 1) == 0 && least <= most);
        Self { least, most, step: Step::Powers }
    }

    /// Whether a number is legal.
    pub fn contains(self, number: i64) -> bool {
        (self.least..=self.most).contains(&number)
            && match self.step {
                Step::Multiples(of) => number % of == 0,
                Step::Powers => number & (number - 1) == 0,
            }
    }

    /// The legal values, smallest first.
    pub fn values(self) -> impl Iterator<Item = i64> {
        let next = move |n: &i64| match self.step {
            Step::Multiples(of) => Some(n + of),
            Step::Powers => Some(2 * n),
        };
        std::iter::successors(Some(self.least), next).take_while(move |n| *n <= self.most)
    }

    /// The help of an option of this range, with the default if the builder chooses it.
    pub(crate) fn help(self, sentence: &str, default: Option<&str>) -> String {
        let default = default.map_or_else(String::new, |text| format!(" [default: {text}]"));
        let Self { least, most, .. } = self;
        format!("{sentence}: {least} to {most}{}{default}", self.step_text(", "))
    }

    fn step_text(self, before: &str) -> String {
        match self.step {
            Step::Multiples(1) => String::new(),
            Step::Multiples(of) => format!("{before}a multiple of {of}"),
            Step::Powers => format!("{before}a power of two"),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "between {} and {}{}", self.least, self.most, self.step_text(" and "))
    }
}

/// A numeric option of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number {
    /// The field: `m_tile`.
    pub field: &'static str,
    /// Its legal values.
    pub range: Range,
    /// Its value; `None` if the builder chooses it.
    pub value: Option<i64>,
}

impl Number {
    /// The option of the command line: `--m-tile`.
    pub fn option(&self) -> String {
        format!("--{}", self.field.replace('_', "-"))
    }
}

/// Checks that all numbers are in their ranges.
pub(crate) fn check_ranges(numbers: &[Number]) -> Result<(), Error> {
    let wrong = |n: &&Number| n.value.is_some_and(|value| !n.range.contains(value));
    match numbers.iter().find(wrong) {
        Some(n) => {
            Err(Error::Range { option: n.option(), range: n.range, value: n.value.unwrap_or_default() })
        }
        None => Ok(()),
    }
}

/// A kernel for a choice of options.
pub trait KernelBuilder: clap::Args + Default {
    /// The kernel's symbol.
    const NAME: &'static str;
    /// Bytes that a thread spills at most to local memory, for any options that [`Self::check`]
    /// accepts.
    const SPILLS: u32;

    /// The numeric options.
    fn numbers(&self) -> Vec<Number>;

    /// A description of the kernel and its launch, as a comment before its IR.
    fn about(&self) -> &'static str;

    /// Checks the options: the range of each, and the rules that connect them, among them the
    /// limits of a target. Without a target, the kernel must fit the largest one.
    ///
    /// # Errors
    /// Returns [`Error::Range`] or [`Error::Parameters`].
    fn check(&self, target: Option<Target>) -> Result<(), Error>;

    /// The kernel as cute IR. It is the same for all targets that have room for it, except that
    /// the default number of stages is what fits.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`].
    fn build_for<'c>(&self, context: &'c Context, target: Option<Target>) -> Result<Module<'c>, Error>;
}

/// Declares the options of a kernel, in the order of `--help`:
///
/// * `number FIELD = DEFAULT in RANGE, "Sentence";`
/// * `optional FIELD in RANGE, "Sentence", "default in words";`, an `Option<i64>` that the builder
///   chooses
/// * `flag FIELD, "Sentence";`
/// * `choice FIELD: TYPE = DEFAULT, "Sentence";` and `maybe FIELD: TYPE, "Sentence";`, which is an
///   `Option`
/// * `major FIELD or "m", "Sentence";`
macro_rules! kernel_options {
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] [$($numbers:tt)*]
        number $field:ident = $default:literal in $range:expr, $sentence:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [
                $($fields)*
                #[doc = $sentence]
                #[arg(long, default_value_t = $default, help = $crate::options::Range::help($range, $sentence, None))]
                pub $field: i64,
            ]
            [$($defaults)* $field: $default,]
            [$($numbers)* ($field $range)]
            $($rest)*
        }
    };
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] [$($numbers:tt)*]
        optional $field:ident in $range:expr, $sentence:literal, $default:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [
                $($fields)*
                #[doc = $sentence]
                #[arg(long, help = $crate::options::Range::help($range, $sentence, Some($default)))]
                pub $field: Option<i64>,
            ]
            [$($defaults)* $field: None,]
            [$($numbers)* ($field $range)]
            $($rest)*
        }
    };
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] $numbers:tt
        flag $field:ident, $sentence:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [$($fields)* #[doc = $sentence] #[arg(long)] pub $field: bool,]
            [$($defaults)* $field: false,]
            $numbers
            $($rest)*
        }
    };
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] $numbers:tt
        choice $field:ident: $t:ty = $default:expr, $sentence:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [$($fields)* #[doc = $sentence] #[arg(long, value_enum, default_value_t = $default)] pub $field: $t,]
            [$($defaults)* $field: $default,]
            $numbers
            $($rest)*
        }
    };
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] $numbers:tt
        maybe $field:ident: $t:ty, $sentence:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [$($fields)* #[doc = $sentence] #[arg(long, value_enum)] pub $field: Option<$t>,]
            [$($defaults)* $field: None,]
            $numbers
            $($rest)*
        }
    };
    (
        @field $name:ident [$($fields:tt)*] [$($defaults:tt)*] $numbers:tt
        major $field:ident or $mn:literal, $sentence:literal; $($rest:tt)*
    ) => {
        $crate::options::kernel_options! {
            @field $name
            [
                $($fields)*
                #[doc = $sentence]
                #[arg(long, default_value = "k", value_parser = $crate::options::major($mn))]
                pub $field: cute_arch::atoms::Major,
            ]
            [$($defaults)* $field: cute_arch::atoms::Major::K,]
            $numbers
            $($rest)*
        }
    };
    (@field $name:ident [$($fields:tt)*] [$($defaults:tt)*] [$(($field:ident $range:expr))*]) => {
        /// The options of the kernel.
        #[derive(Debug, Clone, clap::Args)]
        pub struct $name {
            $($fields)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($defaults)* }
            }
        }

        impl $name {
            /// The numeric options.
            pub fn numbers(&self) -> Vec<$crate::options::Number> {
                vec![$($crate::options::Number {
                    field: stringify!($field),
                    range: $range,
                    value: self.$field.into(),
                },)*]
            }

            /// The kernel as cute IR, for the target with the most shared memory.
            ///
            /// # Errors
            /// Returns an error if an option is out of its range, or if options do not fit
            /// together.
            pub fn build<'c>(
                &self,
                context: &'c melior::Context,
            ) -> Result<melior::ir::Module<'c>, $crate::Error> {
                $crate::options::KernelBuilder::build_for(self, context, None)
            }
        }
    };
    ($name:ident { $($body:tt)* }) => {
        $crate::options::kernel_options! { @field $name [] [] [] $($body)* }
    };
}

pub(crate) use kernel_options;

/// Parses `k`, or the other mode.
pub(crate) fn major(
    mn: &'static str,
) -> impl clap::builder::TypedValueParser<Value = cute_arch::atoms::Major> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    use cute_arch::atoms::Major;

    PossibleValuesParser::new(["k", mn]).map(|text| if text == "k" { Major::K } else { Major::Mn })
}
