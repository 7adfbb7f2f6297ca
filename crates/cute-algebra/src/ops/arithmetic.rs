//! Arithmetic on tuples of integers: differences, products, quotients, remainders, and the next
//! coordinate. The operations apply leaf by leaf: `(4,6) - (1,2)` is `(3,4)`.

use crate::{
    error::{Error, ModePath, Result, expect_rank},
    int::Int,
    layout::text,
    ops::{
        coords::{coord_in, crd2idx_in_shape},
        size::product,
    },
    tuple::{Tuple, TupleRef},
};

/// `a - b`, leaf by leaf. A static 0 on the right is neutral. If the ranks differ, the modes that
/// only one tuple has are kept as they are.
///
/// ```
/// use cute_algebra::{parse_int_tuple, tuple_sub};
/// let by = |a, b| tuple_sub(parse_int_tuple(a).unwrap().view(), parse_int_tuple(b).unwrap().view());
/// assert_eq!(by("((5,8),3)", "((1,2),1)")?.to_string(), "((4,6),2)");
/// assert_eq!(by("(5,8,3)", "(1,2)")?.to_string(), "(4,6,3)");
/// assert_eq!(by("(10,8)", "(3,2,5)")?.to_string(), "(7,6,5)");
/// assert!(by("0", "(1,2)").is_err());
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn tuple_sub<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    match (a.as_leaf(), b.as_leaf()) {
        (_, Some(y)) if y.is(0) => Ok(a.to_owned()),
        (Some(x), Some(y)) => Ok(Tuple::leaf(x.sub(y)?)),
        (None, None) => {
            let (mut left, mut right) = (a.modes(), b.modes());
            let mut modes = Vec::with_capacity(left.len().max(right.len()));
            loop {
                modes.push(match (left.next(), right.next()) {
                    (Some(x), Some(y)) => tuple_sub(x, y)?,
                    (Some(one), None) | (None, Some(one)) => one.to_owned(),
                    (None, None) => return Ok(Tuple::from_modes(modes)),
                });
            }
        }
        _ => {
            let why = format!(
                "{} and {} have no difference: between an integer and a tuple, only a 0 on the right can be subtracted",
                text(a),
                text(b)
            );
            Err(Error::Unsupported { what: "tuple_sub", why })
        }
    }
}

/// `a * b`, leaf by leaf of congruent tuples.
///
/// ```
/// use cute_algebra::{parse_int_tuple, tuple_mul};
/// let t = tuple_mul(parse_int_tuple("(2,(3,?))")?.view(), parse_int_tuple("(4,(5,8))")?.view())?;
/// assert_eq!(t.to_string(), "(8,(15,?{div=8}))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tuple_mul<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    by_leaf(a, b, I::mul)
}

/// `a / b`, truncating, leaf by leaf of congruent tuples.
///
/// ```
/// use cute_algebra::{parse_int_tuple, tuple_div};
/// let t = tuple_div(parse_int_tuple("(7,(9,-7))")?.view(), parse_int_tuple("(2,(3,2))")?.view())?;
/// assert_eq!(t.to_string(), "(3,(3,-3))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tuple_div<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    by_leaf(a, b, I::div)
}

/// `a % b`, with the sign of `a`, leaf by leaf of congruent tuples.
///
/// ```
/// use cute_algebra::{parse_int_tuple, tuple_mod};
/// let t = tuple_mod(parse_int_tuple("(7,(9,-7))")?.view(), parse_int_tuple("(2,(3,2))")?.view())?;
/// assert_eq!(t.to_string(), "(1,(0,-1))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tuple_mod<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    by_leaf(a, b, I::rem)
}

fn by_leaf<I: Int>(
    a: TupleRef<'_, I>,
    b: TupleRef<'_, I>,
    f: impl Fn(&I, &I) -> Result<I>,
) -> Result<Tuple<I>> {
    let Some(pairs) = a.zip(b) else {
        let (lhs, rhs) = (text(a), text(b));
        return Err(Error::NotCongruent { what: "the operands", path: ModePath::root(), lhs, rhs });
    };
    pairs.try_map(|(x, y)| f(x, y))
}

/// The coordinate after `coord` in `shape`, first mode fastest: `idx2crd(crd2idx(coord) + 1)`.
/// After the last one, the last mode grows.
///
/// ```
/// use cute_algebra::{increment_coord, parse_int_tuple, parse_shape};
/// let next = |c, s| increment_coord(&parse_int_tuple(c).unwrap(), &parse_shape(s).unwrap());
/// assert_eq!(next("(1,2)", "(4,8)")?.to_string(), "(2,2)");
/// assert_eq!(next("(3,2)", "(4,8)")?.to_string(), "(0,3)");
/// assert_eq!(next("((1,1),2)", "((2,2),8)")?.to_string(), "((0,0),3)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn increment_coord<I: Int>(coord: &Tuple<I>, shape: &Tuple<I>) -> Result<Tuple<I>> {
    if !coord.congruent(shape) {
        let (lhs, rhs) = (text(coord.view()), text(shape.view()));
        return Err(Error::NotCongruent { what: "coordinate and shape", path: ModePath::root(), lhs, rhs });
    }
    let next = crd2idx_in_shape(&coord.to_coord(), shape)?.add(&I::from_i64(1))?;
    coord_in(Tuple::leaf(next).view(), shape.view())
}

/// The size of every top-level mode as a flat tuple; a leaf gives a tuple of rank 1.
///
/// ```
/// use cute_algebra::{parse_int_tuple, sizes_of_modes};
/// assert_eq!(sizes_of_modes(parse_int_tuple("(2,(3,4))")?.view())?.to_string(), "(2,12)");
/// assert_eq!(sizes_of_modes(parse_int_tuple("4")?.view())?.to_string(), "(4)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sizes_of_modes<I: Int>(tuple: TupleRef<'_, I>) -> Result<Tuple<I>> {
    Ok(Tuple::from_leaves(tuple.modes().map(product).collect::<Result<Vec<_>>>()?))
}

/// A tuple padded with copies of `element` up to `rank`, at the end or in front. A tuple of that
/// rank or more stays the same.
///
/// ```
/// use cute_algebra::{pad_tuple, parse_int_tuple};
/// let (t, one) = (parse_int_tuple("(4,8)")?, parse_int_tuple("1")?);
/// assert_eq!(pad_tuple(&t, 4, &one, true)?.to_string(), "(4,8,1,1)");
/// assert_eq!(pad_tuple(&t, 3, &one, false)?.to_string(), "(1,4,8)");
/// assert_eq!(pad_tuple(&t, 1, &one, true)?.to_string(), "(4,8)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pad_tuple<T: Clone>(
    tuple: &Tuple<T>,
    rank: usize,
    element: &Tuple<T>,
    at_end: bool,
) -> Result<Tuple<T>> {
    /// The highest rank to pad to: far above any tuple in practice, and small enough to build.
    const MOST: usize = 1 << 16;
    let found = tuple.rank();
    if rank <= found {
        return Ok(tuple.clone());
    }
    if rank > MOST {
        expect_rank("the padded tuple", rank, Some(MOST))?;
    }
    let own = tuple.modes().map(|m| m.to_owned());
    let pads = std::iter::repeat_n(element.clone(), rank - found);
    Ok(if at_end { Tuple::from_modes(own.chain(pads)) } else { Tuple::from_modes(pads.chain(own)) })
}
