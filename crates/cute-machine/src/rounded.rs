//! Float arithmetic with PTX's modifiers that LLVM lacks: directed roundings, `.ftz`, `.sat`,
//! `.relu`, and the functions whose `.approx` is replaced by the host's function.

use super::exact;
use super::float::{decode, div_odd, encode, fma_odd, sqrt_odd};
use super::format::{self, Overflow, Rounding};
use crate::types::Scalar;
use cute_arch::Element;
use serde::{Deserialize, Serialize};

/// A function of one to three floats.
#[allow(missing_docs, reason = "the names are those of the operations")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Function {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    /// With `nan`, NaN if either operand is NaN; with `xorsign`, of the magnitudes, and the sign is
    /// that of the product.
    Min {
        nan: bool,
        xorsign: bool,
    },
    Max {
        nan: bool,
        xorsign: bool,
    },
    /// The product with a reciprocal whose subnormal results are zero, as `div.approx.f32`.
    DivApprox,
}

impl Function {
    /// The number of operands.
    pub fn operands(self) -> usize {
        use Function::*;
        match self {
            Fma => 3,
            Add | Sub | Mul | Div | DivApprox | Min { .. } | Max { .. } => 2,
            _ => 1,
        }
    }
}

/// A function with a rounding mode, and modifiers of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounded {
    /// The function that is computed.
    pub function: Function,
    /// The type of operands and result.
    pub ty: Scalar,
    /// How the result is rounded.
    pub rounding: Rounding,
    /// Subnormal operands and results are zero.
    pub ftz: bool,
    /// Clamps to [0, 1], NaN to 0.
    pub saturate: bool,
    /// Negative results become zero.
    pub relu: bool,
}

impl Rounded {
    /// A function that rounds to nearest, without modifiers.
    pub fn plain(function: Function, ty: Scalar) -> Self {
        let rounding = Rounding::NearestEven;
        Rounded { function, ty, rounding, ftz: false, saturate: false, relu: false }
    }

    /// The result for operands, of which the first [`Function::operands`] count.
    pub fn apply(&self, operands: [u64; 3]) -> u64 {
        let [x, y, z] = operands.map(|bits| self.flush(decode(self.ty, bits)));
        if self.ty == Scalar::F64
            && self.rounding != Rounding::NearestEven
            && let Some(value) = directed(self.function, [x, y, z], self.rounding)
        {
            return self.modified(value.to_bits());
        }
        let zero_sum = if self.rounding == Rounding::Down { -0.0 } else { 0.0 };
        let sum = |product: (f64, f64), z: f64| {
            let result = if self.ty == Scalar::F64 {
                product.0.mul_add(product.1, z)
            } else {
                fma_odd(product.0, product.1, z)
            };
            let cancels = result == 0.0 && (product.0 * product.1).is_sign_negative() != z.is_sign_negative();
            if cancels { zero_sum } else { result }
        };
        let narrow = self.ty != Scalar::F64;
        let value = match self.function {
            Function::Add => sum((x, 1.0), y),
            Function::Sub => sum((y, -1.0), x),
            Function::Mul => x * y,
            Function::Fma => sum((x, y), z),
            // 2^-126 is the least reciprocal that is not zero; infinity times zero is NaN.
            Function::DivApprox if self.ty == Scalar::F32 && y.abs() > LARGEST_DIVISOR => {
                x * 0f64.copysign(y)
            }
            Function::Div | Function::DivApprox if narrow => div_odd(x, y),
            Function::Div | Function::DivApprox => x / y,
            Function::Rcp if narrow => div_odd(1.0, x),
            Function::Rcp => 1.0 / x,
            Function::Sqrt if narrow => sqrt_odd(x),
            Function::Sqrt => x.sqrt(),
            Function::Rsqrt => 1.0 / x.sqrt(),
            Function::Ex2 => x.exp2(),
            Function::Lg2 => x.log2(),
            Function::Sin => x.sin(),
            Function::Cos => x.cos(),
            Function::Tanh => x.tanh(),
            Function::Min { nan, xorsign } => signed(xorsign, [x, y], |x, y| -larger(-x, -y, nan)),
            Function::Max { nan, xorsign } => signed(xorsign, [x, y], |x, y| larger(x, y, nan)),
        };
        let rounded = match self.ty {
            Scalar::F16 => self.nearest(Element::F16, value),
            Scalar::Bf16 => self.nearest(Element::Bf16, value),
            Scalar::F32 => self.nearest(Element::F32, value),
            _ => value.to_bits(),
        };
        self.modified(rounded)
    }

