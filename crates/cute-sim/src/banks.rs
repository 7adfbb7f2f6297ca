//! Shared memory banks: how many passes one warp's access takes.
//!
//! Shared memory has 32 banks, each 4 bytes wide; word `w` (byte address / 4) lies in bank `w % 32`. In one pass
//! (a *wavefront*) each bank delivers one word, to any number of lanes. So the wavefronts of a set of lanes are
//! the largest number of *distinct* words that fall into one bank.
//!
//! A warp's access of more than 4 bytes a lane is split before that: 8 bytes go half-warp by half-warp, 16 bytes
//! quarter-warp by quarter-warp (CUDA C++ Programming Guide, "Shared Memory"; the profiler's
//! `l1tex__data_pipe_lsu_wavefronts_mem_shared`).

const BANKS: u64 = 32;
const BANK_BYTES: u64 = 4;

/// Wavefronts of one warp's shared memory access.
///
/// `addresses` holds the byte address of each active lane, in lane order, and `bytes_per_lane` the width of the
/// access (1, 2, 4, 8 or 16). No lanes take no wavefront.
///
/// ```
/// # use cute_sim::wavefronts;
/// // A column of a 32 x 32 f32 tile: all lanes in one bank. One word of padding per row spreads them.
/// let column = |pitch: u64| (0..32).map(|row| row * pitch * 4).collect::<Vec<u64>>();
/// assert_eq!(wavefronts(&column(32), 4), 32);
/// assert_eq!(wavefronts(&column(33), 4), 1);
/// ```
pub fn wavefronts(addresses: &[u64], bytes_per_lane: u32) -> u32 {
    let bytes = u64::from(bytes_per_lane.max(1));
    let lanes_per_group = match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    addresses.chunks(lanes_per_group).map(|group| group_wavefronts(group, bytes)).sum()
}

fn group_wavefronts(addresses: &[u64], bytes: u64) -> u32 {
    let mut words: Vec<u64> =
        addresses.iter().flat_map(|&a| a / BANK_BYTES..=a.saturating_add(bytes - 1) / BANK_BYTES).collect();
    words.sort_unstable();
    words.dedup();
    let mut per_bank = [0u32; BANKS as usize];
    for word in words {
        per_bank[(word % BANKS) as usize] += 1;
    }
    per_bank.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::wavefronts;

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

    #[test]
    fn no_lane_takes_none() {
        assert_eq!(wavefronts(&[], 4), 0);
    }
}
