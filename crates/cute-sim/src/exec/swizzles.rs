//! Compares the swizzles by which shared memory is accessed: those of tensor maps, of the kernel's
//! pointers and of the descriptors of matrices.
//!
//! Two swizzles only disagree about bytes that they place differently, so a copy or a matrix that
//! lies within the part that both leave alone is fine.

use super::span::Span;
use crate::families::bulk::rows::Rows;
use crate::finding::{FindingKind, SwizzleRule};
use crate::machine::cluster::Cluster;
use crate::tensor::tile::UNIT;
use cute_algebra::Swizzle;
use cute_arch::smem::SmemDescriptor;

/// The address of a byte that two swizzles place differently, among these bytes of a block's
/// window.
fn apart(one: Swizzle, other: Swizzle, mut addresses: impl Iterator<Item = u64>) -> Option<u64> {
    let place = |swizzle: Swizzle, at: u64| swizzle.apply(&(at as i64)).ok();
    if one == other { None } else { addresses.find(|at| place(one, *at) != place(other, *at)) }
}

impl Cluster<'_> {
    /// Checks that the tensor map of a copy has the swizzle with which the kernel accesses the
    /// shared memory.
    pub(crate) fn check_swizzle(&self, rows: &Rows, memory: Option<Swizzle>) -> Result<(), FindingKind> {
        let Some(memory) = memory else { return Ok(()) };
        let start = self.shared.address_of(rows.shared);
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

    /// The contradiction between a descriptor of a matrix and the copies that loaded its bytes,
    /// and whether the copies swizzled at all.
    ///
    /// The accesses that races are found by tell who wrote a byte last. So nothing is known without
    /// them, and bytes that a thread has written since are left out.
    pub(super) fn brought_apart(
        &self,
        descriptor: &SmemDescriptor,
        (start, bytes): (usize, usize),
        span: Span,
    ) -> Option<FindingKind> {
        // A pattern that begins elsewhere is another function of the address.
        if descriptor.base != 0 || self.engine.box_swizzles.0.is_empty() {
            return None;
        }
        let own = descriptor.swizzle.swizzle();
        (start..start + bytes).step_by(UNIT).find_map(|at| {
            let site = self.shared.cell(at / 4)?.brought()?;
            let map = self.engine.box_swizzles.of(site)?;
            let address = self.shared.address_of(at);
            apart(own, map, std::iter::once(address))?;
            let (op, location) = self.scene().site(site);
            let offset = span.offset + at as i64 - span.start as i64;
            let (descriptor, place) = (said(own), self.scene().place(&[], span));
            let (map, swizzled) = (said(map), !map.is_identity());
            let rule = SwizzleRule::Descriptor { descriptor, map, swizzled, place, offset, op, location };
            Some(FindingKind::Swizzle { rule: Box::new(rule) })
        })
    }
}

fn said(swizzle: Swizzle) -> String {
    if swizzle.is_identity() { "no swizzle".to_owned() } else { format!("the swizzle {swizzle}") }
}
