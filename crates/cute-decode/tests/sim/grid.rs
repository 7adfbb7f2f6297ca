//! Blocks that wait for each other, on any number of host threads; and kernels that never end.

use crate::{function, program};
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, Report};
use std::num::NonZero;

/// Runs a kernel of `%a`, 64 words of zeros, on this number of host threads.
fn run(workers: usize, launch: &Launch, body: &str) -> (Result<Report, Error>, Vec<i32>) {
    let said = "llvm.mlir.global internal @said() {addr_space = 3 : i32, alignment = 8 : i64} : i64";
    let program =
        program(&format!("{said}\n{}", function("%a: !llvm.ptr<1>", &format!("{CONSTANTS}\n{body}"))));
    let mut memory = Memory::new();
    let a = memory.zeroed::<i32>(64);
    let launch = Launch { host_threads: NonZero::new(workers), ..launch.clone() };
    let result = program.run(&launch, &mut memory, &[Arg::Buffer(a)]);
    (result, memory.download(a))
}

fn blocks(n: u32) -> Launch {
    Launch::new("kernel", [n, 1, 1], [32, 1, 1])
}

const CONSTANTS: &str = "%t = nvvm.read.ptx.sreg.tid.x : i32
     %b = nvvm.read.ptx.sreg.ctaid.x : i32
     %n = nvvm.read.ptx.sreg.nctaid.x : i32
     %zero = llvm.mlir.constant(0 : i32) : i32
     %one = llvm.mlir.constant(1 : i32) : i32
     %seven = llvm.mlir.constant(7 : i32) : i32
     %leads = llvm.icmp \"eq\" %t, %zero : i32
     %first = llvm.icmp \"eq\" %b, %zero : i32
     %word = llvm.getelementptr %a[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
     %flag = llvm.getelementptr %a[63] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32";

/// Each block writes its word, waits for all of them, and adds the next block's word.
const BARRIER: &str = r#"%next = llvm.add %b, %one : i32
     %wraps = llvm.icmp "eq" %next, %n : i32
     %other = llvm.select %wraps, %zero, %next : i1, i32
     %theirs = llvm.getelementptr %a[%other] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
     llvm.cond_br %leads, ^arrive, ^exit
   ^arrive:
     llvm.store %b, %word : i32, !llvm.ptr<1>
     %old = llvm.atomicrmw add %flag, %one syncscope("device") acq_rel : !llvm.ptr<1>, i32
     llvm.br ^spin(%zero : i32)
   ^spin(%i: i32):
     %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
     %step = llvm.mlir.constant(STEP : i32) : i32
     %j = llvm.add %i, %step : i32
     %all = llvm.icmp "eq" %f, %n : i32
     llvm.cond_br %all, ^read, ^spin(%j : i32)
   ^read:
     %v = llvm.load %theirs : !llvm.ptr<1> -> i32
     llvm.br ^exit
   ^exit:"#;

#[test]
fn a_barrier_of_the_grid_completes_on_any_host() {
    for workers in [1, 2, 5] {
        // With a count of its tries a block never looks as it did before.
        for step in ["0", "1"] {
            let (result, a) = run(workers, &blocks(40), &BARRIER.replace("STEP", step));
            result.unwrap_or_else(|e| panic!("{workers} workers: {e}"));
            assert_eq!(a[..40], (0..40).collect::<Vec<_>>());
        }
    }
}

/// All blocks but the last wait for a flag that the last one sets.
const LAST: &str = r#"%following = llvm.add %b, %one : i32
     %last = llvm.icmp "eq" %following, %n : i32
     llvm.cond_br %last, ^set, ^spin
   ^set:
     llvm.store %seven, %flag atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
     llvm.br ^exit
   ^spin:
     %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
     %is = llvm.icmp "eq" %f, %seven : i32
     llvm.cond_br %is, ^exit, ^spin
   ^exit:"#;

#[test]
fn a_block_may_wait_for_a_later_one() {
    for workers in [1, 3] {
        run(workers, &blocks(9), LAST).0.unwrap_or_else(|e| panic!("{workers} workers: {e}"));
    }
}

/// The only finding of a kernel that never ends, within the default budget.
fn hang(launch: &Launch, body: &str) -> cute_sim::Finding {
    let Err(Error::Findings(report)) = run(2, launch, body).0 else { panic!("it ended: {body}") };
    match report.findings.as_slice() {
        [one] => one.clone(),
        _ => panic!("{report}"),
    }
}

#[test]
fn what_repeats_itself_for_ever_is_found_at_once() {
    let spin = LAST.replace("%last, ^set, ^spin", "%last, ^spin, ^spin");
    let dead = hang(&blocks(3), &spin);
    assert_eq!((dead.op.as_str(), dead.count), ("llvm.load", 3), "{dead}");
    assert_eq!(dead.kind, FindingKind::Hang { repeats: true, instructions: 0, resident: None });
    assert!(dead.to_string().contains("the kernel hangs"), "{dead}");
    // A lock that nobody releases.
    let lock = r#"llvm.br ^try
       ^try:
         %old = llvm.atomicrmw xchg %flag, %one acq_rel : !llvm.ptr<1>, i32
         %free = llvm.icmp "eq" %old, %zero : i32
         llvm.cond_br %free, ^exit, ^try
       ^exit:"#;
    assert_eq!(hang(&blocks(1), lock).op, "llvm.atomicrmw");
    let barriers = "llvm.br ^loop\n^loop:\nnvvm.barrier0\nllvm.br ^loop\n^exit:";
    assert!(matches!(hang(&blocks(2), barriers).kind, FindingKind::Hang { repeats: true, .. }));
    assert!(matches!(
        hang(&blocks(1), "llvm.br ^loop\n^loop:\nllvm.br ^loop\n^exit:").kind,
        FindingKind::Hang { .. }
    ));
}

#[test]
fn what_counts_for_ever_has_a_limit_of_its_own() {
    let count = r#"%all = llvm.mlir.constant(-1 : i32) : i32
         llvm.br ^loop(%zero : i32)
       ^loop(%i: i32):
         %j = llvm.add %i, %one : i32
         %more = llvm.icmp "ne" %j, %all : i32
         llvm.cond_br %more, ^loop(%j : i32), ^exit
       ^exit:"#;
    let launch = Launch { idle: 200_000, ..blocks(1) };
    let found = hang(&launch, count);
    assert_eq!(found.kind, FindingKind::Hang { repeats: false, instructions: 200_000, resident: None });
    // Whoever changes memory now and then may go on.
    let busy = r#"llvm.br ^loop(%zero : i32)
       ^loop(%i: i32):
         %j = llvm.add %i, %one : i32
         %end = llvm.mlir.constant(300000 : i32) : i32
         %mask = llvm.mlir.constant(16383 : i32) : i32
         %low = llvm.and %j, %mask : i32
         %now = llvm.icmp "eq" %low, %zero : i32
         llvm.cond_br %now, ^note, ^check
       ^note:
         %o = llvm.atomicrmw add %flag, %one monotonic : !llvm.ptr<1>, i32
         llvm.br ^check
       ^check:
         %more = llvm.icmp "ult" %j, %end : i32
         llvm.cond_br %more, ^loop(%j : i32), ^exit
       ^exit:"#;
    run(1, &launch, busy).0.unwrap_or_else(|e| panic!("{e}"));
}

/// The first thread polls, and tells the others through shared memory, as Triton does; `^loop`
/// counts its iterations.
const TELL: &str = r#"%said = llvm.mlir.addressof @said : !llvm.ptr<3>
     llvm.br ^loop(%zero, %zero : i32, i32)
   ^loop(%i: i32, %last: i32):
     %j = llvm.add %i, %one : i32
     llvm.cond_br %leads, ^poll, ^meet(%last : i32)
   ^poll:
     POLL
     llvm.store %old, %said : i32, !llvm.ptr<3>
     llvm.br ^meet(%old : i32)
   ^meet(%own: i32):
     nvvm.barrier0
     %found = llvm.load %said : !llvm.ptr<3> -> i32
     nvvm.barrier0
     %goes_on = llvm.icmp "eq" %found, %zero : i32
     llvm.cond_br %goes_on, ^loop(%j, %own : i32, i32), ^told
   ^told:
     llvm.store %j, %word : i32, !llvm.ptr<1>
     llvm.br ^exit
   ^exit:"#;

/// Stores of the value that is there, barriers, and a count of the iterations.
#[test]
fn what_repeats_itself_by_stores_and_barriers_is_found() {
    for poll in [
        "%old = llvm.atomicrmw add %flag, %zero acq_rel : !llvm.ptr<1>, i32",
        "%pair = llvm.cmpxchg %flag, %one, %seven acq_rel acquire : !llvm.ptr<1>, i32
         %old = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>",
        "%old = llvm.load volatile %flag : !llvm.ptr<1> -> i32",
    ] {
        for count in [1, 3] {
            let dead = hang(&blocks(count), &TELL.replace("POLL", poll));
            assert_eq!(
                dead.kind,
                FindingKind::Hang { repeats: true, instructions: 0, resident: None },
                "{dead}"
            );
        }
    }
    // A flag that changes each time is not the same state.
    let counts = "%old = llvm.atomicrmw add %flag, %one acq_rel : !llvm.ptr<1>, i32
        %low = llvm.mlir.constant(4095 : i32) : i32
        %masked = llvm.and %old, %low : i32";
    let ends = TELL.replace("POLL", counts).replace("store %old", "store %ends").replace(
        "llvm.store %ends",
        "%is_last = llvm.icmp \"eq\" %masked, %low : i32
         %ends = llvm.zext %is_last : i1 to i32
         llvm.store %ends",
    );
    let (result, a) = run(1, &blocks(1), &ends);
    result.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(a[63], 4096);
}

/// Arrivals of which each phase is like the one before the last.
#[test]
fn what_repeats_itself_by_arrivals_is_found() {
    let ring = r#"%bar = llvm.mlir.addressof @said : !llvm.ptr<3>
         %ticks = llvm.mlir.constant(10000 : i32) : i32
         %all = llvm.mlir.constant(32 : i32) : i32
         nvvm.mbarrier.init %bar, %all, predicate = %leads : !llvm.ptr<3>, i32, i1
         nvvm.barrier0
         llvm.br ^loop(%zero : i32)
       ^loop(%parity: i32):
         %s = nvvm.mbarrier.arrive %bar : !llvm.ptr<3> -> i64
         nvvm.mbarrier.try_wait.parity %bar, %parity, %ticks : !llvm.ptr<3>, i32, i32
         %next = llvm.xor %parity, %one : i32
         %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
         %is = llvm.icmp "eq" %f, %seven : i32
         llvm.cond_br %is, ^exit, ^loop(%next : i32)
       ^exit:"#;
    let dead = hang(&blocks(1), ring);
    assert_eq!(dead.kind, FindingKind::Hang { repeats: true, instructions: 0, resident: None }, "{dead}");
    assert_eq!(dead.op, "llvm.load", "{dead}");
}

/// A lock that one block holds for long is not a hang, although the others store what is there.
#[test]
fn a_lock_that_is_held_for_long_is_not_a_hang() {
    let take = "%pair = llvm.cmpxchg %flag, %zero, %one acq_rel acquire : !llvm.ptr<1>, i32
         %took = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
         %old = llvm.zext %took : i1 to i32";
    let works = TELL.replace("POLL", take).replace(
        "llvm.store %j, %word : i32, !llvm.ptr<1>
     llvm.br ^exit",
        "llvm.cond_br %leads, ^work(%zero : i32), ^exit
       ^work(%k: i32):
         %k1 = llvm.add %k, %one : i32
         %end = llvm.mlir.constant(300000 : i32) : i32
         %more = llvm.icmp \"ult\" %k1, %end : i32
         llvm.cond_br %more, ^work(%k1 : i32), ^release
       ^release:
         llvm.store %k1, %word : i32, !llvm.ptr<1>
         llvm.store %zero, %flag atomic syncscope(\"device\") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
         llvm.br ^exit",
    );
    let (result, a) = run(1, &blocks(3), &works);
    result.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(a[..3], [300_000; 3]);
}

/// A block that waits for one that was stopped is not blamed.
#[test]
fn a_finding_is_not_followed_by_a_hang() {
    let body =
        LAST.replace("llvm.store %seven, %flag", "\"llvm.intr.trap\"() : () -> ()\nllvm.store %seven, %flag");
    assert!(matches!(hang(&blocks(4), &body).kind, FindingKind::Trap { .. }));
}
