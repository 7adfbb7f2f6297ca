//! `mma.sync`: the registers of a warp, multiplied.

use super::op::{MmaScales, WarpProduct};
use super::rules::ScaleRule;
use super::scales::Scaled;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::operand::{Piece, Slot};
use crate::program::Kernel;
use crate::registers::Registers;
use crate::registers::packed::unpacked;
use crate::registers::unknown::Unknown;
use crate::tensor::Sums;

/// The bits of a selector, which is an unsigned number of 16 bits.
const SELECTOR_MASK: u64 = 0xffff;

/// The byte selector and the thread selector of A's and of B's scale factors.
type Selectors = [[u32; 2]; 2];

/// The selectors of scale factors, which are the same in all lanes and in range.
pub(super) fn scale_selectors(
    registers: &Registers,
    kernel: &Kernel,
    product: &WarpProduct,
    lanes: u32,
) -> Result<Selectors, LaneFinding> {
    let mut selectors = [[0; 2]; 2];
    let Some(scales) = &product.scales else { return Ok(selectors) };
    for (matrix, slots) in scales.selectors.into_iter().enumerate() {
        for (selector, slot) in slots.into_iter().enumerate() {
            registers.defined(kernel, slot, lanes, "selector")?;
            let (values, first) =
                (registers.get(slot).map(|value| value & SELECTOR_MASK), lanes.trailing_zeros());
            let given = values[first as usize];
            let broken = |lane, rule| LaneFinding { lane, kind: FindingKind::Scales { rule } };
            if let Some(lane) = lanes_of(lanes).find(|lane| values[*lane as usize] != given) {
                let (other, other_lane, given, lane) = (given, first, values[lane as usize], lane);
                let rule = ScaleRule::Apart { matrix, selector, given, lane, other, other_lane };
                return Err(broken(lane, rule));
            }
            let legal = product.model.scales().map_or(Ok(()), |scales| scales.check(matrix, selector, given));
            legal.map_err(|rule| broken(first, rule))?;
            selectors[matrix][selector] = given as u32;
        }
    }
    Ok(selectors)
}

/// The registers with scale factors.
fn factors_of(product: &WarpProduct) -> &[Piece] {
    product.scales.as_ref().map_or(&[], |MmaScales { words, .. }| words)
}

/// Multiplies matrices in the lanes of a warp. The selectors count if there are scale factors.
pub(super) fn multiply(
    registers: &mut Registers,
    product: &WarpProduct,
    (selectors, sums): (Selectors, Sums),
    lanes: u32,
) {
    let WarpProduct { model, rounding, a, b, c, d, scales } = product;
    let words = [registers.pack(a), registers.pack(b), registers.pack(c)];
    let result = match scales {
        None => model.execute_rounded(&words[0], &words[1], &words[2], (sums, *rounding)),
        Some(MmaScales { words: factors, .. }) => {
            let factors = factors.map(|piece| registers.pack(&[piece]));
            let scaled = Scaled { words: [&factors[0], &factors[1]], selectors };
            model.execute_scaled(&words[0], &words[1], &words[2], (&scaled, sums))
        }
    };
    let read = || [a, b, c, factors_of(product)].into_iter().flatten();
    let undefined = read().any(|p| registers.undefined_in(p.slot) & lanes != 0);
    if undefined {
        read().for_each(|p| {
            registers.note_read(p.slot, lanes);
            registers.use_followed(p.slot, lanes);
        });
    }
    let unknown = undefined.then(|| unknown_elements(registers, product, selectors, lanes));
    registers.unpack(d, &result);
    for (slot, lane, unknown) in unknown.into_iter().flatten() {
        registers.set_unknown(slot, lane, Some(unknown));
    }
}

/// The undefined elements of D: those that an undefined element of A, B or C, or an undefined scale
/// factor, contributes to. The origin is that of C's register at the same place if that is
/// undefined, otherwise that of the first undefined one.
#[cold]
fn unknown_elements(
    registers: &Registers,
    product: &WarpProduct,
    selectors: Selectors,
    lanes: u32,
) -> Vec<(Slot, u32, Unknown)> {
    let WarpProduct { model, a, b, c, d, scales, .. } = product;
    let bits = |pieces: &[Piece]| {
        registers.pack_from(pieces, |slot| {
            std::array::from_fn(|lane| registers.unknown(slot, lane as u32).map_or(0, |u| u.bits))
        })
    };
    let factors = factors_of(product);
    let of_factors: Vec<Vec<u32>> = factors.iter().map(|piece| bits(&[*piece])).collect();
    let scaled = scales.as_ref().map(|_| Scaled { words: [&of_factors[0], &of_factors[1]], selectors });
    let spoilt = model.spoilt(&bits(a), &bits(b), &bits(c), scaled.as_ref());
    let of = |pieces: &[Piece], lane: u32| pieces.iter().find_map(|p| registers.unknown(p.slot, lane));
    let any = |pieces: &[Piece]| lanes_of(lanes).find_map(|lane| of(pieces, lane));
    let other = any(a).or_else(|| any(b)).or_else(|| any(c)).or_else(|| any(factors));
    let mut found = Vec::new();
    unpacked(d, &spoilt, |slot, bits| {
        for lane in lanes_of(lanes).filter(|l| bits[*l as usize] != 0) {
            let same = d.iter().position(|p| p.slot == slot).and_then(|i| c.get(i));
            let own = same.and_then(|p| registers.unknown(p.slot, lane));
            if let Some(Unknown { origin, .. }) = own.or(other) {
                found.push((slot, lane, Unknown { origin, bits: bits[lane as usize] }));
            }
        }
    });
    found
}
