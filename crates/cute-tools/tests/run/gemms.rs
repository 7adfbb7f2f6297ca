//! Products of the builders whose tiles the TMA moves, from their host functions: exact under every schedule.

use super::run_in;
use cute_arch::atoms::Major;
use cute_kernels::{
    Error,
    gemm::sm80::{Bring, GemmSm80, Types},
    module,
};
use half::{bf16, f16};
use melior::{Context, ir::Module};
use std::{fs, path::Path};

const SCHEDULES: [&str; 5] = ["lazy", "eager", "reverse", "1", "2"];

/// The text of what a builder builds.
fn text(build: impl for<'c> FnOnce(&'c Context) -> Result<Module<'c>, Error>) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    module::text(&build(&context).unwrap_or_else(|e| panic!("{e}")), "")
}

/// Small integers, the same for a seed.
fn numbers(count: usize, seed: usize) -> Vec<i8> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % 16) as i8 - 8).collect()
}

/// Writes a matrix of elements that numpy knows as `descr`.
fn write(folder: &Path, name: &str, descr: &str, shape: [usize; 2], bytes: impl Iterator<Item = u8>) {
    let [rows, columns] = shape;
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes);
    fs::write(folder.join(name), file).unwrap();
}

/// A type of elements: its name here and in numpy, and the bytes of a number.
type Numbers = (&'static str, &'static str, fn(i8) -> Vec<u8>);

/// Elements of A and B, and of C and D.
struct Elements {
    factors: Numbers,
    sums: Numbers,
}

const F32: Numbers = ("f32", "<f4", |n| f32::from(n).to_le_bytes().into());
const I32: Numbers = ("i32", "<i4", |n| i32::from(n).to_le_bytes().into());

fn elements(types: Types) -> Elements {
    match types {
        Types::F16 => {
            Elements { factors: ("f16", "<f2", |n| f16::from_f32(n.into()).to_le_bytes().into()), sums: F32 }
        }
        Types::Bf16 => Elements {
            factors: ("bf16", "<u2", |n| bf16::from_f32(n.into()).to_le_bytes().into()),
            sums: F32,
        },
        Types::Tf32 => Elements { factors: F32, sums: F32 },
        Types::S8 => Elements { factors: ("i8", "|i1", |n| n.to_le_bytes().into()), sums: I32 },
    }
}

/// D = 2 A B^T - 3 C of small integers, or 2 A B^T where C must not be read.
fn check(kernel: &str, elements: &Elements, [m, n, k]: [usize; 3], schedule: &str, reads_c: bool) {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (numbers(m * k, 1), numbers(n * k, 2), numbers(m * n, 3));
    let (factor, descr, bytes) = elements.factors;
    write(folder.path(), "a.npy", descr, [m, k], a.iter().flat_map(|n| bytes(*n)));
    write(folder.path(), "b.npy", descr, [n, k], b.iter().flat_map(|n| bytes(*n)));
    let (sum, descr, bytes) = elements.sums;
    write(folder.path(), "c.npy", descr, [m, n], c.iter().flat_map(|n| bytes(*n)));
    let beta = if reads_c { -3 } else { 0 };
    let arguments = format!(
        "--host --schedule {schedule} --arg A:{factor}[{m}x{k}]=a.npy --arg B:{factor}[{n}x{k}]=b.npy --arg C:{sum}[{m}x{n}]=c.npy \
         --arg D:{sum}[{m}x{n}] --arg alpha:{sum}=2 --arg beta:{sum}={beta} --out D=d.npy"
    );
    let (code, out, err) = run_in(&folder, kernel, &arguments);
    let what = format!("{factor} {m}x{n}x{k} {schedule}");
    assert_eq!(code, Some(0), "{what}: {err}");
    assert!(!err.contains("error:"), "{what}: {out}{err}");
    let file = fs::read(folder.path().join("d.npy")).unwrap();
    let d = &file[file.len() - 4 * m * n..];
    for i in 0..m {
        for j in 0..n {
            let sum: i32 = (0..k).map(|l| i32::from(a[i * k + l]) * i32::from(b[j * k + l])).sum();
            let sum = 2 * sum + beta * i32::from(c[i * n + j]);
            let expected =
                if elements.sums.0 == "i32" { sum.to_le_bytes() } else { (sum as f32).to_le_bytes() };
            let at = 4 * (i * n + j);
            assert_eq!(d[at..at + 4], expected, "{what}: row {i}, column {j}");
        }
    }
}

