//! The registers of a warp: the values of its lanes; what of them is undefined, in flight, or
//! followed to its uses; and registers that calls have saved.
//!
//! | file | subject |
//! |---|---|
//! | `values` | reading and writing |
//! | `undefined`, `unknown` | undefined values, and the origins of these |
//! | `flight` | values that have not arrived |
//! | `doubt` | loads whose values are followed to their uses |
//! | `packed` | registers as the words of matrix operands |
//! | `frame` | registers that calls have saved |

pub(crate) mod doubt;
pub(crate) mod flight;
pub(crate) mod frame;
pub(crate) mod packed;
pub(crate) mod undefined;
pub(crate) mod unknown;
mod values;

use crate::lanes::Lanes;
use doubt::Doubts;
use flight::Flights;
use std::cell::{RefCell, RefMut};
use unknown::Unknowns;

#[derive(Clone)]
pub(crate) struct Registers {
    /// The value of each register in each lane.
    values: Vec<Lanes>,
    /// For each register, the lanes in which it is undefined.
    undefined: Vec<u32>,
    /// More about those.
    unknowns: Unknowns,
    /// The followed loads that values depend on.
    doubts: RefCell<Doubts>,
    flights: Flights,
    /// Lanes without a thread, or whose threads have ended.
    ended: u32,
    /// The instruction that runs.
    at: u32,
}

impl Registers {
    /// Registers that begin with these values, of which some are undefined. The lanes `ended` have
    /// no thread.
    pub(crate) fn new(values: Vec<Lanes>, undefined: Vec<u32>, ended: u32) -> Self {
        Registers {
            values,
            undefined,
            unknowns: Unknowns::default(),
            doubts: RefCell::default(),
            flights: Flights::new(),
            ended,
            at: 0,
        }
    }

    /// An instruction runs.
    #[inline]
    pub(crate) fn run(&mut self, at: u32) {
        self.at = at;
    }

    /// The instruction that runs.
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// The threads of these lanes have ended.
    pub(crate) fn end(&mut self, lanes: u32) {
        self.ended |= lanes;
    }

    /// The loads that values depend on.
    pub(crate) fn doubts(&self) -> RefMut<'_, Doubts> {
        self.doubts.borrow_mut()
    }

    /// Whether followed loads have been used since they were taken.
    #[inline]
    pub(crate) fn has_uses(&self) -> bool {
        self.doubts.borrow().has_news()
    }
}
