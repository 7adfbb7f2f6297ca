//! Lanes of one instruction that store the same sum, rounded in different ways.
//!
//! In a butterfly of shuffles, the lanes add the same values in different orders. The sums agree,
//! unless a compiler contracts the first addition with a product: `fma(x, x, y)` rounds one product
//! and not the other. Then the lanes store values that differ in their last bits, or in more of
//! them where terms cancel, and it is open which of them stays.
//!
//! Such a store is recognised by the code before it, which computes the value, and by the values of
//! the lanes. The code is read backwards: branches do not count.

use crate::families::scalar::op::Arithmetic;
use crate::lanes::lanes_of;
use crate::program::{Kernel, Op, Slot};
use cute_machine::int::mask;
use cute_machine::rounded::Function;
use smallvec::{SmallVec, smallvec};

/// The difference up to which two floats count as one number: units in the last place.
const UNITS: u64 = 4;

/// Instructions before another one that are looked at, and those that a value is followed
/// through.
const REACH: usize = 4096;
const STEPS: usize = 64;

/// A store that replaces other values than its own.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Replaced {
    /// The values differ by a few units in the last place.
    pub(crate) is_near: bool,
    /// The lane whose registers hold the new value.
    pub(crate) by: u32,
    /// The lanes of the warp that store what was there.
    pub(crate) rivals: u32,
}

/// Whether two floats of this size have one sign and differ by a few units in the last place. The
/// codes of floats of one sign are ordered as the floats are.
pub(crate) fn is_near(a: u64, b: u64, bytes: usize) -> bool {
    let sign = 1 << (8 * bytes - 1);
    (a ^ b) & sign == 0 && (a & mask(8 * bytes as u32)).abs_diff(b & mask(8 * bytes as u32)) <= UNITS
}

/// Whether two rows of a matrix hold floats of 32 bits, or of 16, of which each is near to the
/// other one at its place.
pub(crate) fn is_near_row(a: &[u8], b: &[u8]) -> bool {
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    [4, 2].into_iter().any(|size| {
        let pairs = a.chunks(size).zip(b.chunks(size));
        a.len().is_multiple_of(size)
            && pairs.map(|(a, b)| (number(a), number(b))).all(|(a, b)| is_near(a, b, size))
    })
}

impl Replaced {
    /// Whether a lane stores a sum that only rounding makes another one: of one that the lanes of
    /// its warp computed by a butterfly, and one of these stores what was there; or, where another
    /// lane of the warp stored it, one near to it that was computed by shuffles.
    pub(super) fn is_rounded(self, kernel: &Kernel, site: u32, of_warp: bool) -> bool {
        let slots: SmallVec<[Slot; 4]> = match kernel.code.get(site as usize) {
            Some(Op::Memory(op)) => match op.store() {
                Some(store) => store.registers(&kernel.accesses).collect(),
                None => return false,
            },
            Some(Op::Matrix(op)) => match op.stored() {
                Some(registers) => registers.iter().map(|piece| piece.slot).collect(),
                None => return false,
            },
            _ => return false,
        };
        let code = Before { kernel, site: site as usize };
        if of_warp && self.is_near && slots.iter().all(|slot| code.is_shuffled_sum(*slot)) {
            return true;
        }
        if self.rivals == 0 {
            return false;
        }
        let spans = slots.iter().map(|slot| code.butterfly(*slot));
        let span = spans.fold(u32::MAX, |all, span| all & span);
        lanes_of(self.rivals & !(1 << self.by)).any(|other| (other ^ self.by) & !span == 0)
    }
}

/// The code before a store.
struct Before<'k> {
    kernel: &'k Kernel,
    site: usize,
}

