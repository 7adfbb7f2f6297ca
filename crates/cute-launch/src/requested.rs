//! The launch of a kernel as a caller requests it: its extents, and its arguments with their
//! arrays.

use crate::{
    bind::{Arguments, Bound, Callee, Face, arguments},
    error::{Error, Result},
    expected,
    launch::{Shape, apart, blocks_of, misfit, preferred},
};
use cute_arch::Target;
use cute_manifest::{DYNAMIC_SHARED_MEMORY, Kernel};

/// The number of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// Given extents.
    Extents([u32; 3]),
    /// One per SM, in whole clusters.
    Auto,
}

/// The requested launch of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct RequestedExtents {
    /// Blocks.
    pub grid: Grid,
    /// Threads of a block, if not those that the kernel requires.
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory, if not those in the kernel's attribute.
    pub shared: Option<u32>,
    /// Blocks of a cluster, if not those of the kernel's attributes.
    pub cluster: Option<[u32; 3]>,
    /// Blocks of a cluster where the device can have so many.
    pub preferred_cluster: Option<[u32; 3]>,
    /// Whether all blocks are resident at once, and may wait for each other.
    pub cooperative: bool,
}

/// The extents in a list of one to three positive integers; the others are 1.
pub fn extents(list: &[i64]) -> Option<[u32; 3]> {
    let mut three = [1; 3];
    if list.is_empty() || list.len() > three.len() {
        return None;
    }
    for (to, extent) in three.iter_mut().zip(list) {
        *to = u32::try_from(*extent).ok().filter(|n| *n > 0)?;
    }
    Some(three)
}

/// A launch that the device would take.
pub(crate) struct Requested {
    pub(crate) shape: Shape,
    pub(crate) bound: Bound,
}

/// Binds the arguments of a launch, and checks it as the device would. A message names the host
/// functions that could launch the kernel instead.
pub(crate) fn requested(
    kernel: &Kernel,
    options: &RequestedExtents,
    all: &Arguments<'_>,
    target: Target,
    hosts: &[String],
) -> Result<Requested> {
    let (callee, face) = (Callee::kernel(kernel), all.face);
    let refuse = |why| Error::Launch { callee: callee.to_string(), why };
    let by_host = match hosts {
        [] => String::new(),
        [one] => {
            format!("; or let the host function '{one}' launch it, with {}", face.option("host", ""))
        }
        many => format!(
            "; or let a host function launch it, with {}: {}",
            face.option("host", "NAME"),
            many.join(", ")
        ),
    };
    let unknown = |what: String| refuse(what + &by_host);
    let known = kernel.block.map(|b| b.map(|n| n.max(0) as u32));
    let block = options.block.or(known);
    let block = block.ok_or_else(|| {
        unknown(format!("it does not specify its block; give {}", face.option("block", "X,Y,Z")))
    })?;
    let grid = match options.grid {
        Grid::Extents(grid) if kernel.grid_of_clusters => blocks_of(grid, kernel),
        Grid::Extents(grid) => grid,
        Grid::Auto => {
            let of_kernel = || kernel.cluster.map(|c| c.map(|n| n.max(1) as u32));
            let cluster = options.cluster.or_else(of_kernel).unwrap_or([1; 3]);
            whole_clusters(all.sms.known(face).map_err(refuse)?, cluster)
        }
    };
    let shape = Shape {
        kernel: kernel.name.clone(),
        grid,
        block,
        shared_memory: match shared(kernel, options.shared, face).map_err(refuse)? {
            Some(bytes) => bytes,
            None => {
                return Err(unknown(format!(
                    "it has dynamic shared memory, but does not specify the number of bytes; give {}, or give it the \
                     attribute {DYNAMIC_SHARED_MEMORY}",
                    face.option("shared", "BYTES")
                )));
            }
        },
        cluster: options.cluster,
        preferred_cluster: options.preferred_cluster,
        cooperative: options.cooperative,
        programmatic: false,
        queued: None,
    };
    let bound = arguments(&callee, all)?;
    if let Some(why) = expected::unequal(&kernel.expected, &callee, &bound.values) {
        return Err(refuse(why));
    }
    // More blocks than needed compute nothing more, and a grid of all SMs is one of a kernel that
    // takes any.
    let needed = expected::grid(&kernel.expected, &callee, &bound.values);
    let lacks = |needed: &[u32; 3]| shape.grid.iter().zip(needed).any(|(given, needed)| given < needed);
    if let Some(needed) = needed.filter(|needed| lacks(needed) && options.grid != Grid::Auto) {
        let ([x, y, z], [a, b, c]) = (shape.grid, needed);
        let option = face.option("grid", &format!("{a},{b},{c}"));
        let needed = expected::grid_text(&kernel.expected, &callee, needed);
        return Err(refuse(format!(
            "its grid is ({x}, {y}, {z}), but its arguments need {needed}; give {option}"
        )));
    }
    match misfit(kernel, &shape, target)
        .or_else(|| apart(kernel, &shape, target, all.sms.0, &face.option("sms", "")))
        .or_else(|| preferred(kernel, &shape))
    {
        Some(why) => Err(refuse(why)),
        None => Ok(Requested { shape, bound }),
    }
}

