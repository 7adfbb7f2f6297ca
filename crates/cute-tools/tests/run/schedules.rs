//! `cutec run` under several schedules: merged findings, compared arrays, and what is reported.

use super::{CHECKED, GOOD, ISSUER_FENCES, KERNELS, host, run_in};
use serde_json::{Value, json};
use std::{fs, process::Command};

/// The elected lane stores one more than its number and, with `TRAP`, must be lane 0.
const ELECTED: &str = r#"gpu.module @m {
  gpu.func @elect(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %e = nvvm.elect.sync -> i1
    cf.cond_br %e, ^elected, ^end
  ^elected:
    %v = CONVERT
    llvm.store %v, %out : TYPE, !llvm.ptr<1>
    TRAP
    cf.br ^end
  ^end:
    gpu.return
  }
}
"#;

fn elected(ty: &str, convert: &str, trap: &str) -> String {
    ELECTED.replace("TYPE", ty).replace("CONVERT", convert).replace("TRAP", trap)
}

fn integer() -> String {
    elected("i32", "llvm.add %t, %one : i32", "")
}

/// The warp that comes first stores; it must be warp 0.
const ORDERED: &str = r#"gpu.module @m {
  gpu.func @ordered(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %lane = llvm.and %t, %c31 : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %is = llvm.icmp "eq" %lane, %zero : i32
    cf.cond_br %is, ^first, ^end
  ^first:
    %before = llvm.atomicrmw add %out, %one monotonic : !llvm.ptr<1>, i32
    %came_first = llvm.icmp "eq" %before, %zero : i32
    %other = llvm.icmp "eq" %t, %c32 : i32
    %wrong = llvm.and %came_first, %other : i1
    cf.cond_br %wrong, ^trap, ^end
  ^trap:
    llvm.intr.trap
    cf.br ^end
  ^end:
    gpu.return
  }
}
"#;

/// Fails unless the lane is elected that all schedules but reverse elect.
fn trapping() -> String {
    let trap = "%chosen = llvm.mlir.constant(0 : i32) : i32
    %right = llvm.icmp \"eq\" %t, %chosen : i32
    cf.cond_br %right, ^end, ^wrong
  ^wrong:
    llvm.intr.trap";
    elected("i32", "llvm.add %t, %one : i32", trap)
}

/// Exit code, standard output and error in a new folder.
fn run(text: &str, arguments: &str) -> (Option<i32>, String, String) {
    run_in(&tempfile::tempdir().unwrap(), text, arguments)
}

fn json(text: &str, arguments: &str) -> Value {
    let (_, out, err) = run(text, &format!("{arguments} --report json"));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"))
}

