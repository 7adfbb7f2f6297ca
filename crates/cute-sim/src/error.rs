//! What can go wrong, as data; the text is made once, here, in `Display`.
//!
//! [`Error`] is what a caller sees. A [`FaultKind`] says what one instruction did; [`Fault`] adds which thread did
//! it and where the instruction came from.

use std::fmt;

/// Why a module could not be decoded or a launch could not be finished.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The operation, type or attribute has no model. Found while decoding, before anything runs.
    #[error("{location}: `{op}`: {what} is not modelled")]
    Unmodelled {
        /// The operation's name.
        op: String,
        /// Where it comes from.
        location: String,
        /// What about it has no model.
        what: String,
    },
    /// The IR is not what its operation promises; a verifier would have said so.
    #[error("{location}: `{op}`: {what}")]
    Malformed {
        /// The operation's name.
        op: String,
        /// Where it comes from.
        location: String,
        /// What is wrong.
        what: String,
    },
    /// The launch names a kernel that the program does not have.
    #[error("no kernel `{0}` in this program")]
    NoKernel(String),
    /// The launch does not fit the kernel: a dimension, an argument.
    #[error("kernel `{kernel}`: {what}")]
    Launch {
        /// The kernel's name.
        kernel: String,
        /// What does not fit.
        what: String,
    },
    /// An instruction went wrong.
    #[error(transparent)]
    Fault(Box<Fault>),
    /// Some threads wait at a barrier that the others will never reach.
    #[error(transparent)]
    Divergence(Box<Divergence>),
}

/// An instruction that went wrong, and who executed it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{location}: `{op}` in block {}, thread {}: {kind}", Triple(.block), Triple(.thread))]
pub struct Fault {
    /// What happened.
    pub kind: FaultKind,
    /// The operation's name.
    pub op: String,
    /// Where it comes from.
    pub location: String,
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The thread's position in the block.
    pub thread: [u32; 3],
}

/// A barrier that cannot complete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{location}: `{op}` in block {}: {waiting} of {expected} threads wait, thread {} {instead}",
    Triple(.block),
    Triple(.thread)
)]
pub struct Divergence {
    /// The barrier's name.
    pub op: String,
    /// Where it comes from.
    pub location: String,
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// How many threads wait at the barrier.
    pub waiting: u32,
    /// How many it needs.
    pub expected: u32,
    /// The first thread that is not there.
    pub thread: [u32; 3],
    /// What that thread does instead.
    pub instead: String,
}

/// What one instruction did wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
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
    /// A byte is read that nothing has written.
    #[error("byte {offset} of {place} is read before it is written")]
    Uninitialised {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
    },
    /// A byte is touched that an asynchronous copy still owns.
    #[error("byte {offset} of {place} is still the target of an asynchronous copy")]
    InFlight {
        /// The allocation.
        place: Place,
        /// Offset of the byte.
        offset: i64,
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
    /// `llvm.unreachable` was reached.
    #[error("reached")]
    Unreachable,
    /// The launch's instruction budget is used up.
    #[error("the budget of {limit} instructions is used up")]
    Budget {
        /// Instructions that the launch may execute.
        limit: u64,
    },
}

/// An allocation, as an error names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A buffer of [`Memory`](crate::Memory), counted from 0 in upload order.
    Buffer(u32),
    /// A shared memory global.
    Shared(String),
    /// Shared memory by bare address.
    SharedWindow,
    /// A constant global.
    Constant(String),
    /// The n-th `alloca` of a thread.
    Local(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Buffer(n) => write!(f, "buffer {n}"),
            Place::Shared(name) => write!(f, "shared memory @{name}"),
            Place::SharedWindow => f.write_str("shared memory"),
            Place::Constant(name) => write!(f, "constant memory @{name}"),
            Place::Local(n) => write!(f, "local allocation {n}"),
        }
    }
}

/// `(x, y, z)`.
struct Triple<'a>(&'a [u32; 3]);

impl fmt::Display for Triple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        write!(f, "({x}, {y}, {z})")
    }
}
