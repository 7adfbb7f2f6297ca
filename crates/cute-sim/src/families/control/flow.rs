//! The course of a warp's lanes: branches, calls, and ends.

use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::{Lanes, lanes_of, mask_of};
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp, first_lane};
use crate::program::{ControlOp, Edge, Kernel, Slot};
use crate::registers::Registers;
use crate::registers::flight::Flight;
use crate::registers::unknown::Unknown;

/// A register for a block's argument, its undefined bits in each lane, and its mark if it is in
/// flight.
type Carried = (Lanes, Vec<(u32, Option<Unknown>)>, Option<Flight>);

impl Warp {
    /// Executes an instruction after which lanes may continue anywhere, or not at all.
    pub(crate) fn go(
        &mut self,
        op: &ControlOp,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            ControlOp::Jump { edge } => return Ok(self.take(&kernel.edges[edge as usize], active)),
            ControlOp::Branch { condition, then, otherwise } => {
                self.registers.defined(kernel, condition, active, "condition of the branch")?;
                let taken = mask_of(self.registers.get(condition)) & active;
                return Ok(self.fork(&[
                    (taken, &kernel.edges[then as usize]),
                    (active & !taken, &kernel.edges[otherwise as usize]),
                ]));
            }
            ControlOp::Switch { flag, ref cases, default } => {
                self.registers.defined(kernel, flag, active, "flag of the switch")?;
                let flags = *self.registers.get(flag);
                let mut left = active;
                let mut ways = Vec::new();
                for (value, edge) in cases.iter() {
                    let taken = lanes_of(left).filter(|lane| flags[*lane as usize] == *value);
                    let taken = taken.fold(0, |m, lane| m | 1 << lane);
                    left &= !taken;
                    ways.push((taken, &kernel.edges[*edge as usize]));
                }
                ways.push((left, &kernel.edges[default as usize]));
                return Ok(self.fork(&ways));
            }
            ControlOp::Return => {
                self.leave(cluster, active);
                return Ok(Flow::Apart);
            }
            ControlOp::Call { function, ref arguments, dst } => {
                return self.call(&kernel.functions, function, arguments, dst, active);
            }
            ControlOp::Back { src, len } => return Ok(self.back(&kernel.functions, src, len, active)),
            ControlOp::Unreachable => return Err(first_lane(active, FindingKind::Unreachable)),
            ControlOp::Agree { value } => agree(&mut self.registers, kernel, value, active)?,
            ControlOp::Nowhere { ref what } => {
                return Err(first_lane(active, FindingKind::InvalidTarget { what: what.to_string() }));
            }
            ControlOp::Refused { ref what, .. } => {
                return Err(first_lane(active, FindingKind::Unmodelled { what: what.to_string() }));
            }
            ControlOp::Trap { message } => return Err(self.trap(cluster, message, active)),
            ControlOp::Nothing => {}
        }
        Ok(Flow::Next)
    }

    /// Passes the arguments to the target block and continues there.
    fn take(&mut self, edge: &Edge, active: u32) -> Flow {
        pass(&mut self.registers, edge, active);
        Flow::To(edge.target)
    }

    /// Sends lanes along several edges.
    fn fork(&mut self, ways: &[(u32, &Edge)]) -> Flow {
        let mut taken = ways.iter().filter(|(lanes, _)| *lanes != 0);
        if let (Some((lanes, edge)), None) = (taken.next(), taken.next()) {
            return self.take(edge, *lanes);
        }
        for (lanes, edge) in ways.iter().filter(|(lanes, _)| *lanes != 0) {
            self.take(edge, *lanes);
            self.lanes.park(*lanes, edge.target);
        }
        Flow::Apart
    }
}

/// Passes the arguments of an edge to its target.
fn pass(registers: &mut Registers, edge: &Edge, active: u32) {
    if edge.overlap {
        let slots = |start: Slot, len: u32| start..start + len;
        let unknown = |s: Slot| -> Vec<(u32, Option<Unknown>)> {
            let lanes = if registers.flight(s).is_some() { 0 } else { registers.undefined_in(s) & active };
            lanes_of(lanes).map(|lane| (lane, registers.unknown(s, lane))).collect()
        };
        let values: Vec<Carried> = edge
            .moves
            .iter()
            .flat_map(|m| slots(m.src, m.len))
            .map(|s| (*registers.get(s), unknown(s), registers.flight(s)))
            .collect();
        let targets = edge.moves.iter().flat_map(|m| slots(m.dst, m.len));
        for (slot, (value, unknown, flight)) in targets.zip(&values) {
            if let Some(flight) = flight {
                registers.depart(slot, active, *flight);
                continue;
            }
            registers.set(slot, active, value, 0);
            unknown.iter().for_each(|(lane, unknown)| registers.set_unknown(slot, *lane, *unknown));
        }
    } else {
        edge.moves.iter().for_each(|m| registers.copy(m, active));
    }
}

/// The lanes must have one value.
fn agree(registers: &mut Registers, kernel: &Kernel, value: Slot, active: u32) -> Result<(), LaneFinding> {
    registers.defined(kernel, value, active, "condition")?;
    let values = registers.get(value);
    let first = values[active.trailing_zeros() as usize];
    let lanes = lanes_of(active).filter(|lane| values[*lane as usize] == first);
    let lanes = lanes.fold(0, |mask, lane| mask | 1 << lane);
    if lanes == active {
        return Ok(());
    }
    Err(first_lane(active, FindingKind::Apart { lanes, others: active & !lanes }))
}
