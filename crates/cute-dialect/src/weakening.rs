//! Whether a declared type is a weakening of an inferred one: the same structure, widths and static
//! leaves, and fewer facts.

use cute_algebra::{
    AnyLayout, ComposedLayout, Crd, Dim, Inner, Int, Layout, ModePath, Stride, Swizzle, Tile, Tuple,
};

use crate::{
    types::machine_width,
    value::{Ptr, SmemDesc, Value},
};

/// A difference between a declared and an inferred type that is more than a fact dropped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Mismatch {
    /// The values are of two kinds.
    #[error("{declared} is not {inferred}")]
    Kind { declared: String, inferred: String },
    /// Two trees have different profiles.
    #[error("{declared} and {inferred} are not congruent")]
    NotCongruent { declared: String, inferred: String },
    /// A leaf that is not refined.
    #[error("{part} is `{inferred}`, declared `{declared}`: {why}")]
    Leaf { part: String, inferred: Dim, declared: Dim, why: &'static str },
    /// A leaf of another kind.
    #[error("{part} is `{inferred}`, declared `{declared}`")]
    LeafKind { part: String, inferred: String, declared: String },
    /// A constant does not have the machine type of its number.
    #[error("the constant {constant} has {bits} bits")]
    ConstantWidth { constant: Dim, bits: u32 },
    /// A layout and a composed layout.
    #[error("one layout is composed, but the other is not")]
    Composed,
    /// The inner functions of composed layouts.
    #[error("the inner functions differ")]
    Inner,
    /// The offsets of composed layouts.
    #[error("the offset: {0}")]
    Offset(Box<Mismatch>),
    /// A mode of a tile.
    #[error("{inferred}, declared {declared}")]
    Tile { inferred: String, declared: String },
    /// The matrix of a descriptor.
    #[error("the matrix is {inferred}, declared {declared}")]
    Matrix { inferred: String, declared: String },
    /// A descriptor whose matrix is unknown.
    #[error("nothing is known about the matrix, declared {declared}")]
    NoMatrix { declared: String },
    /// The elements of a pointer.
    #[error("the element types differ")]
    Elements,
    /// The space of a pointer.
    #[error("the memory space is {inferred}, declared {declared}")]
    Space { inferred: &'static str, declared: &'static str },
    /// The swizzle of a pointer.
    #[error("the pointer's swizzle is {inferred}, declared {declared}")]
    Swizzle { inferred: Swizzle, declared: Swizzle },
    /// The alignment of a pointer.
    #[error("the alignment is {inferred} bytes, declared {declared}")]
    Alignment { inferred: i64, declared: i64 },
    /// Anything else.
    #[error("they differ")]
    Other,
}

