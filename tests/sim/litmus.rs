//! Litmus tests of the memory model, in words of PTX: threads that communicate through global
//! memory, once as the model allows it and once with a scope or an order that is too weak.
//!
//! Each thread is a list of steps about locations of 32 bits that begin as 0:
//!
//! | step | meaning |
//! |---|---|
//! | `st x 1`, `ld x` | a weak store or load |
//! | `st.release.gpu x 1`, `ld.acquire.gpu x`, `st.volatile x 1`, `ld.volatile x` | strong ones |
//! | `await.acquire.gpu x 1` | loads until the value is 1 |
//! | `add.acq_rel.gpu x`, `swap.relaxed.gpu x 1` | an atomic update |
//! | `lock.acquire.gpu x` | exchanges 0 for 1 until it succeeds |
//! | `fence.acq_rel.gpu` | a fence |
//!
//! A race detector reports accesses that the model leaves unordered. It does not explore what else
//! they may read: the outcomes of SB, LB and IRIW on atomics alone are therefore not reported.

use super::record::Section;
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, Schedule};
use melior::Context;
use std::{cell::RefCell, fmt::Write};

/// Where the threads of a test are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Apart {
    /// In warps of one block.
    Cta,
    /// In blocks of one cluster.
    Cluster,
    /// In blocks of different clusters.
    Gpu,
}

use Apart::{Cluster, Cta, Gpu};

const PLACES: [Apart; 3] = [Cta, Cluster, Gpu];

impl Apart {
    /// The narrowest scope that includes all threads.
    fn scope(self) -> &'static str {
        ["cta", "cluster", "gpu"][self as usize]
    }
}

const LOCATIONS: [&str; 4] = ["x", "y", "flag", "turn"];

/// The text of a kernel under construction.
struct Kernel {
    text: String,
    names: usize,
}

fn ordering(word: &str) -> &str {
    match word {
        "relaxed" => "monotonic",
        "sc" => "seq_cst",
        word => word,
    }
}

fn scope(word: &str) -> String {
    let name = match word {
        "cta" => "block",
        "gpu" => "device",
        "sys" => return String::new(),
        word => word,
    };
    format!("syncscope(\"{name}\") ")
}

impl Kernel {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "    {line}").expect("a string takes it");
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    /// A load; the value's name.
    fn load(&mut self, kind: &[&str], from: &str) -> String {
        let value = format!("%v{}", self.name());
        let line = match kind {
            [] => format!("{value} = llvm.load %{from} : !llvm.ptr<1> -> i32"),
            ["volatile"] => format!("{value} = llvm.load volatile %{from} : !llvm.ptr<1> -> i32"),
            [order, at] => format!(
                "{value} = llvm.load %{from} atomic {}{} {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32",
                scope(at),
                ordering(order)
            ),
            other => panic!("{other:?}"),
        };
        self.line(&line);
        value
    }

    fn step(&mut self, step: &str) {
        let words: Vec<&str> = step.split(' ').collect();
        let kind: Vec<&str> = words[0].split('.').collect();
        let n = self.name();
        let value = |i: usize| words.get(i).copied().unwrap_or("1");
        match (kind[0], &kind[1..]) {
            ("ld", kind) => {
                self.load(kind, words[1]);
            }
            ("await", kind) => {
                self.line(&format!("llvm.br ^await{n}"));
                self.line(&format!("^await{n}:"));
                let found = self.load(kind, words[1]);
                self.line(&format!("%c{n} = llvm.icmp \"eq\" {found}, %k{} : i32", value(2)));
                self.line(&format!("llvm.cond_br %c{n}, ^go{n}, ^await{n}"));
                self.line(&format!("^go{n}:"));
            }
            ("st", []) => {
                self.line(&format!("llvm.store %k{}, %{} : i32, !llvm.ptr<1>", value(2), words[1]));
            }
            ("st", ["volatile"]) => {
                self.line(&format!("llvm.store volatile %k{}, %{} : i32, !llvm.ptr<1>", value(2), words[1]));
            }
            ("st", [order, at]) => self.line(&format!(
                "llvm.store %k{}, %{} atomic {}{} {{alignment = 4 : i64}} : i32, !llvm.ptr<1>",
                value(2),
                words[1],
                scope(at),
                ordering(order)
            )),
            (update @ ("add" | "swap"), [order, at]) => {
                let update = if update == "add" { "add" } else { "xchg" };
                self.line(&format!(
                    "%v{n} = llvm.atomicrmw {update} %{}, %k{} {}{} : !llvm.ptr<1>, i32",
                    words[1],
                    value(2),
                    scope(at),
                    ordering(order)
                ));
            }
            ("lock", [order, at]) => {
                self.line(&format!("llvm.br ^lock{n}"));
                self.line(&format!("^lock{n}:"));
                self.line(&format!(
                    "%r{n} = llvm.cmpxchg %{}, %k0, %k1 {}{} monotonic : !llvm.ptr<1>, i32",
                    words[1],
                    scope(at),
                    ordering(order)
                ));
                self.line(&format!("%c{n} = llvm.extractvalue %r{n}[1] : !llvm.struct<(i32, i1)>"));
                self.line(&format!("llvm.cond_br %c{n}, ^go{n}, ^lock{n}"));
                self.line(&format!("^go{n}:"));
            }
            ("fence", [order, at]) => self.line(&format!("llvm.fence {}{}", scope(at), ordering(order))),
            other => panic!("{other:?}"),
        }
    }
}

