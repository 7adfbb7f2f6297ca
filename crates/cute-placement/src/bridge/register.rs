//! Registers: thread-value layouts, which map threads to elements, and placements, which map
//! elements to threads.
//!
//! **Theorem.** Consider a layout (thread, value) -> offset that reaches every element of a tile
//! equally often. Up to the order of its leaves, it consists of leaves `e_i : s_i` with
//! `s_1 = 1, s_(i+1) = e_i * s_i`, and of leaves of stride 0. The placement has the same leaves:
//! each steps by `s_i` along the tile, and by its thread or value along `laneid`, `warpid` or `m`.
//! Leaves of stride 0 are copies.

use crate::{
    Placement, Point,
    placement::{Iter, Result, flat},
};
use cute_algebra::{
    AnyLayout, Axis, Dimension, Error, Int, Layout, LinearLayout, Stride, Tiler, coalesce, composition,
};

use crate::{axes::threads_of_step, convert::WARP};

const LANES: i64 = WARP as i64;

/// The axes that threads are counted along.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Threads {
    /// `laneid` of a warp, and `warpid`.
    LanesAndWarps,
    /// `tx` of a block.
    Block,
}

fn fail<T>(why: String) -> Result<T> {
    Err(Error::Unsupported { what: "thread-value layout", why }.into())
}

/// A step of an element in the tile, and where it leads.
#[derive(Debug, Clone, Copy)]
struct Leaf {
    extent: i64,
    /// The step in the tile, the first dimension fastest.
    element: i64,
    /// The step along the axis.
    step: i64,
    axis: Axis,
}

/// The placement of a tile of this shape. `tv` maps (thread, value) to an offset, the first
/// dimension fastest, and `thr_id` maps threads to lanes.
///
/// ```
/// use cute_arch::atoms::MmaAtom;
/// use cute_placement::bridge::{Threads, from_thread_value, to_thread_value};
/// let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
/// let c = from_thread_value(&atom.c.layout, &atom.thr_id, &[16, 8], Threads::LanesAndWarps)?;
/// assert_eq!(c.to_string(), "S[(2, 8, 4, 2) : (2@m, 4@laneid, 1@laneid, 1@m)]");
/// assert_eq!(to_thread_value(&c, &atom.thr_id, &[16, 8])?.to_string(), "((4,8),(2,2)):((32,1),(16,8))");
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
///
/// Returns an error if an element is missing, or occurs more or less often than others.
pub fn from_thread_value(
    tv: &Layout<i64>,
    thr_id: &Layout<i64>,
    shape: &[i64],
    threads: Threads,
) -> Result<Placement> {
    let (lane, warp, block) = (Axis::new("laneid")?, Axis::new("warpid")?, Axis::new("tx")?);
    let mut leaves = Vec::new();
    for (i, axis) in [lane, Axis::M].into_iter().enumerate() {
        let mut index = 1i64;
        for (extent, stride) in tv.mode(i)?.flat() {
            let element = *stride.expect_int("thread-value layout")?;
            let step = index;
            index = index.mul(extent)?;
            if axis == Axis::M {
                leaves.push(Leaf { extent: *extent, element, step, axis });
                continue;
            }
            let here = Layout::scalar(*extent, Stride::int(step))?;
            let mut passed = element;
            for (extent, step) in composition(thr_id, &Tiler::Layout(here))?.flat() {
                let step = *step.expect_int("thread-value layout")?;
                let leaf = Leaf { extent: *extent, element: passed, step, axis: block };
                passed = passed.mul(extent)?;
                match threads {
                    Threads::Block => leaves.push(leaf),
                    Threads::LanesAndWarps => leaves.extend(by_warp(leaf, lane, warp)?),
                }
            }
        }
    }
    leaves.retain(|leaf| leaf.extent != 1);
    let replica = leaves.iter().filter(|leaf| leaf.element == 0);
    let replica = replica.map(|leaf| Iter::new(leaf.extent, leaf.step, leaf.axis)).collect();
    leaves.retain(|leaf| leaf.element != 0);
    leaves.sort_by_key(|leaf| leaf.element);
    let mut shard = Vec::with_capacity(leaves.len());
    let (mut reached, mut rest) = (1i64, leaves.into_iter().peekable());
    let mut pending: Option<Leaf> = None;
    for (dimension, extent) in shape.iter().enumerate() {
        let end = reached.mul(extent)?;
        let mut own = Vec::new();
        while reached < end {
            let Some(leaf) = pending.take().or_else(|| rest.next()) else {
                return fail(format!("{tv} reaches {reached} elements only of {shape:?}"));
            };
            if leaf.element != reached {
                return fail(format!(
                    "{tv} has stride {} where the elements reached end at {reached}",
                    leaf.element
                ));
            }
            let inside = leaf.extent.min(end / reached);
            if end % reached != 0 || leaf.extent % inside != 0 {
                return fail(format!(
                    "{tv}: stride {} crosses the end of dimension {dimension} of {shape:?}",
                    leaf.element
                ));
            }
            own.push(Iter::new(inside, leaf.step, leaf.axis));
            reached = reached.mul(&inside)?;
            if inside < leaf.extent {
                let (extent, step) = (leaf.extent / inside, leaf.step.mul(&inside)?);
                pending = Some(Leaf { extent, element: reached, step, ..leaf });
            }
        }
        shard.extend(own.into_iter().rev());
    }
    if pending.is_some() || rest.next().is_some() {
        return fail(format!("{tv} reaches past the {reached} elements of {shape:?}"));
    }
    if shard.is_empty() {
        shard.push(Iter::new(1, 1, Axis::M));
    }
    Placement::new(shard, replica, Point::default())
}

