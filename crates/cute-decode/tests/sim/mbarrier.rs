//! `mbarrier`: producers and consumers that hand a buffer to and fro, and what goes wrong between
//! them.

use crate::{function, program};
use cute_sim::{Arg, Error, FindingKind, Launch, MbarrierMisuse, Memory, Schedule};

const GLOBALS: &str = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : !llvm.array<2 x i64>
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>\n";

const START: &str = "%t = nvvm.read.ptx.sreg.tid.x : i32
     %zero = llvm.mlir.constant(0 : i32) : i32
     %one = llvm.mlir.constant(1 : i32) : i32
     %two = llvm.mlir.constant(2 : i32) : i32
     %c16 = llvm.mlir.constant(16 : i32) : i32
     %c32 = llvm.mlir.constant(32 : i32) : i32
     %ticks = llvm.mlir.constant(10000 : i32) : i32
     %wide = llvm.mlir.constant(0 : i64) : i64
     %full = llvm.mlir.addressof @full : !llvm.ptr<3>
     %empty = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
     %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
     %first = llvm.icmp \"eq\" %t, %zero : i32
     %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";

/// Thread 0 initialises the barrier for `%count` arrivals; all meet; then `body`.
fn source(count: &str, body: &str) -> String {
    let body = format!(
        "{START}
         nvvm.mbarrier.init %full, {count}, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.barrier0
         {body}"
    );
    GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>, %in: !llvm.ptr<1>", &body)
}

fn run_as(source: &str, threads: u32, schedule: Schedule) -> Result<Vec<i32>, Error> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(threads as usize);
    let input = memory.upload(&(100..228).collect::<Vec<i32>>());
    let launch = Launch { schedule, ..Launch::new("kernel", [1, 1, 1], [threads, 1, 1]) };
    program(source).run(&launch, &mut memory, &[Arg::Buffer(out), Arg::Buffer(input)])?;
    Ok(memory.download(out))
}

fn run(source: &str, threads: u32) -> Result<Vec<i32>, Error> {
    run_as(source, threads, Schedule::Lazy)
}

fn kind(error: Error) -> FindingKind {
    match error {
        Error::Findings(report) => report.findings[0].kind.clone(),
        other => panic!("{other}"),
    }
}

fn misuse(found: Result<Vec<i32>, Error>) -> MbarrierMisuse {
    match kind(found.unwrap_err()) {
        FindingKind::Mbarrier { misuse, .. } => *misuse,
        other => panic!("{other}"),
    }
}

const SCHEDULES: [Schedule; 6] = [
    Schedule::Lazy,
    Schedule::Eager,
    Schedule::Reverse,
    Schedule::Random(1),
    Schedule::Random(2),
    Schedule::Random(3),
];

/// Warp 0 writes the tile and arrives, warp 1 waits and reads it.
fn hand_over(arrive: &str, wait: &str) -> String {
    source(
        "%c32",
        &format!(
            "%producer = llvm.icmp \"ult\" %t, %c32 : i32
             llvm.cond_br %producer, ^produce, ^consume
           ^produce:
             %a = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.store %t, %a : i32, !llvm.ptr<3>
             {arrive}
             llvm.br ^end
           ^consume:
             {wait}
             llvm.br ^read
           ^read:
             %i = llvm.sub %t, %c32 : i32
             %b = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %r = llvm.load %b : !llvm.ptr<3> -> i32
             llvm.store %r, %p : i32, !llvm.ptr<1>
             llvm.br ^end
           ^end:"
        ),
    )
}

const ARRIVE: &str = "%s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64";
const WAIT: &str = "nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32";

/// A loop around an operation that answers.
fn spin(operation: &str) -> String {
    format!("llvm.br ^spin\n^spin:\n{operation}\nllvm.cond_br %ok, ^done, ^spin\n^done:")
}

#[test]
fn a_phase_hands_over_what_was_written_before_its_arrivals() {
    let waits = [
        WAIT.to_owned(),
        spin("%ok = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1"),
        spin("%ok = nvvm.mbarrier.try_wait %full, %wide : !llvm.ptr<3>, i64 -> i1"),
        spin("%ok = nvvm.mbarrier.test.wait %full, %zero : !llvm.ptr<3>, i32 -> i1"),
        spin(
            "%ok = llvm.call_intrinsic \"llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta\"(%full, %zero)
             : (!llvm.ptr<3>, i32) -> i1",
        ),
    ];
    let expected: Vec<i32> = (0..64).map(|i| if i < 32 { 0 } else { i - 32 }).collect();
    for wait in &waits {
        for schedule in SCHEDULES {
            let found = run_as(&hand_over(ARRIVE, wait), 64, schedule);
            assert_eq!(found.unwrap_or_else(|e| panic!("{wait} {schedule:?}: {e}")), expected);
        }
    }
    let intrinsic = "%s = llvm.call_intrinsic \"llvm.nvvm.mbarrier.arrive.scope.cta.space.cta\"(%full, %one)
        : (!llvm.ptr<3>, i32) -> i64";
    assert_eq!(run(&hand_over(intrinsic, WAIT), 64).unwrap(), expected);
}

