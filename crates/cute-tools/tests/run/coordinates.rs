//! Coordinates beyond the extents of their modes: an error where memory is accessed through them.

use super::{
    changed::{Changed, example, generations, kinds},
    run_in,
};

const OF_ALL: [Changed; 5] = [
    // The tile of the source has the coordinates of the blocks exchanged, and its predicate not.
    Changed {
        example: "copy",
        change: [
            "%src_tile = cute.local_tile(%src, %tiler, %at)",
            "%exchanged = cute.make_coord(%block_n, %block_m) : (i32, i32) -> !cute.coord<\"(?,?)\">\n\
             %src_tile = cute.local_tile(%src, %tiler, %exchanged)",
        ],
        arguments: Some("--grid 1,4 --arg src:f32[100x60]=random(1) --arg dst:f32[100x60]"),
    },
    // The destination is tiled like the source.
    Changed {
        example: "transpose",
        change: ["cute.local_tile(%dst, %tiler, %at_t)", "cute.local_tile(%dst, %tiler, %at)"],
        arguments: None,
    },
    // The guard of a grid with too many blocks compares the row in the tile.
    Changed {
        example: "layernorm",
        change: ["arith.cmpi slt, %row, %rows", "arith.cmpi slt, %warp, %rows"],
        arguments: Some(
            "--grid 3 --arg X:f32[8x1024]=random(1) --arg gamma:f32[1024]=random(2) --arg beta:f32[1024]=random(3) \
             --arg Y:f32[8x1024] --arg eps:f32=1e-5",
        ),
    },
    // Rows of the product are those of B, too.
    Changed {
        example: "gemm/1_naive",
        change: ["%at_B = cute.make_coord(%n, %k)", "%at_B = cute.make_coord(%m, %k)"],
        arguments: None,
    },
    // The tile of C that is added has the coordinates of the block exchanged.
    Changed {
        example: "gemm_sm80",
        change: [
            "%gC = cute.local_tile(%C, %tiler_89, %at_95)",
            "%exchanged = cute.make_coord(%block_n, %block_m) : (i32, i32) -> !cute.coord<\"(?,?)\">\n\
             %gC = cute.local_tile(%C, %tiler_89, %exchanged)",
        ],
        arguments: Some(
            "--grid 1,2 --arg A:f16[72x72]=random(1) --arg B:f16[136x72]=random(2) --arg C:f32[72x136]=random(3) \
             --arg D:f32[72x136] --arg alpha:f32=0.5 --arg beta:f32=2",
        ),
    },
];

/// The stage of a ring is the number of the K tile.
const fn ring(example: &'static str, arguments: &'static str) -> Changed {
    let change = ["%at_s = cute.make_coord(%stage)", "%at_s = cute.make_coord(%k)"];
    Changed { example, change, arguments: Some(arguments) }
}

const OF_ONE: [Changed; 3] = [
    ring(
        "hopper/warp_roles",
        "--host --arg A:f16[72x456]=random(1) --arg B:f16[72x456]=random(2) --arg C:f32[72x72]",
    ),
    ring("tma/gemm", "--host --arg A:f16[72x456]=random(1) --arg B:f16[72x456]=random(2) --arg C:f32[72x72]"),
    ring(
        "blackwell/umma",
        "--target sm_100a --host --arg A:f16[72x456]=random(1) --arg B:f16[72x456]=random(2) --arg C:f32[72x72]",
    ),
];

#[test]
fn a_coordinate_beyond_its_extent_is_an_error_of_the_op_that_made_the_address() {
    for (kernel, changed) in OF_ALL.into_iter().enumerate() {
        for target in generations(kernel) {
            let [right, wrong] = changed.reports(&format!("--target {target}"));
            assert!(kinds(&right).is_empty(), "{} for {target}: {:?}", changed.example, kinds(&right));
            let found = kinds(&wrong).iter().position(|kind| kind == "coordinate");
            let found =
                found.unwrap_or_else(|| panic!("{} for {target}: {:?}", changed.example, kinds(&wrong)));
            let finding = &wrong["findings"][found];
            assert!(finding["op"].as_str().unwrap().starts_with("cute."), "{finding}");
            assert!(finding["kind"]["index"].as_i64() >= finding["kind"]["extent"].as_i64(), "{finding}");
        }
    }
}

#[test]
fn a_stage_beyond_the_ring_is_found_at_the_copy_into_it() {
    for changed in OF_ONE {
        let [right, wrong] = changed.reports("");
        assert!(kinds(&right).is_empty(), "{}: {:?}", changed.example, kinds(&right));
        assert!(kinds(&wrong).contains(&"coordinate".to_owned()), "{}: {:?}", changed.example, kinds(&wrong));
    }
}