#[test]
fn kernels_with_asynchronous_operations_run_under_three_schedules() {
    let send = "--grid 1 --arg out:i32[32]";
    for (text, arguments, schedules) in [
        (KERNELS, GOOD.to_owned(), json!(["lazy"])),
        (KERNELS, format!("{GOOD} --schedules 5"), json!(["lazy", "eager", "reverse", "1", "2"])),
        (ISSUER_FENCES, send.to_owned(), json!(["lazy", "eager", "reverse"])),
        (ISSUER_FENCES, format!("{send} --schedules 1"), json!(["lazy"])),
        (ISSUER_FENCES, format!("{send} --schedule 7"), json!(["7"])),
    ] {
        let report = json(text, &arguments);
        assert_eq!((&report["schedules"], &report["differences"]), (&schedules, &Value::Null), "{arguments}");
        let (code, out, err) = run(text, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let several = schedules.as_array().unwrap().len() > 1;
        assert_eq!(out.contains("\nrun under the schedules lazy, eager, reverse"), several, "{out}");
    }
    let (code, _, err) = run(KERNELS, &format!("{GOOD} --schedules 2 --schedule lazy"));
    assert!(code == Some(1) && err.contains("cannot be used with"), "{err}");
    assert!(run(KERNELS, &format!("{GOOD} --schedules 0")).2.contains("0 is not in 1.."));
}

#[test]
fn a_mistake_that_one_schedule_shows_fails_the_run_and_names_it() {
    let launch = "--grid 1 --arg out:i32[1]";
    assert_eq!(run(ORDERED, launch).0, Some(0));
    let (code, out, err) = run(ORDERED, &format!("{launch} --schedules 3"));
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'ordered' has 1 finding\n"), "{out}");
    assert!(out.contains("the kernel traps\n  under the schedule reverse\n"), "{out}");
    // The array differs because of the mistake, so that it is not mentioned.
    assert!(!out.contains("depends on the schedule"), "{out}");
    let report = json(ORDERED, &format!("{launch} --schedules 3"));
    assert_eq!(report["findings"][0]["schedules"], json!(["reverse"]));
    assert_eq!(run(ORDERED, &format!("{launch} --schedule reverse")).0, Some(1));
}

/// A mistake that depends on the elected lane alone names the election that it relies on.
#[test]
fn a_mistake_that_only_another_lane_shows_is_one_of_portability() {
    let launch = "--grid 1 --arg out:i32[2]";
    let text = trapping();
    let line = |what: &str| text.lines().position(|line| line.contains(what)).unwrap() + 1;
    let (elects, traps) = (line("nvvm.elect.sync"), line("llvm.intr.trap"));
    for schedules in ["--schedules 3", "--schedules 5", "--schedule reverse"] {
        let (code, out, err) = run(&text, &format!("{launch} {schedules}"));
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        for part in [
            format!("k.mlir:{traps}:"),
            "portability: ".to_owned(),
            "the kernel traps; with the lowest lane of the mask elected this does not happen".to_owned(),
            format!("it relies on the lane that `nvvm.elect.sync` (k.mlir:{elects}:"),
        ] {
            assert!(out.contains(&part), "{part}: {out}");
        }
        // The arrays are those of the lowest lane.
        assert!(!out.contains("depends on the schedule"), "{out}");
        let report = json(&text, &format!("{launch} {schedules}"));
        let finding = &report["findings"][0];
        assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
        assert_eq!(
            (&finding["kind"]["kind"], &finding["grade"]),
            (&json!("elected_lane"), &json!("portability"))
        );
        assert_eq!(finding["kind"]["what"]["kind"], json!("trap"));
        let (code, _, err) = run(&text, &format!("{launch} {schedules} --strict-isa"));
        assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'elect' has 1 finding\n"));
    }
    // A lane that is chosen is chosen for all schedules.
    for (elect, code) in [("first", 0), ("0", 0), ("last", 1), ("31", 1), ("7", 1)] {
        let (found, out, _) = run(&text, &format!("{launch} --schedules 3 --elect {elect}"));
        assert_eq!(found, Some(code), "{elect}: {out}");
        assert_eq!(out.contains("  under the schedules lazy, eager, reverse\n"), code == 1, "{out}");
    }
    let (_, _, err) = run(&text, &format!("{launch} --elect 32"));
    assert!(err.contains("the elected lane is first, last, or a number from 0 to 31"), "{err}");
}

/// Among several elections, the one that makes the difference is named; another mistake of the same
/// run stays what it is.
#[test]
fn the_election_that_a_mistake_relies_on_is_found_among_others() {
    let elect = "    %e = nvvm.elect.sync -> i1\n";
    let before: String = (0..6).map(|i| format!("    %b{i} = nvvm.elect.sync -> i1\n")).collect();
    let after: String = (0..3).map(|i| format!("    %a{i} = nvvm.elect.sync -> i1\n")).collect();
    let text = trapping().replace(elect, &format!("{before}{elect}{after}"));
    let line = text.lines().position(|line| line.contains("%e = nvvm.elect.sync")).unwrap() + 1;
    let (code, out, _) = run(&text, "--grid 1 --arg out:i32[2] --schedules 3");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains(&format!("`nvvm.elect.sync` (k.mlir:{line}:")), "{out}");
    // The store leaves the array, whichever lane is elected.
    let beyond = text.replace(
        "llvm.store %v, %out",
        "%far = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %far",
    );
    let (code, out, _) = run(&beyond, "--grid 1 --arg out:i32[1] --schedules 3");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("4 bytes at byte 124 of buffer out") && out.contains("portability: "), "{out}");
    let (code, out, _) = run(&beyond, "--grid 1 --arg out:i8[2] --schedules 3");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("error: ") && !out.contains("portability: "), "{out}");
}

#[test]
fn a_mistake_under_all_schedules_is_one_finding() {
    let launch = GOOD.replace("n:i32=100", "101") + " --schedules 4";
    let report = json(KERNELS, &launch);
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["findings"][0]["schedules"], json!(["lazy", "eager", "reverse", "1"]));
    let (code, out, err) = run(KERNELS, &launch);
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'twice' has 1 finding\n"));
    assert!(out.contains("\n  under the schedules lazy, eager, reverse, 1\n"), "{out}");
    // Counters are those of one run.
    let one = json(KERNELS, &GOOD.replace("n:i32=100", "101"));
    assert_eq!((&report["stats"], &one["findings"][0]["schedules"]), (&one["stats"], &Value::Null));
}

#[test]
fn arrays_that_differ_are_a_note_and_lazys_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let launch = "--grid 1 --arg out:i32[2] --schedules 3 --out out=o.npy";
    let (code, out, err) = run_in(&folder, &integer(), launch);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let note = "\nnote: out: i32[2] depends on the schedule, although no run has an error: 1 of 2 elements differ, the first at \
        [0]: 1 under lazy, 32 under reverse; that is legal only if the kernel means to depend on an order";
    assert!(out.contains(note), "{out}");
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("o.npy")).unwrap()).unwrap();
    assert_eq!(file.into_vec::<i32>().unwrap(), [1, 0]);

    let float = elected("f32", "llvm.sitofp %t : i32 to f32", "");
    let (code, out, _) = run(&float, "--grid 1 --arg out:f32[1] --schedules 3");
    assert_eq!(code, Some(0));
    assert!(out.contains("legal if atomic operations or bulk reductions add floats in any order"), "{out}");
    let report = json(&float, "--grid 1 --arg out:f32[1] --schedules 3");
    let difference = &report["differences"][0];
    assert_eq!(
        [&difference["array"], &difference["first"], &difference["others"], &difference["is_float"]],
        [&json!("out: f32[1]"), &json!("lazy"), &json!(["reverse"]), &json!(true)]
    );
    assert_eq!(report["findings"], json!([]));
}

