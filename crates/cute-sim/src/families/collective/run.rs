//! The values that lanes get by an operation of theirs together.

use super::op::{CollectiveAct, CollectiveOp};
use super::turn::movmatrix;
use crate::lanes::{Lanes, lanes_of, mask_of};
use crate::operand::Slot;
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};
use crate::schedule::Election;
use cute_machine::format::Rounding;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;

/// Executes an operation in the participating lanes.
pub(crate) fn collective(registers: &mut Registers, op: &CollectiveOp, lanes: u32, election: Election) {
    let op = op.act;
    if let CollectiveAct::Shuffle { value, .. }
    | CollectiveAct::Match { value, .. }
    | CollectiveAct::Reduce { value, .. }
    | CollectiveAct::ReduceFloat { value, .. }
    | CollectiveAct::Transpose { value, .. } = op
    {
        registers.note_read(value, lanes);
        // A shuffle gives values to lanes, which may drop them like the lanes that loaded them.
        if !matches!(op, CollectiveAct::Shuffle { .. }) {
            registers.use_followed(value, lanes);
        }
    }
    match op {
        CollectiveAct::Shuffle { kind, dst, value, offset, clamp, in_range } => {
            let (values, offsets, clamps) =
                (*registers.get(value), *registers.get(offset), *registers.get(clamp));
            let (mut result, mut found, mut unknown) = ([0; 32], [0; 32], [None; 32]);
            for lane in lanes_of(lanes) {
                let i = lane as usize;
                let (source, inside) = kind.source(lane, offsets[i] as u32, clamps[i] as u32);
                result[i] = values[source as usize];
                found[i] = inside.into();
                // A lane that does not take part has no value.
                unknown[i] = if lanes >> source & 1 == 0 {
                    Some(Unknown {
                        origin: Origin::Lane { at: registers.at(), lane: source },
                        bits: u64::MAX,
                    })
                } else {
                    registers.unknown(value, source)
                };
            }
            registers.set_from(dst, lanes, &result, &[offset, clamp]);
            for lane in lanes_of(lanes).filter(|l| unknown[*l as usize].is_some()) {
                registers.set_unknown(dst, lane, unknown[lane as usize]);
            }
            if let Some(slot) = in_range {
                registers.set(slot, lanes, &found, 0);
            }
        }
        CollectiveAct::Vote { kind, dst, predicate } => {
            registers.use_followed(predicate, lanes);
            let yes = mask_of(registers.get(predicate)) & lanes;
            let result = kind.of(yes, lanes);
            give(registers, dst, lanes, &[result; 32], predicate);
        }
        CollectiveAct::Match { kind, dst, value, flag } => {
            let values = *registers.get(value);
            let peers = |i: usize| {
                lanes_of(lanes).filter(|l| values[*l as usize] == values[i]).fold(0u32, |m, l| m | 1 << l)
            };
            let (mut result, mut agree) = ([0; 32], [0; 32]);
            for lane in lanes_of(lanes) {
                let i = lane as usize;
                let (found, agrees) = kind.of(peers(i), lanes);
                (result[i], agree[i]) = (found.into(), agrees.into());
            }
            if let Some(slot) = flag {
                give(registers, slot, lanes, &agree, value);
            }
            give(registers, dst, lanes, &result, value);
        }
        CollectiveAct::Elect { dst, leader } => {
            let mut elected = [0; 32];
            let chosen = election.among(lanes, registers.at());
            elected[chosen as usize] = 1;
            registers.set(dst, lanes, &elected, 0);
            if let Some(slot) = leader {
                registers.set(slot, lanes, &[chosen.into(); 32], 0);
            }
        }
        CollectiveAct::Reduce { kind, dst, value } => {
            let values = *registers.get(value);
            let all = lanes_of(lanes).map(|l| values[l as usize] as u32);
            let result = all.reduce(|a, b| kind.of(a, b));
            let result = result.expect("an instruction has lanes");
            give(registers, dst, lanes, &[result.into(); 32], value);
        }
        CollectiveAct::ReduceFloat { least, magnitudes, nan, dst, value } => {
            let function = match least {
                true => Function::Min { nan, xorsign: false },
                false => Function::Max { nan, xorsign: false },
            };
            let (ty, rounding) = (Scalar::F32, Rounding::NearestEven);
            let of_two = Rounded { function, ty, rounding, ftz: false, saturate: false, relu: false };
            let mask = if magnitudes { u64::from(i32::MAX as u32) } else { u64::from(u32::MAX) };
            let values = *registers.get(value);
            let all = lanes_of(lanes).map(|lane| values[lane as usize] & mask);
            let result = all.reduce(|a, b| of_two.apply([a, b, 0])).expect("an instruction has lanes");
            // NaN is the canonical one, also of a lane alone.
            let result = of_two.apply([result, result, 0]);
            give(registers, dst, lanes, &[result; 32], value);
        }
        CollectiveAct::Transpose { dst, value } => {
            let turned = movmatrix(&registers.get(value).map(|word| word as u32)).map(u64::from);
            give(registers, dst, lanes, &turned, value);
        }
    }
}

/// Computes a value from a register of all lanes, and gives it to the lanes.
fn give(registers: &mut Registers, dst: Slot, lanes: u32, value: &Lanes, from: Slot) {
    let unknown = lanes_of(lanes).find_map(|lane| registers.unknown(from, lane));
    registers.set(dst, lanes, value, 0);
    if let Some(Unknown { origin, .. }) = unknown {
        lanes_of(lanes)
            .for_each(|lane| registers.set_unknown(dst, lane, Some(Unknown { origin, bits: u64::MAX })));
    }
}
