//! Moving a tile of registers from one placement to another: what the threads of a block must exchange, and how.
//!
//! Knows who has which element before and after. Must not know how code for it looks.
//!
//! | file | what |
//! |---|---|
//! | `owners` | who has which element |
//! | `placed` | the same of a placement along the axes of threads and `m` |
//! | `mod` | the plans, and which is the cheapest |
//! | `exchange`, `linear` | rounds of shuffles; of exchanges that are linear over bits |
//! | `shared` | the round trip through shared memory |
//! | `error` | why not |
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
pub use table::{Field, Table};

/// How elements get from the registers that have them to the registers that should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Every register has what it should.
    Nothing,
    /// Register `i` takes what register `moves[i]` of its own thread has. None: what it has does not matter.
    Moves(Vec<Option<usize>>),
    /// Lanes of a warp exchange registers.
    Shuffles(Exchange),
    /// Threads exchange through shared memory.
    Shared(RoundTrip),
}

impl Plan {
    /// What it costs, in passes of a warp: a shuffle is one, a choice between two registers and a bit that is no XOR of the
    /// lane's bits half of one, a barrier as much as the latency it waits for.
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

/// The cheapest way to bring the elements from `from` to `to`. Shared memory is the way where lanes of other warps have what
/// a thread needs or warps differ in what their lanes need, and of a block of several warps where it costs less than
/// shuffles.
///
/// Elements are of `bits` bits and a register has one. Fails when an element that `to` has is nowhere in `from`, or where
/// elements lie in shared memory is no arithmetic on the thread's number.
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
