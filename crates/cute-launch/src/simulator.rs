//! The place without a GPU.

use crate::{
    after::After,
    allow::{accept, unmatched},
    array::Array,
    coverage::unwritten,
    elected::{Run, explained, is_suspect},
    error::{Error, Result},
    job::{Job, Outcome, Place},
    launch::{Launch, Shape},
    launches::Queue,
    report::Report,
    sample::{Difference, at_once, differ, each, merge, schedules, sort},
    simulate::{Checks, InStream, chosen, refuse_unknown, simulate},
};
use cute_sim::{Buffer, Election, Image, Memory, Program, Schedule};
use std::{collections::BTreeSet, mem, sync::Arc};

/// Follows a launch.
pub trait Progress {
    /// A block ended.
    fn finished(&self);
}

/// Follows no launch.
struct Unfollowed;

impl Progress for Unfollowed {
    fn finished(&self) {}
}

/// The progress of a launch that nobody follows.
pub fn unfollowed(_: &Shape) -> Box<dyn Progress + Sync> {
    Box::new(Unfollowed)
}

/// A decoded program, and how to run it.
pub struct Simulator<'o> {
    /// The program of the whole file.
    pub program: &'o Program,
    /// Budget and checks. Their schedule is not used.
    pub checks: Checks,
    /// The only schedule.
    pub schedule: Option<Schedule>,
    /// Otherwise, the number of schedules, if not as many as the kernels need.
    pub schedules: Option<u32>,
    /// Follows a launch that runs alone.
    pub progress: &'o (dyn Fn(&Shape) -> Box<dyn Progress + Sync> + Sync),
}

impl Place for Simulator<'_> {
    type Error = Error;

    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        let (memory, buffers, addresses) = uploaded(job)?;
        let launches = job.launches(&addresses)?;
        let start = OfJob { job, buffers: &buffers };
        let Sampled { first, reports, differences, schedules } =
            self.sampled(&launches, &start, &Image::of(memory))?;
        let shapes = launches.into_iter().map(|launch| launch.shape);
        let reports =
            shapes.zip(reports.into_iter().map(|report| Report::Simulator(Box::new(report)))).collect();
        let (mut arrays, mut written) = (Vec::new(), Vec::new());
        for (First { memory, .. }, buffer) in
            first.iter().flat_map(|first| buffers.iter().map(move |b| (first, b)))
        {
            written.push(memory.is_written(*buffer));
            arrays.push(After::Simulated(memory.clone(), *buffer));
        }
        let heap_left =
            first.as_ref().filter(|first| first.is_right).and_then(|first| first.memory.heap_left());
        let mut reports = job.reports(reports);
        // Arrays may differ because of an error, which is reported itself.
        reports.differences = if reports.findings().is_none() { differences } else { Vec::new() };
        let is_whole = reports.findings().is_none() && reports.are_complete() && self.checks.only.is_none();
        if let Some(First { memory, .. }) = first.as_ref().filter(|_| is_whole) {
            reports.unwritten = unwritten(&job.arrays, &buffers, memory);
        }
        reports.schedules = schedules;
        reports.heap_left = heap_left;
        reports.unmatched = unmatched(&self.checks.allow, reports.simulated().map(|(_, report)| report));
        Ok(Outcome { reports, arrays, written: Some(written) })
    }
}

/// How runs of launches begin.
trait Start: Sync {
    /// The operations around the launches.
    fn queue<'q>(&'q self, races: bool, memory: &mut Memory) -> Queue<'q>;

    /// The arrays that are compared from schedule to schedule.
    fn arrays(&self) -> (&[Array], &[Buffer]);

    /// A run has used more memory than there is.
    fn is_full(&self) -> Error;
}

/// The launches of a job.
struct OfJob<'j> {
    job: &'j Job<'j>,
    buffers: &'j [Buffer],
}

impl Start for OfJob<'_> {
    fn queue<'q>(&'q self, races: bool, memory: &mut Memory) -> Queue<'q> {
        Queue::new(self.job.sequence(), self.buffers, races, memory)
    }

    fn arrays(&self) -> (&[Array], &[Buffer]) {
        (&self.job.arrays, self.buffers)
    }

    fn is_full(&self) -> Error {
        self.job.room.error()
    }
}

/// One launch on memory that exists.
struct OnMemory {
    place: InStream,
}

