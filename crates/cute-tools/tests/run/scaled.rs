//! A block-scaled MMA of `sm_120a`: what is compiled multiplies each row and column by its own
//! factors.

use std::fs;

use cute_algebra::{Layout, Tuple, crd2idx};
use cute_arch::{Element, atoms::MmaAtom};
use cute_sim::format::decode;

use super::{gemms::elements::write, run_in};

const KERNEL: &str = include_str!("scaled.mlir");
const ATOM: &str = "SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>";
const K: usize = 64;
const STEPS: usize = 2;

/// The index of a thread's value in a matrix of the atom.
fn at(layout: &Layout<i64>, lane: usize, value: usize) -> usize {
    let coord = Tuple::from_leaves([lane as i64, value as i64]).to_coord();
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap() as usize
}

/// A matrix of codes, row after row of K steps, as each thread holds it: two numbers in a byte.
fn packed(layout: &Layout<i64>, values: usize, rows: usize, codes: &[u8]) -> Vec<u8> {
    let code = |lane, step, value| {
        let index = at(layout, lane, value);
        codes[index % rows * K * STEPS + step * K + index / rows]
    };
    let pairs = |lane, step| {
        (0..values).step_by(2).map(move |value| code(lane, step, value) | code(lane, step, value + 1) << 4)
    };
    (0..32).flat_map(|lane| (0..STEPS).flat_map(move |step| pairs(lane, step))).collect()
}

/// The factors of a matrix, row after row, as each thread holds them: four for each K step.
fn factors(layout: &Layout<i64>, rows: usize, codes: &[u8]) -> Vec<u8> {
    let code = |lane, step: usize, block: usize| {
        let index = at(layout, lane, block * 16);
        codes[index % rows * 4 * STEPS + step * 4 + index / rows / 16]
    };
    let of_step = |lane, step| (0..4).map(move |block| code(lane, step, block));
    (0..32).flat_map(|lane| (0..STEPS).flat_map(move |step| of_step(lane, step))).collect()
}

/// Runs a kernel; returns what it said, D, and what D should be.
fn multiply(kernel: &str) -> (Option<i32>, String, Vec<f64>, Vec<f64>) {
    let atom = MmaAtom::by_name(ATOM).unwrap();
    let [sfa, sfb] = atom.scale.as_ref().unwrap().layouts.as_ref().unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    let mut codes = |count: usize| -> Vec<u8> { (0..count).map(|_| random.u8(..16)).collect() };
    let (a, b) = (codes(16 * K * STEPS), codes(8 * K * STEPS));
    // A half, one or two, so that every sum is exact.
    let mut powers =
        |rows: usize| -> Vec<u8> { codes(rows * 4 * STEPS).iter().map(|n| 0x30 + n % 3 * 8).collect() };
    let (of_a, of_b) = (powers(16), powers(8));
    let folder = tempfile::tempdir().unwrap();
    let bytes = |name: &str, kind: &str, each: usize, bytes: Vec<u8>| {
        write(folder.path(), name, kind, &[32, each], bytes.into_iter());
    };
    bytes("a.npy", "|i1", 32, packed(&atom.a.layout, 32, 16, &a));
    bytes("b.npy", "|i1", 16, packed(&atom.b.layout, 16, 8, &b));
    bytes("sfa.npy", "|u1", 8, factors(sfa, 16, &of_a));
    bytes("sfb.npy", "|u1", 8, factors(sfb, 8, &of_b));
    write(folder.path(), "rows_a.npy", "|u1", &[16, 8], of_a.iter().copied());
    write(folder.path(), "rows_b.npy", "|u1", &[8, 8], of_b.iter().copied());
    let rows = kernel.contains("partition SFA");
    let arguments = "--target sm_120a --grid 1 --arg A:i8[32x32]=a.npy --arg B:i8[32x16]=b.npy --arg SFA:f8E4M3FN[32x8]=sfa.npy \
         --arg SFB:f8E4M3FN[32x8]=sfb.npy --arg D:f32[32x4] --out D=d.npy";
    let arguments = match rows {
        true => arguments.replace("[32x8]=sfa", "[16x8]=rows_a").replace("[32x8]=sfb", "[8x8]=rows_b"),
        false => arguments.to_owned(),
    };
    let (code, out, err) = run_in(&folder, kernel, &arguments);
    let number = |element, code: u8| decode(element, code.into()).unwrap();
    let scaled = |codes: &[u8], factors: &[u8], row: usize, k: usize| {
        let factor = number(Element::Ue4m3, factors[row * 4 * STEPS + k / 16]);
        number(Element::E2m1, codes[row * K * STEPS + k]) * factor
    };
    let product =
        |i: usize, j: usize| (0..K * STEPS).map(|k| scaled(&a, &of_a, i, k) * scaled(&b, &of_b, j, k)).sum();
    let place = |i: usize| at(&atom.c.layout, i / 4, i % 4);
    let expected = (0..128).map(|i| product(place(i) % 16, place(i) / 16)).collect();
    let found = fs::read(folder.path().join("d.npy")).unwrap_or_default();
    let numbers = found[found.len().saturating_sub(512)..].chunks_exact(4);
    let found = numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap()).into()).collect();
    (code, out + &err, found, expected)
}

