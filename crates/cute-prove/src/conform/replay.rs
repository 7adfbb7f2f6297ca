//! The walks of a cluster, executed in the order of the simulator.
//!
//! Each event that the simulator tells must be the next one of its lane, with the same instruction,
//! barrier, bytes and place; a wait must be for the phase that is over here by the counts and bytes
//! of the walk, and a phase must end here exactly when it ends there.

use super::shown::{Shown, shown};
use crate::{
    registers::lanes_of,
    trace::{Event, Place, What},
};
use cute_sim::address::RANK_SHIFT;
use cute_sim::events::{Act, Awaits, Event as Seen, Subject, Task, Work};
use cute_sim::program::{Kernel, Op};
use std::collections::{BTreeSet, HashMap};

/// An event that a run has and the walks do not have, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The block's rank, the warp, and the instruction, if it is one of a warp.
    pub at: Option<(u32, u32, u32)>,
    pub why: String,
}

type Found<T> = Result<T, Difference>;

/// A warp of a cluster: its rank and number, and the events of its walk.
pub type Warp<'m> = ((u32, u32), Vec<&'m Event>);

struct Barrier {
    count: i64,
    pending: i64,
    bytes: i64,
    /// Phases that are over.
    over: u64,
}

/// A lane on its way.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    /// Its next event.
    at: usize,
    /// The phase that it is known to wait for.
    waits: Option<u64>,
    /// Whether the phase was over by its last test, so that it leaves out the wait.
    passed: bool,
    /// The wait at which it has asked in vain. It may get the answer at another one for the same
    /// phase, to which this one leads.
    asked: Option<u32>,
}

impl Lane {
    /// Whether it is at an event when it executes an instruction.
    fn is_at(&self, event: &Event, site: u32) -> bool {
        event.pc == site || self.asked == Some(event.pc) && matches!(event.what, What::Wait { .. })
    }
}

/// An arrival that an agent makes for a lane: its block and warp, the instruction, the lane.
type Agent = ((u32, u32), u32, u32);

struct Replay<'m> {
    kernel: &'m Kernel,
    warps: &'m [Warp<'m>],
    lanes: Vec<[Lane; 32]>,
    numbers: HashMap<(u32, u32), usize>,
    barriers: HashMap<Place, Barrier>,
    /// The barriers by the simulator's keys.
    keys: HashMap<usize, Place>,
    /// The first byte of a block's shared memory.
    base: Option<i64>,
    /// Bytes and arrivals under way.
    copies: HashMap<Place, Vec<i64>>,
    agents: HashMap<Place, Vec<Agent>>,
    /// The end of a phase that comes next.
    ends: Option<(Place, u64)>,
    reached: BTreeSet<u32>,
}

