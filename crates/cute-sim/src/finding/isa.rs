//! The rules of asynchronous code that are checked, as docs/simulator.md lists them.

/// A rule of the instruction set that the simulator checks, or a case that it leaves alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsaRule {
    /// Its name, such as `X1`. Several parts of a rule share one.
    pub id: &'static str,
    /// The rule, as it holds in a correct kernel.
    pub rule: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// The findings that a violation causes.
    pub finding: &'static str,
}

macro_rules! rules {
    ($($id:literal, $rule:literal, $section:literal, $finding:literal;)*) => {
        /// All rules, in the order of the page.
        pub const ISA_RULES: &[IsaRule] =
            &[$(IsaRule { id: $id, rule: $rule, section: $section, finding: $finding }),*];
    };
}

// A cell is a literal, so that the table reads as one.
rules! {
    "M1", "an mbarrier has 8 bytes, aligned to 8, which only mbarrier operations use until `mbarrier.inval`",
        "mbarrier: Size and alignment", "`barrier_storage`, `misaligned`";
    "M2", "a phase ends when no arrivals and no bytes are missing",
        "mbarrier: Phase Completion", "`deadlock`";
    "M3", "bytes may arrive before they are expected, as long as an arrival is missing",
        "mbarrier: expect-tx operation", "none: legal";
    "M4", "`expect_tx` alone is not an arrival",
        "mbarrier.expect_tx", "`deadlock`";
    "M5", "a surplus arrival counts in the next phase; it is an error if no arrivals but some bytes are missing, if lanes that arrive together exceed a phase, or if a thread waits and the arrival could have changed places with one of the phase before",
        "mbarrier: Arrive-on operation", "`mbarrier`, or `deadlock` with the arrivals by phase";
    "M6", "arrival counts are 1 to 1048575; pending bytes are -1048575 to 1048575",
        "mbarrier: Contents", "`mbarrier`";
    "M7", "a wait for parity P passes when the current phase has the other parity; on a new barrier, a wait for parity 1 passes",
        "mbarrier.test_wait", "`race`, `deadlock`";
    "M8", "a wait can only test the current phase and the previous one, so a phase ends after every wait for the phase before",
        "mbarrier.test_wait", "`missed_phase` (between lanes that wait together portability), `race`, `deadlock`";
    "M9", "any number of threads, or none, may wait for a complete phase, with or without a test before",
        "mbarrier.test_wait", "none: legal";
    "M10", "`try_wait` may return false at any time, so its result must be used; a `test_wait` whose result is not used orders nothing",
        "mbarrier.try_wait", "`mbarrier`, `race`";
    "M11", "a thread waits only for barriers of its own block; a remote arrival takes an address from `mapa`, uses the form `shared::cluster`, and returns no state",
        "mbarrier.arrive, mapa", "`other_block`; rejected";
    "M12", "a wait acquires from arrivals of its phase with release, and from the copies that the phase counts; relaxed arrivals publish nothing without a fence",
        "Memory Consistency Model", "`race`";
    "M13", "only the thread that waits, or that reads an atomic, acquires; other lanes need a barrier, also lane 0 where an elected lane has waited",
        "Memory Consistency Model", "`race`";
    "M14", "an arrival publishes writes, and a wait acquires them, only within its scope; its scope does not limit counts, reads that have finished, or bulk copies that are complete",
        "Memory Consistency Model", "`race`";
    "M15", "`fence.mbarrier_init` and a barrier of the cluster separate `mbarrier.init` from its use by another block; a barrier suffices within a block, also before the TMA uses it",
        "membar / fence", "`race`";
    "M16", "`mbarrier.inval` precedes any other use of the bytes, and follows every use of the barrier; for waits that have returned, order of execution is enough",
        "mbarrier.inval", "`barrier_storage`, `mbarrier`";
    "M17", "`cp.async.mbarrier.arrive` raises the pending count unless it has `.noinc`",
        "cp.async.mbarrier.arrive", "`deadlock`";
    "M18", "in each block of its mask, a multicast load needs a free slot, an initialised barrier, and all of its bytes expected",
        "cp.async.bulk.tensor", "`race`, `mbarrier`, `deadlock`";
    "M19", "bytes outside the tensor are filled, and counted",
        "cp.async.bulk.tensor", "`deadlock`";
    "X1", "`fence.proxy.async` lies between a generic write and a read by the async proxy, in each thread that writes",
        "Async proxy", "`unfenced`; `proxy_order` if another thread executes the fence (portability)";
    "X2", "`fence.proxy.async` also lies between the writes of `cp.async` and a read by the async proxy",
        "Async proxy", "`proxy_order` (note)";
    "X3", "data that a bulk load wrote needs no fence",
        "Async proxy", "none: legal";
    "X4", "a barrier and a fence lie between a generic read and a write by the async proxy",
        "Async proxy", "`race`; `proxy_order` without the fence (portability)";
    "X5", "data that an MMA has read may be overwritten after a wait for the MMA and a barrier, without a fence",
        "Async proxy", "`race`";
    "X6", "before a block returns, it waits with `wait_group.read 0` until its bulk stores have read its shared memory",
        "cp.async.bulk.wait_group", "`unfinished` (note)";
    "X6", "the source of a bulk store may be overwritten after a `wait_group.read` by the thread that committed the store, and a barrier; a store by a whole warp is one store, and any of its lanes may wait",
        "cp.async.bulk.wait_group", "`race`";
    "X7", "a `fence.proxy.async` and a barrier lie between a read of a response of `clusterlaunchcontrol` and the next request into the same place",
        "clusterlaunchcontrol.try_cancel", "`unfenced`, `race`";
    "X8", "a `fence.proxy.async` that is not restricted to shared memory lies between a generic write of global memory and its bulk load; between blocks, so do a release and an acquire",
        "Async proxy", "`unfenced`, `race`";
    "X9", "other threads and blocks may read the result of a bulk store after a `wait_group` without `.read` by the thread that committed it, which then releases",
        "cp.async.bulk.wait_group", "`race`";
    "X10", "a map that the kernel changed is released and then acquired before a copy uses it; one lane may release for all later users",
        "membar / fence: fence.proxy.tensormap", "`unfenced_map`";
    "X10", "a map may be changed after the loads that use it are complete, or after a `commit_group` and `wait_group.read 0` by the thread that issued them",
        "cp.async.bulk.wait_group", "`race`";
    "X11", "a barrier and a fence lie between `tcgen05.alloc` and a write by the async proxy over the address that it wrote",
        "tcgen05.alloc", "`race`; `proxy_order` without the fence (note)";
    "S1", "shared memory is read with the swizzle with which it was written; a map without a swizzle may copy a tensor that is swizzled in global memory",
        "tcgen05: Shared memory descriptor", "`swizzle`";
    "W1", "a warpgroup is four consecutive warps, the first with a number that is a multiple of 4; they execute an MMA together, with the same descriptors",
        "wgmma.mma_async", "`divergence`, `wgmma`";
    "W2", "`wgmma.fence` precedes the first MMA, and is repeated after registers of the accumulator were written; for registers of A the simulator cannot tell when they were written",
        "wgmma.fence", "`wgmma`";
    "W3", "accumulators, and fragments of A, are not used from the MMA until the warp has waited for its group; another MMA of the same shape may follow",
        "wgmma.wait_group", "`wgmma`; for A portability in PTX, and a note in IR, because a loop that LLVM unrolls uses other registers in each iteration";
    "W4", "ptxas repairs most violations of W2 and W3, and then runs one MMA after the other",
        "none: compiler", "`wgmma` mentions it";
    "W5", "`wgmma.wait_group` waits for groups that the warp has committed",
        "wgmma.commit_group", "`wgmma`";
    "W6", "multiplications are exact; order, width and rounding of additions are not specified: see [wgmma](#wgmma)",
        "wgmma.mma_async", "none: legal";
    "W7", "the metadata of a sparse A give the two stored elements of four different indices; for tf32 they are 0b0100 or 0b1110; those of threads that are not selected do not matter",
        "wgmma.mma_async.sp: Sparse matrix storage", "`wgmma`";
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
    "L1", "`elect.sync` elects one lane of its mask, the same one for the same mask; which one is open, and all lanes of the mask execute it together",
        "elect.sync", "`elected_lane` (portability), `divergence`";
    "L2", "shuffles, votes, matches and reductions wait for the lanes of their mask that have not returned, `bar.warp.sync` for all lanes of its mask",
        "bar.warp.sync, shfl.sync", "`returned_lanes` (portability), `divergence`";
    "R1", "a weak load that races with a store of its size by a thread of its cluster is an error once its value is used: as an address, a condition, a predicate, an operand of a store, an atomic, a barrier, a vote, a reduction or an asynchronous operation; until then the value is followed through registers, and through shuffles to those of other threads",
        "Memory Consistency Model: Data races", "`race`; `race_unused` (note) if nothing uses the value; `race_compared` (note) if it is only what a compare-and-swap of the bytes expects";
    "R2", "two threads that write the same bytes write the same value, or are ordered; lanes of one instruction may differ in the last bits of a sum that they computed by shuffles",
        "Memory Consistency Model: Data races", "`race`; `race_rounded` (portability) for such a sum; `same_value` (note) for one value of two blocks";
    "C1", "a block uses shared memory or barriers of another one only after it knows that this one has begun, through a barrier of the cluster or through data that the other one has sent",
        "none: CUDA C++ Programming Guide, Distributed Shared Memory", "`not_begun`";
    "C2", "a block stays as long as another one can reach its shared memory or its barriers",
        "Distributed shared memory", "`exited`, `unfinished`";
    "C3", "between two arrivals at the barrier of the cluster, a thread waits there; a relaxed arrival publishes nothing; all threads of a warp execute the forms with `.aligned` together",
        "barrier.cluster", "`cluster_barrier`, `race`, `divergence`";
    "C4", "named barriers are numbered 0 to 15; each use of one has one thread count, a multiple of 32, and no thread arrives in it twice, but one that has arrived may wait in it, and then counts twice; whoever takes part in the next use knows that this one is complete; forms with `.aligned`, and `bar`, are executed by all lanes of a warp that have not returned; a barrier without a count waits for the threads that have not returned; all threads of a use with a reduction execute the same one",
        "bar / barrier", "`barrier`, `barrier_counts`, `barrier_filled`, `barrier_shared`, `barrier_mixed`, `returned_threads`, `divergence`";
    "C5", "`setmaxnreg` takes 24 to 256, a multiple of 8, from all warps of a warpgroup; `.inc` waits for the block's registers",
        "setmaxnreg", "`registers_apart` (portability), `deadlock`; rejected";
    "C6", "ptxas uses `setmaxnreg` only if the registers at launch are bounded",
        "setmaxnreg", "`unbounded_registers` (note)";
    "C7", "a launch that may begin early uses what earlier launches access only after `griddepcontrol.wait`: see [dependent launches](#dependent-launches)",
        "griddepcontrol", "`race`; portability if the earlier launch has ended, because the one between them has waited for it";
    "C8", "no request for another cluster follows a refusal, and the first block is used only if `is_canceled` is true; with multicast each block expects 16 bytes",
        "clusterlaunchcontrol", "`launch_control`, `undefined`, `deadlock`";
    "C9", "an address of shared memory contains the rank of its block; the lowest 1024 bytes of the window are reserved",
        "mapa", "`other_block`, `out_of_bounds`";
    "C10", "data that another thread wrote is read after a release pattern and an acquire pattern on one location, whose scopes include both threads: see [memory model](#memory-model)",
        "Memory Consistency Model", "`race`";
}