/// The first difference that is more than a fact dropped.
pub fn check<'c>(declared: &Value<'c, Dim>, inferred: &Value<'c, Dim>) -> Result<(), Mismatch> {
    use Value as V;
    match (declared, inferred) {
        (V::IntTuple(d), V::IntTuple(i)) | (V::ArithTupleIter(d), V::ArithTupleIter(i)) => {
            ints(Part::Value, d, i)
        }
        (V::Shape(d), V::Shape(i)) => ints(Part::Extent, d, i),
        (V::Stride(d), V::Stride(i)) => strides(d, i),
        (V::Coord(d), V::Coord(i)) => coords(d, i),
        (V::Layout(d), V::Layout(i)) => layout(d, i),
        (V::ComposedLayout(d), V::ComposedLayout(i)) => composed(d, i),
        (V::Tile(d), V::Tile(i)) => tile(d, i),
        (V::Swizzle(d), V::Swizzle(i)) if d == i => Ok(()),
        (V::Ptr(d), V::Ptr(i)) => pointer(d, i),
        (V::MemRef(d), V::MemRef(i)) => {
            pointer(&d.iter, &i.iter)?;
            match (&d.layout, &i.layout) {
                (AnyLayout::Plain(d), AnyLayout::Plain(i)) => layout(d, i),
                (AnyLayout::Composed(d), AnyLayout::Composed(i)) => composed(d, i),
                _ => Err(Mismatch::Composed),
            }
        }
        (V::CoordTensor(d), V::CoordTensor(i)) => {
            ints(Part::Value, &d.origin, &i.origin)?;
            layout(&d.layout, &i.layout)
        }
        (V::CopyAtom(d), V::CopyAtom(i)) if d == i => Ok(()),
        (V::TiledCopy(d), V::TiledCopy(i)) if d.atom == i.atom && d.tv == i.tv && d.tiler == i.tiler => {
            Ok(())
        }
        (V::MmaAtom(d), V::MmaAtom(i)) if d == i => Ok(()),
        (V::SmemDesc(d), V::SmemDesc(i)) => factor(d, i),
        (V::SmemDescView(d), V::SmemDescView(i)) => {
            factor(&d.iter, &i.iter)?;
            layout(&d.layout, &i.layout)
        }
        (V::Opaque(d), V::Opaque(i)) if d == i => Ok(()),
        (V::SparseElem(n, d), V::SparseElem(m, i)) if n == m && d == i => Ok(()),
        (V::TiledMma(d), V::TiledMma(i))
            if d.atom == i.atom && d.atom_layout == i.atom_layout && d.permutation == i.permutation =>
        {
            Ok(())
        }
        (V::Assumed(d), V::Assumed(i)) => leaf(Part::Value, &ModePath::root, *d, *i),
        (V::FastDivisor(_), V::FastDivisor(_)) => Ok(()),
        // The text of an op that returns machine integers does not show their types, so they are
        // the inferred ones.
        (V::Scalar(d), V::Scalar(i)) if i.is_static() => match d.width() {
            Some(width) if width != machine_width(*i) => {
                Err(Mismatch::ConstantWidth { constant: *i, bits: machine_width(*i).bits() })
            }
            _ => Ok(()),
        },
        (V::Scalar(d), V::Scalar(i)) => leaf(Part::Value, &ModePath::root, *d, *i),
        (V::Flag(_), V::Flag(_)) => Ok(()),
        (V::Other(t), V::Flag(_)) if crate::scalars::is_flag(*t) => Ok(()),
        (V::Other(d), V::Other(i)) if d == i => Ok(()),
        (V::Scalar(d), V::Other(t)) if crate::types::scalar_width(*t) == d.width() => Ok(()),
        _ if declared.kind() != inferred.kind() => {
            Err(Mismatch::Kind { declared: declared.what(), inferred: inferred.what() })
        }
        // The kinds are listed, so that a new kind of value must be added above with its rule.
        (
            V::IntTuple(_)
            | V::Shape(_)
            | V::Stride(_)
            | V::Coord(_)
            | V::Layout(_)
            | V::Tile(_)
            | V::Swizzle(_)
            | V::ComposedLayout(_)
            | V::Ptr(_)
            | V::MemRef(_)
            | V::ArithTupleIter(_)
            | V::CoordTensor(_)
            | V::CopyAtom(_)
            | V::TiledCopy(_)
            | V::MmaAtom(_)
            | V::TiledMma(_)
            | V::SmemDesc(_)
            | V::SmemDescView(_)
            | V::Opaque(_)
            | V::Assumed(_)
            | V::FastDivisor(_)
            | V::SparseElem(..)
            | V::Scalar(_)
            | V::Flag(_)
            | V::Other(_),
            _,
        ) => Err(Mismatch::Other),
    }
}

/// The matrix of a descriptor, which the declared type may leave out.
fn factor(declared: &SmemDesc<'_, Dim>, inferred: &SmemDesc<'_, Dim>) -> Result<(), Mismatch> {
    match (&declared.of, &inferred.of) {
        (None, _) => Ok(()),
        (Some(d), Some(i)) if d == i => Ok(()),
        (Some(d), Some(i)) => {
            Err(Mismatch::Matrix { inferred: i.described().to_string(), declared: d.described().to_string() })
        }
        (Some(d), None) => Err(Mismatch::NoMatrix { declared: d.described().to_string() }),
    }
}

/// The path of a leaf, which only an error needs.
type Path<'a> = &'a dyn Fn() -> ModePath;

/// The role of a leaf in its value.
#[derive(Clone, Copy)]
enum Part {
    Value,
    Extent,
    Stride,
}

impl Part {
    /// The leaf at a path, as a message calls it.
    fn at(self, path: Path<'_>) -> String {
        let path = path();
        match (self, path.indices().is_empty()) {
            (Self::Value, true) => "the value".into(),
            (Self::Value, false) => path.to_string(),
            (Self::Extent, true) => "the extent".into(),
            (Self::Extent, false) => format!("the extent of {path}"),
            (Self::Stride, true) => "the stride".into(),
            (Self::Stride, false) => format!("the stride of {path}"),
        }
    }
}

fn leaf(part: Part, path: Path<'_>, declared: Dim, inferred: Dim) -> Result<(), Mismatch> {
    if inferred.refines(declared) {
        return Ok(());
    }
    let why = match (declared.width(), inferred.width()) {
        (Some(_), None) => "static leaves stay static",
        (None, Some(_)) => "it is not known before run time",
        (Some(d), Some(i)) if d != i => "the widths differ",
        (Some(_), Some(_)) => "the divisor is more than what is known",
        (None, None) => "the values differ",
    };
    Err(Mismatch::Leaf { part: part.at(path), inferred, declared, why })
}

