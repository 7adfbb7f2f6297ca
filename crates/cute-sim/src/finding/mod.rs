//! The mistakes of a kernel, as data; the text is made once, here, in `Display`.

mod explain;
mod grade;
mod heap;
mod isa;
mod iterated;
mod kinds;
mod lane;
mod mistake;
mod misuse;
mod rules;
mod side;
mod swizzle;
mod waiting;

pub(crate) use crate::block::Triple;
pub use crate::families::bulk::rules::BulkRule;
pub use crate::families::cluster::rules::ClusterBarrierMisuse;
pub use crate::families::cp_async::rules::{CopyRole, PendingCopy};
pub use crate::families::fence::rules::ProxyRule;
pub use crate::families::launch::rules::ControlRule;
pub use crate::families::matrix::rules::ScaleRule;
pub use crate::families::mbarrier::rules::MbarrierMisuse;
pub use crate::families::tcgen05::rules::TensorRule;
pub use crate::families::tensor_map::rules::MapFence;
pub use crate::families::wgmma::rules::WgmmaRule;
pub use crate::isa::IsaRule;
pub use crate::quoted::{AccessKind, Completion, Origin, Party, Place, Queues};
pub use explain::explain;
pub use grade::Grade;
pub use heap::{HeapAct, HeapBlock, HeapRule};
pub use isa::ISA_RULES;
pub use iterated::Iterated;
pub use kinds::{ExplainedKinds, KINDS};
pub(crate) use lane::{LaneFinding, try_map};
pub use mistake::{Places, Spot};
pub use misuse::TensorFence;
pub use rules::{RULES, Rule};
pub use side::Side;
pub use swizzle::SwizzleRule;
pub use waiting::{BarrierState, Waiting, WaitingWarp};

use crate::families::cp_async::rules::pending;
use crate::quoted::named;
use crate::schedule::{Elected, Schedule};
use cute_machine::int::Fault;
use cute_machine::place::SourcePlace;
use cute_text::{line, lines};
use serde::Serialize;

/// Something a kernel did wrong: what, which thread, where in the source, and how often.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: `{}`{}: {}", line(&.location.to_string()), line(.op), self.by(), lines(&.kind.to_string()))]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Finding {
    pub grade: Grade,
    pub kind: FindingKind,
    /// The rule that it breaks, with what is known about kernels and devices, if kernels rely on
    /// breaking it.
    pub rule: Option<&'static Rule>,
    /// The operation's name.
    pub op: String,
    /// The source location, with the calls that were inlined around it.
    pub location: SourcePlace,
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The thread's position in the block.
    pub thread: [u32; 3],
    /// The number of the launch among those of its memory, from 1 on.
    pub launch: u32,
    /// Whether the operation is one of the host, such as a copy. Block and thread are those of no
    /// thread then.
    pub by_host: bool,
    /// The number of occurrences, including this one.
    pub count: u64,
    /// The instructions that make this mistake, if they are several.
    pub places: Places,
    /// The schedules that show it, if the launch ran under several.
    pub schedules: Vec<Schedule>,
    /// Equal for findings about one mistake.
    pub(crate) mistake: u64,
    /// Equal for those whose own side is the same. The two sides of a race may change places.
    pub(crate) side: u64,
}

impl Finding {
    /// The thread, in the text of the finding.
    fn by(&self) -> String {
        match self.by_host {
            true => String::new(),
            false => format!(" in block {}, thread {}", Triple(&self.block), Triple(&self.thread)),
        }
    }

    /// Whether it is reported without [`pedantic`](crate::Launch::pedantic).
    pub(crate) fn is_shown_by_default(&self) -> bool {
        self.grade != Grade::Note
    }