impl Before<'_> {
    /// The last of the instructions before another one that writes a register, as far as its kind
    /// is one of a sum, and the number of the register among those that it writes.
    fn definition(&self, slot: Slot, before: usize) -> Option<(usize, u32)> {
        let code = self.kernel.code[..before].iter().enumerate().rev().take(REACH);
        code.filter_map(|(pc, op)| {
            let (start, lanes) = match op {
                Op::Scalar(op) => op.moves().or_else(|| op.arithmetic().map(|of| (of.dst, of.lanes)))?,
                Op::Collective(op) => (op.shuffled()?.dst, 1),
                _ => return None,
            };
            (start..start + lanes).contains(&slot).then(|| (pc, slot - start))
        })
        .next()
    }

    /// The arithmetic of an instruction on floats.
    fn arithmetic(&self, pc: usize) -> Option<Arithmetic> {
        self.kernel.code[pc].scalar()?.arithmetic()
    }

    /// The register that a move copies to the register of this number among those that it sets.
    fn source(&self, pc: usize, part: u32) -> Option<Slot> {
        self.kernel.code[pc].scalar()?.source(part)
    }

    /// The register whose value a register has, and where it was copied from there.
    fn original(&self, mut slot: Slot, mut before: usize) -> (Slot, usize) {
        while let Some((pc, part)) = self.definition(slot, before) {
            let Some(source) = self.source(pc, part) else { break };
            (slot, before) = (source, pc);
        }
        (slot, before)
    }

    /// The value that a register has of the lane at this distance, if a shuffle gave it.
    fn shuffled(&self, slot: Slot, before: usize) -> Option<(Slot, u32)> {
        let (slot, before) = self.original(slot, before);
        let (pc, _) = self.definition(slot, before)?;
        match &self.kernel.code[pc] {
            Op::Collective(op) => {
                let shuffled = op.shuffled()?;
                let distance = *self.kernel.registers.get(shuffled.differs? as usize)? as u32;
                Some((self.original(shuffled.value, pc).0, distance))
            }
            _ => None,
        }
    }

    /// The operands of a sum, or of a product.
    fn operands(&self, slot: Slot, before: usize, is_product: bool) -> Option<(usize, [Slot; 2])> {
        let (slot, before) = self.original(slot, before);
        let (pc, part) = self.definition(slot, before)?;
        let function = if is_product { Function::Mul } else { Function::Add };
        let of = self.arithmetic(pc).filter(|of| of.function == Some(function))?;
        Some((pc, [of.operands[0] + part, of.operands[1] + part]))
    }

    /// The bits of the numbers of lanes in which lanes may differ that have computed the same sum
    /// by a butterfly: each has added its own sum and that of the lane at a distance, again and
    /// again.
    fn butterfly(&self, slot: Slot) -> u32 {
        let (mut slot, mut before, mut span) = (slot, self.site, 0);
        while let Some((pc, [a, b])) = self.operands(slot, before, false) {
            let own = |slot: Slot| self.original(slot, pc).0;
            let step = [(a, b), (b, a)].into_iter().find_map(|(own_sum, other)| {
                let (value, distance) = self.shuffled(other, pc)?;
                (value == own(own_sum)).then_some((own_sum, distance))
            });
            let Some((sum, distance)) = step else { return span };
            (slot, before, span) = (sum, pc, span | distance);
        }
        // The first sum may be contracted: x y of this lane, and the product of the other one.
        let (slot, before) = self.original(slot, before);
        let contracted = |(pc, part)| {
            let of = self.arithmetic(pc).filter(|of| of.function == Some(Function::Fma))?;
            Some((pc, [of.operands[0] + part, of.operands[1] + part, of.operands[2] + part]))
        };
        if let Some((pc, [a, b, c])) = self.definition(slot, before).and_then(contracted)
            && let Some((product, distance)) = self.shuffled(c, pc)
            && let Some((made, factors)) = self.operands(product, pc, true)
        {
            let here = [a, b].map(|slot| self.original(slot, pc).0);
            let there = factors.map(|slot| self.original(slot, made).0);
            if here == there || here == [there[1], there[0]] {
                span |= distance;
            }
        }
        span
    }

    /// Whether a value is the result of arithmetic on floats that other lanes computed, too: the
    /// instructions that write it, and its operands, are arithmetic, moves and shuffles.
    fn is_shuffled_sum(&self, slot: Slot) -> bool {
        let mut needed: SmallVec<[(Slot, usize); 8]> = smallvec![(slot, self.site)];
        let (mut looked_at, mut is_sum) = (0, false);
        while let Some((slot, before)) = needed.pop() {
            let Some((pc, part)) = self.definition(slot, before).filter(|_| looked_at < STEPS) else {
                continue;
            };
            looked_at += 1;
            let arithmetic = self.arithmetic(pc);
            match (&arithmetic, self.source(pc, part)) {
                (Some(of), _) => needed.extend(of.operands.iter().map(|slot| (slot + part, pc))),
                (None, Some(source)) => needed.push((source, pc)),
                (None, None) if is_sum => return true,
                (None, None) => {}
            }
            is_sum |= arithmetic.is_some();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_near_that_differ_by_a_few_units() {
        let [a, b, c] = [1.5f32, 1.500_000_2, 1.500_002].map(|x| u64::from(x.to_bits()));
        assert!(is_near(a, b, 4) && is_near(b, a, 4) && !is_near(a, c, 4));
        assert!(!is_near(0, 1 << 31, 4) && !is_near(a, a ^ 1 << 31, 4));
        assert!(is_near(0x3c00, 0x3c04, 2) && !is_near(0x3c00, 0x3c05, 2));
        let [a, b, c] = [1.5f32, 1.500_000_2, 1.500_002].map(f32::to_le_bytes);
        assert!(
            is_near_row(&[a, c].concat(), &[b, c].concat())
                && !is_near_row(&[a, c].concat(), &[c, c].concat())
        );
    }
}
