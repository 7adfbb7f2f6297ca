//! Shared memory banks: the number of passes of one warp's access. This file works on addresses;
//! `access` derives them from layouts, and `choose` finds swizzles or padding without conflicts.
//!
//! Shared memory has 32 banks, each 4 bytes wide; word `w` (byte address / 4) lies in bank
//! `w % 32`. In one pass (a *wavefront*) each bank delivers one word, to any number of lanes. So
//! the wavefronts of a set of lanes are the largest number of *distinct* words that fall into one
//! bank.
//!
//! A warp's access of more than 4 bytes per lane is split before that: 8 bytes by half-warps, 16
//! bytes by quarter-warps (CUDA C++ Programming Guide, "Shared Memory"; the profiler's
//! `l1tex__data_pipe_lsu_wavefronts_mem_shared`).

mod access;
mod choose;

pub use access::{Access, Conflicts, Crowd, Traffic, padded};
pub use choose::{Candidate, Choice, Form, Forms, choose, paddings, part, swizzles};

use smallvec::SmallVec;

const BANKS: u64 = 32;
const BANK_BYTES: u64 = 4;

/// Bytes that all banks deliver in one pass: addresses of the same line are in different banks, or
/// in one word.
pub const LINE_BYTES: u64 = BANKS * BANK_BYTES;

/// The bank of the word at a byte address.
pub fn bank(address: u64) -> u64 {
    address / BANK_BYTES % BANKS
}

/// Wavefronts of one warp's shared memory access.
///
/// `addresses` holds the byte address of each active lane, in lane order, and `bytes_per_lane` the
/// width of the access (1, 2, 4, 8 or 16). Without active lanes there are no wavefronts.
///
/// ```
/// # use cute_arch::banks::wavefronts;
/// // A column of a 32 x 32 f32 tile: all lanes in one bank. One word of padding per row spreads them.
/// let column = |pitch: u64| (0..32).map(|row| row * pitch * 4).collect::<Vec<u64>>();
/// assert_eq!(wavefronts(&column(32), 4), 32);
/// assert_eq!(wavefronts(&column(33), 4), 1);
/// ```
pub fn wavefronts(addresses: &[u64], bytes_per_lane: u32) -> u32 {
    let bytes = u64::from(bytes_per_lane.max(1));
    addresses.chunks(lanes_per_group(bytes)).map(|group| group_wavefronts(group, bytes)).sum()
}

fn lanes_per_group(bytes: u64) -> usize {
    match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    }
}

fn group_wavefronts(addresses: &[u64], bytes: u64) -> u32 {
    group_words(addresses, bytes).into_iter().max().unwrap_or(0)
}

/// The distinct words that each bank delivers to a group of lanes.
fn group_words(addresses: &[u64], bytes: u64) -> [u32; BANKS as usize] {
    // The distinct words, each with the number, from 1 on, of the one before it in its bank.
    let mut words: SmallVec<[(u64, u32); 64]> = SmallVec::new();
    let mut last = [0u32; BANKS as usize];
    let mut depth = [0u32; BANKS as usize];
    for word in addresses.iter().flat_map(|&a| a / BANK_BYTES..=a.saturating_add(bytes - 1) / BANK_BYTES) {
        let bank = (word % BANKS) as usize;
        let mut at = last[bank];
        while at != 0 && words[at as usize - 1].0 != word {
            at = words[at as usize - 1].1;
        }
        if at == 0 {
            words.push((word, last[bank]));
            last[bank] = words.len() as u32;
            depth[bank] += 1;
        }
    }
    depth
}

/// Wavefronts of a warp's access, lane by lane, and the minimum for the same number of lanes. An
/// access of more than 16 bytes per lane counts as several accesses.
pub fn passes(addresses: &[u64; 32], active: u32, bytes: u64) -> (u64, u64) {
    let (mut passes, mut ideal) = (0, 0);
    each_group(addresses, active, bytes, |starts, bytes| {
        ideal += 1;
        passes += if in_order(starts, bytes) { 1 } else { group_wavefronts(starts, bytes).into() };
    });
    (passes, ideal)
}

/// The words that each bank delivers for a warp's access, and those among them that are not the
/// first for a group of lanes. The fullest bank of a group decides its number of passes: it is one
/// if no bank has a second word.
pub fn words(addresses: &[u64; 32], active: u32, bytes: u64) -> [[u64; BANKS as usize]; 2] {
    let [mut all, mut further] = [[0; BANKS as usize]; 2];
    each_group(addresses, active, bytes, |starts, bytes| {
        for (bank, own) in group_words(starts, bytes).into_iter().enumerate() {
            all[bank] += u64::from(own);
            further[bank] += u64::from(own.saturating_sub(1));
        }
    });
    [all, further]
}

