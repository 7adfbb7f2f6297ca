//! Patterns of code that other compilers write, each run under several schedules.

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, Report, Schedule};

const SCHEDULES: [Schedule; 4] = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1)];

/// Runs a body on 64 threads; `%rd1` is the address of the thread's word of a buffer, `%r0` its
/// number.
fn run(variables: &str, body: &str) -> Vec<(Result<Report, Error>, Vec<u32>)> {
    let text = format!(
        ".version 8.7
        .target sm_80
        .address_size 64
        .extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 values);
        {variables}
        .visible .entry k(.param .u64 out)
        {{
          .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
          .local .align 8 .b8 first[16];
          .local .align 8 .b8 second[16];
          mov.u32 %r0, %tid.x;
          ld.param.u64 %rd0, [out];
          mad.wide.u32 %rd1, %r0, 4, %rd0;
          {body}
          ret;
        }}"
    );
    let file = parse(&text, Reading { file: "k.ptx", strict: true });
    let program = file.and_then(|file| file.program()).unwrap_or_else(|e| panic!("{e}"));
    let runs = SCHEDULES.map(|schedule| {
        let mut memory = Memory::new();
        let out = memory.upload(&[7u32; 64]);
        let launch = Launch { schedule, ..Launch::new("k", [1; 3], [64, 1, 1]) };
        let result = program.run(&launch, &mut memory, &[Arg::Buffer(out)]);
        (result, memory.download(out))
    });
    runs.into()
}

/// The words and the output of a kernel without findings, which are the same under each schedule.
fn clean(variables: &str, body: &str) -> (Vec<u32>, String) {
    let mut all = run(variables, body).into_iter().map(|(result, words)| {
        let report = result.unwrap_or_else(|e| panic!("{body}: {e}"));
        assert!(report.findings.is_empty(), "{body}: {report}");
        (words, report.output)
    });
    let first = all.next().expect("a run");
    assert!(all.all(|other| other == first), "{body}");
    first
}

fn word(body: &str) -> u32 {
    let (words, _) = clean("", body);
    assert!(words.iter().all(|word| *word == words[0]), "{body}: {words:x?}");
    words[0]
}

/// `%r1` has 0x1234 below and an undefined upper half, because nothing writes `%h1`.
const HALF: &str = "mov.u16 %h0, 0x1234; mov.b32 %r1, {%h0, %h1}; ";

/// A store of the lower half of `%r1`.
const LOWER: &str = "mov.b32 {%h2, %h3}, %r1; cvt.u32.u16 %r4, %h2; st.global.u32 [%rd1], %r4;";

#[test]
fn the_defined_bits_of_a_register_survive_what_replaces_it() {
    for (change, expected) in [
        ("xor.b32 %r1, %r1, 0xff;", 0x12cb),
        ("or.b32 %r1, %r1, 0xff;", 0x12ff),
        ("shl.b32 %r1, %r1, 4;", 0x2340),
        ("and.b32 %r1, %r1, 0xff; shl.b32 %r1, %r1, 8;", 0x3400),
        ("prmt.b32 %r1, %r1, 0, 0x4401;", 0x3412),
        ("prmt.b32 %r1, %r1, %r2, 0x7610;", 0x1234),
        ("prmt.b32 %r1, %r1, 0, 0x4499;", 0),
    ] {
        let body = format!("{HALF}{change} {LOWER}");
        assert_eq!(word(&body), expected, "{change}");
    }
    // All bits are defined here.
    assert_eq!(word(&format!("{HALF} and.b32 %r1, %r1, 0xffff; st.global.u32 [%rd1], %r1;")), 0x1234);
}

#[test]
fn undefined_bytes_are_found_where_they_go() {
    for change in [
        "prmt.b32 %r1, %r1, 0, 0x4402;",
        "prmt.b32 %r1, %r1, 0, 0x44b0;",
        "prmt.b32 %r1, %r1, 0, %r3;",
        "shr.u32 %r1, %r1, 4;",
    ] {
        for (result, _) in run("", &format!("{HALF}{change} {LOWER}")) {
            let Err(Error::Findings(report)) = result else { panic!("{change}: {result:?}") };
            assert!(matches!(report.findings[0].kind, FindingKind::Undefined { .. }), "{change}: {report}");
        }
    }
}

