//! `tcgen05.fence`: kernels whose threads synchronise with relaxed operations, and the same ones
//! without a fence.

use super::{GLOBALS, with_columns};
use crate::{function, program};
use cute_sim::{Arg, Error, FindingKind, Grade, Launch, Memory, Report, Schedule, TensorFence};

const SCHEDULES: [Schedule; 7] = [
    Schedule::Lazy,
    Schedule::Eager,
    Schedule::Reverse,
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
    Schedule::Random(4),
];

/// Two numbers of bf16 that are 1, and accumulators after one and two MMAs of 16 along K.
const ONES: i32 = 0x3f80_3f80;
const ONCE: i32 = 0x4180_0000;
const TWICE: i32 = 0x4200_0000;

const BEFORE: &str = "nvvm.tcgen05.fence <before>\n";
const AFTER: &str = "nvvm.tcgen05.fence <after>\n";
const MEET: &str = "nvvm.barrier0\n";

/// The threads that execute a part of a kernel.
#[derive(Clone, Copy)]
enum Of {
    All,
    /// This thread of the block that leads.
    Thread(u32),
    /// The other block of a pair.
    Peer,
}

/// Code, and its threads.
type Part = (Of, String);

/// MMAs that begin with zero or add, with A in shared or in tensor memory.
fn mma(a: &str, adds: bool, pair: bool) -> String {
    let (of_a, group) = (if a == "%tensor_a" { "!llvm.ptr<6>" } else { "i64" }, 1 + u32::from(pair));
    let adds = if adds { "%true" } else { "%no" };
    format!(
        "nvvm.tcgen05.mma %d, {a}, %desc_b, %idesc, {adds}
           {{kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_{group}>}}
           : (!llvm.ptr<6>, {of_a}, i64, i32, i1)\n"
    )
}

fn sum(adds: bool) -> String {
    mma("%desc_a", adds, false)
}

fn commit(barrier: u32) -> String {
    format!("nvvm.tcgen05.commit %bar{barrier} : !llvm.ptr<3>\n")
}

/// A relaxed arrival, at the barrier of the block that leads.
fn arrive(barrier: u32) -> String {
    format!(
        "llvm.inline_asm has_side_effects \"mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [$0];\",
           \"r,~{{memory}}\" %lead{barrier} : (i32) -> ()\n"
    )
}

fn wait(barrier: u32, how: &str) -> String {
    format!(
        "llvm.inline_asm has_side_effects
           \"{{ .reg .pred P1; L: mbarrier.try_wait.parity{how}.shared::cta.b64 P1, [$0], $1; @!P1 bra L; }}\",
           \"r,r,~{{memory}}\" %own{barrier}, %zero : (i32, i32) -> ()\n"
    )
}

fn relaxed(barrier: u32) -> String {
    wait(barrier, ".relaxed.cluster")
}

/// Loads of all lanes.
fn load(name: &str) -> String {
    format!(
        "%{name} = nvvm.tcgen05.ld %mine {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<16xi32>\n"
    )
}

const LOADED: &str = "nvvm.tcgen05.wait <load>\n";

const STORE: &str =
    "nvvm.tcgen05.st %mine_a, %ones {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>
     nvvm.tcgen05.wait <store>\n";

const COPY: &str = "nvvm.tcgen05.cp %tensor_a, %desc_a {shape = #nvvm.tcgen05_cp_shape<shape_128x256b>}\n";

/// The end of most kernels: the accumulator of a commit at this barrier goes to the buffer.
fn result(barrier: u32) -> Part {
    let text = wait(barrier, ".acquire.cluster") + AFTER + &load("sums");
    (
        Of::All,
        text + "llvm.store %sums, %target {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr<1>\n" + LOADED,
    )
}

