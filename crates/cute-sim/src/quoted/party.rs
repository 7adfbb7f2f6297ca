//! Threads other than its own that a finding names.

use super::Place;
use crate::block::Triple;
use crate::{names::readable, order::NODE};
use cute_machine::place::{SourcePlace, described};
use cute_text::line;
use serde::Serialize;
use std::fmt;

/// The other side of a race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Party {
    pub access: AccessKind,
    /// The operation's name.
    pub op: String,
    /// The source location, with the calls that were inlined around it.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
    pub block: [u32; 3],
    pub thread: [u32; 3],
    /// How other threads can wait for it, if it is asynchronous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completion: Option<Box<Completion>>,
}

/// The streams of two operations that nothing orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Queues {
    pub earlier: String,
    /// That of the later operation, if it is not the host itself.
    pub later: Option<String>,
    /// The place of a wait of the later one that orders nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_vain: Option<String>,
}

/// The name of a stream, and that of the node of a graph in it: `s, node a`.
fn stream_and_node(name: &str) -> (&str, Option<&str>) {
    name.split_once(NODE).map_or((name, None), |(stream, node)| (stream, Some(node)))
}

impl fmt::Display for Queues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (earlier, later) = (line(&self.earlier), self.later.as_deref().map(line));
        let (stream, node) = stream_and_node(&earlier);
        match later.as_deref().map(stream_and_node) {
            None => write!(
                f,
                "in stream {earlier}, for which the host has not waited: synchronise it with that stream, or with an event that \
                 the stream records afterwards"
            ),
            Some(later) if later == (stream, node) => write!(f, "in stream {earlier}"),
            Some((other, Some(later)))
                if other == stream
                    && let Some(node) = node =>
            {
                write!(
                    f,
                    "in node {node}, on which node {later} does not depend: let one of the two depend on the other"
                )
            }
            Some((later, _)) => write!(
                f,
                "in stream {earlier}, for which stream {later} has not waited: let it wait for an event that stream {stream} \
                 records afterwards, or synchronise the host in between"
            ),
        }?;
        match &self.in_vain {
            None => Ok(()),
            Some(place) => write!(
                f,
                "; its wait at {} orders nothing, because the event had not been recorded by then",
                line(place)
            ),
        }
    }
}

/// How a thread can wait for a bulk copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "completion", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Completion {
    /// By waiting for a phase of an `mbarrier`.
    Mbarrier {
        /// The allocation of the barrier.
        place: Place,
        /// Its offset there.
        offset: i64,
        /// The phase, counted from 0.
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<u64>,
    },
    /// By waiting for the group of a `wgmma`, in a warp of the warpgroup.
    Wgmma,
    /// By a `tcgen05.wait` of the warp.
    TensorWait {
        /// Whether it waits for stores, not loads.
        stores: bool,
    },
    /// By waiting for the barrier of a later `tcgen05.commit`.
    TensorCommit,
    /// By `griddepcontrol.wait`, because an earlier launch made the access.
    Launch {
        /// The number of that launch, counted from 1.
        launch: u32,
        kernel: String,
        /// The number of the launch that may begin before.
        beside: u32,
        beside_kernel: String,
        /// Whether `griddepcontrol.wait` of the later launch waits for the earlier one.
        covered: bool,
        /// Whether the earlier one has ended, because the launch between the two waits for it
        /// before it lets dependents begin.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        ended: bool,
    },
    /// By an event or a wait of the host, because a launch in another stream made the access.
    Unordered {
        /// The number of that launch, counted from 1.
        launch: u32,
        kernel: String,
        queues: Queues,
    },
    /// An operation of the host made it.
    Operation {
        /// The streams that nothing orders; `None` if the operation freed the memory before.
        #[serde(skip_serializing_if = "Option::is_none")]
        queues: Option<Queues>,
    },
    /// By a wait of the issuing thread for the copy's group.
    Group {
        /// Whether it waits for reads only.
        read: bool,
    },
}

impl fmt::Display for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Completion::Mbarrier { place, offset, phase } => {
                f.write_str("which is complete for threads that wait for ")?;
                match phase {
                    Some(phase) => write!(f, "phase {phase} of ")?,
                    None => f.write_str("its phase of ")?,
                }
                write!(f, "the mbarrier at byte {offset} of {place}")
            }
            Completion::Wgmma => {
                f.write_str("which is complete for a warp of the warpgroup after its `wgmma.wait_group`")
            }
            Completion::TensorWait { stores } => {
                let what = if *stores { "st" } else { "ld" };
                write!(f, "which is complete for that warp after `tcgen05.wait::{what}`, and for threads that synchronise with it afterwards")
            }
            Completion::TensorCommit => f.write_str(
                "which is complete for threads that wait for the mbarrier of a later `tcgen05.commit` by the same thread",
            ),
            Completion::Launch { launch, kernel, beside, beside_kernel, ended: true, .. } => {
                let (kernel, beside_kernel) = (readable(kernel), readable(beside_kernel));
                write!(
                    f,
                    "in launch {launch} (`{kernel}`), which has ended when launch {beside} (`{beside_kernel}`) begins, because the \
                     launch between them waits for it before it lets others begin; execute `griddepcontrol.wait` before the access, \
                     or synchronise with a thread that has, because only such a wait makes it visible"
                )
            }
            Completion::Launch { launch, kernel, beside, beside_kernel, covered, ended: false } => {
                let (kernel, beside_kernel) = (readable(kernel), readable(beside_kernel));
                write!(
                    f,
                    "in launch {launch} (`{kernel}`), which may not have ended when launch {beside} (`{beside_kernel}`) begins: "
                )?;
                f.write_str(if *covered {
                    "execute `griddepcontrol.wait` before the access, or synchronise with a thread that has"
                } else {
                    "`griddepcontrol.wait` waits only for the launch directly before, which begins early itself and does not \
                     wait; let a thread of that launch execute `griddepcontrol.wait`, too"
                })
            }
            Completion::Unordered { launch, kernel, queues } => {
                write!(f, "of launch {launch} (`{}`) {queues}", readable(kernel))
            }
            Completion::Operation { queues: Some(queues) } => queues.fmt(f),
            Completion::Operation { queues: None } => f.write_str("which frees the memory"),
            Completion::Group { read } => {
                let read = if *read { ".read" } else { "" };
                write!(f, "which is complete for that thread after `cp.async.bulk.wait_group{read}`")
            }
        }
    }
}

