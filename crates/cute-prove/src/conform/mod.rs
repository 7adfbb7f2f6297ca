//! The events of a run in the simulator: it must be a run of the walks.
//!
//! | file | subject |
//! |---|---|
//! | `mod` | the events that the simulator tells |
//! | `shown` | the events of a walk that it tells |
//! | `replay` | the walks, executed in the order of the simulator |

mod replay;
mod shown;
#[cfg(test)]
mod tests;

use cute_sim::events::{Begun, Event as Seen, Launched, Observer, Recorder};
pub use replay::{Difference, replay};
pub use shown::is_compared;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

/// For each cluster, its events in order, and whether all its threads have returned.
pub type Clusters = BTreeMap<u32, (Vec<Seen>, bool)>;

/// Collects the events of a launch.
#[derive(Debug, Clone, Default)]
pub struct Seer(Arc<Mutex<Clusters>>);

struct OfCluster {
    all: Arc<Mutex<Clusters>>,
    number: u32,
    own: Vec<Seen>,
}

impl Seer {
    pub fn events(&self) -> Clusters {
        self.0.lock().map(|mut all| std::mem::take(&mut *all)).unwrap_or_default()
    }
}

impl Observer for Seer {
    fn launch(&self, _: &Launched<'_>) {}

    fn cluster(&self, cluster: &Begun<'_>) -> Option<Box<dyn Recorder>> {
        Some(Box::new(OfCluster { all: self.0.clone(), number: cluster.number, own: Vec::new() }))
    }
}

impl Recorder for OfCluster {
    fn note(&mut self, _: u64, event: &Seen) {
        match event {
            Seen::Runs { .. } | Seen::Rests { .. } | Seen::Done { .. } => {}
            Seen::Columns { .. } => {}
            event => self.own.push(event.clone()),
        }
    }

    fn end(self: Box<Self>, _: u64, whole: bool) {
        if let Ok(mut all) = self.all.lock() {
            all.insert(self.number, (self.own, whole));
        }
    }
}
