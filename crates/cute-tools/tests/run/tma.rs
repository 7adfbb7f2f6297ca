//! The examples of the TMA, from their host functions.

use super::run_in;
use half::f16;
use serde_json::{Value, json};
use std::{fs, path::Path, process::Command};

const TRANSPOSE: &str = include_str!("../../../../examples/tma/transpose.mlir");
const GEMM: &str = include_str!("../../../../examples/tma/gemm.mlir");
const WGMMA: &str = include_str!("../../../../examples/hopper/wgmma.mlir");
const ROLES: &str = include_str!("../../../../examples/hopper/warp_roles.mlir");
const CLUSTERS: &str = include_str!("../../../../examples/hopper/persistent_cluster.mlir");
const UMMA: &str = include_str!("../../../../examples/blackwell/umma.mlir");

const SCHEDULES: [&str; 5] = ["lazy", "eager", "reverse", "1", "2"];

/// The bytes of an array.
fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    let file = fs::read(folder.join(name)).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    file[header..].to_vec()
}

fn halves(folder: &Path, name: &str) -> Vec<f16> {
    bytes(folder, name).chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]])).collect()
}

#[test]
fn a_matrix_is_transposed_under_every_schedule() {
    for ([m, n], schedule) in [[64, 64], [72, 136], [8, 200], [136, 8], [128, 128]].into_iter().zip(SCHEDULES)
    {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--host --schedule {schedule} --pedantic --arg A:f16[{m}x{n}]=random(7) --arg B:f16[{n}x{m}] --out A=a.npy --out B=b.npy"
        );
        let (code, _, err) = run_in(&folder, TRANSPOSE, &arguments);
        assert_eq!(code, Some(0), "{m}x{n} {schedule}: {err}");
        let [a, b] = ["a.npy", "b.npy"].map(|name| halves(folder.path(), name));
        let wrong = (0..m * n).find(|i| a[*i] != b[i % n * m + i / n]);
        assert_eq!(wrong, None, "{m}x{n} {schedule}");
    }
}

#[test]
fn a_ring_of_stages_feeds_a_product_under_every_schedule() {
    // One K tile, more than there are stages, and less than a tile of anything.
    let shapes = [[64, 64, 64], [200, 72, 136], [72, 68, 520], [8, 4, 8], [64, 128, 320]];
    let hopper = [GEMM, WGMMA, ROLES, CLUSTERS].map(|kernel| (kernel, "sm_90a"));
    for ((kernel, target), (shape, schedule)) in hopper
        .into_iter()
        .chain([(UMMA, "sm_100a")])
        .flat_map(|kernel| shapes.into_iter().zip(SCHEDULES).map(move |of| (kernel, of)))
    {
        let [m, n, k] = shape;
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--host --target {target} --schedule {schedule} --pedantic --arg A:f16[{m}x{k}]=random(1) --arg B:f16[{n}x{k}]=random(2) \
             --arg C:f32[{m}x{n}] --out A=a.npy --out B=b.npy --out C=c.npy"
        );
        let (code, out, err) = run_in(&folder, kernel, &arguments);
        assert_eq!(code, Some(0), "{m}x{n}x{k} {schedule}: {err}");
        // Threads order their reads of a stage before the TMA refills it.
        assert!(!err.contains("error:") && !out.contains("portability:"), "{out}{err}");
        let [a, b] = ["a.npy", "b.npy"].map(|name| halves(folder.path(), name));
        let c = bytes(folder.path(), "c.npy");
        let found = |i: usize| f32::from_le_bytes([c[4 * i], c[4 * i + 1], c[4 * i + 2], c[4 * i + 3]]);
        for i in 0..m * n {
            let (row, column) = (&a[i / n * k..][..k], &b[i % n * k..][..k]);
            let sum: f64 = row.iter().zip(column).map(|(a, b)| a.to_f64() * b.to_f64()).sum();
            assert!((sum - f64::from(found(i))).abs() < 1e-4, "{m}x{n}x{k} {schedule}: {i}");
        }
    }
}

