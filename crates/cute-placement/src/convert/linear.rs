//! Rounds of an exchange that is linear over bits: one round per combination of register bits, in
//! which senders, registers and results are XORs of the lane's bits.

use cute_algebra::{Dimension, LinearLayout, error::Result};

use super::owners::{Slot, WARP};

const LANE_BITS: u32 = WARP.trailing_zeros();

/// The round of each (register, lane), if the needs are a permutation of all registers of all lanes
/// that is linear over bits.
///
/// **Why it works.** Let V be the words (register, lane) of takers, R its subspace of one lane, and
/// Q the words that take from one lane. Both have as many dimensions as registers have bits. A
/// linear map `round` into that number of bits is a schedule if it is injective on R, so that no
/// lane receives twice in a round, and on Q, so that no lane sends two registers. Take a basis w of
/// the intersection, extended by r to one of R and by q to one of Q. Then `round` sends each w to a
/// separate bit, each r and its q to one bit, and the rest of V to 0.
pub(super) fn round_of(common: &[[Option<Slot>; WARP]]) -> Option<Vec<[usize; WARP]>> {
    let bits = common.len().checked_ilog2().filter(|bits| common.len() == 1 << bits)?;
    let taken = |word: u64| {
        let (register, lane) = (word as usize % common.len(), word as usize / common.len());
        let (from, sent) = (*common.get(register)?.get(lane)?)?;
        (sent < common.len()).then_some((from * common.len() + sent) as u64)
    };
    let origin = taken(0)?;
    let images: Option<Vec<u64>> = (0..bits + LANE_BITS).map(|bit| Some(taken(1 << bit)? ^ origin)).collect();
    let from = map(bits + LANE_BITS, bits + LANE_BITS, images?).ok()?;
    let linear =
        (0..1u64 << (bits + LANE_BITS)).all(|word| taken(word) == Some(from.apply_word(word) ^ origin));
    let round = linear.then(|| round(bits, &from).ok()).flatten()?;
    let of =
        |register: usize, lane: usize| round.apply_word((lane * common.len() + register) as u64) as usize;
    Some((0..common.len()).map(|register| std::array::from_fn(|lane| of(register, lane))).collect())
}

/// A map between plain words.
fn map(inputs: u32, outputs: u32, images: Vec<u64>) -> Result<LinearLayout> {
    LinearLayout::new(vec![Dimension::new("word", inputs)], vec![Dimension::new("word", outputs)], images)
}

fn round(bits: u32, from: &LinearLayout) -> Result<LinearLayout> {
    let all = bits + LANE_BITS;
    let one_taker: Vec<u64> = (0..bits).map(|bit| 1 << bit).collect();
    let back = from.inverse()?;
    let one_sender: Vec<u64> = one_taker.iter().map(|word| back.apply_word(*word)).collect();
    // A relation among both bases is a word in both subspaces: the sum of its part of the first.
    let both = map(2 * bits, all, [one_taker.as_slice(), &one_sender].concat())?;
    let common = both.kernel().into_iter().map(|relation| relation & ((1 << bits) - 1)).collect::<Vec<_>>();
    let beyond = |vectors: &[u64]| extension(&common, vectors);
    let (takers, senders) = (beyond(&one_taker), beyond(&one_sender));
    let mut basis = [common.as_slice(), &takers, &senders].concat();
    let everything: Vec<u64> = (0..all).map(|bit| 1 << bit).collect();
    basis.extend(extension(&basis, &everything));
    let bit = |i: usize| match i.checked_sub(bits as usize) {
        None => 1 << i,
        Some(i) if i < senders.len() => 1 << (common.len() + i),
        Some(_) => 0,
    };
    let rounds = map(all, bits, (0..basis.len()).map(bit).collect())?;
    map(all, all, basis)?.inverse()?.then(&rounds)
}

/// The elements of `vectors` that are not sums of `basis` and of the elements before.
fn extension(basis: &[u64], vectors: &[u64]) -> Vec<u64> {
    let rank = |vectors: &[u64]| map(vectors.len() as u32, 62, vectors.to_vec()).map_or(0, |map| map.rank());
    let mut all = basis.to_vec();
    let mut more = Vec::new();
    for vector in vectors {
        all.push(*vector);
        if rank(&all) as usize == all.len() {
            more.push(*vector);
        } else {
            all.pop();
        }
    }
    more
}
