//! The order of events where the hardware leaves it open: everything that a kernel must not depend
//! on, chosen so that the same launch always gives the same result.

use crate::lanes::lanes_of;
use serde::{Serialize, Serializer};
use std::fmt;

/// The choices of a launch where the hardware leaves the order open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Warps in order; asynchronous work as late as its waits allow. Neither the first nor the last
    /// of several lanes is elected.
    #[default]
    Lazy,
    /// Warps in order; asynchronous work as soon as it is issued.
    Eager,
    /// The last warp of the last block first; asynchronous work as late as possible; the last lane
    /// is elected.
    Reverse,
    /// Warps in random order, for turns of random length; asynchronous work at random times; any
    /// lane is elected, and waits that may return early do so at random.
    Random(u64),
}

impl Schedule {
    /// The first `count` schedules of a sample: lazy, eager, reverse, then the seeds from 1 on.
    pub fn sample(count: u32) -> impl Iterator<Item = Schedule> {
        let named = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse];
        named.into_iter().chain((1..).map(Schedule::Random)).take(count as usize)
    }

    /// The lane that `elect.sync` elects among some lanes, which is always the same one for the
    /// same lanes.
    ///
    /// A kernel must not rely on which one. Kernels that do rely on the first lane, on the last, or
    /// on one of the few that address the blocks of a cluster. So a lane between those is elected,
    /// and what it does is not taken for an act of theirs.
    pub(crate) fn elects(self, lanes: u32) -> u32 {
        let count = lanes.count_ones();
        let chosen = match self {
            Schedule::Lazy | Schedule::Eager => count * 5 / 8,
            Schedule::Reverse => count - 1,
            Schedule::Random(seed) => (mix(seed ^ u64::from(lanes) << 32) % u64::from(count)) as u32,
        };
        lanes_of(lanes).nth(chosen as usize).expect("the number is below that of the lanes")
    }

    /// Whether a `try_wait` that finds its phase incomplete returns at once. `when` distinguishes
    /// calls.
    pub(crate) fn answers_at_once(self, when: u64) -> bool {
        match self {
            Schedule::Eager => true,
            Schedule::Lazy | Schedule::Reverse => false,
            Schedule::Random(seed) => mix(seed.wrapping_add(mix(when))) & 1 == 0,
        }
    }

    /// Whether a request for a cluster is refused although some are left. The device may have
    /// another use for them.
    pub(crate) fn refuses(self, when: u64) -> bool {
        match self {
            Schedule::Random(seed) => mix(seed.wrapping_sub(mix(when))).is_multiple_of(4),
            _ => false,
        }
    }
}

/// Pseudo-random bits, by splitmix64.
pub(crate) fn mix(state: u64) -> u64 {
    let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Lazy => f.write_str("lazy"),
            Schedule::Eager => f.write_str("eager"),
            Schedule::Reverse => f.write_str("reverse"),
            Schedule::Random(seed) => write!(f, "{seed}"),
        }
    }
}

impl Serialize for Schedule {
    /// As the text that [`FromStr`](std::str::FromStr) reads.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::str::FromStr for Schedule {
    type Err = String;

    /// `lazy`, `eager`, `reverse`, or the seed of a random order.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "lazy" => Ok(Schedule::Lazy),
            "eager" => Ok(Schedule::Eager),
            "reverse" => Ok(Schedule::Reverse),
            _ => {
                let seed = text.parse().map(Schedule::Random);
                seed.map_err(|_| {
                    "a schedule is lazy, eager, reverse, or a seed: a number from 0 on".to_owned()
                })
            }
        }
    }
}

/// Instructions of a warp before another one has its turn.
const QUANTUM: u32 = 20_000;

/// The turns of a cluster's warps.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    schedule: Schedule,
    warps: usize,
    state: u64,
}

impl Turns {
    /// The turns of the cluster with this number.
    pub(crate) fn new(schedule: Schedule, cluster: u32, warps: usize) -> Self {
        let seed = if let Schedule::Random(seed) = schedule { seed } else { 0 };
        Turns { schedule, warps, state: seed ^ u64::from(cluster) << 32 }
    }

    /// A random number below `n`.
    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state) % n
    }

    /// The warps of one round.
    pub(crate) fn order(&mut self) -> Order {
        match self.schedule {
            Schedule::Lazy | Schedule::Eager => Order::Forward(0..self.warps),
            Schedule::Reverse => Order::Backward((0..self.warps).rev()),
            Schedule::Random(_) => {
                let mut order: Vec<usize> = (0..self.warps).collect();
                for i in (1..order.len()).rev() {
                    order.swap(i, self.below(i as u64 + 1) as usize);
                }
                Order::Listed(order.into_iter())
            }
        }
    }

    /// Instructions of the next turn.
    pub(crate) fn quantum(&mut self) -> u32 {
        match self.schedule {
            Schedule::Random(_) => [QUANTUM, 1000, 50, 3][self.below(4) as usize],
            _ => QUANTUM,
        }
    }
}

pub(crate) enum Order {
    Forward(std::ops::Range<usize>),
    Backward(std::iter::Rev<std::ops::Range<usize>>),
    Listed(std::vec::IntoIter<usize>),
}

impl Iterator for Order {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Order::Forward(order) => order.next(),
            Order::Backward(order) => order.next(),
            Order::Listed(order) => order.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_begins_with_the_named_schedules() {
        let texts = |count| Schedule::sample(count).map(|s| s.to_string()).collect::<Vec<_>>();
        assert_eq!(texts(1), ["lazy"]);
        assert_eq!(texts(5), ["lazy", "eager", "reverse", "1", "2"]);
        assert!(Schedule::sample(9).all(|schedule| schedule.to_string().parse() == Ok(schedule)));
    }
}
