//! Tiles in shared memory that `wgmma` and `tcgen05.mma` read: resolving their descriptors, and
//! recording the reads.

use super::Parts;
use crate::finding::{FindingKind, Grade};
use crate::memory::address::{CLUSTER, SHARED, SHARED_BASE, in_block};
use crate::memory::span::Span;
use crate::memory::tracked::ByteState;
use crate::race::Acting;
use crate::tensor::tile::{PATTERN, SmemTile, origin_of};
use crate::tensor::tiles::{Described, Tile};
use cute_arch::smem::{ADDRESS_FIELD, SmemDescriptor};
use std::rc::Rc;

impl Parts<'_, '_> {
    /// The tile of a descriptor, and its start. `None` if the descriptor is not valid.
    fn tile(&mut self, described: Described) -> Option<(Rc<SmemTile>, SmemDescriptor)> {
        let Described { of, word, major, extents, bits } = described;
        let descriptor = SmemDescriptor::read(of, word)?;
        // Where two buffers lie from each other depends on both addresses.
        let within = match descriptor.next {
            None => word & !(ADDRESS_FIELD as u64) | (descriptor.address % PATTERN / 16) as u64,
            Some(_) => word,
        };
        let key = Described { word: within, ..described };
        if let Some(tile) = self.engine.tiles.get(&key) {
            return Some((tile.clone(), descriptor));
        }
        let tile = Rc::new(SmemTile::new(&descriptor, major, extents, bits)?);
        self.engine.tiles.insert(key, tile.clone());
        Some((tile, descriptor))
    }

    /// A tile in the shared memory of the block with this rank, which an agent reads from now on,
    /// on behalf of a thread of the cluster. The outer result tells whether the descriptor is
    /// valid.
    pub(crate) fn lend_tile(
        &mut self,
        described: Described,
        rank: u32,
        acting: &Acting<'_>,
        thread: u32,
    ) -> Option<Result<Tile, FindingKind>> {
        let (tile, descriptor) = self.tile(described)?;
        Some(self.watch_tile(tile, descriptor, rank, acting, thread))
    }

    fn watch_tile(
        &mut self,
        tile: Rc<SmemTile>,
        descriptor: SmemDescriptor,
        rank: u32,
        acting: &Acting<'_>,
        thread: u32,
    ) -> Result<Tile, FindingKind> {
        let origin = origin_of(&descriptor) as u64;
        let window = self.shared.window(rank);
        let space = if rank == self.scene().block().rank { SHARED } else { CLUSTER };
        let span = |parts: &Parts<'_, '_>, (from, bytes): (u32, u32)| {
            let address = in_block(origin + u64::from(from), rank.into());
            parts.span(&[], address, space, bytes.into(), 1)
        };
        for run in [tile.runs().first(), tile.runs().last()].into_iter().flatten() {
            span(self, *run)?;
        }
        let begins = span(self, (descriptor.address as u32 - origin as u32, 1))?;
        self.lies_in_object(&tile, origin, begins)?;
        let origin = window + origin as usize - SHARED_BASE as usize;
        let site = acting.who.site;
        let mut raced = None;
        for run in tile.runs() {
            let (start, bytes) = (origin + run.0 as usize, run.1 as usize);
            if let Some((delta, state)) = self.shared.bytes().unwritten(start, bytes) {
                let kind = self.state_finding((span(self, *run)?, delta), state);
                if state != ByteState::Empty {
                    return Err(kind);
                }
                self.journal.remark_early_read(site, thread, kind);
            }
            if !self.machine().launch.check_races {
                continue;
            }
            if let Some(kind) = self.brought_apart(&descriptor, (start, bytes), span(self, *run)?) {
                if kind.grade() == Grade::Error {
                    return Err(kind);
                }
                self.journal.remark(site, thread, kind);
            }
            let mut window = self.shared.shadow();
            let race = window.transfer(start, bytes, acting, self.clocks);
            raced = raced.or(race.map(|race| (*run, race)));
        }
        if let Some((run, (delta, race))) = raced {
            let span = span(self, run)?;
            let place = self.scene().place(&[], span);
            self.note_race((&acting.who, acting.lane), (place, span.offset + delta as i64), race);
        }
        Ok(Tile { tile, origin })
    }

    /// Checks that a tile lies in the shared object that its descriptor points into. The runs of
    /// the tile count from `origin`.
    fn lies_in_object(&self, tile: &SmemTile, origin: u64, begins: Span) -> Result<(), FindingKind> {
        if begins.allocation == 0 {
            return Ok(());
        }
        let object = begins.start as i64 - begins.offset;
        let window = begins.start - begins.start % self.shared.stride();
        let first = origin as i64 - SHARED_BASE as i64 + window as i64;
        for (from, bytes) in tile.runs() {
            let offset = first + i64::from(*from) - object;
            if offset < 0 || offset as u64 + u64::from(*bytes) > begins.size {
                let place = self.scene().place(&[], begins);
                let (bytes, size) = (u64::from(*bytes), begins.size);
                return Err(FindingKind::OutOfBounds { place, offset, bytes, size });
            }
        }
        Ok(())
    }
}