#[test]
fn mma_sync_multiplies_what_the_tma_brings() {
    let small = GemmSm80 { copy: Bring::Tma, m_tile: 64, n_tile: 64, stages: 3, ..GemmSm80::default() };
    let mn = Major::Mn;
    // Parts of tiles, one tile of K, and numbers of them that stages do not divide.
    let kernels = [
        (GemmSm80 { ..small.clone() }, [72, 68, 136]),
        (GemmSm80 { types: Types::Bf16, a_major: mn, b_major: mn, ..small.clone() }, [72, 136, 70]),
        (GemmSm80 { types: Types::Bf16, b_major: mn, k_tile: Some(64), ..small.clone() }, [33, 72, 264]),
        (GemmSm80 { types: Types::Tf32, m_tile: 32, n_warps: 1, stages: 2, ..small.clone() }, [40, 132, 36]),
        (GemmSm80 { types: Types::S8, k_tile: Some(128), n_tile: 96, ..small.clone() }, [65, 100, 592]),
    ];
    for (i, (gemm, shape)) in kernels.into_iter().enumerate() {
        let kernel = text(|c| gemm.build(c));
        let elements = elements(gemm.types);
        // The loops of all are one: the first runs under each schedule, the others under two.
        let schedules = SCHEDULES.iter().enumerate().filter(|(j, _)| i == 0 || *j == i || *j == (i + 2) % 5);
        for (_, schedule) in schedules {
            check(&kernel, &elements, shape, schedule, true);
        }
    }
    let whole = GemmSm80 { copy: Bring::Tma, ..GemmSm80::default() };
    let kernel = text(|c| whole.build(c));
    check(&kernel, &elements(Types::F16), [130, 120, 200], "lazy", true);
    check(&kernel, &elements(Types::F16), [8, 8, 8], "eager", false);
}

#[test]
fn boxes_that_the_tma_cannot_move_are_refused() {
    let context = Context::new();
    cute_mlir::load(&context);
    let tma = || GemmSm80 { copy: Bring::Tma, ..GemmSm80::default() };
    let error = |gemm: GemmSm80| gemm.build(&context).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        error(GemmSm80 { m_tile: 512, ..tma() }),
        "a tile of A is 512 long across its contiguous mode, and a box of the TMA has at most 256 elements: 256 or less would do"
    );
    assert_eq!(
        error(GemmSm80 { stages: 14, k_tile: Some(64), ..tma() }),
        "14 stages of 32768 bytes and a tile of D of 65536 bytes do not fit into 232448 bytes of shared memory: at most 7 stages of this tile, or a smaller tile"
    );
    assert_eq!(
        error(GemmSm80 { aligned: true, ..tma() }),
        "the TMA stays inside of the matrices by itself, without predicates: leave out --aligned"
    );
    assert!(
        error(GemmSm80 { types: Types::S8, a_major: Major::Mn, ..tma() })
            .starts_with("A of i8 is loaded with K contiguous only")
    );

    // The rows of A begin at multiples of 200 bytes.
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--host --arg A:f16[64x100] --arg B:f16[64x100] --arg C:f32[64x64] --arg D:f32[64x64] --arg f32=1 --arg f32=0";
    let (code, _, err) = run_in(&folder, &text(|c| tma().build(c)), arguments);
    assert_eq!(code, Some(1));
    let why = "the stride of mode 1 is 200 bytes: strides are multiples of 16 bytes; padding to 208 would do";
    assert!(err.contains(why), "{err}");
}
