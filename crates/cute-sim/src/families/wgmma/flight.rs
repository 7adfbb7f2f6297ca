//! Findings about registers in flight.

use crate::finding::{FindingKind, LaneFinding, WgmmaRule};
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use crate::program::Kernel;
use crate::registers::flight::{Flight, in_flight};

impl Warp {
    /// Reports that registers in flight were read, if they were, by the instruction that runs.
    pub(crate) fn read_in_flight(&mut self, kernel: &Kernel) -> Result<(), LaneFinding> {
        let Some((at, lane, flight)) = self.registers.take_read() else { return Ok(()) };
        self.lanes.run(at);
        Err(LaneFinding { lane, kind: in_flight(kernel, flight) })
    }

    /// Says what would complete the MMA of a register in flight.
    fn group_behind(&self, cluster: &mut Cluster<'_>, ticket: u32) -> Option<u32> {
        let queue = cluster.engine.warpgroups.of(self.group_id());
        let groups = &queue.warps[self.number() as usize % GROUP].groups;
        let own = groups.iter().position(|(last, _)| *last >= ticket)?;
        Some((groups.len() - 1 - own) as u32)
    }

    /// Completes a finding about a register in flight.
    pub(crate) fn name_group(&self, cluster: &mut Cluster<'_>, kind: &mut FindingKind) {
        let FindingKind::Wgmma { rule: WgmmaRule::InFlight { location, younger, .. } } = kind else { return };
        let sites = &cluster.machine.kernel.sites;
        let flights = self.registers.flights().filter_map(|slot| self.registers.flight(slot));
        let is_it = |flight: &Flight| sites[flight.site as usize].location == *location;
        if let Some(flight) = flights.filter(is_it).max_by_key(|flight| flight.ticket) {
            *younger = self.group_behind(cluster, flight.ticket);
        }
    }
}
