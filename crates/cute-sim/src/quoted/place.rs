//! Allocations, and the origins of undefined values.

use crate::names::readable;
use cute_machine::place::SourcePlace;
use cute_text::line;
use serde::Serialize;
use std::fmt;

/// The origin of an undefined value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Origin {
    /// An operation whose result is undefined: `undef`, `poison`.
    Operation {
        /// The operation's name.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// A division by zero, whose result the instruction set leaves open.
    Quotient {
        /// The operation's name.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// The first block of a cluster that was not cancelled.
    NoBlock {
        /// The operation's name.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// Local memory that was not initialised when it was read.
    Unwritten {
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The operation that read it.
        op: String,
        /// The location of that operation.
        location: SourcePlace,
    },
    /// Tensor memory that was not initialised when it was read.
    Tensor {
        /// Lane and column.
        lane: u32,
        column: u32,
        /// The operation that read it.
        op: String,
        /// The location of that operation.
        location: SourcePlace,
    },
    /// A lane that did not take part in a shuffle.
    Lane {
        lane: u32,
        /// The shuffle's name.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Operation { op, location } => write!(f, "`{op}` ({location}) gives it no value"),
            Origin::Quotient { op, location } => write!(f, "`{op}` ({location}) divides by 0"),
            Origin::NoBlock { op, location } => write!(
                f,
                "`{op}` ({location}) took it from a response that no cluster was cancelled, so there is no first block: use it only \
                 where there is one"
            ),
            Origin::Unwritten { place, offset, op, location } => write!(
                f,
                "`{op}` ({location}) read byte {offset} of {place} before anything wrote it; write all of that memory \
                 first, or do not use what a predicate left unwritten"
            ),
            Origin::Tensor { lane, column, op, location } => write!(
                f,
                "`{op}` ({location}) read lane {lane}, column {column} of tensor memory, to which nothing has written a value"
            ),
            Origin::Lane { lane, op, location } => {
                write!(f, "`{op}` ({location}) took it from lane {lane}, which does not take part in it")
            }
        }
    }
}

/// An allocation, as a finding names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Place {
    /// A buffer of [`Memory`](crate::Memory).
    Buffer {
        /// Counted from 0 in upload order.
        number: u32,
        /// Its name in the memory.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A shared memory global.
    Shared {
        name: String,
        /// The place where the kernel first takes its address, which is where the source allocates
        /// it.
        location: SourcePlace,
    },
    /// Shared memory by bare address.
    SharedWindow,
    /// Shared memory of another block of the cluster.
    OfBlock {
        /// The block's rank in the cluster.
        rank: u32,
        /// The place in that block.
        place: Box<Place>,
    },
    /// A word of tensor memory.
    Tensor {
        lane: u32,
        column: u32,
        /// The location of the allocation.
        location: SourcePlace,
    },
    /// A constant global.
    Constant(String),
    /// A parameter of the kernel that is passed by value, counted from 0.
    Parameter(u32),
    /// Local memory of a thread: a fragment.
    Local {
        /// The location of the allocation.
        location: SourcePlace,
    },
}

/// The kind of memory, a number in it, a name and a place.
pub(crate) type Allocation<'p> = (u32, u32, &'p str, Option<&'p SourcePlace>);

impl Place {
    /// A text and a place that tell its allocation from others, in whichever block of a cluster it
    /// is.
    pub(crate) fn allocation(&self) -> Allocation<'_> {
        match self {
            Place::Buffer { number, .. } => (1, *number, "", None),
            Place::Shared { name, .. } => (2, 0, name, None),
            Place::SharedWindow => (3, 0, "", None),
            Place::OfBlock { place, .. } => place.allocation(),
            Place::Tensor { location, .. } => (4, 0, "", Some(location)),
            Place::Constant(name) => (5, 0, name, None),
            Place::Parameter(number) => (6, *number, "", None),
            Place::Local { location } => (7, 0, "", Some(location)),
        }
    }

    /// Names a byte of it. For tensor memory it names a word, and offsets have no meaning.
    pub(crate) fn spot(&self, offset: i64) -> String {
        match self {
            Place::Tensor { .. } => self.to_string(),
            Place::OfBlock { place, .. } if matches!(**place, Place::Tensor { .. }) => self.to_string(),
            _ => format!("byte {offset} of {self}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Buffer { name: Some(name), .. } => write!(f, "buffer {}", line(name)),
            Place::Buffer { number, name: None } => write!(f, "buffer {number}"),
            Place::Shared { name, location } => {
                write!(f, "shared memory @{} (allocated at {})", readable(name), line(&location.to_string()))
            }
            Place::OfBlock { rank, place } => write!(f, "{place} of block {rank} of the cluster"),
            Place::SharedWindow => f.write_str("shared memory"),
            Place::Tensor { lane, column, location } => {
                write!(
                    f,
                    "lane {lane}, column {column} of tensor memory (allocated at {})",
                    line(&location.to_string())
                )
            }
            Place::Constant(name) => write!(f, "constant memory @{}", readable(name)),
            Place::Parameter(number) => write!(f, "parameter {number} of the kernel"),
            Place::Local { location } => {
                write!(f, "the local memory (fragment) allocated at {}", line(&location.to_string()))
            }
        }
    }
}
