//! The memories that a pointer may point into.

use cute_arch::space;

/// Memory space of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Global memory, address space 1.
    Gmem,
    /// Shared memory of the block, address space 3.
    Smem,
    /// The thread's registers.
    Rmem,
    /// Tensor memory, address space 6.
    Tmem,
    /// A generic address, which may point to any of these memories.
    Generic,
}

impl Space {
    /// The spaces, in the order of their names here.
    pub const ALL: [Self; 5] = [Self::Gmem, Self::Smem, Self::Rmem, Self::Tmem, Self::Generic];

    /// The keyword in a type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gmem => "gmem",
            Self::Smem => "smem",
            Self::Rmem => "rmem",
            Self::Tmem => "tmem",
            Self::Generic => "generic",
        }
    }

    /// LLVM's address space.
    pub fn address_space(self) -> u32 {
        match self {
            Self::Gmem => space::GLOBAL,
            Self::Smem => space::SHARED,
            Self::Tmem => space::TENSOR,
            Self::Rmem | Self::Generic => space::GENERIC,
        }
    }
}
