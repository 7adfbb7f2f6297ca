//! The simulator finds every mistake, and nothing else. Kernels with one mistake each are in
//! `broken/`, kernels without mistakes in `clean/`; the transposition of `examples/` is also run
//! with a part removed.
//!
//! The museum has broken kernels that were reported in public, rebuilt: lines that end in
//! `// broken` or `// repaired` are only in that variant. Patterns that look like mistakes and are
//! none are in `legal/`. All of these run under every kind of schedule.
//!
//! A kernel's file begins with how to launch it: `launch: BLOCKS THREADS`, and the blocks of a
//! cluster; `args:` buffers `f32[64]` or `i32[64]=VALUE`, integers `i32=VALUE`, `null`,
//! `map[64:32]=VALUE`: a tensor map of 64 values with boxes of 32, and `maps[..]` for one in a
//! buffer; then what a broken one `finds:` and `says:`, or the first values that a clean one
//! `gives:` in its last buffer. `grade:` is that of the finding, if it is not an error. `under:
//! reverse` is a mistake that only this schedule shows, because of the lane that it elects.

mod litmus;
mod ptx;
#[path = "../common/record.rs"]
mod record;

use cute_arch::tensor_map::{MapElement, MapMode, TensorMap};
use cute_mlir::Target;
use cute_sim::{
    Arg, Buffer, Election, Error, Finding, FindingKind, Grade, Launch, Memory, Program, Report, Schedule,
    SourcePlace, Traffic,
};
use melior::Context;
use record::Section;
use std::{collections::BTreeMap, fs, path::Path};

struct Case {
    name: String,
    text: String,
}

impl Case {
    fn all(folder: &str) -> Vec<Case> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sim").join(folder);
        let files = fs::read_dir(folder).expect("the folder is there");
        let case = |path: &Path| Case {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            text: fs::read_to_string(path).expect("a text"),
        };
        let mut cases: Vec<_> = files.map(|f| case(&f.expect("a file").path())).collect();
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        cases
    }

    /// The text after `// key: ` in the file.
    fn header(&self, key: &str) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    fn run(&self) -> (Result<Report, Error>, Vec<i32>) {
        self.run_as(&self.program(&self.text), Schedule::Lazy, false)
    }

    /// The text without the lines that belong only to the other variant.
    fn without(&self, other: &str) -> String {
        let other = format!("// {other}");
        let keep = |line: &str| if line.ends_with(&other) { String::new() } else { line.to_owned() };
        self.text.lines().map(|line| keep(line) + "\n").collect()
    }

    fn program(&self, text: &str) -> Program {
        let context = Context::new();
        cute_mlir::load(&context);
        let module = cute_mlir::parse(&context, text).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{}: {e}", self.name))
    }

    fn run_as(
        &self,
        program: &Program,
        schedule: Schedule,
        pedantic: bool,
    ) -> (Result<Report, Error>, Vec<i32>) {
        self.run_within(1_000_000, program, schedule, pedantic)
    }

    /// Runs a program that is right as long as `elect.sync` elects the lowest lane.
    fn is_clean_with_the_first_lane(&self, program: &Program, schedule: Schedule) {
        let launch = Launch { elect: Some(Election::First), ..self.launch(1_000_000, schedule, false) };
        let (result, _) = self.run_launch(&launch, program);
        let report = result.unwrap_or_else(|e| panic!("{} {schedule:?}: {e}", self.name));
        assert!(report.findings.is_empty(), "{} {schedule:?}: {report}", self.name);
    }

    /// A run of at most `budget` instructions.
    fn run_within(
        &self,
        budget: u64,
        program: &Program,
        schedule: Schedule,
        pedantic: bool,
    ) -> (Result<Report, Error>, Vec<i32>) {
        self.run_launch(&self.launch(budget, schedule, pedantic), program)
    }

    fn launch(&self, budget: u64, schedule: Schedule, pedantic: bool) -> Launch {
        let launch: Vec<u32> = self.header("launch").map_or_else(Vec::new, numbers);
        Launch {
            budget,
            schedule,
            pedantic,
            cluster: launch.get(2).map(|blocks| [*blocks, 1, 1]),
            ..Launch::new("kernel", [launch[0], 1, 1], [launch[1], 1, 1])
        }
    }

    fn run_launch(&self, launch: &Launch, program: &Program) -> (Result<Report, Error>, Vec<i32>) {
        let mut memory = Memory::new();
        let words = self.header("args").unwrap_or_default().split_whitespace();
        let args: Vec<Arg> = words.map(|word| argument(word, &mut memory)).collect();
        let last = args.iter().rev().find_map(|arg| if let Arg::Buffer(b) = arg { Some(*b) } else { None });
        let result = program.run(launch, &mut memory, &args);
        (result, last.map_or_else(Vec::new, |b| memory.download(b)))
    }
}

