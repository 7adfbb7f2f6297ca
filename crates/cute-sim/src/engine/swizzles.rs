//! The swizzles by which shared memory is accessed: those of tensor maps, of the kernel's pointers
//! and of the descriptors of matrices.
//!
//! Two swizzles only disagree about bytes that they place differently, so a copy or a matrix that
//! lies within the part that both leave alone is fine.

use crate::families::bulk::rows::Rows;
use crate::finding::{FindingKind, SwizzleRule};
use cute_algebra::Swizzle;
use std::collections::HashMap;

/// The swizzles of the copies of boxes to shared memory, by instruction; `None` if an instruction
/// uses maps with different ones.
#[derive(Debug, Default)]
pub(crate) struct BoxSwizzles(HashMap<u32, Option<Swizzle>>);

impl BoxSwizzles {
    /// Whether no instruction has loaded a box.
    pub(crate) fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// An instruction loads bytes with this swizzle.
    pub(crate) fn note(&mut self, site: u32, swizzle: Swizzle) {
        let own = self.0.entry(site).or_insert(Some(swizzle));
        if *own != Some(swizzle) {
            *own = None;
        }
    }

    pub(crate) fn of(&self, site: u32) -> Option<Swizzle> {
        self.0.get(&site).copied().flatten()
    }
}

/// The address of a byte that two swizzles place differently, among these bytes of a block's
/// window.
pub(crate) fn apart(one: Swizzle, other: Swizzle, mut addresses: impl Iterator<Item = u64>) -> Option<u64> {
    let place = |swizzle: Swizzle, at: u64| swizzle.apply(&(at as i64)).ok();
    if one == other { None } else { addresses.find(|at| place(one, *at) != place(other, *at)) }
}

/// Checks that the tensor map of a copy has the swizzle with which the kernel accesses the
/// shared memory, in which they begin at an address.
pub(crate) fn check_swizzle(rows: &Rows, start: u64, memory: Option<Swizzle>) -> Result<(), FindingKind> {
    let Some(memory) = memory else { return Ok(()) };
    // A swizzle leaves at least this many bytes together.
    let unit = 1 << memory.base().min(rows.swizzle.base());
    let bytes = (start..start + rows.all() as u64).step_by(unit);
    match apart(rows.swizzle, memory, bytes) {
        None => Ok(()),
        Some(_) => {
            let rule = SwizzleRule::Map { map: said(rows.swizzle), memory: said(memory) };
            Err(FindingKind::Swizzle { rule: Box::new(rule) })
        }
    }
}

pub(crate) fn said(swizzle: Swizzle) -> String {
    if swizzle.is_identity() { "no swizzle".to_owned() } else { format!("the swizzle {swizzle}") }
}