    /// The mistake as one that relies on the lane that an instruction elects. A launch that is
    /// [strict](crate::Launch::strict_isa) makes an error of it.
    pub fn on_elected_lane(self, election: &Elected, is_strict: bool) -> Finding {
        let Elected { op, location, .. } = election.clone();
        let kind = FindingKind::ElectedLane { what: Box::new(self.kind), op, location };
        let grade = match kind.grade() {
            Grade::Portability if is_strict => Grade::Error,
            grade => grade,
        };
        Finding { grade, rule: kind.rule(), kind, ..self }.identified()
    }
}

/// The mistake of one instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum FindingKind {
    /// The address does not belong to an allocation (null, or computed from undefined values).
    #[error("address {address:#x} is not in an allocation")]
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
        place: Place,
        /// Offset of the access.
        offset: i64,
        /// The alignment that the access claims or needs, in bytes.
        align: u64,
    },
    /// An uninitialised byte is read, in memory where that is always a mistake.
    #[error("byte {offset} of {place} is read before it is written")]
    Uninitialised {
        place: Place,
        /// Offset of the byte.
        offset: i64,
    },
    /// A thread uses a byte that an asynchronous copy has not written yet, or writes one that it
    /// may still read.
    #[error("byte {offset} of {place} is still the {role} of an asynchronous copy{}", pending(.copy))]
    InFlight {
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The role of the byte in the copy.
        role: CopyRole,
        copy: Option<Box<PendingCopy>>,
    },
    /// Bytes of an `mbarrier` are read or written as data.
    #[error(
        "byte {offset} of {place} is part of the mbarrier that was initialised at {location}; only mbarrier operations may \
         use it until it is invalidated"
    )]
    BarrierStorage {
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The location of the barrier's initialisation.
        location: SourcePlace,
    },
    /// An `mbarrier` is used wrongly.
    #[error("the mbarrier at byte {offset} of {place} {misuse}")]
    Mbarrier {
        place: Place,
        /// Offset of the barrier.
        offset: i64,
        misuse: Box<MbarrierMisuse>,
    },
    /// A wait for a phase of an `mbarrier` may come after the end of the next one.
    #[error("{}", missed(*.offset, .place, *.phase, *.lanes, *.within_warp, .other))]
    MissedPhase {
        place: Place,
        /// Offset of the barrier.
        offset: i64,
        /// The next phase, counted from 0.
        phase: u64,
        /// The lanes of the warp that wait so.
        lanes: u32,
        /// Whether the next phase follows the wait of another lane of the warp by the same
        /// instruction, which asked no earlier.
        within_warp: bool,
        /// The act that ended the next phase.
        other: Box<Party>,
    },
    /// Words that are not a tensor map, or one that breaks a rule.
    #[error("the tensor map at byte {offset} of {place} is not valid: {broken}")]
    TensorMap {
        place: Place,
        /// Offset of its first byte.
        offset: i64,
        /// Field, value and rule.
        broken: String,
    },
    /// A bulk copy breaks a rule.
    #[error("{rule}")]
    BulkCopy { rule: BulkRule },
    /// Shared memory is written with one swizzle and accessed with another.
    #[error("{rule}")]
    Swizzle {
        /// The two swizzles.
        rule: Box<SwizzleRule>,
    },
    /// A `wgmma` breaks a rule, or a rule about its registers is broken.
    #[error("{rule}")]
    Wgmma { rule: WgmmaRule },
    /// A use of tensor memory, or another instruction of `tcgen05`, breaks a rule.
    #[error("{rule}")]
    Tensor { rule: Box<TensorRule> },
    /// A selector of the scale factors of an `mma.sync` breaks a rule.
    #[error("{rule}")]
    Scales { rule: ScaleRule },
    /// `clusterlaunchcontrol` breaks a rule.
    #[error("{rule}")]
    LaunchControl { rule: ControlRule },
    /// A block returns before a bulk copy has finished with its shared memory.
    #[error("{}", unfinished(*.role))]
    Unfinished {
        /// The role of the shared memory in the copy.
        role: CopyRole,
    },
    /// The async proxy accesses bytes that the generic proxy wrote, and no fence makes the writes
    /// visible to it.
    #[error("{access} byte {offset} of {place}{}, but may {}", access.proxy(), unfenced(.other))]
    Unfenced {
        /// The kind of this access.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        other: Box<Party>,
    },
    /// A copy uses a tensor map that the kernel changed, and no fence makes the change visible to
    /// the TMA.
    #[error("uses the tensor map at byte {offset} of {place} after {other}, {missing}")]
    UnfencedMap {
        place: Place,
        /// Offset of the map.
        offset: i64,
        other: Box<Party>,
        /// The missing fence.
        missing: MapFence,
    },
    /// The async proxy accesses bytes after the generic proxy, in order, but without the fence that
    /// the instruction set requires.
    #[error("{access} byte {offset} of {place}{} after {other}: {rule}", access.proxy())]
    ProxyOrder {
        /// The kind of this access.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The access before.
        other: Box<Party>,
        /// The broken rule.
        rule: ProxyRule,
    },
    /// Accesses of tensor memory by threads that synchronise, but without a fence that the
    /// instruction set requires.
    #[error("{access} {} after {other}: {missing}", place.spot(0))]
    TensorOrder {
        /// The kind of this access.
        access: AccessKind,
        /// The word of tensor memory.
        place: Place,
        /// The access before.
        other: Box<Party>,
        /// The missing fence.
        missing: TensorFence,
    },
    /// Constant memory is written.
    #[error("{place} is constant")]
    ReadOnly { place: Place },
    /// A zero-filling copy requests more source bytes than the size of the copy.
    #[error("the copy reads {asked} source bytes but is {size} bytes wide")]
    CopySize {
        /// Requested source bytes.
        asked: u64,
        /// Width of the copy in bytes.
        size: u64,
    },
    /// A thread allocates more local memory than it may have.
    #[error("the thread needs {bytes} bytes of local memory; the limit is {limit}")]
    LocalMemory {
        /// Total number of requested bytes.
        bytes: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// `stackrestore` of a value that `stacksave` did not return, or that a return made invalid.
    #[error("{address:#x} is not a stack pointer that `stacksave` returned in this function")]
    StackPointer {
        /// The value.
        address: u64,
    },
    /// A division or remainder by zero, or a signed quotient that does not fit.
    #[error("{}", Fault::Division { width: *width, lhs: *lhs, rhs: *rhs })]
    Division { width: u32, lhs: i64, rhs: i64 },
    /// An addition, subtraction, multiplication or left shift that promises not to wrap did.
    #[error("{}", Fault::Overflow { width: *width, what, lhs: *lhs, rhs: *rhs })]
    Overflow { width: u32, what: &'static str, lhs: i128, rhs: i128 },
    /// A shift by the type's width or more.
    #[error("{}", Fault::Shift { width: *width, amount: *amount })]
    Shift { width: u32, amount: u64 },
    /// `setmaxnreg` in a kernel whose registers at launch are not bounded.
    #[error(
        "ptxas ignores this unless the registers of a thread at launch are bounded: give the kernel \
         `.minnctapersm 1` or `.maxnreg` (in IR `nvvm.minctasm = 1`, `nvvm.maxnreg`)"
    )]
    UnboundedRegisters,
    /// A vector element that does not exist.
    #[error("element {index} of a vector of {lanes}")]
    Lane {
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
    /// Threads take part in one use of a barrier with different counts.
    #[error(
        "barrier {id} completes with {threads} threads here, and with {other} at `{op}` ({location}), where others take part \
         in the same use of it"
    )]
    BarrierCounts {
        /// The barrier's number.
        id: u32,
        /// Threads it waits for.
        threads: u32,
        /// Threads it waits for elsewhere.
        other: u32,
        /// The operation there.
        op: String,
        /// The location of that instruction.
        location: SourcePlace,
    },
    /// A thread arrives at a barrier where its arrival before may not be over.
    #[error(
        "the thread has arrived at barrier {id} before, and cannot know that this use of the barrier is complete: both \
         arrivals may count in one use; synchronise it with one of the threads that waited there"
    )]
    BarrierFilled {
        /// The barrier's number.
        id: u32,
    },
    /// A thread takes part in a barrier that other threads may be using.
    #[error(
        "the thread takes part in barrier {id}, but nothing orders that after the use of the barrier in which thread {} waits, \
         `{op}` ({location}): chance decides which threads meet; give each group of threads a barrier of its own, or \
         synchronise the groups in between",
        Triple(thread)
    )]
    BarrierShared {
        /// The barrier's number.
        id: u32,
        /// A thread of the other use.
        thread: [u32; 3],
        /// The operation at which it waits.
        op: String,
        /// The location of that instruction.
        location: SourcePlace,
    },
    /// Threads take part in one use of a barrier that combines predicates, and do not all combine
    /// them in the same way.
    #[error(
        "barrier {id} combines predicates here, and not, or in another way, at `{op}` ({location}), where others take part \
         in the same use of it"
    )]
    BarrierMixed {
        /// The barrier's number.
        id: u32,
        /// The operation there.
        op: String,
        /// The location of that instruction.
        location: SourcePlace,
    },
    /// A barrier of the warp completes although lanes of its mask have returned.
    #[error(
        "lane mask {mask:#010x} names lanes that have returned, {returned:#010x}, the first of which is thread {}; the barrier \
         waits for all lanes of its mask, and devices go on without these: pass the mask of the lanes that are left",
        Triple(thread)
    )]
    ReturnedLanes {
        mask: u32,
        /// Those of the mask that have returned.
        returned: u32,
        /// The first of them.
        thread: [u32; 3],
    },
    /// A barrier with a count can no longer complete, because threads that it counts have returned.
    #[error(
        "barrier {id} completes with {threads} threads, but {returned} of them have returned, the first of which is thread {}; \
         a barrier with a count also waits for warps that have returned: let all that it counts reach it, or count \
         only those that do",
        Triple(thread)
    )]
    ReturnedThreads {
        /// The barrier's number.
        id: u32,
        /// Threads it waits for.
        threads: u32,
        /// Those that can no longer come.
        returned: u32,
        /// A thread that has returned.
        thread: [u32; 3],
    },
    /// `setmaxnreg` by some threads of a warpgroup.
    #[error(
        "{here} of the {threads} threads of the warpgroup execute this, and the others do not: all of them must, and the \
         registers of a warp change for all of its lanes; move it out of the branch"
    )]
    RegistersApart {
        /// Threads that execute it.
        here: u32,
        /// Threads of the warpgroup.
        threads: u32,
    },
    /// A mistake that depends on the lane that an `elect.sync` elects.
    #[error(
        "{what}; with the lowest lane of the mask elected this does not happen, so it relies on the lane that `{op}` \
         ({location}) elects, which here is the highest: PTX does not say which lane that is; let the elected thread itself do \
         what depends on it, or choose the thread by its number"
    )]
    ElectedLane {
        /// The mistake.
        what: Box<FindingKind>,
        /// The election.
        op: String,
        /// The location of the election.
        location: SourcePlace,
    },
    /// Arrivals and waits at the barrier of the cluster do not alternate.
    #[error("{misuse}")]
    ClusterBarrier { misuse: ClusterBarrierMisuse },
    /// `mapa` names a block that the cluster does not have.
    #[error(
        "the operation names block {rank} of the cluster, but the cluster has {}",
        if *blocks == 1 { "one block".to_owned() } else { format!("{blocks} blocks") }
    )]
    ClusterRank {
        /// The requested rank.
        rank: u64,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// An access to the own block's shared memory has an address of another block.
    #[error(
        "the address is that of {place}, but the operation reaches only the shared memory of its own block; \
         access it through a pointer to the shared memory of the cluster (address space 7)"
    )]
    OtherBlock { place: Place },
    /// Shared memory of a block is used by another block, which does not know that the first has
    /// begun.
    #[error(
        "{place} is used when that block may not have begun; let the blocks meet at a barrier of the cluster before"
    )]
    NotBegun { place: Place },
    /// Shared memory of a block is used by another block, and the threads of the first may have
    /// returned by then.
    #[error("{}", exited(.place, *.commit))]
    Exited {
        place: Place,
        /// For a commit of the tensor cores, the offset of the mbarrier at which it arrives.
        #[serde(skip_serializing_if = "Option::is_none")]
        commit: Option<i64>,
    },
    /// Two threads access the same byte, at least one writes it, and nothing orders the two.
    #[error(
        "{access} {}{}, {} {other}{}",
        place.spot(*.offset), access.proxy(), other.relation(), reason(*.why)
    )]
    Race {
        /// The kind of this access: `reads`, `writes`, `updates`, `copies to`.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The earlier access.
        other: Box<Party>,
        /// An explanation of the conflict, if it is not obvious.
        why: Option<&'static str>,
    },
    /// Lanes of one instruction store one sum, rounded in different ways, in the same bytes.
    #[error(
        "{access} {}, {} {other}; the lanes computed one sum by shuffles, and rounded it in different ways, so that its last \
         bits are open: let one lane store it, or compile without contraction to fma",
        place.spot(*.offset), other.relation()
    )]
    RaceRounded {
        /// The kind of the access: `writes`.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The other lane's store.
        other: Box<Party>,
    },
    /// A load races with an atomic operation, and its value is only what an `atom.cas` expects.
    #[error(
        "{access} {}, {} {other}; the value is only the one that an `atom.cas` expects, which fails if it has changed",
        place.spot(*.offset), other.relation()
    )]
    RaceCompared {
        /// The kind of this access: `reads` or `updates`.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The other access.
        other: Box<Party>,
    },
    /// A load races with a store of its size, and nothing uses the value.
    #[error("{access} {}, {} {other}; nothing uses the value", place.spot(*.offset), other.relation())]
    RaceUnused {
        /// The kind of the access: `reads`.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The store.
        other: Box<Party>,
    },
    /// Threads of two blocks write one value to the same byte, and nothing orders the two.
    #[error(
        "{access} {}, {} {other}; both have the same value, so that the result is right if each block means these elements: \
         compare the coordinates of the tile with the grid",
        place.spot(*.offset), other.relation()
    )]
    SameValue {
        /// The kind of the access: `writes`.
        access: AccessKind,
        place: Place,
        /// Offset of the byte.
        offset: i64,
        /// The store by the other block.
        other: Box<Party>,
    },
    /// The device's heap is misused.
    #[error("{rule}")]
    Heap {
        /// The rule that is broken.
        rule: Box<HeapRule>,
    },
    /// Memory is accessed through an address that is made of a coordinate beyond its extent.
    #[error(
        "coordinate {index}{} is outside [0, {extent}), and `{}` ({}) uses the address: compare the grid and the loop with the \
         extents, leave the access out by a predicate, or set cute.domain = \"extend\" where the layout is meant to go on",
        of_mode(.mode), line(.op), line(&.location.to_string())
    )]
    Coordinate {
        /// The path of the mode; empty if it is the whole coordinate, or not known.
        mode: String,
        index: i64,
        /// The extent of the mode.
        extent: i64,
        /// The operation that uses the address.
        op: String,
        /// The source line of that operation.
        location: SourcePlace,
    },
    /// An undefined value decides what happens, or leaves the thread.
    #[error("the {role} is undefined: {origin}")]
    Undefined {
        /// The use of the value: an address, a condition.
        role: &'static str,
        /// The origin of the value.
        origin: Box<Origin>,
    },
    /// A barrier or a warp's collective that some of its threads never reach.
    #[error("only {waiting} of {expected} threads wait here; thread {} {instead}{}", Triple(.thread), reason(*.rule))]
    Divergence {
        /// The number of waiting threads.
        waiting: u32,
        /// The number of threads that it needs.
        expected: u32,
        /// The first thread that is not there.
        thread: [u32; 3],
        /// The state of that thread.
        instead: String,
        /// A rule of the instruction that says who must execute it, if it names no threads itself.
        #[serde(skip_serializing_if = "Option::is_none")]
        rule: Option<&'static str>,
    },
    /// All remaining threads wait, for different things.
    #[error("no thread can go on: {}{}", first(cause), list(waits))]
    Deadlock {
        /// A mistake that has led to it, if one is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        cause: Option<String>,
        /// The condition of each group of waiting threads.
        waits: Vec<Waiting>,
        /// All threads of the block, or of the cluster.
        threads: u32,
    },
    /// A warp's collective is called with lane masks that do not agree or lack the caller.
    #[error("lane mask {mask:#010x}: {what}")]
    LaneMask {
        mask: u32,
        /// The broken rule.
        what: String,
    },
    /// `llvm.unreachable` was reached.
    #[error("reached")]
    Unreachable,
    /// Lanes that execute an instruction together take different ways, which it excludes.
    #[error(
        "the instruction says `.uni`, but the lanes {lanes:#010x} go one way, and the lanes {others:#010x} another one"
    )]
    Apart {
        /// The lanes that do as the first one.
        lanes: u32,
        /// Those that go elsewhere.
        others: u32,
    },
    /// A branch through a table or a call through an address leads nowhere.
    #[error("{what}")]
    InvalidTarget {
        /// The table or the address, and what it lacks.
        what: String,
    },
    /// An instruction that the simulator does not know was reached.
    #[error("{what} is not modelled")]
    Unmodelled {
        /// The instruction, or its part.
        what: String,
    },
    /// A trap or a failed assertion.
    #[error("the kernel traps{}", text.as_ref().map(|t| format!(": {t}")).unwrap_or_default())]
    Trap {
        /// The thread's last output, or the assertion.
        text: Option<String>,
        /// Whether it is an assertion.
        #[serde(skip)]
        asserts: bool,
    },
    /// Nested calls of device functions, deeper than a thread has room for.
    #[error("calls nest deeper than {limit}")]
    CallDepth {
        /// Calls that may be open.
        limit: u32,
    },
    /// Nothing will happen any more, or seems so.
    #[error("{}", hang(*.repeats, *.instructions, *.resident))]
    Hang {
        /// Whether all remaining threads repeat themselves forever, or wait. Otherwise the kernel
        /// only seems to hang.
        repeats: bool,
        /// Warp instructions without a change of memory, if they do not repeat themselves.
        instructions: u64,
        /// The number of resident blocks, and of all blocks, if they differ.
        resident: Option<(u32, u32)>,
    },
    /// The launch's instruction budget is used up.
    #[error(
        "the budget of {limit} instructions is used up{}",
        repeats.as_ref().map(|repeats| format!("; {repeats}")).unwrap_or_default()
    )]
    Budget {
        /// Instructions that the launch may execute.
        limit: u64,
        /// The loop in which the thread is.
        #[serde(skip_serializing_if = "Option::is_none")]
        repeats: Option<Box<Iterated>>,
    },
}