const TILES: &str = r#"
!m = !cute.memref<f32, gmem, "(8,8):(8,1)">
!tile = !cute.memref<f32, gmem, "(4,8):(8,1)">
gpu.module @k {
  gpu.func @f(%x: !m, %y: !m) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %by = cute.static : !cute.tile<"[4:1;8:1]">
    %at = cute.make_coord(%b) : (i32) -> !cute.coord<"(0,?)">
    %gx = cute.local_tile(%x, %by, %at) : (!m, !cute.tile<"[4:1;8:1]">, !cute.coord<"(0,?)">) -> !tile
    %gy = cute.local_tile(%y, %by, %at) : (!m, !cute.tile<"[4:1;8:1]">, !cute.coord<"(0,?)">) -> !tile
    %c = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
    %v = cute.memref.load(%gx, %c) : (!tile, !cute.coord<"?">) -> f32
    cute.memref.store(%gy, %c, %v) : (!tile, !cute.coord<"?">, f32) -> ()
    gpu.return
  }
}
"#;

const ARRAYS: &str = "--grid 2 --arg x:f32[8x8]=random(1) --arg y:f32[8x8]";

/// The rest of a mode that one tile covers has no stride: each block has the same tile.
#[test]
fn a_tile_of_a_mode_that_one_tile_covers_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, err) = run_in(&folder, TILES, ARRAYS);
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'f' has 2 findings\n"));
    assert!(
        out.starts_with(
            "error: k.mlir:10:11: `cute.local_tile` in block (1, 0, 0), thread (0, 0, 0): coordinate 1 of mode (1) is outside \
             [0, 1), and `llvm.load` (k.mlir:13:10) uses the address: compare the grid and the loop with the extents, leave \
             the access out by a predicate, or set cute.domain = \"extend\" where the layout is meant to go on\n  32 times in all\n"
        ),
        "{out}"
    );
    let (code, out, _) = run_in(&folder, TILES, &format!("{ARRAYS} --runtime-checks"));
    assert_eq!(code, Some(1));
    assert!(out.contains("'cute.local_tile' op index 1 is outside [0, 1)"), "{out}");
    // The tiles of mode 0 are there.
    let right = TILES.replace("(0,?)", "(?,0)");
    assert_eq!(run_in(&folder, &right, &format!("{ARRAYS} --runtime-checks")).0, Some(0));
    let (code, out, _) = run_in(&folder, &right, ARRAYS);
    assert!(code == Some(0) && !out.contains("never written"), "{out}");
}

/// The coordinate alone is not a mistake: of a block that does nothing, of an address that nothing
/// uses, and along a mode whose elements are all one.
#[test]
fn a_coordinate_that_is_not_used_is_not_a_mistake() {
    let folder = tempfile::tempdir().unwrap();
    let guarded = TILES
        .replace(
            "%c = cute",
            "%c1 = arith.constant 1 : i32\n%is = arith.cmpi slt, %b, %c1 : i32\nscf.if %is {\n%c = cute",
        )
        .replace("gpu.return", "}\ngpu.return");
    let (code, out, _) = run_in(&folder, &guarded, ARRAYS);
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("note: y: f32[8x8]: 32 of 64 elements were never written, the first at [4, 0]"),
        "{out}"
    );
    let unused = TILES
        .replace("load(%gx", "load(%x")
        .replace("(!tile, !cute.coord<\"?\">) -> f32", "(!m, !cute.coord<\"?\">) -> f32");
    let unused = unused
        .replace("store(%gy", "store(%y")
        .replace("(!tile, !cute.coord<\"?\">, f32)", "(!m, !cute.coord<\"?\">, f32)");
    assert_eq!(run_in(&folder, &unused, &ARRAYS.replace("--grid 2", "--grid 1")).0, Some(0));
    // A grid with too many blocks along M, along which the bias repeats itself.
    let (text, arguments) = example("gemm_bias_relu");
    assert_eq!(run_in(&folder, &text, &arguments.replace("--grid 2,2", "--grid 3,1")).0, Some(0));
    let extend = TILES.replace("gpu.module @k {", "gpu.module @k attributes {cute.domain = \"extend\"} {");
    assert_eq!(run_in(&folder, &extend, ARRAYS).0, Some(0));
}

/// Counters are those of the kernel, without what the checks need.
#[test]
fn checks_are_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["copy", "softmax", "gemm_simt"] {
        let (text, arguments) = example(name);
        let extend = text.replacen("kernel attributes {", "kernel attributes {cute.domain = \"extend\", ", 1);
        assert_ne!(extend, text);
        let [checked, unchecked] = [text, extend].map(|text| run_in(&folder, &text, &arguments).1);
        let mix = |out: &str| out.split_once("threads  instruction").map(|(_, mix)| mix.to_owned());
        assert_eq!(mix(&checked), mix(&unchecked), "{name}");
    }
}