/// The kernel whose thread `i` executes the steps `threads[i]`.
fn kernel(threads: &[&[&str]]) -> String {
    let mut kernel = Kernel { text: String::new(), names: 0 };
    let arguments = LOCATIONS.map(|name| format!("%{name}: !llvm.ptr<1>")).join(", ");
    kernel.text.push_str("gpu.module @kernels {\n  llvm.func @kernel(");
    kernel.text.push_str(&arguments);
    kernel.text.push_str(") attributes {gpu.kernel, nvvm.kernel} {\n");
    for value in 0..4 {
        kernel.line(&format!("%k{value} = llvm.mlir.constant({value} : i32) : i32"));
    }
    kernel.line("%t = nvvm.read.ptx.sreg.tid.x : i32");
    kernel.line("%b = nvvm.read.ptx.sreg.ctaid.x : i32");
    kernel.line("%n = llvm.mlir.constant(32 : i32) : i32");
    kernel.line("%w = llvm.mul %b, %n : i32");
    // Threads are the first of their warps, or of their blocks.
    kernel.line("%id = llvm.add %w, %t : i32");
    kernel.line("llvm.br ^test0");
    for (i, steps) in threads.iter().enumerate() {
        kernel.line(&format!("^test{i}:"));
        kernel.line(&format!("%own{i} = llvm.mlir.constant({} : i32) : i32", 32 * i));
        kernel.line(&format!("%is{i} = llvm.icmp \"eq\" %id, %own{i} : i32"));
        kernel.line(&format!("llvm.cond_br %is{i}, ^thread{i}, ^test{}", i + 1));
        kernel.line(&format!("^thread{i}:"));
        steps.iter().for_each(|step| kernel.step(step));
        kernel.line("llvm.br ^exit");
    }
    kernel.line(&format!("^test{}:", threads.len()));
    kernel.line("llvm.br ^exit");
    kernel.line("^exit:");
    kernel.line("llvm.return");
    kernel.text.push_str("  }\n}\n");
    kernel.text
}

