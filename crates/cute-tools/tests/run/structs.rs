//! The offsets of fields, which the simulator and LLVM compute independently.

use std::{fs, process::Command};

use tempfile::TempDir;

use super::run_in;

/// Structs, and the path of a field in each.
const FIELDS: [(&str, &str); 13] = [
    ("struct<(i8, i32)>", "1"),
    ("struct<(i8, struct<(i16, i64, i8)>, i32)>", "1, 2"),
    ("struct<(i8, struct<(i16, i64, i8)>, i32)>", "2"),
    ("struct<packed (i8, i64, i16)>", "2"),
    ("struct<(i1, f16, i1, f64)>", "3"),
    ("struct<(i24, i8)>", "1"),
    ("struct<(i48, i8)>", "1"),
    ("struct<(ptr<3>, i8, ptr, i8)>", "3"),
    ("struct<(ptr<6>, i8, ptr<5>, ptr<7>, ptr<4>, i8)>", "5"),
    ("struct<(i8, array<3 x struct<(i32, i8)>>, i8)>", "2"),
    ("struct<(i8, array<3 x struct<(i32, i8)>>, i8)>", "1, 2, 1"),
    ("struct<(i8, vector<4xf32>, i8)>", "2"),
    ("struct<(bf16, vector<3xi16>, i8)>", "2"),
];

/// Kernel `i` stores the offset of field `i` as element `i`.
fn module() -> String {
    let kernels = FIELDS.iter().enumerate().map(|(i, (t, path))| {
        format!(
            "gpu.func @k{i}(%out: !llvm.ptr<1>) kernel {{
               %p = llvm.getelementptr %out[0, {path}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.{t}
               %a = llvm.ptrtoint %p : !llvm.ptr<1> to i32
               %b = llvm.ptrtoint %out : !llvm.ptr<1> to i32
               %offset = llvm.sub %a, %b : i32
               llvm.store %offset, %out : i32, !llvm.ptr<1>
               gpu.return
             }}\n"
        )
    });
    format!("gpu.module @m {{\n{}}}\n", kernels.collect::<String>())
}

/// The constants that the kernels store in PTX.
fn in_ptx(folder: &TempDir) -> Vec<u32> {
    let file = folder.path().join("k.mlir");
    fs::write(&file, module()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cutec"))
        .arg(&file)
        .args(["--target", "sm_90a", "--emit", "ptx", "-o", "-"])
        .output()
        .unwrap();
    let ptx = String::from_utf8(output.stdout).unwrap();
    let stores = ptx.lines().filter(|line| line.contains("st.global.b32"));
    stores.map(|line| line.rsplit([' ', ';']).nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn fields_are_where_llvm_puts_them() {
    let folder = TempDir::new().unwrap();
    let expected = in_ptx(&folder);
    assert_eq!(expected.len(), FIELDS.len());
    for (i, expected) in expected.into_iter().enumerate() {
        let options = format!("--kernel k{i} --grid 1 --block 1 --arg i32[1] --out out=out.npy");
        let (code, _, err) = run_in(&folder, &module(), &options);
        assert_eq!(code, Some(0), "{err}");
        let bytes = fs::read(folder.path().join("out.npy")).unwrap();
        let found = u32::from_le_bytes(*bytes.last_chunk().unwrap());
        assert_eq!(found, expected, "{:?}", FIELDS[i]);
    }
}
