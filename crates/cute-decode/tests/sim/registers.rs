//! `setmaxnreg`: warpgroups that hand registers to each other.

use crate::{decode, program};
use cute_sim::{Error, FindingKind, Grade, Launch, Memory, Program, Report, Schedule};

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(2)];

/// The first `producers` of `groups` warpgroups run `first`, the others `second`.
fn source(attributes: &str, producers: u32, first: &str, second: &str) -> String {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %n = llvm.mlir.constant({} : i32) : i32
         %is = llvm.icmp \"ult\" %t, %n : i32
         llvm.cond_br %is, ^produce, ^consume
       ^produce:
         {first}
         llvm.br ^end
       ^consume:
         {second}
         llvm.br ^end
       ^end:
         llvm.return",
        128 * producers
    );
    format!("llvm.func @kernel() attributes {{gpu.kernel, nvvm.kernel{attributes}}} {{\n{body}\n}}")
}

fn run(program: &Program, threads: u32, schedule: Schedule) -> Result<Report, Error> {
    let launch = Launch { schedule, pedantic: true, ..Launch::new("kernel", [1, 1, 1], [threads, 1, 1]) };
    program.run(&launch, &mut Memory::new(), &[])
}

const ONE_BLOCK: &str = ", nvvm.minctasm = 1 : i32";

#[test]
fn registers_go_from_producers_to_consumers() {
    let split = |attributes: &str, dec: u32, inc: u32| {
        let (first, second) =
            (format!("nvvm.setmaxregister decrease {dec}"), format!("nvvm.setmaxregister increase {inc}"));
        program(&source(attributes, 1, &first, &second))
    };
    // 384 threads begin with 168: 128 * 24 + 256 * 240 is as many. A thread begins with no more
    // than it ever asks for.
    let granted = [
        (split(ONE_BLOCK, 24, 240), 384),
        (split(ONE_BLOCK, 40, 232), 384),
        (split(ONE_BLOCK, 24, 232), 256),
        (split(", nvvm.maxnreg = 168 : i32", 40, 232), 384),
    ];
    let halved = split(", nvvm.minctasm = 2 : i32", 24, 240);
    let bounded = split(", nvvm.maxnreg = 152 : i32", 24, 240);
    for schedule in SCHEDULES {
        for (program, threads) in &granted {
            let report = run(program, *threads, schedule).unwrap();
            assert!(report.findings.is_empty(), "{report}");
        }
        // Two blocks on a multiprocessor: each has half of its registers.
        let e = run(&halved, 384, schedule).unwrap_err().to_string();
        assert!(e.contains("240 registers per thread; the block has"), "{e}");
        assert!(e.contains("the block has 30720 registers: each thread began with 80; "), "{e}");
        assert!(e.contains("threads 0 to 127 hold 24 registers each"), "{e}");
        let e = run(&bounded, 384, schedule).unwrap_err().to_string();
        assert!(e.contains("each thread began with 152; "), "{e}");
    }
}

/// As ptxas computes it: nine warps are three for one of the four partitions of a multiprocessor.
#[test]
fn threads_begin_with_what_the_fullest_partition_has() {
    let uneven = program(&source(
        ONE_BLOCK,
        1,
        "nvvm.setmaxregister decrease 152",
        "nvvm.setmaxregister increase 240",
    ));
    for schedule in SCHEDULES {
        let e = run(&uneven, 288, schedule).unwrap_err().to_string();
        assert!(e.contains("the block has 48384 registers: each thread began with 168; "), "{e}");
    }
}

/// `nvvm.maxnreg` is a bound, which ptxas uses up only as far as the kernel asks for it.
#[test]
fn a_launch_with_more_registers_than_there_are_is_refused() {
    let bounded = |count: u32, inc: u32| {
        let increase = format!("nvvm.setmaxregister increase {inc}");
        program(&source(
            &format!(", nvvm.maxnreg = {count} : i32"),
            1,
            "nvvm.setmaxregister decrease 40",
            &increase,
        ))
    };
    for (count, inc) in [(200, 232), (255, 176)] {
        let e = run(&bounded(count, inc), 384, Schedule::Lazy).unwrap_err().to_string();
        let begin = count.min(inc);
        let why = format!(
            "its 384 threads begin with {begin} registers each, but sm_90a has at most 168 for each of them"
        );
        assert!(e.contains(&why), "{e}");
    }
    assert!(run(&bounded(255, 168), 384, Schedule::Lazy).is_ok());
}

