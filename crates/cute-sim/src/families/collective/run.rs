//! The values that lanes get by an operation of theirs together.

use super::op::Collective;
use super::turn::movmatrix;
use crate::lanes::{Lanes, lanes_of, mask_of};
use crate::operand::Slot;
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};
use crate::schedule::Election;
use cute_machine::format::Rounding;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use cute_ptx::{Redux, Shuffle, Vote};

/// Executes an operation in the participating lanes.
pub(super) fn run(registers: &mut Registers, op: Collective, lanes: u32, election: Election) {
    if let Collective::Shuffle { value, .. }
    | Collective::Match { value, .. }
    | Collective::Reduce { value, .. }
    | Collective::ReduceFloat { value, .. }
    | Collective::Transpose { value, .. } = op
    {
        registers.note_read(value, lanes);
        // A shuffle gives values to lanes, which may drop them like the lanes that loaded them.
        if !matches!(op, Collective::Shuffle { .. }) {
            registers.use_followed(value, lanes);
        }
    }
    match op {
        Collective::Shuffle { kind, dst, value, offset, clamp, in_range } => {
            let (values, offsets, clamps) =
                (*registers.get(value), *registers.get(offset), *registers.get(clamp));
            let (mut result, mut found, mut unknown) = ([0; 32], [0; 32], [None; 32]);
            for lane in lanes_of(lanes) {
                let i = lane as usize;
                let (source, inside) = source(kind, lane, offsets[i] as u32, clamps[i] as u32);
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
        Collective::Vote { kind, dst, predicate } => {
            registers.use_followed(predicate, lanes);
            let yes = mask_of(registers.get(predicate)) & lanes;
            let result = match kind {
                Vote::Any => u64::from(yes != 0),
                Vote::All => u64::from(yes == lanes),
                Vote::Uniform => u64::from(yes == 0 || yes == lanes),
                Vote::Ballot => yes.into(),
            };
            give(registers, dst, lanes, &[result; 32], predicate);
        }
        Collective::Match { dst, value, all } => {
            let values = *registers.get(value);
            let peers = |i: usize| {
                lanes_of(lanes).filter(|l| values[*l as usize] == values[i]).fold(0u32, |m, l| m | 1 << l)
            };
            let mut result = [0; 32];
            lanes_of(lanes).for_each(|l| result[l as usize] = peers(l as usize).into());
            if let Some(slot) = all {
                let agree = result[lanes.trailing_zeros() as usize] == u64::from(lanes);
                result = [if agree { lanes.into() } else { 0 }; 32];
                give(registers, slot, lanes, &[agree.into(); 32], value);
            }
            give(registers, dst, lanes, &result, value);
        }
        Collective::Elect { dst, leader } => {
            let mut elected = [0; 32];
            let chosen = election.among(lanes, registers.at());
            elected[chosen as usize] = 1;
            registers.set(dst, lanes, &elected, 0);
            if let Some(slot) = leader {
                registers.set(slot, lanes, &[chosen.into(); 32], 0);
            }
        }
        Collective::Reduce { kind, dst, value } => {
            let values = *registers.get(value);
            let all = lanes_of(lanes).map(|l| values[l as usize] as u32);
            let result = all.reduce(|a, b| match kind {
                Redux::Add => a.wrapping_add(b),
                Redux::And => a & b,
                Redux::Or => a | b,
                Redux::Xor => a ^ b,
                Redux::MinS => (a as i32).min(b as i32) as u32,
                Redux::MaxS => (a as i32).max(b as i32) as u32,
                Redux::MinU => a.min(b),
                Redux::MaxU => a.max(b),
            });
            let result = result.expect("an instruction has lanes");
            give(registers, dst, lanes, &[result.into(); 32], value);
        }
        Collective::ReduceFloat { least, magnitudes, nan, dst, value } => {
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
        Collective::Transpose { dst, value } => {
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

/// The lane that a shuffle reads, and whether it exists; otherwise the lane itself (PTX ISA,
/// `shfl.sync`).
///
/// `clamp` holds the last lane of the segment in bits 0 to 4 and the segment's mask in bits 8 to
/// 12.
fn source(kind: Shuffle, lane: u32, offset: u32, clamp: u32) -> (u32, bool) {
    let (last, segment, offset) = (clamp & 31, clamp >> 8 & 31, offset & 31);
    let most = lane & segment | last & !segment;
    let least = lane & segment;
    let (from, inside) = match kind {
        Shuffle::Up => (lane.wrapping_sub(offset), lane as i32 - offset as i32 >= most as i32),
        Shuffle::Down => (lane + offset, lane + offset <= most),
        Shuffle::Xor => (lane ^ offset, lane ^ offset <= most),
        Shuffle::Index => (least | offset & !segment, least | offset & !segment <= most),
    };
    if inside { (from & 31, true) } else { (lane, false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `clamp` that CUDA's `__shfl_*_sync` passes for a width.
    fn clamp(kind: Shuffle, width: u32) -> u32 {
        (32 - width) << 8 | if kind == Shuffle::Up { 0 } else { 31 }
    }

    #[test]
    fn a_segment_bounds_a_shuffle() {
        for width in [1, 2, 4, 8, 16, 32] {
            for lane in 0..32 {
                for offset in 0..width {
                    let start = lane / width * width;
                    let run = |kind| source(kind, lane, offset, clamp(kind, width));
                    let or_own = |from: u32, inside: bool| if inside { (from, true) } else { (lane, false) };
                    assert_eq!(run(Shuffle::Index), (start + offset, true));
                    assert_eq!(run(Shuffle::Xor), (lane ^ offset, true));
                    assert_eq!(run(Shuffle::Down), or_own(lane + offset, lane + offset < start + width));
                    assert_eq!(run(Shuffle::Up), or_own(lane.wrapping_sub(offset), lane >= start + offset));
                }
            }
        }
    }
}
