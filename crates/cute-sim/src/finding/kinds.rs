//! The kinds of findings, each with its name, its meaning and its repair. Reports in JSON and lists
//! of accepted findings have the names.

use super::FindingKind;

/// Kinds of findings, and what their reader wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExplainedKinds {
    /// The names of the kinds.
    pub names: &'static [&'static str],
    /// The mistake.
    pub meaning: &'static str,
    /// The way out.
    pub repair: &'static str,
}

macro_rules! kinds {
    ($($($kind:ident $name:literal),+: $meaning:literal, $repair:literal;)*) => {
        /// All kinds, in the order of the page.
        pub const KINDS: &[ExplainedKinds] =
            &[$(ExplainedKinds { names: &[$($name),+], meaning: $meaning, repair: $repair }),*];

        impl FindingKind {
            /// The names of all kinds.
            pub const NAMES: &[&str] = &[$($($name),+),*];

            /// The name of the kind, such as `race`.
            pub fn name(&self) -> &'static str {
                match self {
                    $($(Self::$kind { .. } => $name,)+)*
                }
            }
        }
    };
}

// A cell is a literal, so that the table reads as one.
kinds! {
    OutOfBounds "out_of_bounds", Misaligned "misaligned": "an access leaves its buffer or shared object, or does not have the alignment that it claims",
        "Compare the extents of the grid, the tiles and the array; give the last tile a predicate. For `misaligned`, align the pointer, or use a narrower access.";
    Unmapped "unmapped", WrongSpace "wrong_space", ReadOnly "read_only": "a pointer to nothing, a pointer to another address space, a write to constants",
        "Follow the pointer back to where it is made: to an argument that is null or was not set, to an address that was cut to 32 bits, or to a conversion between address spaces that is missing.";
    Race "race": "two threads access a byte of shared or global memory, at least one writes it, and no barrier or atomic orders them",
        "Put a barrier between the two accesses, or make both atomic. If both are one instruction, give each thread an element of its own.";
    RaceRounded "race_rounded": "lanes of one instruction store one sum, rounded in different ways, in the same bytes (portability)",
        "Let one lane store the sum, or compile without contraction (in Triton, `TRITON_DEFAULT_FP_FUSION=0`).";
    RaceUnused "race_unused": "a thread loads what another one stores, nothing orders them, and nothing uses the value that was loaded (note)",
        "Nothing has to change. To be rid of the note, load only in the threads that use the value.";
    RaceCompared "race_compared": "a thread loads what another one updates atomically, nothing orders them, and the value is only the one that an `atom.cas` of these bytes expects (note)",
        "Nothing has to change. To be rid of the note, make the load volatile or relaxed.";
    SameValue "same_value": "threads of two blocks write the same value to the same bytes, and nothing orders them (note)",
        "Nothing has to change if the blocks mean the same elements. Otherwise compare the coordinates of the tile with the grid.";
    Heap "heap": "memory of the device's heap is used outside of its allocation or after `free`, or is freed twice; an address is freed that `malloc` has not returned",
        "Follow the pointer back to its `malloc`: compare the sizes, and free it once, after the last use by any thread.";
    InFlight "in_flight": "a byte is used before the `cp.async` that writes it is complete, or the source of a `cp.async` is overwritten before the wait",
        "Wait for the copy with `cp.async.wait_group`, and synchronise the threads, before the bytes are used.";
    Unfenced "unfenced": "a bulk copy reads or overwrites bytes that a thread wrote, and no `fence.proxy.async` lies between the two",
        "Let each thread that writes execute `fence.proxy.async`, and synchronise the threads, before the copy is issued.";
    Unfinished "unfinished": "a block returns before a bulk copy has finished with its shared memory",
        "Wait with `cp.async.bulk.wait_group.read 0`, or for the mbarrier of the copy, before the block returns.";
    UnfencedMap "unfenced_map": "a copy uses a tensor map that the kernel changed, without the release or the acquire of the tensormap proxy in between",
        "Release the map with `fence.proxy.tensormap` after the change, and acquire it before the copy.";
    TensorMap "tensor_map", BulkCopy "bulk_copy": "128 bytes that are not a valid tensor map; a bulk copy that breaks a rule of its instruction",
        "Encode the map as the message asks, or choose another box, swizzle or size of the copy.";
    Swizzle "swizzle": "a tensor map has another swizzle than the kernel's pointer to the shared memory, or than the descriptor that reads the bytes",
        "Use one swizzle for the map, the pointer and the descriptor of a tile.";
    LaunchControl "launch_control": "another cluster is requested after a request was refused",
        "Leave the loop when `is_canceled` is false, and request nothing after that.";
    Mbarrier "mbarrier": "an mbarrier is not initialised, is initialised twice, gets more arrivals than its phase expects, has a count out of range, or is invalidated while it may be in use; or chance decides which arrivals end its phases",
        "Initialise the barrier once, with the number of its arrivals in each phase, before any thread uses it; invalidate it after the last use.";
    MissedPhase "missed_phase": "a thread waits for a phase of an mbarrier by its parity, and nothing orders that before the end of the next phase, so that a thread which is late waits for the wrong one; portability between lanes that wait together",
        "Let each thread that waits take part in what ends the next phase, or meet a thread that does; between lanes of a warp, `bar.warp.sync` is enough.";
    Wgmma "wgmma": "a `wgmma` breaks a rule, or a register is used that a `wgmma` has not written yet: see [wgmma](#wgmma)",
        "Put `wgmma.fence` before the first MMA, and `wgmma.wait_group` between an MMA and any use of its registers.";
    Scales "scales": "a selector of the scale factors of an `mma.sync` is out of range, or differs between the lanes of the warp",
        "Give all lanes of the warp the same selector, in the range of the instruction.";
    Tensor "tensor": "a use of tensor memory, or another `tcgen05` instruction, breaks a rule: see [tcgen05](#tcgen05)",
        "Allocate the columns, and order the uses of them, as the message asks.";
    BarrierStorage "barrier_storage": "the bytes of an mbarrier are read or written as data before the mbarrier is invalidated",
        "Invalidate the mbarrier before its bytes are used again, or give the data a place of its own.";
    OtherBlock "other_block", NotBegun "not_begun", Exited "exited", ClusterRank "cluster_rank", ClusterBarrier "cluster_barrier": "a rule about the other blocks of the cluster is broken: see [clusters](#clusters)",
        "Address another block through `mapa`, and keep all blocks of the cluster from the first access to the last, with a barrier of the cluster before and after.";
    Uninitialised "uninitialised": "shared memory, or an array that begins `=undef`, is read before it is written, and the value is used",
        "Write the bytes before they are read, or leave the elements that nobody wrote out of the read.";
    Coordinate "coordinate": "memory is accessed through an address that is made of a coordinate beyond the extent of its mode, such as a tile that the tensor does not have",
        "Compare the grid and the loop with the extents, leave the access out by a predicate, or set `cute.domain = \"extend\"` where the layout is meant to go on.";
    Undefined "undefined": "an undefined value is used as an address, a condition, or an operand of a barrier or atomic, or is stored to shared or global memory",
        "Give the value a definition on every path to its use.";
    CopySize "copy_size", LocalMemory "local_memory", Lane "lane": "a zero-filling `cp.async` asks for more bytes than it copies; a thread needs more local memory than it may have; an index is beyond a vector",
        "Correct the operand that the message names.";
    StackPointer "stack_pointer": "`stackrestore` of a value that `stacksave` did not return, or that belongs to a caller",
        "Restore the value that `stacksave` of the same function returned.";
    Overflow "overflow", Division "division", Shift "shift": "`nsw` or `nuw` arithmetic wraps; a quotient does not fit (a quotient by zero is `undefined`); a shift by at least the width",
        "Widen the arithmetic, or leave out `nsw` and `nuw` where wrapping is meant (`--allow-overflow`); check the divisor and the amount of the shift.";
    Divergence "divergence": "some of the threads of a barrier, shuffle, vote or matrix instruction never reach it",
        "Let all threads that the instruction needs reach it: move it out of the branch, or shorten the mask or the count.";
    Apart "apart": "lanes that execute a `.uni` instruction of PTX together take different ways",
        "Use the form of the branch without `.uni`.";
    InvalidTarget "invalid_target": "a `brx.idx` beyond its table, or a call through an address that no function of the file with these arguments has",
        "Keep the index within the table, and call only functions of the file with these arguments.";
    Unmodelled "unmodelled": "an instruction of PTX is reached that the simulator does not know",
        "Use an instruction that the simulator knows; docs/simulator.md lists those that are not modelled.";
    Deadlock "deadlock": "all remaining threads wait, each group for something else",
        "Compare what each group waits for with who should arrive there: the counts, the bytes that are expected, and the parity.";
    Hang "hang": "the remaining threads repeat the same steps forever, or a block does nothing useful for a very long time",
        "Look at the read that repeats: nobody writes what it waits for. A long computation needs a larger `--budget`.";
    BarrierCounts "barrier_counts", BarrierFilled "barrier_filled", BarrierShared "barrier_shared", BarrierMixed "barrier_mixed": "a named barrier is used with different counts, by a thread whose earlier arrival may not be complete, by two groups of threads that nothing orders, or in one use with a reduction (`bar.red`) and without, or with two",
        "Use one count, one kind and one group of threads for each use of a named barrier, or a barrier of its own for each group.";
    ElectedLane "elected_lane": "a mistake that depends on the lane that an `elect.sync` elects, such as a deadlock or a race (portability): see [schedules](#schedules)",
        "Do what needs one lane under one `elect.sync`, and pass on its results explicitly.";
    ReturnedLanes "returned_lanes", ReturnedThreads "returned_threads": "a barrier of a warp names lanes that have returned (portability); a barrier with a count needs warps that have returned",
        "Leave lanes that return out of the mask or the count, or return after the barrier.";
    RegistersApart "registers_apart": "a part of a warpgroup executes `setmaxnreg` (portability)",
        "Let all warps of the warpgroup execute `setmaxnreg`.";
    ProxyOrder "proxy_order": "a `fence.proxy.async` that the ISA requires is missing (after reads portability, after copies a note), or is executed by another thread than the writer (portability)",
        "Put a `fence.proxy.async` where the message says, in the thread that made the access.";
    TensorOrder "tensor_order": "a note: threads synchronise between two accesses of tensor memory, without a `tcgen05.fence` that the ISA requires",
        "Put `tcgen05.fence::before_thread_sync` before the synchronisation, and `::after_thread_sync` after it.";
    UnboundedRegisters "unbounded_registers": "a note: ptxas ignores `setmaxnreg` in a kernel without a bound on its registers at launch",
        "Give the kernel `.minnctapersm`, or `.maxnreg`; `.maxntid` and `.reqntid` alone are not enough.";
    LaneMask "lane_mask", Barrier "barrier": "the mask of a collective lacks its caller, or two lanes wait for each other with different masks; an invalid barrier number or count",
        "Use a mask that has all lanes that execute the instruction, and no others; use barriers 0 to 15 with counts that are multiples of 32.";
    Trap "trap", Unreachable "unreachable": "the kernel traps, reported with the thread's last output or the failed assertion; `llvm.unreachable` is reached",
        "Look at the message of the assertion, or at what leads to the trap.";
    CallDepth "call_depth": "calls of device functions nest deeper than 256: on the device the stack would overflow",
        "Replace the recursion by a loop.";
    Budget "budget": "the kernel has executed as many instructions as `--budget` allows; the finding names the loop in which the thread is",
        "Raise `--budget`, or make the problem smaller.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// JSON has the same names; serde makes them of the variants.
    #[test]
    fn names_are_those_in_json() {
        for kind in [
            FindingKind::Unreachable,
            FindingKind::UnboundedRegisters,
            FindingKind::Unmapped { address: 0 },
            FindingKind::CallDepth { limit: 1 },
        ] {
            let json = serde_json::to_value(&kind).expect("a finding has a form in JSON");
            assert_eq!(json["kind"], Value::from(kind.name()));
        }
    }
}
