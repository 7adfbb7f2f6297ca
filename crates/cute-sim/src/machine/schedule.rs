//! The order of warps' turns, and the times of asynchronous work, as the schedule chooses them.

pub use crate::schedule::Schedule;

use crate::schedule::mix;

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
