//! The barrier events of a run in the simulator, to compare with those of the walks.

use crate::{
    registers::lanes_of,
    trace::{Event, What},
};
use cute_sim::events::{self, Begun, Event as Seen, Launched, Observer, Recorder, Work};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// A warp of the grid: cluster, rank, number.
pub type WarpId = (u32, u32, u32);

/// For each warp, the instruction and the lane of each event, in order.
pub type Events = BTreeMap<WarpId, Vec<(u32, u32)>>;

/// Collects the events of a launch.
#[derive(Debug, Clone, Default)]
pub struct Seer(Arc<Mutex<Events>>);

struct OfCluster {
    all: Arc<Mutex<Events>>,
    number: u32,
    own: Events,
}

impl Seer {
    pub fn events(&self) -> Events {
        self.0.lock().map(|events| events.clone()).unwrap_or_default()
    }
}

impl Observer for Seer {
    fn launch(&self, _: &Launched<'_>) {}

    fn cluster(&self, cluster: &Begun<'_>) -> Option<Box<dyn Recorder>> {
        let own = OfCluster { all: self.0.clone(), number: cluster.number, own: Events::new() };
        Some(Box::new(own))
    }
}

impl Recorder for OfCluster {
    fn note(&mut self, _: u64, event: &Seen) {
        let act: &events::Act = match event {
            Seen::Initialises { act, .. } | Seen::Arrives { act, after: None, .. } => act,
            Seen::Issues { act, work: Work::Load, .. } => act,
            _ => return,
        };
        let own = self.own.entry((self.number, act.by.rank, act.by.warp)).or_default();
        own.extend(lanes_of(act.lanes).map(|lane| (act.site, lane)));
    }

    fn end(self: Box<Self>, _: u64, _: bool) {
        if let Ok(mut all) = self.all.lock() {
            all.extend(self.own);
        }
    }
}

/// Those events of a walk.
pub fn of_walk<'e>(events: impl Iterator<Item = &'e Event>) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for Event { pc, lanes, what } in events {
        match what {
            // Lanes that begin one barrier do it once.
            What::Init { .. } => all.push((*pc, lanes.trailing_zeros())),
            What::Arrive { .. } | What::Copy { .. } => all.extend(lanes_of(*lanes).map(|lane| (*pc, lane))),
            _ => {}
        }
    }
    all
}