/// A compiler that knows that local memory is small keeps its addresses in 32 bits.
#[test]
fn addresses_of_local_memory_have_32_bits() {
    let body = "mov.b32 %r1, second;
          add.u32 %r2, %r1, 4;
          st.local.u32 [%r2], 11;
          add.s32 %r2, %r2, 4;
          st.local.u32 [%r2], %r0;
          cvt.u64.u32 %rd2, %r1;
          cvta.local.u64 %rd3, %rd2;
          ld.u32 %r3, [%rd3+4];
          cvta.to.local.u64 %rd4, %rd3;
          cvt.u32.u64 %r4, %rd4;
          ld.local.u32 %r5, [%r4+8];
          add.u32 %r6, %r3, %r5;
          st.global.u32 [%rd1], %r6;";
    assert_eq!(clean("", body).0, (0..64).map(|t| t + 11).collect::<Vec<u32>>());
    let beyond = "mov.b32 %r1, first; add.u32 %r1, %r1, 16; st.local.u32 [%r1], 0;";
    for (result, _) in run("", beyond) {
        let Err(Error::Findings(report)) = result else { panic!("{result:?}") };
        assert!(matches!(report.findings[0].kind, FindingKind::OutOfBounds { offset: 16, .. }), "{report}");
    }
}

const FORMATS: &str = ".global .align 1 .b8 plain[4] = {104, 105, 10, 0};
    .global .align 1 .b8 number[4] = {37, 117, 10, 0};";

/// Prints a format with the values at an address.
fn print(format: &str, values: &str) -> String {
    format!(
        "setp.ne.u32 %p0, %r0, 5;
         @%p0 ret;
         {values}
         {{
           .param .b64 param0; .param .b64 param1; .param .b32 status;
           mov.u64 %rd5, {format};
           cvta.global.u64 %rd6, %rd5;
           st.param.b64 [param0], %rd6;
           st.param.b64 [param1], %rd4;
           call.uni (status), vprintf, (param0, param1);
         }}"
    )
}

#[test]
fn a_format_without_conversions_reads_no_values() {
    assert_eq!(clean(FORMATS, &print("plain", "mov.u64 %rd4, 0;")).1, "hi\n");
    let in_32_bits = "mov.b32 %r1, first; add.u32 %r2, %r1, 0; st.local.u32 [%r1], 42;
         cvt.u64.u32 %rd2, %r2; cvta.local.u64 %rd4, %rd2;";
    assert_eq!(clean(FORMATS, &print("number", in_32_bits)).1, "42\n");
    for (result, _) in run(FORMATS, &print("number", "mov.u64 %rd4, 0;")) {
        let Err(Error::Findings(report)) = result else { panic!("{result:?}") };
        assert!(matches!(report.findings[0].kind, FindingKind::Unmapped { address: 0 }), "{report}");
    }
}

/// The loop reads the clock, so that no two of its rounds are the same. The arrival of the copies
/// comes all the same.
#[test]
fn a_loop_with_a_clock_waits_for_copies() {
    let body = "mov.u32 %r1, bar;
          setp.ne.u32 %p0, %r0, 0;
          @%p0 bra begun;
          mbarrier.init.shared.b64 [%r1], 64;
        begun:
          bar.sync 0;
          shl.b32 %r2, %r0, 2;
          mov.u32 %r3, tile;
          add.u32 %r3, %r3, %r2;
          cp.async.ca.shared.global [%r3], [%rd1], 4;
          cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];
          mov.u64 %rd2, %globaltimer;
        again:
          mov.u64 %rd3, %globaltimer;
          sub.u64 %rd3, %rd3, %rd2;
          mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0;
          @!%p1 bra again;
          ld.shared.u32 %r4, [%r3];
          setp.lt.u64 %p2, %rd3, 0;
          selp.u32 %r4, 1, %r4, %p2;
          st.global.u32 [%rd1], %r4;";
    let variables = ".shared .align 8 .b8 bar[8]; .shared .align 16 .b8 tile[256];";
    assert_eq!(clean(variables, body).0, [7; 64]);
}

/// All threads load a counter, and one of them stores to it what it has computed. The other loads
/// race with that store, although nothing uses their values. A barrier mends it.
#[test]
fn loads_whose_values_nobody_uses_race() {
    let count = |barrier: &str| {
        format!(
            "ld.global.u32 %r1, [%rd0];
             {barrier}
             setp.ne.u32 %p0, %r0, 0;
             add.u32 %r1, %r1, 1;
             @!%p0 st.global.u32 [%rd0], %r1;"
        )
    };
    assert_eq!(clean("", &count("bar.sync 0;")).0[0], 8);
    for (result, _) in run("", &count("")) {
        let Err(Error::Findings(report)) = result else { panic!("{result:?}") };
        assert!(matches!(report.findings[0].kind, FindingKind::Race { .. }), "{report}");
    }
}

/// A loop that stores what is there, and whose registers are the same at its end, until the clock
/// ends it.
#[test]
fn a_loop_that_the_clock_ends_is_not_a_hang() {
    let shared = ".shared .align 4 .b8 word[4];";
    let waits = "mov.u32 %r3, word; mov.u32 %r2, %clock;
        L: st.shared.u32 [%r3], 5;
        mov.u32 %r1, %clock; sub.u32 %r1, %r1, %r2; setp.lt.u32 %p0, %r1, 100000; mov.u32 %r1, 0; @%p0 bra L;
        st.global.u32 [%rd1], 1;";
    assert_eq!(clean(shared, waits).0, [1; 64]);
}
