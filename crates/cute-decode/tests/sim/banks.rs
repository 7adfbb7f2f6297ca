//! Wavefronts of shared memory: what kernels are counted, what [`wavefronts`] says of the same
//! addresses, and what banks and lines in `tests/vectors/banks.json` (swizzled tiles of another
//! compiler) ask for.

use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Program, Report, Traffic, wavefronts};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// `access` with each lane's address `%p`, on a tile in which everything is written.
fn kernel(access: &str) -> Program {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %at = llvm.getelementptr %offsets[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %offset = llvm.load %at : !llvm.ptr<1> -> i32
         %p = llvm.getelementptr %tile[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
         {access}"
    );
    let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<8192 x i8>\n";
    program(&(tile.to_owned() + &function("%offsets: !llvm.ptr<1>", &body)))
}

fn run(program: &Program, offsets: &[u64]) -> Report {
    let mut memory = Memory::new();
    let buffer = memory.upload(&offsets.iter().map(|o| *o as u32).collect::<Vec<_>>());
    // Lanes that share a word write the same.
    let launch = Launch { check_races: false, ..Launch::new("kernel", [1; 3], [offsets.len() as u32, 1, 1]) };
    program.run(&launch, &mut memory, &[Arg::Buffer(buffer)]).unwrap_or_else(|e| panic!("{e}"))
}

fn type_of(bytes: u32) -> String {
    match bytes {
        16 => "vector<4xi32>".into(),
        8 => "vector<2xi32>".into(),
        _ => format!("i{}", bytes * 8),
    }
}

/// A store of this number of bytes per lane, followed by a load.
fn accesses(bytes: u32) -> Program {
    let ty = type_of(bytes);
    kernel(&format!(
        "%zero = llvm.mlir.zero : {ty}
         llvm.store %zero, %p {{alignment = {bytes} : i64}} : {ty}, !llvm.ptr<3>
         %v = llvm.load %p {{alignment = {bytes} : i64}} : !llvm.ptr<3> -> {ty}"
    ))
}

/// The widths of an access, each with its program.
fn widths() -> HashMap<u32, Program> {
    [1, 2, 4, 8, 16].map(|bytes| (bytes, accesses(bytes))).into()
}

/// Passes and the least of them, which the store and the load have in common.
fn counted(program: &Program, offsets: &[u64]) -> (u64, u64) {
    let report = run(program, offsets);
    let shared: Vec<_> = report.sites.iter().filter(|s| s.traffic == Traffic::Shared).collect();
    let counts: HashSet<_> = shared.iter().map(|s| (s.passes, s.ideal)).collect();
    assert_eq!((shared.len(), counts.len()), (2, 1), "{shared:?}");
    (shared[0].passes, shared[0].ideal)
}

/// 32 lanes.
fn lanes(offset: impl Fn(u64) -> u64) -> Vec<u64> {
    (0..32).map(offset).collect()
}

#[test]
fn rows_columns_padding_and_swizzles() {
    // What, where each lane is, bytes a lane, passes, the least.
    let cases = [
        ("a row of f32", lanes(|l| 4 * l), 4, 1, 1),
        ("a word for all", lanes(|_| 64), 4, 1, 1),
        ("a column of f32, 32 a row", lanes(|l| 128 * l), 4, 32, 1),
        ("the same, padded by one", lanes(|l| 132 * l), 4, 1, 1),
        ("the same, 128-byte swizzle", lanes(|l| 128 * l + 16 * (l % 8)), 4, 4, 1),
        ("every other word", lanes(|l| 8 * l), 4, 2, 1),
        ("every third word", lanes(|l| 12 * l), 4, 1, 1),
        ("a row of f16", lanes(|l| 2 * l), 2, 1, 1),
        ("a column of f16, 64 a row", lanes(|l| 128 * l), 2, 32, 1),
        ("the same, padded by two", lanes(|l| 132 * l), 2, 1, 1),
        ("a column of f16, 32 a row", lanes(|l| 64 * l), 2, 16, 1),
        ("a column of bytes, 32 a row", lanes(|l| 32 * l), 1, 8, 1),
        ("a row of f64", lanes(|l| 8 * l), 8, 2, 2),
        ("a column of f64, 16 a row", lanes(|l| 128 * l), 8, 32, 2),
        ("the same, padded by one", lanes(|l| 136 * l), 8, 2, 2),
        ("the same, 128-byte swizzle", lanes(|l| 128 * l + 16 * (l % 8)), 8, 4, 2),
        ("a row of 16 bytes", lanes(|l| 16 * l), 16, 4, 4),
        ("16 bytes of rows of 128", lanes(|l| 128 * l), 16, 32, 4),
        ("the same, 128-byte swizzle", lanes(|l| 128 * l + 16 * (l % 8)), 16, 4, 4),
        ("16 bytes of rows of 64", lanes(|l| 64 * l), 16, 16, 4),
        ("the same, 64-byte swizzle", lanes(|l| 64 * l + 16 * (l / 2 % 4)), 16, 4, 4),
        ("16 bytes of rows of 32", lanes(|l| 32 * l), 16, 8, 4),
        ("the same, 32-byte swizzle", lanes(|l| 32 * l + 16 * (l / 4 % 2)), 16, 4, 4),
        ("rows of 128, padded by 16 bytes", lanes(|l| 144 * l), 16, 4, 4),
        ("eight lanes in one quarter", lanes(|l| 16 * l)[..8].to_vec(), 16, 1, 1),
        ("17 lanes in two halves", lanes(|l| 8 * l)[..17].to_vec(), 8, 2, 2),
    ];
    let programs = widths();
    for (what, offsets, bytes, passes, least) in cases {
        assert_eq!(counted(&programs[&bytes], &offsets), (passes, least), "{what}");
        assert_eq!(u64::from(wavefronts(&offsets, bytes)), passes, "{what}");
    }
}

/// The rows of an `ldmatrix` go eight at a time.
#[test]
fn rows_of_ldmatrix() {
    let access = "%zero = llvm.mlir.zero : vector<4xi32>
         %all = llvm.mlir.constant(-1 : i32) : i32
         llvm.store %zero, %p {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
         nvvm.bar.warp.sync %all : i32
         %v = nvvm.ldmatrix %p {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>";
    let program = kernel(access);
    for (offsets, passes) in [
        (lanes(|l| 128 * l), 32),
        (lanes(|l| 128 * l + 16 * (l % 8)), 4),
        (lanes(|l| 64 * l), 16),
        (lanes(|l| 64 * l + 16 * (l / 2 % 4)), 4),
        (lanes(|l| 32 * l + 16 * (l / 4 % 2)), 4),
        (lanes(|l| 80 * l), 4),
    ] {
        let report = run(&program, &offsets);
        let site = report.sites.iter().find(|s| s.op == "nvvm.ldmatrix").unwrap();
        assert_eq!((site.passes, site.ideal), (passes, 4), "{offsets:?}");
    }
}

/// The columns of swizzled tiles. The passes follow from the banks and lines that the table names.
#[test]
fn swizzled_columns_have_the_banks_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/banks.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let tables = vectors["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 40);
    let programs = widths();
    for table in tables {
        let column = |key: &str| -> Vec<u64> {
            table[key].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect()
        };
        let element = table["element_bits"].as_u64().unwrap() / 8;
        let places: Vec<(u64, u64)> = column("bank").into_iter().zip(column("line")).collect();
        let offsets: Vec<u64> = column("addr").iter().map(|a| a * element).collect();
        for bytes in [element as u32, 4, 8, 16] {
            // A bank delivers one line's word in a pass.
            let mut lines: HashMap<u64, HashSet<u64>> = HashMap::new();
            for (bank, line) in &places {
                for word in 0..u64::from(bytes.div_ceil(4)) {
                    lines.entry(bank + word).or_default().insert(*line);
                }
            }
            let passes = lines.values().map(HashSet::len).max().unwrap() as u64;
            let id = &table["id"];
            assert_eq!(u64::from(wavefronts(&offsets, bytes)), passes, "{id}, {bytes} bytes");
            assert_eq!(counted(&programs[&bytes], &offsets), (passes, 1), "{id}, {bytes} bytes");
            let swizzled = id.as_str().unwrap() != "seed_fp16_8x64_column0_plain";
            assert_eq!(passes, if swizzled { 1 } else { 8 }, "{id}, {bytes} bytes");
        }
    }
}
