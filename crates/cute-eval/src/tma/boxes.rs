//! The elements of the first tile of a copy: the box that has each, and its place in shared memory.

use cute_algebra::{Inner, size_at};

use super::{
    algebra,
    text::{TmaOptions, copy, element},
};
use crate::{
    error::{Error, Result},
    eval::Session,
    inputs::number,
};

/// An element that the TMA copies.
#[derive(Debug, Clone)]
pub struct Boxed {
    /// Its coordinate in the tensor, in the order of the descriptor's modes.
    pub coordinate: Vec<i64>,
    /// The box, counted over all CTAs.
    pub number: i64,
    /// The CTA that copies it.
    pub cta: i64,
    /// The offset in the tile in shared memory before its swizzle, in elements.
    pub offset: i64,
    /// The offset behind the swizzle.
    pub place: i64,
}

/// The elements of the first tile, `limit` at most, and the bits of each.
pub fn boxed(
    session: &Session,
    words: [&str; 3],
    options: &TmaOptions,
    limit: i64,
) -> Result<(Vec<Boxed>, i64)> {
    let (copy, _) = copy(session, words, options)?;
    if !copy.is_partitioned() {
        return Err(Error::Request(
            "the boxes of this copy are not parts of a tile, so they are not drawn".into(),
        ));
    }
    let inner = match &copy.memory {
        cute_algebra::AnyLayout::Composed(composed) => match composed.inner() {
            Inner::Swizzle(swizzle) => Some(*swizzle),
            Inner::Layout(_) => None,
        },
        cute_algebra::AnyLayout::Plain(_) => None,
    };
    let mut found = Vec::new();
    let mut first = 0;
    for part in copy.partition()? {
        let extent = |path: &[usize]| number(&algebra(size_at(&part.tensor.0, path))?);
        let (values, count) = (extent(&[0, 0])?, extent(&[0, 1])?);
        let total = values.checked_mul(count).filter(|n| *n <= limit - found.len() as i64);
        if total.is_none() {
            return Err(Error::Request(format!("a tile of more than {limit} elements is not drawn")));
        }
        for i in 0..count {
            for v in 0..values {
                let coordinate = element(&part.tensor, v, i)?;
                let offset = element(&part.memory, v, i)?.first().copied().unwrap_or(0);
                let place = match inner {
                    Some(swizzle) => algebra(swizzle.apply(&offset))?,
                    None => offset,
                };
                found.push(Boxed { coordinate, number: first + i, cta: part.cta, offset, place });
            }
        }
        first += count;
    }
    Ok((found, copy.value_bits))
}