#[test]
fn who_does_not_wait_or_passes_on_nothing_races() {
    let raced = |arrive: &str, wait: &str| {
        let e = run(&hand_over(arrive, wait), 64).unwrap_err().to_string();
        assert!(e.contains("reads byte 0 of shared memory @tile"), "{e}");
        assert!(e.contains("nothing orders it with the write by thread (0, 0, 0)"), "{e}");
    };
    raced(ARRIVE, "");
    raced("%s = nvvm.mbarrier.arrive %full {relaxed = true} : !llvm.ptr<3> -> i64", WAIT);
    raced(
        ARRIVE,
        &spin("%ok = nvvm.mbarrier.try_wait %full, %zero {relaxed = true} : !llvm.ptr<3>, i32 -> i1"),
    );
    // The phase before the first is complete: the usual start of a producer, not of a consumer.
    let early = hand_over(ARRIVE, &WAIT.replace("%zero", "%one"));
    let e = run_as(&early, 64, Schedule::Reverse).unwrap_err().to_string();
    assert!(e.contains("nothing orders it with the read by thread (32, 0, 0)"), "{e}");
}

/// A ring of one slot: 5 values go from warp 0 to warp 1, which hands the slot back.
#[test]
fn a_slot_goes_to_and_fro() {
    let body = |release: &str| {
        format!(
            "%fifth = llvm.mlir.constant(5 : i32) : i32
             nvvm.mbarrier.init %empty, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
             nvvm.barrier0
             %producer = llvm.icmp \"ult\" %t, %c32 : i32
             %i = llvm.urem %t, %c32 : i32
             %a = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.cond_br %producer, ^produce(%zero, %one : i32, i32), ^consume(%zero, %zero, %zero : i32, i32, i32)
           ^produce(%k: i32, %free: i32):
             nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
             %v = llvm.add %k, %t : i32
             llvm.store %v, %a : i32, !llvm.ptr<3>
             %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
             %k1 = llvm.add %k, %one : i32
             %free1 = llvm.xor %free, %one : i32
             %more = llvm.icmp \"ult\" %k1, %fifth : i32
             llvm.cond_br %more, ^produce(%k1, %free1 : i32, i32), ^end
           ^consume(%n: i32, %phase: i32, %sum: i32):
             nvvm.mbarrier.try_wait.parity %full, %phase, %ticks : !llvm.ptr<3>, i32, i32
             %r = llvm.load %a : !llvm.ptr<3> -> i32
             {release}
             %sum1 = llvm.add %sum, %r : i32
             llvm.store %sum1, %p : i32, !llvm.ptr<1>
             %n1 = llvm.add %n, %one : i32
             %phase1 = llvm.xor %phase, %one : i32
             %again = llvm.icmp \"ult\" %n1, %fifth : i32
             llvm.cond_br %again, ^consume(%n1, %phase1, %sum1 : i32, i32, i32), ^end
           ^end:"
        )
    };
    let release = "%e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64";
    for schedule in SCHEDULES {
        let found = run_as(&source("%c32", &body(release)), 64, schedule).unwrap_or_else(|e| panic!("{e}"));
        assert!((0..32).all(|i| found[32 + i as usize] == 10 + 5 * i), "{found:?}");
    }
    // Nobody hands the slot back.
    let e = run(&source("%c32", &body("")), 64).unwrap_err().to_string();
    assert!(e.contains("no thread can go on: 32 threads from (0, 0, 0) on wait"), "{e}");
    assert!(e.contains("parity 0 of the mbarrier at byte 8 of shared memory @full"), "{e}");
    assert!(e.contains("whose phase 0 lacks 32 of 32 arrivals"), "{e}");
    assert!(e.contains("parity 1 of the mbarrier at byte 0 of shared memory @full"), "{e}");
    // Or before it has read it.
    let swapped = body("").replace(
        "%r = llvm.load %a : !llvm.ptr<3> -> i32",
        &format!("{release}\n%r = llvm.load %a : !llvm.ptr<3> -> i32"),
    );
    let e = run_as(&source("%c32", &swapped), 64, Schedule::Random(3)).unwrap_err().to_string();
    assert!(e.contains("nothing orders it with"), "{e}");
}

