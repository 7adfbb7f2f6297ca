//! What a thread knows at one time, for an agent of the async proxy that acts for it from then on.
//!
//! An agent touches thousands of words at once. So what is known of all lanes of a warp is kept beside what is known of each.

use super::clock::Clocks;
use crate::lanes::lanes_of;

/// A thread's knowledge when it issued a request.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// Of each component, as [`Clocks`] orders them.
    times: Vec<u32>,
    /// Components of threads.
    threads: usize,
    /// For each warp what is known of all its lanes, and what of that the async proxy sees.
    known: Vec<u32>,
    seen: Vec<u32>,
}

impl Clocks {
    /// What the thread knows now. Blocks have so many threads.
    pub(crate) fn view(&self, thread: u32, block_threads: u32) -> View {
        let (times, threads, block) = self.known_to(thread);
        let exists = |warp: usize| {
            let first = warp * 32 % block as usize;
            (block_threads as usize).saturating_sub(first).min(32)
        };
        let least = |from: usize| {
            let warp = |warp: usize| {
                let lanes = times.get(from + warp * 32..).unwrap_or_default();
                let lanes = lanes.iter().take(exists(warp)).min();
                lanes.copied().unwrap_or(0)
            };
            (0..threads / 32).map(warp).collect()
        };
        View { known: least(0), seen: least(threads), times, threads }
    }
}

impl View {
    fn has(&self, component: usize, time: u32) -> bool {
        self.times.get(component).is_some_and(|known| time <= *known)
    }

    /// Does the thread know what an agent did at `time`?
    pub(crate) fn knows(&self, agent: u32, time: u32) -> bool {
        self.has(agent as usize, time)
    }

    /// The first of some threads of a block, of each warp in `warps` the lanes in `lanes`, of which it is not known what they did
    /// at `time`, or for `through` the generic proxy, not seen. `first` is the first component of the block.
    pub(crate) fn lacks(&self, first: u32, warps: u32, lanes: u32, time: u32, through: bool) -> Option<u32> {
        let (all, from) = if through { (&self.seen, self.threads) } else { (&self.known, 0) };
        lanes_of(warps).find_map(|warp| {
            if all.get((first / 32 + warp) as usize).is_some_and(|known| time <= *known) {
                return None;
            }
            let thread = |lane: u32| warp * 32 + lane;
            let known = |lane: &u32| self.has(from + (first + thread(*lane)) as usize, time);
            lanes_of(lanes).find(|lane| !known(lane)).map(thread)
        })
    }
}
