//! The knowledge that fences and relaxed operations of a thread publish and acquire together.

use super::{Clocks, Foreign, Known, Location, Order, Published, Record, Scope};
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The state that links fences and relaxed operations of a thread: arrivals and waits at barriers,
/// and atomic or volatile writes and reads.
#[derive(Debug, Default)]
pub(crate) struct Relaxed {
    /// For each scope, the knowledge of a thread at its last fence with that scope or a wider one.
    /// A relaxed write or arrival after it publishes that.
    fenced: HashMap<u32, [Option<Fenced>; 3]>,
    /// The knowledge that relaxed waits and reads of a thread found. A fence after them acquires
    /// it.
    heard: HashMap<u32, Heard>,
}

/// A thread's knowledge at a fence, and once a write publishes it, the form for all clusters.
#[derive(Debug, Clone)]
struct Fenced(Rc<(Known, OnceCell<Foreign>)>);

/// Knowledge that was published by threads of the same block, of the cluster, or elsewhere.
#[derive(Debug, Default)]
struct Heard {
    at_barriers: [Option<Known>; 3],
    at_locations: Published,
    /// The part of it that the last read found, and its place. A read that acquires at that place
    /// acquires it too.
    last: Option<(Location, Published)>,
}

impl Relaxed {
    /// `fence.acq_rel` and its like: a thread acquires what earlier relaxed reads and waits found,
    /// and later relaxed writes and arrivals publish what it knows.
    pub(crate) fn fence(&mut self, clocks: &mut Clocks, thread: u32, scope: Scope, order: Order) {
        let within = ..=scope.index();
        if let Some(heard) = self.heard.get_mut(&thread).filter(|_| order.acquire) {
            for known in &mut heard.at_barriers[within] {
                known.take().iter().for_each(|known| clocks.acquire(thread, known));
            }
            for known in &mut heard.at_locations[within] {
                clocks.acquire_published(thread, &std::mem::take(known));
            }
        }
        if order.release {
            let fence = Fenced(Rc::new((clocks.snapshot(thread), OnceCell::new())));
            let fenced = self.fenced.entry(thread).or_default();
            fenced[within].iter_mut().for_each(|last| *last = Some(fence.clone()));
        }
    }

    /// The knowledge that a relaxed arrival of a thread publishes to threads in its scope at this
    /// `distance` or further.
    pub(crate) fn passes_on(&self, thread: u32, scope: Scope, distance: Scope) -> Option<&Known> {
        let fenced = self.fenced.get(&thread)?[distance.index()].as_ref()?;
        (scope >= distance).then_some(&fenced.0.0)
    }

    /// The knowledge that a relaxed write of a thread publishes to threads in its scope.
    pub(crate) fn published(&self, thread: u32, scope: Scope, clocks: &Clocks) -> Published {
        let Some(fenced) = self.fenced.get(&thread) else { return Published::default() };
        Scope::ALL.map(|distance| match &fenced[distance.index()] {
            Some(Fenced(fence)) if scope >= distance => {
                fence.1.get_or_init(|| clocks.published(&fence.0)).clone()
            }
            _ => Foreign::default(),
        })
    }

    /// A thread's relaxed wait finds knowledge that was published within its block, or only within
    /// its cluster.
    pub(crate) fn hear(&mut self, thread: u32, known: &Known, distance: Scope) {
        let heard = &mut self.heard.entry(thread).or_default().at_barriers[distance.index()];
        *heard = Some(Clocks::both(heard.as_ref(), known));
    }

    /// A thread's relaxed read of a location finds this knowledge.
    pub(crate) fn hear_at(&mut self, thread: u32, at: Location, found: &Published) {
        if found.iter().all(Foreign::is_empty) {
            return;
        }
        let heard = self.heard.entry(thread).or_default();
        join(&mut heard.at_locations, found);
        match &mut heard.last {
            Some((last, known)) if *last == at => join(known, found),
            last => *last = Some((at, found.clone())),
        }
    }

    /// Whether relaxed reads of a thread have found what `other`, a thread of an earlier access,
    /// published after it, and no fence has acquired it.
    pub(crate) fn has_heard(&self, thread: u32, record: &Record, other: u32, clocks: &Clocks) -> bool {
        let Some(heard) = self.heard.get(&thread) else { return false };
        let (cluster, block) = (clocks.cluster_of(record.made_by()), record.made_by());
        let component = clocks.first_in_cluster(block) + other;
        let mut found = heard.at_locations.iter().filter_map(|known| known.of(cluster));
        found.any(|times| times.at(component) >= record.time())
    }

    /// The knowledge, within a scope, that the thread's last relaxed read found if it was at this
    /// location.
    pub(crate) fn heard_at(&self, thread: u32, at: Location, scope: Scope) -> &[Foreign] {
        match self.heard.get(&thread).and_then(|heard| heard.last.as_ref()) {
            Some((last, found)) if *last == at => &found[..=scope.index()],
            _ => &[],
        }
    }
}

fn join(known: &mut Published, found: &Published) {
    known.iter_mut().zip(found).for_each(|(known, found)| *known = known.joined(found));
}