impl FindingKind {
    /// The place of the other access, or of the election, if it takes two to make the mistake.
    pub fn other_side(&self) -> Option<&SourcePlace> {
        match self {
            Self::Race { other, .. }
            | Self::RaceUnused { other, .. }
            | Self::RaceCompared { other, .. }
            | Self::RaceRounded { other, .. }
            | Self::SameValue { other, .. }
            | Self::Unfenced { other, .. }
            | Self::UnfencedMap { other, .. }
            | Self::ProxyOrder { other, .. }
            | Self::TensorOrder { other, .. } => Some(&other.location),
            Self::InFlight { copy: Some(copy), .. } => Some(&copy.location),
            Self::Heap { rule } => rule.other_side(),
            Self::ElectedLane { location, .. } => Some(location),
            _ => None,
        }
    }
}

fn exited(place: &Place, commit: Option<i64>) -> String {
    match commit {
        None => format!(
            "{place} is used when all threads of that block may have returned; let the block wait for those that use its \
             memory, as with a barrier of the cluster"
        ),
        Some(offset) => format!(
            "the commit may arrive at the mbarrier at byte {offset} of {place} when all threads of that block may have \
             returned; let the block wait for that phase of its mbarrier, because a barrier of the cluster does not wait for the tensor \
             cores, or leave the block out of the mask"
        ),
    }
}

