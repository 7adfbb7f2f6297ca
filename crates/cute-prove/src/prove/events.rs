//! The events of all warps at one size, for those who look at a kernel that is proved.

use super::{Prover, Question, Sizes, clusters};
use crate::{
    trace::Event,
    world::{At, Size},
};
use cute_sim::program::Kernel;
use std::{cell::RefCell, time::Instant};

/// For each cluster and each warp of it, the rank of its block and its events at barriers.
pub type Events = Vec<Vec<(u32, Vec<Event>)>>;

/// The events at one size; `None` if they are not known.
pub fn events(kernel: &Kernel, sizes: &impl Sizes, n: i64, question: Question) -> Option<Events> {
    let (launch, start) = sizes.start(n).ok()?;
    let clusters = clusters(kernel, &launch).ok()?;
    let (deadline, lasting) = (Instant::now() + question.time, kernel.lasting_waits());
    let (samples, lowest) = (Vec::new(), RefCell::default());
    let prover = Prover { kernel, sizes, question, deadline, lasting, launch, samples, clusters, lowest };
    let walks = prover.walk(&[At { n, start }], Size::One, false).ok()?;
    let of_cluster = |(warps, walks): (&Vec<(u32, _, u32)>, Vec<crate::walk::Walked>)| {
        let of_barriers = |walked: &crate::walk::Walked| {
            walked.trace.of(0).filter(|event| event.what.is_of_barriers()).cloned().collect()
        };
        warps.iter().zip(&walks).map(|((rank, ..), walked)| (*rank, of_barriers(walked))).collect()
    };
    Some(prover.clusters.iter().zip(walks).map(of_cluster).collect())
}
