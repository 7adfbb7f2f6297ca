//! Accesses of threads, and their races.

use super::Parts;
use crate::engine::Engine;
use crate::finding::{AccessKind, Place};
use crate::machine::issuer::Issuer;
use crate::machine::journal::orders::Orders;
use crate::machine::workers;
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::span::Span;
use crate::race::{Race, Reach, Who};
use crate::registers::Registers;
use crate::shared::SharedMemory;

/// How often a thread lets other host threads go on, until it takes its value for another one than
/// theirs.
const PATIENCE: u32 = 64;

/// Tells whether memory holds what is about to be written.
type Same<'a> = Option<&'a dyn Fn(&SharedMemory) -> bool>;

impl Parts<'_, '_> {
    /// Records the access of a lane, and checks for races. `same` tells whether the bytes equal the
    /// old ones, so that two writes agree. Returns whether there was a race.
    pub(crate) fn watch(
        &mut self,
        registers: &Registers,
        (issuer, lane): (&Issuer, u32),
        (span, bytes): (Span, usize),
        (kind, reach): (AccessKind, Reach),
        same: Same<'_>,
    ) -> bool {
        let machine = self.machine();
        if !machine.launch.check_races || bytes == 0 {
            return false;
        }
        let who = issuer.who(self.scene(), span.space, kind, reach);
        if !machine.launch.followed_loads.is_empty() {
            return self.watch_each(registers, (issuer, lane), (span, bytes), &who, same);
        }
        let (start, lanes) = (span.start, 1 << lane);
        let race = match span.space {
            GLOBAL => machine.shadow.access(span.allocation, start, bytes, &who, lanes, self.clocks),
            SHARED => self.shared.shadow().access(start, bytes, &who, lanes, self.clocks),
            _ => None,
        };
        let Some((delta, race)) = race else { return false };
        let at = (self.scene().place(&[], span), span.offset + delta as i64);
        if !race.record.is_of_heap() && self.agrees(&race, same) {
            self.note_same_value((&who, lane), at, &race);
            return false;
        }
        self.note_race((&who, lane), at, race);
        true
    }

    /// Like [`watch`](Self::watch), where loads are followed: the race of one whose value nothing
    /// uses must not hide another one.
    #[cold]
    fn watch_each(
        &mut self,
        registers: &Registers,
        (issuer, lane): (&Issuer, u32),
        (span, bytes): (Span, usize),
        who: &Who,
        same: Same<'_>,
    ) -> bool {
        // The store may use loads that race with an earlier one.
        self.note_uses(registers, issuer);
        let (machine, start, lanes) = (self.machine(), span.start, 1 << lane);
        let number = machine.followed_number(who.site).filter(|_| who.kind == AccessKind::Read);
        let width = number.map_or(who.reach.width, |number| (number % usize::from(u8::MAX)) as u8 + 1);
        let who = &Who { reach: Reach { width, ..who.reach }, ..*who };
        let races = match span.space {
            GLOBAL => {
                let (shadow, buffer) = (&machine.shadow, span.allocation);
                let races = shadow.races(buffer, start, bytes, who, lanes, self.clocks);
                shadow.access(buffer, start, bytes, who, lanes, self.clocks);
                races
            }
            SHARED => {
                let mut window = self.shared.shadow();
                let races = window.races(start, bytes, who, lanes, self.clocks);
                window.access(start, bytes, who, lanes, self.clocks);
                races
            }
            _ => return false,
        };
        let mut raced = false;
        let at = (span.space, span.allocation, start);
        for (delta, race) in races {
            let (place, offset) = (self.scene().place(&[], span), span.offset + delta as i64);
            let agrees = self.agrees(&race, same);
            if agrees {
                self.note_same_value((who, lane), (place.clone(), offset), &race);
            }
            let orders = Orders { clocks: self.clocks, engine: self.engine };
            if agrees || self.journal.follows_race(orders, (who, lane), (&place, offset, at), &race) || raced
            {
                continue;
            }
            // The first of those that are reported at once is enough.
            raced = true;
            self.note_race((who, lane), (place, offset), race);
        }
        raced
    }

    /// Whether a write leaves what the other access of a race has written, so that it does not
    /// matter which comes first. A cluster that another host thread runs may have recorded its
    /// store and not made it yet, so it gets time for that.
    fn agrees(&self, race: &Race, same: Same<'_>) -> bool {
        let record = race.record;
        let Some(same) = same.filter(|_| !record.kind.is_read()) else { return false };
        let is_of_other = || {
            let is_stranger = self.clocks.first_of(record.made_by()).is_none();
            is_stranger && record.kind == AccessKind::Write && !record.is_former()
        };
        let again = |_: u32| {
            workers::let_others_run();
            same(self.shared)
        };
        same(self.shared) || is_of_other() && self.machine().waits_for_stores(|| (0..PATIENCE).any(again))
    }

    #[cold]
    fn note_same_value(&mut self, who: (&Who, u32), at: (Place, i64), race: &Race) {
        let orders = Orders { clocks: self.clocks, engine: self.engine };
        self.journal.note_same_value(orders, who, at, race);
    }

    /// Notes a race of a lane at a byte of an allocation.
    #[cold]
    pub(crate) fn note_race(&mut self, who: (&Who, u32), at: (Place, i64), race: Race) {
        let orders = Orders { clocks: self.clocks, engine: self.engine };
        self.journal.note_race(orders, who, at, race);
    }

    /// Reports the races of loads whose values a warp has used.
    #[inline]
    pub(crate) fn note_uses(&mut self, registers: &Registers, issuer: &Issuer) {
        if registers.has_uses() {
            for (lane, site) in registers.doubts().take() {
                let Engine { cores, tensor_order, .. } = &mut *self.engine;
                cores.note_use(tensor_order, self.clocks, issuer, site);
                self.journal.note_use((issuer.thread(lane), site));
            }
        }
    }
}
