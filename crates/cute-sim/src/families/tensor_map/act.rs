//! The effects of operations on tensor maps.

use super::op::TensorMapOp;
use super::read::{broken_map, words_of_map};
use crate::engine::Engine;
use crate::finding::{AccessKind, FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};
use crate::memory::address::{CONSTANT, GLOBAL, SHARED};
use crate::memory::span::Span;
use crate::program::Slot;
use crate::race::{Order, Reach, Scope};
use cute_arch::tensor_map::{ALIGN, BYTES as MAP_BYTES, MapField};

impl Cluster<'_> {
    /// Releases maps in a thread of the running block.
    fn release_maps(&mut self, threads: (u32, u32), scope: Scope) {
        let block = self.scene().block().number;
        let Cluster { engine: Engine { maps, .. }, clocks, .. } = self;
        maps.release(clocks, threads, block, scope);
    }
}

impl Warp {
    #[cold]
    pub(crate) fn tensor_map(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: TensorMapOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match op {
            TensorMapOp::Copy { to, from, scope } => {
                self.in_groups(0, cluster, None, active, |warp, cluster, lanes| {
                    warp.copy_map(cluster, (to, from), scope, lanes)
                })
            }
            op => self.map_operation(cluster, op, active).map(|()| Flow::Next),
        }
    }

    /// Operations on a map that each lane executes separately.
    fn map_operation(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: TensorMapOp,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        match op {
            TensorMapOp::Replace { address, space, field, ordinal, value } => {
                self.registers.defined(kernel, address, active, "address of the tensor map")?;
                self.registers.defined(kernel, value, active, "new value of the field")?;
                if let Some(ordinal) = ordinal {
                    self.registers.defined(kernel, ordinal, active, "ordinal of the field")?;
                }
                for lane in lanes_of(active) {
                    let get = |slot: Slot| self.registers.get(slot)[lane as usize];
                    let (at, field) = ((get(address), space), (field, ordinal.map_or(0, get), get(value)));
                    self.replace_field(cluster, lane, at, field)?;
                }
            }
            TensorMapOp::Release { scope } => {
                self.fence(cluster, scope, Order::RELEASE, active);
                for lane in lanes_of(active) {
                    let thread = self.thread(lane);
                    cluster.release_maps((thread, thread), scope);
                }
            }
            TensorMapOp::Acquire { address, space, scope } => {
                self.registers.defined(kernel, address, active, "address of the tensor map")?;
                for lane in lanes_of(active) {
                    let address = self.registers.get(address)[lane as usize];
                    let span = self.map_span(cluster, lane, address, space, &[GLOBAL, CONSTANT])?;
                    if span.space == GLOBAL {
                        let (map, block) = ((span.allocation, span.start), cluster.scene().block().number);
                        let Cluster { engine, clocks, .. } = cluster;
                        engine.maps.acquire(clocks, self.thread(lane), block, map, scope);
                    }
                }
                self.fence(cluster, scope, Order::ACQUIRE, active);
            }
            TensorMapOp::Copy { .. } => unreachable!("the warp does it together"),
        }
        Ok(())
    }

    fn map_span(
        &self,
        cluster: &Cluster<'_>,
        lane: u32,
        address: u64,
        space: u32,
        spaces: &[u32],
    ) -> Result<Span, LaneFinding> {
        let at = |kind| LaneFinding { lane, kind };
        let span =
            cluster.span(self.stack.locals(lane as usize), address, space, MAP_BYTES as u64, ALIGN.into());
        let span = span.map_err(at)?;
        if spaces.contains(&span.space) {
            return Ok(span);
        }
        Err(at(match span.space {
            CONSTANT => FindingKind::ReadOnly { place: cluster.scene().place(&[], span) },
            _ => FindingKind::WrongSpace { address, expected: spaces[0] },
        }))
    }

    /// `tensormap.replace`: reads and writes the map as a whole.
    fn replace_field(
        &mut self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        (address, space): (u64, u32),
        (field, ordinal, value): (MapField, u64, u64),
    ) -> Result<(), LaneFinding> {
        let at = |kind| LaneFinding { lane, kind };
        let span = self.map_span(cluster, lane, address, space, &[GLOBAL, SHARED])?;
        self.can_write(cluster, lane, span, MAP_BYTES)?;
        if span.space == SHARED {
            cluster.parts().can_send((&self.issuer(1 << lane), lane), span, MAP_BYTES).map_err(at)?;
        }
        let reach = (AccessKind::Write, Reach::default());
        self.watch(cluster, lane, span, MAP_BYTES, reach, self.lanes.at(), None);
        let mut words = words_of_map(cluster.machine, &cluster.shared, span);
        let ordinal = usize::try_from(ordinal).unwrap_or(usize::MAX);
        let replaced = field.replace(&mut words, ordinal, value);
        replaced.map_err(|broken| at(broken_map(cluster.scene(), span, broken.to_string())))?;
        for (i, word) in words.into_iter().enumerate() {
            cluster.write(self.stack.locals_mut(lane as usize), span, 8 * i, 8, word);
        }
        Ok(())
    }

    /// `tensormap.cp_fenceproxy`, executed by all lanes together: copies the map from shared to
    /// global memory, and releases it there.
    fn copy_map(
        &mut self,
        cluster: &mut Cluster<'_>,
        (to, from): ((Slot, u32), (Slot, u32)),
        scope: Scope,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, to.0, active, "address of the tensor map")?;
        self.registers.defined(kernel, from.0, active, "address of the tensor map")?;
        let lane = active.trailing_zeros();
        let at = |kind| LaneFinding { lane, kind };
        let get = |slot: Slot| self.registers.get(slot)[lane as usize];
        let source = self.map_span(cluster, lane, get(from.0), from.1, &[SHARED])?;
        let target = self.map_span(cluster, lane, get(to.0), to.1, &[GLOBAL])?;
        cluster.parts().can_send((&self.issuer(1 << lane), lane), source, MAP_BYTES).map_err(at)?;
        self.can_write(cluster, lane, target, MAP_BYTES)?;
        let reach = Reach { scope: Scope::Warp, ..Reach::default() };
        self.watch(cluster, lane, source, MAP_BYTES, (AccessKind::Read, reach), self.lanes.at(), None);
        self.watch(cluster, lane, target, MAP_BYTES, (AccessKind::Write, reach), self.lanes.at(), None);
        for (i, word) in words_of_map(cluster.machine, &cluster.shared, source).into_iter().enumerate() {
            cluster.write(self.stack.locals_mut(lane as usize), target, 8 * i, 8, word);
        }
        let writer = self.thread(lane);
        for lane in lanes_of(active) {
            cluster.release_maps((self.thread(lane), writer), scope);
        }
        self.fence(cluster, scope, Order::RELEASE, active);
        Ok(())
    }
}
