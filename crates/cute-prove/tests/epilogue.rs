//! A warp that arrives at a barrier of the block and then waits there in the same use counts twice.
//! One that arrives again without a wait is a mistake.

use cute_assembler::module::{Reading, parse};
use cute_prove::{Answer, How, Question, Sizes, prove};
use cute_sim::{Arg, Buffer, Error, Launch, Memory, Program, Report, Schedule, Start};
use std::time::Duration;

const EPILOGUE: &str = include_str!("epilogue.ptx");

struct Epilogue(Program);

impl Epilogue {
    fn new(text: &str) -> Self {
        let file = parse(text, Reading { file: "epilogue.ptx", strict: true });
        Self(file.and_then(|file| file.program()).unwrap_or_else(|why| panic!("{why}\n{text}")))
    }

    fn launch(&self, n: i64) -> (Launch, Memory, Buffer) {
        let mut memory = Memory::new();
        let d = memory.upload(&vec![-1i32; 96 * n as usize]);
        (Launch::new("epilogue", [1; 3], [96, 1, 1]), memory, d)
    }

    /// The report of a run, and the tiles.
    fn run(&self, n: i64, how: impl FnOnce(&mut Launch)) -> Result<(Box<Report>, Vec<i32>), Error> {
        let (mut launch, mut memory, d) = self.launch(n);
        how(&mut launch);
        let args = words(&memory, d, n);
        let report = match self.0.simulate(&launch, &mut memory, &args, |_| {}) {
            Ok(report) => Box::new(report),
            Err(Error::Findings(report)) => report,
            Err(other) => return Err(other),
        };
        Ok((report, memory.download(d)))
    }

    /// The kinds of the findings of a run with two tiles.
    fn finds(&self, schedule: Schedule) -> Vec<&'static str> {
        let (report, _) = self.run(2, |launch| launch.schedule = schedule).expect("a report");
        report.findings.iter().map(|finding| finding.kind.name()).collect()
    }
}

/// Each parameter is its bytes.
fn words(memory: &Memory, d: Buffer, n: i64) -> [Arg; 2] {
    let at = memory.address(d).expect("a buffer of this memory");
    [at.to_le_bytes().to_vec(), (n as u32).to_le_bytes().to_vec()].map(Arg::Bytes)
}

impl Sizes for Epilogue {
    fn start(&self, n: i64) -> Result<(Launch, Start), String> {
        let (launch, mut memory, d) = self.launch(n);
        let args = words(&memory, d, n);
        let start = self.0.start(&launch, &mut memory, &args).map_err(|why| why.to_string())?;
        Ok((launch, start))
    }

    fn run(&self, n: i64, how: How) -> Result<Option<String>, String> {
        let set = |launch: &mut Launch| {
            (launch.schedule, launch.watcher, launch.check_races) = (how.schedule, how.watcher, how.races);
        };
        let (report, _) = Epilogue::run(self, n, set).map_err(|why| why.to_string())?;
        Ok(report.errors().next().map(|finding| format!("{:?}", finding.kind)))
    }
}

fn answer(text: &str) -> Answer {
    let own = Epilogue::new(text);
    prove(&own.0.kernels[0], &own, Question { first: 1, time: Duration::from_secs(60), strict: false })
}

fn with(old: &str, new: &str) -> String {
    assert!(EPILOGUE.contains(old), "{old}");
    EPILOGUE.replace(old, new)
}

#[test]
fn a_warp_that_arrives_and_then_waits_counts_twice() {
    let own = Epilogue::new(EPILOGUE);
    for schedule in Schedule::sample(8) {
        let (report, values) = own.run(3, |launch| launch.schedule = schedule).expect("a report");
        assert!(report.findings.is_empty(), "{schedule:?}: {report}");
        let expected: Vec<i32> = (0..3).flat_map(|tile| (0..96).map(move |i| 1000 * tile + i)).collect();
        assert_eq!(values, expected, "{schedule:?}");
    }
    let Answer::Proved(proof) = answer(EPILOGUE) else { panic!("{:?}", answer(EPILOGUE)) };
    assert_eq!(proof.warps, 3);
}

#[test]
fn a_count_without_the_second_arrival_or_with_a_third_is_found() {
    for threads in ["96", "160"] {
        let text = with("1, 128;", &format!("1, {threads};"));
        let own = Epilogue::new(&text);
        for schedule in Schedule::sample(8) {
            assert!(!own.finds(schedule).is_empty(), "{threads}, {schedule:?}");
        }
        assert!(!matches!(answer(&text), Answer::Proved(_)), "{threads}");
    }
}

#[test]
fn two_arrivals_without_a_wait_are_found() {
    // Four arrivals of three warps fill it, one of them twice.
    let text = with("	bar.sync 1, 128;\n", "	bar.arrive 1, 128;\n");
    let own = Epilogue::new(&text);
    for schedule in Schedule::sample(8) {
        assert!(own.finds(schedule).contains(&"barrier_filled"), "{schedule:?}");
    }
    assert!(matches!(answer(&text), Answer::Counterexample { .. }), "{:?}", answer(&text));
}

/// Warp 0 means to meet warp 1 twice, but its arrival and its wait may meet in one use.
const ALONE: &str = "
.version 8.7
.target sm_90a
.address_size 64
.visible .entry epilogue(.param .u64 d, .param .u32 count) .reqntid 64, 1, 1
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
    let own = Epilogue::new(ALONE);
    for schedule in Schedule::sample(8) {
        let (report, _) =
            own.run(1, |launch| (launch.schedule, launch.block) = (schedule, [64, 1, 1])).expect("a report");
        assert!(report.errors().next().is_some(), "{schedule:?}: {report}");
    }
}
