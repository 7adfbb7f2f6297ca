//! Moving a tile of registers from one placement to another: what the threads of a block must exchange, and how.
//!
//! Knows who has which element before and after. Must not know how code for it looks.
//!
//! | file | what |
//! |---|---|
//! | `owners` | who has which element |
//! | `placed` | the same of a placement along the axes of threads and `m` |
//! | `mod` | the plans, and which is the cheapest |
//! | `exchange` | rounds of shuffles |
//! | `table` | values that depend on the lane, as arithmetic on it |

mod exchange;
mod owners;
mod placed;
mod table;

use std::fmt;

pub use exchange::{Exchange, Round, Source};
pub use owners::{Owners, WARP};
pub use table::{Field, LaneTable};

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
    Shared,
}

impl Plan {
    /// What it costs, in passes of a warp: a shuffle is one, a choice between two registers half of one.
    pub fn cost(&self) -> u64 {
        match self {
            Self::Nothing | Self::Moves(_) => 0,
            Self::Shuffles(exchange) => exchange.cost(),
            Self::Shared => u64::MAX,
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
            Self::Shared => write!(f, "a round trip through shared memory"),
        }
    }
}

/// The cheapest way without memory to bring the elements from `from` to `to`; [`Plan::Shared`] where lanes of other warps
/// have what a thread needs, or warps differ in what their lanes need.
///
/// Fails when an element that `to` has is nowhere in `from`.
pub fn plan(from: &Owners, to: &Owners) -> Result<Plan, String> {
    let mut needs = Vec::with_capacity(to.threads());
    for thread in 0..to.threads() {
        let mut own = Vec::with_capacity(to.registers());
        for register in 0..to.registers() {
            let Some(element) = to.element(thread, register) else {
                own.push(None);
                continue;
            };
            let source = from.nearest(element, thread, register).ok_or_else(|| {
                format!("element {element}, which register {register} of thread {thread} is to have, is in no register")
            })?;
            own.push(Some(source));
        }
        needs.push(own);
    }
    Ok(exchange::plan(&needs, to.registers()))
}
