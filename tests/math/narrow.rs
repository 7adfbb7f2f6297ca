//! Floats of 8, 6 and 4 bits: the value of every code, and the nearest code for a number.

use super::run;
use cute_mlir::{Target, lowering::CompileOptions};
use half::f16;

/// A narrow float: its name, bits, exponent bits, and codes without a sign that are numbers.
struct Narrow {
    name: &'static str,
    bits: u32,
    exponent: u32,
    numbers: u32,
}

const ALL: [Narrow; 5] = [
    Narrow { name: "f8E4M3FN", bits: 8, exponent: 4, numbers: 0x7f },
    Narrow { name: "f8E5M2", bits: 8, exponent: 5, numbers: 0x7c },
    Narrow { name: "f6E2M3FN", bits: 6, exponent: 2, numbers: 32 },
    Narrow { name: "f6E3M2FN", bits: 6, exponent: 3, numbers: 32 },
    Narrow { name: "f4E2M1FN", bits: 4, exponent: 2, numbers: 8 },
];

impl Narrow {
    /// The number that a code without a sign stands for.
    fn value(&self, code: u32) -> f64 {
        let fraction_bits = self.bits - 1 - self.exponent;
        let (exponent, fraction) = (code >> fraction_bits, code & ((1 << fraction_bits) - 1));
        let bias = (1 << (self.exponent - 1)) - 1;
        let one = if exponent == 0 { 0.0 } else { 1.0 };
        let scale = (exponent.max(1) as i32 - bias) as f64;
        (one + f64::from(fraction) / f64::from(1 << fraction_bits)) * scale.exp2()
    }

    /// The nearest code without a sign, ties to even; the largest code for numbers beyond it.
    fn nearest(&self, x: f64) -> u32 {
        let x = x.min(self.value(self.numbers - 1));
        let far = |code: u32| (self.value(code) - x).abs();
        (0..self.numbers)
            .min_by(|a, b| far(*a).total_cmp(&far(*b)).then((a & 1).cmp(&(b & 1))))
            .expect("there are codes")
    }
}

const OPTIONS: CompileOptions<'static> = CompileOptions::new(Target::Sm100a.name());

#[test]
fn every_code_is_read() {
    for narrow in &ALL {
        let codes: Vec<u32> = (0..narrow.numbers).flat_map(|c| [c, c | 1 << (narrow.bits - 1)]).collect();
        let padded: Vec<u32> = codes.iter().copied().chain(std::iter::repeat(0)).take(256).collect();
        for (t, wide) in [("f32", 1), ("bf16", 1), ("f32", 3)] {
            let Narrow { name, bits, .. } = narrow;
            let body = format!(
                "%x = llvm.load %in : !llvm.ptr<1> -> i32
                 %c = arith.trunci %x : i32 to i{bits}
                 %f = arith.bitcast %c : i{bits} to {name}
                 %v = vector.broadcast %f : {name} to vector<{wide}x{name}>
                 %y = arith.extf %v : vector<{wide}x{name}> to vector<{wide}x{t}>
                 %z = vector.extract %y[{last}] : {t} from vector<{wide}x{t}>
                 %d = arith.extf %z : {t} to f64
                 llvm.store %d, %out : f64, !llvm.ptr<1>",
                last = wide - 1
            );
            let made: Vec<f64> = run(&OPTIONS, &body, &padded, (1, 1));
            let sign = |code: u32| if code >> (narrow.bits - 1) == 1 { -1.0 } else { 1.0 };
            let value = |code: &u32| sign(*code) * narrow.value(code & ((1 << (narrow.bits - 1)) - 1));
            let expected = codes.iter().map(value);
            assert_eq!(made[..codes.len()], expected.collect::<Vec<_>>(), "{name} to {t}");
        }
    }
}

/// Numbers, ties, numbers beyond the largest, and signs; from f32, f16 and another narrow float, as
/// scalars and in vectors.
#[test]
fn the_nearest_code_is_written() {
    for narrow in &ALL {
        let Narrow { name, bits, numbers, .. } = narrow;
        let mut input: Vec<f32> = (0..*numbers).map(|c| narrow.value(c) as f32).collect();
        let between: Vec<f32> = input.windows(2).map(|w| (w[0] + w[1]) / 2.0).collect();
        let largest = *input.last().expect("numbers");
        input.extend(between.iter().flat_map(|x| [*x, x.next_up(), x.next_down()]));
        input.extend([largest * 1.01, largest * 4.0, f32::INFINITY, 1e-9, 0.3, 0.7, 1.1]);
        input.extend(input.clone().iter().map(|x| -x));
        input.resize(input.len().next_multiple_of(1024), 0.0);
        let code = |x: f32| narrow.nearest(x.abs().into()) | u32::from(x.is_sign_negative()) << (bits - 1);
        for length in [1usize, 2, 4] {
            let body = format!(
                "%x = llvm.load %in : !llvm.ptr<1> -> vector<{length}xf32>
                 %f = arith.truncf %x : vector<{length}xf32> to vector<{length}x{name}>
                 %c = arith.bitcast %f : vector<{length}x{name}> to vector<{length}xi{bits}>
                 %y = arith.extui %c : vector<{length}xi{bits}> to vector<{length}xi32>
                 llvm.store %y, %out : vector<{length}xi32>, !llvm.ptr<1>"
            );
            let made: Vec<u32> = run(&OPTIONS, &body, &input, (length, length));
            for (x, made) in input.iter().zip(&made) {
                assert_eq!(*made, code(*x), "{x:e} to {name}, {length} at a time");
            }
        }
        // A scalar of f16, which has fewer numbers.
        let halves: Vec<f16> = input.iter().map(|x| f16::from_f32(*x)).collect();
        let body = format!(
            "%x = llvm.load %in : !llvm.ptr<1> -> f16
             %f = arith.truncf %x : f16 to {name}
             %c = arith.bitcast %f : {name} to i{bits}
             %y = arith.extui %c : i{bits} to i32
             llvm.store %y, %out : i32, !llvm.ptr<1>"
        );
        let made: Vec<u32> = run(&OPTIONS, &body, &halves, (1, 1));
        for (x, made) in halves.iter().zip(&made) {
            assert_eq!(*made, code(x.to_f32()), "{x} of f16 to {name}");
        }
    }
}
