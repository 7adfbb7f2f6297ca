//! The key of a layout as a function: layouts of the same shape have equal keys if and only if they
//! map every coordinate to the same offset.
//!
//! * If the extents are powers of two and no carries occur, the layout is linear over bits, also
//!   behind a swizzle. Its key is the list of the images of the bits of the index.
//! * A plain layout that is not linear has its coalesced layout as the key. Coalescing is
//!   canonical: the first extent is the largest one up to which the offset grows by the same
//!   stride, and so on.
//! * For other layouts behind a swizzle, the key is a digest of all offsets, up to [`MOST`]
//!   elements. Larger ones have the swizzle and the coalesced layout as the key, which may tell two
//!   spellings of one function apart.

use std::{fmt::Write, rc::Rc};

use cute_algebra::{AnyLayout, Error, LinearLayout, Swizzle, coalesce, size};

/// The largest number of elements whose offsets are listed.
const MOST: i64 = 4096;

/// The key of `layout`. `listed` returns the offsets of its outer layout.
pub(crate) fn identity(
    layout: &AnyLayout<i64>,
    listed: impl FnOnce() -> Result<Rc<Vec<i64>>, Error>,
) -> Result<String, Error> {
    if let Ok(linear) = LinearLayout::from_layout(layout, &["index"], "offset") {
        return Ok(linear.to_string());
    }
    let (swizzle, outer) = match layout {
        AnyLayout::Plain(plain) => (Swizzle::IDENTITY, plain),
        AnyLayout::Composed(composed) => (composed.swizzle().unwrap_or(Swizzle::IDENTITY), composed.outer()),
    };
    let plain = coalesce(outer)?.to_string();
    if swizzle.is_identity() {
        return Ok(plain);
    }
    if size(outer)? > MOST {
        return Ok(format!("{swizzle} o {plain}"));
    }
    let before = listed()?;
    let after: Vec<i64> = before.iter().map(|offset| swizzle.apply(offset)).collect::<Result<_, _>>()?;
    if *before == after {
        return Ok(plain);
    }
    let mut key = String::new();
    // Writing to a string cannot fail.
    let _ = write!(key, "{} offsets, {:032x}", after.len(), digest(&after));
    Ok(key)
}

/// FNV-1a of 128 bits over the numbers. Numbers of 64 bits cannot cancel the product of an earlier
/// difference, which reaches beyond them.
fn digest(numbers: &[i64]) -> u128 {
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let numbers = numbers.iter().map(|number| u128::from(number.cast_unsigned()));
    numbers.fold(BASIS, |hash, number| (hash ^ number).wrapping_mul(PRIME))
}