impl Case {
    /// Runs a program without mistakes, and compares its output.
    fn is_clean(&self, program: &Program, schedule: Schedule, pedantic: bool) -> Result<Report, Error> {
        let name = format!("{} {schedule:?}", self.name);
        let (result, found) = self.run_as(program, schedule, pedantic);
        let report = result.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(report.findings.is_empty(), "{name}: {report}");
        let gives: Vec<i32> = self.header("gives").map_or_else(Vec::new, numbers);
        assert_eq!(found[..gives.len()], gives, "{name}");
        Ok(report)
    }
}

fn numbers<T: std::str::FromStr>(text: &str) -> Vec<T> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The words of a map of integers that all equal `value`.
fn tensor_map(extent: usize, boxed: u32, value: i32, memory: &mut Memory) -> [u64; 16] {
    let buffer = memory.upload(&vec![value; extent]);
    let address = memory.address(buffer).expect("the memory has the buffer");
    let mode = MapMode { extent: extent as u64, stride: 4, boxed, step: 1 };
    TensorMap::new(MapElement::S32, address, vec![mode]).words().expect("a map")
}

fn argument(word: &str, memory: &mut Memory) -> Arg {
    let (ty, value) = word.split_once('=').unwrap_or((word, "0"));
    if let Some((kind, sizes)) = ty.split_once('[').filter(|(kind, _)| kind.starts_with("map")) {
        let (extent, boxed) = sizes.trim_end_matches(']').split_once(':').expect("extent and box");
        let number = |text: &str| text.parse().expect("an integer");
        let words = tensor_map(number(extent) as usize, number(boxed) as u32, number(value), memory);
        return if kind == "map" { Arg::words(&words) } else { Arg::Buffer(memory.upload(&words)) };
    }
    let (ty, length) =
        ty.split_once('[').map_or((ty, None), |(t, n)| (t, n.trim_end_matches(']').parse().ok()));
    let buffer = |b: Buffer| Arg::Buffer(b);
    match (ty, length) {
        ("null", None) => Arg::Null,
        ("i32", None) => Arg::I32(value.parse().expect("an integer")),
        ("i32", Some(n)) => buffer(memory.upload(&vec![value.parse::<i32>().expect("an integer"); n])),
        ("f32", Some(n)) => buffer(memory.upload(&vec![value.parse::<f32>().expect("a number"); n])),
        other => panic!("{other:?}"),
    }
}

/// The findings of runs of a kernel, for the recorded table: schedules with the same ones together.
#[derive(Default)]
struct Shown(BTreeMap<(i32, Vec<String>), Vec<String>>);

impl Shown {
    fn add(&mut self, schedule: Schedule, result: &Result<Report, Error>) {
        let report = match result {
            Ok(report) => report,
            Err(Error::Findings(report)) => report,
            Err(other) => panic!("{other}"),
        };
        // The text has no file, so a place is `-:LINE:COLUMN`.
        let line = |place: &SourcePlace| place.to_string().trim_start_matches("-:").to_owned();
        let of = |finding: &Finding| {
            let mut places = vec![line(&finding.location)];
            places.extend(finding.kind.other_side().map(line));
            places.sort();
            format!("{} {} {}", finding.grade, name(&finding.kind), places.join(" ~ "))
        };
        let mut all: Vec<String> = report.findings.iter().chain(&report.hidden_notes).map(of).collect();
        all.sort();
        let exit = i32::from(report.errors().next().is_some());
        self.0.entry((exit, all)).or_default().push(schedule.to_string());
    }

    fn record(self, kernel: &str, section: &mut Section) {
        for ((exit, findings), schedules) in self.0 {
            section.add(&format!("{kernel}, {}", schedules.join(" ")), exit, &findings);
        }
    }
}

fn record(section: Section) {
    section.check(Path::new(env!("CARGO_MANIFEST_DIR")));
}

const SCHEDULES: [Schedule; 5] =
    [Schedule::Eager, Schedule::Lazy, Schedule::Reverse, Schedule::Random(1), Schedule::Random(2)];

