//! Stores.

use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::parts::value_at;
use crate::machine::rounding::{Replaced, is_near};
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::memory::span::Spans;
use crate::program::{Access, Slot};
use crate::shared::SharedMemory;
use crate::update::one_at_a_time;
use cute_machine::int::mask;
use cute_machine::types::Leaf;

impl Warp {
    pub(super) fn store(
        &mut self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        src: Slot,
        address: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let spans = self.spans(cluster, access, address, active)?;
        let bytes = access.bytes as usize;
        let kind = if access.strong { AccessKind::Atomic } else { AccessKind::Write };
        let left = match &spans {
            Spans::Together(at) if !access.strong => self.store_together(cluster, access, src, at, active),
            _ => active,
        };
        for lane in lanes_of(left) {
            let i = lane as usize;
            let span = spans.of(lane);
            self.can_write(cluster, lane, span, bytes)?;
            let _guard = (access.strong && span.space == GLOBAL).then(one_at_a_time);
            if access.strong {
                self.meets(cluster, lane, span);
            }
            for leaf in &access.leaves {
                match span.space {
                    // Memory of the thread keeps the marks of bytes, but not of followed loads.
                    LOCAL => self.registers.use_followed(src + leaf.slot, 1 << lane),
                    _ => {
                        self.use_address(cluster, src + leaf.slot, 1 << lane);
                        let stored = (src + leaf.slot, 8 * leaf.bytes);
                        self.registers.defined_bits(
                            cluster.machine.kernel,
                            stored,
                            1 << lane,
                            "stored value",
                        )?;
                    }
                }
            }
            if matches!(span.space, SHARED | GLOBAL) && cluster.machine.launch.check_races {
                let new = |l: &Leaf| self.registers.get(src + l.slot)[i] & mask(l.bytes * 8);
                let machine = cluster.machine;
                let read = |shared: &SharedMemory, l: &Leaf| {
                    value_at(machine, shared, &[], span, l.offset as usize, l.bytes as usize)
                };
                let holds = |shared: &SharedMemory| access.leaves.iter().all(|l| read(shared, l) == new(l));
                if !access.strong && !holds(&cluster.shared) {
                    let old = |l: &Leaf| read(&cluster.shared, l);
                    let stored = |lane: u32, l: &Leaf| {
                        self.registers.get(src + l.slot)[lane as usize] & mask(l.bytes * 8)
                    };
                    let all = |is: &dyn Fn(&Leaf) -> bool| access.leaves.iter().all(is);
                    let rivals = lanes_of(active).filter(|lane| all(&|l| stored(*lane, l) == old(l)));
                    let replaced = Replaced {
                        by: lane,
                        is_near: all(&|l| is_near(old(l), new(l), l.bytes as usize)),
                        rivals: rivals.fold(0, |lanes, lane| lanes | 1 << lane),
                    };
                    cluster.journal.replaces(replaced);
                }
                self.watch(
                    cluster,
                    lane,
                    span,
                    bytes,
                    (kind, access.reach(kind)),
                    self.lanes.at(),
                    Some(&holds),
                );
            }
            for leaf in &access.leaves {
                let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
                let value = self.registers.get(src + leaf.slot)[i];
                cluster.write(self.stack.locals_mut(i), span, at, n, value);
                if let Some(unknown) = self.registers.unknown(src + leaf.slot, lane)
                    && let Some(local) = self.stack.locals_mut(i).get_mut(span.allocation as usize)
                {
                    local.forget(span.start + at, n, unknown);
                }
            }
            if access.strong {
                self.publish(cluster, access, false, lane, span);
            }
        }
        Ok(())
    }
}
