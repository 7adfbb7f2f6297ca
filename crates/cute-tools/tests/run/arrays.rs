//! Arrays: one for each view of a kernel, what their types mean, and what becomes of them.

use super::{GOOD, KERNELS, run_in};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// Copies a matrix to one of another layout, element by element: thread (m,n) of the block.
const COPY: &str = r#"!src = !cute.memref<SRC_TYPE, gmem, SRC_LAYOUT>
!dst = !cute.memref<SRC_TYPE, gmem, DST_LAYOUT>
gpu.module @m {
  gpu.func @copy(%src: !src, %dst: !dst) kernel {
    %m = nvvm.read.ptx.sreg.tid.x : i32
    %n = nvvm.read.ptx.sreg.tid.y : i32
    %at = cute.make_coord(%m, %n) : (i32, i32) -> !cute.coord<"(?,?)">
    %v = cute.memref.load(%src, %at) : (!src, !cute.coord<"(?,?)">) -> SRC_TYPE
    cute.memref.store(%dst, %at, %v) : (!dst, !cute.coord<"(?,?)">, SRC_TYPE) -> ()
    gpu.return
  }
}
"#;

fn copy(element: &str, src: &str, dst: &str) -> String {
    let quoted = |layout: &str| format!("\"{layout}\"");
    COPY.replace("SRC_TYPE", element).replace("SRC_LAYOUT", &quoted(src)).replace("DST_LAYOUT", &quoted(dst))
}

pub(super) fn floats(folder: &TempDir, file: &str) -> Vec<f32> {
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join(file)).unwrap()).unwrap();
    file.into_vec::<f32>().unwrap()
}

#[test]
fn an_array_fills_a_view_in_the_order_of_its_strides() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<_> = (0..12).map(|i| i as f32).collect();
    for (src, dst, abi) in [
        ("(?,?):(?,1)", "(?,?):(1,?)", "flat"),
        ("(?,?):(?,1)", "(?,?):(1,?)", "dsl"),
        ("(?,?):(?,?)", "(3,4):(1,3)", "dsl"),
        ("(3,?):(?{i64},1)", "(?,?):(?,?)", "flat"),
        ("(3,?):(?{i64},1)", "(?,?):(?,?)", "dsl"),
        ("(?,(2,?)):(?,(1,2))", "(3,4):(4,1)", "flat"),
    ] {
        let arguments =
            format!("--grid 1 --block 3,4 --arg f32[3x4]=range --arg y:f32[3x4] --out y=y.npy --abi {abi}");
        let (code, out, err) = run_in(&folder, &copy("f32", src, dst), &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{src}: {out}");
        assert_eq!(floats(&folder, "y.npy"), rows, "{src} to {dst}");
    }
}

