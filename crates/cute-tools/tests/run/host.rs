//! `cutec run --host`: what host functions launch, and what they are refused for.

use super::run_in;
use serde_json::{Value, json};
use std::fs;

/// `twice(x, y, by, again)`: `y = x * by`, and where `again` is not 0, `y = y * by * by` in
/// clusters with this number of blocks.
pub const MODULE: &str = include_str!("host.mlir");

/// `host(a)`: a kernel is passed a descriptor of `a`.
pub const DESCRIPTOR: &str = include_str!("descriptor.mlir");

/// `MODULE`, whose second launch prefers clusters of this number of blocks along x and z.
pub fn preferring(x: &str, z: &str) -> String {
    let set = format!(
        "      cuda.launch_cfg.preferred_cluster_dim[%cfg] (%{x}, %c1, %{z}) : !cfg, i32, i32, i32\n      %double ="
    );
    MODULE
        .replace("max_attrs = 3", "max_attrs = 4")
        .replace("    %c64 =", "    %c2 = arith.constant 2 : i32\n    %c64 =")
        .replace("      %double =", &set)
}

/// `MODULE`, whose second launch sets an event that the caller passes, by this op and operands.
pub fn with_event(op: &str, operands: &str, types: &str) -> String {
    let set = format!("      cuda.launch_cfg.{op}[%cfg] ({operands}) : !cfg, {types}\n      %double =");
    MODULE
        .replace("max_attrs = 3", "max_attrs = 4")
        .replace("(%x: !vector", "(%event: !cuda.event, %x: !vector")
        .replace("      %double =", &set)
}

/// An op that sets an event, with its operands and their types, and the error about it.
pub const EVENTS: [(&str, &str, &str, &str); 2] = [
    (
        "launch_completion_event",
        "%event, %c0",
        "!cuda.event, i32",
        "error: k.mlir:48:7: 'cuda.launch_cfg.launch_completion_event' op sets an event of the driver, which a \
         run does not have; leave launch_completion_event out of the launch\n",
    ),
    (
        "programmatic_event",
        "%event, %c0, %c1",
        "!cuda.event, i32, i32",
        "error: k.mlir:48:7: 'cuda.launch_cfg.programmatic_event' op sets an event of the driver, which a \
         run does not have; leave programmatic_event out of the launch\n",
    ),
];

