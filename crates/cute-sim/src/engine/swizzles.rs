//! The swizzles with which boxes were copied to shared memory.

use cute_algebra::Swizzle;
use std::collections::HashMap;

/// The swizzles of the copies of boxes to shared memory, by instruction; `None` if an instruction
/// uses maps with different ones.
#[derive(Debug, Default)]
pub(crate) struct BoxSwizzles(pub(crate) HashMap<u32, Option<Swizzle>>);

impl BoxSwizzles {
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
