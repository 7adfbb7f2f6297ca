//! The lanes of a warp at the barrier of its cluster.

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LanesAtCluster {
    /// Lanes that arrived in this phase, and in one that is complete.
    arrived: u32,
    passed: u32,
}

impl LanesAtCluster {
    /// Whether a lane has arrived in this phase.
    pub(crate) fn has_arrived(self, lane: u32) -> bool {
        self.arrived >> lane & 1 != 0
    }

    /// Lanes that have not arrived in this phase.
    pub(super) fn absent(self) -> u32 {
        !self.arrived
    }

    /// Lanes that have arrived and not waited.
    pub(super) fn expected(self) -> u32 {
        self.arrived | self.passed
    }

    /// Lanes that need not wait, since their phase is complete.
    pub(super) fn through(self) -> u32 {
        self.passed
    }

    pub(super) fn arrive(&mut self, lanes: u32) {
        self.arrived |= lanes;
    }

    /// The phase is complete.
    pub(super) fn complete(&mut self) {
        self.passed |= std::mem::take(&mut self.arrived);
    }

    /// Lanes have waited for their phase.
    pub(super) fn leave(&mut self, lanes: u32) {
        self.passed &= !lanes;
    }
}
