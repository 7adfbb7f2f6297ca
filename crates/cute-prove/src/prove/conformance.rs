//! Runs of the simulator at chosen sizes and schedules, as runs of the walks of all sizes.

use super::{How, Prover, Question, Sizes};
use crate::{
    conform::{Difference, Seer, is_compared},
    walk::Stop,
    world::{At, Size},
};
use cute_sim::Schedule;
use cute_sim::events::Watcher;
use cute_sim::program::Kernel;
use std::{collections::BTreeSet, sync::Arc};

/// Runs that are runs of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conformance {
    /// The sizes that the walks of all sizes describe; the others were walked alone.
    pub of_all: Vec<i64>,
    /// Waits, arrivals, fences and copies that a run has reached.
    pub reached: usize,
    /// Those that none has, by their places.
    pub unreached: Vec<String>,
}

/// Runs the kernel at these sizes under these schedules, and compares each run with the walks from
/// which [`prove`](super::prove) concludes: instruction by instruction and lane by lane.
///
/// # Errors
/// The kernel cannot be walked, a run has a finding, or it is not one of the model.
pub fn conformance(
    kernel: &Kernel,
    sizes: &impl Sizes,
    question: Question,
    (ns, schedules): (&[i64], &[Schedule]),
) -> Result<Conformance, String> {
    let prover = Prover::new(kernel, sizes, question)?;
    let stop = |stop: Stop| match stop {
        Stop::Undecided { pc, why } => format!("{}: {why}", prover.place(pc).unwrap_or_default()),
        Stop::Period(period) => format!("a period of {period}"),
        Stop::Time => "the time is over".to_owned(),
        Stop::Asked => "a value of shared memory is not known".to_owned(),
    };
    let (period, _) = prover.period().map_err(stop)?;
    let (mut of_all, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for n in ns.iter().copied() {
        let (residue, q) = (n.rem_euclid(period), n.div_euclid(period));
        let [first, last] = [false, true].map(|last| {
            let walks = prover.walk(&prover.samples, Size::All { period, residue }, last).map_err(stop)?;
            match walks.iter().flatten().all(|walked| walked.bounds.left <= q) {
                true => Ok((walks, q, true)),
                false => {
                    let (_, start) = sizes.start(n)?;
                    Ok::<_, String>((
                        prover.walk(&[At { n, start }], Size::One, last).map_err(stop)?,
                        0,
                        false,
                    ))
                }
            }
        });
        let elected = [first?, last?];
        for schedule in schedules.iter().copied() {
            let (walks, q, is_of_all) = &elected[usize::from(schedule == Schedule::Reverse)];
            let seer = Seer::default();
            let watcher = Some(Watcher::new(Arc::new(seer.clone())));
            if let Some(finding) = sizes.run(n, How { schedule, watcher, races: true })? {
                return Err(format!("n = {n}, {schedule}: {finding}"));
            }
            let model = |cluster: usize, warp: usize| walks[cluster][warp].trace.of(*q).collect();
            let own = prover.conforms(&seer.events(), &model).map_err(|Difference { at, why }| {
                let (place, who) = prover.differs(at);
                format!("n = {n}, {schedule}: {}: {who}: {why}", place.unwrap_or_default())
            })?;
            reached.extend(own);
            if *is_of_all {
                of_all.insert(n);
            }
        }
    }
    let compared = (0..).zip(&kernel.code).filter(|(_, op)| is_compared(op)).map(|(pc, _)| pc);
    let (in_runs, others): (Vec<u32>, Vec<u32>) = compared.partition(|pc| reached.contains(pc));
    let unreached = others.into_iter().filter_map(|pc| prover.place(pc)).collect();
    Ok(Conformance { of_all: of_all.into_iter().collect(), reached: in_runs.len(), unreached })
}
