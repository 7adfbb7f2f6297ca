//! The operations that instructions mean.

/// The meaning of an instruction, apart from modifiers and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Operation {
    Integer(Integer),
    Float(Float),
    Move,
    /// `mov` of a register's parts to the register.
    Pack,
    /// `mov` of a register to its parts.
    Unpack,
    /// `cvt` between integers.
    Convert,
    /// `cvt` of an integer to a float.
    FromInteger,
    /// `cvt` of a float to an integer.
    ToInteger,
    /// `cvt` of a float to a whole number of the same type.
    ToWhole,
    /// `cvt` between floats.
    ConvertFloat,
    /// `cvt` with scale factors, and between floats and `s2f6x2`.
    ConvertScaled,
    /// `cvt.pack`.
    PackIntegers,
    AddressCast,
    /// `setp`.
    Compare,
    /// `set`.
    CompareToNumber,
    /// `selp`.
    Select,
    /// `slct`.
    SelectBySign,
    /// `testp`.
    TestFloat,
    /// `copysign`.
    CopySign,
    /// `isspacep`.
    IsInSpace,
    Load,
    Store,
    /// `alloca`.
    StackAllocate,
    /// `stacksave`.
    StackSave,
    /// `stackrestore`.
    StackRestore,
    /// `st.bulk`.
    StoreZeros,
    /// `createpolicy`.
    CachePolicy,
    /// `applypriority`, a hint about a line of the cache.
    KeepLine,
    /// `discard`, a write of an indeterminate value to a line of the cache.
    DiscardLine,
    /// `cp.async`.
    AsyncCopy,
    /// `atom`, and `red` without a result.
    Atomic,
    Permute,
    /// `dp4a`.
    DotBytes,
    /// `dp2a`.
    DotHalves,
    ActiveMask,
    Shuffle,
    Vote,
    Match,
    Elect,
    Redux,
    /// `redux` of floats.
    ReduxFloat,
    /// `movmatrix`.
    Transpose,
    /// `ldmatrix`.
    LoadMatrix,
    /// `stmatrix`.
    StoreMatrix,
    /// `bar.sync`.
    Barrier,
    /// `bar.red`.
    BarrierReduce,
    BarrierArrive,
    WarpBarrier,
    ClusterArrive,
    ClusterWait,
    /// `setmaxnreg`.
    Registers,
    GridDependency,
    MapAddress,
    /// `getctarank`.
    BlockRank,
    Trap,
    Exit,
    /// An instruction that changes nothing which the machine models.
    Nothing,
    BarrierInit,
    BarrierInvalidate,
    BarrierExpect,
    BarrierComplete,
    BarrierPhaseArrive,
    BarrierPhaseWait,
    BarrierPending,
    /// `cp.async.mbarrier.arrive`.
    BarrierFollow,
    AsyncCommit,
    AsyncWait,
    /// `cp.async.bulk` from global memory.
    BulkLoad,
    /// `cp.async.bulk` to the shared memory of another block.
    BulkSend,
    /// `cp.async.bulk` to global memory.
    BulkStore,
    /// `cp.reduce.async.bulk`.
    BulkReduce,
    /// `cp.async.bulk.tensor` from global memory.
    BoxLoad,
    /// `cp.async.bulk.tensor` to global memory.
    BoxStore,
    /// `cp.reduce.async.bulk.tensor`.
    BoxReduce,
    BulkCommit,
    BulkWait,
    Fence,
    /// `fence.mbarrier_init`.
    FenceBarriers,
    FenceProxy,
    /// `fence.proxy.tensormap`, which makes changes of a map visible.
    FenceMapRelease,
    FenceMapAcquire,
    /// `tensormap.replace`.
    MapReplace,
    /// `tensormap.cp_fenceproxy`.
    MapCopy,
    /// `st.async`.
    RemoteStore,
    /// `red.async`.
    RemoteReduce,
    /// `wgmma.fence`.
    GroupFence,
    GroupCommit,
    GroupWait,
    TensorAlloc,
    TensorDealloc,
    /// `tcgen05.relinquish_alloc_permit`.
    TensorRelinquish,
    TensorLoad,
    TensorStore,
    TensorWait,
    TensorFence,
    TensorCommit,
    /// `tcgen05.cp`.
    TensorCopy,
    /// `tcgen05.mma`.
    TensorMultiply,
    /// `clusterlaunchcontrol.try_cancel`.
    TryCancel,
    QueryCancel,
    /// `clusterlaunchcontrol.query_cancel.get_first_ctaid.v4`.
    QueryBlock,
}

/// Operations on integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Integer {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Min,
    Max,
    /// `szext`: the low bits, by their sign or not.
    Extend,
    Not,
    Neg,
    Abs,
    Popcount,
    LeadingZeros,
    ReverseBits,
    Div,
    Rem,
    AddSaturated,
    SubSaturated,
    MulHigh,
    /// The product of twice the width.
    MulWide,
    MulAdd,
    MulAddHigh,
    MulAddWide,
    /// `shf.l`.
    FunnelLeft,
    FunnelRight,
    /// `bfe`.
    ExtractBits,
    /// `lop3`.
    Logic,
    /// `lop3` with a predicate.
    LogicTest,
    /// `add.cc`, `addc`.
    AddCarry,
    /// `sub.cc`, `subc`.
    SubCarry,
    /// `mad.cc`, `madc`.
    MulAddCarry,
    /// `mad.hi.sat`.
    MulAddHighSaturated,
    /// `mul24`, `mad24`.
    MulAdd24,
    /// `sad`.
    Distance,
    /// `bfi`.
    InsertBits,
    /// `bmsk`.
    Field,
    /// `bfind`.
    Find,
    /// `fns`.
    NthSet,
    /// `cnot`.
    IsZero,
}

/// Operations on floats, with PTX's modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Float {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    Min,
    Max,
    Neg,
    Abs,
}
