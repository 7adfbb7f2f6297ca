//! Findings about barriers, and the threads that they quote.

use crate::finding::{AccessKind, FindingKind, MbarrierMisuse, Party};
use crate::machine::scene::Scene;

/// The finding that a barrier is misused.
pub(crate) fn misused(scene: &Scene<'_>, at: usize, misuse: MbarrierMisuse) -> FindingKind {
    let (place, offset) = scene.barrier_place(at);
    FindingKind::Mbarrier { place, offset, misuse: Box::new(misuse) }
}

/// The same for a thread that comes after another one.
pub(super) fn misused_after(
    scene: &Scene<'_>,
    at: usize,
    misuse: MbarrierMisuse,
    before: Option<(u32, u32)>,
) -> FindingKind {
    let misuse = match misuse {
        MbarrierMisuse::Arrivals { count, pending, phase, .. } => {
            let last = before.map(|who| user(scene, who));
            MbarrierMisuse::Arrivals { count, pending, phase, last }
        }
        other => other,
    };
    misused(scene, at, misuse)
}

/// A thread and its instruction, which uses a barrier.
pub(super) fn user(scene: &Scene<'_>, who: (u32, u32)) -> Box<Party> {
    Box::new(scene.party(who, AccessKind::Atomic))
}
