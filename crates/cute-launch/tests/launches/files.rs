//! Kernels of several files of PTX in one run: each file is a module of its own.

use super::{KERNELS, outcome_with};
use cute_launch::{NamedKernels, OtherFile, Ptx, after::After};

/// A kernel that stores a variable and a constant of its module, and adds to the variable.
fn module(variable: u32, constant: u32) -> Ptx {
    let body = format!(
        ".global .align 4 .u32 count = {variable};\n.const .align 4 .u32 step = {constant};\n\
         .visible .entry take(.param .u64 x) .reqntid 1 {{
  .reg .b32 %r<4>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [x];
  ld.global.u32 %r1, [count];
  ld.const.u32 %r2, [step];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [count], %r3;
  st.global.u32 [%d1], %r1;
  ret;
}}
"
    );
    Ptx::read("k.ptx", &KERNELS.replace("BODY", &body), None).unwrap_or_else(|why| panic!("{why}"))
}

fn launches(files: [&str; 4]) -> String {
    let launch = |(i, file): (usize, &str)| {
        format!("{{\"launch\": \"take\", \"file\": \"{file}\", \"grid\": [1], \"args\": [\"&X+{}\"]}}", 4 * i)
    };
    let all: Vec<String> = files.into_iter().enumerate().map(launch).collect();
    format!("{{\"arrays\": {{\"X\": \"u32[4]\"}}, \"operations\": [{}]}}", all.join(","))
}

#[test]
fn equal_names_of_two_files_are_different_things() {
    let (first, second) = (module(1, 10), module(2, 100));
    let (mut program, manifest, target) = (first.program, first.manifest, first.target);
    let others = [OtherFile::join("b.ptx", second, &mut program)];
    let kernels = NamedKernels { manifest: &manifest, file: "a.ptx", others: &others };
    let run = |files| outcome_with(&launches(files), kernels, &program, target);
    let outcome = run(["a.ptx", "b.ptx", "a.ptx", "b.ptx"]).unwrap();
    assert_eq!(outcome.reports.findings(), None, "{}", outcome.reports);
    let After::Simulated(memory, buffer) = &outcome.arrays[0] else { panic!() };
    assert_eq!(memory.download::<u32>(*buffer), [1, 2, 11, 102]);
    // The file sets variables of both.
    let set = launches(["a.ptx", "b.ptx", "a.ptx", "b.ptx"]).replacen(
        '{',
        "{\"variables\": {\"count\": \"u32=5\", \"step of b.ptx\": \"u32=1000\"}, ",
        1,
    );
    let outcome = outcome_with(&set, kernels, &program, target).unwrap();
    let After::Simulated(memory, buffer) = &outcome.arrays[0] else { panic!() };
    assert_eq!(memory.download::<u32>(*buffer), [5, 2, 15, 1002]);
    let why =
        outcome_with(&set.replace("count", "counts"), kernels, &program, target).expect_err("there is none");
    assert!(why.to_string().contains("no kernel uses a variable 'counts'; did you mean 'count'?"), "{why}");
    let why = run(["a.ptx", "c.ptx", "a.ptx", "b.ptx"]).expect_err("there is no such file");
    assert_eq!(
        why.to_string(),
        "operations[1].file: 'c.ptx' is not among the files of this run: a.ptx, b.ptx"
    );
}
