//! Tensor memory: offsets in elements, where a lane is 2^16 words, as places along `TLane` and
//! `TCol`.

use crate::{
    Placement,
    placement::{Result, flat},
};
use cute_algebra::{Axis, Basis, Error, Int, Layout, Stride};

/// Elements of `bits` in a lane.
fn lane(bits: i64) -> Result<i64> {
    match bits {
        4 | 8 | 16 | 32 => Ok((1 << 16) * (32 / bits)),
        _ => fail(format!("elements of {bits} b do not fill words of 32")),
    }
}

fn fail<T>(why: String) -> Result<T> {
    Err(Error::Unsupported { what: "placement in tensor memory", why }.into())
}

/// The placement of a tensor whose dimensions are the modes of `layout`, of elements of `bits`:
/// offset `x` is lane `x / lane`, column `x % lane`, where a lane is 2^16 words.
///
/// ```
/// use cute_algebra::parse_layout;
/// use cute_placement::bridge::from_tensor_memory;
/// let half = parse_layout("((16,4),8):((131072,4194304),1)").unwrap().to_const().unwrap();
/// let half = from_tensor_memory(&half, 16)?;
/// assert_eq!(half.to_string(), "S[(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)]");
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
///
/// Returns an error if the columns together reach into the next lane.
pub fn from_tensor_memory(layout: &Layout<i64>, bits: i64) -> Result<Placement> {
    let (lane, lanes, columns) = (lane(bits)?, Axis::new("TLane")?, Axis::new("TCol")?);
    let mut reach = 0i64;
    let mut modes = Vec::with_capacity(layout.rank());
    for mode in layout.modes() {
        let mut leaves = Vec::new();
        for (extent, stride) in mode.to_owned().flat() {
            let stride = *stride.expect_int("placement in tensor memory")?;
            if stride != 0 && stride % lane == 0 {
                leaves.push((*extent, Stride::scaled(stride / lane, Basis::named(lanes))));
                continue;
            }
            let last = (extent - 1).checked_mul(stride).and_then(|last| last.checked_add(reach));
            let Some(last) = last.filter(|last| stride >= 0 && *last < lane) else {
                return fail(format!("the columns of {layout} reach past the {lane} elements of a lane"));
            };
            reach = last;
            leaves.push((*extent, Stride::scaled(stride, Basis::named(columns))));
        }
        modes.push(flat(leaves)?);
    }
    Placement::from_layout_of(&Layout::from_modes(modes))
}

/// The layout of a placement along `TLane` and `TCol` of elements of `bits`, with one mode per
/// dimension of `shape`, and the offset of its first element. This is the inverse of
/// [`from_tensor_memory`].
///
/// ```
/// use cute_placement::bridge::to_tensor_memory;
/// let slab = "S[(4,16,8) : (32@TLane,1@TLane,1@TCol)] + 16@TLane".parse()?;
/// let (offset, layout) = to_tensor_memory(&slab, &[64, 8], 32)?;
/// assert_eq!((offset, layout.to_string().as_str()), (16 << 16, "((16,4),8):((65536,2097152),1)"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Returns an error for other axes, and for copies.
pub fn to_tensor_memory(placement: &Placement, shape: &[i64], bits: i64) -> Result<(i64, Layout<i64>)> {
    let lane = lane(bits)?;
    let step = |axis: Axis| match axis.name() {
        "TLane" => Ok(lane),
        "TCol" => Ok(1),
        _ => fail(format!("{placement} lies along {axis}, not TLane or TCol")),
    };
    if !placement.replica().is_empty() {
        return fail(format!("{placement}: copies are not strides of a tensor"));
    }
    let mut offset = 0i64;
    for (axis, at) in placement.offset().iter() {
        offset = offset.add(&at.mul(&step(axis)?)?)?;
    }
    let (grouped, ends) = placement.group(shape)?;
    let mut modes = Vec::with_capacity(shape.len());
    for range in ends.windows(2) {
        let &[begin, end] = range else { continue };
        let mut leaves = Vec::new();
        for iter in grouped.shard()[begin..end].iter().rev() {
            leaves.push((iter.extent, Stride::int(iter.stride.mul(&step(iter.axis)?)?)));
        }
        modes.push(flat(leaves)?);
    }
    Ok((offset, Layout::from_modes(modes)))
}
