//! All races of an access, where one alone would hide that the others matter: see
//! [`racy`](crate::machine::racy).

use super::{Cell, Clocks, GlobalShadow, Race, Record, Who, Window};
use crate::lanes::lanes_of;

impl Cell {
    /// The races of an access with each thread of each earlier access.
    pub(crate) fn races<'c>(
        &'c self,
        who: &'c Who,
        lanes: u32,
        bytes: u8,
        clocks: &'c Clocks,
    ) -> impl Iterator<Item = Race> + 'c {
        self.conflicting(who.kind).flat_map(move |record| {
            single(record, clocks)
                .into_iter()
                .filter_map(move |r| self.race_with(&r, who, lanes, bytes, clocks))
        })
    }
}

/// The accesses of each thread of a record. Those that lanes made together, agents, or threads of
/// other clusters are one.
fn single(record: &Record, clocks: &Clocks) -> Vec<Record> {
    if record.is_former() || record.agent().is_some() || record.is_together() {
        return vec![*record];
    }
    if clocks.first_of(record.made_by()).is_none() {
        return vec![*record];
    }
    let of_warp = |warp: u32| {
        lanes_of(record.lanes).map(move |lane| Record { warps: 1 << warp, lanes: 1 << lane, ..*record })
    };
    lanes_of(record.warps).flat_map(of_warp).collect()
}

impl Window<'_> {
    /// The races of an access of `bytes` bytes at `at`, as far as it is in the window, with the
    /// first byte of each, from `at` on; each thread's access once.
    pub(crate) fn races(
        &self,
        at: usize,
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> Vec<(usize, Race)> {
        let mut races: Vec<(usize, Race)> = Vec::new();
        for (word, mask, cell) in self.words(at, bytes) {
            for race in cell.races(who, lanes, mask, clocks) {
                let is_same = |known: &Race| {
                    let of = |r: &Record| (r.block, r.site, r.kind, r.warps, r.lanes);
                    of(&known.record) == of(&race.record)
                };
                if !races.iter().any(|(_, known)| is_same(known)) {
                    races.push((super::window::first_byte(word, mask & race.record.bytes, at), race));
                }
            }
        }
        races
    }
}

impl GlobalShadow {
    /// Like [`Window::races`].
    pub(crate) fn races(
        &self,
        buffer: u32,
        at: usize,
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> Vec<(usize, Race)> {
        let on_page = |page| self.on_page(buffer, page, |window| window.races(at, bytes, who, lanes, clocks));
        self.pages_of(at, bytes).filter_map(on_page).flatten().collect()
    }
}
