//! The address spaces of pointers, as LLVM numbers them.

/// Any memory: the pointer itself says which.
pub const GENERIC: u32 = 0;
/// Global memory.
pub const GLOBAL: u32 = 1;
/// The block's shared memory.
pub const SHARED: u32 = 3;
/// Constant memory.
pub const CONSTANT: u32 = 4;
/// The thread's own memory.
pub const LOCAL: u32 = 5;
/// Tensor memory, whose addresses are 32 bits: the lane from bit 16 on, below it the column.
pub const TENSOR: u32 = 6;
/// Shared memory of all blocks of a cluster. A pointer of the own block is one of this space too.
pub const CLUSTER: u32 = 7;
/// The parameters of a kernel. PTX counts them as global memory, too.
pub const PARAMETER: u32 = 101;
