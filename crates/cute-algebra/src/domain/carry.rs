//! Decides by carries whether a composition is exact: `compose(a, b)(c) == a(b(c))` for every
//! coordinate.
//!
//! A coalesced left operand reads an offset in the mixed radix of its extents. The result of a
//! composition treats each mode of the right operand separately. It is therefore exact when no mode
//! leaves the digits it steps through, and when the digits of all modes add without a carry. In a
//! coalesced layout a carry out of a mode `s:d` into the next one `t:e` changes the value by
//! `e - s * d`, which is not 0 for static strides, and for dynamic ones only if they may satisfy
//! `e = s * d`. The cost does not depend on the extents.

use std::collections::BTreeSet;

use super::MAX_TRIED;
use crate::{
    basis::Basis,
    coord::Crd,
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, LayoutRef, text},
    ops::{
        self,
        coalesce::coalesce_extended,
        composition::compose,
        size::{coprofile, mode_at, product},
    },
    tuple::Tuple,
};

/// The reason why a composition may not be exact.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Exact,
    /// The digits of all modes add up to more than these modes of the left operand hold.
    Sums(Vec<usize>),
    /// Values carry out of this mode of the left operand.
    Carry(usize),
    /// They carry out of a mode of stride 0, where the value need not change.
    Open(usize),
}

/// Fails unless `b` stays in the domain of `a` and `compose(a, b)` is exact. Only static parts are
/// checked.
pub(super) fn check<I: Int>(
    a: LayoutRef<'_, I>,
    b: LayoutRef<'_, I>,
    what: &'static str,
    path: &ModePath,
) -> Result<()> {
    check_reach(a, b, what, path)?;
    check_carries(a, b, what, path)
}

fn error(what: &'static str, path: &ModePath, why: String) -> Error {
    Error::Domain { what, why: if path.indices().is_empty() { why } else { format!("{path}: {why}") } }
}

/// The positions in the codomain that `b` steps through, and the static modes of `b` there as
/// `(extent, stride)`. Dynamic modes are left out: one may be at coordinate 0, so every value of
/// the static modes alone is also a value of `b`.
fn by_basis<I: Int>(b: LayoutRef<'_, I>) -> Vec<(Basis, Vec<(i64, i64)>)> {
    let bases: BTreeSet<Basis> = b.stride().leaves().iter().filter(|d| !d.is(0)).map(|d| d.basis()).collect();
    let terms = |basis| {
        let leaves = b.shape().leaves().iter().zip(b.stride().leaves());
        let here = leaves.filter(|(_, d)| d.basis() == basis && !d.is(0));
        here.filter_map(|(s, d)| s.as_static().zip(d.scale().as_static())).collect()
    };
    bases.into_iter().map(|basis| (basis, terms(basis))).collect()
}

/// Fails unless every value of `b` is a coordinate of `a`.
fn check_reach<I: Int>(
    a: LayoutRef<'_, I>,
    b: LayoutRef<'_, I>,
    what: &'static str,
    path: &ModePath,
) -> Result<()> {
    for (basis, terms) in by_basis(b) {
        // If the mode does not exist, `check_carries` reports it.
        let Some(target) = a.get(&basis.expect_path(what)?) else { continue };
        if let Some((s, d)) = terms.iter().find(|(s, d)| *d < 0 && *s > 1) {
            let why = format!("stride {d} of the right operand {b} leaves [0, size) at index 1 of {s}");
            return Err(error(what, path, why));
        }
        let Some(size) = product(target.shape())?.as_static() else { continue };
        let up = terms.iter().filter(|(_, d)| *d > 0);
        let reach = up.fold(0i128, |sum, (s, d)| sum.saturating_add(i128::from(s - 1) * i128::from(*d)));
        if reach >= size.into() {
            let shape = text(target.shape());
            let why = format!(
                "the right operand {b} reaches {reach}, but the left operand of shape {shape} has only {size} elements"
            );
            return Err(error(what, path, why));
        }
    }
    Ok(())
}

