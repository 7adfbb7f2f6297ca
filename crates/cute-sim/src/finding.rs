//! What a kernel did wrong, as data; the text is made once, here, in `Display`.

use serde::Serialize;
use std::fmt;

/// Something a kernel did wrong: what, which thread, where in the source, and how often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{location}: `{op}` in block {}, thread {}: {kind}", Triple(.block), Triple(.thread))]
pub struct Finding {
    /// What happened.
    pub kind: FindingKind,
    /// The operation's name.
    pub op: String,
    /// Where it comes from.
    pub location: String,
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The thread's position in the block.
    pub thread: [u32; 3],
    /// How often it happened here, this time included.
    pub count: u64,
}

impl Finding {
    /// Is it the same mistake at the same place of the source? A race has two places.
    pub(crate) fn is_like(&self, other: &Finding) -> bool {
        let place = |f: &Finding| (f.op.clone(), f.location.clone());
        match (&self.kind, &other.kind) {
            (FindingKind::Race { other: a, .. }, FindingKind::Race { other: b, .. }) => {
                let sides = |f: &Finding, party: &Party| {
                    let mut sides = [place(f), (party.op.clone(), party.location.clone())];
                    sides.sort();
                    sides
                };
                sides(self, a) == sides(other, b)
            }
            (a, b) => place(self) == place(other) && std::mem::discriminant(a) == std::mem::discriminant(b),
        }
    }
}

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
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Party { access, op, location, block, thread } = self;
        let noun = match access {
            AccessKind::Read => "read",
            AccessKind::AtomicRead => "atomic read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic update",
            AccessKind::Copy => "asynchronous copy",
        };
        write!(f, "the {noun} by thread {} of block {}, `{op}` ({location})", Triple(thread), Triple(block))
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
}

impl AccessKind {
    /// Does it leave the bytes as they are?
    pub(crate) fn is_read(self) -> bool {
        matches!(self, AccessKind::Read | AccessKind::AtomicRead)
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
        !(self.is_read() && other.is_read() || self.is_atomic() && other.is_atomic())
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read | AccessKind::AtomicRead => "reads",
            AccessKind::Write => "writes",
            AccessKind::Atomic => "updates",
            AccessKind::Copy => "copies to",
        })
    }
}