/// The groups into which a warp's access is split: where each lane starts, and the bytes of a lane.
#[inline(always)]
fn each_group(addresses: &[u64; 32], active: u32, bytes: u64, mut each: impl FnMut(&[u64], u64)) {
    for chunk in (0..bytes).step_by(16) {
        let bytes = (bytes - chunk).min(16);
        for (first, group) in
            (0..).step_by(lanes_per_group(bytes)).zip(addresses.chunks(lanes_per_group(bytes)))
        {
            let mut starts = [0; 32];
            let n = take_active(group, active >> first, &mut starts);
            if n > 0 {
                starts[..n].iter_mut().for_each(|start| *start += chunk);
                each(&starts[..n], bytes);
            }
        }
    }
}

/// The bank in which a warp's access has the most distinct words, and for each of these words the
/// first lane that needs it, with its address.
fn crowd(addresses: &[u64], bytes: u64) -> (u64, Vec<(usize, u64)>) {
    let bytes = bytes.max(1);
    let lanes = lanes_per_group(bytes);
    let mut most = (0, 0, 0);
    for (n, group) in addresses.chunks(lanes).enumerate() {
        for (bank, count) in (0..).zip(group_words(group, bytes)) {
            if count > most.0 {
                most = (count, n, bank);
            }
        }
    }
    let (_, n, bank) = most;
    let mut words = SmallVec::<[u64; 32]>::new();
    let mut found = Vec::new();
    for (lane, start) in addresses.iter().enumerate().skip(n * lanes).take(lanes) {
        let own = start / BANK_BYTES..=start.saturating_add(bytes - 1) / BANK_BYTES;
        for word in own.filter(|word| word % BANKS == bank) {
            if !words.contains(&word) {
                words.push(word);
                found.push((lane, *start));
            }
        }
    }
    (bank, found)
}

/// The bank from which lanes of a warp need the most distinct words at once, and for each of these
/// words the first lane that needs it, with the address at which its part begins. `None` if no bank
/// has a second word for lanes that could be served together.
///
/// ```
/// # use cute_arch::banks::crowded;
/// // Rows of 128 bytes: lanes 0 to 3 read the first word of four rows, and all others that of row 0.
/// let mut rows = [0u64; 32];
/// (0..4).for_each(|lane| rows[lane] = 128 * lane as u64);
/// assert_eq!(crowded(&rows, u32::MAX, 4), Some((0, vec![(0, 0), (1, 128), (2, 256), (3, 384)])));
/// assert_eq!(crowded(&[0; 32], u32::MAX, 4), None);
/// ```
pub fn crowded(addresses: &[u64; 32], active: u32, bytes: u64) -> Option<(u64, Vec<(u32, u64)>)> {
    let mut most: Option<(u64, Vec<(u32, u64)>)> = None;
    for chunk in (0..bytes).step_by(16) {
        let bytes = (bytes - chunk).min(16);
        let size = lanes_per_group(bytes);
        for first in (0..32).step_by(size) {
            let lanes: Vec<u32> = (first..first + size as u32).filter(|l| active >> l & 1 != 0).collect();
            let starts: Vec<u64> = lanes.iter().map(|lane| addresses[*lane as usize] + chunk).collect();
            let (bank, found) = crowd(&starts, bytes);
            if found.len() > most.as_ref().map_or(1, |(_, all)| all.len()) {
                most = Some((bank, found.into_iter().map(|(at, start)| (lanes[at], start)).collect()));
            }
        }
    }
    most
}

/// Puts the addresses of active lanes together, and counts them.
fn take_active(addresses: &[u64], active: u32, to: &mut [u64; 32]) -> usize {
    if active.trailing_ones() as usize >= addresses.len() {
        to[..addresses.len()].copy_from_slice(addresses);
        return addresses.len();
    }
    let of_active = addresses.iter().enumerate().filter(|(lane, _)| active >> lane & 1 != 0);
    to.iter_mut().zip(of_active).map(|(to, (_, from))| *to = *from).count()
}

/// Whether lanes access consecutive places from a word's start, or all the same place. Such an
/// access does not have conflicts.
fn in_order(starts: &[u64], bytes: u64) -> bool {
    // Without an early exit, so that the compiler can vectorise it.
    let steps = |step: u64| starts.windows(2).fold(0, |d, w| d | (w[1] ^ (w[0] + step))) == 0;
    (bytes >= 4 && starts[0].is_multiple_of(4) && steps(bytes)) || (bytes <= 4 && steps(0))
}

#[cfg(test)]
mod tests {
    use super::{bank, crowd, passes, wavefronts, words};
    use fastrand::Rng;

    fn lanes(stride_bytes: u64) -> Vec<u64> {
        (0..32).map(|lane| lane * stride_bytes).collect()
    }