/// Whether a race is found, under any of some schedules; nothing else may be.
fn races(apart: Apart, threads: &[&[&str]]) -> bool {
    let text = kernel(threads);
    let context = Context::new();
    cute_mlir::load(&context);
    let module = cute_mlir::parse(&context, &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let count = threads.len() as u32;
    let (grid, block) = if apart == Cta { (1, 32 * count) } else { (count, 1) };
    let run = |schedule| {
        let launch = Launch {
            schedule,
            cluster: (apart == Cluster).then_some([count, 1, 1]),
            ..Launch::new("kernel", [grid, 1, 1], [block, 1, 1])
        };
        let mut memory = Memory::new();
        let args: Vec<Arg> = LOCATIONS.iter().map(|_| Arg::Buffer(memory.upload(&[0i32]))).collect();
        match program.run(&launch, &mut memory, &args) {
            Ok(report) if report.findings.is_empty() => false,
            Err(Error::Findings(report)) => {
                let is_race = |kind: &FindingKind| matches!(kind, FindingKind::Race { .. });
                assert!(report.findings.iter().all(|f| is_race(&f.kind)), "{report}\n{text}");
                true
            }
            other => panic!("{other:?}\n{text}"),
        }
    };
    let found = [Schedule::Lazy, Schedule::Reverse, Schedule::Random(1)].map(run);
    assert!(found.iter().all(|f| *f == found[0]), "{apart:?} {threads:?} {found:?}");
    let steps: Vec<String> = threads.iter().map(|steps| steps.join(", ")).collect();
    RUNS.with_borrow_mut(|runs| runs.push((format!("{apart:?}: {}", steps.join(" || ")), found[0])));
    found[0]
}

thread_local! {
    /// The threads of this test so far, and whether they race.
    static RUNS: RefCell<Vec<(String, bool)>> = const { RefCell::new(Vec::new()) };
}

/// The section of a test in the recorded table, which is compared when the test ends.
struct Table(Section);

impl Drop for Table {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let mut section = std::mem::replace(&mut self.0, Section::new(""));
        for (threads, races) in RUNS.take() {
            let found = if races { vec!["error race".to_owned()] } else { Vec::new() };
            section.add(&threads, races.into(), &found);
        }
        super::record(section);
    }
}

/// Replaces `SCOPE` in steps.
fn scoped<'a>(steps: &[&str], scope: &str, kept: &'a mut Vec<String>) -> Vec<&'a str> {
    *kept = steps.iter().map(|step| step.replace("SCOPE", scope)).collect();
    kept.iter().map(String::as_str).collect()
}

/// The race of the threads' steps, with a scope for each thread.
fn race_with(apart: Apart, threads: &[&[&str]], scopes: &[&str]) -> bool {
    let mut kept = vec![Vec::new(); threads.len()];
    let steps: Vec<Vec<&str>> = kept
        .iter_mut()
        .zip(threads.iter().zip(scopes))
        .map(|(kept, (steps, scope))| scoped(steps, scope, kept))
        .collect();
    races(apart, &steps.iter().map(Vec::as_slice).collect::<Vec<_>>())
}

/// What makes a write a release pattern, and a read an acquire pattern, or fails to.
const RELEASES: [(&str, &[&str], bool); 8] = [
    ("release", &["st x 1", "st.release.SCOPE flag 1"], true),
    ("fence", &["st x 1", "fence.acq_rel.SCOPE", "st.relaxed.SCOPE flag 1"], true),
    ("fence.sc, volatile", &["st x 1", "fence.sc.SCOPE", "st.volatile flag 1"], true),
    ("fence.release, update", &["st x 1", "fence.release.SCOPE", "add.relaxed.SCOPE flag"], true),
    ("update", &["st x 1", "add.acq_rel.SCOPE flag"], true),
    ("relaxed", &["st x 1", "st.relaxed.SCOPE flag 1"], false),
    ("volatile", &["st x 1", "st.volatile flag 1"], false),
    ("fence too early", &["fence.acq_rel.SCOPE", "st x 1", "st.relaxed.SCOPE flag 1"], false),
];

const ACQUIRES: [(&str, &[&str], bool); 8] = [
    ("acquire", &["await.acquire.SCOPE flag 1", "ld x"], true),
    ("fence", &["await.relaxed.SCOPE flag 1", "fence.acq_rel.SCOPE", "ld x"], true),
    ("volatile, fence.sc", &["await.volatile flag 1", "fence.sc.SCOPE", "ld x"], true),
    ("fence.acquire", &["await.relaxed.SCOPE flag 1", "fence.acquire.SCOPE", "ld x"], true),
    ("acquire behind a relaxed read", &["await.relaxed.SCOPE flag 1", "ld.acquire.SCOPE flag", "ld x"], true),
    ("relaxed", &["await.relaxed.SCOPE flag 1", "ld x"], false),
    ("volatile", &["await.volatile flag 1", "ld x"], false),
    ("fence too early", &["fence.acq_rel.SCOPE", "await.relaxed.SCOPE flag 1", "ld x"], false),
];