/// The blocks that a kernel needs for its arguments; `None` if it does not state them.
///
/// # Errors
/// Arguments that cannot be bound, or whose extents must be equal and are not.
pub fn needed_grid(kernel: &Kernel, all: &Arguments<'_>) -> Result<Option<[u32; 3]>> {
    let callee = Callee::kernel(kernel);
    let bound = arguments(&callee, all)?;
    match expected::unequal(&kernel.expected, &callee, &bound.values) {
        Some(why) => Err(Error::Launch { callee: callee.to_string(), why }),
        None => Ok(expected::grid(&kernel.expected, &callee, &bound.values)),
    }
}

/// The number of clusters along x that this number of SMs holds at once, at least one, in blocks.
fn whole_clusters(sms: u32, [x, y, z]: [u32; 3]) -> [u32; 3] {
    let blocks = x.saturating_mul(y).saturating_mul(z).max(1);
    [x.saturating_mul((sms / blocks).max(1)), y, z]
}

/// Bytes of dynamic shared memory: the requested number, if that is enough, or the number that the
/// kernel needs; `None` if there is neither.
fn shared(kernel: &Kernel, asked: Option<u32>, face: Face) -> std::result::Result<Option<u32>, String> {
    let needed = kernel.shared_memory.dynamic_size;
    match (asked.map(u64::from), needed) {
        (Some(asked), Some(needed)) if asked < needed => Err(format!(
            "{} is too small: the kernel needs {needed} bytes of dynamic shared memory. Omit {}",
            face.option("shared", &asked.to_string()),
            face.option("shared", "")
        )),
        (None, None) if kernel.shared_memory.dynamic => Ok(None),
        // More than any target has is rejected with the rest of the launch.
        (asked, needed) => Ok(Some(asked.or(needed).unwrap_or(0).try_into().unwrap_or(u32::MAX))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_one_to_three_positive_integers() {
        assert_eq!(extents(&[4, 2]), Some([4, 2, 1]));
        for wrong in [&[][..], &[0], &[1, -1], &[1, 1, 1, 1], &[1 << 32]] {
            assert_eq!(extents(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_grid_for_all_sms_has_whole_clusters() {
        assert_eq!(whole_clusters(132, [1, 1, 1]), [132, 1, 1]);
        assert_eq!(whole_clusters(133, [2, 1, 1]), [132, 1, 1]);
        assert_eq!(whole_clusters(7, [2, 2, 1]), [2, 2, 1]);
        assert_eq!(whole_clusters(1, [2, 2, 1]), [2, 2, 1]);
        assert_eq!(whole_clusters(132, [u32::MAX; 3]), [u32::MAX; 3]);
    }
}
