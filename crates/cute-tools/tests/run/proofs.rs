//! `cutec prove`: the three answers, and the command of a counterexample.

use std::{fs, process::Command};

const RING: &str = include_str!("../../../cute-prove/tests/ring.ptx");

/// The arguments of a launch of the ring of `n` slots.
const LAUNCH: [&str; 8] = ["--grid", "1", "--arg", "A:i32[{256*n}]", "--arg", "D:i32[32]", "--arg", "{n}"];

fn cutec(folder: &tempfile::TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = c.current_dir(folder.path()).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn asked(text: &str, more: &[&str]) -> (tempfile::TempDir, Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.ptx"), text).unwrap();
    let (code, out, err) = cutec(&folder, &[&["prove", "k.ptx"], &LAUNCH[..], more].concat());
    (folder, code, out, err)
}

#[test]
fn a_ring_is_proved() {
    let (_, code, out, err) = asked(RING, &["--first", "0"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("proved: for every n from 0 to ") && out.contains("after 8 sizes"), "{out}");
}

#[test]
fn a_counterexample_is_a_run() {
    let arrives = "@%p9 bra NEXT;";
    let wrong = RING.replace(arrives, &format!("{arrives}\n	setp.eq.u32 %p9, %r10, 9;\n	{arrives}"));
    let (folder, code, out, err) = asked(&wrong, &["--first=0", "--seconds", "50"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: the kernel is wrong for n = 14\n"));
    let command = out.lines().last().unwrap().trim().replace('\'', "");
    assert_eq!(
        command,
        "cutec run k.ptx --grid 1 --arg A:i32[3584] --arg D:i32[32] --arg 14 --schedule=lazy"
    );
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let (code, again, _) = cutec(&folder, &words);
    assert_eq!(code, Some(1));
    let deadlock = again.lines().find(|line| line.starts_with("error: ")).unwrap();
    assert!(deadlock.contains("no thread can go on") && out.contains(deadlock), "{out}");
}

#[test]
fn a_question_needs_a_size_and_time() {
    let (_, code, out, err) = asked(RING, &["--seconds", "0"]);
    assert_eq!(code, Some(1), "{err}");
    assert_eq!(out, "not decided: the time of 0 s is over\n");
    let (_, code, _, err) = asked(RING, &["--schedule", "lazy"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: --schedule has no use in a proof\n"));
}

#[test]
fn a_question_that_cannot_be_asked_says_why() {
    for (more, why) in [
        (&["--seconds", "-1"][..], "--seconds is -1, but must be a number from 0 to 1000000"),
        (&["--first=-1"], "--first is -1, but must be a number from 0 to 1048575"),
        (&["--kernel", "other"], "there is no kernel 'other' in 'k.ptx'; it has ring"),
        (&["--report", "sarif"], "--report has no use in a proof"),
        (
            &["--arg", "1"],
            "kernel 'ring' has 3 parameters (a (.u64), d (.u64), count (.u32)), but --arg was given 4 times",
        ),
    ] {
        let (_, code, _, err) = asked(RING, more);
        assert_eq!((code, err), (Some(1), format!("error: {why}\n")));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.ptx"), RING).unwrap();
    for (a, n, why) in [
        (
            "A:i32[256]",
            "3",
            "no --arg or --array depends on n; write it in braces, as in --arg 'A:f16[128x{64*n}]'",
        ),
        (
            "A:i32[{256*n/2}]",
            "3",
            "argument A:i32[{256*n/2}]: '{256*n/2}' is not a size; write n with numbers, +, -, * and parentheses, as in {64*n}",
        ),
        (
            "A:i32[{256*n-512}]",
            "{n-2}",
            "n = 1 is the smallest size, but has no launch: argument A:i32[-256]: '-256' is not a valid extent; write 128x64; --first gives another one",
        ),
    ] {
        let launch = ["prove", "k.ptx", "--grid", "1", "--arg", a, "--arg", "D:i32[32]", "--arg", n];
        let (code, _, err) = cutec(&folder, &launch);
        assert_eq!((code, err), (Some(1), format!("error: {why}\n")));
    }
}

#[test]
fn an_answer_is_data() {
    let (_, code, out, err) = asked(RING, &["--report", "json"]);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, err.as_str(), &data["answer"], &data["kernel"]),
        (Some(0), "", &"proved".into(), &"ring".into())
    );
    assert!(
        data["properties"].as_array().unwrap().len() == 4 && data["most"].as_i64() > Some(1 << 30),
        "{out}"
    );
    let (_, _, text, _) = asked(RING, &[]);
    assert_eq!(data["text"], text);
    // The ring has no proxy fence before a slot is copied to again.
    let (_, code, out, _) = asked(RING, &["--report", "json", "--strict-isa"]);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    let found = (&data["answer"], &data["size"], &data["arguments"][2]);
    assert_eq!((code, found), (Some(1), (&"counterexample".into(), &5.into(), &"5".into())));
    assert!(data["schedule"].is_string(), "{out}");
    assert!(data["finding"].as_str().unwrap().contains("rule X4"), "{out}");
    let (_, code, out, err) = asked(RING, &["--report", "json", "--kernel", "other"]);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &data["error"]["id"]), (Some(1), &"launch-no-such-kernel".into()), "{err}");
}

#[test]
fn a_file_of_several_kernels_is_asked_by_name() {
    let header = RING.find(".visible").unwrap();
    let second = RING[header..].replace("ring(", "second(");
    let both = format!("{RING}\n{second}");
    let (_, code, _, err) = asked(&both, &[]);
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: 'k.ptx' has the kernels ring, second; choose one with --kernel\n")
    );
    let (_, code, out, err) = asked(&both, &["--kernel", "second", "--report", "json"]);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, err.as_str(), &data["kernel"]), (Some(0), "", &"second".into()));
}

