//! The course of a warp's lanes: branches, calls, and ends.

use super::call::{back, call};
use crate::families::system::print::trap;
use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::{Lanes, lanes_of, mask_of};
use crate::machine::issuing::Stopping;
use crate::machine::parts::Parts;
use crate::machine::warp::{Flow, first_lane};
use crate::program::{ControlOp, Edge, Kernel, Slot};
use crate::registers::Registers;
use crate::registers::flight::Flight;
use crate::registers::unknown::Unknown;

/// A register for a block's argument, its undefined bits in each lane, and its mark if it is in
/// flight.
type Carried = (Lanes, Vec<(u32, Option<Unknown>)>, Option<Flight>);

/// Executes an instruction after which lanes may continue anywhere, or not at all.
pub(crate) fn go(
    parts: &Parts<'_, '_>,
    warp: &mut Stopping<'_>,
    op: &ControlOp,
) -> Result<Flow, LaneFinding> {
    let kernel = parts.machine().kernel;
    let active = warp.own.issuer.lanes;
    match *op {
        ControlOp::Jump { edge } => {
            return Ok(take(warp.own.registers, &kernel.edges[edge as usize], active));
        }
        ControlOp::Branch { condition, then, otherwise } => {
            warp.own.registers.defined(kernel, condition, active, "condition of the branch")?;
            let taken = mask_of(warp.own.registers.get(condition)) & active;
            return Ok(fork(
                warp,
                &[
                    (taken, &kernel.edges[then as usize]),
                    (active & !taken, &kernel.edges[otherwise as usize]),
                ],
            ));
        }
        ControlOp::Switch { flag, ref cases, default } => {
            warp.own.registers.defined(kernel, flag, active, "flag of the switch")?;
            let flags = *warp.own.registers.get(flag);
            let mut left = active;
            let mut ways = Vec::new();
            for (value, edge) in cases.iter() {
                let taken = lanes_of(left).filter(|lane| flags[*lane as usize] == *value);
                let taken = taken.fold(0, |m, lane| m | 1 << lane);
                left &= !taken;
                ways.push((taken, &kernel.edges[*edge as usize]));
            }
            ways.push((left, &kernel.edges[default as usize]));
            return Ok(fork(warp, &ways));
        }
        ControlOp::Return => unreachable!("the warp lets its lanes go"),
        ControlOp::Call { function, ref arguments, dst } => {
            return call(&mut warp.own, &kernel.functions, function, arguments, dst);
        }
        ControlOp::Back { src, len } => return Ok(back(warp, &kernel.functions, src, len)),
        ControlOp::Unreachable => return Err(first_lane(active, FindingKind::Unreachable)),
        ControlOp::Agree { value } => agree(warp.own.registers, kernel, value, active)?,
        ControlOp::Nowhere { ref what } => {
            return Err(first_lane(active, FindingKind::InvalidTarget { what: what.to_string() }));
        }
        ControlOp::Refused { ref what, .. } => {
            return Err(first_lane(active, FindingKind::Unmodelled { what: what.to_string() }));
        }
        ControlOp::Trap { message } => return Err(trap(parts, &warp.own, message)),
        ControlOp::Nothing => {}
    }
    Ok(Flow::Next)
}

/// Passes the arguments to the target block and continues there.
fn take(registers: &mut Registers, edge: &Edge, active: u32) -> Flow {
    pass(registers, edge, active);
    Flow::To(edge.target)
}

/// Sends lanes along several edges.
fn fork(warp: &mut Stopping<'_>, ways: &[(u32, &Edge)]) -> Flow {
    let mut taken = ways.iter().filter(|(lanes, _)| *lanes != 0);
    if let (Some((lanes, edge)), None) = (taken.next(), taken.next()) {
        return take(warp.own.registers, edge, *lanes);
    }
    for (lanes, edge) in ways.iter().filter(|(lanes, _)| *lanes != 0) {
        take(warp.own.registers, edge, *lanes);
        warp.lanes.park(*lanes, edge.target);
    }
    Flow::Apart
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
