//! Arithmetic of a warp: one instruction for 32 lanes.
//!
//! Operations that cannot fail are computed for all lanes, in loops that the compiler turns into
//! vector instructions; operations that can fail are computed only for the active lanes.

use crate::finding::{LaneFinding, try_map};
use crate::lanes::{Lanes, lanes_of};
use cute_machine::types::Scalar;
use cute_machine::{
    float::{self, FloatOp, FloatUnary},
    predicate::FloatPredicate,
};
use cute_machine::{
    int::{self, IntOp, IntUnary, NoWrap, mask, signed},
    predicate::IntPredicate,
};

#[inline(always)]
pub(crate) fn map(a: &Lanes, f: impl Fn(u64) -> u64) -> Lanes {
    let mut r = [0; 32];
    for i in 0..32 {
        r[i] = f(a[i]);
    }
    r
}

#[inline(always)]
fn zip(a: &Lanes, b: &Lanes, out: &mut Lanes, f: impl Fn(u64, u64) -> u64) {
    for i in 0..32 {
        out[i] = f(a[i], b[i]);
    }
}

#[inline(always)]
fn zip3(a: &Lanes, b: &Lanes, c: &Lanes, f: impl Fn(u64, u64, u64) -> u64) -> Lanes {
    let mut r = [0; 32];
    for i in 0..32 {
        r[i] = f(a[i], b[i], c[i]);
    }
    r
}

#[inline(always)]
fn any(a: &Lanes, b: &Lanes, f: impl Fn(u64, u64) -> bool) -> bool {
    let mut found = false;
    for i in 0..32 {
        found |= f(a[i], b[i]);
    }
    found
}

pub(crate) fn int_binary(
    op: IntOp,
    width: u32,
    no_wrap: NoWrap,
    active: u32,
    a: &Lanes,
    b: &Lanes,
    out: &mut Lanes,
) -> Result<(), LaneFinding> {
    let checked = || try_map(active, |i| Ok(int::binary(op, width, no_wrap, a[i], b[i])?));
    if no_wrap != NoWrap::default() && may_wrap(op, width, no_wrap, a, b) {
        *out = checked()?;
        return Ok(());
    }
    let m = mask(width);
    match op {
        IntOp::Add => zip(a, b, out, |x, y| x.wrapping_add(y) & m),
        IntOp::Sub => zip(a, b, out, |x, y| x.wrapping_sub(y) & m),
        IntOp::Mul if width <= 32 => zip(a, b, out, |x, y| (u64::from(x as u32) * u64::from(y as u32)) & m),
        IntOp::Mul => zip(a, b, out, |x, y| x.wrapping_mul(y) & m),
        IntOp::And => zip(a, b, out, |x, y| x & y),
        IntOp::Or => zip(a, b, out, |x, y| x | y),
        IntOp::Xor => zip(a, b, out, |x, y| x ^ y),
        IntOp::MinU => zip(a, b, out, u64::min),
        IntOp::MaxU => zip(a, b, out, u64::max),
        IntOp::MinS => zip(a, b, out, |x, y| if signed(x, width) < signed(y, width) { x } else { y }),
        IntOp::MaxS => zip(a, b, out, |x, y| if signed(x, width) > signed(y, width) { x } else { y }),
        IntOp::Shl | IntOp::ShrU | IntOp::ShrS if any(a, b, |_, y| y >= u64::from(width)) => {
            *out = checked()?;
        }
        IntOp::Shl => zip(a, b, out, |x, y| x << (y & 63) & m),
        IntOp::ShrU => zip(a, b, out, |x, y| x >> (y & 63)),
        IntOp::ShrS => zip(a, b, out, |x, y| (signed(x, width) >> (y & 63)) as u64 & m),
        IntOp::ShlClamped => zip(a, b, out, |x, y| if y < u64::from(width) { x << y & m } else { 0 }),
        IntOp::ShrClampedU => zip(a, b, out, |x, y| if y < u64::from(width) { x >> y } else { 0 }),
        IntOp::ShrClampedS => zip(a, b, out, |x, y| (signed(x, width) >> y.min(63)) as u64 & m),
        _ => *out = checked()?,
    }
    Ok(())
}

/// Could a lane, active or not, break its promise? Exact arithmetic of up to 32 bits fits 64.
fn may_wrap(op: IntOp, width: u32, no_wrap: NoWrap, a: &Lanes, b: &Lanes) -> bool {
    if width > 32 || op == IntOp::Shl {
        return true;
    }
    let (m, half) = (mask(width) as i64, 1i64 << (width - 1));
    let exact = |x: i64, y: i64| match op {
        IntOp::Add => x + y,
        IntOp::Sub => x - y,
        _ => x.wrapping_mul(y),
    };
    let signed_wraps = no_wrap.signed
        && any(a, b, |x, y| (exact(signed(x, width), signed(y, width)).wrapping_add(half)) as u64 > m as u64);
    // The product of unsigned 32-bit numbers may be negative here, and that is above `m` too.
    let unsigned_wraps = no_wrap.unsigned && any(a, b, |x, y| exact(x as i64, y as i64) as u64 > m as u64);
    signed_wraps || unsigned_wraps
}

/// Finds the lanes whose exact result does not fit the width.
pub(crate) fn wraps(op: IntOp, width: u32, signed: bool, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    zip(a, b, out, |x, y| int::wraps(op, width, signed, x, y).into());
}

pub(crate) fn int_unary(op: IntUnary, width: u32, a: &Lanes) -> Lanes {
    map(a, |x| int::unary(op, width, x))
}

