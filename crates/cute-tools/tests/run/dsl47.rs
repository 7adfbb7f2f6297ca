//! Kernels of tensor memory in the style of CuTe DSL 4.7, in `dsl47/`: compiled, run from their
//! host functions under three schedules, and compared with plain loops.

use std::fs;

use cute_arch::Element;
use cute_sim::format::decode;
use half::f16;
use tempfile::TempDir;

use super::{
    gemms::elements::{numbers, write},
    run_in,
};

const PAIR: &str = include_str!("dsl47/pair.mlir");
const SCALED: &str = include_str!("dsl47/scaled.mlir");
const ATTENTION: &str = include_str!("dsl47/attention.mlir");

/// Files of arguments, the other arguments, and the array of results with its expected values.
struct Case {
    folder: TempDir,
    arguments: &'static str,
    out: &'static str,
    expected: Vec<f64>,
    /// The error that is permitted.
    within: f64,
}

impl Case {
    fn run(&self, text: &str, options: &str) -> (Option<i32>, String) {
        let arguments =
            format!("--host --target sm_100a {} --out {}=out.npy {options}", self.arguments, self.out);
        let (code, out, err) = run_in(&self.folder, text, &arguments);
        (code, out + &err)
    }

    /// The largest error of the results that the last run wrote.
    fn error(&self) -> f64 {
        let bytes = fs::read(self.folder.path().join("out.npy")).unwrap();
        let found = npyz::NpyFile::new(bytes.as_slice()).unwrap().into_vec::<f32>().unwrap();
        assert_eq!(found.len(), self.expected.len());
        let errors = found.iter().zip(&self.expected).map(|(found, expected)| f64::from(*found) - expected);
        errors
            .map(f64::abs)
            .fold(0.0, |most, error| if error > most || error.is_nan() { error } else { most })
    }

    #[track_caller]
    fn is_right(&self, text: &str) {
        for schedule in ["lazy", "eager", "reverse"] {
            let (code, said) = self.run(text, &format!("--schedule {schedule}"));
            assert_eq!(code, Some(0), "{schedule}: {said}");
            assert!(!said.contains("portability"), "{schedule}: {said}");
            let error = self.error();
            assert!(error <= self.within, "{schedule}: {error}");
        }
    }

    /// A mistake is found, under the schedules that are taken by default.
    #[track_caller]
    fn finds(&self, text: &str, edit: (&str, &str), finding: &str) {
        assert!(text.contains(edit.0), "{}", edit.0);
        let (code, said) = self.run(&text.replacen(edit.0, edit.1, 1), "");
        assert_eq!(code, Some(1), "{edit:?}: {said}");
        assert!(said.contains(finding), "{edit:?}: {said}");
    }

    /// Nothing but the results shows a mistake.
    #[track_caller]
    fn is_wrong(&self, text: &str, from: &str, to: &str) {
        assert!(text.contains(from), "{from}");
        let (code, said) = self.run(&text.replace(from, to), "--schedule lazy");
        assert_eq!(code, Some(0), "{from}: {said}");
        assert!(self.error() > self.within.max(1e-2), "{from}");
    }
}

/// A B^T for rows of K numbers.
fn product(a: &[f64], b: &[f64], k: usize) -> Vec<f64> {
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum();
    a.chunks_exact(k).flat_map(|x| b.chunks_exact(k).map(move |y| dot(x, y))).collect()
}

fn floats(numbers: &[i8]) -> Vec<f64> {
    numbers.iter().map(|n| f64::from(*n)).collect()
}

fn halves(folder: &TempDir, name: &str, shape: &[usize], numbers: &[f64]) {
    let bytes = numbers.iter().flat_map(|n| f16::from_f64(*n).to_le_bytes());
    write(folder.path(), name, "<f2", shape, bytes);
}

/// Products of small integers, which are exact.
fn pair() -> Case {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (floats(&numbers(264 * 328, 1)), floats(&numbers(200 * 328, 2)));
    halves(&folder, "a.npy", &[264, 328], &a);
    halves(&folder, "b.npy", &[200, 328], &b);
    let arguments = "--arg A=a.npy --arg B=b.npy --arg C:f32[264x200]";
    Case { folder, arguments, out: "C", expected: product(&a, &b, 328), within: 0.0 }
}

