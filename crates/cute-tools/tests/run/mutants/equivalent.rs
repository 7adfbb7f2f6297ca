//! Mutants that the simulator does not report, because they are correct kernels too.

use cute_mutate::Mutant;

/// Mutants without a mistake.
#[derive(Debug)]
pub struct Equivalent {
    kernels: &'static [&'static str],
    /// The operation, and the numbers that it has among those of its name; empty for all of them.
    op: &'static str,
    numbers: &'static [usize],
    /// The beginnings of the changes.
    changes: &'static [&'static str],
    because: &'static str,
}

impl Equivalent {
    pub fn explains(&self, kernel: &str, mutant: &Mutant) -> bool {
        self.kernels.contains(&kernel)
            && mutant.op == self.op
            && (self.numbers.is_empty() || self.numbers.contains(&mutant.number))
            && self.changes.iter().any(|change| mutant.change.starts_with(change))
    }
}

impl std::fmt::Display for Equivalent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kernels, op, numbers, changes, because } = self;
        write!(f, "{op} {numbers:?} of {}: {}: {because}", kernels.join(", "), changes.join(", "))
    }
}

const ALL: &[&str] = &[
    "hopper",
    "hopper ping-pong",
    "hopper promoted",
    "blackwell",
    "blackwell pair",
    "blackwell clc",
    "blackwell mma.sync",
];
const BLACKWELL: &[&str] = &["blackwell", "blackwell pair", "blackwell clc"];

pub const fn row(
    kernels: &'static [&'static str],
    op: &'static str,
    numbers: &'static [usize],
    changes: &'static [&'static str],
    because: &'static str,
) -> Equivalent {
    Equivalent { kernels, op, numbers, changes, because }
}

pub const EQUIVALENT: &[Equivalent] = &[
    // Setup.
    row(
        ALL,
        "elect.sync",
        &[0],
        &["all lanes"],
        "lanes that initialise a barrier with the same count initialise it once",
    ),
    row(
        &["hopper promoted", "blackwell", "blackwell pair", "blackwell clc", "blackwell mma.sync"],
        "fence.mbarrier.init",
        &[],
        &["dropped"],
        "a full barrier of the block or of the cluster follows before the first use",
    ),
    row(
        BLACKWELL,
        "relinquish_tmem_alloc_permit",
        &[],
        &["dropped"],
        "no other block waits for the permit to allocate",
    ),
    row(
        &["hopper", "hopper ping-pong", "blackwell mma.sync"],
        "setmaxregister",
        &[0, 1],
        &["40 becomes 32", "232 becomes 224"],
        "fewer registers are enough for the simulator; ptxas spills or refuses them",
    ),
    row(
        &["hopper", "hopper ping-pong", "blackwell mma.sync"],
        "setmaxregister",
        &[1],
        &["dropped"],
        "the registers of the launch are enough for the simulator; ptxas spills",
    ),
    // Release of a stage.
    row(
        &["blackwell mma.sync"],
        "bar.warp.sync",
        &[0],
        &["dropped"],
        "all lanes have read when the `ldmatrix` of their warp is over, and `elect.sync` lets them meet again",
    ),
    row(
        &["blackwell mma.sync"],
        "fence.proxy",
        &[0],
        &["dropped"],
        "CUTLASS omits it between reads and the next load, so it is a portability finding, which fails no run",
    ),
    // Fences and waits of tensor memory.
    row(
        BLACKWELL,
        "tcgen05.fence",
        &[],
        &["dropped"],
        "the synchronisation beside it acquires and releases, which orders tensor memory as well",
    ),
    row(
        BLACKWELL,
        "tcgen05.wait",
        &[0],
        &["dropped"],
        "the compiler inserts a missing wait before the next synchronisation",
    ),
    // Waits that are longer than needed.
    row(
        &["hopper", "hopper ping-pong", "hopper promoted"],
        "wgmma.wait.group.sync.aligned",
        &[0],
        &["1 becomes 0"],
        "it waits for one more group, which is slower",
    ),
    row(
        &["hopper promoted"],
        "cp.async.bulk.wait_group",
        &[0, 1],
        &["1 becomes 0"],
        "it waits for one more group, which is slower",
    ),
    row(
        &["hopper promoted"],
        "wgmma.wait.group.sync.aligned",
        &[2],
        &["dropped", "0 becomes 1"],
        "the accumulators of the last K tile are promoted, and waited for, in the loop",
    ),
    // Barriers of the epilogue.
    row(
        &["hopper", "hopper promoted", "blackwell", "blackwell pair", "blackwell clc"],
        "barrier",
        &[],
        &["number + 1"],
        "the same threads meet at another barrier, which no other threads use",
    ),
    row(
        &["hopper ping-pong"],
        "barrier",
        &[1],
        &["dropped"],
        "the staging buffer held C: the thread that loads C has waited for the last store, and all threads wait for C",
    ),
    row(
        &["blackwell clc"],
        "barrier",
        &[0],
        &["dropped"],
        "the staging buffer held C: the thread that loads C has waited for the last store, and all threads wait for C",
    ),
    row(
        &["hopper", "hopper ping-pong", "blackwell", "blackwell pair", "blackwell clc", "blackwell mma.sync"],
        "cp.async.bulk.wait_group",
        &[1],
        &["dropped", "0 becomes 1"],
        "a block that returns before its last store has read shared memory is a note",
    ),
    row(
        &["hopper promoted"],
        "cp.async.bulk.wait_group",
        &[2],
        &["dropped", "0 becomes 1"],
        "a block that returns before its last store has read shared memory is a note",
    ),
    // Ends of roles.
    row(
        &["blackwell", "blackwell pair"],
        "mbarrier.try_wait.parity",
        &[1],
        &["dropped", "parity"],
        "the producer waits for its last stages to be released, but the block meets at a barrier before it returns",
    ),
    row(
        &["blackwell clc"],
        "mbarrier.try_wait.parity",
        &[3],
        &["dropped", "parity"],
        "the producer waits for its last stages to be released, but the block meets at a barrier before it returns",
    ),
    row(
        &["blackwell", "blackwell pair"],
        "mbarrier.try_wait.parity",
        &[4],
        &["dropped"],
        "the issuing warp waits for its last accumulators to be read, but the block meets at a barrier before it returns",
    ),
    row(
        &["blackwell clc"],
        "mbarrier.try_wait.parity",
        &[7],
        &["dropped"],
        "the issuing warp waits for its last accumulators to be read, but the block meets at a barrier before it returns",
    ),
    row(
        &["blackwell clc"],
        "fence.proxy",
        &[1],
        &["dropped"],
        "the storing warps wait for the MMAs of the issuing warp, and fence the proxies before they release the response",
    ),
    // A mistake that is not found.
    row(
        BLACKWELL,
        "mbarrier.init",
        &[3],
        &["count - 1"],
        "not found: the surplus arrivals add up, and a phase ends before a whole warp has arrived only after 32 tiles",
    ),
];
