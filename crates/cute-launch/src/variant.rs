//! Variants of a run: the same launches with other numbers, whose errors are taken aside, so that
//! their results can be compared with those of the run.

use crate::{
    argument::Values,
    array::Array,
    initial::Initial,
    job::{Job, Outcome},
    report::{Report, Reports},
};
use cute_sim::{Grade, LeftOut};
use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

impl Array {
    /// Replaces the elements by numbers in [-1, 1) that follow from a seed, if they are floats that
    /// the array begins with. Integers stay, because they may be indices.
    fn randomise(&mut self, seed: u64) {
        let is_given = self.element.is_float() && self.holes.is_empty() && !self.is_undefined;
        let count = self.shape.iter().product();
        let random = is_given
            .then(|| Initial::of(self.element, count, &Values::Random(seed), None, &self.order))
            .flatten();
        if let Some(random) = random.map(Arc::new).filter(|random| is_as_large(self, random)) {
            self.contents = random;
        }
    }
}

/// Whether the elements fill the memory of an array: a view may have more.
fn is_as_large(array: &Array, random: &Initial) -> bool {
    cute_sim::Contents::size(random) == array.contents.size()
}

impl Job<'_> {
    /// Replaces the floats of all arrays by others, which follow from a seed.
    pub fn randomise(&mut self, seed: u64) {
        for (array, i) in self.arrays.iter_mut().zip(0..) {
            array.randomise(seed.wrapping_add(i));
        }
    }
}

impl Outcome {
    /// A number that follows from the elements of all arrays. Runs with the same elements have the
    /// same number.
    pub fn digest(&self, job: &Job<'_>) -> u64 {
        let mut hasher = DefaultHasher::new();
        for (array, after) in job.arrays.iter().zip(&self.arrays) {
            // Addresses differ from run to run.
            if array.holes.is_empty() {
                after.rows(array).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

impl Reports {
    /// Takes the errors away, and what depends on the schedule. Returns the kinds of the errors,
    /// each once.
    pub fn take_errors(&mut self) -> Vec<&'static str> {
        let mut kinds = Vec::new();
        for (_, report) in &mut self.launches {
            let Report::Simulator(report) = report else { continue };
            let errors = report.findings.extract_if(.., |finding| finding.grade == Grade::Error);
            kinds.extend(errors.map(|finding| finding.kind.name()));
            report.left_out = LeftOut::default();
        }
        self.differences.clear();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}
