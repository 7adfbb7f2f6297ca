//! The scopes of threads that a placement runs over, derived from the child and parent of each of
//! its axes.

use std::collections::BTreeMap;

use super::{
    Axes, Kind, Placement,
    error::{PlacementError, Result},
};
use cute_algebra::Axis;

/// The scopes that a placement runs over: every `inner` in one `outer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scopes {
    /// The narrowest unit that is counted, such as "thread".
    pub inner: &'static str,
    /// The unit within which it is counted, such as "cta".
    pub outer: &'static str,
}

impl Placement {
    /// The scopes that the placement runs over; `None` if its shard has no thread axis.
    ///
    /// Each axis places a child in its parent: `laneid` places a thread in a warp, `warpid` a warp
    /// in a CTA. All axes must form one chain, from the narrowest child outwards. Fails on an axis
    /// of unknown kind, a child in two parents, and a chain with gaps.
    pub fn scope(&self, axes: &Axes) -> Result<Option<Scopes>> {
        if !self.has_threads(axes)? {
            return Ok(None);
        }
        let mut places: BTreeMap<&'static str, (Axis, &'static str)> = BTreeMap::new();
        for axis in self.axes() {
            let Kind::Thread { child, parent } = axes.kind("scope", axis)? else { continue };
            let (first, first_parent) = *places.entry(child).or_insert((axis, parent));
            if first_parent != parent {
                let (second, second_parent) = (axis, parent);
                let error =
                    PlacementError::ScopeConflict { first, second, child, first_parent, second_parent };
                return error.fail();
            }
        }
        let Some(inner) = places.keys().copied().max_by_key(|scope| axes.rank(scope)) else {
            return Ok(None);
        };
        let (mut outer, mut steps) = (inner, 0);
        // The loop also ends for a table whose scopes form a cycle.
        while let Some((_, parent)) = places.get(outer).filter(|_| steps < places.len()) {
            (outer, steps) = (parent, steps + 1);
        }
        if steps == places.len() {
            return Ok(Some(Scopes { inner, outer }));
        }
        let names: Vec<_> = places.values().map(|(axis, _)| axis.to_string()).collect();
        PlacementError::ScopeGap { axes: names.join(", "), inner, reached: outer }.fail()
    }

    fn has_threads(&self, axes: &Axes) -> Result<bool> {
        for iter in &self.shard {
            if axes.kind("scope", iter.axis)? != Kind::Memory {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Fails if [`scope`](Self::scope) fails. All other conditions hold for every `Placement`
    /// value.
    pub fn verify_well_formed(&self, axes: &Axes) -> Result<()> {
        self.scope(axes).map(|_| ())
    }
}
