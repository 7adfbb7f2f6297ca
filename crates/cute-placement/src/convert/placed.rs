//! Owners from a placement along the axes of threads and `m`.

use crate::{Placement, Point};
use cute_algebra::Axis;

use super::error::ConvertError;
use super::owners::Owners;
use crate::axes::{CUDA, threads_of_step};

/// Threads of the largest block.
const THREADS: i64 = 1024;
/// The largest number of elements per thread: single bits in 255 registers of 32.
const REGISTERS: i64 = 8192;

impl Owners {
    /// The owners of a tile of registers: element `i` of the placement is in register `m` of thread
    ///
    /// ```text
    /// tx = 32 * warpid + laneid = 128 * wgid + tid_in_wg,    tid_in_wg = 32 * wid_in_wg + laneid
    /// ```
    ///
    /// and in the places of its copies. `i` counts row-major, so a [plan](super::plan) joins
    /// placements of one shape.
    ///
    /// ```
    /// use cute_placement::convert::{Owners, plan};
    /// // Accumulators of m16n8k8 in TF32, and the A of the next.
    /// let c = Owners::of_placement(&"S[(2,8,4,2) : (2,4@laneid,1@laneid,1)]".parse()?)?;
    /// let a = Owners::of_placement(&"S[(2,8,2,4) : (1,4@laneid,2,1@laneid)]".parse()?)?;
    /// assert_eq!((c.element(5, 1), a.element(5, 2)), (Some(11), Some(13)));
    /// assert_eq!(plan(&c, &a, 32)?.to_string(), "4 shuffles of a warp");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Returns an error for any other axis, if a coordinate leaves its range, if elements are
    /// placed on warps but not on lanes, and if a register would have two elements.
    pub fn of_placement(placement: &Placement) -> Result<Self, ConvertError> {
        let failed = |why: String| ConvertError::NoRegisters { placement: placement.to_string(), why };
        for axis in placement.axes() {
            if axis != Axis::M && threads_of_step(axis).is_none() {
                let known = CUDA.kinds.iter().map(|(name, _)| *name).filter(|name| counts_threads(name));
                return Err(failed(format!(
                    "{axis} is neither m, which counts registers, nor an axis of threads of a block ({})",
                    known.collect::<Vec<_>>().join(", ")
                )));
            }
        }
        let scope = placement.scope(&CUDA).map_err(|error| failed(error.to_string()))?;
        if let Some(scope) = scope.filter(|scope| scope.inner != "thread") {
            return Err(failed(format!(
                "its threads are counted by {0}, which does not determine a thread of the {0}",
                scope.inner
            )));
        }
        let size = placement.size().map_err(|error| failed(error.to_string()))?;
        let copies = placement.replica().iter().try_fold(size, |n, iter| n.checked_mul(iter.extent));
        if copies.is_none_or(|n| n > THREADS * REGISTERS) {
            return Err(failed(format!("it has more than {} places", THREADS * REGISTERS)));
        }
        let mut slots = Vec::new();
        for (element, index) in (0..size).enumerate() {
            for place in placement.placements_at(index).map_err(|error| failed(error.to_string()))? {
                let (thread, register) = slot(&place).map_err(failed)?;
                slots.push((element, thread, register));
            }
        }
        Self::new(slots)
    }
}

fn counts_threads(name: &str) -> bool {
    Axis::new(name).is_ok_and(|axis| threads_of_step(axis).is_some())
}

/// The thread and the register at a place.
fn slot(place: &Point) -> Result<(usize, usize), String> {
    let inside = |what: &str, n: i64, end: i64| match usize::try_from(n) {
        Ok(index) if n < end => Ok(index),
        _ => Err(format!("{what} {n} is not in [0, {end})")),
    };
    let mut thread = 0;
    for (axis, at) in place.iter() {
        if let Some(step) = threads_of_step(axis) {
            // The axes of a part of a block end with it.
            let part = CUDA.splits.iter().find(|split| split.inner == axis.name());
            thread += step * inside(axis.name(), at, part.map_or(THREADS / step, |part| part.size))? as i64;
        }
    }
    Ok((inside("thread", thread, THREADS)?, inside("register", place.get(Axis::M), REGISTERS)?))
}