impl Party {
    /// Whether it is an operation of the host, and not an access of a thread.
    pub fn is_by_host(&self) -> bool {
        matches!(self.completion.as_deref(), Some(Completion::Operation { .. }))
    }

    /// Whether its launch has ended, so that only its visibility is open.
    pub(crate) fn is_of_ended_launch(&self) -> bool {
        matches!(self.completion.as_deref(), Some(Completion::Launch { ended: true, .. }))
    }

    /// How a race relates to it, in the text of the finding.
    pub(crate) fn relation(&self) -> &'static str {
        match self.completion.as_deref() {
            Some(Completion::Operation { queues: None }) => "after",
            Some(Completion::Launch { ended: true, .. }) => "and nothing makes it see",
            _ => "and nothing orders it with",
        }
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Party { access, op, location, block, thread, completion, .. } = self;
        let (op, location) = (line(op), location.to_string());
        let location = line(&location);
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
        match self.is_by_host() {
            true => write!(f, "the {noun} by `{op}` ({location})")?,
            false => write!(
                f,
                "the {noun} by thread {} of block {}, `{op}` ({location})",
                Triple(thread),
                Triple(block)
            )?,
        }
        completion.as_ref().map_or(Ok(()), |completion| write!(f, ", {completion}"))
    }
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum AccessKind {
    Read,
    Write,
    /// Reads and writes them in one step, or writes them in a way that only allows other such
    /// accesses at the same time.
    Atomic,
    /// Reads them so that an atomic update may happen at once.
    AtomicRead,
    /// An asynchronous copy writes them.
    Copy,
    /// The async proxy reads them: the source of a bulk copy.
    AsyncRead,
    /// The async proxy writes them: the target of a bulk copy.
    AsyncWrite,
    /// The async proxy updates them, element by element: the target of a bulk reduction.
    AsyncReduce,
    /// Reads words of tensor memory, on its own time.
    TensorRead,
    /// Writes them, or reads and writes them.
    TensorWrite,
}

impl AccessKind {
    /// Whether it leaves the bytes unchanged.
    pub(crate) fn is_read(self) -> bool {
        matches!(
            self,
            AccessKind::Read | AccessKind::AtomicRead | AccessKind::AsyncRead | AccessKind::TensorRead
        )
    }

    /// The proxy of the access, where it is not the generic one: the end of a phrase that begins
    /// with the access.
    pub(crate) fn proxy(self) -> &'static str {
        match self {
            AccessKind::AsyncRead | AccessKind::AsyncWrite | AccessKind::AsyncReduce => {
                " through the async proxy"
            }
            _ => "",
        }
    }

    /// Whether it is an asynchronous access of tensor memory.
    pub(crate) fn is_tensor(self) -> bool {
        matches!(self, AccessKind::TensorRead | AccessKind::TensorWrite)
    }

    pub(crate) fn is_atomic(self) -> bool {
        matches!(self, AccessKind::Atomic | AccessKind::AtomicRead)
    }

    /// Whether two such accesses are both atomic, and at least one of them is an update.
    pub(crate) fn is_contended(self, other: AccessKind) -> bool {
        self.is_atomic() && other.is_atomic() && !(self.is_read() && other.is_read())
    }

    /// Whether two such accesses of a byte must be ordered.
    pub(crate) fn conflicts(self, other: AccessKind) -> bool {
        let reduces = self == AccessKind::AsyncReduce && other == AccessKind::AsyncReduce;
        !(self.is_read() && other.is_read() || self.is_atomic() && other.is_atomic() || reduces)
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read | AccessKind::AtomicRead | AccessKind::TensorRead | AccessKind::AsyncRead => {
                "reads"
            }
            AccessKind::Write | AccessKind::TensorWrite | AccessKind::AsyncWrite => "writes",
            AccessKind::Atomic | AccessKind::AsyncReduce => "updates",
            AccessKind::Copy => "copies to",
        })
    }
}

/// A party without its access.
pub(crate) fn named(party: &Party) -> String {
    let Party { op, location, block, thread, .. } = party;
    format!("thread {} of block {}, `{op}` ({location})", Triple(thread), Triple(block))
}