#[test]
fn a_phase_that_cannot_end_is_told_with_what_it_lacks() {
    let wait = format!("llvm.cond_br %first, ^arrive, ^go\n^arrive:\nARRIVE\nllvm.br ^go\n^go:\n{WAIT}");
    let lacks = |arrive: &str| {
        let loops =
            wait.replace(WAIT, &spin("%ok = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1"));
        let tests =
            wait.replace(WAIT, &spin("%ok = nvvm.mbarrier.test.wait %full, %zero : !llvm.ptr<3>, i32 -> i1"));
        let mut lacking = Vec::new();
        for (body, schedule) in [&wait, &loops, &tests].into_iter().flat_map(|b| SCHEDULES.map(|s| (b, s))) {
            let found = run_as(&source("%two", &body.replace("ARRIVE", arrive)), 32, schedule);
            let text = found.unwrap_err().to_string();
            assert!(text.contains("no thread can go on: 32 threads from (0, 0, 0) on wait"), "{text}");
            let (_, lack) = text.split_once("(initialised at -:19:10), whose phase 0 ").expect(&text);
            lacking.push(lack.to_owned());
        }
        assert!(lacking.windows(2).all(|pair| pair[0] == pair[1]), "{lacking:?}");
        lacking.swap_remove(0)
    };
    assert_eq!(
        lacks("%s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64"),
        "lacks 1 of 2 arrivals\n    1 arrival by `nvvm.mbarrier.arrive` (-:23:6) in phase 0, the last by thread (0, 0, 0) of \
         block (0, 0, 0)"
    );
    let bare = "nvvm.mbarrier.expect_tx %full, %c16 : !llvm.ptr<3>, i32";
    assert_eq!(
        lacks(bare),
        "lacks 2 of 2 arrivals, and 16 of 16 expected bytes have not arrived\n    `nvvm.mbarrier.expect_tx` \
         (-:23:1) by thread (0, 0, 0) of block (0, 0, 0) only announces bytes; it does not arrive"
    );
    let expects = "nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
        nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
        nvvm.mbarrier.complete_tx %full, %c16 : !llvm.ptr<3>, i32";
    let text = lacks(expects);
    assert!(text.starts_with("has its 2 arrivals, but 16 of 32 expected bytes have not arrived\n"), "{text}");
    let early = "nvvm.mbarrier.complete_tx %full, %c16 : !llvm.ptr<3>, i32";
    assert_eq!(lacks(early), "lacks 2 of 2 arrivals, and 16 bytes have arrived that were not expected");
}

/// Each lane arrives where one arrival is expected. If another arrival came before, 32 lanes end a
/// phase of 32 arrivals and begin the next.
#[test]
fn arrivals_that_were_too_many_are_told() {
    const ARRIVE: &str = "%s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64";
    let body = format!("{ARRIVE}\n{WAIT}");
    let late = format!(
        "%second = llvm.icmp \"eq\" %t, %c32 : i32
         %warp = llvm.icmp \"ult\" %t, %c32 : i32
         llvm.cond_br %second, ^one, ^met
       ^one:
         {}
         llvm.br ^met
       ^met:
         nvvm.barrier0
         llvm.cond_br %warp, ^all, ^wait
       ^all:
         {ARRIVE}
         llvm.br ^wait
       ^wait:
         {}",
        ARRIVE.replace("%s", "%s1"),
        WAIT.replace("%zero", "%one"),
    );
    for schedule in SCHEDULES {
        let found = misuse(run_as(&source("%one", &body), 32, schedule));
        assert_eq!(found, MbarrierMisuse::Surplus { count: 32, lanes: 32, expected: 1 });
        let Err(Error::Findings(report)) = run_as(&source("%c32", &late), 64, schedule) else { panic!() };
        let e: String = report.findings.iter().map(|finding| format!("{finding}\n")).collect();
        let cause =
            "by a warp arrived in 2 phases, since each expects 32 arrivals: let 32 threads execute it;\n";
        assert!(e.contains("whose phase 1 lacks 31 of 32 arrivals\n"), "{e}");
        assert!(e.contains(cause), "{e}");
    }
    // And those that never came: the instruction for them exists.
    let absent = format!(
        "%never = llvm.icmp \"eq\" %t, %c32 : i32
         llvm.cond_br %never, ^arrive, ^wait
       ^arrive:
         %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
         llvm.br ^wait
       ^wait:
         {WAIT}"
    );
    let e = run(&source("%one", &absent), 32).unwrap_err().to_string();
    assert!(
        e.contains("`nvvm.mbarrier.arrive` (-:24:15) would arrive, but no thread has executed it"),
        "{e}"
    );
}