#[test]
fn more_than_the_block_has_is_never_granted() {
    let source = &program(&source(
        ONE_BLOCK,
        2,
        "nvvm.setmaxregister decrease 24",
        "llvm.inline_asm has_side_effects \"setmaxnreg.inc.sync.aligned.u32 240;\", \"\" : () -> ()",
    ));
    for schedule in SCHEDULES {
        let e = run(source, 512, schedule).unwrap_err().to_string();
        assert!(
            e.contains("no thread can go on: 128 threads from (256, 0, 0) on wait at `setmaxnreg.inc")
                || e.contains("from (384, 0, 0) on wait"),
            "{e}"
        );
        assert!(e.contains("each thread began with 128; "), "{e}");
    }
}

/// Without a bound of the registers at launch ptxas ignores the instruction.
#[test]
fn unbounded_registers_are_a_note() {
    let source =
        program(&source("", 1, "nvvm.setmaxregister decrease 24", "nvvm.setmaxregister increase 240"));
    let report = run(&source, 384, Schedule::Lazy).unwrap();
    assert_eq!(report.errors().count(), 0);
    assert!(!report.findings.is_empty());
    for finding in &report.findings {
        assert_eq!((finding.grade, &finding.kind), (Grade::Note, &FindingKind::UnboundedRegisters));
    }
    assert!(report.to_string().starts_with("note: "), "{report}");
    let launch = Launch::new("kernel", [1, 1, 1], [384, 1, 1]);
    let quiet = source.run(&launch, &mut Memory::new(), &[]).unwrap();
    assert!(quiet.findings.is_empty(), "{quiet}");
}

#[test]
fn a_count_has_its_range_and_all_warps_of_the_warpgroup_take_part() {
    for count in [16, 44, 264] {
        let asm = format!(
            "llvm.inline_asm has_side_effects \"setmaxnreg.dec.sync.aligned.u32 {count};\", \"\" : () -> ()"
        );
        let e = decode(&source(ONE_BLOCK, 1, &asm, "")).unwrap_err().to_string();
        assert!(e.contains(&format!("{count} registers: a multiple of 8 from 24 to 256 is needed")), "{e}");
    }
    let some =
        source(ONE_BLOCK, 1, "nvvm.setmaxregister decrease 24", "").replace("(128 : i32)", "(96 : i32)");
    for schedule in SCHEDULES {
        let report = run(&program(&some), 128, schedule).unwrap();
        let [finding] = &report.findings[..] else { panic!("{report}") };
        let apart = FindingKind::RegistersApart { here: 96, threads: 128 };
        assert_eq!((finding.grade, &finding.kind, finding.count), (Grade::Portability, &apart, 3));
    }
}

#[test]
fn the_last_warpgroup_may_have_fewer_warps() {
    // 128 consumers and a warp that loads their data: nobody lacks registers.
    let split = source(ONE_BLOCK, 1, "nvvm.setmaxregister increase 232", "nvvm.setmaxregister decrease 40");
    for schedule in SCHEDULES {
        let report = run(&program(&split), 160, schedule).unwrap();
        assert!(report.findings.is_empty(), "{report}");
    }
}

#[test]
fn warps_of_several_roles_ask_in_places_of_their_own() {
    // Two warps of one warpgroup here, two there: the same request meets, another one does not.
    let body = |second: &str| {
        source(ONE_BLOCK, 1, "nvvm.setmaxregister decrease 24", second).replace("(128 : i32)", "(64 : i32)")
    };
    for schedule in SCHEDULES {
        let report = run(&program(&body("nvvm.setmaxregister decrease 24")), 128, schedule).unwrap();
        assert!(report.findings.is_empty(), "{report}");
        // Two warps each; devices change the registers of the warps that execute an instruction.
        let report = run(&program(&body("nvvm.setmaxregister decrease 32")), 128, schedule).unwrap();
        let apart = FindingKind::RegistersApart { here: 64, threads: 128 };
        assert_eq!(report.findings.len(), 2, "{report}");
        assert!(report.findings.iter().all(|finding| finding.kind == apart), "{report}");
    }
}

/// An elected lane releases the registers of its warp, while the other lanes wait for it, or ask
/// for an answer in a loop.
#[test]
fn a_lane_alone_changes_the_registers_of_its_warp() {
    for (rest, threads) in [("", 128), ("nvvm.barrier0", 128), ("nvvm.barrier0", 160)] {
        let first = format!(
            "%elected = nvvm.elect.sync -> i1
             llvm.cond_br %elected, ^one, ^met
           ^one:
             nvvm.setmaxregister decrease 24
             llvm.br ^met
           ^met:
             {rest}"
        );
        let kernel = program(&source(ONE_BLOCK, 1, &first, rest));
        for schedule in SCHEDULES {
            let report = run(&kernel, threads, schedule).unwrap();
            let [finding] = &report.findings[..] else { panic!("{schedule}: {report}") };
            let is_apart = matches!(finding.kind, FindingKind::RegistersApart { threads: 128, .. });
            assert!(is_apart && finding.count == 4, "{schedule}: {report}");
        }
    }
}