/// The place of the factor of a row and of 32 elements of K in blocks of 128 rows and four factors.
fn factor_at(row: usize, block: usize, k_tiles: usize) -> usize {
    let tile = row / 128 * k_tiles + block / 4;
    tile * 512 + row % 32 * 16 + row % 128 / 32 * 4 + block % 4
}

/// Products of codes of e4m3 with factors from 1/4 to 4, so that every sum is exact.
fn scaled() -> Case {
    const K: usize = 160;
    let folder = tempfile::tempdir().unwrap();
    let number = |element, code: u8| decode(element, code.into()).unwrap();
    let matrix = |name: &str, factors: &str, rows: usize, seed: usize| {
        // Signs and the codes of 1 to 4 1/2.
        let codes: Vec<u8> = numbers(rows * K, seed)
            .iter()
            .map(|n| (0x38 + n.unsigned_abs() * 2) | (n.cast_unsigned() & 0x80))
            .collect();
        let tiles = rows.div_ceil(128);
        let powers: Vec<u8> = numbers(tiles * 2 * 512, seed + 2)
            .iter()
            .map(|n| n.rem_euclid(5).cast_unsigned() + 125)
            .collect();
        write(folder.path(), name, "|u1", &[rows, K], codes.iter().copied());
        // As (256, 2, M / 128, K / 128), whose first mode is contiguous.
        let in_order = (0..256).flat_map(|i| {
            (0..2).flat_map(move |j| {
                (0..2).flat_map(move |k| (0..tiles).map(move |m| (m * 2 + k) * 512 + j * 256 + i))
            })
        });
        write(folder.path(), factors, "|u1", &[256, 2, 2, tiles], in_order.map(|at| powers[at]));
        let value = |i: usize| {
            let factor = powers[factor_at(i / K, i % K / 32, 2)];
            number(Element::E4m3, codes[i]) * number(Element::Ue8m0, factor)
        };
        (0..rows * K).map(value).collect::<Vec<f64>>()
    };
    let (a, b) = (matrix("a.npy", "sfa.npy", 136, 1), matrix("b.npy", "sfb.npy", 72, 2));
    let arguments = "--arg A:f8E4M3FN=a.npy --arg B:f8E4M3FN=b.npy --arg C:f32[136x72] --arg SFA:f8E8M0FNU=sfa.npy \
                     --arg SFB:f8E8M0FNU=sfb.npy";
    Case { folder, arguments, out: "C", expected: product(&a, &b, K), within: 0.0 }
}

fn attention() -> Case {
    const SCALE: f64 = 0.25;
    let folder = tempfile::tempdir().unwrap();
    let matrix = |rows: usize, seed: usize| -> Vec<f64> {
        floats(&numbers(rows * 64, seed)).iter().map(|n| n / 8.0).collect()
    };
    let (q, k, v) = (matrix(256, 1), matrix(128, 2), matrix(128, 3));
    halves(&folder, "q.npy", &[256, 64], &q);
    halves(&folder, "k.npy", &[128, 64], &k);
    // The kernel has V as its transpose.
    let transposed: Vec<f64> =
        (0..64).flat_map(|d| (0..128).map(move |row| row * 64 + d)).map(|i| v[i]).collect();
    halves(&folder, "v.npy", &[64, 128], &transposed);
    let scores = product(&q, &k, 64);
    let row = |scores: &[f64]| {
        let p: Vec<f64> = scores.iter().map(|s| (s * SCALE).exp2()).collect();
        let sum: f64 = p.iter().sum();
        let column = |d| p.iter().enumerate().map(|(key, p)| p * v[key * 64 + d]).sum::<f64>() / sum;
        (0..64).map(column).collect::<Vec<_>>()
    };
    let expected = scores.chunks_exact(128).flat_map(row).collect();
    let arguments = "--arg Q=q.npy --arg K=k.npy --arg V=v.npy --arg O:f32[256x64] --arg scale:f32=0.25";
    Case { folder, arguments, out: "O", expected, within: 1e-3 }
}