/// MP: the data is ordered exactly if the write is a release pattern and the read an acquire
/// pattern.
#[test]
fn a_message_takes_a_release_and_an_acquire() {
    let _table = Table(Section::new("litmus a_message_takes_a_release_and_an_acquire"));
    for apart in PLACES {
        for (release, writes, is_release) in RELEASES {
            for (acquire, reads, is_acquire) in ACQUIRES {
                let scope = apart.scope();
                let race = race_with(apart, &[writes, reads], &[scope, scope]);
                assert_eq!(race, !(is_release && is_acquire), "{apart:?}: {release}, {acquire}");
            }
        }
    }
}

/// MP with a scope on one side: each side's scope must include the other thread.
#[test]
fn a_message_reaches_the_scopes_of_both_sides() {
    let _table = Table(Section::new("litmus a_message_reaches_the_scopes_of_both_sides"));
    let all = ["cta", "cluster", "gpu", "sys"];
    for apart in PLACES {
        for (i, scope) in all.iter().enumerate() {
            let is_wide = i >= apart as usize;
            for (release, writes, _) in RELEASES.iter().filter(|(.., is)| *is) {
                let race = race_with(apart, &[writes, ACQUIRES[0].1], &[scope, "sys"]);
                assert_eq!(race, !is_wide, "{apart:?}: {release} in {scope}");
            }
            for (acquire, reads, _) in ACQUIRES.iter().filter(|(.., is)| *is) {
                let race = race_with(apart, &[RELEASES[0].1, reads], &["sys", scope]);
                assert_eq!(race, !is_wide, "{apart:?}: {acquire} in {scope}");
            }
        }
    }
}

/// A thread's fences and accesses have scopes of their own: both must include the other thread.
#[test]
fn the_scope_of_a_pattern_is_the_narrower_one() {
    let _table = Table(Section::new("litmus the_scope_of_a_pattern_is_the_narrower_one"));
    let reader: &[&str] = &["await.acquire.gpu flag 1", "ld x"];
    let writer: &[&str] = &["st x 1", "st.release.gpu flag 1"];
    for (threads, race) in [
        ([&["st x 1", "fence.acq_rel.cta", "st.relaxed.gpu flag 1"], reader], true),
        ([&["st x 1", "fence.acq_rel.gpu", "fence.acq_rel.cta", "st.relaxed.gpu flag 1"], reader], false),
        ([&["fence.acq_rel.gpu", "st x 1", "fence.acq_rel.cta", "st.relaxed.gpu flag 1"], reader], true),
        ([writer, &["await.relaxed.gpu flag 1", "fence.acq_rel.cta", "ld x"]], true),
        ([writer, &["await.relaxed.gpu flag 1", "fence.acq_rel.cta", "fence.acq_rel.gpu", "ld x"]], false),
    ] {
        for apart in [Cluster, Gpu] {
            assert_eq!(races(apart, &threads), race, "{apart:?} {threads:?}");
        }
        assert!(!races(Cta, &threads), "{threads:?}");
    }
}

/// A fence beside accesses of another kernel's part, or of another thread, orders nothing here.
#[test]
fn a_fence_elsewhere_does_not_help() {
    let _table = Table(Section::new("litmus a_fence_elsewhere_does_not_help"));
    let reader: &[&str] = &["await.relaxed.gpu flag 1", "ld x"];
    let writer: &[&str] = &["st x 1", "st.relaxed.gpu flag 1"];
    for apart in PLACES {
        assert!(races(apart, &[writer, reader, &["fence.sc.gpu", "add.acq_rel.gpu y"]]));
    }
}