#[test]
fn bytes_complete_a_phase_and_may_come_first() {
    let body = format!(
        "llvm.cond_br %first, ^arrive, ^go
       ^arrive:
         nvvm.mbarrier.complete_tx %full, %c16 : !llvm.ptr<3>, i32
         nvvm.mbarrier.arrive.expect_tx %full, %c32 : !llvm.ptr<3>, i32
         nvvm.mbarrier.complete_tx %full, %c16 : !llvm.ptr<3>, i32
         llvm.br ^go
       ^go:
         {WAIT}"
    );
    for schedule in SCHEDULES {
        run_as(&source("%one", &body), 64, schedule).unwrap();
    }
}

#[test]
fn misuses_are_named() {
    let alone = |body: &str| misuse(run(&source("%one", body), 1));
    assert_eq!(
        alone("nvvm.mbarrier.arrive.expect_tx %empty, %c16 : !llvm.ptr<3>, i32"),
        MbarrierMisuse::Uninitialised
    );
    assert_eq!(
        alone("nvvm.mbarrier.try_wait.parity %empty, %zero, %ticks : !llvm.ptr<3>, i32, i32"),
        MbarrierMisuse::Uninitialised
    );
    let inval = "nvvm.mbarrier.inval %full : !llvm.ptr<3>\n";
    assert_eq!(alone(&inval.repeat(2)), MbarrierMisuse::Uninitialised);
    assert!(
        matches!(alone("nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32"), MbarrierMisuse::Again { location } if location.to_string() == "-:19:10")
    );
    run(&source("%one", &(inval.to_owned() + "nvvm.mbarrier.init %full, %one : !llvm.ptr<3>, i32")), 1)
        .unwrap();
    assert_eq!(misuse(run(&source("%zero", ""), 1)), MbarrierMisuse::Count { count: 0 });
    assert_eq!(
        alone(
            "%big = llvm.mlir.constant(1048576 : i32) : i32
        nvvm.mbarrier.expect_tx %full, %big : !llvm.ptr<3>, i32"
        ),
        MbarrierMisuse::Bytes { bytes: 1 << 20 }
    );
    assert_eq!(
        alone("%s = nvvm.mbarrier.arrive.nocomplete %full, %one : !llvm.ptr<3>, i32 -> i64"),
        MbarrierMisuse::Completes
    );
}

#[test]
fn too_many_arrivals_name_the_one_before() {
    let body = "nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64";
    let e = run(&source("%one", body), 1).unwrap_err().to_string();
    assert_eq!(
        e,
        "-:22:14: `nvvm.mbarrier.arrive` in block (0, 0, 0), thread (0, 0, 0): the mbarrier at byte 0 of shared memory \
         @full (allocated at -:13:14) gets 1 arrival in phase 0, but that phase expects no more; the previous arrival is the atomic \
         update by thread (0, 0, 0) of block (0, 0, 0), `nvvm.mbarrier.arrive.expect_tx` (-:21:10)"
    );
}

#[test]
fn a_barrier_is_not_data() {
    let used = |body: &str| kind(run(&source("%one", body), 1).unwrap_err());
    let location = "-:19:10".to_owned();
    for body in ["llvm.store %one, %full : i32, !llvm.ptr<3>", "%v = llvm.load %full : !llvm.ptr<3> -> i64"] {
        assert!(
            matches!(used(body), FindingKind::BarrierStorage { location: l, offset: 0, .. } if l.to_string() == location),
            "{body}"
        );
    }
    run(
        &source(
            "%one",
            "nvvm.mbarrier.inval %full : !llvm.ptr<3>\nllvm.store %one, %full : i32, !llvm.ptr<3>",
        ),
        1,
    )
    .unwrap();
}

