//! `cutec host`: C that launches as the interpreter does.

use super::{
    host::{DESCRIPTOR, EVENTS, MODULE, preferring, with_event},
    run_in,
};
use std::{fs, process::Command};
use tempfile::TempDir;

/// Exit code and error of `cutec host k.mlir -o launch.c`.
fn write(folder: &TempDir, text: &str, abi: &str) -> (Option<i32>, String) {
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = cutec
        .current_dir(folder.path())
        .args(["host", "k.mlir", "--abi", abi, "-o", "launch.c"])
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// The calls of the driver's stub by `twice(x, y, by, again)`, with kernels that take
/// parameters of these bytes.
fn launches(text: &str, widths: &str, call: &str, environment: &[(&str, &str)]) -> (String, String) {
    let takes = "CUdeviceptr, int32_t, CUdeviceptr, int32_t, float, int32_t";
    launches_of(text, ("twice", takes), widths, call, environment)
}

/// The same for a function that takes parameters of these types before its stream.
fn launches_of(
    text: &str,
    (host, takes): (&str, &str),
    widths: &str,
    call: &str,
    environment: &[(&str, &str)],
) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let abi = if widths == WIDTHS { "flat" } else { "dsl" };
    let (code, err) = write(&folder, text, abi);
    assert_eq!(code, Some(0), "{err}");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("cuda.h"), include_str!("stub/cuda.h")).unwrap();
    fs::write(path("driver.c"), include_str!("stub/driver.c")).unwrap();
    let defined = [("PARAMETERS", widths), ("CALL", call), ("HOST", host), ("TAKES", takes)]
        .map(|(n, v)| format!("-D{n}={v}"));
    let mut cc = Command::new("cc");
    for name in ["launch", "driver"] {
        let built = cc_of(&folder, &["-Wall", "-Werror", "-O1", "-I.", "-c", &format!("{name}.c")], &defined);
        assert!(built.0, "{}\n{}", built.1, fs::read_to_string(path("launch.c")).unwrap());
    }
    assert!(
        cc.current_dir(folder.path()).args(["launch.o", "driver.o", "-o", "run"]).status().unwrap().success()
    );
    let output = Command::new(path("run")).envs(environment.iter().copied()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

fn cc_of(folder: &TempDir, arguments: &[&str], defined: &[String]) -> (bool, String) {
    let output =
        Command::new("cc").current_dir(folder.path()).args(arguments).args(defined).output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// x at 0x100 and y at 0x200, both with 100 elements.
const CALL: &str = "0x100, 100, 0x200, 100, 3.0f, ";
const WIDTHS: &str = "8, 4, 8, 4, 4, 4";

#[test]
fn c_launches_as_the_interpreter_does() {
    // Pointer and extent of x, pointer and tiles of y, elements, factor: little-endian.
    let first = "0001000000000000 64000000 0002000000000000 02000000 64000000 00004040";
    let second = "0002000000000000 64000000 0002000000000000 02000000 64000000 00001041";
    let attributes = "set scale 8 976\nset scale 14 1\n";
    let end = "unload image\nreturned 0 0\n";
    let once = format!("launch scale [2, 1, 1] [64, 1, 1] 0 cooperative 0 {first} stream 7\n");
    let (out, err) = launches(MODULE, WIDTHS, &format!("{CALL}0"), &[]);
    assert_eq!((out, err.as_str()), (format!("{attributes}{once}{end}"), ""));
    let again = format!(
        "launch scale [2, 1, 1] [64, 1, 1] 0 cooperative 0 programmatic 1 cluster [2, 1, 1] {second} stream 7\n"
    );
    let (out, err) = launches(MODULE, WIDTHS, &format!("{CALL}2"), &[]);
    assert_eq!((out, err.as_str()), (format!("{attributes}{once}{again}{end}"), ""));
    // Pointers and extents in a struct each, with four bytes after them.
    let structs = "00010000000000006400000000000000 00020000000000000200000000000000 64000000 00004040";
    let once_of_structs = once.replace(first, structs);
    let (out, err) = launches(MODULE, "16, 16, 4, 4", &format!("{CALL}0"), &[]);
    assert_eq!((out, err.as_str()), (format!("{attributes}{once_of_structs}{end}"), ""));
    // An error of the driver ends the function.
    let (out, _) = launches(MODULE, WIDTHS, &format!("{CALL}2"), &[("REFUSE", "1")]);
    assert_eq!(out, format!("{attributes}{once}unload image\nreturned 0 500\n"));
}

#[test]
fn c_passes_the_preferred_cluster_on() {
    let (out, err) = launches(&preferring("c2", "c1"), WIDTHS, &format!("{CALL}1"), &[]);
    assert_eq!(err, "");
    let second = "cooperative 0 programmatic 1 cluster [1, 1, 1] preferred [2, 1, 1] ";
    assert!(out.lines().filter(|line| line.starts_with("launch")).nth(1).unwrap().contains(second), "{out}");
}

#[test]
fn c_passes_events_on() {
    let host = ("twice", "CUevent, CUdeviceptr, int32_t, CUdeviceptr, int32_t, float, int32_t");
    let of =
        |text: &str, again: u32| launches_of(text, host, WIDTHS, &format!("(CUevent)9, {CALL}{again}"), &[]);
    for ((op, _, types, _), operands, wanted) in
        [(EVENTS[0], "%event, %n", "completion 9 100 "), (EVENTS[1], "%event, %c0, %again", "event 9 0 1 ")]
    {
        let text = with_event(op, operands, types);
        let (out, err) = of(&text, 1);
        assert_eq!(err, "");
        let second = format!("cooperative 0 programmatic 1 cluster [1, 1, 1] {wanted}");
        assert!(
            out.lines().filter(|line| line.starts_with("launch")).nth(1).unwrap().contains(&second),
            "{out}"
        );
    }
    let (out, err) = of(&with_event(EVENTS[1].0, "%event, %c0, %again", EVENTS[1].2), 2);
    assert!(out.ends_with("returned 0 1\n"), "{out}");
    assert_eq!(err, "k.mlir:48:7: 'cuda.launch_cfg.programmatic_event' op must be given 0 or 1\n");
}

/// Every operation of `arith` that C has a form for, in one number that the interpreter and C must
/// agree on.
#[test]
fn c_computes_what_the_interpreter_computes() {
    let mut sum = String::from("    %h0 = arith.constant 17 : i32\n    %seven = arith.constant 7 : i32\n");
    let ops = [
        "addi",
        "subi",
        "muli",
        "divsi",
        "remsi",
        "ceildivsi",
        "floordivsi",
        "divui",
        "remui",
        "ceildivui",
        "minsi",
        "maxsi",
        "minui",
        "maxui",
        "andi",
        "ori",
        "xori",
    ];
    let mut n = 0;
    for op in ops {
        sum += &format!(
            "    %v{n} = arith.{op} %again, %seven : i32\n    %w{n} = arith.{op} %seven, %again : i32\n"
        );
        n += 1;
    }
    for (op, to) in [("shli", 0), ("shrsi", 1), ("shrui", 2)] {
        let shifted = if to == 0 { "%seven, %three" } else { "%again, %three" };
        sum += &format!("    %v{n} = arith.{op} {shifted} : i32\n    %w{n} = arith.{op} {shifted} : i32\n");
        n += 1;
    }
    for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] {
        sum += &format!(
            "    %f{n} = arith.cmpi {predicate}, %again, %seven : i32\n    %v{n} = arith.extui %f{n} : i1 to i32\n    \
             %w{n} = arith.select %f{n}, %again, %n : i32\n"
        );
        n += 1;
    }
    sum += &format!(
        "    %wide = arith.extsi %again : i32 to i64\n    %square = arith.muli %wide, %wide : i64\n    \
         %v{n} = arith.trunci %square : i64 to i32\n    %real = arith.sitofp %again : i32 to f32\n    \
         %scaled = arith.divf %real, %by : f32\n    %w{n} = arith.bitcast %scaled : f32 to i32\n"
    );
    n += 1;
    // A mixture in which no term hides another.
    let mut h = 0;
    for i in 0..n {
        for term in ["v", "w"] {
            sum += &format!(
                "    %m{h} = arith.muli %h{h}, %prime : i32\n    %h{} = arith.xori %m{h}, %{term}{i} : i32\n",
                h + 1
            );
            h += 1;
        }
    }
    let text = MODULE
        .replace("    %more = arith", &format!("    %three = arith.constant 3 : i32\n    %prime = arith.constant 16777619 : i32\n{sum}    %more = arith"))
        .replace("(%again, %c1, %c1)", "(%c2, %c1, %c1)")
        .replace("    %c64 =", "    %c2 = arith.constant 2 : i32\n    %c64 =")
        .replace("<%cfg> (%y, %tiles, %n, %double)", &format!("<%cfg> (%y, %tiles, %h{h}, %double)"));
    for again in ["5", "-9", "2147483647"] {
        let (out, err) = launches(&text, WIDTHS, &format!("{CALL}{again}"), &[]);
        assert_eq!(err, "");
        let second = out.lines().filter(|line| line.starts_with("launch")).nth(1).unwrap();
        // Behind the sizes, the attributes and four parameters.
        let bytes = second.split(' ').rev().nth(3).unwrap();
        let found = u32::from_str_radix(bytes, 16).unwrap().swap_bytes() as i32;
        // The interpreter names it if a launch with this number of threads is refused.
        let grid = text.replace(
            "    %r2 = cuda",
            &format!("    %bad = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%h{h}, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg\n    %r2 = cuda"),
        ).replace("@scale<%cfg> (%y", "@scale<%bad> (%y");
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!("--host --arg x:f32[100] --arg y:f32[100] --arg 3 --arg {again}");
        let (_, _, err) = run_in(&folder, &grid, &arguments);
        assert!(err.contains(&format!("its block is [{found}, 1, 1]")), "{found} {err}");
    }
}

#[test]
fn c_refuses_what_the_interpreter_refuses() {
    let refused = |old: &str, new: &str, again: &str| {
        let text = MODULE.replace(old, new);
        assert_ne!(text, MODULE, "{old}");
        let (out, err) = launches(&text, WIDTHS, &format!("{CALL}{again}"), &[]);
        assert!(out.ends_with("returned 0 1\n"), "{out}");
        err
    };
    let product = "%far = arith.constant 2000000000 : i32 %p = arith.muli %again, %far overflow<nsw> : i32 %more = arith";
    assert_eq!(
        refused("%more = arith", &format!("{product}.cmpi ne, %p, %c0 : i32 %unused = arith"), "2"),
        "k.mlir:44:49: 'arith.muli' op has a result that does not fit, although the op guarantees that it does\n"
    );
    let quotient = "%p = arith.divsi %n, %again : i32 %more = arith.cmpi ne, %p, %c0 : i32 %unused = arith";
    assert_eq!(refused("%more = arith", quotient, "0"), "k.mlir:44:10: 'arith.divsi' op divides by 0\n");
    for (op, by, why) in [("divsi", 0, "divides by 0"), ("shli", 32, "shifts by too many bits")] {
        let never = format!(
            "%k = arith.constant {by} : i32 %p = arith.{op} %n, %k : i32 %more = arith.cmpi ne, %p, %c0 : i32 %unused = arith"
        );
        let err = refused("%more = arith", &never, "2");
        assert!(err.ends_with(&format!("'arith.{op}' op {why}\n")), "{err}");
    }
    assert_eq!(
        refused("max_attrs = 3", "max_attrs = 2", "2"),
        "k.mlir:47:7: 'cuda.launch_cfg.cluster_dim' op sets more different attributes than its configuration has room for, which is 2\n"
    );
    assert_eq!(
        refused("%cfg] %c0", "%cfg] %again", "2"),
        "k.mlir:40:5: 'cuda.launch_cfg.cooperative' op must be given 0 or 1\n"
    );
}

#[test]
fn c_compiles_without_warnings_for_every_module() {
    let modules = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run/dsl");
    let mut count = 0;
    for entry in fs::read_dir(modules).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for abi in ["dsl", "flat"] {
            let (code, err) = write(&folder, &text, abi);
            assert_eq!(code, Some(0), "{err}");
            fs::write(folder.path().join("cuda.h"), include_str!("stub/cuda.h")).unwrap();
            let (compiles, err) = cc_of(&folder, &["-Wall", "-Werror", "-I.", "-c", "launch.c"], &[]);
            assert!(compiles, "{err}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} programs");
}

#[test]
fn c_has_the_driver_encode_descriptors() {
    let host = ("host", "CUdeviceptr, int32_t, int32_t, int64_t");
    let of = |call: &str| launches_of(DESCRIPTOR, host, "128, 8", call, &[]);
    let words: String = (0..16).map(|word| format!("{word:02x}00000000000000")).collect();
    let (out, err) = of("0x1000, 100, 128, 136");
    assert_eq!(err, "");
    assert_eq!(
        out,
        format!(
            "encode 6 0x1000 128:0/64/1 100:272/64/1 0 3 2 0\nlaunch prefetch [1, 1, 1] [32, 1, 1] 0 {words} 6400000080000000 stream 7\n\
             unload image\nreturned 0 0\n"
        )
    );
    let refused = "'cuda.tensor_map' op makes a descriptor that the driver rejects:";
    for (call, why) in [
        ("0x1000, 100, 65, 65", "the stride of mode 1 is 130: strides are multiples of 16 bytes"),
        ("0x1008, 100, 128, 136", "the address is 4104: the tensor begins at a multiple of 16 bytes"),
        ("0x1000, 0, 128, 136", "the extent of mode 1 is 0: extents are from 1 to 2^32"),
    ] {
        let (out, err) = of(call);
        assert_eq!(out, "unload image\nreturned 0 1\n");
        assert_eq!(err, format!("k.mlir:22:20: {refused} {why}\n"));
    }
}

#[test]
fn what_c_has_no_form_for_is_an_error_at_the_op() {
    let half = "%double = arith.mulf %by, %by : f32 %low = arith.truncf %double : f32 to f16 %high = arith.extf %low : f16 to f32";
    let text =
        MODULE.replace("%double = arith.mulf %by, %by : f32", half).replace("%n, %double)", "%n, %high)");
    let folder = tempfile::tempdir().unwrap();
    let (code, err) = write(&folder, &text, "dsl");
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: k.mlir:48:50: 'arith.truncf' op is not supported in C: floats of 16 bits\n")
    );
    assert!(!folder.path().join("launch.c").exists());
}

/// The comment at the top names the file and the function.
#[test]
fn names_do_not_end_a_comment() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\nint injected(void) { return 1; }\n.mlir";
    let text = MODULE.replace("@twice", "@\"twice\\0Aint injected;\"");
    assert_ne!(text, MODULE);
    fs::write(folder.path().join(name), text).unwrap();
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = cutec.current_dir(folder.path()).args(["host", name]).output().unwrap();
    let c = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let comment = c.lines().next().unwrap();
    assert!(comment.contains(r"a\nint injected(void) { return 1; }\n.mlir"), "{comment}");
    assert!(comment.contains(r"'twice\nint injected;'"), "{comment}");
    assert!(!c.lines().any(|line| line.starts_with("int injected")), "{c}");
}

#[test]
fn the_target_is_the_first_that_has_the_instructions() {
    const HOST: &str = r#"module attributes {gpu.container_module} {
      gpu.module @kernels {
        cuda.kernel @k() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
          nvvm.tcgen05.relinquish_alloc_permit
          cuda.return
        }
      }
      func.func @once(%s: !cuda.stream) {
        %c1 = arith.constant 1 : i32
        %c32 = arith.constant 32 : i32
        %none = arith.constant 0 : i64
        %cfg = cuda.launch_cfg.create<max_attrs = 2 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 2>
        %r = cuda.launch_ex @kernels::@k<%cfg> () : !cuda.launch_cfg<max_attrs = 2>, () -> !cuda.result
        return
      }
    }"#;
    let folder = tempfile::tempdir().unwrap();
    let (code, err) = write(&folder, HOST, "dsl");
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) = run_in(&folder, HOST, "--host");
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) = run_in(&folder, HOST, "--host --target sm_90a");
    assert_eq!(code, Some(1));
    assert!(err.contains("'nvvm.tcgen05.relinquish_alloc_permit' op: sm_90a has no tcgen05"), "{err}");
}
