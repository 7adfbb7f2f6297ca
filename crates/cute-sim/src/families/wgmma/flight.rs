//! Findings about registers in flight.

use super::member::{group_of, member_of};
use super::queue::Warpgroups;
use crate::finding::{FindingKind, WgmmaRule};
use crate::machine::issuer::Issuer;
use crate::program::Kernel;
use crate::registers::Registers;
use crate::registers::flight::Flight;

impl Warpgroups {
    /// Says what would complete the MMA of a register in flight.
    fn group_behind(&mut self, issuer: &Issuer, ticket: u32) -> Option<u32> {
        let queue = self.of(group_of(issuer));
        let groups = &queue.warps[member_of(issuer)].groups;
        let own = groups.iter().position(|(last, _)| *last >= ticket)?;
        Some((groups.len() - 1 - own) as u32)
    }

    /// Completes a finding about a register in flight.
    pub(crate) fn name_group(
        &mut self,
        registers: &Registers,
        issuer: &Issuer,
        kernel: &Kernel,
        kind: &mut FindingKind,
    ) {
        let FindingKind::Wgmma { rule: WgmmaRule::InFlight { location, younger, .. } } = kind else { return };
        let flights = registers.flights().filter_map(|slot| registers.flight(slot));
        let is_it = |flight: &Flight| kernel.sites[flight.site as usize].location == *location;
        if let Some(flight) = flights.filter(is_it).max_by_key(|flight| flight.ticket) {
            *younger = self.group_behind(issuer, flight.ticket);
        }
    }
}