/// Fails unless `compose(a, b)` is exact; the last mode of `a` extends.
pub(super) fn check_carries<I: Int>(
    a: LayoutRef<'_, I>,
    b: LayoutRef<'_, I>,
    what: &'static str,
    path: &ModePath,
) -> Result<()> {
    let flat = coalesce_extended(a, coprofile(b)?.view())?;
    for (basis, terms) in by_basis(b) {
        let target = if basis.is_none() { flat.view() } else { mode_at(&flat, &basis.expect_path(what)?)? };
        let modes = target.shape().leaves().iter().zip(target.stride().leaves());
        let modes: Option<Vec<_>> = modes.map(|(s, d)| Some((s.as_static()?, d.is(0)))).collect();
        let Some(modes) = modes else { continue };
        let verdict = digits(&modes, &terms);
        if target.stride().leaves().iter().any(|d| !d.is_static()) {
            let Verdict::Sums(carries) = verdict else { continue };
            match unsatisfied(target, &carries) {
                Some((mode, needed)) => return Err(error(what, path, carried(b, target, mode, &needed))),
                None => continue,
            }
        }
        let (mode, witness) = match verdict {
            Verdict::Exact => continue,
            Verdict::Sums(modes) => (modes[0], witness(a, b).unwrap_or_default()),
            Verdict::Carry(mode) => (mode, witness(a, b).unwrap_or_default()),
            Verdict::Open(mode) => match witness(a, b) {
                Some(None) => continue,
                known => (mode, known.flatten()),
            },
        };
        let (extent, _) = modes[mode];
        let at = witness.map(|w| format!(": at {} it is {}, not {}", w.at, w.found, w.expected));
        let why = format!(
            "the result is not a(b(c)){}: values of the right operand {b} carry out of mode {mode} (extent {extent}) of the coalesced left operand {target}",
            at.unwrap_or_default()
        );
        return Err(error(what, path, why));
    }
    Ok(())
}

/// An equation that strides of a coalesced layout must satisfy so that carries out of these modes
/// keep the value, `e = s * d` for the modes `s:d` and `t:e`, and the mode; `None` if run-time
/// strides may satisfy all of them. Each carry that fixes a stride fixes it for the others.
fn unsatisfied<I: Int>(a: LayoutRef<'_, I>, carries: &[usize]) -> Option<(usize, String)> {
    let strides = a.stride().leaves();
    let mut fixed: Vec<_> = strides.iter().map(|stride| stride.scale().as_static()).collect();
    // A dynamic stride may be any multiple of its divisor, 0 included.
    let may_be = |mode: usize, value: i64| value % strides[mode].scale().dim().divisor().max(1) == 0;
    for &mode in carries {
        let (own, next) = (strides.get(mode)?, strides.get(mode + 1)?);
        let extent = a.shape().leaves().get(mode)?.as_static()?;
        if own.basis() != next.basis() {
            continue;
        }
        let known = fixed[mode];
        let possible = match (known, fixed[mode + 1]) {
            (Some(d), Some(e)) => extent.checked_mul(d) == Some(e),
            (None, Some(e)) => {
                fixed[mode] = (e % extent == 0).then_some(e / extent);
                fixed[mode].is_some_and(|d| may_be(mode, d))
            }
            (Some(d), None) => {
                fixed[mode + 1] = extent.checked_mul(d);
                fixed[mode + 1].is_some_and(|e| may_be(mode + 1, e))
            }
            (None, None) => true,
        };
        if !possible {
            let [d, e] = [own.scale().dim(), next.scale().dim()];
            // A stride that another carry has fixed.
            let also = match (d.is_static(), known) {
                (false, Some(value)) => format!(", where {d} is {value} for another carry"),
                _ => String::new(),
            };
            return Some((mode, format!("{extent} * {d} = {e}{also}")));
        }
    }
    None
}