/// Threads of a block as lanes and warps.
fn by_warp(leaf: Leaf, lane: Axis, warp: Axis) -> Result<Vec<Leaf>> {
    let Leaf { extent, element, step, .. } = leaf;
    if step % LANES == 0 {
        return Ok(vec![Leaf { step: step / LANES, axis: warp, ..leaf }]);
    }
    if step.mul(&(extent - 1))? < LANES {
        return Ok(vec![Leaf { axis: lane, ..leaf }]);
    }
    let inside = LANES / step;
    if LANES % step != 0 || extent % inside != 0 {
        return fail(format!("{extent} threads {step} apart are not lanes of whole warps"));
    }
    Ok(vec![
        Leaf { extent: inside, axis: lane, ..leaf },
        Leaf { extent: extent / inside, element: element.mul(&inside)?, step: 1, axis: warp },
    ])
}

/// The thread-value layout of a placement of a tile of this shape along `m` and axes of threads.
/// `thr_id` maps threads to these axes. This is the inverse of [`from_thread_value`].
///
/// Returns an error for other axes, for an offset or a swizzle, and if a thread or a register has
/// no element or several.
pub fn to_thread_value(placement: &Placement, thr_id: &Layout<i64>, shape: &[i64]) -> Result<Layout<i64>> {
    if placement.offset().iter().any(|(_, at)| at != 0) || placement.swizzle().is_some() {
        return fail(format!("{placement}: an offset or a swizzle is not a stride"));
    }
    let (grouped, ends) = placement.group(shape)?;
    let (mut threads, mut values) = (Vec::new(), Vec::new());
    let mut add = |iter: &Iter, element: i64| {
        if iter.extent == 1 {
            return Ok(());
        }
        if iter.axis == Axis::M {
            values.push((iter.stride, iter.extent, element));
            return Ok(());
        }
        let Some(step) = threads_of_step(iter.axis) else {
            return fail(format!("{placement} lies along {}, not m or threads of a block", iter.axis));
        };
        threads.push((iter.stride.mul(&step)?, iter.extent, element));
        Ok(())
    };
    let mut element = 1i64;
    for range in ends.windows(2) {
        let &[begin, end] = range else { continue };
        for iter in grouped.shard()[begin..end].iter().rev() {
            add(iter, element)?;
            element = element.mul(&iter.extent)?;
        }
    }
    placement.replica().iter().try_for_each(|iter| add(iter, 0))?;
    let threads = threads.into_iter().map(|thread| as_thread(thread, thr_id)).collect::<Result<Vec<_>>>()?;
    let modes = [("thread", threads.concat()), ("register", values)]
        .map(|(what, leaves)| compact(placement, what, leaves));
    let modes = modes.into_iter().collect::<Result<Vec<_>>>()?;
    Ok(Layout::from_modes(modes))
}

