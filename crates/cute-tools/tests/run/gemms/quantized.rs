//! Matrices that `quantize` makes small, multiplied by `gemm_sm100`: D is that of a loop that
//! quantizes alike.

use cute_arch::Element;
use cute_kernels::{
    gemm::{
        sm90::{Out, Types},
        sm100::GemmSm100,
    },
    quantize::{Quantize, QuantizedFormat},
};
use tempfile::TempDir;

use super::{
    super::{
        builders::quantize::{Shape, code, factor, float, name, read},
        run_in,
    },
    elements::write,
    scaled::{BOX, place},
    text,
};

/// A matrix of random numbers, quantized by the kernel and by a loop.
struct Quantized {
    /// The arguments of the matrix and of its factors.
    arguments: [String; 2],
    /// The numbers that stand for the random ones, row after row.
    numbers: Vec<f64>,
    /// The factor of the whole matrix.
    scale: f32,
}

/// Random numbers, and the factor of the matrix that makes use of all scale factors.
fn random(format: QuantizedFormat, count: usize, seed: u64) -> (Vec<f32>, f32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let x: Vec<f32> = (0..count).map(|_| 2.0 * random.f32() - 1.0).collect();
    let most = x.iter().fold(0f32, |most, x| most.max(x.abs()));
    (x, if format.is_scaled_twice() { 448.0 * 6.0 / most } else { 1.0 })
}

/// Quantizes a random matrix of some rows, and writes its elements and its factors to files.
fn quantized(
    folder: &TempDir,
    format: QuantizedFormat,
    which: &str,
    [rows, k]: [usize; 2],
    seed: u64,
) -> Quantized {
    let (x, scale) = random(format, rows * k, seed);
    let shape = Shape::of(format, [rows, k]);
    let [element, of_factors] = [format.element(), format.factor()].map(name);
    write(folder.path(), "x.npy", "<f4", &[rows, k], x.iter().flat_map(|x| x.to_le_bytes()));
    let kernel = Quantize { format, ..Quantize::default() };
    let given = if format.is_scaled_twice() { format!("--arg scale:f32={scale}") } else { String::new() };
    let arguments = format!(
        "--grid {} --target sm_100a --arg X:f32[{rows}x{k}]=x.npy --arg Q:{element}[{rows}x{k}] --arg S:{of_factors}[{}] {given} \
         --out Q={which}.npy --out S=s.npy",
        shape.grid(kernel.rows),
        shape.factors()
    );
    let (status, out, err) = run_in(folder, &text(|c| kernel.build(c)), &arguments);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");

    // The array of the GEMM has the bytes of a block as its first two modes.
    let (s, [of_rows, of_k]) = (read(folder, "s.npy"), shape.blocks);
    let bytes = BOX[0] * BOX[1];
    let places = (0..bytes).flat_map(|at| (0..of_rows * of_k).map(move |block| (at, block)));
    let boxes = places.map(|(at, block)| s[block * bytes + at % BOX[1] * BOX[0] + at / BOX[1]]);
    write(folder.path(), &format!("SF{which}.npy"), "|u1", &[BOX[0], BOX[1], of_rows, of_k], boxes);

    let vector = format.vector().elements() as usize;
    let group = |x: &[f32]| -> Vec<f64> {
        let (of_factor, multiplier) = factor(format, x, scale);
        let of_factor = float(format.factor(), of_factor);
        let rounded = |x: &f32| {
            let x = code(format.element(), x * multiplier.expect("finite numbers"));
            f64::from(float(format.element(), x)) * f64::from(of_factor)
        };
        x.iter().map(rounded).collect()
    };
    let numbers = x.chunks(k).flat_map(|row| row.chunks(vector).flat_map(group)).collect();
    let arguments = [
        format!("--arg {which}:{element}[{rows}x{k}]={which}.npy"),
        format!("--arg SF{which}:{of_factors}[{}x{}x{of_rows}x{of_k}]=SF{which}.npy", BOX[0], BOX[1]),
    ];
    Quantized { arguments, numbers, scale }
}

/// Multiplies two matrices by `alpha`, given arguments of them, of D, and behind `alpha`.
fn multiply(
    folder: &TempDir,
    kernel: &GemmSm100,
    [a, b]: [&[String; 2]; 2],
    (d, alpha, behind): (&str, f64, &str),
) {
    let ([of_a, sfa], [of_b, sfb]) = (a, b);
    let arguments = format!(
        "--host --target sm_100a {of_a} {of_b} {sfa} {sfb} {d} --arg alpha:f32={} {behind} --arg blocks:i32=2",
        alpha as f32
    );
    let (status, out, err) = run_in(folder, &text(|c| kernel.build(c)), &arguments);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{out}");
}

