//! Elimination over GF(2). A vector is a 64-bit word.

/// Vectors in echelon form, each with the combination of input vectors that produces it.
pub(super) struct Echelon {
    /// Indexed by leading bit: the vector with that leading bit, and the set of input vectors whose
    /// sum it is.
    pivots: [Option<(u64, u64)>; 64],
    rank: u32,
    kernel: Vec<u64>,
}

impl Echelon {
    /// The echelon form of `vectors`. A vector that is a sum of earlier ones does not become a
    /// pivot, so sums use the earliest possible vectors.
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

    /// Returns the remainder of `vector` after subtracting pivots, and the combination that was
    /// subtracted.
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

    /// The combination of input vectors that gives `vector`, if there is one.
    pub(super) fn solve(&self, vector: u64) -> Option<u64> {
        let (rest, sum) = self.reduce(vector);
        (rest == 0).then_some(sum)
    }
}
