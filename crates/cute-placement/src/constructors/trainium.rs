//! Tensors on Trainium: partitions `P`, the free dimension `F` in each, and the banks of PSUM.

use crate::{
    Placement, Point,
    placement::{Iter, Kind},
};
use cute_algebra::Int;

use super::{
    Result,
    error::{Args, tuple},
    iter,
};
use crate::axes::AXES;

const PARTITIONS: i64 = 128;
/// Elements of a partition in a bank of PSUM.
const BANK: i64 = 512;

/// A tensor with each dimension in partitions (`P`) or in the free dimension (`F`), row-major in
/// each. If a single `P` has more than 128 elements, the multiples of 128 lie along `F`, outside of
/// everything else there.
///
/// ```
/// use cute_placement::constructors::trainium;
/// assert_eq!(trainium("PF", &[256, 64])?.to_string(), "S[(2, 128, 64) : (64@F, 1@P, 1@F)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
pub fn trainium(annotation: &str, shape: &[i64]) -> Result<Placement> {
    let args = Args("trainium");
    args.check(
        annotation.chars().all(|c| matches!(c, 'P' | 'F')),
        "annotation",
        format!("'{annotation}'"),
        || "it may have only the letters P and F, one for each dimension".into(),
    )?;
    args.check(annotation.len() == shape.len(), "annotation", format!("'{annotation}'"), || {
        format!("it must have one letter for each of the {} dimensions of {}", shape.len(), tuple(shape))
    })?;
    if let Some(extent) = shape.iter().find(|extent| **extent < 1) {
        return Err(args.broken("shape", tuple(shape), format!("extent {extent} is not positive")));
    }
    let dimensions = || annotation.chars().zip(shape.iter().copied());
    let product = |letter| {
        let of = dimensions().filter(|(c, _)| *c == letter);
        of.map(|(_, extent)| extent).try_fold(1i64, |n, extent| n.mul(&extent))
    };
    let (partitions, free) = (product('P')?, product('F')?);
    let splits = annotation.matches('P').count() == 1 && partitions > PARTITIONS;
    args.check(partitions <= PARTITIONS || splits && partitions % PARTITIONS == 0, "shape", tuple(shape), || {
        format!(
            "there are {PARTITIONS} partitions: the dimensions P must have at most as many elements, or a \
             single dimension P a multiple of them, but they have {partitions}"
        )
    })?;
    let (mut next_p, mut next_f) = (1i64, 1i64);
    let mut shard = Vec::with_capacity(shape.len() + 1);
    for (letter, extent) in dimensions().collect::<Vec<_>>().into_iter().rev() {
        if letter == 'F' {
            shard.push(iter(extent, next_f, "F")?);
            next_f = next_f.mul(&extent)?;
        } else if splits {
            shard.push(iter(PARTITIONS, 1, "P")?);
            shard.push(iter(extent / PARTITIONS, free, "F")?);
        } else {
            shard.push(iter(extent, next_p, "P")?);
            next_p = next_p.mul(&extent)?;
        }
    }
    shard.reverse();
    Ok(Placement::new(shard, Vec::new(), Point::default())?)
}

/// The same tensor in PSUM: element `n` along `F` is element `n % 512` of bank `n / 512`. Copies
/// and offsets are moved too.
///
/// ```
/// use cute_placement::constructors::{to_psum, trainium};
/// let psum = to_psum(&trainium("PF", &[128, 4096])?)?;
/// assert_eq!(psum.to_string(), "S[(128, 8, 512) : (1@P, 1@Bank, 1@F)]");
/// # Ok::<(), cute_placement::constructors::ConstructorError>(())
/// ```
///
/// Returns an error if an iter crosses from bank to bank in the middle of a step, or if all of them
/// together would.
pub fn to_psum(placement: &Placement) -> Result<Placement> {
    let args = Args("to_psum");
    args.check(placement.swizzle().is_none(), "placement", placement, || "a swizzle has no banks".into())?;
    let banked = |iters: &[Iter]| -> Result<Vec<Iter>> {
        let mut out = Vec::with_capacity(iters.len());
        for step in iters {
            out.extend(in_banks(args, placement, step)?);
        }
        Ok(out)
    };
    let mut offset = Point::default();
    for (axis, at) in placement.offset().iter() {
        if axis.name() == "F" {
            offset.add("Bank".parse()?, at.div_euclid(BANK))?;
            offset.add(axis, at.rem_euclid(BANK))?;
        } else {
            offset.add(axis, at)?;
        }
    }
    let offset = offset.without_zeros();
    let psum = Placement::new(banked(placement.shard())?, banked(placement.replica())?, offset)?;
    let free = "F".parse()?;
    let (mut low, mut high) = (psum.offset().get(free), psum.offset().get(free));
    for step in psum.shard().iter().chain(psum.replica()).filter(|step| step.axis == free) {
        let reach = step.extent.sub(&1)?.mul(&step.stride)?;
        let end = if reach < 0 { &mut low } else { &mut high };
        *end = Int::add(end, &reach)?;
    }
    args.check(low >= 0 && high < BANK, "placement", placement, || {
        format!("what lies within a bank must lie in [0, {BANK}), but reaches from {low} to {high}")
    })?;
    Ok(psum)
}

/// An iter along `F` as one of banks and one of elements in a bank, or as only one of them.
fn in_banks(args: Args, placement: &Placement, step: &Iter) -> Result<Vec<Iter>> {
    let Iter { extent, stride, axis } = *step;
    if axis.name() != "F" {
        return Ok(vec![*step]);
    }
    if stride % BANK == 0 {
        return Ok(vec![iter(extent, stride / BANK, "Bank")?]);
    }
    let inside = BANK / stride;
    match stride > 0 && BANK % stride == 0 {
        true if extent < inside => Ok(vec![*step]),
        true if extent % inside == 0 => Ok(vec![iter(extent / inside, 1, "Bank")?, Iter { extent: inside, ..*step }]),
        _ => Err(args.broken("placement", placement, format!(
            "{extent}:{stride}@F crosses banks of {BANK} elements: its stride must be a multiple of {BANK}, or divide it and \
             the steps of a bank divide its extent"
        ))),
    }
}

/// Whether all its storage axes are Trainium's.
///
/// ```
/// use cute_placement::constructors::{is_trainium, trainium};
/// assert!(is_trainium(&trainium("PF", &[128, 64])?)?);
/// assert!(!is_trainium(&"S[(4, 4) : (4@tx, 1)]".parse()?)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_trainium(placement: &Placement) -> Result<bool> {
    if placement.swizzle().is_some() {
        return Ok(false);
    }
    for step in placement.shard() {
        let own = matches!(step.axis.name(), "P" | "F" | "Bank");
        if AXES.kind("is_trainium", step.axis)? == Kind::Memory && !own {
            return Ok(false);
        }
    }
    Ok(true)
}