/// What one instruction did wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FindingKind {
    /// The address belongs to no allocation (null, or computed from nothing).
    #[error("address {address:#x} is in no allocation")]
    Unmapped {
        /// The 64-bit pointer.
        address: u64,
    },
    /// A generic pointer was cast to, or used in, an address space that it does not point into.
    #[error("address {address:#x} is not in address space {expected}")]
    WrongSpace {
        /// The 64-bit pointer.
        address: u64,
        /// The address space it should be in.
        expected: u32,
    },
    /// The access leaves its allocation.
    #[error("{bytes} bytes at byte {offset} of {place}, which has {size} bytes")]
    OutOfBounds {
        /// The allocation.
        place: Place,
        /// Offset of the first byte of the access; negative before the allocation.
        offset: i64,
        /// Bytes of the access.
        bytes: u64,
        /// Bytes of the allocation.
        size: u64,
    },
    /// The address is not a multiple of the access's alignment.
    #[error("byte {offset} of {place} is not aligned to {align} bytes")]
    Misaligned {
        /// The allocation.
        place: Place,
        /// Offset of the access.
        offset: i64,
        /// The alignment that the access claims or needs, in bytes.
        align: u64,
    },
    /// A byte is read that nothing has written, of memory where that cannot be right.
    #[error("byte {offset} of {place} is read before it is written")]
    Uninitialised {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
    },
    /// A thread uses a byte that an asynchronous copy is still to write, or writes one that it may still read.
    #[error("byte {offset} of {place} is still the {role} of an asynchronous copy{}", pending(.copy))]
    InFlight {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// What the byte is for the copy.
        role: CopyRole,
        /// The copy.
        copy: Option<Box<PendingCopy>>,
    },
    /// Bytes of an `mbarrier` are read or written as if they were data.
    #[error(
        "byte {offset} of {place} is part of the mbarrier that was initialised at {location}; only mbarrier operations may \
         use it until it is invalidated"
    )]
    BarrierStorage {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// Where the barrier was initialised.
        location: String,
    },
    /// An `mbarrier` is used wrongly.
    #[error("the mbarrier at byte {offset} of {place} {misuse}")]
    Mbarrier {
        /// The allocation.
        place: Place,
        /// Offset of the barrier.
        offset: i64,
        /// What is wrong.
        misuse: Box<MbarrierMisuse>,
    },
    /// Constant memory is written.
    #[error("{place} is constant")]
    ReadOnly {
        /// The allocation.
        place: Place,
    },
    /// A zero-filling copy asks for more source bytes than the copy has.
    #[error("the copy reads {asked} source bytes but is {size} bytes wide")]
    CopySize {
        /// Source bytes asked for.
        asked: u64,
        /// Width of the copy in bytes.
        size: u64,
    },
    /// A thread allocates more local memory than it may have.
    #[error("{bytes} bytes of local memory, a thread has at most {limit}")]
    LocalMemory {
        /// Bytes asked for in all.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Division or remainder by zero, or the signed quotient that does not fit.
    #[error("i{width} division of {lhs} by {rhs}")]
    Division {
        /// Bits of the type.
        width: u32,
        /// Dividend.
        lhs: i64,
        /// Divisor.
        rhs: i64,
    },
    /// An addition, subtraction, multiplication or left shift that promises not to wrap did.
    #[error("i{width} overflow of {what}: {lhs}, {rhs}")]
    Overflow {
        /// Bits of the type.
        width: u32,
        /// The promise: `nsw` or `nuw`, and the operation.
        what: &'static str,
        /// Left operand, read with the promise's sign.
        lhs: i128,
        /// Right operand, likewise.
        rhs: i128,
    },
    /// A shift by the type's width or more.
    #[error("i{width} shifted by {amount}")]
    Shift {
        /// Bits of the type.
        width: u32,
        /// The shift amount.
        amount: u64,
    },
    /// A vector element that does not exist.
    #[error("element {index} of a vector of {lanes}")]
    Lane {
        /// The index.
        index: u64,
        /// Elements of the vector.
        lanes: u32,
    },
    /// A barrier that the device does not have.
    #[error("barrier {id} of {threads} threads: numbers are 0 to 15, counts multiples of 32")]
    Barrier {
        /// The barrier's number.
        id: u32,
        /// Threads it waits for.
        threads: u32,
    },
    /// The barrier of the cluster is not used in turns.
    #[error("{misuse}")]
    ClusterBarrier {
        /// What the thread does wrong.
        misuse: ClusterBarrierMisuse,
    },
    /// `mapa` names a block that the cluster does not have.
    #[error("block {rank} of the cluster, which has {blocks} blocks")]
    ClusterRank {
        /// The rank asked for.
        rank: u64,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// An access of the own block's shared memory has an address of another block.
    #[error(
        "the address is that of {place}, and the operation reaches only the shared memory of its own block; access it \
         through a pointer to the shared memory of the cluster (address space 7)"
    )]
    OtherBlock {
        /// The allocation.
        place: Place,
    },
    /// Shared memory of a block whose threads are all done is used by another block.
    #[error(
        "{place} is used after all threads of that block have returned; let the block wait for those that use its memory, \
         as with a barrier of the cluster"
    )]
    Exited {
        /// The allocation.
        place: Place,
    },
    /// Two threads access the same byte, one of them writes, and nothing orders the two.
    #[error("{access} byte {offset} of {place}, and nothing orders it with {other}{}", reason(*.why))]
    Race {
        /// What this access does: `reads`, `writes`, `updates`, `copies to`.
        access: AccessKind,
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The earlier access.
        other: Box<Party>,
        /// Why the two conflict, or how they come to, where that is not plain.
        why: Option<&'static str>,
    },
    /// A value that nothing gave decides what happens, or leaves the thread.
    #[error("the {role} is undefined: {origin}")]
    Undefined {
        /// What the value is for: an address, a condition.
        role: &'static str,
        /// Where it comes from.
        origin: Box<Origin>,
    },
    /// A barrier or a warp's collective that some of its threads never reach.
    #[error("{waiting} of {expected} threads wait, thread {} {instead}", Triple(.thread))]
    Divergence {
        /// How many threads wait.
        waiting: u32,
        /// How many it needs.
        expected: u32,
        /// The first thread that is not there.
        thread: [u32; 3],
        /// What that thread does instead.
        instead: String,
    },
    /// All threads that are left wait, for different things.
    #[error("no thread can go on: {}", waits.join("; "))]
    Deadlock {
        /// What each group of threads waits for.
        waits: Vec<String>,
    },
    /// A warp's collective is called with lane masks that do not agree or lack the caller.
    #[error("lane mask {mask:#010x}: {what}")]
    LaneMask {
        /// The mask.
        mask: u32,
        /// The broken rule.
        what: String,
    },
    /// `llvm.unreachable` was reached.
    #[error("reached")]
    Unreachable,
    /// A trap or a failed assertion.
    #[error("the kernel gives up{}", text.as_ref().map(|t| format!(": {t}")).unwrap_or_default())]
    Trap {
        /// What the thread printed just before, or the assertion.
        text: Option<String>,
    },
    /// Calls of device functions within each other, more than a thread has room for.
    #[error("calls nest deeper than {limit}")]
    CallDepth {
        /// Calls that may be open.
        limit: u32,
    },
    /// Nothing will happen any more, or seems so.
    #[error("{}", hang(*.repeats, *.instructions, *.resident))]
    Hang {
        /// Do all threads that are left repeat themselves for ever, or wait? Else there is no end in sight.
        repeats: bool,
        /// Instructions of warps without a change of memory, if they do not repeat themselves.
        instructions: u64,
        /// How many of how many blocks were there at once, if not all.
        resident: Option<(u32, u32)>,
    },
    /// The launch's instruction budget is used up.
    #[error("the budget of {limit} instructions is used up")]
    Budget {
        /// Instructions that the launch may execute.
        limit: u64,
    },
}

