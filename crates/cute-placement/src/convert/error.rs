//! The reasons why registers cannot be exchanged, or owners are not valid.

/// A problem with the owners of a tile, or with moving the tile between owners.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum ConvertError {
    /// A register would have two elements.
    #[error("register {register} of thread {thread} has both element {first} and element {second}")]
    TwoElements {
        register: usize,
        thread: usize,
        /// One of the elements.
        first: usize,
        second: usize,
    },
    /// An element is nowhere before.
    #[error("register {register} of thread {thread} needs element {element}, which no register holds")]
    Nowhere { element: usize, register: usize, thread: usize },
    /// An exchange between warps of a tile whose extents are not powers of two.
    #[error(
        "{what} is not the XOR of bits of the thread's number, as it is where extents are powers of two; such a conversion between warps is not supported"
    )]
    NotBits {
        /// The quantity that depends on the thread.
        what: &'static str,
    },
    /// A placement that is not one of registers.
    #[error("{placement} is not a placement of registers: {why}")]
    NoRegisters {
        placement: String,
        /// The axis or number, and the rule.
        why: String,
    },
}