/// The error for leaves of two kinds.
fn other_leaf<T: std::fmt::Display>(part: Part, path: Path<'_>, d: &T, i: &T) -> Mismatch {
    Mismatch::LeafKind { part: part.at(path), inferred: i.to_string(), declared: d.to_string() }
}

/// Compares congruent tuples leaf by leaf.
fn leaves<T: std::fmt::Display>(
    d: &Tuple<T>,
    i: &Tuple<T>,
    mut compare: impl FnMut(Path<'_>, &T, &T) -> Result<(), Mismatch>,
) -> Result<(), Mismatch> {
    if !d.congruent(i) {
        return Err(Mismatch::NotCongruent { declared: d.to_string(), inferred: i.to_string() });
    }
    let mut pairs = d.leaves().iter().zip(i.leaves()).enumerate();
    pairs.try_for_each(|(n, (leaf, other))| compare(&|| d.view().leaf_path(n), leaf, other))
}

fn ints(part: Part, d: &Tuple<Dim>, i: &Tuple<Dim>) -> Result<(), Mismatch> {
    leaves(d, i, |path, d, i| leaf(part, path, *d, *i))
}

fn stride(path: Path<'_>, d: &Stride<Dim>, i: &Stride<Dim>) -> Result<(), Mismatch> {
    if d.basis() != i.basis() || d.den() != i.den() {
        return Err(other_leaf(Part::Stride, path, d, i));
    }
    leaf(Part::Stride, path, *d.scale(), *i.scale())
}

fn strides(d: &Tuple<Stride<Dim>>, i: &Tuple<Stride<Dim>>) -> Result<(), Mismatch> {
    leaves(d, i, stride)
}

fn coords(d: &Tuple<Crd<Dim>>, i: &Tuple<Crd<Dim>>) -> Result<(), Mismatch> {
    leaves(d, i, |path, d, i| match (d, i) {
        (Crd::Underscore, Crd::Underscore) => Ok(()),
        (Crd::Int(d), Crd::Int(i)) => leaf(Part::Value, path, *d, *i),
        (d, i) => Err(other_leaf(Part::Value, path, d, i)),
    })
}

/// Strides of extent 1 carry no meaning: CuTe C++ writes 0, the public IR keeps the computed
/// stride.
fn layout(d: &Layout<Dim>, i: &Layout<Dim>) -> Result<(), Mismatch> {
    ints(Part::Extent, d.shape(), i.shape())?;
    let path = |n| d.shape().view().leaf_path(n);
    let mut modes = d.flat().zip(i.flat()).enumerate();
    modes.try_for_each(|(n, ((extent, d), (_, i)))| match extent.as_static() {
        Some(1) => Ok(()),
        _ => stride(&|| path(n), d, i),
    })
}

fn composed(d: &ComposedLayout<Dim>, i: &ComposedLayout<Dim>) -> Result<(), Mismatch> {
    match (d.inner(), i.inner()) {
        (Inner::Swizzle(d), Inner::Swizzle(i)) if d == i => {}
        (Inner::Layout(d), Inner::Layout(i)) => layout(d, i)?,
        _ => return Err(Mismatch::Inner),
    }
    ints(Part::Value, d.offset(), i.offset()).map_err(|why| Mismatch::Offset(why.into()))?;
    layout(d.outer(), i.outer())
}

fn tile(d: &Tile<Dim>, i: &Tile<Dim>) -> Result<(), Mismatch> {
    match (d, i) {
        (Tile::Layout(d), Tile::Layout(i)) => layout(d, i),
        (Tile::Int(d), Tile::Int(i)) => leaf(Part::Extent, &ModePath::root, *d, *i),
        (Tile::Underscore, Tile::Underscore) => Ok(()),
        (Tile::Modes(d), Tile::Modes(i)) if d.len() == i.len() => {
            d.iter().zip(i).try_for_each(|(d, i)| tile(d, i))
        }
        _ => Err(Mismatch::Tile { inferred: i.to_string(), declared: d.to_string() }),
    }
}

fn pointer<'c>(d: &Ptr<'c, Dim>, i: &Ptr<'c, Dim>) -> Result<(), Mismatch> {
    if d.elem != i.elem {
        return Err(Mismatch::Elements);
    }
    if d.space != i.space {
        return Err(Mismatch::Space { inferred: i.space.name(), declared: d.space.name() });
    }
    if d.swizzle != i.swizzle {
        return Err(Mismatch::Swizzle { inferred: i.swizzle, declared: d.swizzle });
    }
    if i.align % d.align != 0 {
        return Err(Mismatch::Alignment { inferred: i.align, declared: d.align });
    }
    Ok(())
}
