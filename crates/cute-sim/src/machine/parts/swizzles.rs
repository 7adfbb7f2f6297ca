//! Compares the swizzles of descriptors of matrices with those by which shared memory was filled.

use super::Parts;
use crate::engine::swizzles::{apart, said};
use crate::finding::{FindingKind, SwizzleRule};
use crate::memory::span::Span;
use crate::tensor::tile::UNIT;
use cute_arch::smem::SmemDescriptor;

impl Parts<'_, '_> {
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
        if descriptor.base != 0 || self.engine.box_swizzles.are_none() {
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
