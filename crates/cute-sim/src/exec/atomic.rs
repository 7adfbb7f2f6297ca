//! Atomic operations: lane after lane, each in one step.

use super::alu::{LaneFinding, lanes_of};
use crate::finding::{AccessKind, FindingKind};
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::program::Op;
use crate::report::Traffic;
use crate::update::{apply, one_at_a_time};

impl Warp {
    pub(crate) fn atomic(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &Op,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let &Op::Atomic { update, scalar, address, access, value, expected, old, swapped } = op else {
            return Ok(());
        };
        let kernel = cluster.machine.kernel;
        let access = &kernel.accesses[access as usize];
        self.defined(kernel, address, active, "address")?;
        self.defined(kernel, value, active, "operand of the atomic operation")?;
        self.defined(kernel, expected, active, "expected value")?;
        self.last_read = (self.at, active.trailing_zeros(), self.executed);
        let bytes = access.bytes as usize;
        let (mut addresses, mut shared, mut global) = ([0; 32], 0, 0);
        for lane in lanes_of(active) {
            let i = lane as usize;
            let at = |kind| LaneFinding { lane, kind };
            let pointer = self.get(address)[i];
            let span = cluster
                .span(&self.locals[i], pointer, access.space, access.bytes, access.align)
                .map_err(at)?;
            match span.space {
                SHARED => shared |= 1 << lane,
                GLOBAL => global |= 1 << lane,
                LOCAL => {}
                _ => {
                    return Err(at(FindingKind::ReadOnly { place: cluster.place(&[], span) }));
                }
            }
            addresses[i] = span.address();
            self.can_write(cluster, lane, span, bytes)?;
            let guard = one_at_a_time();
            self.meets(cluster, lane, span);
            let before = cluster.read(&self.locals[i], span, 0, bytes);
            let fails = swapped.is_some() && before != self.get(expected)[i];
            let acquires = if fails { access.order.failed } else { access.order.acquire };
            self.observe(cluster, access, acquires, lane, span);
            self.can_read(cluster, access, lane, span, bytes, AccessKind::Atomic)?;
            let after =
                apply(update, scalar, before, self.get(value)[i], self.get(expected)[i]).map_err(at)?;
            let changes = cluster.changes;
            cluster.write(&mut self.locals[i], span, 0, bytes, after);
            if !fails {
                self.publish(cluster, access, true, lane, span);
            }
            drop(guard);
            // A lock that is taken stays so however often it is taken.
            cluster.changes = if after == before { changes } else { cluster.changes };
            if let Some(slot) = swapped {
                self.set_lane(slot, lane, (!fails).into());
            }
            self.set_lane(old, lane, before);
        }
        cluster.counters.access(self.at, Traffic::Shared, &addresses, shared, access.bytes);
        cluster.counters.access(self.at, Traffic::Global, &addresses, global, access.bytes);
        Ok(())
    }
}
