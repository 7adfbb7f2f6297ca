//! Tiles of A and B at other coordinates than those at which D is stored, in kernels whose blocks
//! each compute one tile.

use super::{B_LIKE_A, breaks, kernel, report};

const A_AT_N: &str = "'cute.local_tile' op cuts the tile of A at the coordinate of D's columns: mode M of A is that of D's rows, so cut it at the coordinate of those";
const B_AT_M: &str = "'cute.local_tile' op cuts the tile of B at the coordinate of D's rows: mode N of B is that of D's columns, so cut it at the coordinate of those";

/// A kernel, and the projections of its tiles of A and B.
const KERNELS: [&str; 6] = [
    "gemm/4_tensor_cores.mlir",
    "gemm_bias_relu.mlir",
    "tma/gemm.mlir",
    "hopper/wgmma.mlir",
    "hopper/warp_roles.mlir",
    "blackwell/umma.mlir",
];

/// The kernel with the tiles of some matrices cut at the exchanged coordinate.
fn exchanged(name: &str, matrices: &[&str]) -> String {
    let mut text = kernel(name);
    for matrix in matrices {
        let line =
            text.lines().find(|line| line.contains(&format!("cute.local_tile(%{matrix}, %tiler, %at, ")));
        let line = line.unwrap_or_else(|| panic!("{name} has no tile of {matrix}")).to_owned();
        let made = format!(
            "%exchanged_{matrix} = cute.make_coord(%block_n, %block_m) : (i32, i32) -> !block\n{}",
            line.replace("%tiler, %at,", &format!("%tiler, %exchanged_{matrix},"))
        );
        text = text.replace(&line, &made);
    }
    text
}

#[track_caller]
fn refused(name: &str, text: &str, why: &str) {
    let found = report(text);
    assert!(found.contains(why), "{name} is not refused by `{why}`:\n{found}");
}

#[test]
fn one_of_both_is_at_the_coordinate_of_the_other() {
    for name in KERNELS {
        refused(name, &exchanged(name, &["A"]), A_AT_N);
        refused(name, &exchanged(name, &["B"]), B_AT_M);
    }
}

/// The transposed product, whose rows are stored as rows.
#[test]
fn both_are_exchanged() {
    for name in ["gemm/4_tensor_cores.mlir", "tma/gemm.mlir", "hopper/warp_roles.mlir"] {
        refused(name, &exchanged(name, &["A", "B"]), A_AT_N);
    }
}

/// All of the kernel is that of the transposed product, which may be meant.
#[test]
fn all_three_are_exchanged() {
    for name in KERNELS {
        let text = kernel(name).replace(
            "cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block",
            "cute.make_coord(%block_n, %block_m) : (i32, i32) -> !block",
        );
        assert_eq!(report(&text), "", "{name}");
    }
}

/// D is cut by a tiler of its own, at a coordinate that is made elsewhere.
#[test]
fn tilers_may_differ() {
    for (name, tile) in [
        ("tma/gemm.mlir", "[64:1;64:1]"),
        ("hopper/warp_roles.mlir", "[128:1;128:1]"),
        ("blackwell/umma.mlir", "[128:1;128:1]"),
    ] {
        let (whole, own) =
            ("cute.local_tile(%C, %tiler, %at, \"(1,1,_)\")", "cute.local_tile(%C, %tiler_C, %at_C)");
        let text = kernel(name);
        let line = text.lines().find(|line| line.contains(whole)).expect("the tile of C").to_owned();
        let made = format!(
            "%m_C = nvvm.read.ptx.sreg.ctaid.x : i32\n%n_C = nvvm.read.ptx.sreg.ctaid.y : i32\n\
             %tiler_C = cute.static : !cute.tile<\"{tile}\">\n\
             %at_C = cute.make_coord(%m_C, %n_C) : (i32, i32) -> !cute.coord<\"(?,?)\">\n{}",
            line.replace(whole, own).replace(
                "(!coords, !tiler, !block)",
                &format!("(!coords, !cute.tile<\"{tile}\">, !cute.coord<\"(?,?)\">)")
            )
        );
        let right = text.replace(&line, &made);
        assert_eq!(report(&right), "", "{name}");
        refused(name, &right.replace(B_LIKE_A.0, B_LIKE_A.1), B_AT_M);
        let a_like_b = (super::A_LIKE_B.0, super::A_LIKE_B.1);
        refused(name, &right.replace(a_like_b.0, a_like_b.1), A_AT_N);
    }
}

#[test]
fn the_builder_for_sm_80() {
    let name = "gemm_sm80.mlir";
    let tile = |at: &str| format!("cute.local_tile(%A, %tiler, {at}, \"(1,_,1)\")");
    let (right, wrong) = (tile("%at_1"), tile("%wrong"));
    let at = "%at_1 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<\"(?,?,_)\">";
    let made = format!(
        "{at}\n{}",
        at.replace("%at_1", "%wrong").replace("%block_m, %block_n", "%block_n, %block_m")
    );
    breaks(name, &[(at, &made), (&right, &wrong)], A_AT_N);
}
