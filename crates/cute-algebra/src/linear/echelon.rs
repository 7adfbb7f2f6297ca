//! Elimination over GF(2). Knows vectors as words.

/// Vectors in echelon form, each with the combination of the given ones that makes it.
pub(super) struct Echelon {
    /// By leading bit: the vector that leads there, and which of the given ones it is the sum of.
    pivots: [Option<(u64, u64)>; 64],
    rank: u32,
    kernel: Vec<u64>,
}

impl Echelon {
    /// The echelon form of `vectors`. A vector that is a sum of earlier ones is no pivot: sums use the earliest they can.
    pub(super) fn new(vectors: &[u64]) -> Self {
        let mut echelon = Self { pivots: [None; 64], rank: 0, kernel: Vec::new() };
        for (i, vector) in vectors.iter().enumerate() {
            let (rest, sum) = echelon.reduce(*vector);
            let sum = sum ^ 1 << i;
            match echelon.pivots.get_mut(rest.checked_ilog2().map_or(64, |lead| lead as usize)) {
                Some(pivot) => {
                    *pivot = Some((rest, sum));
                    echelon.rank += 1;
                }
                None => echelon.kernel.push(sum),
            }
        }
        echelon
    }

    /// What is left of `vector` after taking away pivots, and the sum that was taken.
    fn reduce(&self, mut vector: u64) -> (u64, u64) {
        let mut sum = 0;
        for (lead, pivot) in self.pivots.iter().enumerate().rev() {
            if let Some((image, of)) = pivot
                && vector >> lead & 1 != 0
            {
                vector ^= image;
                sum ^= of;
            }
        }
        (vector, sum)
    }

    /// Number of independent vectors.
    pub(super) fn rank(&self) -> u32 {
        self.rank
    }

    /// A basis of the combinations that give zero.
    pub(super) fn kernel(self) -> Vec<u64> {
        self.kernel
    }

    /// The combination that gives `vector`, if there is one.
    pub(super) fn solve(&self, vector: u64) -> Option<u64> {
        let (rest, sum) = self.reduce(vector);
        (rest == 0).then_some(sum)
    }
}
