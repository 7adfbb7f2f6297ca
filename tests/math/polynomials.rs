//! The error of MLIR's polynomials, over all of f32.

use super::{PLAIN, run, ulps, unary};
use cute_mlir::lowering::CompileOptions;
use std::{env, fmt::Write, fs, path::Path};

/// Numbers of each binade and sign.
const SAMPLES: u32 = 128;

const BEGIN: &str = "<!-- measured: begin -->\n";
const END: &str = "<!-- measured: end -->\n";

/// The functions of one operand for which MLIR has polynomials.
const FUNCTIONS: [&str; 14] = [
    "acos", "asin", "atan", "cbrt", "cos", "erf", "erfc", "exp", "expm1", "log", "log1p", "log2", "sin",
    "tanh",
];

/// `SAMPLES` numbers of each binade, all subnormals being one, of one sign.
fn binades(sign: u32) -> impl Iterator<Item = Vec<f32>> {
    (0..255u32).map(move |exponent| {
        let step = (1 << 23) / SAMPLES;
        // Not all of them end in zeros.
        let fraction = |i: u32| i * step + (i.wrapping_mul(2_654_435_761) ^ (exponent * 40_503)) % step;
        (0..SAMPLES).map(|i| f32::from_bits(sign << 31 | exponent << 23 | fraction(i))).collect()
    })
}

/// The function in f64, as the simulator computes libdevice's.
fn exact(function: &str, input: &[f32]) -> Vec<f64> {
    let body = format!(
        "%x = llvm.load %in : !llvm.ptr<1> -> f32
         %wide = arith.extf %x : f32 to f64
         %y = math.{function} %wide : f64
         llvm.store %y, %out : f64, !llvm.ptr<1>"
    );
    run(&CompileOptions { libdevice: true, ..PLAIN }, &body, input, (1, 1))
}

fn number(x: f64) -> String {
    match x {
        x if x.is_infinite() => "infinite".into(),
        x if x >= 1e4 => format!("{x:.0e}"),
        x if x >= 100.0 => format!("{x:.0}"),
        x => format!("{x:.1}"),
    }
}

/// A row of the table: the largest error near zero and overall, and the number up to which the
/// error stays within 4 units.
fn row(function: &str) -> String {
    let signs = [0, 1].map(|sign| binades(sign).flatten().collect::<Vec<f32>>());
    let mut worst = (0.0, 0.0f32);
    let mut ends = Vec::new();
    for input in &signs {
        let (made, exact) = (unary(&PLAIN, &format!("math.{function}"), input), exact(function, input));
        let errors: Vec<f64> = made.iter().zip(&exact).map(|(y, e)| ulps(*y, *e)).collect();
        for (error, x) in errors.iter().zip(input) {
            if *error > worst.0 {
                worst = (*error, *x);
            }
        }
        let binades: Vec<bool> =
            errors.chunks(SAMPLES as usize).map(|binade| binade.iter().all(|e| *e <= 4.0)).collect();
        let (mut best, mut from) = (0..0, 0);
        for (i, _) in binades.iter().enumerate().filter(|(_, good)| !**good).chain([(255, &false)]) {
            if i - from > best.len() {
                best = from..i;
            }
            from = i + 1;
        }
        let power = |i: usize| match i {
            0 => "0".to_owned(),
            255 => "the end".to_owned(),
            i => format!("2^{}", i as i32 - 127),
        };
        ends.push(match best.len() {
            0 => "nowhere".to_owned(),
            255 => "everywhere".to_owned(),
            _ => format!("{} to {}", power(best.start), power(best.end)),
        });
    }
    format!("| `{function}` | {} | {:e} | {} | {} |\n", number(worst.0), worst.1, ends[0], ends[1])
}

#[test]
fn errors_are_those_of_the_documentation() {
    let mut table = String::from(
        "| function | largest error | at x | x > 0: within 4 units for x from | x < 0: for -x from |\n|---|---|---|---|---|\n",
    );
    for function in FUNCTIONS {
        table.write_str(&row(function)).expect("a String takes everything");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/math.md");
    let text = fs::read_to_string(&path).expect("docs/math.md");
    let (head, rest) = text.split_once(BEGIN).expect("where the table begins");
    let (kept, tail) = rest.split_once(END).expect("where it ends");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, [head, BEGIN, &table, END, tail].concat()).expect("docs/math.md is written");
        return;
    }
    assert!(
        kept == table,
        "docs/math.md differs from what is measured: run UPDATE_DOCS=1 cargo test --test math\n{table}"
    );
}
