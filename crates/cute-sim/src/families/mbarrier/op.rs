//! Operations on an `mbarrier`, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use crate::race::Scope;
use serde::{Deserialize, Serialize};

/// An operation on an `mbarrier`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum MbarrierOp {
    /// An act at the barrier with this address, in this space.
    At { act: MbarrierAct, address: Slot, space: u32 },
    /// The arrivals that were pending when a token was made.
    PendingCount { dst: Slot, token: Slot },
    /// `fence.mbarrier_init`.
    Fence,
}

/// An act of a thread at an `mbarrier`.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum MbarrierAct {
    Init {
        count: Slot,
    },
    Invalidate,
    /// `expect_tx`, or `complete_tx`: the bytes have arrived.
    Expect {
        bytes: Slot,
        comes: bool,
    },
    Arrive(Arrival),
    /// `cp.async.mbarrier.arrive`: an arrival after the copies that the thread has issued; with
    /// `increment`, the phase expects one arrival more.
    Follow {
        increment: bool,
    },
    Wait(BarrierWait),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Arrival {
    /// 1 if it is not given.
    pub count: Option<Slot>,
    /// Bytes to expect before the arrival.
    pub expect: Option<Slot>,
    /// Whether later phases no longer expect it.
    pub drop: bool,
    /// Whether it may complete the phase.
    pub completes: bool,
    /// Whether it publishes nothing.
    pub relaxed: bool,
    /// The threads to which it publishes.
    pub scope: Scope,
    /// The register for a token of the phase.
    pub dst: Option<Slot>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct BarrierWait {
    pub awaited: AwaitedBy,
    pub blocking: Blocking,
    /// The register for whether the phase is complete.
    pub dst: Option<Slot>,
    /// Whether it acquires nothing.
    pub relaxed: bool,
    /// The threads from which it acquires.
    pub scope: Scope,
    /// Whether its result is unused, although it may return before the phase is complete.
    pub ignored: bool,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum AwaitedBy {
    Parity(Slot),
    Token(Slot),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Blocking {
    /// Answers at once.
    Test,
    /// May wait for a limited time.
    Try,
    /// Waits until the phase is complete.
    Until,
}

/// A wait by parity, as a question that a loop may repeat.
pub(crate) struct Question {
    pub(crate) address: Slot,
    pub(crate) parity: Slot,
    /// Whether the instruction itself lasts until the phase is complete.
    pub(crate) lasts: bool,
    pub(crate) answer: Option<Slot>,
}

impl MbarrierOp {
    fn act(&self) -> Option<&MbarrierAct> {
        match self {
            MbarrierOp::At { act, .. } => Some(act),
            MbarrierOp::PendingCount { .. } | MbarrierOp::Fence => None,
        }
    }

    pub fn is_fence(&self) -> bool {
        matches!(self, MbarrierOp::Fence)
    }

    pub(crate) fn initialises(&self) -> bool {
        matches!(self.act(), Some(MbarrierAct::Init { .. }))
    }

    /// Whether it is an arrival, at once or after copies.
    pub(crate) fn arrives(&self) -> bool {
        self.arrives_itself() || matches!(self.act(), Some(MbarrierAct::Follow { .. }))
    }

    /// Whether it is an arrival of the thread.
    pub(crate) fn arrives_itself(&self) -> bool {
        matches!(self.act(), Some(MbarrierAct::Arrive(_)))
    }

    /// Whether an arrival publishes nothing, and its scope; likewise for what a wait acquires.
    pub(crate) fn reach(&self) -> Option<(bool, Scope)> {
        match self.act()? {
            MbarrierAct::Arrive(Arrival { relaxed, scope, .. })
            | MbarrierAct::Wait(BarrierWait { relaxed, scope, .. }) => Some((*relaxed, *scope)),
            _ => None,
        }
    }

    pub fn waits(&self) -> bool {
        matches!(self.act(), Some(MbarrierAct::Wait(_)))
    }

    /// The register for the answer of a wait.
    pub(crate) fn answer(&self) -> Option<Slot> {
        match self.act()? {
            MbarrierAct::Wait(wait) => wait.dst,
            _ => None,
        }
    }

    /// The question of a wait by parity.
    pub(crate) fn question(&self) -> Option<Question> {
        match *self {
            MbarrierOp::At {
                act: MbarrierAct::Wait(BarrierWait { awaited: AwaitedBy::Parity(parity), blocking, dst, .. }),
                address,
                ..
            } => Some(Question { address, parity, lasts: blocking == Blocking::Until, answer: dst }),
            _ => None,
        }
    }

    /// The registers whose values have an effect.
    pub(crate) fn uses(&self) -> Vec<Slot> {
        let (act, address) = match *self {
            MbarrierOp::At { act, address, .. } => (act, address),
            MbarrierOp::PendingCount { token, .. } => return vec![token],
            MbarrierOp::Fence => return Vec::new(),
        };
        let others = match act {
            MbarrierAct::Init { count } => vec![count],
            MbarrierAct::Expect { bytes, .. } => vec![bytes],
            MbarrierAct::Arrive(Arrival { count, expect, .. }) => count.into_iter().chain(expect).collect(),
            MbarrierAct::Wait(BarrierWait {
                awaited: AwaitedBy::Parity(slot) | AwaitedBy::Token(slot),
                ..
            }) => vec![slot],
            MbarrierAct::Invalidate | MbarrierAct::Follow { .. } => Vec::new(),
        };
        others.into_iter().chain([address]).collect()
    }

    /// The register that it sets.
    pub fn sets(&self) -> Option<Slot> {
        match *self {
            MbarrierOp::At { act: MbarrierAct::Arrive(arrival), .. } => arrival.dst,
            MbarrierOp::PendingCount { dst, .. } => Some(dst),
            MbarrierOp::At { .. } | MbarrierOp::Fence => self.answer(),
        }
    }
}