impl Start for OnMemory {
    fn queue<'q>(&'q self, _: bool, _: &mut Memory) -> Queue<'q> {
        Queue::of_one(self.place)
    }

    fn arrays(&self) -> (&[Array], &[Buffer]) {
        (&[], &[])
    }

    fn is_full(&self) -> Error {
        Error::NoMemory { bytes: 0 }
    }
}

/// The results of launches under all their schedules.
struct Sampled {
    first: Option<First>,
    reports: Vec<cute_sim::Report>,
    differences: Vec<Difference>,
    schedules: Vec<Schedule>,
}

impl Simulator<'_> {
    /// Runs a launch on memory that exists, such as that of a program which goes on afterwards.
    /// Each schedule begins with the same memory; then it is that after the first schedule. Returns
    /// the report, and the schedules.
    ///
    /// # Errors
    /// Those of [`simulate`].
    pub fn launch(
        &self,
        launch: Launch<'_>,
        place: InStream,
        memory: &mut Memory,
    ) -> Result<(cute_sim::Report, Vec<Schedule>)> {
        let image = Image::of(mem::take(memory));
        let mut sampled = self.sampled(&[launch], &OnMemory { place }, &image);
        let after = sampled.as_mut().ok().and_then(|sampled| sampled.first.take());
        *memory = match after.and_then(|first| Arc::into_inner(first.memory)) {
            Some(after) => image.settle(after),
            None => image.into_memory(),
        };
        let Sampled { reports, schedules, .. } = sampled?;
        let report = reports.into_iter().next().expect("there is a report of each launch");
        Ok((report, schedules))
    }

    fn sampled(&self, launches: &[Launch<'_>], start: &dyn Start, image: &Image) -> Result<Sampled> {
        launches.iter().try_for_each(|launch| refuse_unknown(self.program, &self.checks, launch))?;
        launches.iter().try_for_each(|launch| chosen(&self.checks, &launch.shape).map(|_| ()))?;
        let schedules = schedules(self.schedule, self.schedules, self.program, launches);
        let (arrays, buffers) = start.arrays();
        let bytes = arrays.iter().map(|array| array.contents.size()).sum();
        let at_once = at_once(schedules.len(), self.program, launches, bytes);

        // Otherwise the order of the blocks is of no interest, and the host decides it.
        let orders_blocks = self.schedule.is_some() || schedules.len() > 1;

        let run_of = |schedule: Schedule| RunOf {
            schedule,
            election: None,
            is_first: schedules.first() == Some(&schedule),
            is_alone: false,
            orders_blocks,
            prefers: schedules.iter().position(|own| *own == schedule).is_some_and(|i| i % 2 == 1),
        };
        let run = |schedule: Schedule, memory: Memory, is_alone: bool| {
            let run = RunOf { is_alone, ..run_of(schedule) };
            self.following(launches, start, run, (image, memory))
        };
        let (mut reports, mut differences) = (Vec::new(), Vec::new());
        let mut first: Option<First> = None;
        let mut finished = |reports: &mut Vec<_>, schedule: Schedule, (own, memory): Run| {
            let is_right = own.iter().all(|report| report.errors().next().is_none());
            match &first {
                None => {
                    first = Some(First { schedule, is_right, memory: Arc::new(memory) });
                }
                Some(first) if first.is_right && is_right => {
                    let theirs = (first.schedule, &*first.memory);
                    differ(&mut differences, (arrays, buffers), theirs, (schedule, &memory));
                }
                Some(_) => {}
            }
            match schedules.len() {
                1 => *reports = own,
                _ => merge(reports, schedule, own),
            }
        };
        let mut suspect: Option<Run> = None;
        each(&schedules, at_once, image, run, |schedule, run| {
            let elects_last = schedule.election() == Election::Last && self.checks.elect.is_none();
            match elects_last && is_suspect(&run) {
                true => suspect = Some(run),
                false => finished(&mut reports, schedule, run),
            }
        })?;
        if let Some(run) = suspect {
            let again = |election: Election| {
                let run = RunOf { election: Some(election), is_first: false, ..run_of(Schedule::Reverse) };
                self.following(launches, start, run, (image, image.begin()))
            };
            let run = explained(run, &reports, &self.checks, again)?;
            finished(&mut reports, Schedule::Reverse, run);
            sort(&mut reports, &schedules);
        }
        Ok(Sampled { first, reports, differences, schedules })
    }
}