/// The text about waits of some lanes for the phase before `phase`.
fn missed(offset: i64, place: &Place, phase: u64, lanes: u32, within_warp: bool, other: &Party) -> String {
    let (awaited, later) = match phase {
        0 => ("the phase before the first".to_owned(), "phase 1".to_owned()),
        _ => (format!("phase {}", phase - 1), format!("phase {}", phase + 1)),
    };
    let who = match (within_warp, lanes.count_ones()) {
        (true, 1) => "a lane waits with its warp".to_owned(),
        (true, count) => format!("{count} lanes wait with their warp"),
        (false, 1) => "the thread waits".to_owned(),
        (false, count) => format!("{count} lanes wait"),
    };
    let repair = match within_warp {
        true => "put `bar.warp.sync` after the wait, before one lane goes on for all of them",
        false => {
            "let each thread that waits take part in what ends the next phase, such as by an arrival, or meet a thread that does"
        }
    };
    format!(
        "{who} for {awaited} of the mbarrier at byte {offset} of {place}, but nothing orders that before the end of phase {phase}, \
         by {}; a thread that asks later finds the parity of {later}, and waits for its end, which need not come: {repair}",
        named(other)
    )
}

fn first(cause: &Option<String>) -> String {
    cause.as_ref().map_or_else(String::new, |cause| format!("{cause};\n  "))
}

