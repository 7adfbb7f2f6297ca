//! Patterns of barriers that widely used kernels have, in small kernels of our own.
//!
//! * `epilogue.ptx`: a warp that arrives at a barrier of the block and then waits there in the same
//!   use counts twice. One that arrives again without a wait is a mistake.
//! * `attention.ptx`: the roles of FlashAttention 4, and their barriers.

use cute_assembler::module::{Reading, parse};
use cute_prove::{Answer, How, Question, Sizes, prove};
use cute_sim::{Arg, Buffer, Error, Launch, Memory, Program, Report, Schedule, Start};
use std::time::Duration;

const EPILOGUE: &str = include_str!("epilogue.ptx");
const ATTENTION: &str = include_str!("attention.ptx");

/// A kernel whose parameters are some arrays, and the size.
struct Pattern {
    program: Program,
    threads: u32,
    shared: u32,
    /// The 32-bit words of each array.
    arrays: fn(i64) -> Vec<usize>,
}

impl Pattern {
    fn new(text: &str, (threads, shared): (u32, u32), arrays: fn(i64) -> Vec<usize>) -> Self {
        let file = parse(text, Reading { file: "k.ptx", strict: true });
        let program = file.and_then(|file| file.program()).unwrap_or_else(|why| panic!("{why}\n{text}"));
        Self { program, threads, shared, arrays }
    }

    fn epilogue(text: &str, threads: u32) -> Self {
        Self::new(text, (threads, 0), |n| vec![96 * n as usize])
    }

    fn attention(text: &str) -> Self {
        Self::new(text, (512, 28_160), |n| vec![2048, 256 * n as usize, 4096])
    }

    fn launch(&self, n: i64) -> (Launch, Memory, Vec<Buffer>) {
        let mut memory = Memory::new();
        // Halves of 1.0.
        let upload = |words: usize| memory.upload(&vec![0x3c00_3c00_u32; words]);
        let arrays = (self.arrays)(n).into_iter().map(upload).collect();
        let name = &self.program.kernels[0].name;
        let mut launch = Launch::new(name, [1; 3], [self.threads, 1, 1]);
        launch.dynamic_shared = self.shared;
        (launch, memory, arrays)
    }

    /// The report of a run, and its last array.
    fn run(&self, n: i64, how: impl FnOnce(&mut Launch)) -> Result<(Box<Report>, Vec<u32>), Error> {
        let (mut launch, mut memory, arrays) = self.launch(n);
        how(&mut launch);
        let args = words(&memory, &arrays, n);
        let report = match self.program.simulate(&launch, &mut memory, &args, |_| {}) {
            Ok(report) => Box::new(report),
            Err(Error::Findings(report)) => report,
            Err(other) => return Err(other),
        };
        Ok((report, memory.download(arrays[arrays.len() - 1])))
    }

    /// The kinds of the findings of a run with two iterations.
    fn finds(&self, schedule: Schedule) -> Vec<&'static str> {
        let (report, _) = self.run(2, |launch| launch.schedule = schedule).expect("a report");
        report.findings.iter().map(|finding| finding.kind.name()).collect()
    }

    fn answer(&self) -> Answer {
        let question = Question { first: 1, time: Duration::from_secs(60), strict: false };
        prove(&self.program.kernels[0], self, question)
    }
}

/// Each parameter is its bytes.
fn words(memory: &Memory, arrays: &[Buffer], n: i64) -> Vec<Arg> {
    let address = |array: &Buffer| memory.address(*array).expect("a buffer of this memory");
    let all = arrays.iter().map(|array| address(array).to_le_bytes().to_vec());
    all.chain([(n as u32).to_le_bytes().to_vec()]).map(Arg::Bytes).collect()
}

impl Sizes for Pattern {
    fn start(&self, n: i64) -> Result<(Launch, Start), String> {
        let (launch, mut memory, arrays) = self.launch(n);
        let args = words(&memory, &arrays, n);
        let start = self.program.start(&launch, &mut memory, &args).map_err(|why| why.to_string())?;
        Ok((launch, start))
    }

    fn run(&self, n: i64, how: How) -> Result<Option<String>, String> {
        let set = |launch: &mut Launch| {
            (launch.schedule, launch.watcher, launch.check_races) = (how.schedule, how.watcher, how.races);
        };
        let (report, _) = Pattern::run(self, n, set).map_err(|why| why.to_string())?;
        Ok(report.errors().next().map(|finding| format!("{:?}", finding.kind)))
    }
}

/// A text with another one in the place of one that it has this many times.
fn with(text: &str, (old, count): (&str, usize), new: &str) -> String {
    assert_eq!(text.matches(old).count(), count, "{old}");
    text.replace(old, new)
}

#[test]
fn a_warp_that_arrives_and_then_waits_counts_twice() {
    let own = Pattern::epilogue(EPILOGUE, 96);
    for schedule in Schedule::sample(8) {
        let (report, values) = own.run(3, |launch| launch.schedule = schedule).expect("a report");
        assert!(report.findings.is_empty(), "{schedule:?}: {report}");
        let expected: Vec<u32> = (0..3).flat_map(|tile| (0..96).map(move |i| 1000 * tile + i)).collect();
        assert_eq!(values, expected, "{schedule:?}");
    }
    let Answer::Proved(proof) = own.answer() else { panic!("{:?}", own.answer()) };
    assert_eq!(proof.warps, 3);
}

