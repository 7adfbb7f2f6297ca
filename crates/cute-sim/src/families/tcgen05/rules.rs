//! Rules of tensor memory and `tcgen05`, and how a kernel breaks them.

use crate::quoted::NamedInstruction;
use cute_arch::tmem::{COLUMNS, LANES, LEAST_COLUMNS};
use cute_machine::place::SourcePlace;
use serde::Serialize;

crate::isa::rules! {
    "T1", "MMAs of one shape on one accumulator follow each other without a wait, and so do copies and the MMAs that use them, also of several threads with the fences of T6",
        "tcgen05: Pipelined instructions", "`tensor`, `race`";
    "T2", "a copy may overwrite what earlier MMAs read, in the order of issue",
        "tcgen05.cp", "none: as kernels do";
    "T3", "registers of `tcgen05.ld` may be used without a wait",
        "tcgen05.ld", "none: legal";
    "T4", "each warp that loads executes `tcgen05.wait::ld` before others overwrite or free the columns",
        "tcgen05.wait", "`race`; `tensor` (portability) if all that the warp has loaded was used before";
    "T5", "a warp that stores executes `tcgen05.wait::st` before others read the columns",
        "tcgen05.wait", "`race`";
    "T6", "between accesses of two threads, a `tcgen05` fence lies before and one after their synchronisation, which may be relaxed",
        "tcgen05.fence", "`race` if the synchronisation is relaxed; otherwise `tensor_order` (note)";
    "T7", "a commit covers the operations that its own thread has issued, and counts as one arrival, at a barrier whose address is generic or, with `.shared::cluster`, an offset (otherwise portability)",
        "tcgen05.commit", "`race`, `mbarrier`, `deadlock`";
    "T8", "a multicast commit arrives in each block of its mask; these blocks must exist and stay until then",
        "tcgen05.commit", "`cluster_rank`, `exited`";
    "T9", "columns are allocated in powers of 2 from 32 upwards, not after `relinquish_alloc_permit`, to an address of shared memory (a generic one is portability), and by a pair only when both blocks run (otherwise portability), with one number for both; they are freed after every access, and after the peer's allocation, by both blocks",
        "tcgen05.alloc", "`tensor`, `race`, `deadlock`";
    "T10", "all instructions of a kernel have the same `.cta_group`",
        "none: ptxas", "rejected";
    "T11", "a warp accesses the 32 lanes that its number modulo 4 selects, and allocated columns",
        "tcgen05.ld", "`tensor`; portability if the address names another warp's lanes";
    "T12", "the block of a pair with the even rank issues; each block holds half of A and of B at the same place; loads with `.cta_group::2` signal the issuing block's barrier, which expects the bytes of the pair",
        "tcgen05.mma", "`tensor`, `race`, `deadlock`";
}

