//! Instructions by which the lanes of a warp exchange values.

use crate::{
    registers::{Reg, lanes_of},
    value::Val,
    walk::Walk,
};
use cute_sim::program::{CollectiveAct, Shuffle};

impl Walk<'_> {
    pub(super) fn collective(&mut self, of: CollectiveAct, active: u32) {
        match of {
            CollectiveAct::Elect { dst, leader } => {
                let elected = if self.last { 31 - active.leading_zeros() } else { active.trailing_zeros() };
                self.each(dst, active, |_, lane| Val::Known((lane == elected).into()));
                if let Some(leader) = leader {
                    self.set(leader, active, Reg::All(Val::Known(elected.into())));
                }
            }
            CollectiveAct::Shuffle { kind, dst, value, offset, clamp, in_range } => {
                let known = |lane| {
                    Some((
                        self.get(offset).at(lane).known()? as u32,
                        self.get(clamp).at(lane).known()? as u32,
                    ))
                };
                let from = self.get(value).clone();
                // The value of a lane that takes part, within the whole warp.
                let source = |lane: u32| {
                    let (offset, clamp) = known(lane)?;
                    let source = match kind {
                        Shuffle::Index if clamp & 0x1f1f == 0x1f => offset & 31,
                        _ => return None,
                    };
                    (active >> source & 1 == 1).then_some(source)
                };
                let same = match &from {
                    Reg::All(value) => Some(*value),
                    Reg::Each(_) => None,
                };
                let sources: Vec<Option<u32>> = (0..32).map(source).collect();
                self.each(dst, active, |_, lane| match (sources[lane as usize], same) {
                    (Some(source), _) => from.at(source),
                    (None, Some(value)) => value,
                    (None, None) => Val::Unknown,
                });
                if let Some(flag) = in_range {
                    self.each(flag, active, |_, lane| {
                        if sources[lane as usize].is_some() { Val::Known(1) } else { Val::Unknown }
                    });
                }
            }
            CollectiveAct::Vote { kind, dst, predicate } => {
                let all: Option<u32> = lanes_of(active).try_fold(0, |yes, lane| {
                    Some(yes | u32::from(self.get(predicate).at(lane).known()? != 0) << lane)
                });
                let value = all.map_or(Val::Unknown, |yes| Val::Known(kind.of(yes, active)));
                self.set(dst, active, Reg::All(value));
            }
            CollectiveAct::Match { dst, flag, .. } => {
                [Some(dst), flag]
                    .into_iter()
                    .flatten()
                    .for_each(|slot| self.set(slot, active, Reg::All(Val::Unknown)));
            }
            CollectiveAct::Reduce { dst, .. }
            | CollectiveAct::ReduceFloat { dst, .. }
            | CollectiveAct::Transpose { dst, .. } => self.set(dst, active, Reg::All(Val::Unknown)),
        }
    }
}
