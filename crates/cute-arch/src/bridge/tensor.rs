//! Tensor memory: offsets in elements, of which 2^16 words are a lane, as places along `TLane` and `TCol`.

use cute_algebra::{Axis, Basis, Error, Layout, Placement, Stride, error::Result};

use super::flat;

/// Elements of `bits` in a lane.
fn lane(bits: i64) -> Result<i64> {
    match bits {
        4 | 8 | 16 | 32 => Ok((1 << 16) * (32 / bits)),
        _ => fail(format!("elements of {bits} b do not fill words of 32")),
    }
}

fn fail<T>(why: String) -> Result<T> {
    Err(Error::Unsupported { what: "placement in tensor memory", why })
}

/// The placement of a tensor whose dimensions are the modes of `layout`, of elements of `bits`: offset `x` is lane
/// `x / lane`, column `x % lane`, a lane being 2^16 words.
///
/// ```
/// use cute_algebra::parse_layout;
/// use cute_arch::bridge::from_tensor_memory;
/// let half = parse_layout("((16,4),8):((131072,4194304),1)").unwrap().to_const().unwrap();
/// let half = from_tensor_memory(&half, 16)?;
/// assert_eq!(half.to_string(), "S[(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)]");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
///
/// Fails where the columns together reach into the next lane.
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