fn list(waits: &[Waiting]) -> String {
    waits.iter().map(ToString::to_string).collect::<Vec<_>>().join(";\n  ")
}

fn of_mode(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" of mode ({path})") }
}

fn reason(why: Option<&'static str>) -> String {
    why.map_or_else(String::new, |why| format!("; {why}"))
}

fn unfenced(other: &Party) -> String {
    if other.access.is_read() {
        return format!(
            "come before {other} is complete: after reading the response, the reader must execute a `fence.proxy.async` before the \
             barrier that hands the memory back"
        );
    }
    format!(
        "not see {other}: the async proxy sees generic writes only after a `fence.proxy.async`, which the writer must execute \
         between its write and the barrier that hands it over"
    )
}

fn unfinished(role: CopyRole) -> &'static str {
    match role {
        CopyRole::Source => {
            "the block returns without knowing that this copy has read its shared memory: let the thread that \
             commits it execute `cp.async.bulk.wait_group.read 0` before the end"
        }
        CopyRole::Target => {
            "the block returns without knowing that this copy has arrived in its shared memory: let a thread of the block \
             wait for the copy's mbarrier before the end"
        }
    }
}

fn hang(repeats: bool, instructions: u64, resident: Option<(u32, u32)>) -> String {
    if !repeats {
        return format!(
            "the kernel seems to hang: the block executed {instructions} instructions of warps without changing shared or \
             global memory; an explicit budget replaces this limit"
        );
    }
    let blocks = resident.map_or_else(String::new, |(some, all)| {
        format!("; {some} of the {all} blocks have begun, since more do not fit into the simulator's memory")
    });
    format!(
        "the kernel hangs: from here on the thread repeats the same steps forever, and no thread is left that could \
         change what it reads{blocks}"
    )
}

impl From<Fault> for FindingKind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Division { width, lhs, rhs } => Self::Division { width, lhs, rhs },
            Fault::Overflow { width, what, lhs, rhs } => Self::Overflow { width, what, lhs, rhs },
            Fault::Shift { width, amount } => Self::Shift { width, amount },
        }
    }
}