#[test]
fn a_semaphore_outside_of_the_loop_is_assumed_to_order_the_same_at_every_size() {
    let text = include_str!("../../../../examples/splitk.mlir");
    let folder = tempfile::tempdir().unwrap();
    let asked = |text: &str| {
        fs::write(folder.path().join("k.mlir"), text).unwrap();
        let arrays =
            ["A:f16[64x{128*n}]=random(1)", "B:f16[64x{128*n}]=random(2)", "C:f32[64x64]", "s:i32[1x1]"];
        let arguments = arrays.iter().flat_map(|array| ["--arg", *array]);
        let launch = ["prove", "k.mlir", "--through", "ptx", "--grid", "1,1,2"];
        cutec(&folder, &launch.into_iter().chain(arguments).collect::<Vec<_>>()).1
    };
    let right = asked(text);
    assert!(right.starts_with("proved: for every n from 1 to "), "{right}");
    let assumed = "memory orders threads at every n as in these runs, and loops that wait for it end: ";
    let places: Vec<&str> = right.lines().filter_map(|line| line.trim().strip_prefix(assumed)).collect();
    assert!(
        matches!(places[..], [wait, release] if wait.ends_with("ld.acquire.gpu.global.b32")
            && release.ends_with("atom.global.exch.b32")),
        "{right}"
    );
    // A block that never hands on, and one that hands on too early.
    for (old, new) in [
        ("xchg %semaphore_p, %next", "xchg %semaphore_p, %split"),
        ("syncscope(\"device\") release", "syncscope(\"device\") monotonic"),
    ] {
        assert_eq!(text.matches(old).count(), 1, "{old}");
        let wrong = asked(&text.replace(old, new));
        assert!(wrong.starts_with("counterexample: n = 1"), "{old}: {wrong}");
    }
}

#[test]
fn superfluous_instructions_are_listed() {
    let fence = "\tfence.proxy.async.shared::cta;\n";
    let needs_fence = RING.replace("\tbar.warp.sync -1;\n", &format!("{fence}\tbar.warp.sync -1;\n"));
    let text = needs_fence.replace("END:\n", "END:\n\tbar.sync 0;\n");
    let (_, code, out, err) = asked(&text, &["--removable", "--seconds", "100"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(
        out.starts_with(
            "2 of 7 could go: with this launch, ring is proved without it for every n from 1 under strict ISA"
        ),
        "{out}"
    );
    let line = text.lines().count() - 2;
    assert!(
        out.contains(&format!("  line {line}: `bar.sync`\n")) && out.contains("\nTogether: all of them\n"),
        "{out}"
    );
    // The costs in SASS, or why they are not known.
    let has_cost = out.contains("    SASS: ") && out.contains("instructions of SASS, and ");
    assert!(has_cost || out.contains("Nothing is known about SASS: "), "{out}");

    let (_, code, out, _) = asked(RING, &["--removable", "--report", "json"]);
    let data: serde_json::Value = serde_json::from_str(&out).unwrap();
    let why = "it is not proved under strict ISA, but counterexample";
    assert_eq!(
        (code, &data["unexamined_kernel"], &data["answer"]["size"]),
        (Some(1), &why.into(), &5.into())
    );
    // Only PTX is changed.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), include_str!("../../../../examples/copy.mlir")).unwrap();
    let launch = ["prove", "k.mlir", "--grid", "1", "--arg", "src:f32[4x{4*n}]", "--arg", "dst:f32[4x{4*n}]"];
    let (code, _, err) = cutec(&folder, &[&launch[..], &["--removable"]].concat());
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: --removable changes PTX; with --through ptx it is that of the module\n")
    );
}
