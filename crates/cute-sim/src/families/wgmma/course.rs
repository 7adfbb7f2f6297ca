//! The [order of execution](crate::course) at MMAs and at waits for them.

use super::member::group_of;
use crate::engine::Engine;
use crate::lanes::{GROUP, lanes_of};
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::marks::Marks;

/// An MMA is issued by the four warps of a warpgroup: it is complete after all that they did.
pub(super) fn follow_products(engine: &mut Engine, group: &mut [Issuing<'_>]) {
    group
        .iter_mut()
        .filter(|warp| warp.marks.has_learned())
        .for_each(|warp| warp.marks.meet_lanes(engine.course.as_deref_mut(), &warp.issuer, true));
    let Some(course) = &engine.course else { return };
    let past = course.of_all(group.iter().map(|warp| warp.issuer.first));
    let queue = engine.warpgroups.of(group_of(&group[0].issuer));
    if queue.pasts.back().is_none_or(|(_, last)| **last != *past) {
        queue.pasts.push_back((queue.issued, past));
    }
}

/// A warp has waited for the MMAs of its warpgroup up to one.
pub(super) fn follows_products(engine: &mut Engine, marks: &mut Marks, issuer: &Issuer, ticket: u32) {
    let Engine { course, warpgroups, .. } = engine;
    let Some(course) = course else { return };
    let queue = warpgroups.of(group_of(issuer));
    let past = queue.pasts.iter().rfind(|(issued, _)| *issued <= ticket).map(|(_, past)| past.clone());
    // Earlier ones than the last for which all four have waited are not needed any more.
    let all = queue.warps.iter().map(|own| own.waited).min().unwrap_or(0);
    while queue.pasts.len() > GROUP && queue.pasts.get(1).is_some_and(|(issued, _)| *issued <= all) {
        queue.pasts.pop_front();
    }
    if let Some(past) = past {
        course.learn(lanes_of(issuer.exists).map(|lane| issuer.thread(lane)), &past);
        marks.learn(true);
    }
}
