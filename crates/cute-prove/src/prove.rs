//! The answer about a kernel: from the walks of its warps, the protocol that they follow, and runs
//! of the simulator at all sizes before the steady state.

use crate::{
    conform::{Seer, of_walk},
    protocol::{Broken, Run},
    trace::{Event, Part, Trace},
    walk::{Stop, Walk, Walked, lcm},
    world::{At, Size, World},
};
use cute_sim::events::Watcher;
use cute_sim::program::{Collective, Kernel, Op};
use cute_sim::{Launch, Schedule, Start};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};

/// A kernel that is launched with any size.
pub trait Sizes {
    /// The launch of this size, and how its threads begin.
    ///
    /// # Errors
    /// Why there is no such launch.
    fn start(&self, n: i64) -> Result<(Launch, Start), String>;

    /// Runs this size in the simulator. Returns the first finding.
    ///
    /// # Errors
    /// Why it does not run.
    fn run(&self, n: i64, schedule: Schedule, watcher: Option<Watcher>) -> Result<Option<String>, String>;
}

/// The sizes and the time of a proof.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The smallest size.
    pub first: i64,
    /// The time after which the answer is that it is not decided.
    pub time: Duration,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The barriers are right at every size.
    Proved(Proof),
    /// They are not at this size, the smallest one that was found.
    #[allow(missing_docs)]
    Counterexample { n: i64, schedule: Schedule, finding: String },
    /// It is not known.
    Undecided {
        /// The instruction, and its place.
        place: Option<String>,
        #[allow(missing_docs)]
        why: String,
    },
}

/// The parts of a proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Sizes after which everything repeats itself.
    pub period: i64,
    /// The largest size, lest a counter leaves its register.
    pub most: i64,
    /// Sizes that the simulator has run.
    pub ran: Vec<i64>,
    /// Those below this one ran under lazy, eager and reverse, others under one of them.
    pub all_schedules: i64,
    /// The number of warps.
    pub warps: usize,
    /// The number of events of barriers in their traces, of all residues.
    pub events: usize,
    /// Instructions of barriers and copies that no warp reaches, by their places.
    pub unreached: Vec<String>,
}

/// Periods that a run of the protocol may take before it repeats itself.
const MOST_CUTS: usize = 12;

/// Sizes that run under all schedules.
const MOST_SCHEDULES: i64 = 8;

/// Periods that a warp may be ahead of others.
const AHEAD: usize = 3;

/// The longest period of sizes.
const MOST_PERIOD: i64 = 256;

/// The warps of a grid: for each cluster, its number, and for each warp of it the block's rank and
/// position, and its own number.
type Clusters = Vec<Vec<(u32, [u32; 3], u32)>>;

struct Prover<'p, S: Sizes> {
    kernel: &'p Kernel,
    sizes: &'p S,
    question: Question,
    deadline: Instant,
    lasting: Vec<bool>,
    launch: Launch,
    samples: Vec<At>,
    clusters: Clusters,
}

/// Answers whether the barriers of a kernel are right at every size.
pub fn prove(kernel: &Kernel, sizes: &impl Sizes, question: Question) -> Answer {
    let deadline = Instant::now() + question.time;
    let undecided = |why: String| Answer::Undecided { place: None, why };
    let mut samples = Vec::new();
    let mut launches: Vec<Launch> = Vec::new();
    // Far sizes show arguments that are lines at small ones only; arrays may be too large there.
    for step in [0, 1, 2, 5, 64, 1023, 60_000] {
        let n = question.first.max(4) + step;
        match sizes.start(n) {
            Ok((launch, start)) => {
                samples.push(At { n, start });
                launches.push(launch);
            }
            Err(_) if step > 5 => {}
            Err(why) => return undecided(format!("n = {n}: {why}")),
        }
    }
    let launch = launches.swap_remove(0);
    if launches.iter().any(|other| shape(other) != shape(&launch)) {
        return undecided("the grid, the block or the shared memory depends on the size".into());
    }
    let clusters = match clusters(kernel, &launch) {
        Ok(clusters) => clusters,
        Err(why) => return undecided(why),
    };
    let lasting = kernel.lasting_waits();
    Prover { kernel, sizes, question, deadline, lasting, launch, samples, clusters }.answer()
}

/// The extents of a launch.
fn shape(launch: &Launch) -> ([u32; 3], [u32; 3], Option<[u32; 3]>, u32) {
    (launch.grid, launch.block, launch.cluster, launch.dynamic_shared)
}