#[test]
fn an_array_has_the_strides_that_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<_> = (0..12).map(|i| i as f32).collect();
    for (layout, strides) in [
        ("(?,?):(?,1)", "6x1"),
        ("(?,?):(?,?)", "2x9"),
        ("(3,4):(5,1)", "5x1"),
        ("(?,(2,?)):(1,(?,?))", "1x4"),
    ] {
        let arguments = format!(
            "--grid 1 --block 3,4 --arg f32[3x4,strides={strides}]=range --arg y:f32[3x4] --out y=y.npy"
        );
        let (code, out, err) = run_in(&folder, &copy("f32", layout, "(?,?):(?,1)"), &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{layout}: {out}");
        assert_eq!(floats(&folder, "y.npy"), rows, "{layout}");
        // The other way round; and the file has the elements only.
        let arguments = format!(
            "--grid 1 --block 3,4 --arg f32[3x4]=range --arg y:f32[3x4,strides={strides}] --out y=z.npy"
        );
        let (code, out, err) = run_in(&folder, &copy("f32", "(?,?):(?,1)", layout), &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{layout}: {out}");
        assert_eq!(floats(&folder, "z.npy"), rows, "{layout}");
    }
    let refused = |layout: &str, first: &str| {
        let arguments = format!("--grid 1 --block 3,4 --arg {first} --arg f32[3x4]");
        let (code, _, err) = run_in(&folder, &copy("f32", layout, "(?,?):(?,1)"), &arguments);
        assert_eq!(code, Some(1), "{err}");
        err
    };
    let pitched = "(?,?):(8,1)";
    let why = refused(pitched, "f32[3x4]");
    assert!(why.contains(
        "does not have the stride 8 of mode 0; give the array strides, as in TYPE[3x4,strides=8x1]"
    ));
    let why = refused(pitched, "f32[3x4,strides=4x1]");
    assert!(why.contains("the array has the stride 4 where mode 0 has the stride 8"), "{why}");
    let why = refused("(?,?):(?{i64},1)", "f32[3x4,strides=99999999999x1]");
    assert!(why.contains("there is no memory for an array of"), "{why}");
}

#[test]
fn leaves_can_be_given_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--grid 1 --block 3,4 --arg f32[20]=range --arg 3 --arg 4 --arg 5 \
        --arg f32[3x4] --arg 3 --arg 4 --arg 4 --out dst=y.npy";
    let (code, out, err) = run_in(&folder, &copy("f32", "(?,?):(?,1)", "(?,?):(?,1)"), arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let pitched: Vec<_> = (0..3).flat_map(|m| (0..4).map(move |n| (5 * m + n) as f32)).collect();
    assert_eq!(floats(&folder, "y.npy"), pitched);
}

#[test]
fn what_an_array_does_not_fit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let says = |src: &str, array: &str, text: &str| {
        let arguments = format!("--grid 1 --block 3,4 --arg {array} --arg f32[3x4]");
        let (code, out, err) = run_in(&folder, &copy("f32", src, "(?,?):(?,1)"), &arguments);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.starts_with("error: ") && err.contains(text), "{err}");
    };
    let ty = |layout: &str| format!("parameter 'src' is !cute.memref<f32, gmem, \"{layout}\">: ");
    let open = "(?,?):(?,1)";
    says(open, "f16[3x4]", "--arg f16[3x4]: parameter 'src' has elements of type f32, but the array has f16");
    says(open, "f32[12]", &(ty(open) + "the array 12 has 1 extent, but the layout has 2 modes"));
    says("(3,?):(?,1)", "f32[4x4]", "the array 4x4 has 4 where mode 0 is 3");
    says("(?,?):(8,1)", "f32[3x4]", "a compact array 3x4 does not have the stride 8 of mode 0");
    says("(3,4):(8,1)", "f32[19]", "it reaches 20 elements, but the array has 19");
    says(
        open,
        "null",
        "is passed as 4 values: give one --arg for each of the 8 values that are passed in all",
    );
    let (_, _, err) = run_in(&folder, &copy("f32", open, open), "--grid 1 --block 1 --arg f32[3x4]");
    assert!(
        err.contains("has 2 parameters (src (!cute.memref<")
            && err.contains(", passed as 8 values (src !llvm.ptr<1>, src i32, src i32, src i32, dst "),
        "{err}"
    );
}

#[test]
fn small_floats_go_through_files() {
    let folder = tempfile::tempdir().unwrap();
    for (ty, descr, two) in
        [("bf16", "<V2", [0x00, 0x40].as_slice()), ("f8E4M3FN", "<V1", &[0x40]), ("f8E5M2", "<V1", &[0x40])]
    {
        let text = copy(ty, "(?,?):(?,1)", "(?,?):(?,1)");
        let good = |x: &str| {
            let arguments =
                format!("--grid 1 --block 3,4 --arg {ty}[3x4]={x} --arg {ty}[3x4] --out dst=y.npy");
            let (code, out, err) = run_in(&folder, &text, &arguments);
            assert_eq!(code, Some(0), "{ty} {x}: {out} {err}");
            fs::read(folder.path().join("y.npy")).unwrap()
        };
        let range = good("range");
        assert!(String::from_utf8_lossy(&range[..64]).contains(&format!("'descr': '{descr}'")), "{ty}");
        let third = &range[range.len() - 10 * two.len()..][..two.len()];
        assert_eq!(third, two, "{ty}");
        fs::write(folder.path().join("x.npy"), &range).unwrap();
        assert_eq!(good("x.npy"), range, "{ty}");
    }
}

/// Each thread adds its own element to the same element of a fragment of f4, which all elements
/// went through.
const NARROW: &str = r#"!x = !cute.memref<f8E4M3FN, gmem, align<4>, "4:1">
!y = !cute.memref<f32, gmem, "4:1">
!small = !cute.memref<f4E2M1FN, rmem, align<4>, "4:1">
gpu.module @m {
  gpu.func @narrow(%x: !x, %y: !y) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    %own = cute.memref.load(%x, %at) : (!x, !cute.coord<"?">) -> f8E4M3FN
    %wide = arith.extf %own : f8E4M3FN to f32
    %all = cute.memref.load_vec %x : !x
    %wides = arith.extf %all : vector<4xf8E4M3FN> to vector<4xf32>
    %rounded = arith.truncf %wides : vector<4xf32> to vector<4xf4E2M1FN>
    %small = cute.memref.alloca() : !small
    cute.memref.store_vec %rounded, %small : !small
    %again = cute.memref.load(%small, %at) : (!small, !cute.coord<"?">) -> f4E2M1FN
    %left = arith.extf %again : f4E2M1FN to f32
    %sum = arith.addf %wide, %left : f32
    cute.memref.store(%y, %at, %sum) : (!y, !cute.coord<"?">, f32) -> ()
    gpu.return
  }
}
"#;