#[test]
fn each_schedule_has_the_whole_budget() {
    // One block: several take parts of the budget at once.
    let one = GOOD.replace("--grid 2", "--grid 1").replace("n:i32=100", "n:i32=50");
    let instructions = json(KERNELS, &one)["stats"]["instructions"].as_u64().unwrap();
    let launch = |budget: u64| run(KERNELS, &format!("{one} --schedules 3 --budget {budget}"));
    let (code, out, _) = launch(instructions);
    assert_eq!(code, Some(0), "{out}");
    let (code, out, _) = launch(instructions - 1);
    assert_eq!(code, Some(1));
    assert!(out.contains("\n  under the schedules lazy, eager, reverse\n"), "{out}");
}

#[test]
fn the_output_of_a_kernel_is_printed_once() {
    let (code, out, _) =
        run(CHECKED, "--grid 1 --block 2 --arg i32[4x8] --arg 8 --arg 3 --runtime-checks --schedules 3");
    assert_eq!(code, Some(0));
    assert!(out.starts_with("3\n3\nk: 1 block") && out.matches("3\n3\n").count() == 1, "{out}");
}

#[test]
fn notes_that_are_held_back_are_counted() {
    let launch = "--grid 1 --arg out:i32[32]";
    let early = ISSUER_FENCES.replace("    nvvm.cp.async.bulk.wait_group 0 {read}\n", "");
    let (code, out, err) = run(&early, launch);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\n1 note is not shown: --pedantic shows it\n"), "{out}");
    assert!(out.starts_with("portability: ") && !out.contains("the block returns without knowing"), "{out}");
    let report = json(&early, launch);
    assert_eq!((&report["hidden_notes"], report["findings"].as_array().map(Vec::len)), (&json!(1), Some(1)));
    let (code, out, _) = run(&early, &format!("{launch} --pedantic"));
    assert_eq!(code, Some(0));
    assert!(out.contains("the block returns without knowing") && !out.contains("not shown"), "{out}");
}

#[test]
fn a_host_function_runs_under_several_schedules() {
    let launch = "--host --arg x:f32[128]=range --arg y:f32[128] --arg 3 --arg 2 --schedules 4";
    let report = json(host::MODULE, launch);
    assert_eq!(report["schedules"], json!(["lazy", "eager", "reverse", "1"]));
    assert_eq!(report["launches"].as_array().map(Vec::len), Some(2));
    let (code, out, err) = run(host::MODULE, launch);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.ends_with("\nrun under the schedules lazy, eager, reverse, 1\n"), "{out}");
    // Runs at the same time give what they give one by one.
    assert_eq!(run(host::MODULE, launch).1, out);
}

/// Each block takes the next ticket, and stores it at its own place, or at that of the ticket.
const TICKETS: &str = "
.version 9.0
.target sm_90
.address_size 64
.visible .entry tickets(.param .u64 count, .param .u64 out) .reqntid 1
{
  .reg .b32 %r<4>; .reg .b64 %d<4>;
  ld.param.u64 %d0, [count];
  ld.param.u64 %d1, [out];
  mov.u32 %r0, %ctaid.x;
  atom.global.add.u32 %r1, [%d0], 1;
  mul.wide.u32 %d2, PLACE, 4;
  add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r1;
  ret;
}
";

#[test]
fn blocks_have_an_order_of_each_schedule() {
    let folder = tempfile::tempdir().unwrap();
    let run = |place: &str, arguments: &str| -> Value {
        fs::write(folder.path().join("k.ptx"), TICKETS.replace("PLACE", place)).unwrap();
        let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let c = c.current_dir(folder.path()).args(["run", "k.ptx", "--grid", "8", "--report", "json"]);
        let c = c.args(["--arg", "u32[1]", "--arg", "out:u32[8]"]).args(arguments.split_whitespace());
        let output = c.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let others = |report: &Value| report["differences"][0]["others"].as_array().map(Vec::len);
    let reverse = run("%r0", "--schedules 3");
    let difference = &reverse["differences"][0];
    assert_eq!((&difference["array"], &difference["others"]), (&json!("out: u32[8]"), &json!(["reverse"])));
    assert_eq!((&difference["first"], &difference["differ"]), (&json!("lazy"), &json!(8)), "{reverse}");
    // Seeds mix the blocks.
    assert!(others(&run("%r0", "--schedules 8")) > Some(3));
    assert_eq!(others(&run("%r1", "--schedules 8")), None, "a ticket is a place");
    // A given schedule gives the same run each time.
    let again = || run("%r0", "--schedule 5")["sites"].clone();
    assert_eq!(again(), again());
}