#[test]
fn a_pair_of_blocks_multiplies() {
    pair().is_right(PAIR);
}

#[test]
fn mistakes_of_a_pair_are_found() {
    let case = pair();
    let both = "%both = arith.constant 3";
    case.finds(PAIR, (both, "%both = arith.constant 1"), "no thread can go on");
    case.finds(PAIR, ("constant 49152", "constant 24576"), "nothing orders it with the asynchronous write");
    let wait = "nvvm.mbarrier.try_wait.parity.shared %gone_p, %c0, %ticks : !llvm.ptr<3>, i32, i32";
    case.finds(PAIR, (wait, ""), "`nvvm.tcgen05.dealloc` in block");
}

#[test]
fn factors_scale_their_own_elements() {
    scaled().is_right(SCALED);
}

#[test]
fn mistakes_with_scale_factors_are_found() {
    let case = scaled();
    let b = "set_value<sf_b>(%with_a, %iter_SFB_k)";
    case.finds(SCALED, (b, "set_value<sf_b>(%with_a, %iter_SFA_k)"), "SFB is given the scale factors of A");
    case.finds(SCALED, ("constant 33792", "constant 32768"), "`nvvm.tcgen05.cp` in block");
    let copy = "cute.copy(%s2t, %stage_SFB, %into_SFB) : (!s2t, !desc_SF, !into_SF)";
    case.finds(SCALED, (copy, ""), "to which nothing has written a value");
    // The factors of B on top of those of A.
    case.is_wrong(SCALED, "!cute.int_tuple<\"132\">", "!cute.int_tuple<\"128\">");
}

#[test]
fn rows_attend_to_keys() {
    attention().is_right(ATTENTION);
}

#[test]
fn mistakes_of_attention_are_found() {
    let case = attention();
    let stored = "nvvm.tcgen05.wait <store>";
    case.finds(
        ATTENTION,
        (&format!("{stored}\n      nvvm.barrier"), stored),
        "nothing orders it with the asynchronous read",
    );
    case.finds(ATTENTION, ("nvvm.tcgen05.commit %scored_p : !llvm.ptr<3>", ""), "no thread can go on");
    let free = "nvvm.barrier\n      scf.if %is_first {\n        cute_nvgpu.arch.sm100.dealloc";
    case.finds(ATTENTION, (free, &free["nvvm.barrier".len()..]), "are no longer allocated");
}

/// In version 4.5 an op allocates, and the launch asks for nothing.
#[test]
fn a_launch_asks_for_what_the_kernel_allocates() {
    let smem = |name: &str, t: &str| {
        let swizzled = "!cute.ptr<f16, smem, align<1024>, S<3,4,3>>";
        (
            format!("%s{name} = cute.memref.alloca() {{smem.partition_id = 1 : i32}} : {t}"),
            format!(
                "%plain_{name} = cute_nvgpu.arch.alloc_smem(8192) : !cute.ptr<f16, smem, align<1024>>\n\
                 %ptr_{name} = cute.recast_iter(%plain_{name}) : !cute.ptr<f16, smem, align<1024>> to {swizzled}\n\
                 %s{name} = cute.make_view(%ptr_{name}) : {t}"
            ),
        )
    };
    let own = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let edits = [
        smem("Q", "!smem"),
        smem("K", "!smem"),
        smem("V", "!smem_V"),
        own("%smem_bars = cute.memref.alloca() {smem.partition_id = 0 : i32} : !bars", ""),
        own("%smem_word = cute.memref.alloca() {smem.partition_id = 0 : i32} : !word", ""),
        own("cute.get_iter(%smem_bars) : !bars", "cute_nvgpu.arch.alloc_smem(3) : !barrier"),
        own("cute.get_iter(%smem_word) : !word", "cute_nvgpu.arch.alloc_smem(1) : !address"),
        own("cute.kernel_smem_size @kernels::@attention : i64", "arith.constant 0 : i64"),
    ];
    let text = edits.iter().fold(ATTENTION.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let case = attention();
    case.is_right(&text);
    let (_, said) = case.run(&text, "--schedule lazy");
    assert!(said.contains("49180 bytes of dynamic shared memory"), "{said}");
}