/// The simulator reports the broken variant of each kernel, and does not report the repaired one.
#[test]
fn the_museum_is_found_out_under_every_schedule() {
    let cases = Case::all("museum");
    assert!(cases.len() >= 20);
    let mut missed = Vec::new();
    let mut section = Section::new("museum");
    for case in cases {
        let (mut shown, mut of_repaired) = (Shown::default(), Shown::default());
        let grade = match case.header("grade") {
            None => Grade::Error,
            Some("portability") => Grade::Portability,
            Some("note") => Grade::Note,
            Some(other) => panic!("{}: there is no grade '{other}'", case.name),
        };
        let note = grade == Grade::Note;
        let (broken, repaired) =
            (case.program(&case.without("repaired")), case.program(&case.without("broken")));
        for schedule in SCHEDULES {
            let name = format!("{} {schedule:?}", case.name);
            let (result, values) = case.run_as(&broken, schedule, note);
            shown.add(schedule, &result);
            of_repaired.add(schedule, &case.is_clean(&repaired, schedule, note));
            if case.header("under") == Some("reverse") {
                case.is_clean_with_the_first_lane(&broken, schedule);
                if schedule != Schedule::Reverse {
                    assert!(result.is_ok_and(|report| report.findings.is_empty()), "{name}");
                    continue;
                }
            }
            if grade == Grade::Portability {
                let gives: Vec<i32> = case.header("gives").map_or_else(Vec::new, numbers);
                assert_eq!(values[..gives.len()], gives, "{name}: the run goes on as devices do");
            }
            let report = match result {
                Err(Error::Findings(report)) => *report,
                Ok(report) if grade != Grade::Error => report,
                other => panic!("{name}: {other:?}"),
            };
            let is_found = |finding: &Finding| {
                let finds = case.header("finds").unwrap_or_default();
                finds.split(" or ").any(|kind| kind == self::name(&finding.kind))
                    && finding.grade == grade
                    && finding.to_string().contains(case.header("says").expect("what it says"))
            };
            if !report.findings.iter().any(is_found) {
                let findings: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
                missed.push(format!("{name}: {}", findings.join("\n")));
            }
        }
        shown.record(&format!("{} broken", case.name), &mut section);
        of_repaired.record(&format!("{} repaired", case.name), &mut section);
    }
    record(section);
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

/// Patterns that look like mistakes but are legal give no finding, not even with a pedantic launch,
/// unless the header excludes it.
#[test]
fn no_legal_pattern_is_blamed() {
    let cases = Case::all("legal");
    assert!(cases.len() >= 5);
    let mut section = Section::new("legal");
    for case in cases {
        let mut shown = Shown::default();
        let program = case.program(&case.text);
        for schedule in SCHEDULES {
            let result = case.is_clean(&program, schedule, case.header("pedantic") != Some("no"));
            shown.add(schedule, &result);
        }
        shown.record(&case.name, &mut section);
    }
    record(section);
}

/// The name that a report gives a kind of finding.
fn name(kind: &FindingKind) -> String {
    let json = serde_json::to_value(kind).expect("it serialises");
    json["kind"].as_str().expect("a name").to_owned()
}

#[test]
fn every_broken_kernel_is_found_out() {
    let cases = Case::all("broken");
    assert!(cases.len() >= 25);
    let mut section = Section::new("broken");
    for case in cases {
        let (result, _) = case.run();
        let mut shown = Shown::default();
        shown.add(Schedule::Lazy, &result);
        shown.record(&case.name, &mut section);
        let Err(Error::Findings(report)) = result else { panic!("{}: {result:?}", case.name) };
        let [finding] = report.findings.as_slice() else { panic!("{}: {report}", case.name) };
        assert_eq!(Some(name(&finding.kind).as_str()), case.header("finds"), "{}: {finding}", case.name);
        let says = case.header("says").expect("what it says");
        assert!(finding.to_string().contains(says), "{}: {finding}", case.name);
        assert!(finding.location.line_in("-").is_some(), "{}: {finding}", case.name);
    }
    record(section);
}

/// The compiler keeps equal branches apart, so that each side of a deadlock has its own line.
#[test]
fn both_sides_of_a_deadlock_have_their_lines() {
    let case = Case::all("broken").into_iter().find(|case| case.name == "deadlock").expect("it is there");
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, &case.text).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
    let lowered = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let first = case.text.lines().position(|line| line.contains("nvvm.barrier id")).expect("a barrier") + 1;
    for program in [lowered, ptx::through_ptx(&case, &case.text).0] {
        let Err(Error::Findings(report)) = case.run_as(&program, Schedule::Lazy, false).0 else {
            panic!("a deadlock")
        };
        let FindingKind::Deadlock { waits, .. } = &report.findings[0].kind else { panic!("{report}") };
        let lines: Vec<Option<u32>> = waits.iter().map(|wait| wait.location.line_in("-")).collect();
        assert_eq!(lines, [first, first + 4].map(|line| u32::try_from(line).ok()), "{report}");
    }
}

