//! Relations between two trees: congruence, compatibility and order. Each check also reports the
//! first mode at which the relation fails. `(4,8)` and `((2,2),8)` are compatible but not
//! congruent: every coordinate of the first is also one of the second, although the profiles
//! differ.

use std::fmt;

use crate::{
    error::{Error, ModePath, Result},
    int::Int,
    layout::text,
    ops::size::product,
    tuple::TupleRef,
};

/// A relation between two trees. Each variant is weaker than one above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same profile.
    Congruent,
    /// A leaf of the left tree may stand for any tree of the right one.
    WeaklyCongruent,
    /// Weakly congruent, and a leaf is the size of what it stands for: every coordinate of the left
    /// is one of the right.
    Compatible,
    /// Weakly congruent, and a leaf divides the size of what it stands for.
    WeaklyCompatible,
}

/// The place at which a relation fails, or depends on dynamic extents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The first mode at which the relation fails or is open.
    pub path: ModePath,
    /// The left tree at that mode.
    pub lhs: String,
    /// The right tree at that mode.
    pub rhs: String,
    /// The relation that does not hold, as text.
    pub rule: &'static str,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {} {}", self.path, self.lhs, self.rule, self.rhs)
    }
}

/// The outcome of checking a relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It depends on dynamic extents.
    Unknown(Mismatch),
    /// It does not hold.
    Fails(Mismatch),
}

impl Verdict {
    /// Whether it holds, if that is known.
    pub fn holds(&self) -> Option<bool> {
        match self {
            Self::Holds => Some(true),
            Self::Unknown(_) => None,
            Self::Fails(_) => Some(false),
        }
    }
}

/// Checks whether `a` and `b` stand in a relation, and finds the first mode at which they do not.
///
/// ```
/// use cute_algebra::{Relation, Verdict, parse_shape, relate};
/// let (a, b) = (parse_shape("(16,8)")?, parse_shape("((4,3),8)")?);
/// assert_eq!(relate(Relation::WeaklyCongruent, a.view(), b.view())?, Verdict::Holds);
/// let Verdict::Fails(why) = relate(Relation::Compatible, a.view(), b.view())? else { panic!() };
/// assert_eq!(why.to_string(), "mode 0: 16 is not the size of (4,3)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn relate<I: Int>(relation: Relation, a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Verdict> {
    walk(relation, a, b, &ModePath::root())
}

fn walk<I: Int>(
    relation: Relation,
    a: TupleRef<'_, I>,
    b: TupleRef<'_, I>,
    path: &ModePath,
) -> Result<Verdict> {
    let mismatch = |rule| Mismatch { path: path.clone(), lhs: text(a), rhs: text(b), rule };
    let judged = |known, rule| match known {
        Some(true) => Verdict::Holds,
        Some(false) => Verdict::Fails(mismatch(rule)),
        None => Verdict::Unknown(mismatch(rule)),
    };
    if let Some(leaf) = a.as_leaf() {
        return Ok(match relation {
            Relation::Congruent => judged(Some(b.is_leaf()), "is an integer, unlike"),
            Relation::WeaklyCongruent => Verdict::Holds,
            Relation::Compatible => judged(leaf.eq(&product(b)?), "is not the size of"),
            Relation::WeaklyCompatible => {
                judged(product(b)?.divisible_by(leaf), "does not divide the size of")
            }
        });
    }
    if b.is_leaf() {
        return Ok(Verdict::Fails(mismatch("is a tuple, unlike")));
    }
    if a.rank() != b.rank() {
        return Ok(Verdict::Fails(mismatch("has another rank than")));
    }
    let mut unknown = Verdict::Holds;
    for (i, (x, y)) in a.modes().zip(b.modes()).enumerate() {
        match walk(relation, x, y, &path.child(i))? {
            Verdict::Fails(why) => return Ok(Verdict::Fails(why)),
            Verdict::Unknown(why) if unknown == Verdict::Holds => unknown = Verdict::Unknown(why),
            _ => {}
        }
    }
    Ok(unknown)
}

/// Whether two trees have the same profile.
///
/// ```
/// use cute_algebra::{congruent, parse_shape};
/// assert!(congruent(parse_shape("(4,(2,2))")?.view(), parse_shape("(1,(7,3))")?.view()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn congruent<T, U>(a: TupleRef<'_, T>, b: TupleRef<'_, U>) -> bool {
    a.congruent(b)
}

/// Whether `a` is `b` with some subtrees replaced by leaves.
///
/// ```
/// use cute_algebra::{parse_shape, weakly_congruent};
/// assert!(weakly_congruent(parse_shape("(4,2)")?.view(), parse_shape("(1,(7,3))")?.view()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn weakly_congruent<T, U>(a: TupleRef<'_, T>, b: TupleRef<'_, U>) -> bool {
    a.weakly_congruent(b)
}

/// Whether each leaf of `a` divides the size of the corresponding part of `b`. `None` if that
/// depends on dynamic extents.
///
/// ```text
/// size(b_i) % a_i = 0 at every leaf a_i of a
/// ```
///
/// ```
/// use cute_algebra::{parse_shape, weakly_compatible};
/// let a = parse_shape("(8,4)")?;
/// assert_eq!(weakly_compatible(a.view(), parse_shape("((4,4),8)")?.view())?, Some(true));
/// assert_eq!(weakly_compatible(a.view(), parse_shape("((4,3),8)")?.view())?, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn weakly_compatible<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Option<bool>> {
    Ok(relate(Relation::WeaklyCompatible, a, b)?.holds())
}

/// Whether every element of `a` is less than its counterpart in `b`. `None` if that depends on
/// dynamic leaves.
///
/// If the ranks differ, a shorter `a` can still be less, and a shorter `b` cannot be greater.
///
/// ```
/// use cute_algebra::{elem_less, parse_int_tuple};
/// let less = |a, b| elem_less(parse_int_tuple(a).unwrap().view(), parse_int_tuple(b).unwrap().view());
/// assert_eq!(less("(1,(2,3))", "(2,(3,4))")?, Some(true));
/// assert_eq!(less("(1,?)", "(1,4)")?, Some(false));
/// assert_eq!(less("(1,2)", "(2,3,4)")?, Some(true));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn elem_less<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Option<bool>> {
    if let (Some(x), Some(y)) = (a.as_leaf(), b.as_leaf()) {
        return Ok(x.lt(y));
    }
    if a.is_leaf() || b.is_leaf() {
        let (path, lhs, rhs) = (ModePath::root(), text(a), text(b));
        return Err(Error::NotCongruent { what: "elem_less", path, lhs, rhs });
    }
    let mut all = Some(true);
    for (i, x) in a.modes().enumerate() {
        let Some(y) = b.mode(i) else { return Ok(Some(false)) };
        match elem_less(x, y).map_err(|e| e.inside(i))? {
            Some(false) => return Ok(Some(false)),
            None => all = None,
            Some(true) => {}
        }
    }
    Ok(all)
}