    /// A rounded result after the modifiers.
    fn modified(&self, rounded: u64) -> u64 {
        let result = self.flush(decode(self.ty, rounded));
        let result = if self.relu && result <= 0.0 { 0.0 } else { result };
        if self.saturate {
            return encode(self.ty, if result > 0.0 { result.min(1.0) } else { 0.0 });
        }
        if result.is_nan() { rounded } else { encode(self.ty, result) }
    }

    fn nearest(&self, element: Element, value: f64) -> u64 {
        format::encode(element, value, self.rounding, Overflow::Ieee).expect("the element is a float")
    }

    fn flush(&self, value: f64) -> f64 {
        let least = match self.ty {
            Scalar::F16 => f64::powi(2.0, -14),
            Scalar::F64 => f64::MIN_POSITIVE,
            _ => f64::from(f32::MIN_POSITIVE),
        };
        if self.ftz && value.abs() < least { 0f64.copysign(value) } else { value }
    }
}

/// 2^126, beyond which `div.approx.f32` has no quotient.
const LARGEST_DIVISOR: f64 = (1u128 << 126) as f64;

/// A function in f64 that rounds in a direction; `None` for one that does not round.
fn directed(function: Function, [x, y, z]: [f64; 3], rounding: Rounding) -> Option<f64> {
    Some(match function {
        Function::Add => exact::add(x, y, rounding),
        Function::Sub => exact::add(x, -y, rounding),
        Function::Mul => exact::mul(x, y, rounding),
        Function::Fma => exact::fma(x, y, z, rounding),
        Function::Div | Function::DivApprox => exact::div(x, y, rounding),
        Function::Rcp => exact::div(1.0, x, rounding),
        Function::Sqrt => exact::sqrt(x, rounding),
        _ => return None,
    })
}

/// A function of two numbers, or of their magnitudes with the sign of their product.
fn signed(xorsign: bool, [x, y]: [f64; 2], of: impl Fn(f64, f64) -> f64) -> f64 {
    if !xorsign {
        return of(x, y);
    }
    let negative = x.is_sign_negative() != y.is_sign_negative();
    of(x.abs(), y.abs()).copysign(if negative { -1.0 } else { 1.0 })
}

