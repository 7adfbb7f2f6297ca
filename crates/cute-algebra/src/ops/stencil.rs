//! Stencils: every window of a mode, including overlapping windows. `8:1` cut into windows of 3 is
//! `(3,6):(1,1)`: six windows, each starting one element after the one before.

use crate::{
    composed::LayoutLike,
    coord::{Coord, Crd},
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::{Layout, LayoutRef},
    ops::coalesce::coalesce,
    tuple::{Tuple, TupleRef},
};

/// The windows of one mode.
struct Stencil<'a, I> {
    window: &'a I,
    step: &'a I,
    dilation: &'a I,
}

/// Every window of `window` elements that lie `dilation` apart. The first window starts at 0, and
/// each further one `step` elements later.
///
/// ```text
/// a mode s:d becomes (w, out):(l*d, t*d), out = 1 + (s - ((w-1)*l + 1)) / t
/// ```
///
/// Mode by mode; modes that `window` does not reach, or marks `_`, stay. Each mode is coalesced
/// first, and must then be one extent and one stride. `step` and `dilation` default to 1; an
/// integer applies to every mode.
///
/// ```
/// use cute_algebra::{parse_coord, parse_int_tuple, parse_layout, stencil_divide};
/// let image = parse_layout("(16,32):(1,16)")?;
/// let d = stencil_divide(&image, &parse_coord("(3,5)")?, Some(&parse_int_tuple("(1,2)")?), None)?;
/// assert_eq!(d.to_string(), "((3,14),(5,14)):((1,1),(16,32))");
/// let dilated = stencil_divide(&parse_layout("16:2")?, &parse_coord("3")?, None, Some(&parse_int_tuple("4")?))?;
/// assert_eq!(dilated.to_string(), "(3,8):(8,2)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn stencil_divide<L: LayoutLike>(
    layout: &L,
    window: &Coord<L::Leaf>,
    step: Option<&Tuple<L::Leaf>>,
    dilation: Option<&Tuple<L::Leaf>>,
) -> Result<L> {
    let one = Tuple::leaf(L::Leaf::from_i64(1));
    let (step, dilation) = (step.unwrap_or(&one).view(), dilation.unwrap_or(&one).view());
    layout.map_outer(|outer| divide(outer.view(), window.view(), step, dilation, &ModePath::root()))
}

fn divide<I: Int>(
    layout: LayoutRef<'_, I>,
    window: TupleRef<'_, Crd<I>>,
    step: TupleRef<'_, I>,
    dilation: TupleRef<'_, I>,
    path: &ModePath,
) -> Result<Layout<I>> {
    if let Some(leaf) = window.as_leaf() {
        let Crd::Int(window) = leaf else { return Ok(layout.to_owned()) };
        let [step, dilation] = [("the step", step), ("the dilation", dilation)].map(|(what, t)| {
            let depth = Error::Depth { what, path: path.clone(), found: t.rank() };
            t.as_leaf().ok_or(depth)
        });
        return cut(layout, &Stencil { window, step: step?, dilation: dilation? }, path);
    }
    if layout.is_leaf() {
        return Err(Error::Depth { what: "the window", path: path.clone(), found: window.rank() });
    }
    let rank = window.rank();
    if rank > layout.rank() {
        let expected = layout.rank();
        return Err(Error::Rank {
            what: "the window",
            path: path.clone(),
            found: rank,
            rule: "at most",
            expected,
        });
    }
    for (what, t) in [("the step", step), ("the dilation", dilation)] {
        if !t.is_leaf() && t.rank() != rank {
            return Err(Error::Rank {
                what,
                path: path.clone(),
                found: t.rank(),
                rule: "exactly",
                expected: rank,
            });
        }
    }
    let part = |t: TupleRef<'_, I>, i: usize| {
        let mode = if t.is_leaf() { Some(t) } else { t.mode(i) };
        mode.map_or_else(|| Tuple::leaf(I::from_i64(1)), |m| m.to_owned())
    };
    let modes = layout.modes().enumerate().map(|(i, mode)| match window.mode(i) {
        None => Ok(mode.to_owned()),
        Some(w) => divide(mode, w, part(step, i).view(), part(dilation, i).view(), &path.child(i)),
    });
    Ok(Layout::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

fn cut<I: Int>(layout: LayoutRef<'_, I>, stencil: &Stencil<'_, I>, path: &ModePath) -> Result<Layout<I>> {
    let fail =
        |why: String| Err(Error::Unsupported { what: "stencil_divide", why: format!("{path}: {why}") });
    let whole = coalesce(&layout.to_owned())?;
    let Some((extent, stride)) = whole.view().as_leaf() else {
        return fail(format!("{layout} is not one extent and one stride, even coalesced"));
    };
    let Stencil { window, step, dilation } = stencil;
    for (what, value) in [("window", window), ("step", step), ("dilation", dilation)] {
        if let Some(value) = value.as_static().filter(|v| *v < 1) {
            return fail(format!("{what} {value} is not positive"));
        }
    }
    let one = I::from_i64(1);
    let span = window.sub(&one)?.mul(dilation)?.add(&one)?;
    let room = extent.sub(&span)?;
    if room.as_static().is_some_and(|r| r < 0) {
        let (window, dilation, span, extent) = (window.dim(), dilation.dim(), span.dim(), extent.dim());
        return fail(format!(
            "a window of {window} with dilation {dilation} spans {span} elements, but the mode has {extent}"
        ));
    }
    let count = one.add(&room.div(step)?)?.assuming(Assumption::Fits, &span, extent);
    let window = Layout::scalar((*window).clone(), stride.mul(dilation)?)?;
    Ok(Layout::from_modes([window, Layout::scalar(count, stride.mul(step)?)?]))
}
