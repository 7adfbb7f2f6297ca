//! Operations whose bytes an `mbarrier` counts when they arrive in shared memory: bulk copies to
//! it, `st.async` and `red.async`, and the responses of `clusterlaunchcontrol`.
//!
//! The accesses are recorded in the shadows when an operation is issued, as those of an agent of
//! the barrier, so races with it occur under every schedule.

use crate::families::bulk::rows::Rows;
use crate::race::Clocks;
use crate::task::Issued;
use crate::update::Update;
use cute_machine::types::Scalar;
use std::collections::{BTreeMap, HashMap};

/// Bytes of a response, and their alignment.
pub(crate) const RESPONSE: usize = 16;

/// The bytes that arrive.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Payload {
    Rows(Rows),
    /// Values of this type, which update or replace the old values.
    Values {
        values: Box<[Value]>,
        scalar: Scalar,
        update: Option<Update>,
    },
    /// The response to `clusterlaunchcontrol.try_cancel`, at this place in the cluster's shared
    /// memory.
    Response {
        at: usize,
        response: [u8; RESPONSE],
    },
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    /// The place in the cluster's shared memory.
    pub(crate) at: usize,
    pub(crate) bits: u64,
}

impl Payload {
    /// Bytes that a barrier counts.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Payload::Rows(rows) => rows.counted(),
            Payload::Values { values, scalar, .. } => values.len() * scalar.bytes() as usize,
            Payload::Response { .. } => RESPONSE,
        }
    }
}

/// An operation on its way to the shared memory of a block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Landing {
    pub(crate) issued: Issued,
    pub(crate) payload: Payload,
    /// The place of the barrier that counts the bytes, and its agent.
    pub(crate) barrier: usize,
    pub(crate) agent: u32,
}

/// The last operation that an agent has executed, or executes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landed {
    pub(crate) issued: Issued,
    /// The place of the barrier, and the phase in which it counted it, once it has.
    pub(crate) barrier: usize,
    pub(crate) phase: Option<u64>,
    /// Rank of the destination block.
    pub(crate) rank: u32,
}

/// The operations that the barriers of a cluster count.
#[derive(Debug, Default)]
pub(crate) struct Landings {
    /// Issued, and not executed.
    pending: Vec<Landing>,
    /// For each barrier, the agents of the operations that it counts, and whether they are busy.
    agents: HashMap<usize, Vec<(u32, bool)>>,
    /// The last operation of each of those agents.
    landed: BTreeMap<u32, Landed>,
}

impl Landings {
    /// An agent for operations that a barrier counts, which is busy now.
    pub(crate) fn agent(&mut self, barrier: usize, clocks: &mut Clocks) -> u32 {
        let agents = self.agents.entry(barrier).or_default();
        match agents.iter_mut().find(|(_, busy)| !busy) {
            Some((agent, busy)) => {
                *busy = true;
                *agent
            }
            None => {
                let agent = clocks.agent();
                agents.push((agent, true));
                agent
            }
        }
    }

    /// The agent executes this operation from now on.
    pub(crate) fn begin(&mut self, agent: u32, landed: Landed) {
        self.landed.insert(agent, landed);
    }

    /// An operation is on its way.
    pub(crate) fn send(&mut self, landing: Landing) {
        self.pending.push(landing);
    }

    /// Takes all operations that are on their way.
    pub(crate) fn take(&mut self) -> Vec<Landing> {
        std::mem::take(&mut self.pending)
    }

    /// The number of operations that are on their way.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// An agent of a barrier has executed its operation.
    pub(crate) fn arrive(&mut self, barrier: usize, agent: u32) {
        for (own, busy) in self.agents.entry(barrier).or_default() {
            *busy &= *own != agent;
        }
    }

    /// A barrier has counted the agent's operation of this time in a phase.
    pub(crate) fn count(&mut self, agent: u32, time: u32, phase: u64) {
        if let Some(landed) = self.landed.get_mut(&agent).filter(|landed| landed.issued.time == time) {
            landed.phase = Some(phase);
        }
    }

    /// The last operation of an agent.
    pub(crate) fn of(&self, agent: u32) -> Option<&Landed> {
        self.landed.get(&agent)
    }

    /// The last operation of each agent, in the order of agents.
    pub(crate) fn all(&self) -> impl Iterator<Item = (u32, &Landed)> {
        self.landed.iter().map(|(agent, landed)| (*agent, landed))
    }
}
