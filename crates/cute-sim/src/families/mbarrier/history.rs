//! The arrivals at an `mbarrier`, by instruction, from which a deadlock report derives the surplus
//! and the missing arrivals.

#[derive(Debug, Clone, Default)]
pub(crate) struct History(Vec<Arrivals>);

/// The arrivals of one instruction at one barrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrivals {
    pub(crate) site: u32,
    /// The thread that was the last one.
    pub(crate) thread: u32,
    /// The phases of the first and the last arrival.
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// The total number, and the number in the last of these phases.
    pub(crate) count: u64,
    pub(crate) in_last: u64,
    /// The most phases that one execution of the instruction by a warp arrived in.
    pub(crate) burst: u64,
    /// The execution of the last arrival, and the phase of the first arrival of that execution.
    execution: (u32, u64),
    begun: u64,
}

impl History {
    /// Records `count` arrivals of a thread in a phase. `when` distinguishes the executions of the
    /// instruction by one warp.
    pub(super) fn note(&mut self, (thread, site): (u32, u32), when: u64, phase: u64, count: u32) {
        let (count, execution) = (u64::from(count), (thread / 32, when));
        let Some(one) = self.0.iter_mut().find(|one| one.site == site) else {
            self.0.push(Arrivals {
                site,
                thread,
                first: phase,
                last: phase,
                count,
                in_last: count,
                burst: 1,
                execution,
                begun: phase,
            });
            return;
        };
        if one.execution != execution {
            (one.execution, one.begun) = (execution, phase);
        }
        one.burst = one.burst.max(phase + 1 - one.begun);
        one.in_last = if one.last == phase { one.in_last + count } else { count };
        (one.thread, one.last, one.count) = (thread, phase, one.count + count);
    }

    /// The last arrival, if it came in this phase: thread and instruction.
    pub(super) fn last_in(&self, phase: u64) -> Option<(u32, u32)> {
        let one = self.0.iter().rfind(|one| one.last == phase)?;
        Some((one.thread, one.site))
    }

    /// In the order of each instruction's first arrival.
    pub(crate) fn by_site(&self) -> impl Iterator<Item = &Arrivals> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A warp whose lanes arrive one by one where one arrival is expected, and another instruction.
    #[test]
    fn one_execution_that_completes_several_phases_is_told() {
        let mut history = History::default();
        history.note((40, 9), 5, 0, 1);
        (0..32).for_each(|lane| history.note((lane, 7), 100, 1 + u64::from(lane), 1));
        history.note((3, 7), 180, 33, 2);
        let all: Vec<&Arrivals> = history.by_site().collect();
        assert_eq!([(all[0].site, all[0].count), (all[1].site, all[1].count)], [(9, 1), (7, 34)]);
        assert_eq!((all[1].first, all[1].last, all[1].in_last, all[1].burst), (1, 33, 2, 32));
        assert_eq!((history.last_in(33), history.last_in(34)), (Some((3, 7)), None));
    }
}
