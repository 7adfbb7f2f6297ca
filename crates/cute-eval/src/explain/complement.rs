//! The steps of complement.

use cute_algebra::{Int, Layout, Stride, Tuple, ceil_div, coalesce, cosize, error::Result, make_layout};

use super::{
    Steps,
    simplify::{from_flat, pair},
};
use crate::{
    leaf::{Leaf, text},
    value::{show_layout, show_tuple},
};

/// In order of stride, each mode leaves a gap between the offsets covered so far and its own
/// stride.
pub(super) fn steps(
    s: &mut Steps,
    layout: &Layout<Leaf>,
    cotarget: Option<&Tuple<Leaf>>,
) -> Result<Layout<Leaf>> {
    let filtered = cute_algebra::filter(layout)?;
    if show_layout(&filtered) != show_layout(layout) {
        s.line(format!("without stride 0 and extent 1: {}", show_layout(&filtered)));
    }
    let whole = match cotarget {
        Some(cotarget) => cotarget.clone(),
        None => {
            let own = Tuple::leaf(cosize(&filtered)?);
            s.line(format!("within the cosize {}", show_tuple(&own)));
            own
        }
    };
    if filtered.is_leaf() && filtered.flat().all(|(_, stride)| stride.is(0)) {
        s.line("it covers 0 only: all of the cotarget is free");
        return make_layout(&merged(&whole)?);
    }
    let mut modes: Vec<_> =
        filtered.flat().map(|(extent, stride)| (extent, stride.scale().clone())).collect();
    modes.sort_by_key(|(_, stride)| stride.as_static());
    let mut covered = Leaf::fixed(1);
    let mut free: Vec<(Leaf, Stride<Leaf>)> = Vec::new();
    for (extent, stride) in modes {
        let gap = stride.div(&covered)?;
        let end = stride.mul(extent)?;
        let (n, d, c) = (text(extent), text(&stride), text(&covered));
        let hole = (gap.clone(), Stride::int(covered.clone()));
        s.line(format!(
            "{n}:{d} leaves {d}/{c} = {} free: {}; covered up to {n}*{d} = {}",
            text(&gap),
            pair(&hole.0, &hole.1),
            text(&end)
        ));
        free.push(hole);
        covered = end;
    }
    let rest = merged(&ceil_div(whole.view(), Tuple::leaf(covered.clone()).view())?)?;
    s.line(format!(
        "the rest: ceil({}/{}) = {} by step {}",
        show_tuple(&whole),
        text(&covered),
        show_tuple(&rest),
        text(&covered)
    ));
    for extent in rest.leaves() {
        let stride = if extent.is(1) { Leaf::fixed(0) } else { covered.clone() };
        if !extent.is(1) {
            covered = covered.mul(extent)?;
        }
        free.push((extent.clone(), Stride::int(stride)));
    }
    let all = from_flat(free)?;
    let simple = coalesce(&all)?;
    s.line(format!("coalesce({}) = {}", show_layout(&all), show_layout(&simple)));
    Ok(simple)
}

/// Neighbouring static leaves multiplied together, and neighbouring dynamic ones.
fn merged(shape: &Tuple<Leaf>) -> Result<Tuple<Leaf>> {
    let mut runs: Vec<Leaf> = Vec::new();
    for leaf in shape.leaves() {
        match runs.last_mut() {
            Some(back) if back.is_static() == leaf.is_static() => *back = back.mul(leaf)?,
            _ => runs.push(leaf.clone()),
        }
    }
    match runs.as_slice() {
        [] => Ok(Tuple::leaf(Leaf::fixed(1))),
        [one] => Ok(Tuple::leaf(one.clone())),
        _ => Ok(Tuple::from_leaves(runs)),
    }
}
