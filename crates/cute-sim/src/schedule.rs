//! The order of events where the hardware leaves it open: everything that a kernel must not depend
//! on, chosen so that the same launch always gives the same result.

use cute_machine::place::SourcePlace;
use serde::{Serialize, Serializer};
use std::fmt;

/// The choices of a launch where the hardware leaves the order open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Schedule {
    /// Blocks and warps in order; asynchronous work as late as its waits allow.
    #[default]
    Lazy,
    /// Blocks and warps in order; asynchronous work as soon as it is issued.
    Eager,
    /// The last warp of the last block first, among the blocks that are resident together;
    /// asynchronous work as late as possible, also later than other work that nobody waits for
    /// yet; `elect.sync` elects the highest lane, and under all other schedules the lowest.
    Reverse,
    /// Warps, and the blocks that are resident together, in random order, for turns of random
    /// length; asynchronous work at random times; waits that may return early do so at random.
    Random(u64),
}

impl Schedule {
    /// The first `count` schedules of a sample: lazy, eager, reverse, then the seeds from 1 on.
    pub fn sample(count: u32) -> impl Iterator<Item = Schedule> {
        let named = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse];
        named.into_iter().chain((1..).map(Schedule::Random)).take(count as usize)
    }

    /// The lane that `elect.sync` elects unless a launch [chooses](crate::Launch::elect) another.
    pub fn election(self) -> Election {
        match self {
            Schedule::Reverse => Election::Last,
            Schedule::Lazy | Schedule::Eager | Schedule::Random(_) => Election::First,
        }
    }

    /// Whether a `try_wait` that finds its phase incomplete returns at once. `when` distinguishes
    /// calls. One that `lasts` is repeated until the phase is complete; after another one the
    /// thread goes a way that it never takes where all copies are early or all answers are late.
    pub(crate) fn answers_at_once(self, when: u64, lasts: bool) -> bool {
        match self {
            Schedule::Eager => true,
            Schedule::Lazy => false,
            Schedule::Reverse => !lasts,
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

/// The lane that `elect.sync` elects among those of its mask. PTX says only that it is the same one
/// for the same mask. All devices that have been seen elect the lowest one, and kernels rely on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Election {
    /// The lowest lane.
    First,
    /// The highest lane.
    Last,
    /// This lane if the mask has it, otherwise the lowest.
    Lane(u32),
    /// The highest lane at instructions before this one, the lowest at the others. A search for the
    /// election that a kernel relies on takes the numbers from [`Report::elections`].
    ///
    /// [`Report::elections`]: crate::Report::elections
    LastBefore(u32),
}

/// An `elect.sync` that threads executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elected {
    /// Its number among the instructions of the kernel.
    pub site: u32,
    /// The operation's name.
    pub op: String,
    /// The source location.
    pub location: SourcePlace,
}

impl Election {
    /// The lane among these, at an instruction.
    pub(crate) fn among(self, lanes: u32, at: u32) -> u32 {
        let (lowest, highest) = (lanes.trailing_zeros(), 31 - lanes.leading_zeros());
        match self {
            Election::Lane(lane) if lanes.checked_shr(lane).is_some_and(|lanes| lanes & 1 == 1) => lane,
            Election::First | Election::Lane(_) => lowest,
            Election::Last => highest,
            Election::LastBefore(end) => {
                if at < end {
                    highest
                } else {
                    lowest
                }
            }
        }
    }
}

impl std::str::FromStr for Election {
    type Err = String;

    /// `first`, `last`, or the number of a lane.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "first" => Ok(Election::First),
            "last" => Ok(Election::Last),
            _ => match text.parse() {
                Ok(lane @ 0..32) => Ok(Election::Lane(lane)),
                _ => Err("the elected lane is first, last, or a number from 0 to 31".to_owned()),
            },
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

    /// The numbers below `count`, mixed.
    pub(crate) fn mixed(&mut self, count: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, self.below(i as u64 + 1) as usize);
        }
        order
    }

    /// The warps of one round.
    pub(crate) fn order(&mut self) -> Order {
        match self.schedule {
            Schedule::Lazy | Schedule::Eager => Order::Forward(0..self.warps),
            Schedule::Reverse => Order::Backward((0..self.warps).rev()),
            Schedule::Random(_) => Order::Listed(self.mixed(self.warps as u32).into_iter()),
        }
    }

    /// Instructions of the warps of a cluster, at most `most`, before another cluster has its turn.
    pub(crate) fn slice(&mut self, most: u64) -> u64 {
        match self.schedule {
            Schedule::Random(_) => [most, 1000, 100, 10][self.below(4) as usize],
            _ => most,
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
    Listed(std::vec::IntoIter<u32>),
}

impl Iterator for Order {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match self {
            Order::Forward(order) => order.next(),
            Order::Backward(order) => order.next(),
            Order::Listed(order) => order.next().map(|warp| warp as usize),
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

    #[test]
    fn one_lane_of_the_mask_is_elected() {
        let mask = 0x0ff0_0500;
        for (text, lane) in [("first", 8), ("last", 27), ("20", 20), ("0", 8), ("31", 8)] {
            let election: Election = text.parse().expect("an election");
            assert_eq!(election.among(mask, 7), lane, "{text}");
        }
        assert_eq!([7, 8].map(|end| Election::LastBefore(end).among(mask, 7)), [8, 27]);
        for wrong in ["", "32", "-1", "lowest"] {
            assert!(wrong.parse::<Election>().is_err(), "{wrong}");
        }
    }
}
