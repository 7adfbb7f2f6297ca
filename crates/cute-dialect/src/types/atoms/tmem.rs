//! Copies between registers and tensor memory: `<f32, 32 DP, 32 bit, x64>`.

use cute_ffi::syntax::{Parsed, Parser};

use super::{positive, tokens};
use crate::types::element::element_type;
use crate::{atom::TmemCopy, types::print::put};

/// What follows the element type.
pub(super) fn print(out: &mut String, atom: &TmemCopy<'_>) {
    let TmemCopy { lanes, bits, repeats, .. } = atom;
    put(out, format_args!(", {lanes} DP, {bits} bit, x{repeats}"));
    if atom.halves {
        put(out, format_args!(", {}", halves(atom.store)));
    }
}

/// The word for halves of words.
fn halves(store: bool) -> &'static str {
    if store { "expand16b" } else { "pack16b" }
}

pub(super) fn parse<'c>(p: &Parser<'c>, store: bool) -> Parsed<TmemCopy<'c>> {
    let elem = element_type(p)?;
    p.expect(",")?;
    let lanes = positive(p, "a number of lanes, such as 32 DP")?;
    tokens(p, &["DP", ","])?;
    let bits = positive(p, "bits of a lane, such as 32 bit")?;
    tokens(p, &["bit", ","])?;
    let at = p.at();
    let Some(repeats) = p.keyword().and_then(|x| x.strip_prefix('x')?.parse().ok()) else {
        return p.error(at, "expected how often the shape repeats, such as x4");
    };
    let with_halves = p.optional(",");
    if with_halves {
        p.expect(halves(store))?;
    }
    Ok(TmemCopy { elem, lanes, bits, repeats, halves: with_halves, store })
}
