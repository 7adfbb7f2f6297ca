//! Kernels with one change, and the score of a test that should notice it.
//!
//! A mutant is a kernel in which one instruction is missing, is repeated, or has a count, a parity,
//! a number of bytes, a mask, a predicate, a stride or a swizzle that is off by one step. A test is
//! asked about each: a mutant that it does not notice is a mistake that it would not notice either.
//!
//! | module | subject |
//! |---|---|
//! | [`ptx`] | mutants of PTX |
//! | [`ir`] | mutants of cute IR: its synchronisation |
//! | [`mod@sample`] | some of many mutants, by a seed |
//! | [`trial`], [`session`] | a mutant in the place of the kernel, wherever this process runs it |
//! | [`judge`] | a test that is asked about one mutant after the other |
//! | [`verdict`] | conclusions from the runs of a mutant |
//! | [`score`] | the verdicts of all mutants as text and as data |
//!
//! ```
//! let text = ".version 8.7 .target sm_90a .address_size 64
//! .visible .entry k() {
//!   bar.sync 0;
//!   ret;
//! }";
//! let mutants = cute_mutate::ptx::mutants(text, &[]).unwrap();
//! let first = &mutants[0];
//! assert_eq!(first.within("k.ptx").to_string(), "k.ptx:3: `bar.sync`: dropped");
//! assert!(!first.apply(text).contains("bar.sync"));
//! ```

#![forbid(unsafe_code)]

pub mod ir;
pub mod judge;
pub mod ptx;
pub mod sample;
pub mod score;
pub mod session;
pub mod trial;
pub mod verdict;

use serde::Serialize;
use std::{fmt, ops::Range};

/// The kind of thing that a mutant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A fence is missing, or has a smaller scope.
    Fence,
    /// A wait is missing, or waits for less.
    Wait,
    /// A barrier is missing, is another one, or has another number of threads.
    Barrier,
    /// An arrival or a commit is missing or repeated.
    Arrival,
    /// An access has lost its release, its acquire or its scope.
    Order,
    /// The count of a barrier.
    Count,
    /// The parity of a wait.
    Parity,
    /// Bytes that are expected, or copied.
    Bytes,
    /// One lane is left out, or all take part instead of one.
    Lane,
    /// A mask of blocks.
    Mask,
    /// A store, a copy or an atomic access is missing, or a load is.
    Access,
    /// Registers or tensor memory are not released.
    Resource,
    /// A condition.
    Predicate,
    /// The step between addresses.
    Stride,
    /// A place: an offset or a coordinate.
    Offset,
    /// The exchange of addresses that avoids bank conflicts.
    Swizzle,
    /// A float is computed in another way.
    Arithmetic,
}

impl Kind {
    /// All, in the order of reports.
    pub const ALL: [Self; 17] = [
        Self::Fence,
        Self::Wait,
        Self::Barrier,
        Self::Arrival,
        Self::Order,
        Self::Count,
        Self::Parity,
        Self::Bytes,
        Self::Lane,
        Self::Mask,
        Self::Access,
        Self::Resource,
        Self::Predicate,
        Self::Stride,
        Self::Offset,
        Self::Swizzle,
        Self::Arithmetic,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fence => "fence",
            Self::Wait => "wait",
            Self::Barrier => "barrier",
            Self::Arrival => "arrival",
            Self::Order => "order",
            Self::Count => "count",
            Self::Parity => "parity",
            Self::Bytes => "bytes",
            Self::Lane => "lane",
            Self::Mask => "mask",
            Self::Access => "access",
            Self::Resource => "resource",
            Self::Predicate => "predicate",
            Self::Stride => "stride",
            Self::Offset => "offset",
            Self::Swizzle => "swizzle",
            Self::Arithmetic => "arithmetic",
        }
    }
}

/// A line of a source, as a compiler names it in PTX.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// As the compiler names it.
    pub file: String,
    /// The line, from 1 on.
    pub line: u32,
}

/// A kernel with one change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// The thing that it changes.
    pub kind: Kind,
    /// The changed instruction.
    pub op: String,
    /// How many of this name come before it in the text.
    pub number: usize,
    /// The change, such as `dropped` or `count + 1`.
    pub change: String,
    /// The line of the instruction, from 1 on.
    pub line: usize,
    /// The line of the source that the instruction comes from, if the text says it.
    pub source: Option<Source>,
    /// The bytes of the text that are replaced.
    #[serde(skip)]
    pub(crate) range: Range<usize>,
    /// The text in their place.
    #[serde(skip)]
    pub(crate) instead: String,
    /// A text in their place that traps where the instruction is executed; empty if there is none.
    #[serde(skip)]
    pub(crate) trap: String,
}

impl Mutant {
    /// The changed text. Its lines keep their numbers.
    pub fn apply(&self, text: &str) -> String {
        self.with(&self.instead, text)
    }

    /// The text with a trap in the place of the instruction, to see whether it is executed.
    pub fn trapping(&self, text: &str) -> Option<String> {
        (!self.trap.is_empty()).then(|| self.with(&self.trap, text))
    }

    fn with(&self, instead: &str, text: &str) -> String {
        [&text[..self.range.start], instead, &text[self.range.end..]].concat()
    }
}

/// The text with several mutants of different instructions. Its lines keep their numbers.
pub fn apply_all<'m>(mutants: impl IntoIterator<Item = &'m Mutant>, text: &str) -> String {
    let mut all: Vec<&Mutant> = mutants.into_iter().collect();
    // From the end on, so that the places of the others stay.
    all.sort_by_key(|mutant| std::cmp::Reverse(mutant.range.start));
    all.into_iter().fold(text.to_owned(), |text, mutant| mutant.apply(&text))
}

impl Mutant {
    /// The mutant as text, with its place: the line of the source, or else that of the changed
    /// file, which has this name.
    ///
    /// `k.ptx:123: `fence.proxy.async`: dropped`
    pub fn within<'m>(&'m self, file: &'m str) -> impl fmt::Display + 'm {
        Within { mutant: self, file }
    }
}

struct Within<'m> {
    mutant: &'m Mutant,
    file: &'m str,
}

impl fmt::Display for Within<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mutant { op, change, line, source, .. } = self.mutant;
        match source {
            Some(Source { file, line: own }) => {
                write!(f, "{file}:{own}: `{op}`: {change} (line {line} of the PTX)")
            }
            None => write!(f, "{}:{line}: `{op}`: {change}", self.file),
        }
    }
}

/// Counts the instructions of each name, for [`Mutant::number`].
#[derive(Default)]
pub(crate) struct Numbers(std::collections::HashMap<String, usize>);

impl Numbers {
    /// The number of the next instruction of this name.
    pub(crate) fn next(&mut self, op: &str) -> usize {
        let count = self.0.entry(op.to_owned()).or_insert(0);
        *count += 1;
        *count - 1
    }
}