#[test]
fn narrow_floats_are_read_and_written_one_by_one_and_as_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--target sm_100a --grid 1 --arg f8E4M3FN[4]=range --arg y:f32[4] --out y=y.npy";
    let (code, out, err) = run_in(&folder, NARROW, arguments);
    assert_eq!(code, Some(0), "{out} {err}");
    assert_eq!(floats(&folder, "y.npy"), [0.0, 2.0, 4.0, 6.0]);
}

#[test]
fn names_are_those_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let unnamed = "--kernel twice --grid 2 --block 64 --arg f32[100]=range --arg f32[100] --arg 101";
    let (code, out, _) = run_in(&folder, KERNELS, unnamed);
    assert!(code == Some(1) && out.contains("4 bytes at byte 400 of buffer x, which has 400 bytes"), "{out}");
    // The user's own name comes first.
    let (_, out, _) = run_in(&folder, KERNELS, &unnamed.replace("--arg f32[100]=range", "--arg in:f32[100]"));
    assert!(out.contains("of buffer in, which"), "{out}");
    // As does the name that a location gives, over what the text says.
    let (_, out, _) =
        run_in(&folder, &KERNELS.replace("%x: !llvm.ptr<1>", "%x: !llvm.ptr<1> loc(\"input\")"), unnamed);
    assert!(out.contains("of buffer input, which"), "{out}");
}

#[test]
fn what_is_not_written_is_mentioned() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("y.npy"), "old").unwrap();
    let wrong = GOOD.replace("n:i32=100", "101") + " --out y=y.npy";
    let (code, _, err) = run_in(&folder, KERNELS, &wrong);
    assert_eq!(
        (code, err.as_str()),
        (Some(1), "error: kernel 'twice' has 1 finding; 'y.npy' is not written\n")
    );
    assert_eq!(fs::read(folder.path().join("y.npy")).unwrap(), b"old");

    let swapped = GOOD.to_owned() + " --out x=x.npy --out y=y.npy";
    let (code, _, err) = run_in(&folder, KERNELS, &swapped);
    let warning = "warning: the kernel never writes to array x; 'x.npy' gets its initial contents\n";
    assert_eq!((code, err.as_str()), (Some(0), warning));
}

#[test]
fn progress_is_shown_on_a_terminal_only() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("k.mlir"),
        // It writes other numbers, lest it be found to hang at once.
        "gpu.module @m { gpu.func @k(%p: !llvm.ptr<1>) kernel { %c = arith.constant 1 : i32\ncf.br ^l(%c : i32)\n^l(%i: i32):
           llvm.store volatile %i, %p : i32, !llvm.ptr<1>\n %j = arith.addi %i, %c : i32\n cf.br ^l(%j : i32) } }",
    )
    .unwrap();
    let arguments = format!(
        "{} run k.mlir --grid 1 --block 32 --arg 'i32[1]' --budget 30000000 >out.txt",
        env!("CARGO_BIN_EXE_cutec")
    );
    let mut terminal = std::process::Command::new("script");
    terminal.current_dir(&folder).args(["-qec", &arguments, "/dev/null"]);
    let said = terminal.env("TERM", "xterm").output().unwrap().stdout;
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("0 of 1 blocks, ") && said.contains(" so far"), "{said}");
    let report = fs::read_to_string(folder.path().join("out.txt")).unwrap();
    assert!(report.contains("the budget of 30000000 instructions is used up"), "{report}");
    let (_, _, err) = run_in(&folder, KERNELS, GOOD);
    assert_eq!(err, "");
}

#[test]
fn json_names_arrays_too() {
    let folder = tempfile::tempdir().unwrap();
    let (_, out, _) = run_in(&folder, KERNELS, &(GOOD.replace("n:i32=100", "101") + " --report json"));
    let report: Value = serde_json::from_str(&out).unwrap();
    let finding = &report["findings"][0]["kind"];
    assert_eq!(finding["place"], serde_json::json!({"buffer": {"number": 0, "name": "x"}}), "{report}");
}

