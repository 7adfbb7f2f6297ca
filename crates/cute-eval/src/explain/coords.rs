//! The steps of evaluation and slicing.

use cute_algebra::{
    AnyLayout, Coord, Crd, Inner, Int, Layout, LayoutLike, ModePath, Swizzle, Tuple, add_values,
    crd2idx as evaluate, error::Result, idx2crd, slice_and_offset,
};

use super::{Steps, mode_of};
use crate::{
    leaf::Leaf,
    value::{show_coord, show_layout, show_stride, show_tuple},
};

/// The value of a layout at a coordinate: the sum over the modes, then the inner function of a
/// composed layout.
pub(super) fn crd2idx(s: &mut Steps, coord: &Coord<Leaf>, layout: &AnyLayout<Leaf>) -> Result<()> {
    let mut terms = Vec::new();
    fixed(s, coord, layout.outer(), &ModePath::root(), &mut terms)?;
    let value = sum(s, &terms)?;
    let AnyLayout::Composed(composed) = layout else { return Ok(()) };
    let inside = add_values(composed.offset().view(), value.view())?;
    s.line(format!(
        "with the offset: {} + {} = {}",
        show_tuple(composed.offset()),
        show_tuple(&value),
        show_tuple(&inside)
    ));
    match (composed.inner(), inside.as_leaf()) {
        (Inner::Swizzle(swizzle), Some(x)) => swizzled(s, *swizzle, x),
        (Inner::Layout(inner), _) => {
            let last = evaluate(&inside.to_coord(), &**inner)?;
            s.line(format!("{}({}) = {}", show_layout(&**inner), show_tuple(&inside), show_tuple(&last)));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn swizzled(s: &mut Steps, swizzle: Swizzle, x: &Leaf) -> Result<()> {
    let value = show_tuple(&Tuple::leaf(swizzle.apply(x)?));
    let x = show_tuple(&Tuple::leaf(x.clone()));
    if swizzle.is_identity() {
        s.line(format!("{swizzle} changes nothing: {value}"));
        return Ok(());
    }
    let direction = if swizzle.shift() < 0 { "<<" } else { ">>" };
    let (mask, shift) = (swizzle.source_mask(), swizzle.shift().unsigned_abs());
    s.line(format!("{swizzle}: {x} ^ (({x} & {mask:#x}) {direction} {shift}) = {value}"));
    Ok(())
}

/// The modes that stay open, and the offset of the fixed modes.
pub(super) fn slice(s: &mut Steps, coord: &Coord<Leaf>, layout: &AnyLayout<Leaf>) -> Result<()> {
    let mut terms = Vec::new();
    fixed(s, coord, layout.outer(), &ModePath::root(), &mut terms)?;
    sum(s, &terms)?;
    let (open, offset) = slice_and_offset(coord, layout)?;
    if let AnyLayout::Composed(composed) = layout {
        let inner = composed.inner();
        s.line(match &open {
            AnyLayout::Plain(_) => {
                format!("the open modes pass {}: a plain layout is left", inner_text(inner))
            }
            AnyLayout::Composed(left) => {
                format!("{} stays, with the offset {}", inner_text(inner), show_tuple(left.offset()))
            }
        });
    }
    s.line(format!("open: {}, which starts at {}", show_layout(&open), show_tuple(&offset)));
    Ok(())
}

fn inner_text(inner: &Inner<Leaf>) -> String {
    match inner {
        Inner::Swizzle(swizzle) => swizzle.to_string(),
        Inner::Layout(layout) => show_layout(&**layout),
    }
}

/// One step per part of the coordinate; collects the values that the fixed parts add.
fn fixed(
    s: &mut Steps,
    coord: &Coord<Leaf>,
    layout: &Layout<Leaf>,
    path: &ModePath,
    terms: &mut Vec<Tuple<Leaf>>,
) -> Result<()> {
    let here = format!("{}, {}", mode_of(path, "the layout"), show_layout(layout));
    match coord.as_leaf() {
        None => {
            for (i, (c, mode)) in coord.modes().zip(layout.modes()).enumerate() {
                fixed(s, &c.to_owned(), &mode.to_owned(), &path.child(i), terms)?;
            }
        }
        Some(Crd::Underscore) => s.line(format!("{here}: `_`, open")),
        Some(Crd::Int(index)) => {
            let value = evaluate(coord, layout)?;
            let (c, v) = (show_coord(coord), show_tuple(&value));
            match layout.view().as_leaf() {
                Some((_, stride)) => s.line(format!("{here}: {c}*{} = {v}", show_stride(stride))),
                None => {
                    let inside = idx2crd(&Tuple::leaf(index.clone()), layout.shape())?;
                    let products = inside.leaves().iter().zip(layout.stride().leaves());
                    let products =
                        products.map(|(i, d)| format!("{}*{}", crate::leaf::text(i), show_stride(d)));
                    let products = products.collect::<Vec<_>>().join(" + ");
                    s.line(format!("{here}: {c} is {}, {products} = {v}", show_tuple(&inside)));
                }
            }
            terms.push(value);
        }
    }
    Ok(())
}

fn sum(s: &mut Steps, terms: &[Tuple<Leaf>]) -> Result<Tuple<Leaf>> {
    let zero = Tuple::leaf(Leaf::from_i64(0));
    let total = terms.iter().try_fold(zero, |sum, term| add_values(sum.view(), term.view()))?;
    if terms.len() > 1 {
        let shown: Vec<_> = terms.iter().map(show_tuple).collect();
        s.line(format!("sum: {} = {}", shown.join(" + "), show_tuple(&total)));
    }
    Ok(total)
}
