//! Kernels in which one copy uses another tensor map than the one that its boxes and coordinates
//! were partitioned by. The tensors have equal types, so nothing else in the module is wrong.

use super::run_in;
use std::{fs, process::Command};

const WARP_ROLES: &str = include_str!("../../../../examples/hopper/warp_roles.mlir");
const GEMM: &str = include_str!("../../../../examples/tma/gemm.mlir");
const UMMA: &str = include_str!("../../../../examples/blackwell/umma.mlir");
const MXF8: &str = include_str!("../../../../examples/blackwell/mxf8.mlir");
const NVF4: &str = include_str!("../../../../examples/blackwell/nvf4.mlir");
const GEFORCE: &str = include_str!("../../../../examples/geforce/nvf4.mlir");

/// The errors of `cutec k.mlir`.
fn compile(text: &str, target: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    cutec.current_dir(folder.path()).args(["k.mlir", "--target", target, "-o", "k.ptx"]);
    String::from_utf8(cutec.output().unwrap().stderr).unwrap()
}

/// The text that `cutec build` writes.
fn built(arguments: &str) -> String {
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = cutec.arg("build").args(arguments.split(' ')).args(["--emit", "cute"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A kernel with one replacement: the error names both maps.
fn refused(text: &str, target: &str, (from, to): (&str, &str), [by, cut_by]: [&str; 2], part: &str) {
    assert_eq!(compile(text, target), "", "the right kernel, for {target}");
    let mutant = text.replacen(from, to, 1);
    assert_ne!(mutant, text, "{from}");
    let errors = compile(&mutant, target);
    let expected = format!("op copies by the tensor map '{by}', but the {part} of operand ");
    let rest = format!(
        "were partitioned by the tensor map '{cut_by}': it would move elements of another tensor; make the atom of the copy from the \
         tensor map '{cut_by}', or partition by the tensor map '{by}'"
    );
    assert!(errors.contains(&expected) && errors.contains(&rest), "{target}, {from}: {errors}");
    assert!(errors.contains(&format!("note: partitioned here, by the tensor map '{cut_by}'")), "{errors}");
}

/// The atom of the second matrix is made from the map of the first.
fn atom_of(text: &str, target: &str, first: &str, second: &str) {
    let [from, to] = [second, first].map(|map| format!("make_exec_tma(%{map})"));
    refused(text, target, (&from, &to), [first, second], "coordinates");
}

#[test]
fn an_atom_of_another_map_is_refused_on_hopper() {
    atom_of(WARP_ROLES, "sm_90a", "load_A", "load_B");
    atom_of(GEMM, "sm_90a", "load_A", "load_B");
    let built = built("gemm_sm90 --target sm_90a --m-tile 128 --n-tile 128 --m-cluster 1");
    atom_of(&built, "sm_90a", "loadA", "loadB");
}

#[test]
fn an_atom_of_another_map_is_refused_on_blackwell() {
    atom_of(UMMA, "sm_100a", "load_A", "load_B");
    atom_of(MXF8, "sm_100a", "loadA", "loadB");
    // Scale factors, too.
    atom_of(NVF4, "sm_100a", "loadSFA", "loadSFB");
}

#[test]
fn an_atom_of_another_map_is_refused_on_geforce() {
    atom_of(GEFORCE, "sm_120a", "loadSFB", "loadSFA");
    atom_of(GEMM, "sm_120a", "load_B", "load_A");
    atom_of(&built("gemm_sm120 --target sm_120a"), "sm_120a", "loadA", "loadB");
}

/// The copy takes one operand of the other matrix, or its partition takes the other map.
#[test]
fn operands_of_another_map_are_refused() {
    for (text, target) in [(WARP_ROLES, "sm_90a"), (GEMM, "sm_120a"), (UMMA, "sm_100a")] {
        let maps = ["load_B", "load_A"];
        refused(
            text,
            target,
            ("cute.copy(%tma_B, %k_B, %s_B)", "cute.copy(%tma_B, %k_A, %s_B)"),
            maps,
            "coordinates",
        );
        refused(
            text,
            target,
            ("cute.copy(%tma_B, %k_B, %s_B)", "cute.copy(%tma_B, %k_B, %s_A)"),
            maps,
            "boxes",
        );
        refused(text, target, ("tma_partition(%load_B,", "tma_partition(%load_A,"), maps, "coordinates");
    }
}

/// Two maps of one tensor are as good as one, and a launch may bring one map twice.
#[test]
fn maps_of_one_tensor_are_accepted() {
    let wrong = WARP_ROLES.replacen("make_exec_tma(%load_B)", "make_exec_tma(%load_A)", 1);
    let same = wrong.replacen("make_non_exec_tiled_tma_load(%B,", "make_non_exec_tiled_tma_load(%A,", 1);
    assert_ne!(same, wrong);
    assert_eq!(compile(&same, "sm_90a"), "");
    let launched = "@gemm_roles<%cfg> (%load_A, %cA, %load_";
    let twice = wrong.replacen(&format!("{launched}B"), &format!("{launched}A"), 1);
    assert_ne!(twice, wrong);
    assert_eq!(compile(&twice, "sm_90a"), "");
}

/// A swizzle of which no map is known is refused before anything is emitted. One that the driver
/// alone can encode compiles, and the C of its host function calls the driver.
#[test]
fn a_swizzle_has_one_map_or_none() {
    let of_c = |swizzle: &str| {
        let of_c = ["(32,2)", "(2048,2)", "((2,2),2,(2,2))", "%ptr_C = "];
        let in_c = |line: &str| match of_c.iter().any(|part| line.contains(part)) {
            true => line.replace("S<3,4,3>", swizzle),
            false => line.to_owned(),
        };
        GEMM.lines().map(in_c).collect::<Vec<_>>().join("\n")
    };
    for swizzle in ["S<2,6,2>", "S<2,6,3>", "S<2,6,4>", "S<2,5,3>", "S<1,6,1>"] {
        let errors = compile(&of_c(swizzle), "sm_90a");
        let rule = "the TMA swizzles by S<0,4,3>, S<1,4,3>, S<2,4,3>, S<3,4,3> and S<2,5,2>, not by ";
        assert!(errors.contains(&format!("{rule}{swizzle}")), "{errors}");
    }
    let text = of_c("S<2,5,2>");
    assert_eq!(compile(&text, "sm_90a"), "");
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg A:f16[64x64] --arg B:f16[64x64] --arg C:f32[64x64]";
    let (code, _, errors) = run_in(&folder, &text, arguments);
    let why = "'cuda.tensor_map' op makes a descriptor that only the driver can encode: the swizzle is 128B by 32B: how the driver \
               encodes it is not known; the function as C calls the driver";
    assert!(code == Some(1) && errors.contains(why), "{errors}");
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    cutec.current_dir(folder.path()).args(["host", "k.mlir", "--target", "sm_90a", "-o", "-"]);
    let c = String::from_utf8(cutec.output().unwrap().stdout).unwrap();
    assert!(
        c.contains("CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B,") && c.contains("CU_TENSOR_MAP_DATA_TYPE_FLOAT32,"),
        "{c}"
    );
}