/// Blocks of 128 threads with tiles of ones, four barriers of these counts, and 64 columns.
fn kernel(counts: [u32; 4], pair: bool, parts: &[Part]) -> String {
    // For a pair, each block has half of the 256 rows and of the 16 columns.
    let (b_step, idesc) = if pair { (128, 0x1004_0490) } else { (256, 0x0804_0490) };
    let meet = if pair { "nvvm.cluster.arrive\nnvvm.cluster.wait\n" } else { MEET };
    let mut body = String::new();
    for (number, count) in counts.iter().enumerate() {
        body += &format!(
            "%count{number} = llvm.mlir.constant({count} : i32) : i32
             %bar{number} = llvm.getelementptr %bars[{number}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
             nvvm.mbarrier.init %bar{number}, %count{number}, predicate = %is_thread : !llvm.ptr<3>, i32, i1
             %own{number} = llvm.ptrtoint %bar{number} : !llvm.ptr<3> to i32
             %there{number} = nvvm.mapa %bar{number}, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
             %lead{number} = llvm.ptrtoint %there{number} : !llvm.ptr<7> to i32\n"
        );
    }
    body = "%bars = llvm.mlir.addressof @bars : !llvm.ptr<3>\n".to_owned() + &body;
    body += &format!(
        "%one_bits = llvm.mlir.constant({ONES} : i32) : i32
         %ones = llvm.mlir.constant(dense<{ONES}> : vector<8xi32>) : vector<8xi32>
         %c2048 = llvm.mlir.constant(2048 : i32) : i32
         %c4096 = llvm.mlir.constant(4096 : i32) : i32
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         llvm.br ^fill(%t : i32)
       ^fill(%word: i32):
         %to = llvm.getelementptr %tile[%word] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         llvm.store %one_bits, %to : i32, !llvm.ptr<3>
         %next = llvm.add %word, %c128 : i32
         %more = llvm.icmp \"ult\" %next, %c2048 : i32
         llvm.cond_br %more, ^fill(%next : i32), ^filled
       ^filled:
         nvvm.fence.mbarrier.init
         nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
         nvvm.tcgen05.fence <before>
         {meet}
         nvvm.tcgen05.fence <after>
         %no = llvm.mlir.constant(false) : i1
         %both = llvm.mlir.constant(3 : i16) : i16
         %idesc = llvm.mlir.constant({idesc} : i32) : i32
         %high_a = llvm.mlir.constant({} : i64) : i64
         %high_b = llvm.mlir.constant({} : i64) : i64
         %offset_mask = llvm.mlir.constant(262143 : i32) : i32
         %c4 = llvm.mlir.constant(4 : i32) : i32
         %base0 = llvm.ptrtoint %tile : !llvm.ptr<3> to i32
         %base = llvm.and %base0, %offset_mask : i32
         %base_b = llvm.add %base, %c4096 : i32
         %low_a = llvm.lshr %base, %c4 : i32
         %low_b = llvm.lshr %base_b, %c4 : i32
         %wide_a = llvm.zext %low_a : i32 to i64
         %wide_b = llvm.zext %low_b : i32 to i64
         %desc_a = llvm.or %wide_a, %high_a : i64
         %desc_b = llvm.or %wide_b, %high_b : i64
         %d = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
         %column_a = llvm.add %tm, %c32 : i32
         %tensor_a = llvm.inttoptr %column_a : i32 to !llvm.ptr<6>
         %mine = llvm.inttoptr %own : i32 to !llvm.ptr<6>
         %own_a = llvm.add %own, %c32 : i32
         %mine_a = llvm.inttoptr %own_a : i32 to !llvm.ptr<6>
         %thread0 = llvm.mul %rank, %c128 : i32
         %thread = llvm.add %thread0, %t : i32
         %row = llvm.mul %thread, %c16 : i32
         %target = llvm.getelementptr %out[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %leads = llvm.icmp \"eq\" %rank, %zero : i32
         %follows = llvm.icmp \"ne\" %rank, %zero : i32\n",
        descriptor(2048),
        descriptor(b_step),
    );
    for (i, (of, text)) in parts.iter().enumerate() {
        let condition = match of {
            Of::All => {
                body += text;
                continue;
            }
            Of::Peer => format!("%is{i} = llvm.and %follows, %true : i1\n"),
            Of::Thread(thread) => format!(
                "%number{i} = llvm.mlir.constant({thread} : i32) : i32
                 %eq{i} = llvm.icmp \"eq\" %t, %number{i} : i32
                 %is{i} = llvm.and %eq{i}, %leads : i1\n"
            ),
        };
        body += &format!(
            "{condition}llvm.cond_br %is{i}, ^do{i}, ^done{i}\n^do{i}:\n{text}llvm.br ^done{i}\n^done{i}:\n"
        );
    }
    let globals = "llvm.mlir.global internal @bars() {addr_space = 3 : i32} : !llvm.array<4 x i64>
         llvm.mlir.global internal @flag() {addr_space = 3 : i32} : !llvm.array<1 x i32>
         llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<2048 x i32>\n";
    GLOBALS.to_owned() + globals + &function("%out: !llvm.ptr<1>", &with_columns(64, pair, &body))
}

/// A descriptor without its address: this many bytes along K, and 128 to the next 8 rows.
fn descriptor(leading: u64) -> u64 {
    1 << 46 | (128 >> 4) << 32 | (leading >> 4) << 16
}

fn run(source: &str, pair: bool, schedule: Schedule, pedantic: bool) -> (Result<Report, Error>, Vec<i32>) {
    let blocks = 1 + u32::from(pair);
    let mut memory = Memory::new();
    let out = memory.upload(&vec![-1i32; 2048 * blocks as usize]);
    let launch = Launch {
        schedule,
        pedantic,
        cluster: Some([blocks, 1, 1]),
        ..Launch::new("kernel", [blocks, 1, 1], [128, 1, 1])
    };
    let result = program(source).run(&launch, &mut memory, &[Arg::Buffer(out)]);
    (result, memory.download(out))
}

/// Checks that a kernel has no finding under any schedule, not even in a pedantic launch, and that
/// its buffer receives this number everywhere.
fn is_clean(name: &str, source: &str, pair: bool, gives: i32) {
    for schedule in SCHEDULES {
        let (result, out) = run(source, pair, schedule, true);
        let report = result.unwrap_or_else(|e| panic!("{name} {schedule:?}: {e}"));
        assert!(report.findings.is_empty(), "{name} {schedule:?}: {report}");
        assert!(out.iter().all(|word| *word == gives), "{name} {schedule:?}: {:x?}", &out[..4]);
    }
}

/// Checks that a kernel has a race, which says that this fence is missing.
fn races(name: &str, source: &str, pair: bool, fence: &str) {
    for schedule in SCHEDULES {
        let name = format!("{name} {schedule:?}");
        let (result, _) = run(source, pair, schedule, false);
        let Err(Error::Findings(report)) = result else { panic!("{name}: {result:?}") };
        let is_it = |f: &cute_sim::Finding| {
            matches!(f.kind, FindingKind::Race { .. })
                && f.to_string().contains(&format!("`tcgen05.fence::{fence}`"))
        };
        assert!(report.findings.iter().any(is_it), "{name}: {report}");
    }
}

/// Checks that only a pedantic launch of a kernel has findings: notes that this fence is missing.
fn is_noted(name: &str, source: &str, gives: i32, fence: TensorFence) {
    for schedule in SCHEDULES {
        let name = format!("{name} {schedule:?}");
        let (result, out) = run(source, false, schedule, false);
        assert!(result.is_ok_and(|report| report.findings.is_empty()), "{name}");
        assert!(out.iter().all(|word| *word == gives), "{name}: {:x?}", &out[..4]);
        let report = run(source, false, schedule, true).0.unwrap_or_else(|e| panic!("{name}: {e}"));
        let is_it = |f: &cute_sim::Finding| {
            f.grade == Grade::Note
                && matches!(&f.kind, FindingKind::TensorOrder { missing, .. } if *missing == fence)
        };
        assert!(!report.findings.is_empty() && report.findings.iter().all(is_it), "{name}: {report}");
    }
}

/// Checks a kernel with its two fences, and without each of them if it has it.
fn pairs(name: &str, pair: bool, gives: i32, source: impl Fn(&str, &str) -> String) {
    is_clean(name, &source(BEFORE, AFTER), pair, gives);
    let (no_before, no_after) = (source("", AFTER), source(BEFORE, ""));
    if no_before != source(BEFORE, AFTER) {
        races(&format!("{name}, no fence before"), &no_before, pair, "before_thread_sync");
    }
    if no_after != source(BEFORE, AFTER) {
        races(&format!("{name}, no fence after"), &no_after, pair, "after_thread_sync");
    }
}

#[test]
fn a_relaxed_wait_for_a_commit_needs_a_fence() {
    pairs("load", false, ONCE, |_, after| {
        let store = "llvm.store %sums, %target {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr<1>\n";
        let load = relaxed(0) + after + &load("sums") + store + LOADED;
        kernel([1; 4], false, &[(Of::Thread(0), sum(false) + &commit(0)), (Of::All, load)])
    });
}

/// The accumulator is loaded, and then another thread overwrites it.
#[test]
fn loads_are_handed_over_with_fences() {
    pairs("overwrite", false, ONCE, |before, after| {
        let load = wait(0, "") + AFTER + &load("old") + LOADED + before + &arrive(1);
        let again = relaxed(1) + after + &sum(false) + &commit(2);
        let first = sum(false) + &commit(0);
        kernel(
            [1, 128, 1, 1],
            false,
            &[(Of::Thread(0), first), (Of::All, load), (Of::Thread(32), again), result(2)],
        )
    });
}

/// The fences do not replace the wait of the warp.
#[test]
fn a_load_without_its_wait_is_not_handed_over() {
    let load = wait(0, "") + AFTER + &load("old") + BEFORE + &arrive(1);
    let parts = [
        (Of::Thread(0), sum(false) + &commit(0)),
        (Of::All, load),
        (Of::Thread(32), relaxed(1) + AFTER + &sum(false) + &commit(2)),
        result(2),
    ];
    let source = kernel([1, 128, 1, 1], false, &parts);
    for schedule in SCHEDULES {
        let (result, _) = run(&source, false, schedule, false);
        let Err(Error::Findings(report)) = result else { panic!("{schedule:?}: {result:?}") };
        assert!(report.to_string().contains("complete for that warp after `tcgen05.wait::ld`"), "{report}");
    }
}

/// The second MMA adds to the accumulator of the first, without a wait for it.
#[test]
fn two_threads_multiply_in_a_row() {
    pairs("multiply", false, TWICE, |before, after| {
        let first = sum(false) + before + &arrive(0);
        let second = relaxed(0) + after + &sum(true) + &commit(1);
        kernel([1; 4], false, &[(Of::Thread(0), first), (Of::Thread(32), second), result(1)])
    });
}

/// The same when a third thread passes the synchronisation on, and executes no fence.
#[test]
fn execution_is_ordered_through_a_third_thread() {
    pairs("third", false, TWICE, |before, after| {
        let first = sum(false) + before + &arrive(0);
        let second = relaxed(1) + after + &sum(true) + &commit(2);
        kernel(
            [1; 4],
            false,
            &[
                (Of::Thread(0), first),
                (Of::Thread(64), relaxed(0) + &arrive(1)),
                (Of::Thread(32), second),
                result(2),
            ],
        )
    });
}

/// Warp 0 or 1 copies A, and the other one multiplies it.
#[test]
fn a_copy_comes_before_the_mma_of_another_thread() {
    for (copies, multiplies) in [(0, 32), (32, 0)] {
        pairs("copy", false, ONCE, |before, after| {
            let copy = COPY.to_owned() + before + &arrive(0);
            let multiply = relaxed(0) + after + &mma("%tensor_a", false, false) + &commit(1);
            kernel(
                [1; 4],
                false,
                &[(Of::Thread(copies), copy), (Of::Thread(multiplies), multiply), result(1)],
            )
        });
    }
}

#[test]
fn stores_are_handed_over_with_fences() {
    pairs("store", false, ONCE, |before, after| {
        let store = STORE.to_owned() + before + &arrive(0);
        let multiply = relaxed(0) + after + &mma("%tensor_a", false, false) + &commit(1);
        kernel([128, 1, 1, 1], false, &[(Of::All, store), (Of::Thread(32), multiply), result(1)])
    });
}

/// A flag in shared memory is synchronisation as well.
#[test]
fn a_relaxed_flag_needs_fences() {
    let at = "%flag = llvm.mlir.addressof @flag : !llvm.ptr<3>\n";
    let set = "llvm.store %one, %flag atomic syncscope(\"block\") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<3>\n";
    let spin = "llvm.br ^spin
       ^spin:
         %seen = llvm.load %flag atomic syncscope(\"block\") monotonic {alignment = 4 : i64} : !llvm.ptr<3> -> i32
         %is_set = llvm.icmp \"eq\" %seen, %one : i32
         llvm.cond_br %is_set, ^go, ^spin
       ^go:\n";
    let clear = "llvm.store %zero, %flag atomic syncscope(\"block\") monotonic {alignment = 4 : i64} : i32, !llvm.ptr<3>\n";
    pairs("flag", false, ONCE, |before, after| {
        let multiply = spin.to_owned() + after + &mma("%tensor_a", false, false) + &commit(1);
        kernel(
            [1; 4],
            false,
            &[
                (Of::All, at.to_owned()),
                (Of::Thread(0), clear.to_owned()),
                (Of::All, MEET.to_owned()),
                (Of::Thread(0), COPY.to_owned() + before + set),
                (Of::Thread(32), multiply),
                result(1),
            ],
        )
    });
}

/// The commit of a pair signals both blocks.
#[test]
fn both_blocks_of_a_pair_need_a_fence() {
    pairs("pair", true, ONCE, |_, after| {
        let commit = "nvvm.tcgen05.commit %bar0, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16\n";
        let store = "llvm.store %sums, %target {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr<1>\n";
        let load = relaxed(0) + after + &load("sums") + store + LOADED;
        kernel([1; 4], true, &[(Of::Thread(0), mma("%desc_a", false, true) + commit), (Of::All, load)])
    });
}

/// The peer stores its half of A, and the even block multiplies.
#[test]
fn the_peer_hands_over_with_fences() {
    pairs("peer", true, ONCE, |before, after| {
        let store = STORE.to_owned() + before + &arrive(0);
        let commit = "nvvm.tcgen05.commit %bar1, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16\n";
        let multiply = relaxed(0) + after + &mma("%tensor_a", false, true) + commit;
        kernel([256, 1, 1, 1], true, &[(Of::All, store), (Of::Thread(32), multiply), result(1)])
    });
}

/// Two threads of the even block multiply for the pair; a thread of the peer passes the order on.
#[test]
fn two_threads_multiply_for_a_pair() {
    pairs("pair multiplies", true, TWICE, |before, after| {
        let commit = "nvvm.tcgen05.commit %bar1, multicast_mask = %both {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16\n";
        let first = mma("%desc_a", false, true) + before + &arrive(0);
        let second = relaxed(0) + after + &mma("%desc_a", true, true) + commit;
        kernel(
            [129, 1, 1, 1],
            true,
            &[(Of::Peer, arrive(0)), (Of::Thread(0), first), (Of::Thread(32), second), result(1)],
        )
    });
}

/// A relaxed barrier of the cluster.
#[test]
fn a_relaxed_barrier_of_the_cluster_needs_fences() {
    pairs("cluster", false, TWICE, |before, after| {
        let meet = "nvvm.cluster.arrive.relaxed\nnvvm.cluster.wait\n";
        kernel(
            [1; 4],
            false,
            &[
                (Of::Thread(0), sum(false) + before),
                (Of::All, meet.to_owned()),
                (Of::Thread(32), after.to_owned() + &sum(true) + &commit(1)),
                result(1),
            ],
        )
    });
}

/// A thread needs no fence for its own operations.
#[test]
fn a_thread_waits_for_its_own_commit() {
    let first = sum(false) + &commit(0) + &relaxed(0);
    let parts = [(Of::Thread(0), first + &sum(false) + &commit(1)), result(1)];
    is_clean("own", &kernel([1; 4], false, &parts), false, ONCE);
}

/// MMAs on different accumulators that overlap do not form a pipeline, so fences do not order them.
#[test]
fn other_accumulators_are_not_ordered() {
    let shifted = sum(false).replace("%d,", "%d_shifted,");
    let at = "%c8 = llvm.mlir.constant(8 : i32) : i32
         %shifted = llvm.add %tm, %c8 : i32
         %d_shifted = llvm.inttoptr %shifted : i32 to !llvm.ptr<6>\n";
    let parts = [
        (Of::All, at.to_owned()),
        (Of::Thread(0), shifted + BEFORE + &arrive(0)),
        (Of::Thread(32), relaxed(0) + AFTER + &sum(false) + &commit(1)),
        result(1),
    ];
    let source = kernel([1; 4], false, &parts);
    for schedule in SCHEDULES {
        let (result, _) = run(&source, false, schedule, false);
        let Err(Error::Findings(report)) = result else { panic!("{schedule:?}: {result:?}") };
        assert!(report.findings.iter().any(|f| matches!(f.kind, FindingKind::Race { .. })), "{report}");
    }
}

/// Barriers that order memory order tensor memory on the device too, because the fences become no
/// instructions. PTX requires them nevertheless.
#[test]
fn a_barrier_without_fences_is_noted() {
    let stores = |before: &str, after: &str| {
        let store = STORE.to_owned() + before + MEET;
        let multiply = after.to_owned() + &mma("%tensor_a", false, false) + &commit(1);
        kernel([1; 4], false, &[(Of::All, store), (Of::Thread(32), multiply), result(1)])
    };
    is_clean("store", &stores(BEFORE, AFTER), false, ONCE);
    is_noted("store", &stores("", AFTER), ONCE, TensorFence::Before);
    is_noted("store", &stores(BEFORE, ""), ONCE, TensorFence::After);
    let multiplies = |before: &str, after: &str| {
        let first = sum(false) + before;
        let second = after.to_owned() + &sum(true) + &commit(1);
        let parts = [(Of::Thread(0), first), (Of::All, MEET.to_owned()), (Of::Thread(32), second), result(1)];
        kernel([1; 4], false, &parts)
    };
    is_clean("multiply", &multiplies(BEFORE, AFTER), false, TWICE);
    is_noted("multiply", &multiplies("", AFTER), TWICE, TensorFence::Before);
    is_noted("multiply", &multiplies(BEFORE, ""), TWICE, TensorFence::After);
}

/// One lane waits with its fence, and the other lanes of its warp learn of it at a barrier of the
/// warp, as kernels do.
#[test]
fn a_lane_waits_for_its_warp() {
    let one = format!(
        "%lane = nvvm.read.ptx.sreg.laneid : i32
         %waits = llvm.icmp \"eq\" %lane, %zero : i32
         llvm.cond_br %waits, ^wait, ^waited
       ^wait:
         {}{AFTER}llvm.br ^waited
       ^waited:
         %full = llvm.mlir.constant(-1 : i32) : i32
         nvvm.bar.warp.sync %full : i32\n",
        relaxed(0)
    );
    let store = "llvm.store %sums, %target {alignment = 4 : i64} : vector<16xi32>, !llvm.ptr<1>\n";
    let parts = [(Of::Thread(0), sum(false) + &commit(0)), (Of::All, one + &load("sums") + store + LOADED)];
    is_clean("lane", &kernel([1; 4], false, &parts), false, ONCE);
}