    #[test]
    fn a_row_of_words_and_a_broadcast_take_one() {
        assert_eq!(wavefronts(&lanes(4), 4), 1);
        assert_eq!(wavefronts(&lanes(0), 4), 1);
    }

    #[test]
    fn a_stride_of_words_costs_its_common_divisor_with_the_banks() {
        for stride in 1..=64u64 {
            let gcd = (1..=32).rev().find(|d| stride % d == 0 && 32 % d == 0).unwrap_or(1);
            assert_eq!(wavefronts(&lanes(stride * 4), 4), gcd as u32, "stride {stride}");
        }
    }

    #[test]
    fn lanes_of_two_bytes_share_words() {
        assert_eq!(wavefronts(&lanes(2), 2), 1);
        // Columns of f16 with a pitch of 64 and of 32 elements.
        assert_eq!(wavefronts(&lanes(128), 2), 32);
        assert_eq!(wavefronts(&lanes(64), 2), 16);
    }

    #[test]
    fn wide_accesses_go_in_halves_and_quarters() {
        assert_eq!(wavefronts(&lanes(8), 8), 2);
        assert_eq!(wavefronts(&lanes(16), 16), 4);
        // Eight lanes of 16 bytes, each on its own 128-byte row: all in the same four banks.
        assert_eq!(wavefronts(&lanes(128), 16), 32);
        // The same rows with the 128-byte swizzle: chunk ^= row % 8.
        let swizzled: Vec<u64> = (0..32).map(|row| row * 128 + (row % 8) * 16).collect();
        assert_eq!(wavefronts(&swizzled, 16), 4);
    }

    /// Counting by lane agrees with the rule on lists, for lanes at random.
    #[test]
    fn counting_a_warp_agrees_with_the_rule() {
        let mut rng = Rng::with_seed(7);
        let mut random = |n: u64| rng.u64(..n);
        for bytes in [1u64, 2, 4, 8, 16] {
            for step in [0, 1, 2, 4, 8, 33] {
                for noise in [1, 4, 64] {
                    let addresses: [u64; 32] =
                        std::array::from_fn(|i| (i as u64 * step + random(noise)) * bytes);
                    let (count, ideal) = passes(&addresses, u32::MAX, bytes);
                    assert_eq!(count, u64::from(wavefronts(&addresses, bytes as u32)), "{addresses:?}");
                    assert!(ideal <= count);
                }
            }
        }
        assert_eq!(passes(&[0; 32], 0, 4), (0, 0));
        assert_eq!(passes(&std::array::from_fn(|i| 32 * i as u64), u32::MAX, 32), (16, 8));
    }

    /// The lanes that are named are in one bank, and as many as the passes of their group.
    #[test]
    fn a_crowd_is_as_large_as_the_passes() {
        let mut rng = Rng::with_seed(11);
        for bytes in [1u64, 2, 4, 8, 16] {
            for _ in 0..200 {
                let range = rng.u64(1..200);
                let addresses: [u64; 32] = std::array::from_fn(|_| rng.u64(..range) * bytes);
                let (crowded, lanes) = crowd(&addresses, bytes);
                let groups = addresses.chunks(super::lanes_per_group(bytes));
                let most = groups.map(|group| wavefronts(group, bytes as u32)).max().unwrap_or(0);
                assert_eq!(lanes.len() as u32, most, "{addresses:?}");
                for (lane, address) in lanes {
                    assert_eq!(addresses[lane], address);
                    let banks: Vec<u64> = (0..bytes).map(|byte| bank(address + byte)).collect();
                    assert!(banks.contains(&crowded), "{banks:?}");
                }
            }
        }
    }

    #[test]
    fn the_fullest_bank_decides() {
        let column: [u64; 32] = std::array::from_fn(|row| row as u64 * 128);
        let [in_first, further] = words(&column, u32::MAX, 4);
        assert_eq!((in_first[0], in_first[1..].iter().sum::<u64>()), (32, 0));
        assert_eq!((further[0], further[1..].iter().sum::<u64>()), (31, 0));
        let row: [u64; 32] = std::array::from_fn(|lane| lane as u64 * 16);
        assert_eq!(words(&row, u32::MAX, 16), [[4; 32], [0; 32]]);
        // Two halves of a warp, each with a conflict in another bank.
        let pairs: [u64; 32] = std::array::from_fn(|lane| lane as u64 % 16 * 128 + lane as u64 / 16 * 8);
        let [all, further] = words(&pairs, u32::MAX, 8);
        assert_eq!((&all[..5], &further[..5]), (&[16, 16, 16, 16, 0][..], &[15, 15, 15, 15, 0][..]));
    }

    #[test]
    fn no_lane_takes_none() {
        assert_eq!(wavefronts(&[], 4), 0);
    }
}