#[test]
fn the_manifest_says_what_a_host_encodes() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), GEMM).unwrap();
    let mut cutec = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let cutec = cutec.current_dir(folder.path()).args(["k.mlir", "--target", "sm_90a", "--emit", "manifest"]);
    let manifest: Value = serde_json::from_slice(&cutec.output().unwrap().stdout).unwrap();
    let told = |i: usize| manifest["kernels"][0]["arguments"][i]["tma"].clone();
    let load = json!({"operation": "SM90_TMA_LOAD", "element": "f16", "format": "F16_RN", "rank": 2, "box": [64, 64],
        "basis": "(64,64):(1@1,1@0)", "swizzle": "128B"});
    let store = json!({"operation": "SM90_TMA_STORE", "element": "f32", "format": "F32_RN", "rank": 2, "box": [32, 64],
        "basis": "(32,64):(1@1,1@0)", "swizzle": "128B"});
    assert_eq!([told(0), told(2), told(4)], [load.clone(), load, store]);
}

#[test]
fn a_matrix_without_a_descriptor_is_refused_by_the_rule() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) =
        run_in(&folder, TRANSPOSE, "--host --arg A:f16[64x68] --arg B:f16[68x64] --out B=b.npy");
    assert_eq!(code, Some(1));
    let why = "the stride of mode 1 is 136 bytes: strides are multiples of 16 bytes; padding to 144 would do";
    assert!(err.contains(why), "{err}");
    assert!(!folder.path().join("b.npy").exists());
}

#[test]
fn rows_are_added_in_bulk() {
    const ADD: &str = include_str!("bulk_reduce.mlir");
    let run = |kernel: &str, schedule: &str| {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--grid 4 --schedule {schedule} --pedantic --arg A:i32[4x128]=range --arg B:i32[4x128]=range --out B=b.npy"
        );
        let (code, out, err) = run_in(&folder, kernel, &arguments);
        (code, out + &err, folder)
    };
    for schedule in SCHEDULES {
        let (code, said, folder) = run(ADD, schedule);
        assert_eq!((code, said.contains("error:")), (Some(0), false), "{schedule}: {said}");
        let sums: Vec<u8> = (0..4 * 128i32).flat_map(|i| (i + i + (i ^ 128)).to_le_bytes()).collect();
        assert_eq!(bytes(folder.path(), "b.npy"), sums, "{schedule}");
        // The elements that are sent are overwritten before they have been read.
        let hasty = ADD.replace("      nvvm.cp.async.bulk.wait_group 0 {read}\n", "");
        let (code, said, _) = run(&hasty, schedule);
        assert_eq!(code, Some(1), "{schedule}: {said}");
        assert!(said.contains("nothing orders it with the asynchronous read"), "{schedule}: {said}");
        // The row of the other block is added to before it has arrived.
        let eager =
            ADD.replacen("      nvvm.cluster.arrive\n      nvvm.cluster.wait\n      %s =", "      %s =", 1);
        assert_ne!(eager, ADD);
        let (code, said, _) = run(&eager, schedule);
        assert_eq!(code, Some(1), "{schedule}: {said}");
    }
}

#[test]
fn rows_go_from_block_to_block_in_bulk() {
    for schedule in SCHEDULES {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--grid 4 --schedule {schedule} --pedantic --arg A:f32[4x128]=range --arg B:f32[4x128] --out B=b.npy"
        );
        let (code, _, err) = run_in(&folder, include_str!("bulk.mlir"), &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{schedule}");
        let rows: Vec<u8> = [1, 0, 3, 2]
            .iter()
            .flat_map(|row| (0..128).flat_map(move |i| ((row * 128 + i) as f32).to_le_bytes()))
            .collect();
        assert_eq!(bytes(folder.path(), "b.npy"), rows, "{schedule}");
    }
}