#[test]
fn a_barrier_is_used_behind_its_initialisation() {
    let body = format!(
        "{START}
         llvm.cond_br %first, ^init, ^go
       ^init:
         nvvm.mbarrier.init %full, %c32 : !llvm.ptr<3>, i32
         llvm.br ^go
       ^go:
         MEET
         %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64"
    );
    let body = GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>, %in: !llvm.ptr<1>", &body);
    run(&body.replace("MEET", "nvvm.barrier0"), 32).unwrap();
    let e = run(&body.replace("MEET", ""), 32).unwrap_err().to_string();
    assert!(
        e.contains(
            "nothing orders it with the write by thread (0, 0, 0) of block (0, 0, 0), `nvvm.mbarrier.init`"
        ),
        "{e}"
    );
}

/// Block 0 waits for an arrival of each thread of block 1 at its barrier.
#[test]
fn an_arrival_comes_from_another_block() {
    let body = |publish: &str, leave: &str| {
        let body = format!(
            "{START}
             %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
             nvvm.mbarrier.init %full, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
             {publish}
             nvvm.cluster.wait
             %there = nvvm.mapa %full, %zero : !llvm.ptr<3> -> !llvm.ptr<7>
             %waits = llvm.icmp \"eq\" %rank, %zero : i32
             llvm.cond_br %waits, ^wait, ^arrive
           ^wait:
             {WAIT}
             llvm.br ^end
           ^arrive:
             nvvm.mbarrier.arrive %there : !llvm.ptr<7>
             llvm.br ^end
           ^end:
             {leave}"
        );
        let source = GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>, %in: !llvm.ptr<1>", &body);
        move |schedule| {
            let mut memory = Memory::new();
            let buffer = memory.zeroed::<i32>(32);
            let launch = Launch::new("kernel", [2, 1, 1], [32, 1, 1]);
            let launch = Launch { cluster: Some([2, 1, 1]), schedule, ..launch };
            program(&source)
                .run(&launch, &mut memory, &[Arg::Buffer(buffer), Arg::Buffer(buffer)])
                .map(|_| ())
        }
    };
    let fence = "nvvm.fence.mbarrier.init\nnvvm.cluster.arrive.relaxed\n";
    for schedule in SCHEDULES {
        body(fence, "")(schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        body("nvvm.cluster.arrive", "")(schedule).unwrap();
    }
    let e = body("nvvm.cluster.arrive.relaxed", "")(Schedule::Lazy).unwrap_err().to_string();
    assert!(
        e.contains(
            "nothing orders it with the write by thread (0, 0, 0) of block (0, 0, 0), `nvvm.mbarrier.init`"
        ),
        "{e}"
    );
}

/// Each thread copies 16 bytes and has the barrier told of them.
fn copies(arrive: &str, wait: &str) -> String {
    source(
        "%c16",
        &format!(
            "%four = llvm.mlir.constant(4 : i32) : i32
             %i = llvm.mul %t, %four : i32
             %dst = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %src = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             nvvm.cp.async.shared.global %dst, %src, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
             {arrive}
             {wait}
             %last = llvm.mlir.constant(15 : i32) : i32
             %from = llvm.sub %last, %t : i32
             %k = llvm.mul %from, %four : i32
             %a = llvm.getelementptr %tile[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %r = llvm.load %a : !llvm.ptr<3> -> i32
             llvm.store %r, %p : i32, !llvm.ptr<1>"
        ),
    )
}

const NOINC: &str = "nvvm.cp.async.mbarrier.arrive %full {noinc = true} : !llvm.ptr<3>\n";

#[test]
fn a_barrier_hears_of_asynchronous_copies() {
    let expected: Vec<i32> = (0..16).map(|i| 100 + 4 * (15 - i)).collect();
    let increments = "nvvm.cp.async.mbarrier.arrive %full : !llvm.ptr<3>
        %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64";
    let polls = spin("%ok = nvvm.mbarrier.test.wait %full, %zero : !llvm.ptr<3>, i32 -> i1");
    let committed = format!("nvvm.cp.async.commit.group\n{NOINC}");
    for schedule in SCHEDULES {
        for (arrive, wait) in [(NOINC, WAIT), (increments, WAIT), (NOINC, polls.as_str()), (&committed, WAIT)]
        {
            let found = run_as(&copies(arrive, wait), 16, schedule);
            assert_eq!(found.unwrap_or_else(|e| panic!("{arrive} {schedule:?}: {e}")), expected);
        }
    }
}

/// However early the copies are done, only a wait makes them known.
#[test]
fn a_copy_is_not_known_before_its_barrier_is_waited_for() {
    for schedule in [Schedule::Lazy, Schedule::Eager] {
        for wait in ["", "nvvm.barrier0"] {
            let e = run_as(&copies(NOINC, wait), 16, schedule).unwrap_err().to_string();
            let late = schedule == Schedule::Lazy && !wait.is_empty();
            let why =
                if late { "is still the target of" } else { "nothing orders it with the asynchronous copy" };
            assert!(e.contains(why) && e.contains("`nvvm.cp.async.shared.global` (-:25:14)"), "{e}");
            assert!(e.contains("by thread (15, 0, 0)"), "{e}");
        }
    }
    // Each knows of its own copies by its group, and by a barrier of the others'.
    let group = "nvvm.cp.async.commit.group\nnvvm.cp.async.wait.group 0\nnvvm.barrier0";
    for schedule in SCHEDULES {
        run_as(&copies(NOINC, group), 16, schedule).unwrap();
        // A barrier passes on what the thread has waited for itself.
        let waited = format!("nvvm.cp.async.commit.group\nnvvm.cp.async.wait.group 0\n{NOINC}");
        run_as(&copies(&waited, WAIT), 16, schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        let late = format!("nvvm.cp.async.commit.group\n{NOINC}");
        run_as(&copies(&late, "nvvm.cp.async.wait.group 0\nnvvm.barrier0"), 16, schedule).unwrap();
    }
}

#[test]
fn lanes_of_one_instruction_initialise_a_barrier_once() {
    let body = format!(
        "{START}
         nvvm.mbarrier.init %full, %c32 : !llvm.ptr<3>, i32
         nvvm.bar.warp.sync %all : i32
         %state = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
         nvvm.mbarrier.try_wait.parity %full, %zero, %ticks : !llvm.ptr<3>, i32, i32
         llvm.store %one, %p : i32, !llvm.ptr<1>"
    )
    .replace("%zero =", "%all = llvm.mlir.constant(-1 : i32) : i32\n     %zero =");
    let source = GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>, %in: !llvm.ptr<1>", &body);
    assert_eq!(run(&source, 32).unwrap(), vec![1; 32]);
    // Two warps are two instructions.
    assert!(matches!(kind(run(&source, 64).unwrap_err()), FindingKind::Race { .. }));
    // And two counts are two values.
    let counts = source.replace("%full, %c32", "%full, %t");
    assert!(run(&counts, 32).is_err());
}

/// Assembly that asks once, and whose predicate is read by nothing or goes into a loop.
#[test]
fn an_answer_is_looked_at() {
    let asm = |text: &str| {
        format!(
            "%address = llvm.ptrtoint %full : !llvm.ptr<3> to i32
             llvm.inline_asm has_side_effects \"{text}\", \"r,r\" %address, %zero : (i32, i32) -> ()"
        )
    };
    let once = asm("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; }");
    for schedule in SCHEDULES {
        let found = run_as(&hand_over(ARRIVE, &once), 64, schedule);
        assert_eq!(misuse(found), MbarrierMisuse::Ignored);
    }
    let looped = asm("{ .reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [$0], $1; @!p bra L; }");
    run(&hand_over(ARRIVE, &looped), 64).unwrap();
    let unused = "%ok = nvvm.mbarrier.try_wait %full, %zero : !llvm.ptr<3>, i32 -> i1";
    assert_eq!(misuse(run(&hand_over(ARRIVE, unused), 64)), MbarrierMisuse::Ignored);
}

/// ptxas refuses both: a wait at another block's barrier, and a state from it.
#[test]
fn another_blocks_barrier_gives_no_answer() {
    let refused = |asm: &str, operands: &str| {
        let body =
            format!("%r = llvm.inline_asm has_side_effects \"{asm}\", \"{operands}\" %i : (i32) -> i64");
        let body = format!("%i = llvm.ptrtoint %full : !llvm.ptr<3> to i32\n{body}");
        crate::decode(&source("%one", &body)).unwrap_err().to_string()
    };
    let e = refused("mbarrier.arrive.shared::cluster.b64 $0, [$1];", "=l,r");
    assert!(e.contains("an arrive on a remote barrier returns no state"), "{e}");
    let wait =
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cluster.b64 p, [$1], 0; selp.b64 $0, 1, 0, p; }";
    let e = refused(wait, "=l,r");
    assert!(e.contains("only threads of the barrier's own block may wait for it"), "{e}");
}

/// A copy does not write to a barrier either.
#[test]
fn a_copy_is_not_a_use_of_a_barrier() {
    let body = "nvvm.cp.async.shared.global %full, %in, 8, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>";
    assert!(matches!(kind(run(&source("%one", body), 1).unwrap_err()), FindingKind::BarrierStorage { .. }));
}
