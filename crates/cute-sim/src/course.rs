//! The order in which threads execute, as far as it decides whether a wait for a phase of an
//! `mbarrier` may come too late.
//!
//! Happens-before of memory is too little for that: a shuffle, a relaxed arrival, or a `wgmma` that
//! four warps reach together order no access, and yet what comes after them comes after every wait
//! before them. So each thread has a *past*: the waits that have returned before what it does next.
//! Only such waits are counted, so a past changes only where threads meet after one.

use cute_arch::WARP;
use std::collections::HashMap;
use std::rc::Rc;

/// Waits that have returned: up to which time, for all lanes of a warp, and for single threads of
/// which more is known.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Past {
    warps: Vec<u64>,
    /// In the order of threads.
    threads: Vec<(u32, u64)>,
}

impl Past {
    fn of_warp(&self, warp: u32) -> u64 {
        self.warps.get(warp as usize).copied().unwrap_or(0)
    }

    /// Whether all waits of the thread up to this time are in it.
    pub(crate) fn knows(&self, thread: u32, time: u64) -> bool {
        time <= self.of_warp(thread / WARP)
            || self
                .threads
                .binary_search_by_key(&thread, |(other, _)| *other)
                .is_ok_and(|i| time <= self.threads[i].1)
    }

    fn learn(&mut self, thread: u32, time: u64) {
        if self.knows(thread, time) {
            return;
        }
        match self.threads.binary_search_by_key(&thread, |(other, _)| *other) {
            Ok(i) => self.threads[i].1 = time,
            Err(i) => self.threads.insert(i, (thread, time)),
        }
    }

    fn learn_warp(&mut self, warp: u32, time: u64) {
        if time <= self.of_warp(warp) {
            return;
        }
        self.warps.resize(self.warps.len().max(warp as usize + 1), 0);
        self.warps[warp as usize] = time;
        self.threads.retain(|(thread, known)| thread / WARP != warp || *known > time);
    }

    fn join(&mut self, other: &Past) {
        (0..).zip(&other.warps).for_each(|(warp, time)| self.learn_warp(warp, *time));
        other.threads.iter().for_each(|(thread, time)| self.learn(*thread, *time));
    }

    fn is_within(&self, other: &Past) -> bool {
        (0..).zip(&self.warps).all(|(warp, time)| *time <= other.of_warp(warp))
            && self.threads.iter().all(|(thread, time)| other.knows(*thread, *time))
    }

    /// Both, as one of the two where that has all of the other.
    pub(crate) fn both(one: &Rc<Past>, other: &Rc<Past>) -> Rc<Past> {
        if Rc::ptr_eq(one, other) || other.is_within(one) {
            return one.clone();
        }
        if one.is_within(other) {
            return other.clone();
        }
        let mut joined = Past::clone(one);
        joined.join(other);
        Rc::new(joined)
    }
}

/// The pasts of a cluster.
#[derive(Debug)]
pub(crate) struct Course {
    /// Counts waits that have returned.
    now: u64,
    /// By thread, without its own last wait, and the time of that.
    pasts: Vec<Rc<Past>>,
    last: Vec<u64>,
    /// The pasts that strong accesses of a place of memory pass on.
    flags: HashMap<(u32, u32, usize), Rc<Past>>,
    /// The pasts of copies on their way, by their agents.
    sent: HashMap<u32, Rc<Past>>,
}

impl Course {
    /// Pasts of this number of threads.
    pub(crate) fn new(threads: u32) -> Self {
        Course {
            now: 0,
            pasts: vec![Rc::default(); threads as usize],
            last: vec![0; threads as usize],
            flags: HashMap::new(),
            sent: HashMap::new(),
        }
    }

    /// Waits of these threads return now. Returns the time.
    pub(crate) fn returns(&mut self, threads: impl Iterator<Item = u32>) -> u64 {
        self.now += 1;
        threads.for_each(|thread| self.last[thread as usize] = self.now);
        self.now
    }

    /// The past of a thread's next act.
    pub(crate) fn of(&self, thread: u32) -> Rc<Past> {
        let (past, last) = (&self.pasts[thread as usize], self.last[thread as usize]);
        if past.knows(thread, last) {
            return past.clone();
        }
        let mut past = Past::clone(past);
        past.learn(thread, last);
        Rc::new(past)
    }