/// Standard error of a run that fails and leaves no file, of the module with some text replaced.
fn refused(replaced: &[(&str, &str)], arguments: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut text = MODULE.to_owned();
    for (old, new) in replaced {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    let (code, _, err) = run_in(&folder, &text, arguments);
    assert_eq!(code, Some(1), "{err}");
    assert!(!folder.path().join("y.npy").exists(), "{err}");
    err
}

/// The common part of the launches, for a module with some text replaced.
fn launch(replaced: &[(&str, &str)]) -> String {
    refused(replaced, "--host --arg x:f32[128]=range --arg y:f32[128] --arg 3 --arg 2 --out y=y.npy")
}

#[test]
fn arrays_go_from_launch_to_launch() {
    let folder = tempfile::tempdir().unwrap();
    for (again, factor) in [(0, 3.0), (2, 27.0)] {
        let arguments = format!(
            "--host twice --arg x:f32[100]=range --arg y:f32[100] --arg 3 --arg {again} --out y=y.npy --report json"
        );
        let (code, out, err) = run_in(&folder, MODULE, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let report: Value = serde_json::from_str(&out).unwrap();
        let launches = report["launches"].as_array().unwrap();
        assert_eq!((&report["host"], launches.len()), (&json!("twice"), 1 + usize::from(again > 0)));
        let first = json!({
            "kernel": "scale", "grid": [2, 1, 1], "block": [64, 1, 1], "shared_memory": 0, "cluster": null,
            "cooperative": false, "programmatic": false
        });
        assert_eq!(launches[0]["launch"], first);
        assert_eq!(launches[0]["report"]["stats"]["threads"], 128);
        if let Some(second) = launches.get(1) {
            assert_eq!(second["launch"]["cluster"], json!([2, 1, 1]));
            assert_eq!(second["launch"]["programmatic"], true);
        }
        let file = npyz::NpyFile::new(fs::File::open(folder.path().join("y.npy")).unwrap()).unwrap();
        let expected: Vec<f32> = (0..100).map(|i| i as f32 * factor).collect();
        assert_eq!(file.into_vec::<f32>().unwrap(), expected);
    }
}

#[test]
fn reports_say_how_each_kernel_was_launched() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg x:f32[128] --arg y:f32[128] --arg by:f32=1 --arg again:2";
    let (code, out, err) = run_in(&folder, MODULE, arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    for line in [
        "launch 1: scale with grid [2, 1, 1], block [64, 1, 1]\n",
        "launch 2: scale with grid [2, 1, 1], block [64, 1, 1], cluster [2, 1, 1], programmatic stream serialization\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
}

/// The device may take larger clusters than the launch requires; a run takes the required ones.
#[test]
fn a_preferred_cluster_is_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        "--host --arg x:f32[128]=range --arg y:f32[128] --arg 3 --arg 1 --out y=y.npy --report json";
    let (code, out, err) = run_in(&folder, &preferring("c2", "c1"), arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let report: Value = serde_json::from_str(&out).unwrap();
    let shape = &report["launches"][1]["launch"];
    assert_eq!((&shape["cluster"], &shape["preferred_cluster"]), (&json!([1, 1, 1]), &json!([2, 1, 1])));
    assert!(report["launches"][0]["launch"].get("preferred_cluster").is_none());
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("y.npy")).unwrap()).unwrap();
    let expected: Vec<f32> = (0..128).map(|i| i as f32 * 27.0).collect();
    assert_eq!(file.into_vec::<f32>().unwrap(), expected);

    let at =
        "error: k.mlir:51:13: 'cuda.launch_ex' op launches kernel 'scale', which the device would refuse:";
    for (x, z, again, why) in [
        ("c64", "c1", 1, "its preferred clusters [64, 1, 1] do not divide its grid [2, 1, 1]"),
        ("again", "c1", -1, "its cluster is [-1, 1, 1], but its extents must be positive"),
        (
            "c1",
            "c1",
            2,
            "its preferred cluster is [1, 1, 1], but must be a multiple of its cluster [2, 1, 1] along x and y, and \
             the same along z",
        ),
        (
            "c2",
            "c2",
            1,
            "its preferred cluster is [2, 1, 2], but must be a multiple of its cluster [1, 1, 1] along x and y, and \
             the same along z",
        ),
    ] {
        let arguments = format!("--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg {again}");
        let (code, _, err) = run_in(&tempfile::tempdir().unwrap(), &preferring(x, z), &arguments);
        assert_eq!((code, err), (Some(1), format!("{at} {why}\n")));
    }
    let text = preferring("c2", "c1").replace("max_attrs = 4", "max_attrs = 3");
    let (code, _, err) = run_in(&folder, &text, arguments);
    assert_eq!(
        (code, err.as_str()),
        (
            Some(1),
            "error: k.mlir:49:7: 'cuda.launch_cfg.preferred_cluster_dim' op sets 4 different attributes of a \
             configuration that has room for 3\n"
        )
    );
}

#[test]
fn a_run_has_no_events() {
    for (op, operands, types, error) in EVENTS {
        let folder = tempfile::tempdir().unwrap();
        let arguments =
            |again: u32| format!("--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg {again}");
        let (code, _, err) = run_in(&folder, &with_event(op, operands, types), &arguments(1));
        assert_eq!((code, err.as_str()), (Some(1), error));
        // Without the launch that has the event, there is nothing to refuse.
        let (code, _, err) = run_in(&folder, &with_event(op, operands, types), &arguments(0));
        assert_eq!((code, err.as_str()), (Some(0), ""));
    }
}

#[test]
fn host_functions_are_chosen_by_name() {
    let arguments = "--arg x:f32[128] --arg y:f32[128] --arg 3 --arg 0";
    assert_eq!(
        refused(&[], &format!("--host thrice {arguments}")),
        "error: there is no host function 'thrice' in 'k.mlir'; it has twice\n"
    );
    let other = "  func.func @other(%s: !cuda.stream) {\n    %0 = arith.constant 0 : i64\n    %1 = cuda.cast %0 : i64 -> !cuda.stream\n    return\n  }\n";
    let two = [("  func.func @twice", &*format!("{other}  func.func @twice"))];
    assert_eq!(
        refused(&two, &format!("{arguments} --host")),
        "error: 'k.mlir' has the host functions other, twice; choose one with --host NAME\n"
    );
    let err = refused(&[], &format!("{arguments} --host twice --grid 2"));
    assert!(err.contains("'--host [<NAME>]' cannot be used with") && err.contains("--grid"), "{err}");
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run_in(&folder, super::KERNELS, "--host");
    assert_eq!(
        (code, err.as_str()),
        (
            Some(1),
            "error: no function of 'k.mlir' launches kernels; to run a kernel alone, leave out --host and give --grid\n"
        )
    );
}

#[test]
fn a_host_function_may_stand_beside_its_kernels() {
    // Wherever it stands, a function that launches is the host's, and the kernel is one of its own
    // module.
    let text =
        MODULE.replace("  }\n  func.func @twice", "  func.func @twice").replace("@kernels::@scale", "@scale");
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg 0";
    let (code, out, err) = run_in(&folder, &(text + "}\n"), arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("launch 1: scale with grid [2, 1, 1]"), "{out}");
}

#[test]
fn arguments_are_those_of_the_host_function() {
    let err = refused(&[], "--host --arg x:f32[128] --arg y:f32[128] --arg 3");
    assert!(
        err.starts_with("error: host function 'twice' has 4 parameters (x (!cute.memref<f32, gmem"),
        "{err}"
    );
    let err = refused(&[], "--host --arg x:f32[128] --arg y:f16[128] --arg 3 --arg 0");
    assert!(err.contains("parameter 'y' has elements of type f32, but the array has f16"), "{err}");
    let fixed = [
        ("(%x: !vector,", "(%x: !cute.memref<f32, gmem, \"(100):(1)\">,"),
        ("(%x) : (!vector)", "(%y) : (!vector)"),
        ("(%x, %tiles", "(%y, %tiles"),
    ];
    let err = refused(&fixed, "--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg 0");
    assert!(
        err.contains("parameter 'x' is !cute.memref<f32, gmem, \"(100):(1)\">") && err.contains("128"),
        "{err}"
    );
}

#[test]
fn launches_that_the_device_would_refuse_are_errors_at_the_launch() {
    let at =
        "error: k.mlir:41:10: 'cuda.launch_ex' op launches kernel 'scale', which the device would refuse:";
    for (old, new, why) in [
        ("gridDim = (%grid,", "gridDim = (%c0,", "its grid is [0, 1, 1], but its extents must be positive"),
        (
            "gridDim = (%grid, %c1",
            "gridDim = (%grid, %big",
            "its grid is [2, 65536, 1], but sm_90a allows at most [2147483647, 65535, 65535]",
        ),
        (
            "blockDim = (%c64,",
            "blockDim = (%c1,",
            "its block is [1, 1, 1], but it was compiled for [64, 1, 1]",
        ),
        (
            "constant 0 : i64",
            "constant 232449 : i64",
            "it needs 232449 bytes of shared memory, but sm_90a has at most 232448 per block",
        ),
        ("constant 0 : i64", "constant -1 : i64", "its dynamic shared memory cannot have -1 bytes"),
    ] {
        let big = ("%c0 = arith", "%big = arith.constant 65536 : i32 %c0 = arith");
        assert_eq!(launch(&[big, (old, new)]), format!("{at} {why}\n"));
    }
    let plain = (
        "max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32",
        "",
    );
    assert_eq!(
        launch(&[plain, ("constant 0 : i64", "constant 49153 : i64")]),
        format!(
            "{at} it needs 49153 bytes of shared memory; without max_dynamic_shared_size_bytes in its \
             cu_attrs, a kernel has at most 49152\n"
        )
    );
    let at = at.replace("41:10", "49:13");
    for (again, grid, why) in [
        ("3", "%grid", "its clusters [3, 1, 1] do not divide its grid [2, 1, 1]"),
        ("-1", "%grid", "its cluster is [-1, 1, 1], but its extents must be positive"),
        ("32", "%wide", "its cluster [32, 1, 1] has 32 blocks, but at most 16 are possible"),
        (
            "16",
            "%wide",
            "its cluster [16, 1, 1] has 16 blocks; without non_portable_cluster_size_allowed in its \
             cu_attrs, a kernel has at most 8",
        ),
    ] {
        let wide = ("%c0 = arith", "%wide = arith.constant 64 : i32 %c0 = arith");
        let arguments =
            format!("--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg {again} --out y=y.npy");
        let grid = ("gridDim = (%grid,", &*format!("gridDim = ({grid},"));
        assert_eq!(refused(&[wide, plain, grid], &arguments), format!("{at} {why}\n"));
    }
    let old = "--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg 2 --target sm_80";
    let alone = [("nvvm.griddepcontrol wait\n", "\n")];
    assert_eq!(refused(&alone, old), format!("{at} its cluster is [2, 1, 1], but sm_80 has no clusters\n"));
}

#[test]
fn what_a_host_function_may_not_do_is_an_error_at_the_op() {
    let err = launch(&[
        ("%more = arith", "%p = math.sqrt %by : f32 %more = arith"),
        ("%double = arith.mulf %by, %by", "%double = arith.mulf %p, %by"),
    ]);
    assert!(
        err.starts_with("k.mlir:44:")
            && err.contains("error: 'math.sqrt' op is not supported in a host function"),
        "{err}"
    );
    let room = [("max_attrs = 3", "max_attrs = 2")];
    assert_eq!(
        launch(&room),
        "error: k.mlir:47:7: 'cuda.launch_cfg.cluster_dim' op sets 3 different attributes of a configuration that has room for 2\n"
    );
    assert_eq!(
        launch(&[("%cfg] %c0", "%cfg] %again")]),
        "error: k.mlir:40:5: 'cuda.launch_cfg.cooperative' op must be given 0 or 1, found 2\n"
    );
    let product = (
        "%more = arith",
        "%far = arith.constant 2000000000 : i32 %p = arith.muli %again, %far overflow<nsw> : i32 %more = arith",
    );
    let err = launch(&[product, ("(%again, %c1, %c1)", "(%p, %c1, %c1)")]);
    assert!(err.contains("'arith.muli' op has an i32 overflow of nsw mul: 2, 2000000000"), "{err}");
    let by_zero = ("%more = arith", "%p = arith.divsi %n, %again : i32 %more = arith");
    let err = refused(
        &[by_zero, ("(%again, %c1, %c1)", "(%p, %c1, %c1)")],
        "--host --arg x:f32[128] --arg y:f32[128] --arg 3 --arg 0",
    );
    assert!(err.contains("'arith.divsi' op has an i32 division of 128 by 0"), "{err}");
    assert_eq!(
        launch(&[("return %c0 : i32", "return %c1 : i32")]),
        "error: host function 'twice' returned 1, although no call of the driver failed\n"
    );
}

#[test]
fn a_finding_ends_the_run() {
    let err = refused(
        &[("arith.cmpi slt, %i, %n", "arith.cmpi sle, %i, %n")],
        "--host --arg x:f32[100] --arg y:f32[128] --arg 3 --arg 2 --out y=y.npy",
    );
    // The coordinate is beyond the extent of x, and so is the access.
    assert_eq!(err, "error: kernel 'scale' has 2 findings; 'y.npy' is not written\n");
}

/// The second launch may begin before the first has ended, and reads what the first writes.
#[test]
fn a_launch_that_begins_early_waits_for_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let text = MODULE.replace("nvvm.griddepcontrol wait\n", "\n");
    let run = |again: u32| {
        run_in(
            &folder,
            &text,
            &format!("--host --arg x:f32[128]=range --arg y:f32[128] --arg 3 --arg {again}"),
        )
    };
    assert_eq!(run(0).0, Some(0));
    let (code, out, err) = run(2);
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'scale' has 2 findings\n"), "{out}");
    let (findings, counters) = out.split_once("\n\nlaunch 1: ").unwrap();
    assert!(!counters.contains("error: ") && counters.contains("\nlaunch 2: "), "{out}");
    assert_eq!(findings.matches("\n  in launch 2: scale with grid").count(), 2, "{out}");
    assert!(
        findings.contains("in launch 1 (`scale`), which may not have ended when launch 2 (`scale`) begins"),
        "{out}"
    );
}

#[test]
fn descriptors_are_encoded_and_their_rules_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run_in(&folder, DESCRIPTOR, "--host --arg f16[100x128]");
    assert_eq!((code, err.as_str()), (Some(0), ""));
    let (code, _, err) = run_in(&folder, DESCRIPTOR, "--host --arg f16[100x65]");
    assert_eq!(code, Some(1));
    assert_eq!(
        err,
        "error: k.mlir:22:20: 'cuda.tensor_map' op makes a descriptor that the driver rejects: the stride of mode 1 is 130 bytes: \
         strides are multiples of 16 bytes; padding to 144 would do\n"
    );
}