#[test]
fn no_clean_kernel_is_blamed() {
    let cases = Case::all("clean");
    assert!(cases.len() >= 5);
    let mut section = Section::new("clean");
    for case in cases {
        let mut shown = Shown::default();
        shown.add(Schedule::Lazy, &case.run().0);
        shown.record(&case.name, &mut section);
        for _ in 0..4 {
            let (result, found) = case.run();
            result.unwrap_or_else(|e| panic!("{}: {e}", case.name));
            let gives: Vec<i32> = case.header("gives").map_or_else(Vec::new, numbers);
            assert_eq!(found[..gives.len()], gives, "{}", case.name);
        }
    }
    record(section);
}

const TRANSPOSE: &str = include_str!("../../examples/transpose.mlir");

/// Runs the example, or a changed version of it, on a matrix of f16.
fn transpose(source: &str, rows: usize, columns: usize) -> Report {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&vec![7u16; rows * columns]), memory.zeroed::<u16>(rows * columns));
    let matrix = |buffer, rows: usize, columns: usize| {
        [Arg::Buffer(buffer), Arg::I32(rows as i32), Arg::I32(columns as i32), Arg::I64(columns as i64)]
    };
    let args = [matrix(from, rows, columns), matrix(to, columns, rows)].concat();
    let grid = [columns.div_ceil(64) as u32, rows.div_ceil(64) as u32, 1];
    let launch = Launch::new("transpose", grid, [128, 1, 1]);
    program.simulate(&launch, &mut memory, &args, |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// The text without a part, which must exist.
fn without(part: &str, with: &str) -> String {
    assert!(TRANSPOSE.contains(part), "{part}");
    TRANSPOSE.replace(part, with)
}

#[test]
fn the_transposition_is_right_and_free_of_bank_conflicts() {
    let report = transpose(TRANSPOSE, 72, 136);
    assert!(report.findings.is_empty(), "{report}");
    assert_eq!(report.excess(Traffic::Shared), 0, "{report}");
}

#[test]
fn without_its_barrier_it_races() {
    let report = transpose(&without("      nvvm.barrier0\n", ""), 64, 64);
    assert!(!report.findings.is_empty());
    for finding in &report.findings {
        assert!(matches!(finding.kind, FindingKind::Race { .. }), "{finding}");
    }
}

#[test]
fn without_its_predicate_it_leaves_the_matrix() {
    let line = TRANSPOSE.lines().find(|l| l.contains("%in_dst) :")).expect("the predicated store");
    let plain = line.replace(", %in_dst) :", ") :").replace(", !predicate)", ")");
    let report = transpose(&without(line, &plain), 64, 136);
    let [finding] = report.findings.as_slice() else { panic!("{report}") };
    assert!(matches!(finding.kind, FindingKind::OutOfBounds { .. }), "{finding}");
    assert_eq!(finding.op, "llvm.store");
}

#[test]
fn without_its_swizzle_banks_conflict() {
    // The swizzle makes strides of the partitions dynamic; without, they are what the tile's layout
    // says.
    let plain = without("S<3,3,6> o 0 o ", "")
        .replace("((8,(2,2)),1,1):((1,(?{div=16},?{div=32})),0,0)", "((8,4),1,1):((1,1024),0,0)")
        .replace(
            "((1,(8,(2,2))),1,1):((0,(64,(?{div=16},?{div=32}))),0,0)",
            "((1,(8,4)),1,1):((0,(64,16)),0,0)",
        );
    let report = transpose(&plain, 64, 64);
    assert!(report.findings.is_empty(), "{report}");
    // Each gather of a warp takes 8 wavefronts and not 1: 4 warps, 32 values.
    assert_eq!(report.excess(Traffic::Shared), 4 * 32 * 7, "{report}");
}
