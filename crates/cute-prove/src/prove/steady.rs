//! All sizes: the walks of all residues, the induction over periods, and the sizes before it.

use super::{Answer, End, Proof, Prover, Sizes, Walks, runs::Looked, shape};
use crate::{
    cover::Cover,
    protocol::{Broken, Run},
    trace::{Event, Stage, Trace, stages},
    walk::{ON_DATA, Stop, lcm},
    world::{At, Size, World},
};
use cute_sim::program::Op;
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Instant,
};

/// Periods that a run of the protocol may take before it repeats itself.
const MOST_CUTS: usize = 12;

/// Periods that a warp may be ahead of others.
const AHEAD: usize = 3;

/// Steps of loops, the common ones first.
const FACTORS: [i64; 16] = [1, 2, 4, 8, 3, 16, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15];
const COMMON: usize = 5;

/// The longest period of sizes.
const MOST_PERIOD: i64 = 256;

impl<S: Sizes> Prover<'_, S> {
    pub(super) fn walk(&self, samples: &[At], size: Size, last: bool) -> Result<Vec<Walks>, Stop> {
        let mut world = World::new(self.kernel, &self.launch, samples, size, &self.lasting);
        world.together = !self.question.strict;
        let mut period = None;
        let mut all = Vec::new();
        for cluster in &self.clusters {
            match self.settled(&world, cluster, last) {
                Ok(walks) => all.push(walks),
                Err(Stop::Period(own)) => period = Some(period.map_or(own, |all| lcm(all, own))),
                Err(stop) => return Err(stop),
            }
        }
        period.map_or(Ok(all), |period| Err(Stop::Period(period)))
    }

    /// The sizes after which the loops of all warps come again, and the walks of its multiples.
    pub(super) fn period(&self) -> Result<(i64, Vec<Walks>), Stop> {
        // Loops in steps of more than one, and masks of counts, need sizes of their multiples.
        let mut first = None;
        for (i, factor) in FACTORS.into_iter().enumerate() {
            // A number of rounds of an unrolled loop is data for sizes that are not multiples.
            let is_on_data =
                |stop: &Stop| matches!(stop, Stop::Undecided { why, .. } if why.starts_with(ON_DATA));
            if i >= COMMON && !first.as_ref().is_some_and(is_on_data) {
                break;
            }
            let mut period = factor;
            for _ in 0..8 {
                match self.walk(&self.samples, Size::All { period, residue: 0 }, false) {
                    Ok(walks) => return Ok((period, walks)),
                    Err(Stop::Period(more)) if more != period && lcm(period, more) <= MOST_PERIOD => {
                        period = lcm(period, more);
                    }
                    Err(Stop::Time) => return Err(Stop::Time),
                    Err(stop) => {
                        first = first.or(Some(stop));
                        break;
                    }
                }
            }
        }
        Err(first.unwrap_or(Stop::Time))
    }

    /// The lanes that `elect.sync` may elect: the lowest ones, and where it is used, the highest.
    fn elections(&self) -> &'static [bool] {
        let elects = |op: &Op| matches!(op, Op::Collective(op) if op.elects());
        let is_open = self.lowest.borrow().is_none() && self.kernel.code.iter().any(elects);
        if is_open { &[false, true] } else { &[false] }
    }

    pub(super) fn proof(&self, looked: &mut Looked) -> Result<Answer, End> {
        let (period, walks) = self.period()?;
        let mut walks = Some(walks);
        let (mut most, mut events, mut sizes) = (i64::MAX, 0, BTreeSet::new());
        // The sizes that the walks of all sizes describe, by residue: from `q` on.
        let mut steady: BTreeMap<i64, (i64, Vec<Walks>)> = BTreeMap::new();
        let (mut reached, mut trusted, mut synchronises) =
            (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for residue in 0..period {
            for last in self.elections().iter().copied() {
                let steady_walks = match self.steady(walks.take(), (period, residue), last) {
                    Ok(steady) => steady,
                    Err(why) if last => {
                        self.assume_lowest(why)?;
                        continue;
                    }
                    Err(why) => return Err(why),
                };
                let (from, ends, walks) = steady_walks;
                let least = walks.iter().flatten().map(|walked| walked.bounds.most).min().unwrap_or(i64::MAX);
                most = most.min(least.saturating_mul(period).saturating_add(residue));
                for (cluster, end) in walks.iter().zip(ends) {
                    // The end of each residue, and the steady state of one.
                    let last = if residue == 0 { end } else { from };
                    sizes.extend((from..=last).map(|q| period * q + residue));
                    for event in cluster.iter().flat_map(|walked| walked.trace.events()) {
                        reached.insert(event.pc);
                        events += usize::from(event.what.is_of_barriers());
                    }
                }
                for walked in walks.iter().flatten() {
                    trusted.extend(&walked.notes.trusted);
                    synchronises.extend(&walked.notes.synchronises);
                }
                if !last {
                    steady.insert(residue, (from, walks));
                }
            }
        }
        // Those that the walks do not describe are single cases.
        for (residue, (from, _)) in &steady {
            sizes.extend((0..*from).map(|q| period * q + residue).filter(|n| *n >= self.question.first));
        }
        let mut cover = Cover::new(period, &self.launch);
        for n in sizes {
            if Instant::now() > self.deadline {
                return Err(Stop::Time.into());
            }
            let (residue, q) = (n.rem_euclid(period), n.div_euclid(period));
            let of_size;
            let (walks, q) = match steady.get(&residue) {
                Some((from, walks)) if q >= *from => (walks, q),
                _ => {
                    of_size = self.single(n)?;
                    (&of_size, 0)
                }
            };
            let model = |cluster: usize, warp: usize| walks[cluster][warp].trace.of(q).collect();
            if cover.has(n, walks, q) {
                // One of those with a period more than they begin with runs, too.
                let is_first = steady.get(&residue).is_some_and(|(from, _)| q == from + 1);
                if is_first && let Some(answer) = self.derived(n, &model) {
                    return Ok(answer);
                }
                continue;
            }
            if let Some(answer) = self.compared(n, looked, &model) {
                return Ok(answer);
            }
        }
        let unreached =
            (0..).zip(&self.kernel.code).filter(|(pc, op)| is_of_barriers(op) && !reached.contains(pc));
        Ok(Answer::Proved(Proof {
            period,
            most,
            ran: looked.ran.iter().copied().collect(),
            step: cover.step,
            warps: self.clusters.iter().map(Vec::len).sum(),
            events,
            unreached: unreached.filter_map(|(pc, _)| self.place(pc)).collect(),
            trusted: trusted.into_iter().filter_map(|pc| self.place(pc)).collect(),
            synchronises: unique(synchronises.into_iter().filter_map(|pc| self.place(pc))),
            lowest: self.lowest.borrow().clone(),
        }))
    }

    /// The walks of a size that those of all sizes do not describe, whose protocol is right.
    fn single(&self, n: i64) -> Result<Vec<Walks>, End> {
        let (launch, start) = self.sizes.start(n).map_err(|why| End::Other(format!("n = {n}: {why}")))?;
        if shape(&launch) != shape(&self.launch) {
            return Err(End::Other("the grid depends on the size".into()));
        }
        let sample = [At { n, start }];
        let mut first = None;
        for last in self.elections().iter().copied() {
            let checked = || -> Result<Vec<Walks>, End> {
                let walks = self.walk(&sample, Size::One, last)?;
                walks.iter().try_for_each(|cluster| self.whole(cluster, 0, n))?;
                Ok(walks)
            };
            match checked() {
                Ok(walks) => {
                    first.get_or_insert(walks);
                }
                Err(why) if last => self.assume_lowest(why)?,
                Err(why) => return Err(why),
            }
        }
        Ok(first.unwrap_or_default())
    }

    /// Notes what fails when the last lane is elected: a finding of portability, as devices elect
    /// the lowest one.
    fn assume_lowest(&self, why: End) -> Result<(), End> {
        let (pc, what) = match why {
            End::Broken(_, Broken { pc, what, .. }, _) | End::Stop(Stop::Undecided { pc, why: what }) => {
                (pc, what)
            }
            other => return Err(other),
        };
        if self.question.strict {
            return Err(Stop::Undecided {
                pc,
                why: format!("if elect.sync elects the highest lane, {what}"),
            }
            .into());
        }
        let place = self.place(pc).unwrap_or_default();
        *self.lowest.borrow_mut() = Some(format!("{place}: {what}"));
        Ok(())
    }

    /// The walks of a residue, their first `q`, and that of the induction of each cluster.
    fn steady(
        &self,
        walks: Option<Vec<Walks>>,
        (period, residue): (i64, i64),
        last: bool,
    ) -> Result<(i64, Vec<i64>, Vec<Walks>), End> {
        let size = Size::All { period, residue };
        let walks = walks.map_or_else(|| self.walk(&self.samples, size, last), Ok)?;
        let from = walks.iter().flatten().map(|walked| walked.bounds.left).max().unwrap_or(0);
        // A size that is asked for.
        let from = from.max((self.question.first - residue).div_euclid(period) + 1).max(0);
        let ends = walks.iter().map(|cluster| self.induction(cluster, from, (period, residue)));
        let ends = ends.collect::<Result<_, End>>()?;
        Ok((from, ends, walks))
    }

    pub(super) fn begin(&self, cluster: &Walks) -> Run {
        let of_barriers = |trace: &Trace| {
            let own = trace.events().filter(|event| event.what.is_of_barriers());
            own.map(|event| event.lanes).collect::<BTreeSet<u32>>()
        };
        let masks: Vec<_> = cluster.iter().map(|walked| of_barriers(&walked.trace)).collect();
        let threads: u32 = self.launch.block.iter().product();
        let warps = threads.div_ceil(32) as usize;
        let ranks = (cluster.len() / warps.max(1)) as u32;
        Run::new(&masks, warps, threads * ranks)
    }

    /// Runs the protocol at one size.
    pub(super) fn whole(&self, cluster: &Walks, q: i64, n: i64) -> Result<(), End> {
        let lists: Vec<Vec<&Event>> = cluster
            .iter()
            .map(|walked| walked.trace.of(q).filter(|event| event.what.is_of_barriers()).collect())
            .collect();
        let mut run = self.begin(cluster);
        let targets: Vec<usize> = lists.iter().map(Vec::len).collect();
        let mut at = vec![0; lists.len()];
        run.go(&lists, &mut at, &targets).map_err(|broken| End::Broken(n, broken, "one size".into()))?;
        match run.rest() {
            Some(why) => Err(End::Other(format!("n = {n}: {why}"))),
            None => Ok(()),
        }
    }

    /// Shows that the protocol is right for all `q` from `from` on. Returns the `q` from which on
    /// each run is one of those before, with periods more.
    pub(super) fn induction(
        &self,
        cluster: &Walks,
        from: i64,
        (period, residue): (i64, i64),
    ) -> Result<i64, End> {
        let stages: Vec<Vec<Stage<'_>>> = cluster.iter().map(|walked| stages(&walked.trace)).collect();
        let loops = stages.iter().map(|own| own.len() - 1).max().unwrap_or(0);
        if loops == 0 {
            // No warp does anything at barriers as often as the size says.
            self.whole(cluster, from, period * from + residue)?;
            return Ok(from + 1);
        }
        if stages.iter().any(|own| own.len() != 1 && own.len() != loops + 1) {
            let why = "the warps have different numbers of loops whose length is the size";
            return Err(End::Other(why.into()));
        }
        let mut run = self.begin(cluster);
        let less = stages
            .iter()
            .flatten()
            .filter_map(|stage| stage.times.as_ref().map(|(_, less)| *less))
            .max()
            .unwrap_or(0);
        let mut end = from;
        let role = |stage: usize| format!("loop {} of {loops}", (stage + 1).min(loops));
        let size = |q: i64| period * q + residue;
        // The events of each warp up to here, and how far it is.
        let mut lists: Vec<Vec<&Event>> = vec![Vec::new(); stages.len()];
        let mut at = vec![0; stages.len()];
        for stage in 0..=loops {
            for (list, own) in lists.iter_mut().zip(&stages) {
                // A warp without such a loop does all at once.
                if let Some(part) = own.get(stage) {
                    list.extend(&part.once);
                    // All begin after as many periods: else one may be ahead by more than a ring.
                    if let Some((events, own)) = &part.times {
                        (*own..less).for_each(|_| list.extend(events));
                    }
                }
            }
            let starts: Vec<usize> = lists.iter().map(Vec::len).collect();
            let body = |warp: usize| stages[warp].get(stage).and_then(|part| part.times.as_ref());
            let mut before: Option<Run> = None;
            let mut cuts = 0;
            if stage == loops {
                break;
            }
            loop {
                // Warps that others wait for may be ahead.
                for (warp, list) in lists.iter_mut().enumerate() {
                    if let Some((events, _)) = body(warp) {
                        while list.len() < starts[warp] + (cuts + AHEAD) * events.len() {
                            list.extend(events);
                        }
                    }
                }
                let length = |warp: usize| body(warp).map_or(0, |(events, _)| events.len());
                // A warp without a loop may have to wait for the end of those of others.
                let target =
                    |warp: usize| body(warp).map_or(0, |(events, _)| starts[warp] + cuts * events.len());
                let targets: Vec<usize> = (0..lists.len()).map(target).collect();
                let q = less + (cuts + AHEAD) as i64;
                let broken = |broken| End::Broken(size(q.max(from)), broken, role(stage));
                run.go(&lists, &mut at, &targets).map_err(broken)?;
                let ahead: Vec<usize> = at.iter().zip(&targets).map(|(at, target)| at - target).collect();
                run.cut(&targets);
                if before.as_ref().is_some_and(|before| run.is_as(before)) {
                    // Periods in which a warp is ahead.
                    let with_loops = (0..lists.len()).filter(|warp| length(*warp) > 0);
                    let more = with_loops.map(|warp| ahead[warp].div_ceil(length(warp))).max();
                    let all = cuts + more.unwrap_or(0);
                    for (warp, list) in lists.iter_mut().enumerate() {
                        if let Some((events, _)) = body(warp) {
                            list.truncate(starts[warp]);
                            (0..all).for_each(|_| list.extend(events));
                        }
                    }
                    end = end.max(less + all as i64);
                    break;
                }
                if cuts == MOST_CUTS {
                    return Err(End::Other("the state of the barriers does not repeat itself".into()));
                }
                before = Some(run.clone());
                cuts += 1;
            }
        }
        let targets: Vec<usize> = lists.iter().map(Vec::len).collect();
        let broken = |broken| End::Broken(size(end), broken, role(loops));
        run.go(&lists, &mut at, &targets).map_err(broken)?;
        if let Some(why) = run.rest() {
            return Err(End::Other(format!("n = {}: {why}", size(end))));
        }
        // The sizes before that are single cases.
        for q in from..=end {
            self.whole(cluster, q, size(q))?;
        }
        Ok(end)
    }
}

/// Without those that are there: an instruction of PTX may be several.
fn unique(places: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = places.collect();
    all.dedup();
    all
}

/// Whether an instruction is one of those that a proof is about.
fn is_of_barriers(op: &Op) -> bool {
    match op {
        Op::Bulk(op) => op.is_counted(),
        Op::Mbarrier(op) => !op.is_fence(),
        Op::Fence(op) => op.spaces().is_some(),
        Op::Barrier(op) => op.is_of_block(),
        Op::Cluster(op) => op.is_of_barrier(),
        _ => false,
    }
}
