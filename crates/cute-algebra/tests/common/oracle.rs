//! Layouts evaluated by definition, without the algebra, and a runner that counts the inputs to
//! which a law does not apply.

use std::{cell::Cell, fmt::Debug};

use cute_algebra::{Layout, Swizzle};
use proptest::{
    prelude::*,
    test_runner::{Config, TestCaseResult, TestError, TestRunner},
};

/// The value at index `i`: `sum of c_k * d_k` over the leaves, the first fastest and the last
/// without an end.
pub fn at(layout: &Layout<i64>, i: i64) -> i64 {
    let last = layout.flat().len().saturating_sub(1);
    let (mut rest, mut sum) = (i, 0);
    for (k, (extent, stride)) in layout.flat().enumerate() {
        let c = if k == last { rest } else { rest % extent };
        sum += c * stride.as_static().expect("an integer stride");
        rest /= extent;
    }
    sum
}

pub fn size(layout: &Layout<i64>) -> i64 {
    layout.shape().leaves().iter().product()
}

/// All values, in the order of the indices.
pub fn image(layout: &Layout<i64>) -> Vec<i64> {
    let mut values = vec![0];
    for (extent, stride) in layout.flat() {
        let stride = stride.as_static().expect("an integer stride");
        values = (0..*extent).flat_map(|c| values.iter().map(move |v| v + c * stride)).collect();
    }
    values
}

pub fn sorted(mut values: Vec<i64>) -> Vec<i64> {
    values.sort_unstable();
    values
}

pub fn distinct(values: &[i64]) -> bool {
    sorted(values.to_vec()).windows(2).all(|pair| pair[0] != pair[1])
}

/// `x` with bits `[m+s, m+s+b)` XORed into `[m, m+b)`, or the other way round for a negative shift;
/// bit by bit.
pub fn swizzled(swizzle: Swizzle, x: i64) -> i64 {
    let (bits, base, shift) = (swizzle.bits(), swizzle.base(), swizzle.shift());
    let far = base + shift.unsigned_abs();
    let (from, to) = if shift > 0 { (far, base) } else { (base, far) };
    (0..bits).fold(x, |y, k| y ^ (((x >> (from + k)) & 1) << (to + k)))
}

/// Tries a law on some thousands of inputs: 10^4 where `CUTE_FULL` is set, as `./dev test --full`
/// does, or a part of them if it is K/N. The law returns
/// whether it applies to the input; it must apply to at least a third of them.
pub fn law<S: Strategy>(inputs: S, law: impl Fn(S::Value) -> Result<bool, TestCaseError>)
where
    S::Value: Debug,
{
    law_on([2_500, 10_000], 3, inputs, law);
}

/// Tries a law on a number of inputs: the first in CI, the second in all parts of a full run
/// together. It must apply to at least one of `of` inputs.
pub fn law_on<S: Strategy>(
    [few, many]: [u32; 2],
    of: u32,
    inputs: S,
    law: impl Fn(S::Value) -> Result<bool, TestCaseError>,
) where
    S::Value: Debug,
{
    let full = std::env::var("CUTE_FULL").ok();
    let shards = full.as_ref().map(|text| text.split_once('/').map_or(1, |(_, of)| of.parse().expect("K/N")));
    let cases = shards.map_or(few, |shards: u32| (many / shards).max(few));
    let (tried, accepted) = (Cell::new(0u32), Cell::new(0u32));
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let test = |input| -> TestCaseResult {
        tried.set(tried.get() + 1);
        accepted.set(accepted.get() + u32::from(law(input)?));
        Ok(())
    };
    match TestRunner::new(config).run(&inputs, test) {
        Ok(()) => {}
        Err(TestError::Fail(why, input)) => panic!("{why}\nfor {input:?}"),
        Err(why) => panic!("{why}"),
    }
    let (tried, accepted) = (tried.get(), accepted.get());
    println!("{accepted} of {tried}");
    assert!(of * accepted >= tried, "the law is about {accepted} of {tried} inputs");
}