fn reason(why: Option<&'static str>) -> String {
    why.map_or_else(String::new, |why| format!("; {why}"))
}

fn hang(repeats: bool, instructions: u64, resident: Option<(u32, u32)>) -> String {
    if !repeats {
        return format!(
            "the kernel seems to hang: the block executed {instructions} instructions of warps without changing shared or \
             global memory; a given budget takes the place of this limit"
        );
    }
    let blocks = resident.map_or_else(String::new, |(some, all)| {
        format!("; {some} of the {all} blocks have begun, since more do not fit into the simulator's memory")
    });
    format!(
        "the kernel hangs: from here on the thread repeats the same steps for ever, and no thread is left that could \
         change what it reads{blocks}"
    )
}

/// How an `mbarrier` is used wrongly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "misuse", rename_all = "snake_case")]
pub enum MbarrierMisuse {
    /// Nothing has initialised it, or it was invalidated.
    #[error("is not initialised: `mbarrier.init` has to come first, and a barrier between that and its use")]
    Uninitialised,
    /// It is initialised while it is in use.
    #[error(
        "is initialised already, at {location}: `mbarrier.inval` has to come before it is initialised anew"
    )]
    Again {
        /// Where that was.
        location: String,
    },
    /// A count of arrivals that it does not have.
    #[error("cannot count {count} arrivals: a count is from 1 to 1048575")]
    Count {
        /// The count.
        count: u32,
    },
    /// More arrivals than the phase expects.
    #[error(
        "gets {count} more {} in phase {phase}, which expects only {pending} more{}",
        if *count == 1 { "arrival" } else { "arrivals" },
        after(.last)
    )]
    Arrivals {
        /// Arrivals.
        count: u32,
        /// Arrivals that are expected.
        pending: u32,
        /// The phase, counted from 0.
        phase: u64,
        /// The arrival before.
        last: Option<Box<Party>>,
    },
    /// The count of bytes leaves its range.
    #[error(
        "cannot have {bytes} bytes under way: the tx-count is from -1048575 to 1048575{}",
        if *bytes < 0 { "; more bytes have come than were ever expected" } else { "" }
    )]
    Bytes {
        /// Bytes that are expected and have not come; negative if more have come than are expected.
        bytes: i64,
    },
    /// An arrival that promises not to complete the phase would.
    #[error("would complete its phase by an arrival with `.noComplete`")]
    Completes,
}

fn after(last: &Option<Box<Party>>) -> String {
    last.as_ref().map_or_else(String::new, |last| format!("; before it came {last}"))
}

/// How a thread uses the barrier of its cluster wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterBarrierMisuse {
    /// It arrives again before it has waited.
    ArrivesTwice,
    /// It waits and has not arrived.
    WaitsFirst,
}