fn clusters(kernel: &Kernel, launch: &Launch) -> Result<Clusters, String> {
    let cluster = launch.cluster.or(kernel.required_cluster).unwrap_or([1; 3]);
    if (0..3).any(|axis| cluster[axis] == 0 || !launch.grid[axis].is_multiple_of(cluster[axis])) {
        return Err("the grid is not one of whole clusters".into());
    }
    let count: [u32; 3] = std::array::from_fn(|axis| launch.grid[axis] / cluster[axis]);
    let warps = launch.block.iter().product::<u32>().div_ceil(32);
    let mut all = Vec::new();
    for number in 0..count.iter().product() {
        let at = [number % count[0], number / count[0] % count[1], number / count[0] / count[1]];
        let mut own = Vec::new();
        for rank in 0..cluster.iter().product() {
            let inside = [rank % cluster[0], rank / cluster[0] % cluster[1], rank / cluster[0] / cluster[1]];
            let position = std::array::from_fn(|axis| at[axis] * cluster[axis] + inside[axis]);
            own.extend((0..warps).map(|warp| (rank, position, warp)));
        }
        all.push(own);
    }
    Ok(all)
}

/// Why a proof ends early.
enum End {
    Stop(Stop),
    /// The protocol is broken at this size.
    Broken(i64, Broken, String),
    Other(String),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        End::Stop(stop)
    }
}

/// The events of a warp by the walks: of its cluster's number, and its own there.
type Model<'m> = dyn Fn(usize, usize) -> Vec<(u32, u32)> + 'm;

/// The walks of a cluster's warps.
type Walks = Vec<Walked>;

