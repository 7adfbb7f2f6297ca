//! The steps of coalesce and filter.

use cute_algebra::{Int, Layout, Stride, Tuple, error::Result, filter_zeros};

use super::Steps;
use crate::{
    leaf::{Leaf, text},
    value::{show_layout, show_stride},
};

/// `extent:stride`
pub(super) fn pair(extent: &Leaf, stride: &Stride<Leaf>) -> String {
    format!("{}:{}", text(extent), show_stride(stride))
}

/// The flat layout of the given leaves; a single leaf gives the scalar layout.
pub(super) fn from_flat(mut leaves: Vec<(Leaf, Stride<Leaf>)>) -> Result<Layout<Leaf>> {
    if leaves.len() == 1
        && let Some((shape, stride)) = leaves.pop()
    {
        return Layout::scalar(shape, stride);
    }
    let (shapes, strides): (Vec<_>, Vec<_>) = leaves.into_iter().unzip();
    Layout::new(Tuple::from_leaves(shapes), Tuple::from_leaves(strides))
}

/// From the last mode to the first: a mode that the one after it continues is merged with it.
pub(super) fn coalesce(s: &mut Steps, layout: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    let mut leaves = layout.flat().enumerate().collect::<Vec<_>>().into_iter().rev();
    let mut kept: Vec<(Leaf, Stride<Leaf>)> = Vec::new();
    if layout.depth() > 1 {
        s.line(format!("flat: {}", show_layout(&cute_algebra::flatten(layout)?)));
    }
    if let Some((i, (extent, stride))) = leaves.next() {
        let drop = if extent.is(1) { "extent 1, dropped if another mode is left" } else { "the last, kept" };
        s.line(format!("mode {i}, {}: {drop}", pair(extent, stride)));
        kept.push((extent.clone(), stride.clone()));
    }
    for (i, (extent, stride)) in leaves {
        let this = format!("mode {i}, {}", pair(extent, stride));
        if extent.is(1) {
            s.line(format!("{this}: extent 1, dropped"));
            continue;
        }
        let alone = kept.len() == 1;
        let Some(front) = kept.last_mut() else { continue };
        let next = pair(&front.0, &front.1);
        if alone && front.0.is(1) {
            s.line(format!("{this}: kept; {next} is dropped"));
            *front = (extent.clone(), stride.clone());
            continue;
        }
        let end = stride.mul(extent).ok();
        let equation = match &end {
            Some(end) => format!("{}*{} = {}", text(extent), show_stride(stride), show_stride(end)),
            None => format!("{}*{} does not fit 64 bits", text(extent), show_stride(stride)),
        };
        let continues = end.is_some_and(|end| {
            let same = end.basis() == front.1.basis() && end.den() == front.1.den();
            same && end.scale().eq(front.1.scale()) == Some(true)
        });
        if !front.0.is_static() {
            s.line(format!("{this}: kept, because {next} after it has a dynamic extent"));
        } else if continues {
            *front = (extent.mul(&front.0)?, stride.clone());
            let merged = pair(&front.0, &front.1);
            s.line(format!("{this}: {equation} is the stride of {next}, merged into {merged}"));
            continue;
        } else {
            s.line(format!("{this}: {equation} is not the stride of {next}, kept"));
        }
        kept.push((extent.clone(), stride.clone()));
    }
    if kept.iter().all(|(extent, _)| extent.is(1)) {
        return Ok(Layout::unit());
    }
    kept.reverse();
    from_flat(kept)
}

/// Extents of stride 0 become 1, then coalesce.
pub(super) fn filter(s: &mut Steps, layout: &Layout<Leaf>) -> Result<Layout<Leaf>> {
    let ones = filter_zeros(layout)?;
    s.line(format!("extent 1 where the stride is 0: {}", show_layout(&ones)));
    coalesce(s, &ones)
}