/// Explains a carry that run-time strides cannot make right.
fn carried<I: Int>(b: LayoutRef<'_, I>, target: LayoutRef<'_, I>, mode: usize, needed: &str) -> String {
    let extent = target.shape().leaves()[mode].dim();
    format!(
        "the result is not a(b(c)), for all values of `?`: values of the right operand {b} carry out of mode {mode} (extent {extent}) of the \
         coalesced left operand {target}, which keeps the value only if {needed}"
    )
}

/// Adds the values of all terms `extent:stride` in the digits of `modes`, which are
/// `(extent, whether its stride is 0)`. The last mode has no end.
fn digits(modes: &[(i64, bool)], terms: &[(i64, i64)]) -> Verdict {
    let Some((_, walked)) = modes.split_last() else { return Verdict::Exact };
    let mut sums = vec![0i64; walked.len()];
    // Whether some term drifts, so that its digits do not vary one by one.
    let mut open = false;
    for (extent, stride) in terms {
        let (mut rest, mut step) = (*extent, *stride);
        for (i, ((radix, is_zero), sum)) in walked.iter().zip(&mut sums).enumerate() {
            if rest <= 1 {
                break;
            }
            if step % radix == 0 {
                step /= radix;
                continue;
            }
            if step > *radix {
                return Verdict::Carry(i);
            }
            let taken = ((radix - 1) / step + 1).min(rest);
            if rest % taken != 0 {
                return Verdict::Carry(i);
            }
            rest /= taken;
            let mut last = (taken - 1) * step;
            let drift = taken * step - radix;
            if rest > 1 && drift != 0 {
                // Each round starts `drift` later. That is not a digit of the result, and where the
                // stride is 0 it need not be a digit of `a` either, as long as the last round still
                // ends within the mode.
                match (rest - 1).checked_mul(drift).map(|late| late.saturating_add(last)) {
                    _ if !is_zero => return Verdict::Carry(i),
                    Some(end) if end < *radix => last = end,
                    _ => return Verdict::Open(i),
                }
                open = true;
            }
            *sum = sum.saturating_add(last);
            step = 1;
        }
    }
    // The sums of all modes are reached together, and what carries out of one adds to the next.
    let (mut carry, mut carries) = (0i64, Vec::new());
    for (mode, (sum, (radix, _))) in sums.iter().zip(walked).enumerate() {
        let all = sum.saturating_add(carry);
        carry = all / radix;
        carries.extend((carry > 0).then_some(mode));
    }
    match carries.first() {
        None => Verdict::Exact,
        Some(mode) if open => Verdict::Open(*mode),
        Some(_) => Verdict::Sums(carries),
    }
}

/// A coordinate at which a composition breaks its equation.
struct Witness {
    at: i64,
    found: String,
    expected: String,
}

/// Compares `compose(a, b)` with `a(b(c))` point by point. Returns the first difference, or
/// `Some(None)` if both agree everywhere. Returns `None` if that is undecided: for dynamic layouts,
/// and if there are too many points.
fn witness<I: Int>(a: LayoutRef<'_, I>, b: LayoutRef<'_, I>) -> Option<Option<Witness>> {
    let (a, b) = (a.to_owned().to_const()?, b.to_owned().to_const()?);
    let composed = compose(a.view(), b.view()).ok()?;
    let size = ops::size(&b).ok()?;
    let value = |at: &Tuple<Crd<i64>>, layout: &Layout<i64>| ops::crd2idx(at, layout).ok();
    for i in 0..size.min(MAX_TRIED) {
        let at = Tuple::leaf(Crd::Int(i));
        let (found, expected) = (value(&at, &composed)?, value(&value(&at, &b)?.to_coord(), &a)?);
        if found != expected {
            return Some(Some(Witness { at: i, found: found.to_string(), expected: expected.to_string() }));
        }
    }
    (size <= MAX_TRIED).then_some(None)
}
