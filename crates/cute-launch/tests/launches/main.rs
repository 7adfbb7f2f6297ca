//! Several launches in streams: each rule about their order with a program that breaks it, whose
//! race is found with both places, and a repaired one, which is silent.

mod clusters;
mod cooperative;
mod files;
mod graphs;
mod heap;
mod host;
mod streams;
mod tiles;
mod wrong;

use cute_arch::Target;
use cute_launch::{
    Job, LaunchesFile, NamedKernels, Ptx,
    bind::{Arguments, Face, NoFiles, Sms, Variables},
    job::{Outcome, Place},
    simulate::Checks,
    simulator::{Simulator, unfollowed},
};
use cute_sim::{Grade, Program};

/// Thread t of a grid uses element t of x, and of y if it copies.
const KERNELS: &str = ".version 8.0
.target sm_90
.address_size 64
BODY";

/// A kernel that executes some instructions between others, with `%d1` the address of the thread's
/// element of x, and `%d2` of y.
fn kernel(name: &str, body: &str) -> String {
    format!(
        ".visible .entry {name}(.param .u64 x, .param .u64 y) {{
  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %d3, %r4, 4;
  add.u64 %d1, %d1, %d3;
  add.u64 %d2, %d2, %d3;
{body}
  ret;
}}
"
    )
}

/// Instructions of the kernels.
const WRITE: &str = "  st.global.u32 [%d1], %r4;";
const COPY: &str = "  ld.global.u32 %r5, [%d1];\n  st.global.u32 [%d2], %r5;";
const ADD: &str = "  red.global.add.u32 [%d1], 1;";
const WAIT: &str = "  griddepcontrol.wait;";
const TRIGGER: &str = "  griddepcontrol.launch_dependents;";

fn ptx() -> Ptx {
    let read = |text: &str| Ptx::read("k.ptx", text, None).unwrap_or_else(|why| panic!("{why}"));
    let joined = |parts: &[&str]| parts.join("\n");
    let bodies = [
        ("write", joined(&[WRITE])),
        ("copy", joined(&[COPY])),
        ("add", joined(&[ADD])),
        ("write_early", joined(&[TRIGGER, WRITE])),
        ("write_late", joined(&[WAIT, WRITE])),
        ("copy_late", joined(&[WAIT, COPY])),
        ("trigger", joined(&[TRIGGER])),
        // Blocks that exit early have triggered; the others trigger before they wait.
        ("exits", joined(&["  setp.eq.u32 %p1, %r1, 0;\n  @%p1 ret;", TRIGGER, WAIT])),
        ("pass_on", joined(&[TRIGGER, WAIT])),
        ("wait_first", joined(&[WAIT, TRIGGER])),
        // Block 0 writes when it has triggered; block 1 ends without that.
        ("write_after", joined(&["  setp.ne.u32 %p1, %r1, 0;\n  @%p1 ret;", TRIGGER, WRITE])),
        // The last of 128 threads stores beyond its element, in a cluster of two.
        (
            "rank",
            joined(&[
                "  mov.u32 %r6, %cluster_nctaid.x;\n  mul.wide.u32 %d4, %r6, 508;\n  add.u64 %d1, %d1, %d4;\n  sub.u64 %d1, %d1, 508;",
                "  setp.eq.u32 %p1, %r4, 127;\n  @%p1 st.global.u32 [%d1], 0;",
            ]),
        ),
        ("clear", joined(&["  st.global.u32 [%d1], 0;"])),
    ];
    let all: String = bodies.iter().map(|(name, body)| kernel(name, body)).collect();
    read(&KERNELS.replace("BODY", &(all + cooperative::KERNEL + host::LOAD)))
}

/// The arrays of the programs.
const ARRAYS: &str = "\"arrays\": {\"X\": \"u32[128]=range\", \"Y\": \"u32[128]\"},
\"pinned\": {\"P\": \"u32[128]=5\"}, \"pageable\": {\"G\": \"u32[128]=6\"}, \"managed\": {\"M\": \"u32[128]=7\"},
\"streams\": {\"s\": \"nonblocking\", \"t\": \"nonblocking\", \"b\": \"blocking\", \"c\": \"blocking\"}";

/// A launch of 2 blocks of 64 threads, on x and y.
fn launch(kernel: &str, stream: &str) -> String {
    format!(
        "{{\"launch\": \"{kernel}\", \"grid\": [2], \"block\": [64], \"args\": [\"&X\", \"&Y\"], \"stream\": \"{stream}\"}}"
    )
}

/// The same with programmatic stream serialization.
fn early(kernel: &str, stream: &str) -> String {
    launch(kernel, stream).replace('}', ", \"programmatic\": true}")
}

/// The text of a file with these operations, each on a line of its own, from line 5 on. If none of
/// them is a launch, one that uses no memory follows.
fn file(operations: &[impl AsRef<str>]) -> String {
    let last = launch("trigger", "s");
    let mut operations: Vec<&str> = operations.iter().map(AsRef::as_ref).collect();
    if !operations.iter().any(|operation| operation.contains("launch")) {
        operations.push(&last);
    }
    format!("{{{ARRAYS},\n\"operations\": [\n{}]}}", operations.join(",\n"))
}

fn outcome(text: &str) -> cute_launch::Result<Outcome> {
    outcome_on(text, None)
}

/// The outcome on a device with this number of SMs.
fn outcome_on(text: &str, sms: Option<u32>) -> cute_launch::Result<Outcome> {
    let Ptx { manifest, program, target, .. } = &ptx();
    let kernels = NamedKernels { manifest, file: "k.ptx", others: &[] };
    outcome_of(text, (kernels, program), *target, sms)
}

/// The outcome with kernels of several files.
fn outcome_with(
    text: &str,
    kernels: NamedKernels<'_>,
    program: &Program,
    target: Target,
) -> cute_launch::Result<Outcome> {
    outcome_of(text, (kernels, program), target, None)
}

fn outcome_of(
    text: &str,
    (kernels, program): (NamedKernels<'_>, &Program),
    target: Target,
    sms: Option<u32>,
) -> cute_launch::Result<Outcome> {
    let file = LaunchesFile::read("l.json", text)?;
    let files = NoFiles(|file| format!("{file} is not read"));
    let arguments = Arguments {
        given: &[],
        arrays: &[],
        variables: Variables { given: &[], program: Some(program) },
        memory: 1 << 26,
        sms: Sms(sms),
        files: &files,
        face: Face::Json,
    };
    let job = Job::of_operations(file, kernels, &arguments, target)?;
    let checks = Checks::default();
    let (schedule, schedules) = (None, None);
    Simulator { program, checks, schedule, schedules, progress: &unfollowed }.run(&job)
}

/// The findings of a program.
fn findings(operations: &[impl AsRef<str>]) -> Vec<String> {
    findings_of(operations).into_iter().map(|(_, text)| text).collect()
}

/// The same with their grades.
fn findings_of(operations: &[impl AsRef<str>]) -> Vec<(Grade, String)> {
    let outcome = outcome(&file(operations)).unwrap_or_else(|why| panic!("{why}"));
    let reports = outcome.reports.simulated();
    let graded = |one: &cute_sim::Finding| (one.grade, one.to_string());
    reports.flat_map(|(_, report)| report.findings.iter().map(graded)).collect()
}

/// The only finding of a program.
fn finding(operations: &[impl AsRef<str>]) -> String {
    let all = findings(operations);
    let [one] = &all[..] else { panic!("{all:?}") };
    one.clone()
}

fn is_silent(operations: &[impl AsRef<str>]) {
    assert_eq!(findings(operations), Vec::<String>::new());
}
