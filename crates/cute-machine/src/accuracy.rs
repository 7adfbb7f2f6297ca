//! The documented errors of PTX's approximate instructions. The simulator computes the correctly
//! rounded result instead, so a device may differ from it by this much, for each such instruction
//! that contributes to a result.

use serde::Serialize;
use std::fmt;

/// The largest error of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorBound {
    /// Units in the last place of the result.
    Ulps(f64),
    /// Relative to the result.
    Relative(f64),
    /// Whatever the result is.
    Absolute(f64),
}

/// The documented accuracy of an approximate instruction. The figures are those of the PTX ISA
/// ("Floating Point Instructions", "Half Precision Floating Point Instructions"); they have not
/// been compared with its text row by row.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Accuracy {
    /// Name and type, without modifiers: `ex2.approx.f32`.
    pub instruction: &'static str,
    /// How far results may differ from the exact ones.
    pub bound: ErrorBound,
    /// Operands for which that holds; `None` means all finite operands for which the instruction
    /// has a result. For a division, the magnitude of the divisor.
    pub operands: Option<[f64; 2]>,
}

/// 2^-20.5, 2^-14.7, 2^-22.9, 2^-9.9 and 2^-10.987.
const SINE: f64 = 6.743e-7;
const SINE_FAR: f64 = 3.757e-5;
const ROOT: f64 = 1.2777e-7;
const HALF_POWER: f64 = 1.0467e-3;
const HALF_TANH: f64 = 4.927e-4;

const fn power(exponent: u64) -> f64 {
    f64::from_bits((1023 - exponent) << 52)
}

const fn of(instruction: &'static str, bound: ErrorBound) -> Accuracy {
    Accuracy { instruction, bound, operands: None }
}

const fn within(instruction: &'static str, bound: ErrorBound, operands: [f64; 2]) -> Accuracy {
    Accuracy { instruction, bound, operands: Some(operands) }
}

use ErrorBound::{Absolute, Relative, Ulps};
use std::f64::consts::PI;

/// All documented accuracies.
pub const ACCURACIES: [Accuracy; 18] = [
    of("rcp.approx.f32", Ulps(1.0)),
    of("div.full.f32", Ulps(2.0)),
    within("div.approx.f32", Ulps(2.0), [power(126), 8.507_059_173_023_462e37]),
    of("sqrt.approx.f32", Relative(power(23))),
    of("rsqrt.approx.f32", Relative(ROOT)),
    within("sin.approx.f32", Absolute(SINE), [-2.0 * PI, 2.0 * PI]),
    within("sin.approx.f32", Absolute(SINE_FAR), [-100.0 * PI, 100.0 * PI]),
    within("cos.approx.f32", Absolute(SINE), [-2.0 * PI, 2.0 * PI]),
    within("cos.approx.f32", Absolute(SINE_FAR), [-100.0 * PI, 100.0 * PI]),
    within("lg2.approx.f32", Absolute(power(22)), [0.5, 2.0]),
    within("lg2.approx.f32", Relative(power(22)), [0.0, 0.5]),
    within("lg2.approx.f32", Relative(power(22)), [2.0, f64::MAX]),
    of("ex2.approx.f32", Ulps(2.0)),
    of("ex2.approx.f16", Relative(HALF_POWER)),
    of("ex2.approx.bf16", Relative(power(7))),
    of("tanh.approx.f32", Relative(power(11))),
    of("tanh.approx.f16", Absolute(HALF_TANH)),
    of("tanh.approx.bf16", Absolute(power(8))),
];

/// The entries for an instruction: several if its error depends on the operands.
pub fn accuracies(instruction: &str) -> impl Iterator<Item = &'static Accuracy> {
    ACCURACIES.iter().filter(move |a| a.instruction == instruction)
}

impl Accuracy {
    /// The possible error of a result of the instruction's type.
    pub fn allows(&self, result: f64) -> f64 {
        let fraction = match self.instruction.rsplit('.').next() {
            Some("f16") => 10,
            Some("bf16") => 7,
            _ => 23,
        };
        match self.bound {
            // A unit of the binade that the result lies in, or of the smallest normal one.
            Ulps(n) => {
                let magnitude = result.abs().max(power(126));
                n * f64::from_bits(magnitude.to_bits() & 0x7ff << 52) * power(fraction)
            }
            Relative(r) => r * result.abs(),
            Absolute(a) => a,
        }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.instruction)?;
        match self.bound {
            Ulps(n) => write!(f, "{n} units in the last place")?,
            Relative(r) => write!(f, "relative error {r:.2e}")?,
            Absolute(a) => write!(f, "absolute error {a:.2e}")?,
        }
        match self.operands {
            Some([from, to]) => write!(f, ", of operands from {from:.4} to {to:.4}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_the_powers_they_stand_for() {
        let powers = [(SINE, 20.5), (SINE_FAR, 14.7), (ROOT, 22.9), (HALF_POWER, 9.9), (HALF_TANH, 10.987)];
        for (constant, exponent) in powers {
            let exact = (-f64::from(exponent as f32)).exp2();
            assert!((constant / exact - 1.0).abs() < 1e-3, "2^-{exponent} is {exact:e}");
        }
        assert_eq!([power(0), power(23)], [1.0, 1.0 / 8_388_608.0]);
    }

    #[test]
    fn a_unit_is_that_of_the_results_binade() {
        let ex2 = accuracies("ex2.approx.f32").next().unwrap();
        assert_eq!(ex2.allows(1.5), 2.0 * f64::from(f32::EPSILON));
        assert_eq!(ex2.allows(-8.0), 16.0 * f64::from(f32::EPSILON));
        assert_eq!(accuracies("tanh.approx.bf16").next().unwrap().allows(0.5), 1.0 / 256.0);
        assert_eq!(accuracies("sin.approx.f32").count(), 2);
        assert_eq!(accuracies("add.f32").count(), 0);
    }
}