/// Compares D with `scale` times the products of the rows of two matrices.
fn compare(folder: &TempDir, [a, b]: [&[f64]; 2], [m, n, k]: [usize; 3], scale: f64) {
    let d = read(folder, "d.npy");
    let found = d.chunks_exact(4).map(|d| f64::from(f32::from_le_bytes(d.try_into().unwrap())));
    let product = |i: usize, j: usize| -> f64 {
        a[i * k..][..k].iter().zip(&b[j * k..][..k]).map(|(a, b)| a * b).sum::<f64>() * scale
    };
    let expected: Vec<f64> = (0..m * n).map(|at| product(at / n, at % n)).collect();
    let most = expected.iter().fold(0f64, |most, d| most.max(d.abs()));
    let error = found.zip(&expected).map(|(found, d)| (found - d).abs()).fold(0f64, f64::max);
    assert!(most > 1.0 && error <= 1e-6 * most, "{m}x{n}x{k}: {error} of {most}");
}

/// `D = A B^T` of random matrices, quantized and multiplied by kernels.
fn agrees((types, format): (Types, QuantizedFormat), [m, n, k]: [usize; 3], gemm: &GemmSm100) {
    let folder = tempfile::tempdir().unwrap();
    let a = quantized(&folder, format, "A", [m, k], 1);
    let b = quantized(&folder, format, "B", [n, k], 2);
    let kernel = GemmSm100 { types, alpha: true, ..gemm.clone() };
    let scale = 1.0 / (f64::from(a.scale) * f64::from(b.scale));
    let d = format!("--arg D:f32[{m}x{n}] --out D=d.npy");
    multiply(&folder, &kernel, [&a.arguments, &b.arguments], (&d, scale, ""));
    compare(&folder, [&a.numbers, &b.numbers], [m, n, k], scale);
}

#[test]
fn quantized_matrices_are_multiplied() {
    let one = GemmSm100 { ctas: 1, m_tile: 128, n_tile: 128, ..GemmSm100::default() };
    let pair = GemmSm100 { n_tile: 128, ..GemmSm100::default() };
    for format in [
        (Types::Nvf4, QuantizedFormat::Nvf4),
        (Types::Mxf4, QuantizedFormat::Mxf4),
        (Types::Mxf8, QuantizedFormat::Mxf8E4m3),
    ] {
        agrees(format, [128, 128, 128], &one);
        agrees(format, [200, 136, 160], &pair);
    }
}

/// D and its factors, as a kernel quantizes them, are A and SFA of another one.
#[test]
fn quantized_results_are_multiplied_again() {
    let (folder, [m, n, k], columns) = (tempfile::tempdir().unwrap(), [200, 160, 128], 72);
    let first = GemmSm100 { out: Some(Out::Nvf4), alpha: true, n_tile: 128, ..GemmSm100::default() };
    let first = GemmSm100 { types: Types::Nvf4, ..first };
    let second = GemmSm100 { out: None, ctas: 1, m_tile: 128, n_tile: 64, ..first.clone() };
    let a = quantized(&folder, QuantizedFormat::Nvf4, "A", [m, k], 1);
    let b = quantized(&folder, QuantizedFormat::Nvf4, "B", [n, k], 2);
    let [of_rows, of_columns] = Shape::of(QuantizedFormat::Nvf4, [m, n]).blocks;
    let factors = format!("f8E4M3FN[256x2x{of_rows}x{of_columns}]");
    // All of D are below 32.
    let norm = 84f32;
    let d = format!("--arg D:f4E2M1FN[{m}x{n}] --arg SFD:{factors} --out D=D.npy --out SFD=SFD.npy");
    let behind = format!("--arg norm_constant:f32={norm}");
    let scale = 1.0 / (f64::from(a.scale) * f64::from(b.scale));
    multiply(&folder, &first, [&a.arguments, &b.arguments], (&d, scale, &behind));

    let (codes, scales) = (read(&folder, "D.npy"), read(&folder, "SFD.npy"));
    let number = |at: usize| {
        let factor = scales[place([of_rows, of_columns, 1], [at / n, at % n / 16, 0])];
        f64::from(float(Element::E2m1, codes[at])) * f64::from(float(Element::Ue4m3, factor))
    };
    let a = (0..m * n).map(number).collect::<Vec<_>>();
    let b = quantized(&folder, QuantizedFormat::Nvf4, "B", [columns, n], 3);
    let own = [format!("--arg A:f4E2M1FN[{m}x{n}]=D.npy"), format!("--arg SFA:{factors}=SFD.npy")];
    let scale = 1.0 / (f64::from(norm) * f64::from(b.scale));
    let d = format!("--arg D:f32[{m}x{columns}] --out D=d.npy");
    multiply(&folder, &second, [&own, &b.arguments], (&d, scale, ""));
    compare(&folder, [&a, &b.numbers], [m, columns, n], scale);
}