#[test]
fn each_row_and_column_has_its_own_factors() {
    let (code, said, found, expected) = multiply(KERNEL);
    assert_eq!((code, found), (Some(0), expected), "{said}");
    // The factors of the first K step for both of them.
    let (own, first) = ("\"((16,4),1,2):((0,1),0,4)\"", "\"((16,4),1,2):((0,1),0,0)\"");
    assert!(KERNEL.contains(own));
    let (code, said, found, expected) = multiply(&KERNEL.replace(own, first));
    assert_eq!(code, Some(0), "{said}");
    assert_ne!(found, expected);
}

/// The kernel with factors in matrices, row after row, which are partitioned by the MMA.
fn partitioned() -> String {
    let words = [
        (
            "!own_S = ",
            "!SFA = !cute.memref<f8E4M3FN, gmem, align<8>, \"(16,((16,4),2)):(8,((0,1),4))\">\n\
             !SFB = !cute.memref<f8E4M3FN, gmem, align<8>, \"(8,((16,4),2)):(8,((0,1),4))\">\n\
             !rows_A = !cute.memref<f8E4M3FN, gmem, align<8>, \"(16,8):(8,1)\">\n\
             !rows_B = !cute.memref<f8E4M3FN, gmem, align<8>, \"(8,8):(8,1)\">\n\
             !part = !cute.memref<f8E4M3FN, gmem, align<8>, \"((16,4),1,2):((0,1),0,4)\">\n\
             !four = !cute_nvgpu.atom.universal_copy<f8E4M3FN, 32 b>\n!own_S = ",
        ),
        ("\n\nmodule", "\n!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <\"(1,1,1):(0,0,0)\">>\n\nmodule"),
        ("%SFA: !S, %SFB: !S", "%SFA: !rows_A, %SFB: !rows_B"),
        (
            "      %gSFA = cute.slice(%SFA, %t) : !S, !cute.coord<\"(?,_)\">\n      %gSFB = cute.slice(%SFB, %t) : !S, \
             !cute.coord<\"(?,_)\">\n",
            "      %lane = cute.make_coord(%thread) : (i32) -> !cute.coord<\"?\">\n\
             \x20     %atom = cute.make_atom() : () -> !atom\n      %mma = cute.make_tiled_mma(%atom) : !mma\n\
             \x20     %first_A = cute.get_iter(%SFA) : !rows_A\n      %first_B = cute.get_iter(%SFB) : !rows_B\n\
             \x20     %all_A = cute.make_view(%first_A) : !SFA\n      %all_B = cute.make_view(%first_B) : !SFB\n\
             \x20     %gSFA = cute.tiled.mma.partition SFA(%mma, %all_A, %lane) : (!mma, !SFA, !cute.coord<\"?\">) -> !part\n\
             \x20     %gSFB = cute.tiled.mma.partition SFB(%mma, %all_B, %lane) : (!mma, !SFB, !cute.coord<\"?\">) -> !part\n",
        ),
        (
            "      %rSFA = cute.memref.alloca() : !held_S\n      %rSFB = cute.memref.alloca() : !held_S\n",
            "      %sfa = cute.mma.make_fragment SFA(%mma, %gSFA) : (!mma, !part) -> !sf\n\
             \x20     %sfb = cute.mma.make_fragment SFB(%mma, %gSFB) : (!mma, !part) -> !sf\n",
        ),
        ("%copy_S = cute.make_atom() : () -> !copy_S", "%four = cute.make_atom() : () -> !four"),
        (
            "cute.copy_atom_call(%copy_S, %gSFA, %rSFA) : (!copy_S, !own_S, !held_S) -> ()",
            "%fromA = cute.filter_zeros(%gSFA) : (!part) -> !from\n      %toA = cute.filter_zeros(%sfa) : (!sf) -> !to\n\
             \x20     cute.copy(%four, %fromA, %toA) : (!four, !from, !to)",
        ),
        (
            "cute.copy_atom_call(%copy_S, %gSFB, %rSFB) : (!copy_S, !own_S, !held_S) -> ()",
            "%fromB = cute.filter_zeros(%gSFB) : (!part) -> !from\n      %toB = cute.filter_zeros(%sfb) : (!sf) -> !to\n\
             \x20     cute.copy(%four, %fromB, %toB) : (!four, !from, !to)",
        ),
        (
            "!own_D = ",
            "!from = !cute.memref<f8E4M3FN, gmem, align<8>, \"((1,4),1,2):((0,1),0,4)\">\n\
             !to = !cute.memref<f8E4M3FN, rmem, align<4>, \"((1,4),1,2):((0,1),0,4)\">\n!own_D = ",
        ),
        ("!sf = !cute.memref<f8E4M3FN, rmem, align<8>,", "!sf = !cute.memref<f8E4M3FN, rmem, align<4>,"),
        (
            "      %at_SFA = cute.get_iter(%rSFA) : !held_S\n      %at_SFB = cute.get_iter(%rSFB) : !held_S\n",
            "",
        ),
        ("      %sfa = cute.make_view(%at_SFA) : !sf\n      %sfb = cute.make_view(%at_SFB) : !sf\n", ""),
        ("      %atom = cute.make_atom(%at_SFA, %at_SFB) : (!at_factors, !at_factors) -> !atom\n", ""),
    ];
    let mut text = KERNEL.to_owned();
    for (old, new) in words {
        assert!(text.contains(old), "{old}");
        text = text.replacen(old, new, 1);
    }
    text
}

#[test]
fn factors_are_partitioned_by_the_mma() {
    let (code, said, found, expected) = multiply(&partitioned());
    assert_eq!((code, found), (Some(0), expected), "{said}");
    // The rows of B for those of A.
    let exchanged = partitioned().replace("%sfa, %b, %sfb,", "%sfb, %b, %sfa,");
    let (code, said, ..) = multiply(&exchanged);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("'cute.gemm' op SFA is given the fragment of SFB"), "{said}");
}

#[test]
fn the_state_of_the_atom_has_the_factors_of_one_call() {
    let (all, none) = (
        "(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!atom, !d, !a, !sf, !b, !sf, !d)",
        "(%atom, %d, %a, %b, %d) : (!atom, !d, !a, !b, !d)",
    );
    assert!(KERNEL.contains(all));
    let (code, said, ..) = multiply(&KERNEL.replace(all, none));
    assert_eq!(code, Some(1), "{said}");
    let why =
        format!("mode 2 of A has 2 elements, but the state of {ATOM} has one sf_a, which is for one call");
    assert!(said.contains(&why), "{said}");
}