/// Executes the walks in the order of these events. Returns the instructions that were reached.
///
/// # Errors
/// The first difference.
pub fn replay(
    kernel: &Kernel,
    warps: &[Warp<'_>],
    (seen, whole): &(Vec<Seen>, bool),
) -> Found<BTreeSet<u32>> {
    let numbers = warps.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
    let mut own = Replay {
        kernel,
        warps,
        lanes: vec![[Lane::default(); 32]; warps.len()],
        numbers,
        barriers: HashMap::new(),
        keys: HashMap::new(),
        base: None,
        copies: HashMap::new(),
        agents: HashMap::new(),
        ends: None,
        reached: BTreeSet::new(),
    };
    seen.iter().try_for_each(|event| own.note(event))?;
    if !whole {
        return Err(Difference { at: None, why: "the run ends early".into() });
    }
    own.end()?;
    Ok(own.reached)
}

impl<'m> Replay<'m> {
    fn note(&mut self, seen: &Seen) -> Found<()> {
        if let (Some((place, phase)), false) = (self.ends, matches!(seen, Seen::EndsPhase { .. })) {
            return self.differs(None, format!("phase {phase} of the barrier at {place:#x} ends only here"));
        }
        match seen {
            Seen::Initialises { act, barrier, rank, count, .. } => self.begins(act, *barrier, *rank, *count),
            Seen::Pending { act: Some(act), barrier, bytes } => self.expects(act, *barrier, *bytes),
            Seen::Pending { act: None, barrier, bytes } => self.arrive_bytes(*barrier, *bytes),
            Seen::Arrives { act, barrier, after: None } => self.arrives(act, *barrier),
            Seen::Arrives { act, barrier, after: Some(_) } => self.follows(act, *barrier),
            Seen::EndsPhase { barrier, phase } => {
                let place = self.place(*barrier)?;
                match self.ends.take() == Some((place, *phase)) {
                    true => Ok(()),
                    false => self
                        .differs(None, format!("phase {phase} of the barrier at {place:#x} ends only there")),
                }
            }
            Seen::Finds { act, barrier } => self.finds(act, *barrier),
            Seen::Asks { act, .. } => {
                self.asks(act);
                Ok(())
            }
            Seen::Waits { act, on: Awaits::Phase { barrier, phase } } => self.waits(act, *barrier, *phase),
            Seen::GoesOn { by, lanes } => {
                let Some(warp) = self.numbers.get(&(by.rank, by.warp)).copied() else { return Ok(()) };
                lanes_of(*lanes).for_each(|lane| self.passes(warp, lane));
                Ok(())
            }
            Seen::Invalidates { barrier } => {
                if let Some(place) = self.keys.remove(barrier) {
                    self.barriers.remove(&place);
                }
                Ok(())
            }
            Seen::Issues { task: Task::Wgmma(..), .. } => Ok(()),
            Seen::Issues { act, work: Work::Load, bytes, barrier: Some(barrier), subject, .. } => {
                self.loads(act, (*barrier, *bytes as i64), subject)
            }
            Seen::Issues { act, subject, .. } => {
                let events = self.all(act, Shown::Issue)?;
                self.issue_together(act, &events);
                events.into_iter().try_for_each(|event| self.has_place(act, event, subject))
            }
            Seen::Completes { act } => self.all(act, Shown::Complete).map(|_| ()),
            Seen::Orders { act } => self.all(act, Shown::Order).map(|_| ()),
            Seen::ArrivesAtCluster { act } => self.all(act, Shown::ClusterArrive).map(|_| ()),
            Seen::ArrivesAtBarrier { act, id } => {
                let events = self.all(act, Shown::BlockArrive)?;
                let other = |event: &&Event| !matches!(event.what, What::Block { id: own, .. } if own == *id);
                match events.iter().any(other) {
                    true => self.differs(Some(act), "it arrives at another barrier of the block"),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn differs<T>(&self, act: Option<&Act>, why: impl Into<String>) -> Found<T> {
        Err(Difference { at: act.map(|act| (act.by.rank, act.by.warp, act.site)), why: why.into() })
    }

    fn place(&self, key: usize) -> Found<Place> {
        match self.keys.get(&key) {
            Some(place) => Ok(*place),
            None => self.differs(None, "a barrier that did not begin"),
        }
    }

    /// The next event of a lane that the simulator tells of. Passes over the others.
    fn next(&mut self, warp: usize, lane: u32) -> Option<(&'m Event, Shown)> {
        let (id, events) = &self.warps[warp];
        loop {
            let at = self.lanes[warp][lane as usize].at;
            let event: &'m Event = events.get(at)?;
            let own = &mut self.lanes[warp][lane as usize];
            let is_left_out = own.passed && matches!(event.what, What::Wait { tested: true, .. });
            if event.lanes >> lane & 1 == 1 && is_left_out {
                own.passed = false;
            } else if event.lanes >> lane & 1 == 1 {
                if let Some(shown) = shown(self.kernel, event, lane) {
                    return Some((event, shown));
                }
                match event.what {
                    What::Follow { barrier, .. } => {
                        self.agents.entry(barrier).or_default().push((*id, event.pc, lane));
                    }
                    // The simulator tells which barrier ends, and not by whom.
                    What::Invalidate { .. } => {
                        self.reached.insert(event.pc);
                    }
                    _ => {}
                }
            }
            self.lanes[warp][lane as usize].at += 1;
        }
    }

    /// The next event of a lane, which must be this one of an instruction.
    fn take(&mut self, act: &Act, lane: u32, wanted: Shown) -> Found<&'m Event> {
        let Some(warp) = self.numbers.get(&(act.by.rank, act.by.warp)).copied() else {
            return self.differs(Some(act), "a warp without a walk");
        };
        match self.next(warp, lane) {
            Some((event, shown))
                if shown == wanted && self.lanes[warp][lane as usize].is_at(event, act.site) =>
            {
                let own = &mut self.lanes[warp][lane as usize];
                (own.at, own.waits, own.asked) = (own.at + 1, None, None);
                own.passed |= matches!(event.what, What::Peek { .. });
                self.reached.insert(event.pc);
                Ok(event)
            }
            Some((event, _)) => {
                self.differs(Some(act), format!("lane {lane} should be at instruction {}", event.pc))
            }
            None => self.differs(Some(act), format!("lane {lane} should have returned")),
        }
    }

    /// The same for all lanes of an instruction.
    fn all(&mut self, act: &Act, wanted: Shown) -> Found<Vec<&'m Event>> {
        lanes_of(act.lanes).map(|lane| self.take(act, lane, wanted)).collect()
    }

    /// The same for the one lane of an instruction at this barrier.
    fn at_barrier(&mut self, act: &Act, key: usize, wanted: Shown) -> Found<(&'m Event, Place)> {
        let event = self.take(act, act.lanes.trailing_zeros(), wanted)?;
        let place = self.place(key)?;
        let (What::Expect { barrier, .. } | What::Arrive { barrier, .. } | What::Copy { barrier, .. }) =
            event.what
        else {
            return self.differs(Some(act), "it is something else");
        };
        match barrier == place {
            true => Ok((event, place)),
            false => self.differs(Some(act), format!("it should be about the barrier at {barrier:#x}")),
        }
    }

    fn begins(&mut self, act: &Act, key: usize, rank: u32, count: u32) -> Found<()> {
        let event = self.take(act, act.lanes.trailing_zeros(), Shown::Init)?;
        let What::Init { barrier, count: own } = event.what else { return Ok(()) };
        if (barrier >> RANK_SHIFT) as u32 != rank || own != count {
            return self.differs(Some(act), format!("a count of {own} at {barrier:#x}"));
        }
        if rank == 0 {
            self.base = Some(barrier as i64 - key as i64);
        }
        self.keys.insert(key, barrier);
        let own = Barrier { count: count.into(), pending: count.into(), bytes: 0, over: 0 };
        self.barriers.insert(barrier, own);
        Ok(())
    }

    fn expects(&mut self, act: &Act, key: usize, bytes: i64) -> Found<()> {
        let (event, place) = self.at_barrier(act, key, Shown::Expect)?;
        let What::Expect { bytes: own, .. } = event.what else { return Ok(()) };
        self.change(Some(act), place, (0, own / i64::from(event.lanes.count_ones())), Some(bytes))
    }

    fn arrives(&mut self, act: &Act, key: usize) -> Found<()> {
        let (event, place) = self.at_barrier(act, key, Shown::Arrive)?;
        let What::Arrive { count, .. } = event.what else { return Ok(()) };
        self.change(Some(act), place, (i64::from(count / event.lanes.count_ones()), 0), None)
    }

    /// An agent arrives for a lane.
    fn follows(&mut self, act: &Act, key: usize) -> Found<()> {
        let (lane, id) = (act.lanes.trailing_zeros(), (act.by.rank, act.by.warp));
        if let Some(warp) = self.numbers.get(&id).copied() {
            self.next(warp, lane);
        }
        let place = self.place(key)?;
        let all = self.agents.entry(place).or_default();
        let Some(found) = all.iter().position(|own| *own == (id, act.site, lane)) else {
            return self.differs(Some(act), "an arrival that no lane asked for");
        };
        all.remove(found);
        self.reached.insert(act.site);
        self.change(Some(act), place, (1, 0), None)
    }

    fn loads(&mut self, act: &Act, (key, bytes): (usize, i64), subject: &Subject) -> Found<()> {
        let (event, place) = self.at_barrier(act, key, Shown::Load)?;
        let What::Copy { bytes: own, .. } = event.what else { return Ok(()) };
        if own != bytes {
            return self.differs(Some(act), format!("{own} bytes"));
        }
        self.copies.entry(place).or_default().push(bytes);
        // The place of the slot comes before the barriers.
        let (warp, lane) = (self.numbers[&(act.by.rank, act.by.warp)], act.lanes.trailing_zeros() as usize);
        let before = self.warps[warp].1[..self.lanes[warp][lane].at].iter().rev();
        let slot = before.copied().find(|event| matches!(event.what, What::Touch(_)));
        slot.map_or(Ok(()), |slot| self.has_place(act, slot, subject))
    }

    /// Lanes that issue the same store of a box do it once, as an instruction of their warp.
    fn issue_together(&mut self, act: &Act, events: &[&Event]) {
        let op = self.kernel.code.get(act.site as usize);
        let (Some(Op::Bulk(bulk)), [first]) = (op, events) else { return };
        if !bulk.copies_box() {
            return;
        }
        let Some(warp) = self.numbers.get(&(act.by.rank, act.by.warp)).copied() else { return };
        for lane in 0..32 {
            let next = self.next(warp, lane);
            if next.is_some_and(|(event, _)| event.pc == first.pc && event.what == first.what) {
                self.lanes[warp][lane as usize].at += 1;
            }
        }
    }

    /// Compares the place of a copy in shared memory.
    fn has_place(&self, act: &Act, event: &Event, subject: &Subject) -> Found<()> {
        let (What::Touch(all), Some(base), Some((start, _))) =
            (&event.what, self.base, subject.shared.first())
        else {
            return Ok(());
        };
        // The operands of an MMA are descriptors.
        let is_copy = subject.shape.is_none() && event.pc == act.site;
        match all.first().filter(|_| is_copy) {
            Some(own) if own & ((1 << RANK_SHIFT) - 1) != i128::from(*start as i64 + base) => {
                self.differs(Some(act), format!("a copy at byte {own:#x} of shared memory"))
            }
            _ => Ok(()),
        }
    }

    fn arrive_bytes(&mut self, key: usize, bytes: i64) -> Found<()> {
        let place = self.place(key)?;
        let came = self.barriers.get(&place).map_or(0, |own| own.bytes - bytes);
        let under_way = self.copies.entry(place).or_default();
        let Some(found) = under_way.iter().position(|own| *own == came) else {
            return self.differs(None, format!("{came} bytes arrive at {place:#x} that no copy has"));
        };
        under_way.remove(found);
        self.change(None, place, (0, -came), Some(bytes))
    }

    /// Arrivals and bytes of a phase, which may end it. Compares the bytes that it lacks.
    fn change(
        &mut self,
        act: Option<&Act>,
        place: Place,
        (arrivals, bytes): (i64, i64),
        lacks: Option<i64>,
    ) -> Found<()> {
        let Some(own) = self.barriers.get_mut(&place) else {
            return self.differs(act, "a barrier that did not begin");
        };
        own.pending -= arrivals;
        own.bytes += bytes;
        let (pending, left) = (own.pending, own.bytes);
        if (pending, left) == (0, 0) {
            self.ends = Some((place, own.over));
            own.over += 1;
            own.pending = own.count;
        }
        if pending < 0 {
            return self.differs(act, "a phase has too many arrivals");
        }
        match lacks.filter(|lacks| *lacks != left) {
            Some(_) => self.differs(act, format!("the phase lacks {left} bytes")),
            None => Ok(()),
        }
    }

    fn finds(&mut self, act: &Act, key: usize) -> Found<()> {
        let found = self.place(key)?;
        for event in self.all(act, Shown::Wait)? {
            let (What::Wait { barrier, parity, .. } | What::Peek { barrier, parity }) = event.what else {
                continue;
            };
            let over = self.barriers.get(&barrier).map_or(0, |own| own.over);
            if barrier != found || (over & 1 == 1) == parity {
                return self
                    .differs(Some(act), format!("a wait for parity {} at {barrier:#x}", u8::from(parity)));
            }
        }
        Ok(())
    }

    /// Lanes begin to wait.
    fn waits(&mut self, act: &Act, key: usize, phase: u64) -> Found<()> {
        let found = self.place(key)?;
        let warp = self.numbers.get(&(act.by.rank, act.by.warp)).copied();
        for (warp, lane) in
            warp.into_iter().flat_map(|warp| lanes_of(act.lanes).map(move |lane| (warp, lane)))
        {
            let next = self.next(warp, lane);
            let own = self.lanes[warp][lane as usize];
            let is_this = |event: &Event| {
                let (What::Wait { barrier, parity, .. } | What::Peek { barrier, parity }) = event.what else {
                    return false;
                };
                own.is_at(event, act.site) && barrier == found && (phase & 1 == 1) == parity
            };
            if !next.is_some_and(|(event, _)| is_this(event)) {
                return self
                    .differs(Some(act), format!("lane {lane} should not wait here for phase {phase}"));
            }
            self.lanes[warp][lane as usize].waits = Some(phase);
        }
        Ok(())
    }

    /// Lanes ask for a phase that is not over.
    fn asks(&mut self, act: &Act) {
        let warp = self.numbers.get(&(act.by.rank, act.by.warp)).copied();
        for (warp, lane) in
            warp.into_iter().flat_map(|warp| lanes_of(act.lanes).map(move |lane| (warp, lane)))
        {
            let Some((event, _)) = self.next(warp, lane) else { continue };
            let own = &mut self.lanes[warp][lane as usize];
            match event.what {
                What::Peek { .. } if event.pc == act.site => {
                    own.at += 1;
                    self.reached.insert(act.site);
                }
                What::Wait { .. } if event.pc == act.site => own.asked = Some(act.site),
                _ => {}
            }
        }
    }

    /// A lane that waited goes on, or asks again.
    fn passes(&mut self, warp: usize, lane: u32) {
        let Some(phase) = self.lanes[warp][lane as usize].waits.take() else { return };
        let Some((Event { pc, what, .. }, _)) = self.next(warp, lane) else { return };
        let (What::Wait { barrier, .. } | What::Peek { barrier, .. }) = what else { return };
        let is_over = self.barriers.get(barrier).is_some_and(|own| own.over > phase);
        let tests = matches!(what, What::Peek { .. });
        let own = &mut self.lanes[warp][lane as usize];
        own.passed |= tests && is_over;
        if tests || is_over {
            self.reached.insert(*pc);
            own.at += 1;
        } else {
            own.asked = Some(*pc);
        }
    }

    fn end(&mut self) -> Found<()> {
        for (warp, ((rank, number), _)) in self.warps.iter().enumerate() {
            for lane in 0..32 {
                if let Some((event, _)) = self.next(warp, lane) {
                    let why = format!("lane {lane} does not get here");
                    return Err(Difference { at: Some((*rank, *number, event.pc)), why });
                }
            }
        }
        match (self.ends, self.copies.values().all(Vec::is_empty)) {
            (None, true) => Ok(()),
            _ => self.differs(None, "bytes or a phase are left at the end"),
        }
    }
}