/// Release sequences: atomic updates continue the pattern of the write that they observe, and so
/// does a later write by the thread that released. Another thread's write ends it.
#[test]
fn updates_continue_a_release() {
    let _table = Table(Section::new("litmus updates_continue_a_release"));
    let writer: &[&str] = &["st x 1", "st.release.gpu flag 1"];
    // A reader that began early could observe the first write itself.
    let reader: &[&str] = &["await.relaxed.gpu turn 1", "await.acquire.gpu flag 2", "ld x"];
    for (apart, race, between) in [
        (Gpu, false, &["await.relaxed.gpu flag 1", "add.relaxed.gpu flag"]),
        (Gpu, false, &["await.relaxed.gpu flag 1", "swap.relaxed.gpu flag 2"]),
        (Gpu, true, &["await.relaxed.gpu flag 1", "st.relaxed.gpu flag 2"]),
        (Gpu, true, &["await.volatile flag 1", "st.volatile flag 2"]),
        // The writer's pattern does not reach it, but its own does.
        (Gpu, true, &["await.relaxed.gpu flag 1", "st.release.gpu flag 2"]),
        (Gpu, false, &["await.acquire.gpu flag 1", "st.release.gpu flag 2"]),
        (Cluster, false, &["await.relaxed.cluster flag 1", "add.relaxed.cluster flag"]),
        (Cta, false, &["await.relaxed.cta flag 1", "add.relaxed.cta flag"]),
        (Cta, true, &["await.relaxed.cta flag 1", "st.relaxed.cta flag 2"]),
    ] {
        let between = [&between[..], &["st.relaxed.gpu turn 1"]].concat();
        assert_eq!(races(apart, &[writer, &between, reader]), race, "{apart:?} {between:?}");
    }
    for apart in PLACES {
        let again: &[&str] = &["st x 1", "st.release.gpu flag 1", "st.relaxed.gpu flag 2"];
        assert!(!races(apart, &[again, &reader[1..]]), "{apart:?}");
        let later: &[&str] = &["st.release.gpu flag 1", "st x 1", "st.relaxed.gpu flag 2"];
        assert!(races(apart, &[later, &reader[1..]]), "{apart:?}");
    }
}

/// A plain store of the flag is not part of any pattern, and races with the strong read.
#[test]
fn a_plain_flag_orders_nothing() {
    let _table = Table(Section::new("litmus a_plain_flag_orders_nothing"));
    for apart in PLACES {
        assert!(races(apart, &[&["st x 1", "fence.sc.gpu", "st flag 1"], &["ld.acquire.gpu flag", "ld x"]]));
    }
}

/// What a thread acquired is part of what it publishes next, in any mixture of scopes.
#[test]
fn knowledge_is_passed_on() {
    let _table = Table(Section::new("litmus knowledge_is_passed_on"));
    let first: &[&str] = &["st x 1", "st.release.gpu flag 1"];
    let last: &[&str] = &["await.acquire.gpu turn 1", "ld x"];
    for apart in PLACES {
        for (between, race) in [
            (&["await.acquire.gpu flag 1", "st.release.gpu turn 1"][..], false),
            (&["await.relaxed.gpu flag 1", "fence.acq_rel.gpu", "st.relaxed.gpu turn 1"], false),
            (&["await.relaxed.gpu flag 1", "st.release.gpu turn 1"], true),
            (&["await.acquire.gpu flag 1", "st.relaxed.gpu turn 1"], true),
        ] {
            assert_eq!(races(apart, &[first, between, last]), race, "{apart:?} {between:?}");
        }
    }
}

/// A thread that reads a write without acquiring is ordered with that write alone.
#[test]
fn a_flag_that_was_read_may_be_written() {
    let _table = Table(Section::new("litmus a_flag_that_was_read_may_be_written"));
    for apart in PLACES {
        let writer: &[&str] = &["st.relaxed.gpu flag 1"];
        assert!(!races(apart, &[writer, &["await.relaxed.gpu flag 1", "st flag 0"]]), "{apart:?}");
        assert!(!races(apart, &[&["add.relaxed.gpu flag"], &["await.relaxed.gpu flag 1", "ld flag"]]));
        assert!(races(apart, &[writer, &["st flag 0"]]), "{apart:?}");
    }
}

