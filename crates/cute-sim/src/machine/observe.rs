//! Tells the observer of a launch, if there is one, which waits of warps have begun and ended.

use super::cluster::Cluster;
use super::journal::watch::KnownWaits;
use super::parts::Parts;
use super::wait::Wait;
use super::warp::Warp;
use crate::events::{Act, Actor, Awaits, Event};
use crate::families::mbarrier::barrier::Mbarriers;
use crate::lanes::lanes_of;
use std::collections::BTreeMap;

/// Tells of the differences since the last time.
#[inline]
pub(super) fn observe(cluster: &mut Cluster<'_>, warps: &[Warp]) {
    let Parts { journal, engine, .. } = cluster.parts();
    journal.lend_watch(|known, tell| {
        for (warp, known) in warps.iter().zip(known) {
            differences(&engine.barriers, warp, known, tell);
        }
    });
}

impl Warp {
    pub(super) fn act(&self, lanes: u32) -> Act {
        Act { by: self.actor(), lanes, site: self.lanes.at() }
    }

    pub(super) fn actor(&self) -> Actor {
        Actor { rank: self.block().rank, warp: self.number() }
    }
}

/// Tells the differences between the waits of a warp and those that are known. The waits of a
/// warp's lanes for each other are left out.
fn differences(barriers: &Mbarriers, warp: &Warp, known: &mut KnownWaits, tell: &mut dyn FnMut(Event)) {
    let wait_of = |lane: u32| {
        let own = warp.lanes.wait_of(lane)?;
        let among_lanes = matches!(own, Wait::Warp { .. } | Wait::Together { .. });
        (!among_lanes && warp.lanes.done() >> lane & 1 == 0).then(|| (own, warp.lanes.pc(lane)))
    };
    let mut ended = 0;
    let mut begun: BTreeMap<u32, Vec<(Wait, u32)>> = BTreeMap::new();
    for lane in lanes_of(warp.lanes.exists()) {
        let now = wait_of(lane);
        let before = std::mem::replace(&mut known[lane as usize], now);
        if now == before {
            continue;
        }
        ended |= u32::from(before.is_some()) << lane;
        if let Some((wait, site)) = now {
            let alike = begun.entry(site).or_default();
            match alike.iter_mut().find(|(other, _)| *other == wait) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => alike.push((wait, 1 << lane)),
            }
        }
    }
    let by = warp.actor();
    if ended != 0 {
        tell(Event::GoesOn { by, lanes: ended });
    }
    for (site, (wait, lanes)) in
        begun.into_iter().flat_map(|(site, all)| all.into_iter().map(move |w| (site, w)))
    {
        let on = match wait {
            Wait::Phase { barrier, awaited, .. } => barriers.awaits(barrier, awaited),
            Wait::Barrier { id, .. } => Awaits::Barrier(id),
            Wait::Cluster => Awaits::Cluster,
            Wait::Columns { .. } => Awaits::Columns,
            Wait::Group | Wait::Warp { .. } | Wait::Together { .. } => Awaits::Group,
        };
        tell(Event::Waits { act: Act { by, lanes, site }, on });
    }
}