/// Block `b` adds `b` to the four floats that the address in `list[b]` leads to.
const THROUGH_ADDRESSES: &str = r#"gpu.module @m {
  gpu.func @add(%list: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 4, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %entry = llvm.getelementptr %list[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
    %address = llvm.load %entry : !llvm.ptr<1> -> i64
    %array = llvm.inttoptr %address : i64 to !llvm.ptr<1>
    %place = llvm.getelementptr %array[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %place : !llvm.ptr<1> -> f32
    %f = llvm.sitofp %b : i32 to f32
    %sum = llvm.fadd %v, %f : f32
    llvm.store %sum, %place : f32, !llvm.ptr<1>
    gpu.return
  }
}
"#;

#[test]
fn arrays_are_found_through_arrays_of_their_addresses() {
    let folder = tempfile::tempdir().unwrap();
    let launch = "--grid 2 --array p:f32[4]=range --array q:f32[2x2]=5";
    let arguments = format!("{launch} --arg list:i64[2]=&p,&q --out p=p.npy --out q=q.npy");
    let (code, out, err) = run_in(&folder, THROUGH_ADDRESSES, &arguments);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(floats(&folder, "p.npy"), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(floats(&folder, "q.npy"), [6.0; 4]);
    for (arrays, list, why) in [
        (
            "--array p:f32[4]",
            "i64[2]=&p,&q",
            "error: --arg list: no array has the name 'q'; the arrays are: list, p",
        ),
        ("--array p:f32[4]", "i64[2]=&p,&list", "error: --arg list: it holds its own address, or that"),
        ("--array p:f32[4]", "i64[2]=&p", "the array has 2 elements, but 1 addresses are given"),
        ("--array p:f32[4]", "i32[1]=&p", "addresses must have type i64 or u64, not i32"),
        ("--array list:f32[4]", "i64[1]=&list", "the name 'list' is taken"),
        ("--array f32[4]", "i64[1]=&p", "write NAME:TYPE[EXTENTS][=VALUES]"),
    ] {
        let (code, _, err) =
            run_in(&folder, THROUGH_ADDRESSES, &format!("--grid 1 {arrays} --arg list:{list}"));
        assert_eq!(code, Some(1), "{list}: {err}");
        assert!(err.contains(why), "{list}: {err}");
    }
}

#[test]
fn an_array_without_memory_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = 4u64 << 46;
    for array in [format!("f32[{}]", 1u64 << 46), format!("f32[{}]=random(1)", 1u64 << 46)] {
        let arguments = GOOD.replace("x:f32[100]=range", &format!("x:{array}")) + " --memory 1000000000";
        let (code, out, err) = run_in(&folder, KERNELS, &arguments);
        assert_eq!((code, out.as_str()), (Some(1), ""));
        assert_eq!(
            err,
            format!("error: --arg x:{array}: there is no memory for an array of {bytes} bytes\n")
        );
    }
}

#[test]
fn a_file_that_nests_or_does_not_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let ty = format!("{}'<f4'{}", "[('a', ".repeat(14), ")]".repeat(14));
    let header = format!("{{'descr': {ty}, 'fortran_order': False, 'shape': (100,), }}\n");
    let bytes = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    fs::write(folder.path().join("x.npy"), bytes).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.path().join("zero.npy")).unwrap();
    for (file, why) in [
        ("x.npy", "'x.npy' has elements with several fields, which is not supported"),
        ("zero.npy", "cannot read 'zero.npy': it is not a regular file"),
    ] {
        let (code, _, err) = run_in(&folder, KERNELS, &GOOD.replace("range", file));
        assert_eq!((code, err), (Some(1), format!("error: --arg x:f32[100]={file}: {why}\n")));
    }
}

#[test]
fn outputs_do_not_replace_inputs_or_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run_in(&folder, KERNELS, &format!("{GOOD} --out x=x.npy"));
    assert_eq!(code, Some(0), "{err}");
    let given = GOOD.replace("=range", "=x.npy");
    for (outputs, error) in [
        ("--out y=k.mlir", "--out y=k.mlir: it would overwrite the module"),
        ("--out y=./k.mlir", "--out y=./k.mlir: it would overwrite the module"),
        ("--out y=x.npy", "--out y=x.npy: it would overwrite a file that this run reads"),
        ("--out x=z.npy --out y=./z.npy", "--out y=./z.npy: another --out writes this file"),
    ] {
        let (code, out, err) = run_in(&folder, KERNELS, &format!("{given} {outputs}"));
        assert_eq!((code, out.as_str(), err), (Some(1), "", format!("error: {error}\n")));
        assert_eq!(fs::read_to_string(folder.path().join("k.mlir")).unwrap(), KERNELS);
        assert!(!folder.path().join("z.npy").exists());
    }
    let (code, _, err) = run_in(&folder, KERNELS, &format!("{given} --out x=/dev/null --out y=/dev/null"));
    assert_eq!(code, Some(0), "{err}");
}
