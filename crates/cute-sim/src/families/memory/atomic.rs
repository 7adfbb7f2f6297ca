//! Atomic operations: lane after lane, each in one step.

use crate::finding::LaneFinding;
use crate::finding::{AccessKind, FindingKind};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::program::{MemoryOp, Update};
use crate::report::Traffic;
use crate::update::{apply, apply_in_global, one_at_a_time};

impl Warp {
    pub(super) fn atomic(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &MemoryOp,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let &MemoryOp::Atomic { update, scalar, address, access, value, expected, old, swapped } = op else {
            return Ok(());
        };
        let kernel = cluster.machine.kernel;
        let access = &kernel.accesses[access as usize];
        self.registers.defined(kernel, address, active, "address")?;
        self.use_address(cluster, address, active);
        let bytes = access.bytes as usize;
        // A number of 128 bits is two words.
        let (words, width) = (bytes.div_ceil(8), bytes.min(8));
        for word in 0..words as u32 {
            let bits = 8 * width as u32;
            let role = "operand of the atomic operation";
            self.registers.defined_bits(kernel, (value + word, bits), active, role)?;
            self.registers.defined_bits(kernel, (expected + word, bits), active, "expected value")?;
        }
        self.marks.read(self.lanes.at(), active);
        let (mut addresses, mut shared, mut global) = ([0; 32], 0, 0);
        for lane in lanes_of(active) {
            let i = lane as usize;
            let at = |kind| LaneFinding { lane, kind };
            let pointer = self.registers.get(address)[i];
            let span = cluster
                .span(self.stack.locals(i), pointer, access.space, access.bytes, access.align)
                .map_err(at)?;
            match span.space {
                SHARED => shared |= 1 << lane,
                GLOBAL => global |= 1 << lane,
                LOCAL => {}
                _ => {
                    return Err(at(FindingKind::ReadOnly { place: cluster.scene().place(&[], span) }));
                }
            }
            addresses[i] = span.address();
            self.can_write(cluster, lane, span, bytes)?;
            let guard = one_at_a_time();
            self.meets(cluster, lane, span);
            let word = |warp: &Self, first: u32, word: usize| warp.registers.get(first + word as u32)[i];
            let before: [u64; 2] = std::array::from_fn(|at| match at < words {
                true => cluster.read(self.stack.locals(i), span, 8 * at, width),
                false => 0,
            });
            let fails = update == Update::CompareExchange
                && (0..words).any(|at| before[at] != word(self, expected, at));
            let acquires = if fails { access.order.failed } else { access.order.acquire };
            self.observe(cluster, access, acquires, lane, span);
            self.can_read(cluster, access, lane, span, bytes, AccessKind::Atomic)?;
            let mut after = before;
            for (n, after) in after.iter_mut().enumerate().take(words) {
                let (value, expected) = (word(self, value, n), word(self, expected, n));
                *after = match update {
                    Update::CompareExchange if fails => *after,
                    Update::CompareExchange => value,
                    _ if span.space == GLOBAL => {
                        apply_in_global(update, scalar, *after, value, expected).map_err(at)?
                    }
                    _ => apply(update, scalar, *after, value, expected).map_err(at)?,
                };
            }
            let changes = cluster.journal.changes_so_far();
            for (at, value) in after.into_iter().enumerate().take(words) {
                cluster.write(self.stack.locals_mut(i), span, 8 * at, width, value);
            }
            if !fails {
                self.publish(cluster, access, true, lane, span);
            }
            drop(guard);
            // A lock that is taken stays so however often it is taken.
            if after == before {
                cluster.journal.forget_changes_since(changes);
            }
            if let Some(slot) = swapped {
                self.registers.set_lane(slot, lane, (!fails).into());
            }
            for (slot, value) in (old..).zip(before).take(words) {
                self.registers.set_lane(slot, lane, value);
            }
        }
        cluster.journal.counters_mut().access(
            self.lanes.at(),
            Traffic::Shared,
            &addresses,
            shared,
            access.bytes,
        );
        cluster.journal.counters_mut().access(
            self.lanes.at(),
            Traffic::Global,
            &addresses,
            global,
            access.bytes,
        );
        Ok(())
    }
}
