//! Random numbers that depend on a seed alone: SplitMix64.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream for case `index` of a run, so that cases do not depend on each other.
    pub fn of(seed: u64, index: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ index.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit.max(1) as u64) as usize
    }

    /// A random element; `None` if the list is empty.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { of.get(self.below(of.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_and_an_index_repeat_a_stream() {
        let stream = |seed, index| {
            let mut random = Random::of(seed, index);
            std::array::from_fn::<_, 8, _>(|_| random.bits())
        };
        assert_eq!(stream(1, 2), stream(1, 2));
        assert_ne!(stream(1, 2), stream(1, 3));
        assert_ne!(stream(1, 2), stream(2, 2));
    }
}