    /// The past of an act that follows all those of these threads.
    pub(crate) fn of_all(&self, threads: impl Iterator<Item = u32>) -> Rc<Past> {
        let mut all = Rc::default();
        threads.for_each(|thread| self.join(&mut all, thread));
        all
    }

    fn join(&self, all: &mut Rc<Past>, thread: u32) {
        let (past, last) = (&self.pasts[thread as usize], self.last[thread as usize]);
        *all = Past::both(all, past);
        if !all.knows(thread, last) {
            Rc::make_mut(all).learn(thread, last);
        }
    }

    /// The next acts of these threads follow all of a past.
    pub(crate) fn learn(&mut self, threads: impl Iterator<Item = u32>, past: &Rc<Past>) {
        // Neighbours that shared a past share the new one.
        let mut last: Option<(Rc<Past>, Rc<Past>)> = None;
        for thread in threads {
            let own = &mut self.pasts[thread as usize];
            let after = match &last {
                Some((before, after)) if Rc::ptr_eq(before, own) => after.clone(),
                _ => Past::both(own, past),
            };
            last = Some((std::mem::replace(own, after.clone()), after));
        }
    }

    /// Threads meet. `whole` are the warps of which all threads do that have not returned.
    pub(crate) fn meet(
        &mut self,
        before: Option<&Rc<Past>>,
        threads: &[u32],
        whole: impl Iterator<Item = u32>,
    ) {
        let mut all = before.cloned().unwrap_or_default();
        for warp in whole {
            let lanes = warp * WARP..(warp + 1) * WARP;
            let last = lanes.clone().filter_map(|thread| self.last.get(thread as usize)).max();
            let last = last.copied().unwrap_or(0);
            if last > all.of_warp(warp) {
                Rc::make_mut(&mut all).learn_warp(warp, last);
            }
        }
        threads.iter().for_each(|thread| self.join(&mut all, *thread));
        threads.iter().for_each(|thread| self.pasts[*thread as usize] = all.clone());
    }

    /// A thread accesses a place of memory that others may watch.
    pub(crate) fn meet_at(&mut self, thread: u32, at: (u32, u32, usize)) {
        let own = self.of(thread);
        let all = match self.flags.get(&at) {
            Some(before) => Past::both(&own, before),
            None => own,
        };
        self.pasts[thread as usize] = all.clone();
        self.flags.insert(at, all);
    }

    /// A thread sends something by an agent.
    pub(crate) fn send(&mut self, agent: u32, thread: u32) {
        let own = self.of(thread);
        self.sent.entry(agent).and_modify(|past| *past = Past::both(past, &own)).or_insert(own);
    }

    /// Something arrives that an agent has sent: its past.
    pub(crate) fn arrives(&mut self, agent: u32) -> Option<Rc<Past>> {
        self.sent.remove(&agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_passes_on_the_waits_before_it() {
        let mut course = Course::new(96);
        let early = course.returns(0..32);
        course.meet(None, &(0..32).collect::<Vec<_>>(), std::iter::once(0));
        let late = course.returns(3..4);
        assert!((0..32).all(|lane| course.of(9).knows(lane, early)));
        assert!(!course.of(9).knows(3, late) && course.of(3).knows(3, late));
        assert!(!course.of(40).knows(0, early));
        // A part of the warp meets, and passes on what it knows.
        course.meet(None, &[3, 4], std::iter::empty());
        course.learn(32..64, &course.of(4).clone());
        assert!(course.of(40).knows(3, late) && course.of(40).knows(31, early));
        assert!(!course.of(70).knows(31, early));
    }

    #[test]
    fn what_is_sent_has_the_past_of_its_senders() {
        let mut course = Course::new(64);
        let time = course.returns(0..2);
        course.send(7, 0);
        course.send(7, 1);
        let later = course.returns(0..1);
        let past = course.arrives(7).expect("it was sent");
        assert!(past.knows(0, time) && past.knows(1, time) && !past.knows(0, later));
        assert!(course.arrives(7).is_none());
    }
}