/// A memory with the arrays of a job, their buffers and their addresses, which are the same every
/// time.
pub(crate) fn uploaded(job: &Job<'_>) -> Result<(Memory, Vec<Buffer>, Vec<u64>)> {
    let mut memory = Memory::with_room(job.room.bytes);
    let (buffers, addresses) = job.upload(|contents| {
        let bytes = contents.size();
        let buffer = memory.try_upload(contents).ok_or(Error::NoMemory { bytes })?;
        Ok::<_, Error>((buffer, memory.address(buffer).expect("the buffer is one of this memory")))
    })?;
    job.arrays.iter().zip(&buffers).for_each(|(a, b)| memory.name(*b, &a.name));
    let undefined = job.arrays.iter().zip(&buffers).filter(|(array, _)| array.is_undefined);
    undefined.for_each(|(_, buffer)| memory.leave_undefined(*buffer));
    job.variables.iter().for_each(|variable| memory.bind(&variable.symbol, buffers[variable.array]));
    Ok((memory, buffers, addresses))
}

/// The result of the first schedule.
struct First {
    schedule: Schedule,
    /// Whether it has no error.
    is_right: bool,
    memory: Arc<Memory>,
}

/// One of several runs of the same launches.
struct RunOf {
    schedule: Schedule,
    /// The lane that is elected, if not the one of the schedule.
    election: Option<Election>,
    is_first: bool,
    is_alone: bool,
    orders_blocks: bool,
    /// Whether launches have the clusters that they prefer.
    prefers: bool,
}

/// For each launch, the loads that are followed.
type Followed = Vec<Arc<[u32]>>;

/// Lets the racy loads of these reports be followed. Returns whether there are others than before.
fn follow(followed: &mut Followed, reports: &[cute_sim::Report]) -> bool {
    let mut has_more = false;
    for (followed, report) in followed.iter_mut().zip(reports) {
        let all: BTreeSet<u32> = followed.iter().chain(&report.racy_loads).copied().collect();
        has_more |= all.len() > followed.len();
        *followed = all.into_iter().collect();
    }
    has_more
}

impl Simulator<'_> {
    /// Runs the launches, and again while there are loads that race and whose uses are not known:
    /// whether a race is an error then depends on these.
    fn following(
        &self,
        launches: &[Launch<'_>],
        start: &dyn Start,
        mut run: RunOf,
        (image, mut memory): (&Image, Memory),
    ) -> Result<Run> {
        let mut followed: Followed = launches.iter().map(|_| Arc::from([])).collect();
        loop {
            let reports = self.launches(launches, start, (&run, &followed), &mut memory)?;
            if !follow(&mut followed, &reports) {
                return Ok((reports, memory));
            }
            memory = image.begin();
            run.is_first = false;
        }
    }

    /// Runs the launches in order, up to the first with an error.
    fn launches(
        &self,
        launches: &[Launch<'_>],
        start: &dyn Start,
        (run, followed): (&RunOf, &Followed),
        memory: &mut Memory,
    ) -> Result<Vec<cute_sim::Report>> {
        let RunOf { schedule, is_alone, orders_blocks, prefers, .. } = *run;
        let watcher = self.checks.watcher.clone().filter(|_| run.is_first);
        let elect = run.election.or(self.checks.elect);
        let preferred_clusters = prefers;
        let own = self.checks.clone();
        let checks = Checks { schedule, elect, watcher, orders_blocks, preferred_clusters, ..own };
        let mut queue = start.queue(checks.races, memory);
        let mut reports: Vec<cute_sim::Report> = Vec::new();
        // Races of operations before the first launch are reported with it.
        let mut found = queue.advance(memory)?;
        for (i, launch) in launches.iter().enumerate() {
            let progress = is_alone.then(|| (self.progress)(&launch.shape));
            let finished = |_| progress.iter().for_each(|progress| progress.finished());
            let place = queue.place(launches.get(i + 1));
            let mut checks = checks.clone();
            checks.followed_loads = followed[i].clone();
            let mut report = simulate(self.program, &checks, launch, place, memory, finished)?;
            if memory.is_full() {
                return Err(start.is_full());
            }
            queue.launched(memory);
            let goes_on = checks.goes_on && report.is_complete;
            if goes_on || found.is_empty() && report.errors().next().is_none() {
                found.append(&mut queue.advance(memory)?);
            }
            report.findings.append(&mut found);
            accept(&checks.allow, &mut report);
            let has_errors = report.errors().next().is_some();
            reports.push(report);
            if has_errors && !goes_on {
                break;
            }
        }
        Ok(reports)
    }
}
