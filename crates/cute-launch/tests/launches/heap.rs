//! `malloc` and `free` of threads, as nvcc compiles them.

use super::{KERNELS, outcome_with};
use cute_launch::{NamedKernels, Ptx, after::After, job::Outcome};

const DECLARED: &str = ".extern .func (.param .b64 func_retval0) malloc (.param .b64 malloc_param_0);
.extern .func free (.param .b64 free_param_0);
";

/// A kernel of two threads, with `%d1` the address of the thread's 8 bytes of x.
fn kernel(name: &str, body: &str) -> String {
    format!(
        ".visible .entry {name}(.param .u64 x) .reqntid 2 {{
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %d<9>;
  ld.param.u64 %d7, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 8;
  add.u64 %d1, %d7, %d2;
{body}
  ret;
}}
"
    )
}

/// `%d3` is new memory of 12 bytes.
const MALLOC: &str = "  { .param .b64 param0; st.param.b64 [param0+0], 12; .param .b64 retval0;
  call.uni (retval0), malloc, (param0);
  ld.param.b64 %d3, [retval0+0]; }";

/// Frees `%d3`.
const FREE: &str = "  { .param .b64 param0; st.param.b64 [param0+0], %d3;
  call.uni free, (param0); }";

/// Uses the memory.
const USE: &str = "  st.u32 [%d3+8], %r1;\n  ld.u32 %r2, [%d3+8];\n  st.global.u32 [%d1], %r2;";
const PASS: &str = "  st.global.u64 [%d1], %d3;";
const TAKE: &str = "  ld.global.u64 %d3, [%d1];";

/// The thread takes what the other one has passed.
const TAKE_OTHER: &str = "  xor.b32 %r3, %r1, 1;\n  mul.wide.u32 %d4, %r3, 8;\n  add.u64 %d4, %d7, %d4;\n  ld.global.u64 %d3, [%d4];";

fn run(bodies: &[&[&str]]) -> Outcome {
    let names = ["first", "second"];
    let named = || names.iter().zip(bodies);
    let all: String = named().map(|(name, body)| kernel(name, &body.join("\n"))).collect();
    let text = KERNELS.replace("BODY", &(DECLARED.to_owned() + &all));
    let ptx = Ptx::read("k.ptx", &text, None).unwrap_or_else(|why| panic!("{why}"));
    let launch = |name: &str| format!("{{\"launch\": \"{name}\", \"grid\": [1], \"args\": [\"&X\"]}}");
    let launches: Vec<String> = named().map(|(name, _)| launch(name)).collect();
    let launches = format!("{{\"arrays\": {{\"X\": \"u64[2]\"}}, \"operations\": [{}]}}", launches.join(","));
    outcome_with(&launches, NamedKernels::from((&ptx.manifest, "k.ptx")), &ptx.program, ptx.target).unwrap()
}

fn found(bodies: &[&[&str]]) -> String {
    let text = run(bodies).reports.found();
    text.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn threads_allocate_and_free() {
    let outcome = run(&[&[MALLOC, USE, FREE]]);
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
    let After::Simulated(memory, buffer) = &outcome.arrays[0] else { panic!() };
    assert_eq!(memory.download::<u64>(*buffer), [0, 1]);
    assert!(!outcome.reports.to_string().contains("not freed"));
    // The heap outlives a launch, and memory may be freed by another thread after a barrier.
    assert_eq!(found(&[&[MALLOC, PASS], &[TAKE, USE, FREE]]), "");
    assert_eq!(found(&[&[MALLOC, PASS, "  bar.sync 0;", TAKE_OTHER, FREE]]), "");
    // Null is freed without an effect.
    assert_eq!(found(&[&["  mov.b64 %d3, 0;", FREE]]), "");
}

#[test]
fn what_is_not_freed_is_noted() {
    let outcome = run(&[&[MALLOC, USE]]);
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
    let note = "note: 2 allocations of the device's heap, 24 bytes, are not freed; `malloc` (k.ptx:13) made the first one";
    assert!(outcome.reports.to_string().contains(note), "{}", outcome.reports);
}

#[test]
fn memory_is_used_between_malloc_and_free() {
    assert_eq!(
        found(&[&[MALLOC, FREE, USE]]),
        "error: k.ptx:17: `st.u32` in block (0, 0, 0), thread (0, 0, 0): writes byte 8 of 12 bytes of the device's heap, which \
         `malloc` (k.ptx:13) has allocated and `free` (k.ptx:16) by thread (0, 0, 0) of block (0, 0, 0) has freed before"
    );
    // Also in a later launch.
    let later = found(&[&[MALLOC, PASS, FREE], &[TAKE, USE]]);
    assert!(later.contains("`st.u32`") && later.contains("has freed before"), "{later}");
    let beyond = USE.replace("+8]", "+12]");
    assert_eq!(
        found(&[&[MALLOC, &beyond]]),
        "error: k.ptx:15: `st.u32` in block (0, 0, 0), thread (0, 0, 0): writes byte 12 of the device's heap, which is in no \
         allocation, 0 bytes past the 12 that `malloc` (k.ptx:13) has allocated"
    );
    let last = "  st.u8 [%d3+11], %r1;";
    assert_eq!(found(&[&[MALLOC, last, FREE]]), "");
}

#[test]
fn memory_is_freed_once_by_its_address() {
    let twice = found(&[&[MALLOC, FREE, FREE]]);
    assert!(
        twice.starts_with("error: k.ptx:18: `call.uni` in block (0, 0, 0), thread (0, 0, 0): frees 12 bytes of the device's heap")
            && twice.ends_with("`free` (k.ptx:16) by thread (0, 0, 0) of block (0, 0, 0) has freed before"),
        "{twice}"
    );
    let within = found(&[&[MALLOC, "  add.u64 %d3, %d3, 4;", FREE]]);
    assert!(within.contains(", with which no allocation of `malloc` begins"), "{within}");
    let other = found(&[&["  mov.b64 %d3, %d1;", FREE]]);
    assert!(other.contains(", with which no allocation of `malloc` begins"), "{other}");
    // Another thread uses it, and nothing orders the two.
    let read = "  ld.u32 %r2, [%d3];";
    let race = found(&[&[MALLOC, PASS, "  bar.sync 0;", TAKE_OTHER, read, TAKE, FREE]]);
    assert!(
        race.contains("`call.uni` in block (0, 0, 0), thread (0, 0, 0): writes byte 0 of buffer of the device's heap, and nothing \
            orders it with the read by thread (1, 0, 0)"),
        "{race}"
    );
}

#[test]
fn beyond_the_heap_there_is_null() {
    let large = MALLOC.replace("12;", "8388600;");
    let outcome = run(&[&[&large, PASS]]);
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
    let After::Simulated(memory, buffer) = &outcome.arrays[0] else { panic!() };
    assert_eq!(memory.download::<u64>(*buffer), [0, 0]);
    // Half of the heap twice, again and again.
    let half = MALLOC.replace("12;", "4000000;");
    assert_eq!(found(&[&[&half, USE, FREE, &half, USE, FREE], &[&half, USE, FREE]]), "");
}
