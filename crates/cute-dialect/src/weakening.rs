//! Whether a declared type is a weakening of an inferred one: same structure, widths and static leaves, fewer facts.

use cute_algebra::{AnyLayout, ComposedLayout, Crd, Dim, Inner, Int, Layout, Stride, Tile, Tuple};

use crate::{
    types::machine_width,
    value::{Ptr, Value},
};

/// The first difference that is more than a fact dropped.
pub fn check<'c>(declared: &Value<'c, Dim>, inferred: &Value<'c, Dim>) -> Result<(), String> {
    use Value as V;
    match (declared, inferred) {
        (V::IntTuple(d), V::IntTuple(i))
        | (V::Shape(d), V::Shape(i))
        | (V::ArithTupleIter(d), V::ArithTupleIter(i)) => ints(d, i),
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
                _ => Err("one layout is composed, the other is not".into()),
            }
        }
        (V::CoordTensor(d), V::CoordTensor(i)) => {
            ints(&d.origin, &i.origin)?;
            layout(&d.layout, &i.layout)
        }
        (V::CopyAtom(d), V::CopyAtom(i)) if d == i => Ok(()),
        (V::TiledCopy(d), V::TiledCopy(i)) if d.atom == i.atom && d.tv == i.tv && d.tiler == i.tiler => {
            Ok(())
        }
        (V::MmaAtom(d), V::MmaAtom(i)) if d == i => Ok(()),
        (V::SmemDesc(_), V::SmemDesc(_)) => Ok(()),
        (V::SmemDescView(d), V::SmemDescView(i)) => layout(&d.layout, &i.layout),
        (V::Opaque(d), V::Opaque(i)) if d == i => Ok(()),
        (V::SparseElem(n, d), V::SparseElem(m, i)) if n == m && d == i => Ok(()),
        (V::TiledMma(d), V::TiledMma(i))
            if d.atom == i.atom && d.atom_layout == i.atom_layout && d.permutation == i.permutation =>
        {
            Ok(())
        }
        (V::Assumed(d), V::Assumed(i)) => leaf("leaf", 0, *d, *i),
        (V::FastDivisor(_), V::FastDivisor(_)) => Ok(()),
        // The text of an op that makes machine integers does not show their types: they are those that are inferred.
        (V::Scalar(d), V::Scalar(i)) if i.is_static() => match d.width() {
            Some(width) if width != machine_width(*i) => {
                Err(format!("the constant {i} has {} bits", machine_width(*i).bits()))
            }
            _ => Ok(()),
        },
        (V::Scalar(d), V::Scalar(i)) => leaf("leaf", 0, *d, *i),
        (V::Flag(_), V::Flag(_)) => Ok(()),
        (V::Other(t), V::Flag(_)) if t.to_string() == "i1" => Ok(()),
        (V::Other(d), V::Other(i)) if d == i => Ok(()),
        (V::Scalar(d), V::Other(t)) if crate::types::scalar_width(*t) == d.width() => Ok(()),
        _ if declared.kind() != inferred.kind() => {
            Err(format!("{} is not {}", declared.what(), inferred.what()))
        }
        _ => Err("they differ".into()),
    }
}

fn leaf(what: &str, n: usize, declared: Dim, inferred: Dim) -> Result<(), String> {
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
    Err(format!("{what} #{n} is `{inferred}`, declared `{declared}`: {why}"))
}

fn ints(d: &Tuple<Dim>, i: &Tuple<Dim>) -> Result<(), String> {
    if !d.congruent(i) {
        return Err(format!("{d} and {i} are not congruent"));
    }
    d.leaves().iter().zip(i.leaves()).enumerate().try_for_each(|(n, (d, i))| leaf("leaf", n, *d, *i))
}

fn stride(n: usize, d: &Stride<Dim>, i: &Stride<Dim>) -> Result<(), String> {
    if d.basis() != i.basis() || d.den() != i.den() {
        return Err(format!("stride #{n} is `{i}`, declared `{d}`"));
    }
    leaf("stride", n, *d.scale(), *i.scale())
}

fn strides(d: &Tuple<Stride<Dim>>, i: &Tuple<Stride<Dim>>) -> Result<(), String> {
    if !d.congruent(i) {
        return Err(format!("{d} and {i} are not congruent"));
    }
    d.leaves().iter().zip(i.leaves()).enumerate().try_for_each(|(n, (d, i))| stride(n, d, i))
}

fn coords(d: &Tuple<Crd<Dim>>, i: &Tuple<Crd<Dim>>) -> Result<(), String> {
    if !d.congruent(i) {
        return Err(format!("{d} and {i} are not congruent"));
    }
    d.leaves().iter().zip(i.leaves()).enumerate().try_for_each(|(n, pair)| match pair {
        (Crd::Underscore, Crd::Underscore) => Ok(()),
        (Crd::Int(d), Crd::Int(i)) => leaf("leaf", n, *d, *i),
        (d, i) => Err(format!("leaf #{n} is `{i}`, declared `{d}`")),
    })
}

/// Strides of extent 1 carry no meaning: CuTe C++ writes 0 where the public IR keeps what it computed.
fn layout(d: &Layout<Dim>, i: &Layout<Dim>) -> Result<(), String> {
    ints(d.shape(), i.shape())?;
    d.flat().zip(i.flat()).enumerate().try_for_each(|(n, ((extent, d), (_, i)))| {
        if extent.as_static() == Some(1) { Ok(()) } else { stride(n, d, i) }
    })
}

fn composed(d: &ComposedLayout<Dim>, i: &ComposedLayout<Dim>) -> Result<(), String> {
    match (d.inner(), i.inner()) {
        (Inner::Swizzle(d), Inner::Swizzle(i)) if d == i => {}
        (Inner::Layout(d), Inner::Layout(i)) => layout(d, i)?,
        _ => return Err("the inner functions differ".into()),
    }
    ints(d.offset(), i.offset())?;
    layout(d.outer(), i.outer())
}

fn tile(d: &Tile<Dim>, i: &Tile<Dim>) -> Result<(), String> {
    match (d, i) {
        (Tile::Layout(d), Tile::Layout(i)) => layout(d, i),
        (Tile::Int(d), Tile::Int(i)) => leaf("leaf", 0, *d, *i),
        (Tile::Underscore, Tile::Underscore) => Ok(()),
        (Tile::Modes(d), Tile::Modes(i)) if d.len() == i.len() => {
            d.iter().zip(i).try_for_each(|(d, i)| tile(d, i))
        }
        _ => Err(format!("{i}, declared {d}")),
    }
}

fn pointer<'c>(d: &Ptr<'c, Dim>, i: &Ptr<'c, Dim>) -> Result<(), String> {
    if d.elem != i.elem {
        return Err("the element types differ".into());
    }
    if d.space != i.space {
        return Err(format!("the memory space is {}, declared {}", i.space.name(), d.space.name()));
    }
    if d.swizzle != i.swizzle {
        return Err(format!("the pointer's swizzle is {}, declared {}", i.swizzle, d.swizzle));
    }
    if i.align % d.align != 0 {
        return Err(format!("the alignment is {} bytes, declared {}", i.align, d.align));
    }
    Ok(())
}