impl fmt::Display for ClusterBarrierMisuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusterBarrierMisuse::ArrivesTwice => {
                "the thread has arrived at the barrier of the cluster already, and not waited since"
            }
            ClusterBarrierMisuse::WaitsFirst => {
                "the thread waits at the barrier of the cluster, and has not arrived there since it last waited"
            }
        })
    }
}

/// What a byte is for a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyRole {
    /// It is read.
    Source,
    /// It is written.
    Target,
}

impl fmt::Display for CopyRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CopyRole::Source => "source",
            CopyRole::Target => "target",
        })
    }
}

/// An asynchronous copy that no wait has completed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PendingCopy {
    /// The operation's name.
    pub op: String,
    /// Where it comes from.
    pub location: String,
    /// The thread that issued it.
    pub thread: [u32; 3],
    /// Groups that the thread has committed behind the copy's own; none if that is not committed itself.
    pub younger: Option<u32>,
    /// Is it of another thread than the one that uses the byte?
    pub foreign: bool,
}

fn pending(copy: &Option<Box<PendingCopy>>) -> String {
    let Some(copy) = copy else { return String::new() };
    let PendingCopy { op, location, thread, younger, foreign } = &**copy;
    let thread = Triple(thread);
    let fix = match younger {
        None => {
            "commit it (`cp.async.commit.group`), then wait for its group; or let an mbarrier hear of it \
                 (`cp.async.mbarrier.arrive`), and wait for that"
                .to_owned()
        }
        Some(younger) => format!(
            "{younger} younger {} committed behind its group, so `cp.async.wait.group {younger}` would complete it",
            if *younger == 1 { "group is" } else { "groups are" }
        ),
    };
    let barrier = if *foreign { "; a barrier has to follow the wait of that thread" } else { "" };
    format!(", `{op}` ({location}) by thread {thread}: {fix}{barrier}")
}

/// Where a value that nothing gave comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Origin {
    /// An operation whose result has no value: `undef`, `poison`.
    Operation {
        /// The operation's name.
        op: String,
        /// Where it comes from.
        location: String,
    },
    /// Local memory that nothing had written when it was read.
    Unwritten {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The operation that read it.
        op: String,
        /// Where that comes from.
        location: String,
    },
    /// A lane that did not take part in a shuffle.
    Lane {
        /// The lane.
        lane: u32,
        /// The shuffle's name.
        op: String,
        /// Where it comes from.
        location: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Operation { op, location } => write!(f, "`{op}` ({location}) gives it no value"),
            Origin::Unwritten { place, offset, op, location } => write!(
                f,
                "`{op}` ({location}) read byte {offset} of {place} before anything wrote it; write all of that memory \
                 first, or do not use what a predicate left unwritten"
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
pub enum Place {
    /// A buffer of [`Memory`](crate::Memory).
    Buffer {
        /// Counted from 0 in upload order.
        number: u32,
        /// The name that the memory gives it.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A shared memory global.
    Shared {
        /// Its symbol.
        name: String,
        /// Where the kernel first takes its address, which is where the source allocates it.
        location: String,
    },
    /// Shared memory by bare address.
    SharedWindow,
    /// Shared memory of another block of the cluster.
    OfBlock {
        /// The block's rank in the cluster.
        rank: u32,
        /// What it is in that block.
        place: Box<Place>,
    },
    /// A constant global.
    Constant(String),
    /// Local memory of a thread: a fragment.
    Local {
        /// Where it is allocated.
        location: String,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Buffer { name: Some(name), .. } => write!(f, "buffer {name}"),
            Place::Buffer { number, name: None } => write!(f, "buffer {number}"),
            Place::Shared { name, location } => write!(f, "shared memory @{name} (allocated at {location})"),
            Place::OfBlock { rank, place } => write!(f, "{place} of block {rank} of the cluster"),
            Place::SharedWindow => f.write_str("shared memory"),
            Place::Constant(name) => write!(f, "constant memory @{name}"),
            Place::Local { location } => write!(f, "the local memory (fragment) allocated at {location}"),
        }
    }
}

/// `(x, y, z)`.
pub(crate) struct Triple<'a>(pub(crate) &'a [u32; 3]);

impl fmt::Display for Triple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}
