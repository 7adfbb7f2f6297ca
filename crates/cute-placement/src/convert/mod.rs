//! Moving a tile of registers from one placement to another: the exchange between the threads of a
//! block.
//!
//! This module contains the owners of each element before and after. It must not contain anything
//! about the code for the exchange.
//!
//! | file | subject |
//! |---|---|
//! | `owners` | the owners of elements |
//! | `placed` | the owners in a placement along the axes of threads and `m` |
//! | `mod` | the plans, and the choice of the cheapest |
//! | `exchange`, `linear` | rounds of shuffles; those of exchanges that are linear over bits |
//! | `shared` | the round trip through shared memory |
//! | `error` | the reasons for failure |
//! | `table` | numbers that depend on the thread, as arithmetic on it |

mod error;
mod exchange;
mod linear;
mod owners;
mod placed;
mod shared;
mod table;

use std::fmt;

pub use error::ConvertError;
pub use exchange::{Exchange, Round, Source};
pub use owners::{Owners, WARP};
pub use shared::{Put, RoundTrip};
pub use table::{Table, ThreadBits};

/// The way of elements from their registers to the registers that need them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Every register already has its value.
    Nothing,
    /// Register `i` takes the value of register `moves[i]` of its own thread. `None` if its value
    /// does not matter.
    Moves(Vec<Option<usize>>),
    /// Lanes of a warp exchange registers.
    Shuffles(Exchange),
    /// Threads exchange through shared memory.
    Shared(RoundTrip),
}

impl Plan {
    /// The cost in passes of a warp: a shuffle costs one; a selection between two registers, and a
    /// bit that is not an XOR of the lane's bits, cost half; a barrier costs the latency that it
    /// waits for.
    pub fn cost(&self) -> u64 {
        match self {
            Self::Nothing | Self::Moves(_) => 0,
            Self::Shuffles(exchange) => exchange.cost(),
            Self::Shared(trip) => trip.cost(),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "nothing moves"),
            Self::Moves(_) => write!(f, "registers move within their thread"),
            Self::Shuffles(exchange) => match exchange.rounds().len() {
                0 => write!(f, "registers move within their thread, by lane"),
                n => write!(f, "{n} shuffles of a warp"),
            },
            Self::Shared(trip) => trip.fmt(f),
        }
    }
}

/// The cheapest way to move the elements from `from` to `to`. It leads through shared memory if
/// lanes of other warps have values that a thread needs, if warps differ in the needs of their
/// lanes, or if that costs less than shuffles in a block of several warps.
///
/// Elements have `bits` bits, and a register holds one. Returns an error if an element of `to` is
/// missing in `from`, or if the places of elements in shared memory cannot be computed from the
/// thread's number.
pub fn plan(from: &Owners, to: &Owners, bits: i64) -> Result<Plan, ConvertError> {
    let mut needs = Vec::with_capacity(to.threads());
    for thread in 0..to.threads() {
        let mut own = Vec::with_capacity(to.registers());
        for register in 0..to.registers() {
            let Some(element) = to.element(thread, register) else {
                own.push(None);
                continue;
            };
            let nowhere = ConvertError::Nowhere { element, register, thread };
            let source = from.nearest(element, thread, register).ok_or(nowhere)?;
            own.push(Some(source));
        }
        needs.push(own);
    }
    let within = exchange::plan(&needs, to.registers());
    if let Some(plan) = &within
        && (plan.cost() == 0 || to.threads().max(from.threads()) <= WARP)
    {
        return Ok(plan.clone());
    }
    match (within, RoundTrip::new(from, to, bits)) {
        (Some(within), Ok(trip)) if within.cost() > trip.cost() => Ok(Plan::Shared(trip)),
        (Some(within), _) => Ok(within),
        (None, trip) => trip.map(Plan::Shared),
    }
}
