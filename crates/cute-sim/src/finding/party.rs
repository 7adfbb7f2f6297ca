//! Threads that a finding names beside its own.

use super::{Place, Triple};
use serde::Serialize;
use std::fmt;

/// The other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    /// What it did.
    pub access: AccessKind,
    /// The operation's name.
    pub op: String,
    /// Where it comes from.
    pub location: String,
    /// Its block.
    pub block: [u32; 3],
    /// Its thread.
    pub thread: [u32; 3],
    /// How others may know that it is over, if it is done asynchronously.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<Box<Completion>>,
}

/// How a thread may know that a bulk copy is complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "completion", rename_all = "snake_case")]
pub enum Completion {
    /// By a wait for a phase of an `mbarrier`.
    Mbarrier {
        /// The allocation of the barrier.
        place: Place,
        /// Its offset there.
        offset: i64,
        /// The phase, counted from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<u64>,
    },
    /// By a wait for the group of a `wgmma`, in a warp of the warpgroup.
    Product,
    /// By a `tcgen05.wait` of the warp.
    TensorWait {
        /// For stores, not loads.
        stores: bool,
    },
    /// By a wait for the barrier of a `tcgen05.commit` behind it.
    TensorCommit,
    /// By a wait of the thread that issued it for the copy's group.
    Group {
        /// Is it a wait for what is read?
        read: bool,
    },
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Completion::Mbarrier { place, offset, phase } => {
                f.write_str("which is over for whoever waits for ")?;
                match phase {
                    Some(phase) => write!(f, "phase {phase} of ")?,
                    None => f.write_str("its phase of ")?,
                }
                write!(f, "the mbarrier at byte {offset} of {place}")
            }
            Completion::Product => {
                f.write_str("which is over for a warp of the warpgroup behind its `wgmma.wait_group`")
            }
            Completion::TensorWait { stores } => {
                let what = if *stores { "st" } else { "ld" };
                write!(f, "which is over for that warp behind `tcgen05.wait::{what}`, and for those that it tells then")
            }
            Completion::TensorCommit => f.write_str(
                "which is over for whoever waits for the mbarrier of a `tcgen05.commit` that the same thread executes behind it",
            ),
            Completion::Group { read } => {
                let read = if *read { ".read" } else { "" };
                write!(f, "which is over for that thread behind `cp.async.bulk.wait_group{read}`")
            }
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Party { access, op, location, block, thread, completion } = self;
        let noun = match access {
            AccessKind::Read => "read",
            AccessKind::AtomicRead => "atomic read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic update",
            AccessKind::Copy => "asynchronous copy",
            AccessKind::AsyncRead => "asynchronous read",
            AccessKind::AsyncWrite => "asynchronous write",
            AccessKind::AsyncReduce => "asynchronous update",
            AccessKind::TensorRead => "asynchronous read",
            AccessKind::TensorWrite => "asynchronous write",
        };
        write!(f, "the {noun} by thread {} of block {}, `{op}` ({location})", Triple(thread), Triple(block))?;
        completion.as_ref().map_or(Ok(()), |completion| write!(f, ", {completion}"))
    }
}

/// What an access does to its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// Reads them.
    Read,
    /// Writes them.
    Write,
    /// Reads and writes them in one step, or writes them so that only other such accesses may happen at once.
    Atomic,
    /// Reads them so that an atomic update may happen at once.
    AtomicRead,
    /// Has an asynchronous copy write them.
    Copy,
    /// Has the async proxy read them: the source of a bulk copy.
    AsyncRead,
    /// Has the async proxy write them: the target of a bulk copy.
    AsyncWrite,
    /// Has the async proxy update them, element by element: the target of a bulk reduction.
    AsyncReduce,
    /// Reads words of tensor memory, on its own time.
    TensorRead,
    /// Writes them, or reads and writes them.
    TensorWrite,
}

impl AccessKind {
    /// Does it leave the bytes as they are?
    pub(crate) fn is_read(self) -> bool {
        matches!(
            self,
            AccessKind::Read | AccessKind::AtomicRead | AccessKind::AsyncRead | AccessKind::TensorRead
        )
    }

    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, AccessKind::Atomic | AccessKind::AtomicRead)
    }

    /// Are two such accesses both atomic, and one of them an update?
    pub(crate) fn is_contended(self, other: AccessKind) -> bool {
        self.is_atomic() && other.is_atomic() && !(self.is_read() && other.is_read())
    }

    /// Must two such accesses of a byte be ordered?
    pub(crate) fn conflicts(self, other: AccessKind) -> bool {
        let reduces = self == AccessKind::AsyncReduce && other == AccessKind::AsyncReduce;
        !(self.is_read() && other.is_read() || self.is_atomic() && other.is_atomic() || reduces)
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read | AccessKind::AtomicRead | AccessKind::TensorRead => "reads",
            AccessKind::Write | AccessKind::TensorWrite => "writes",
            AccessKind::Atomic => "updates",
            AccessKind::Copy => "copies to",
            AccessKind::AsyncRead => "has the async proxy read",
            AccessKind::AsyncWrite => "has the async proxy write",
            AccessKind::AsyncReduce => "has the async proxy update",
        })
    }
}
