//! Globals of IR: kernels read, change and share them, and `--variable` sets them.

use std::fs;

use super::run_in;

/// out[i] = table[i], count += 1.
const MODULE: &str = r#"gpu.module @m {
  llvm.mlir.global external @count(5 : i32) {addr_space = 1 : i32} : i32
  llvm.mlir.global external @table(dense<[1, 2, 3, 4]> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
  llvm.func @k(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = llvm.mlir.addressof @table : !llvm.ptr<4>
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %t[%i] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
    %x = llvm.load %p : !llvm.ptr<4> -> i32
    %o = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %o : i32, !llvm.ptr<1>
    %c = llvm.mlir.addressof @count : !llvm.ptr<1>
    %one = llvm.mlir.constant(1 : i32) : i32
    %old = llvm.atomicrmw add %c, %one monotonic : !llvm.ptr<1>, i32
    llvm.return
  }
}
"#;

#[test]
fn globals_of_ir_are_variables() {
    let run = |text: &str, options: &str| {
        let folder = tempfile::tempdir().unwrap();
        let run = format!(
            "--grid 2 --block 4 --no-races --arg out:i32[4] --out out=o.npy --out count=c.npy {options}"
        );
        let (code, out, err) = run_in(&folder, text, &run);
        assert_eq!(code, Some(0), "{options}: {out}{err}");
        ["o.npy", "c.npy"].map(|name| {
            let bytes = fs::read(folder.path().join(name)).unwrap();
            npyz::NpyFile::new(bytes.as_slice()).unwrap().into_vec::<i32>().unwrap()
        })
    };
    for through in ["", "--through ptx"] {
        let kept = run(MODULE, &format!("--variable count:i32[1] {through}"));
        assert_eq!(kept, [vec![1, 2, 3, 4], vec![13]], "{through}");
        let set = run(MODULE, &format!("--variable count:i32=-8 --variable table:i32[4]=range {through}"));
        assert_eq!(set, [vec![0, 1, 2, 3], vec![0]], "{through}");
    }
}

#[test]
fn a_global_that_is_changed_without_order_is_a_race() {
    let text = MODULE.replace(
        "%old = llvm.atomicrmw add %c, %one monotonic : !llvm.ptr<1>, i32",
        "%block = nvvm.read.ptx.sreg.ctaid.x : i32\n    llvm.store %block, %c : i32, !llvm.ptr<1>",
    );
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = run_in(&folder, &text, "--grid 2 --block 1 --arg out:i32[4]");
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("of buffer count"), "{out}");
    // A global that another module defines has no contents here.
    let text = MODULE.replace("@count(5 : i32)", "@count()");
    let (code, _, err) = run_in(&folder, &text, "--grid 1 --block 1 --arg out:i32[4]");
    assert_eq!(code, Some(1));
    assert!(err.contains("the initial value of @count"), "{err}");
    let (code, _, err) =
        run_in(&folder, MODULE, "--grid 1 --block 1 --arg out:i32[4] --variable count:i32[2]");
    assert_eq!(code, Some(1));
    assert_eq!(err, "error: --variable count:i32[2]: the variable has 4 bytes, but 8 are given\n");
}