/// A lock that is acquired by compare-exchange and released by a store or an exchange.
#[test]
fn locks_exclude() {
    let _table = Table(Section::new("litmus locks_exclude"));
    for apart in PLACES {
        let scope = apart.scope();
        for (lock, unlock, race) in [
            (&["lock.acquire.SCOPE turn"][..], &["st.release.SCOPE turn 0"][..], false),
            (&["lock.acq_rel.SCOPE turn"], &["swap.release.SCOPE turn 0"], false),
            (
                &["lock.relaxed.SCOPE turn", "fence.acq_rel.SCOPE"],
                &["fence.acq_rel.SCOPE", "swap.relaxed.SCOPE turn 0"],
                false,
            ),
            (&["lock.relaxed.SCOPE turn"], &["st.release.SCOPE turn 0"], true),
            (&["lock.acquire.SCOPE turn"], &["st.relaxed.SCOPE turn 0"], true),
        ] {
            let all = [lock, &["ld x", "st x 1"], unlock].concat();
            assert_eq!(
                race_with(apart, &[&all, &all, &all], &[scope; 3]),
                race,
                "{apart:?} {lock:?} {unlock:?}"
            );
        }
    }
}

/// SB, LB and IRIW have no data, and no race: with and without fences, and whatever the order, as
/// long as the scopes are wide enough.
#[test]
fn atomics_alone_do_not_race() {
    let _table = Table(Section::new("litmus atomics_alone_do_not_race"));
    for apart in PLACES {
        let scope = apart.scope();
        for (store, load) in [("relaxed", "relaxed"), ("release", "acquire")] {
            let st = |at: &str| format!("st.{store}.{scope} {at} 1");
            let ld = |at: &str| format!("ld.{load}.{scope} {at}");
            let (x, y, from_x, from_y) = (st("x"), st("y"), ld("x"), ld("y"));
            for fence in ["fence.sc", "fence.acq_rel"] {
                let fence = format!("{fence}.{scope}");
                let tests: [Vec<Vec<&str>>; 3] = [
                    vec![vec![&x, &fence, &from_y], vec![&y, &fence, &from_x]],
                    vec![vec![&from_x, &fence, &y], vec![&from_y, &fence, &x]],
                    vec![vec![&x], vec![&y], vec![&from_x, &fence, &from_y], vec![&from_y, &fence, &from_x]],
                ];
                for test in tests {
                    let with: Vec<&[&str]> = test.iter().map(Vec::as_slice).collect();
                    assert!(!races(apart, &with), "{apart:?} {test:?}");
                    let bare: Vec<Vec<&str>> =
                        test.iter().map(|t| t.iter().filter(|s| **s != fence).copied().collect()).collect();
                    assert!(!races(apart, &bare.iter().map(Vec::as_slice).collect::<Vec<_>>()), "{bare:?}");
                }
            }
        }
    }
}

/// With a scope that does not include the other thread, the atomics themselves race.
#[test]
fn atomics_in_narrow_scopes_race() {
    let _table = Table(Section::new("litmus atomics_in_narrow_scopes_race"));
    for (apart, scope) in [(Cluster, "cta"), (Gpu, "cta"), (Gpu, "cluster")] {
        let threads: [&[&str]; 2] = [&["st.relaxed.SCOPE x 1"], &["ld.relaxed.SCOPE x"]];
        assert!(race_with(apart, &threads, &[scope, scope]), "{apart:?} {scope}");
        assert!(race_with(apart, &threads, &[scope, "sys"]), "{apart:?} {scope}");
        let mixed: [&[&str]; 2] = [&["add.acq_rel.SCOPE x"], &["add.acq_rel.SCOPE x"]];
        assert!(race_with(apart, &mixed, &[scope, "gpu"]), "{apart:?} {scope}");
    }
}