/// The larger number, +0 above -0; NaN if both are, or with `nan` if either is.
fn larger(x: f64, y: f64, nan: bool) -> f64 {
    if nan && (x.is_nan() || y.is_nan()) {
        f64::NAN
    } else if x == y {
        if x.is_sign_positive() { x } else { y }
    } else {
        x.max(y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn rounded(function: Function, rounding: Rounding) -> Rounded {
        Rounded { function, ty: Scalar::F32, rounding, ftz: false, saturate: false, relu: false }
    }

    fn singles() -> impl Iterator<Item = [f32; 3]> {
        let mut random = Rng::with_seed(7);
        let mut next = move || f32::from_bits(random.u32(..));
        std::iter::repeat_with(move || [next(), next(), next()])
            .filter(|v| v.iter().all(|x| x.is_finite()))
            .take(20_000)
    }

    fn apply(r: Rounded, v: [f32; 3]) -> f32 {
        f32::from_bits(r.apply(v.map(|x| x.to_bits().into())) as u32)
    }

    #[test]
    fn to_nearest_is_the_hosts() {
        let near = Rounding::NearestEven;
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        for v in singles() {
            let [x, y, z] = v;
            assert!(same(apply(rounded(Function::Add, near), v), x + y), "{v:?}");
            assert!(same(apply(rounded(Function::Sub, near), v), x - y), "{v:?}");
            assert!(same(apply(rounded(Function::Mul, near), v), x * y), "{v:?}");
            assert!(same(apply(rounded(Function::Div, near), v), x / y), "{v:?}");
            assert!(same(apply(rounded(Function::Fma, near), v), x.mul_add(y, z)), "{v:?}");
            assert!(same(apply(rounded(Function::Sqrt, near), v), x.sqrt()), "{v:?}");
        }
    }

    /// Down and up enclose the exact result and are neighbours, or equal where it is exact.
    #[test]
    fn directed_roundings_enclose_the_nearest() {
        for v in singles() {
            for f in
                [Function::Add, Function::Mul, Function::Div, Function::Fma, Function::Sqrt, Function::Rcp]
            {
                let at = |rounding| apply(rounded(f, rounding), v);
                let (down, up, near, zero) = (
                    at(Rounding::Down),
                    at(Rounding::Up),
                    at(Rounding::NearestEven),
                    at(Rounding::TowardZero),
                );
                if near.is_nan() {
                    continue;
                }
                assert!(down <= near && near <= up && (down == near || up == near), "{f:?} {v:?}");
                assert!(down == up || down.next_up() == up, "{f:?} {v:?}: {down:e} {up:e}");
                assert_eq!(zero, if near < 0.0 || down < 0.0 { up } else { down }, "{f:?} {v:?}");
            }
        }
        // A third is below its nearest single, and exact values stay.
        let third = [3.0, 0.0, 0.0];
        assert_eq!(apply(rounded(Function::Rcp, Rounding::Up), third), 1.0 / 3.0);
        assert_eq!(apply(rounded(Function::Rcp, Rounding::Down), third), (1.0f32 / 3.0).next_down());
        assert_eq!(apply(rounded(Function::Rcp, Rounding::Down), [4.0, 0.0, 0.0]), 0.25);
        let cancel = apply(rounded(Function::Add, Rounding::Down), [1.0, -1.0, 0.0]);
        assert!(cancel == 0.0 && cancel.is_sign_negative());
    }

    /// Narrow results are computed in f64, rounded to odd, and rounded again; those in f64 exactly.
    #[test]
    fn f64_rounds_in_any_direction() {
        let of = |function, rounding, v: [f64; 3]| {
            let rounded = Rounded { ty: Scalar::F64, ..rounded(function, rounding) };
            f64::from_bits(rounded.apply(v.map(f64::to_bits)))
        };
        let third = [3.0, 0.0, 0.0];
        assert_eq!(of(Function::Rcp, Rounding::Down, third), 1.0 / 3.0);
        assert_eq!(of(Function::Rcp, Rounding::Up, third), (1.0f64 / 3.0).next_up());
        assert_eq!(of(Function::Sub, Rounding::TowardZero, [1.0, 1e-300, 0.0]), 1.0f64.next_down());
        assert_eq!(of(Function::Sqrt, Rounding::Up, [2.0, 0.0, 0.0]), 2.0f64.sqrt());
        assert_eq!(of(Function::Sqrt, Rounding::Down, [2.0, 0.0, 0.0]), 2.0f64.sqrt().next_down());
    }

    #[test]
    fn modifiers() {
        let add = rounded(Function::Add, Rounding::NearestEven);
        let small = f32::from_bits(1);
        assert_eq!(apply(add, [small, small, 0.0]), f32::from_bits(2));
        assert_eq!(apply(Rounded { ftz: true, ..add }, [small, small, 0.0]), 0.0);
        let saturate = Rounded { saturate: true, ..add };
        assert_eq!(
            [2.0, 0.25, -1.0, f32::NAN].map(|x| apply(saturate, [x, 0.0, 0.0])),
            [1.0, 0.25, 0.0, 0.0]
        );
        assert_eq!(apply(Rounded { relu: true, ..add }, [-1.0, 0.0, 0.0]), 0.0);
        let min = |nan| rounded(Function::Min { nan, xorsign: false }, Rounding::NearestEven);
        assert_eq!(apply(min(false), [f32::NAN, 2.0, 0.0]), 2.0);
        assert!(apply(min(true), [f32::NAN, 2.0, 0.0]).is_nan());
        assert!(apply(min(false), [0.0, -0.0, 0.0]).is_sign_negative());
        let ex2 = rounded(Function::Ex2, Rounding::NearestEven);
        assert_eq!(apply(ex2, [-3.0, 0.0, 0.0]), 0.125);
    }
}
