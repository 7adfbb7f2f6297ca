//! Phases of an `mbarrier`.

use super::{Barrier, Broken, Point, Run, grow};
use crate::trace::{Event, Place};

impl Run {
    /// The barrier, if all classes know that its phase before is over.
    pub(super) fn in_phase(
        &self,
        warp: usize,
        event: &Event,
        place: Place,
        classes: &[usize],
    ) -> Result<Barrier, Broken> {
        let Some(own) = self.barriers.get(&place) else {
            return Err(self.broken(warp, event, "an mbarrier is used before its init"));
        };
        if own.over > 0 && !classes.iter().all(|class| self.saw(*class, &own.before)) {
            let what = "an arrival, or bytes, may come before the phase ahead is over, and count in it";
            return Err(self.broken(warp, event, what));
        }
        Ok(own.clone())
    }

    pub(super) fn arrive(
        &mut self,
        warp: usize,
        event: &Event,
        place: Place,
        count: i64,
        (classes, time): (&[usize], i64),
        (publishes, is_agent): (bool, bool),
    ) -> Result<(), Broken> {
        let mut own = self.in_phase(warp, event, place, classes)?;
        if count > own.pending {
            return Err(self.broken(
                warp,
                event,
                format!("a phase gets more than its {} arrivals", own.count),
            ));
        }
        own.pending -= count;
        own.now.has_agents |= is_agent;
        for class in classes {
            own.now.arrivals.push((*class, time));
            grow(&mut own.now.known, &self.clocks[*class]);
            if publishes {
                grow(&mut own.now.published, &self.clocks[*class]);
            }
        }
        self.barriers.insert(place, own);
        self.complete(warp, event, place)
    }

    /// A test of a phase: the one ahead of it must be over.
    pub(super) fn test(
        &mut self,
        warp: usize,
        event: &Event,
        place: Place,
        parity: bool,
        classes: &[usize],
    ) -> Result<(), Broken> {
        let Some(own) = self.barriers.get(&place) else {
            return Err(self.broken(warp, event, "an mbarrier is tested before its init"));
        };
        let is_over = (own.over & 1 == 1) != parity;
        let (ahead, is_there) = match is_over {
            true => (&own.earlier, own.over > 1),
            false => (&own.before, own.over > 0),
        };
        if is_there && !classes.iter().all(|class| self.saw(*class, ahead)) {
            let what = "a test may come before the phase ahead of its own is over, and pass at once";
            return Err(self.broken(warp, event, what));
        }
        if let Some(own) = self.barriers.get_mut(&place) {
            own.tests.retain(|(of, ..)| *of != warp);
            own.tests.push((warp, event.lanes, i64::from(!is_over)));
        }
        Ok(())
    }

    /// Ends the phase if all is there.
    pub(super) fn complete(&mut self, warp: usize, event: &Event, place: Place) -> Result<(), Broken> {
        let Some(own) = self.barriers.get(&place) else { return Ok(()) };
        if own.pending != 0 || own.bytes != 0 {
            return Ok(());
        }
        let known = |(class, time): &Point| own.now.known.get(*class).is_some_and(|own| own >= time);
        if !own.before.waiters.iter().all(known) {
            let what = "a phase may end before a wait for the phase ahead of it has seen that one";
            return Err(self.broken(warp, event, what));
        }
        if !own.now.expects.iter().all(known) {
            return Err(self.broken(warp, event, "a phase may end before its bytes are expected"));
        }
        if let Some(own) = self.barriers.get_mut(&place) {
            own.over = if own.over < 2 { own.over + 1 } else { 5 - own.over };
            own.pending = own.count;
            own.tests.iter_mut().for_each(|(_, _, left)| *left = (*left - 1).max(-1));
            own.earlier = std::mem::take(&mut own.before);
            own.before = std::mem::take(&mut own.now);
        }
        Ok(())
    }
}