#[test]
fn a_count_without_the_second_arrival_or_with_a_third_is_found() {
    for threads in ["96", "160"] {
        let own = Pattern::epilogue(&with(EPILOGUE, ("1, 128;", 2), &format!("1, {threads};")), 96);
        for schedule in Schedule::sample(8) {
            assert!(!own.finds(schedule).is_empty(), "{threads}, {schedule:?}");
        }
        assert!(!matches!(own.answer(), Answer::Proved(_)), "{threads}");
    }
}

#[test]
fn two_arrivals_without_a_wait_are_found() {
    // Four arrivals of three warps fill it, one of them twice.
    let own = Pattern::epilogue(&with(EPILOGUE, ("\tbar.sync 1, 128;\n", 1), "\tbar.arrive 1, 128;\n"), 96);
    for schedule in Schedule::sample(8) {
        assert!(own.finds(schedule).contains(&"barrier_filled"), "{schedule:?}");
    }
    assert!(matches!(own.answer(), Answer::Counterexample { .. }), "{:?}", own.answer());
}

/// Warp 0 means to meet warp 1 twice, but its arrival and its wait may meet in one use.
const ALONE: &str = "
.version 8.7
.target sm_90a
.address_size 64
.visible .entry alone(.param .u64 d, .param .u32 count) .reqntid 64, 1, 1
{
	.reg .pred %p<2>; .reg .b32 %r<2>;
	mov.u32 %r1, %tid.x;
	setp.ge.u32 %p1, %r1, 32;
	@%p1 bra OTHER;
	bar.arrive 1, 64;
	bar.sync 1, 64;
	ret;
OTHER:
	bar.sync 1, 64;
	bar.arrive 1, 64;
	ret;
}
";

#[test]
fn a_warp_that_may_meet_itself_is_found() {
    let own = Pattern::epilogue(ALONE, 64);
    for schedule in Schedule::sample(8) {
        assert!(!own.finds(schedule).is_empty(), "{schedule:?}");
    }
}

#[test]
fn attention_by_two_softmax_roles_and_a_correction_is_proved() {
    let own = Pattern::attention(ATTENTION);
    for schedule in [Schedule::Lazy, Schedule::Random(1)] {
        let (report, values) = own.run(3, |launch| launch.schedule = schedule).expect("a report");
        assert!(report.findings.is_empty(), "{schedule:?}: {report}");
        // Q, K and V are 1: each S is 16, P is 1, and each P V is 16. O = (16 / 2 + 16) / 2 + 16.
        assert!(values.iter().all(|word| f32::from_bits(*word) == 28.0), "{values:?}");
    }
    let Answer::Proved(proof) = own.answer() else { panic!("{:?}", own.answer()) };
    assert_eq!((proof.period, proof.warps), (6, 16));
}

#[test]
fn attention_with_a_mistake_is_not_proved() {
    for (old, new) in [
        // The correction does not say that the second tile's scales were read.
        (("CORRECTED:\n\tmbarrier.arrive.shared::cta.b64 _, [%smem+120];\n", 1), "CORRECTED:\n"),
        // P is awaited, and O is not.
        (
            ("\tmbarrier.init.shared::cta.b64 [%smem+80], 256;\n", 1),
            "\tmbarrier.init.shared::cta.b64 [%smem+80], 128;\n",
        ),
        // The parity of P does not turn.
        (("\txor.b32 %r1, %r1, 1; add.u32 %i, %i, 1;\n", 1), "\tadd.u32 %i, %i, 1;\n"),
        // The copy of O reads what threads wrote without a proxy fence.
        (("\tfence.proxy.async.shared::cta;\n", 2), ""),
    ] {
        let answer = Pattern::attention(&with(ATTENTION, old, new)).answer();
        assert!(matches!(answer, Answer::Counterexample { .. }), "{old:?}: {answer:?}");
    }
}

#[test]
fn a_scale_that_decides_whether_there_is_a_correction_is_not_decided() {
    let old = "\ttcgen05.fence::after_thread_sync;\n\tld.shared.f32 %f0, [%r3+10752];\n";
    let new = format!("{old}\tsetp.eq.f32 %p4, %f0, 0f3F800000;\n\t@%p4 bra SCALED;\n");
    let text = with(ATTENTION, (old, 1), &new);
    let text = with(
        &text,
        (
            "\ttcgen05.fence::before_thread_sync;\n\tmbarrier.arrive.shared::cta.b64 _, [%smem+80];\n\tmbarrier.arrive.shared::cta.b64 _, [%smem+120];\n",
            1,
        ),
        "SCALED:\n\ttcgen05.fence::before_thread_sync;\n\tmbarrier.arrive.shared::cta.b64 _, [%smem+80];\n\tmbarrier.arrive.shared::cta.b64 _, [%smem+120];\n",
    );
    match Pattern::attention(&text).answer() {
        Answer::Undecided { why, .. } => assert!(why.contains("a branch on data"), "{why}"),
        other => panic!("{other:?}"),
    }
}