pub(crate) fn int_compare(predicate: IntPredicate, width: u32, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    use IntPredicate::*;
    let s = |x| signed(x, width);
    match predicate {
        Eq => zip(a, b, out, |x, y| (x == y).into()),
        Ne => zip(a, b, out, |x, y| (x != y).into()),
        Slt => zip(a, b, out, |x, y| (s(x) < s(y)).into()),
        Sle => zip(a, b, out, |x, y| (s(x) <= s(y)).into()),
        Sgt => zip(a, b, out, |x, y| (s(x) > s(y)).into()),
        Sge => zip(a, b, out, |x, y| (s(x) >= s(y)).into()),
        Ult => zip(a, b, out, |x, y| (x < y).into()),
        Ule => zip(a, b, out, |x, y| (x <= y).into()),
        Ugt => zip(a, b, out, |x, y| (x > y).into()),
        Uge => zip(a, b, out, |x, y| (x >= y).into()),
    }
}

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}

fn g(x: f32) -> u64 {
    x.to_bits().into()
}

pub(crate) fn float_binary(op: FloatOp, ty: Scalar, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    match (ty, op) {
        (Scalar::F32, FloatOp::Add) => zip(a, b, out, |x, y| g(f(x) + f(y))),
        (Scalar::F32, FloatOp::Sub) => zip(a, b, out, |x, y| g(f(x) - f(y))),
        (Scalar::F32, FloatOp::Mul) => zip(a, b, out, |x, y| g(f(x) * f(y))),
        (Scalar::F32, FloatOp::Div) => zip(a, b, out, |x, y| g(f(x) / f(y))),
        _ => zip(a, b, out, |x, y| float::binary(op, ty, x, y)),
    }
}

pub(crate) fn float_unary(op: FloatUnary, ty: Scalar, active: u32, a: &Lanes) -> Lanes {
    let mut r = [0; 32];
    for lane in lanes_of(active) {
        r[lane as usize] = float::unary(op, ty, a[lane as usize]);
    }
    r
}

pub(crate) fn float_compare(predicate: FloatPredicate, ty: Scalar, a: &Lanes, b: &Lanes, out: &mut Lanes) {
    zip(a, b, out, |x, y| predicate.holds(ty, x, y).into());
}

pub(crate) fn fma(ty: Scalar, active: u32, a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    if active == u32::MAX {
        return zip3(a, b, c, |x, y, z| float::fma(ty, x, y, z));
    }
    let mut r = [0; 32];
    for lane in lanes_of(active) {
        let i = lane as usize;
        r[i] = float::fma(ty, a[i], b[i], c[i]);
    }
    r
}

/// Adds to each lane `x`, read as signed, times `scale`.
pub(crate) fn add_scaled(sum: &mut Lanes, x: &Lanes, width: u32, scale: i64) {
    let add = |(sum, x): (&mut u64, i64)| *sum = sum.wrapping_add_signed(x.wrapping_mul(scale));
    match width {
        32 => sum.iter_mut().zip(x.iter().map(|x| i64::from(*x as i32))).for_each(add),
        _ => sum.iter_mut().zip(x.iter().map(|x| signed(*x, width))).for_each(add),
    }
}

pub(crate) fn select(condition: &Lanes, then: &Lanes, otherwise: &Lanes) -> Lanes {
    zip3(condition, then, otherwise, |c, x, y| if c & 1 != 0 { x } else { y })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lanes at once are the lanes one by one.
    #[test]
    fn lanes_agree_with_scalars() {
        let edges = |width: u32| {
            let m = mask(width);
            let some = [0, 1, 2, 3, m, m - 1, m >> 1, (m >> 1) + 1, 12345 & m, 31 & m, 5, 7];
            move |i: usize| some[i % some.len()] & m
        };
        let promises =
            [(false, false), (true, false), (false, true)].map(|(s, u)| NoWrap { signed: s, unsigned: u });
        for width in [1, 8, 17, 32, 64] {
            let value = edges(width);
            for op in [
                IntOp::Add,
                IntOp::Sub,
                IntOp::Mul,
                IntOp::And,
                IntOp::Or,
                IntOp::Xor,
                IntOp::Shl,
                IntOp::ShrS,
                IntOp::ShrU,
                IntOp::ShlClamped,
                IntOp::ShrClampedS,
                IntOp::ShrClampedU,
                IntOp::MinS,
                IntOp::MaxS,
                IntOp::MinU,
                IntOp::MaxU,
                IntOp::DivS,
                IntOp::RemU,
            ] {
                for (shift, no_wrap) in (0..12).flat_map(|s| promises.map(|p| (s, p))) {
                    let a: Lanes = std::array::from_fn(value);
                    let b: Lanes = std::array::from_fn(|i| value(i + shift));
                    let scalar = |i: usize| Ok(int::binary(op, width, no_wrap, a[i], b[i])?);
                    let mut r = [0; 32];
                    match int_binary(op, width, no_wrap, u32::MAX, &a, &b, &mut r) {
                        Ok(()) => {
                            assert!((0..32).all(|i| scalar(i).as_ref() == Ok(&r[i])), "{op:?} i{width}")
                        }
                        Err(e) => assert_eq!(scalar(e.lane as usize), Err(e.kind), "{op:?} i{width}"),
                    }
                }
            }
        }
    }

    #[test]
    fn an_idle_lane_does_nothing_wrong() {
        let nsw = NoWrap { signed: true, unsigned: false };
        let mut a = [1; 32];
        a[3] = i32::MAX as u64;
        let sum = |active| int_binary(IntOp::Add, 32, nsw, active, &a, &[1; 32], &mut [0; 32]);
        assert!(sum(!(1 << 3)).is_ok());
        assert_eq!(sum(u32::MAX).unwrap_err().lane, 3);
    }
}
