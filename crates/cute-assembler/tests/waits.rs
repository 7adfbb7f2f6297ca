//! Waits for phases of mbarriers in the forms in which compilers write them: which of them last
//! until the phase is complete, and so may miss it.

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, FindingKind, Grade, Launch, Memory, Report, Schedule};

/// Threads 0 and 32 hand a slot to each other. `observer` is the code of thread 64, for which they
/// do not wait: `%r1` is the address of the barrier of full slots, `%r2` the parity of the first
/// phase.
fn run(observer: &str) -> Result<Report, Error> {
    let text = format!(
        ".version 8.8
        .target sm_90a
        .address_size 64
        .visible .entry k(.param .u64 out) .reqntid 96
        {{
          .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
          .shared .align 8 .b64 full; .shared .align 8 .b64 empty; .shared .align 8 .b64 own;
          mov.u32 %r9, %tid.x; mov.u32 %r1, full; mov.u32 %r3, empty; mov.u32 %r0, 0; mov.u32 %r2, 0;
          ld.param.u64 %rd0, [out];
          setp.eq.u32 %p0, %r9, 0;
          @%p0 mbarrier.init.shared::cta.b64 [%r1], 1;
          @%p0 mbarrier.init.shared::cta.b64 [%r3], 1;
          bar.sync 0;
          setp.eq.u32 %p1, %r9, 32; setp.eq.u32 %p2, %r9, 64;
          @%p1 bra CONSUMER;
          @%p2 bra OBSERVER;
          @!%p0 ret;
        PRODUCER:
          xor.b32 %r4, %r2, 1;
        FREE: mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], %r4; @!%p3 bra FREE;
          mbarrier.arrive.shared::cta.b64 _, [%r1];
          xor.b32 %r2, %r2, 1; add.u32 %r0, %r0, 1; setp.lt.u32 %p3, %r0, 4; @%p3 bra PRODUCER;
          ret;
        CONSUMER:
          mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r1], %r2; @!%p3 bra CONSUMER;
          mbarrier.arrive.shared::cta.b64 _, [%r3];
          xor.b32 %r2, %r2, 1; add.u32 %r0, %r0, 1; setp.lt.u32 %p3, %r0, 4; @%p3 bra CONSUMER;
          ret;
        OBSERVER:
          {observer}
          ret;
        }}"
    );
    let file = parse(&text, Reading { file: "k.ptx", strict: true });
    let program = file.and_then(|file| file.program()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let out = memory.upload(&[0u32; 8]);
    let launch =
        Launch { schedule: Schedule::Lazy, budget: 1_000_000, ..Launch::new("k", [1; 3], [96, 1, 1]) };
    program.run(&launch, &mut memory, &[Arg::Buffer(out)])
}

const TRY: &str = "mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r1], %r2;";
const TEST: &str = "mbarrier.test_wait.parity.shared::cta.b64 %p4, [%r1], %r2;";

#[test]
fn a_loop_that_only_its_answer_ends_may_miss_a_phase() {
    for observer in [
        format!("A: {TRY} @!%p4 bra A;"),
        format!("A: {TEST} @!%p4 bra A;"),
        // The forms of inline assembly.
        format!("A: {TRY} @%p4 bra B; bra A; B:"),
        format!("A: {TRY} @%p4 bra.uni B; bra.uni A; B:"),
        // The answer as a number, and a pause.
        format!(
            "A: {TRY} selp.u32 %r5, 1, 0, %p4; setp.ne.u32 %p5, %r5, 0; @%p5 bra B; nanosleep.u32 20; bra A; B:"
        ),
        // The first question before the loop.
        format!("{TRY} @%p4 bra B; A: {TRY} @!%p4 bra A; B:"),
        // The address is computed again.
        "A: add.u32 %r6, %r1, 0; mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r6], %r2; @!%p4 bra A;"
            .to_owned(),
        "sub.u32 %r6, %r1, 8; A: mbarrier.try_wait.parity.shared::cta.b64 %p4, [%r6+8], %r2; @!%p4 bra A;"
            .to_owned(),
        // A limit whose end is a trap.
        format!(
            "A: {TRY} @%p4 bra B; add.u32 %r7, %r7, 1; setp.gt.u32 %p5, %r7, 100000; @%p5 trap; bra A; B:"
        ),
    ] {
        let observer = format!("mov.u32 %r7, 0; {observer}");
        let Err(Error::Findings(report)) = run(&observer) else { panic!("{observer}: it is silent") };
        let [finding] = report.findings.as_slice() else { panic!("{observer}: {report}") };
        let is_missed = matches!(finding.kind, FindingKind::MissedPhase { phase: 1, within_warp: false, .. });
        assert!(is_missed && finding.grade == Grade::Error, "{observer}: {finding}");
        assert_eq!(
            (finding.thread, finding.location.line_in("k.ptx").is_some()),
            ([64, 0, 0], true),
            "{finding}"
        );
        let other = finding.other().expect("who ends the next phase");
        assert_eq!(other.thread, Some([0, 0, 0]), "{finding}");
    }
}

#[test]
fn a_test_whose_false_answer_leads_elsewhere_misses_nothing() {
    for observer in [
        TEST.to_owned(),
        format!("{TEST} @%p4 bra B; st.global.u32 [%rd0], %r9; B:"),
        // A number of questions.
        format!("A: {TEST} @%p4 bra B; add.u32 %r7, %r7, 1; setp.lt.u32 %p5, %r7, 3; @%p5 bra A; B:"),
        format!(
            "A: {TEST} add.u32 %r7, %r7, 1; setp.ge.u32 %p5, %r7, 3; or.pred %p5, %p4, %p5; @!%p5 bra A; selp.u32 %r8, 1, 0, %p4;"
        ),
        // Until someone else has an answer.
        format!("A: {TEST} @%p4 bra B; ld.volatile.global.u32 %r7, [%rd0+4]; setp.ne.u32 %p5, %r7, 0; @!%p5 bra B; bra A; B:"),
        // The thread does something else meanwhile.
        format!("A: {TEST} @%p4 bra B; add.u32 %r7, %r7, 1; st.global.u32 [%rd0], %r7; bra A; B:"),
        // The barriers take turns.
        "mov.u32 %r6, %r1; A: mbarrier.test_wait.parity.shared::cta.b64 %p4, [%r6], %r2; @%p4 bra B; xor.b32 %r6, %r6, %r1; \
         xor.b32 %r6, %r6, %r3; bra A; B:"
            .to_owned(),
        // The token of an arrival names its phase.
        "mov.u32 %r6, own; mbarrier.init.shared::cta.b64 [%r6], 1; mbarrier.arrive.shared::cta.b64 %rd1, [%r6]; \
         mbarrier.arrive.shared::cta.b64 _, [%r6]; \
         A: mbarrier.try_wait.shared::cta.b64 %p4, [%r6], %rd1; @!%p4 bra A;"
            .to_owned(),
    ] {
        let observer = format!("mov.u32 %r7, 0; {observer}");
        let report = run(&observer).unwrap_or_else(|e| panic!("{observer}: {e}"));
        assert!(report.findings.is_empty(), "{observer}: {report}");
    }
}
