//! Operations among the blocks of a cluster, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use crate::update::Update;
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ClusterOp {
    /// Arrives at the barrier of the cluster; a relaxed arrival publishes nothing. The lanes of a
    /// warp execute the aligned form together.
    Arrive {
        relaxed: bool,
        aligned: bool,
    },
    /// Waits for the phase that the thread arrived in.
    Wait {
        aligned: bool,
    },
    /// The rank of the block that an address of shared memory belongs to.
    Rank {
        dst: Slot,
        address: Slot,
        generic: bool,
    },
    /// `mapa`: the address of the same byte in the block with this rank.
    Map {
        dst: Slot,
        address: Slot,
        rank: Slot,
    },
    Send(Box<Remote>),
}

/// Values that a thread sends to the shared memory of the cluster: `st.async`, `red.async`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Remote {
    pub address: Slot,
    pub values: Box<[Slot]>,
    pub scalar: Scalar,
    pub update: Option<Update>,
    pub barrier: Slot,
}

impl Remote {
    /// Bytes of a thread's values.
    pub(crate) fn bytes(&self) -> usize {
        self.values.len() * self.scalar.bytes() as usize
    }
}

impl ClusterOp {
    /// Whether it is an arrival or a wait at the barrier.
    pub fn is_of_barrier(&self) -> bool {
        matches!(self, ClusterOp::Arrive { .. } | ClusterOp::Wait { .. })
    }

    /// Whether all lanes of the warp execute it together.
    pub(crate) fn is_aligned(&self) -> bool {
        matches!(self, ClusterOp::Arrive { aligned: true, .. } | ClusterOp::Wait { aligned: true })
    }

    /// Whether it is an arrival that publishes nothing.
    pub(crate) fn is_relaxed(&self) -> bool {
        matches!(self, ClusterOp::Arrive { relaxed: true, .. })
    }

    /// Whether a barrier counts the bytes that it sends.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self, ClusterOp::Send(_))
    }

    /// The register that it sets.
    pub fn sets(&self) -> Option<Slot> {
        match *self {
            ClusterOp::Rank { dst, .. } | ClusterOp::Map { dst, .. } => Some(dst),
            ClusterOp::Arrive { .. } | ClusterOp::Wait { .. } | ClusterOp::Send(_) => None,
        }
    }

    /// The register that it sets, with those that its value comes from.
    pub(crate) fn flow(&self) -> Option<(Slot, Vec<Slot>)> {
        match *self {
            ClusterOp::Rank { dst, address, .. } => Some((dst, vec![address])),
            ClusterOp::Map { dst, address, rank } => Some((dst, vec![address, rank])),
            ClusterOp::Arrive { .. } | ClusterOp::Wait { .. } | ClusterOp::Send(_) => None,
        }
    }

    /// The same, of `mapa` alone.
    pub(crate) fn flow_of_map(&self) -> Option<(Slot, Vec<Slot>)> {
        self.flow().filter(|_| matches!(self, ClusterOp::Map { .. }))
    }
}
