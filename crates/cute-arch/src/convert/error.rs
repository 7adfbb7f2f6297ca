//! Why registers cannot be exchanged, or are none.

/// What is wrong with the owners of a tile, or with bringing it from some to others.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// A register would have two elements.
    #[error("register {register} of thread {thread} has both element {first} and element {second}")]
    TwoElements {
        /// The register.
        register: usize,
        /// Its thread.
        thread: usize,
        /// One element.
        first: usize,
        /// The other.
        second: usize,
    },
    /// An element is nowhere before.
    #[error("element {element}, which register {register} of thread {thread} is to have, is in no register")]
    Nowhere {
        /// The element.
        element: usize,
        /// The register.
        register: usize,
        /// Its thread.
        thread: usize,
    },
    /// An exchange between warps of a tile that is not made of powers of two.
    #[error(
        "{what} is not the XOR of bits of the thread's number, as it is where extents are powers of two; such a conversion between warps is not supported"
    )]
    NotBits {
        /// What depends on the thread.
        what: &'static str,
    },
    /// A placement that is not one of registers.
    #[error("{placement} places no registers: {why}")]
    NoRegisters {
        /// The placement.
        placement: String,
        /// The axis or number, and the rule.
        why: String,
    },
}