impl<S: Sizes> Prover<'_, S> {
    fn answer(&self) -> Answer {
        // A mistake that a small size shows is the best answer, whatever the walks say.
        let few = self.question.first..self.question.first + 3;
        let mut ran = BTreeSet::new();
        for n in few {
            if let Some(answer) = self.runs(n, &mut ran, None) {
                return answer;
            }
        }
        match self.proof(&mut ran) {
            Ok(answer) => answer,
            Err(End::Stop(Stop::Time)) => {
                let why = format!("the time of {} s is over", self.question.time.as_secs_f64());
                Answer::Undecided { place: None, why }
            }
            Err(End::Stop(Stop::Period(period))) => {
                let why = format!("the loops repeat themselves only after {period} sizes");
                Answer::Undecided { place: None, why }
            }
            Err(End::Stop(Stop::Undecided { pc, why })) => self.searched(&mut ran, self.place(pc), why),
            Err(End::Other(why)) => Answer::Undecided { place: None, why },
            Err(End::Broken(n, Broken { warp, pc, what }, role)) => {
                let seeds = (1..=8).map(Schedule::Random);
                let all = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse].into_iter().chain(seeds);
                // The smallest sizes first, then the one where it was seen.
                let small = self.question.first..=n.min(self.question.first + 8);
                for size in small.chain([n]).filter(|size| !ran.contains(size)).collect::<BTreeSet<_>>() {
                    if let Some(answer) = self.runs(size, &mut ran, None) {
                        return self.smallest(answer);
                    }
                }
                for schedule in all {
                    if let Ok(Some(finding)) = self.sizes.run(n, schedule, None) {
                        return self.smallest(Answer::Counterexample { n, schedule, finding });
                    }
                    if Instant::now() > self.deadline {
                        break;
                    }
                }
                let why = format!("{what} (n = {n}, {role}, warp {warp}); no run of the simulator shows it");
                Answer::Undecided { place: self.place(pc), why }
            }
        }
    }

    /// The counterexample of the smallest size under the same schedule, as far as there is time.
    fn smallest(&self, found: Answer) -> Answer {
        let Answer::Counterexample { n, schedule, .. } = found else { return found };
        for n in self.question.first..n {
            if Instant::now() > self.deadline {
                break;
            }
            if let Ok(Some(finding)) = self.sizes.run(n, schedule, None) {
                return Answer::Counterexample { n, schedule, finding };
            }
        }
        found
    }

    /// Looks for a counterexample at more sizes, where there is no proof.
    fn searched(&self, ran: &mut BTreeSet<i64>, place: Option<String>, why: String) -> Answer {
        let end = self.question.first + 12;
        for n in self.question.first..end {
            if Instant::now() > self.deadline {
                break;
            }
            if !ran.contains(&n)
                && let Some(answer @ Answer::Counterexample { .. }) = self.runs(n, ran, None)
            {
                return answer;
            }
        }
        Answer::Undecided { place, why }
    }

    fn place(&self, pc: u32) -> Option<String> {
        let site = self.kernel.sites.get(pc as usize)?;
        Some(format!("{}: {}", site.location, site.op))
    }

    /// Runs a size in the simulator. Answers if there is a finding, or if the run is not one that
    /// the walks describe.
    fn runs(&self, n: i64, ran: &mut BTreeSet<i64>, walks: Option<&Model<'_>>) -> Option<Answer> {
        // The order of the barriers is one for all schedules: larger sizes need one of them.
        let all = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse];
        let some = match walks.is_some() && n >= self.question.first + MOST_SCHEDULES {
            true => &all[(n % 3) as usize..][..1],
            false => &all[..],
        };
        for schedule in some.iter().copied() {
            if Instant::now() > self.deadline {
                let why = format!("the time of {} s is over", self.question.time.as_secs_f64());
                return Some(Answer::Undecided { place: None, why });
            }
            let seer = Seer::default();
            let watched = walks.filter(|_| schedule != Schedule::Reverse);
            let watcher = watched.map(|_| Watcher::new(Arc::new(seer.clone())));
            match self.sizes.run(n, schedule, watcher) {
                Ok(None) => {}
                Ok(Some(finding)) => return Some(Answer::Counterexample { n, schedule, finding }),
                Err(why) => return Some(Answer::Undecided { place: None, why: format!("n = {n}: {why}") }),
            }
            let Some(walks) = watched else { continue };
            let seen = seer.events();
            for (number, cluster) in self.clusters.iter().enumerate() {
                for (i, (rank, _, warp)) in cluster.iter().enumerate() {
                    let own = seen.get(&(number as u32, *rank, *warp)).cloned().unwrap_or_default();
                    let model = walks(number, i);
                    if own != model {
                        let at = own
                            .iter()
                            .zip(&model)
                            .position(|(a, b)| a != b)
                            .unwrap_or(own.len().min(model.len()));
                        let pc = own.get(at).or(model.get(at)).map_or(0, |(pc, _)| *pc);
                        let why = format!(
                            "warp {warp} of block {rank} does something else than the analysis says (n = {n})"
                        );
                        return Some(Answer::Undecided { place: self.place(pc), why });
                    }
                }
            }
        }
        ran.insert(n);
        None
    }

    fn walk(&self, samples: &[At], size: Size, last: bool) -> Result<Vec<Walks>, Stop> {
        let world = World::new(self.kernel, &self.launch, samples, size, &self.lasting);
        let mut period = None;
        let mut all = Vec::new();
        for cluster in &self.clusters {
            let mut walks = Vec::new();
            for (rank, position, warp) in cluster {
                match Walk::new(&world, (*rank, *position), *warp, last, self.deadline).run() {
                    Ok(walked) => walks.push(walked),
                    Err(Stop::Period(own)) => period = Some(period.map_or(own, |all| lcm(all, own))),
                    Err(stop) => return Err(stop),
                }
            }
            all.push(walks);
        }
        period.map_or(Ok(all), |period| Err(Stop::Period(period)))
    }

    /// The sizes after which the loops of all warps come again.
    fn period(&self) -> Result<i64, Stop> {
        // Loops in steps of more than one, and masks of counts, need sizes of their multiples.
        let mut first = None;
        for factor in [1, 2, 4, 8, 3] {
            let mut period = factor;
            for _ in 0..8 {
                match self.walk(&self.samples, Size::All { period, residue: 0 }, false) {
                    Ok(_) => return Ok(period),
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

    fn elects(&self) -> bool {
        self.kernel.code.iter().any(|op| matches!(op, Op::Collective { op: Collective::Elect { .. }, .. }))
    }

    fn proof(&self, ran: &mut BTreeSet<i64>) -> Result<Answer, End> {
        let period = self.period()?;
        let (mut most, mut events, mut sizes) = (i64::MAX, 0, BTreeSet::new());
        // The sizes that the walks of all sizes describe, by residue: from `q` on, up to `q`.
        let mut steady: BTreeMap<i64, (i64, Vec<Walks>)> = BTreeMap::new();
        let mut reached = BTreeSet::new();
        for residue in 0..period {
            for last in [false, true] {
                if last && !self.elects() {
                    continue;
                }
                let walks = self.walk(&self.samples, Size::All { period, residue }, last)?;
                let from = walks.iter().flatten().map(|walked| walked.bounds.left).max().unwrap_or(0);
                // A size that is asked for.
                let from = from.max((self.question.first - residue).div_euclid(period) + 1).max(0);
                let least = walks.iter().flatten().map(|walked| walked.bounds.most).min().unwrap_or(i64::MAX);
                most = most.min(least.saturating_mul(period).saturating_add(residue));
                for cluster in &walks {
                    let end = self.induction(cluster, from, (period, residue))?;
                    // The end of each residue, and the steady state of one.
                    let last = if residue == 0 { end } else { from };
                    sizes.extend((from..=last).map(|q| period * q + residue));
                    for event in cluster.iter().flat_map(|walked| walked.trace.events()) {
                        reached.insert(event.pc);
                        events += usize::from(event.what.is_of_barriers());
                    }
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
        for n in sizes {
            if Instant::now() > self.deadline {
                return Err(Stop::Time.into());
            }
            let (residue, q) = (n.rem_euclid(period), n.div_euclid(period));
            let of_size;
            let (walks, q) = match steady.get(&residue) {
                Some((from, walks)) if q >= *from => (walks, q),
                _ => {
                    let (launch, start) =
                        self.sizes.start(n).map_err(|why| End::Other(format!("n = {n}: {why}")))?;
                    if shape(&launch) != shape(&self.launch) {
                        return Err(End::Other("the grid depends on the size".into()));
                    }
                    let sample = [At { n, start }];
                    for last in [false, true] {
                        if last && !self.elects() {
                            continue;
                        }
                        for cluster in self.walk(&sample, Size::One, last)? {
                            self.whole(&cluster, 0, n)?;
                        }
                    }
                    of_size = self.walk(&sample, Size::One, false)?;
                    (&of_size, 0)
                }
            };
            let model = |cluster: usize, warp: usize| of_walk(walks[cluster][warp].trace.of(q));
            if let Some(answer) = self.runs(n, ran, Some(&model)) {
                return Ok(answer);
            }
        }
        let unreached =
            (0..).zip(&self.kernel.code).filter(|(pc, op)| is_of_barriers(op) && !reached.contains(pc));
        Ok(Answer::Proved(Proof {
            period,
            most,
            ran: ran.iter().copied().collect(),
            all_schedules: self.question.first + MOST_SCHEDULES,
            warps: self.clusters.iter().map(Vec::len).sum(),
            events,
            unreached: unreached.filter_map(|(pc, _)| self.place(pc)).collect(),
        }))
    }

    fn begin(&self, cluster: &Walks) -> Run {
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
    fn whole(&self, cluster: &Walks, q: i64, n: i64) -> Result<(), End> {
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
    fn induction(&self, cluster: &Walks, from: i64, (period, residue): (i64, i64)) -> Result<i64, End> {
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
                        if let Some((events, own)) = body(warp) {
                            let times = all + (less - own) as usize;
                            list.truncate(starts[warp]);
                            (0..times).for_each(|_| list.extend(events));
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

/// A part of a trace that happens once, and the loop after it.
struct Stage<'t> {
    once: Vec<&'t Event>,
    times: Option<(Vec<&'t Event>, i64)>,
}

impl<'t> Stage<'t> {
    fn new() -> Self {
        Stage { once: Vec::new(), times: None }
    }
}

/// The parts of a trace, by its loops with events of barriers.
fn stages(trace: &Trace) -> Vec<Stage<'_>> {
    let of_barriers = |events: &&Event| events.what.is_of_barriers();
    let mut all = vec![Stage::new()];
    for part in &trace.parts {
        match part {
            Part::Once(events) => {
                if let Some(stage) = all.last_mut() {
                    stage.once.extend(events.iter().filter(of_barriers));
                }
            }
            Part::Times { body, less } => {
                let body: Vec<&Event> = body.iter().filter(of_barriers).collect();
                if body.is_empty() {
                    continue;
                }
                if let Some(stage) = all.last_mut() {
                    stage.times = Some((body, *less));
                }
                all.push(Stage::new());
            }
        }
    }
    all
}

/// Whether an instruction is one of those that a proof is about.
fn is_of_barriers(op: &Op) -> bool {
    matches!(
        op,
        Op::Mbarrier { .. }
            | Op::Barrier { .. }
            | Op::Arrive { .. }
            | Op::ClusterArrive { .. }
            | Op::ClusterWait { .. }
            | Op::Bulk(_)
            | Op::FenceProxy { .. }
    )
}