/// A leaf along lanes as leaves along threads, by the inverse of `thr_id`.
fn as_thread((lane, extent, element): (i64, i64, i64), thr_id: &Layout<i64>) -> Result<Vec<(i64, i64, i64)>> {
    let (mut lane, mut left, mut element) = (lane, extent, element);
    let (mut out, mut first) = (Vec::new(), 1i64);
    for (size, step) in coalesce(thr_id)?.flat() {
        let step = *step.expect_int("thread-value layout")?;
        let end = step.mul(size)?;
        if left > 1 && step > 0 && lane >= step && lane < end && lane % step == 0 && end % lane == 0 {
            let inside = left.min(end / lane);
            out.push((first.mul(&(lane / step))?, inside, element));
            (left, element) = (left / inside, element.mul(&inside)?);
            lane = lane.mul(&inside)?;
        }
        first = first.mul(size)?;
    }
    if left == 1 { Ok(out) } else { fail(format!("lanes {lane} apart are not threads of {thr_id}")) }
}

/// The mode of leaves (step, extent, element), whose steps must count everything once.
fn compact(placement: &Placement, what: &str, mut leaves: Vec<(i64, i64, i64)>) -> Result<Layout<i64>> {
    leaves.sort_unstable();
    let mut next = 1i64;
    for (step, extent, _) in &leaves {
        if *step != next {
            return fail(format!("{placement}: {what}s are counted in steps of {step} where {next} is next"));
        }
        next = next.mul(extent)?;
    }
    match leaves.as_slice() {
        [] => Ok(Layout::scalar(1, Stride::int(0))?),
        _ => flat(leaves.iter().map(|(_, extent, element)| (*extent, Stride::int(*element)))),
    }
}

/// A thread-value layout in Triton's form: (register, lane, warp) to `dim0`, `dim1`, ..
///
/// ```
/// use cute_arch::atoms::MmaAtom;
/// use cute_placement::bridge::triton_layout;
/// let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
/// assert_eq!(
///     triton_layout(&atom.c.layout, &[16, 8])?.to_string(),
///     "{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} -> (dim0 = 16, dim1 = 8)"
/// );
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
///
/// Returns an error unless all extents are powers of two.
pub fn triton_layout(tv: &Layout<i64>, shape: &[i64]) -> Result<LinearLayout> {
    let modes = AnyLayout::Plain(Layout::from_modes([tv.mode(1)?, tv.mode(0)?]));
    let linear = LinearLayout::from_layout(&modes, &["register", "thread"], "offset")?;
    let bits = |name: &str| linear.images_of(name).map(|images| images.len() as u32);
    let (threads, lane) = (bits("thread")?, LANES.trailing_zeros());
    let inputs = vec![
        Dimension::new("register", bits("register")?),
        Dimension::new("lane", threads.min(lane)),
        Dimension::new("warp", threads.saturating_sub(lane)),
    ];
    let mut outputs = Vec::with_capacity(shape.len());
    for (i, extent) in shape.iter().enumerate() {
        if extent.count_ones() != 1 || *extent < 1 {
            return fail(format!("extent {extent} of {shape:?} is not a power of two"));
        }
        outputs.push(Dimension::new(format!("dim{i}"), extent.trailing_zeros()));
    }
    Ok(linear.reshape_outputs(outputs)?.reshape_inputs(inputs)?)
}

/// The thread-value layout for which this is [`triton_layout`].
///
/// Returns an error if bits overlap, so that it would only be a layout under a swizzle.
pub fn from_triton_layout(linear: &LinearLayout) -> Result<Layout<i64>> {
    let bits = |dimensions: &[Dimension]| dimensions.iter().map(|d| d.bits).sum();
    let input = |name: &str| linear.images_of(name).map(|images| images.len() as u32);
    let names: Vec<&str> = linear.inputs().iter().map(|d| d.name.as_str()).collect();
    if names != ["register", "lane", "warp"] {
        return fail(format!("the inputs of {linear} are not (register, lane, warp)"));
    }
    let threads = input("lane")? + input("warp")?;
    let inputs = vec![Dimension::new("register", input("register")?), Dimension::new("thread", threads)];
    let offset = vec![Dimension::new("offset", bits(linear.outputs()))];
    match linear.reshape_inputs(inputs)?.reshape_outputs(offset)?.to_layout()? {
        AnyLayout::Plain(layout) => Ok(Layout::from_modes([layout.mode(1)?, layout.mode(0)?])),
        AnyLayout::Composed(layout) => fail(format!("{linear} is {layout}, which is not a plain layout")),
    }
}