/// A rule of `tcgen05`, and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum TensorRule {
    /// Words outside of tensor memory.
    #[error(
        "lanes {lane} to {} and columns {column} to {}: tensor memory has {LANES} lanes and {COLUMNS} columns",
        lane + lanes - 1, column + columns - 1
    )]
    Outside {
        /// The first lane, and how many.
        lane: u32,
        lanes: u32,
        /// The first column, and how many.
        column: u32,
        columns: u32,
    },
    /// Columns that are not allocated, or no longer.
    #[error(
        "columns {column} to {} of tensor memory{} are {}",
        column + columns - 1, of_block(*.peer), state(.allocated, .freed)
    )]
    NotAllocated {
        /// The first column, and how many.
        column: u32,
        columns: u32,
        /// The rank of the block, if it is not the thread's own.
        peer: Option<u32>,
        /// The allocated columns: first and last of each range.
        allocated: Vec<(u32, u32)>,
        /// The location where they were freed.
        freed: Option<SourcePlace>,
    },
    /// A lane at which the shape cannot begin.
    #[error(
        "the address names lane {lane}, but this shape begins at a lane that is a multiple of {}",
        if *lanes == 32 { 32 } else { 16 }
    )]
    Lanes {
        /// The lane of the address.
        lane: u32,
        /// Lanes of the shape.
        lanes: u32,
    },
    /// Lanes of another warp, for which devices take the warp's own.
    #[error(
        "the address names lane {lane}, but warp {warp} can access only lanes {} to {} of tensor memory: devices ignore the \
         upper bits of the lane and access lane {own}; add 32 times the warp's number modulo 4 to the lane of the allocation",
        own & !31,
        own | 31
    )]
    LanesOfAnother {
        /// The warp in its block.
        warp: u32,
        /// The lane of the address.
        lane: u32,
        /// The lane that is accessed.
        own: u32,
    },
    /// The place for the allocation's address is given as a generic address.
    #[error(
        "{address:#x} is a generic address, but `.shared::cta` takes an offset in shared memory: devices take the lower bits of \
         the address, which are the offset; convert it with `cvta.to.shared`, or `__cvta_generic_to_shared`"
    )]
    GenericAddress {
        /// As the simulator writes it.
        address: u64,
    },
    /// The place of a barrier is an offset in shared memory where a generic address is expected.
    #[error(
        "{address:#x} is an offset in shared memory, but an instruction without `.shared::cluster` takes a generic address: devices \
         signal the barrier at the offset; write `.shared::cluster`"
    )]
    OffsetAsGeneric {
        /// In bytes.
        address: u64,
    },
    /// Threads of a warp pass different values.
    #[error(
        "the {operand} is {one:#x} in one thread and {other:#x} in another: all threads of the warp must pass the same"
    )]
    Differs { operand: String, one: u64, other: u64 },
    /// A number of columns that cannot be allocated.
    #[error(
        "{columns} columns: tensor memory is allocated in powers of 2 from {LEAST_COLUMNS} to {COLUMNS} columns"
    )]
    Count { columns: u64 },
    /// The blocks of a pair allocate different numbers of columns.
    #[error(
        "it allocates {columns} columns for a pair, but block {peer} of the cluster allocates {other} ({location}): \
         both blocks must pass the same number"
    )]
    PairDiffers {
        columns: u32,
        /// The peer's rank.
        peer: u32,
        /// The peer's columns.
        other: u32,
        /// The location of the peer's allocation.
        location: SourcePlace,
    },
    /// An allocation after the block gave up the right to allocate.
    #[error("the block gave up the right to allocate at {location}")]
    AfterRelinquish {
        /// The location of that.
        location: SourcePlace,
    },
    /// Columns that were not allocated so are freed.
    #[error(
        "{columns} columns from column {column} on are freed{}, but {}",
        if *.pair { " by a pair" } else { "" },
        listed(.allocated)
    )]
    NotTheAllocation {
        /// The first column.
        column: u32,
        columns: u32,
        /// Whether it has `.cta_group::2`.
        pair: bool,
        /// The allocated columns: first and last of each range.
        allocated: Vec<(u32, u32)>,
    },
    /// Columns are still allocated when the block returns.
    #[error(
        "columns {column} to {} of tensor memory are still allocated when the block returns: \
         `tcgen05.dealloc` must come before",
        column + columns - 1
    )]
    Leak {
        /// The first column, and how many.
        column: u32,
        columns: u32,
    },
    /// A field of an instruction descriptor.
    #[error("the instruction descriptor {word:#010x} does not fit: {broken}")]
    Instruction {
        word: u32,
        /// Field, value and rule.
        broken: String,
    },
    /// A field of a zero-column mask descriptor.
    #[error("the zero-column mask descriptor {word:#018x} does not fit: {broken}")]
    ColumnMask {
        word: u64,
        /// Field, value and rule.
        broken: String,
    },
    /// A descriptor of a matrix in shared memory.
    #[error("the descriptor {word:#018x} of {matrix} is not valid: {why}")]
    Descriptor {
        /// `A` or `B`, or the source of a copy.
        matrix: String,
        word: u64,
        why: String,
    },
    /// A block without a peer issues an operation of a pair.
    #[error("block {rank} of a cluster of {blocks} has no peer: pairs are the blocks of ranks 2i and 2i + 1")]
    NoPeer {
        /// Its rank in the cluster.
        rank: u32,
        /// Blocks of the cluster.
        blocks: u32,
    },
    /// The wrong block of a pair issues it.
    #[error("block {rank} of the cluster issues it: of a pair, only the block with the even rank may")]
    OddBlock {
        /// Its rank in the cluster.
        rank: u32,
    },
    /// It is not known that the peer has begun.
    #[error(
        "the peer, block {peer} of the cluster, may not have begun: let both blocks synchronise at a barrier of the cluster before"
    )]
    PeerMayNotRun {
        /// The peer's rank.
        peer: u32,
    },
    /// Columns are used again behind uses of what was loaded, without a wait for the load.
    #[error(
        "warp {warp} has used what `{op}` ({location}) loaded from these columns, but has not waited for the load: \
         devices accept it; execute `tcgen05.wait::ld` before the synchronisation"
    )]
    Unwaited {
        /// The load.
        op: String,
        /// The source location.
        location: SourcePlace,
        /// The warp in its block.
        warp: u32,
    },
    /// Columns are used again behind a barrier of the cluster, and those who know that an access is
    /// over have returned.
    #[error(
        "only threads that have returned know that `{op}` ({location}) is over, and the barrier of the cluster that waits \
         for them to return publishes nothing of theirs: devices accept it; let them arrive at it before they return"
    )]
    Returned {
        /// The access.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// Columns of a pair are freed, and it is not known that the peer's allocation is over.
    #[error(
        "the allocation of the peer, block {peer} of the cluster, may not be complete ({location}): let both blocks synchronise \
         between `tcgen05.alloc` and `tcgen05.dealloc`, as at a barrier of the cluster"
    )]
    PeerMayAllocate {
        /// The peer's rank.
        peer: u32,
        /// The location of its allocation.
        location: SourcePlace,
    },
    /// MMAs on overlapping accumulators that differ.
    #[error(
        "its accumulator overlaps that of `{op}` ({location}), which may still run and has another shape or \
         place: only MMAs of one shape may follow each other on one accumulator without a wait for a \
         `tcgen05.commit`"
    )]
    Accumulator {
        /// The earlier MMA.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// The address of scale factors names a lane.
    #[error(
        "the address of the scale factors of {matrix} names lane {lane}: they begin in lane 0, and each group \
         of 32 lanes has a copy"
    )]
    ScaleLane {
        /// `A` or `B`.
        matrix: String,
        lane: u32,
    },
    /// The address of scale factors and the instruction descriptor name different bytes.
    #[error(
        "the address of the scale factors of {matrix} names byte {byte} of a column (bits 30 and 31), but the \
         instruction descriptor names byte {first} ({})",
        if matrix == "A" { "bits 29 and 30" } else { "bits 4 and 5" }
    )]
    ScaleByte {
        /// `A` or `B`.
        matrix: String,
        /// The byte of the address.
        byte: u32,
        /// That of the descriptor.
        first: u32,
    },
    /// Scale factors lie where the MMA writes D.
    #[error(
        "the scale factors of {matrix} are in columns {column} to {}, which the accumulators overlap",
        column + columns - 1
    )]
    ScalesOverlap {
        /// `A` or `B`.
        matrix: String,
        /// The first column, and how many.
        column: u32,
        columns: u32,
    },
    /// Something that is not modelled.
    #[error("{what} is not supported")]
    NotModelled { what: String },
}

impl TensorRule {
    /// The instruction that it names.
    pub(crate) fn named(&self) -> Option<NamedInstruction<'_>> {
        match self {
            Self::Accumulator { op, location } => Some(NamedInstruction::of(op, location)),
            Self::PairDiffers { location, .. }
            | Self::AfterRelinquish { location }
            | Self::PeerMayAllocate { location, .. }
            | Self::NotAllocated { freed: Some(location), .. } => Some(NamedInstruction::at(location)),
            _ => None,
        }
    }
}

fn of_block(peer: Option<u32>) -> String {
    peer.map_or_else(String::new, |rank| format!(" of block {rank} of the cluster"))
}

fn state(allocated: &[(u32, u32)], freed: &Option<SourcePlace>) -> String {
    match freed {
        Some(location) => format!("no longer allocated: they were freed at {location}"),
        None => format!("not all allocated: {}", listed(allocated)),
    }
}

fn listed(columns: &[(u32, u32)]) -> String {
    let range = |(first, last): &(u32, u32)| format!("{first} to {last}");
    match columns {
        [] => "nothing is allocated".to_owned(),
        columns => {
            let all: Vec<String> = columns.iter().map(range).collect();
            format!("columns {} are allocated", all.join(", "))
        }
    }
}
