//! Copies from shared to tensor memory: `<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>`, and as the later type says it
//! `<f8E8M0FNU, num_dp = 32, num_bit = 128, num_cta = 1, smem_major = k, broadcast = x4>`.

use cute_ffi::syntax::{Parsed, Parser};

use super::{one_of, positive, tokens};
use crate::types::element::element_type;
use crate::{
    atom::{BROADCASTS, S2tCopy, broadcast_name},
    types::print::put,
};
use cute_arch::atoms::Broadcast;

/// What follows the element type.
pub(super) fn print(out: &mut String, atom: &S2tCopy<'_>) {
    let S2tCopy { lanes, bits, ctas, broadcast, k_major, .. } = atom;
    let repeated = *broadcast != Broadcast::Nothing;
    match k_major {
        None => put(out, format_args!(", {lanes} DP, {bits} bit, {ctas} cta")),
        Some(k) => {
            let major = if *k { "k" } else { "mn" };
            put(
                out,
                format_args!(", num_dp = {lanes}, num_bit = {bits}, num_cta = {ctas}, smem_major = {major}"),
            );
        }
    }
    if repeated {
        let name = if k_major.is_some() { "broadcast = " } else { "" };
        put(out, format_args!(", {name}{}", broadcast_name(*broadcast)));
    }
}

pub(super) fn parse<'c>(p: &Parser<'c>) -> Parsed<S2tCopy<'c>> {
    let elem = element_type(p)?;
    p.expect(",")?;
    let lanes = positive(p, "a number of lanes, such as 32 DP")?;
    tokens(p, &["DP", ","])?;
    let bits = positive(p, "bits of a lane, such as 128 bit")?;
    tokens(p, &["bit", ","])?;
    let ctas = positive(p, "a number of CTAs, such as 1 cta")?;
    p.expect("cta")?;
    let broadcast = if p.optional(",") { repeated(p)? } else { Broadcast::Nothing };
    Ok(S2tCopy { elem, lanes, bits, ctas, broadcast, k_major: None })
}

/// The later spelling.
pub(super) fn parse_named<'c>(p: &Parser<'c>) -> Parsed<S2tCopy<'c>> {
    let elem = element_type(p)?;
    let named = |name: &str, what: &str| {
        tokens(p, &[",", name, "="])?;
        positive(p, what)
    };
    let lanes = named("num_dp", "a number of lanes")?;
    let bits = named("num_bit", "bits of a lane")?;
    let ctas = named("num_cta", "a number of CTAs")?;
    tokens(p, &[",", "smem_major", "="])?;
    let k_major = Some(one_of(p, "the contiguous mode", &[("k", true), ("mn", false)])?);
    let broadcast = if p.optional(",") {
        tokens(p, &["broadcast", "="])?;
        repeated(p)?
    } else {
        Broadcast::Nothing
    };
    Ok(S2tCopy { elem, lanes, bits, ctas, broadcast, k_major })
}

fn repeated(p: &Parser<'_>) -> Parsed<Broadcast> {
    one_of(p, "what is repeated", &BROADCASTS)
}
