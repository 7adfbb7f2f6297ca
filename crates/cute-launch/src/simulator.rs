//! The place without a GPU.

use crate::{
    after::After,
    allow::unmatched,
    bind::ArrayRoom,
    elected::{Run, explained, is_suspect},
    error::{Error, Result},
    job::{Job, Outcome, Place},
    launch::{Launch, Shape},
    report::Report,
    sample::{at_once, differ, each, merge, schedules, sort},
    simulate::{Checks, chosen, refuse_unknown, simulate},
};
use cute_sim::{Buffer, Election, Memory, Program, Schedule};
use std::sync::Arc;

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
        launches.iter().try_for_each(|launch| refuse_unknown(self.program, &self.checks, launch))?;
        launches.iter().try_for_each(|launch| chosen(&self.checks, &launch.shape).map(|_| ()))?;
        let schedules = schedules(self.schedule, self.schedules, self.program, &launches);
        let bytes = job.arrays.iter().map(|array| array.contents.size()).sum();
        let at_once = at_once(schedules.len(), self.program, &launches, bytes);

        // Otherwise the order of the blocks is of no interest, and the host decides it.
        let orders_blocks = self.schedule.is_some() || schedules.len() > 1;

        let run = |schedule: Schedule, mut memory: Memory, is_alone: bool| {
            let is_first = schedules.first() == Some(&schedule);
            let reports = self.launches(
                &launches,
                schedule,
                None,
                (&mut memory, &job.room),
                (is_first, is_alone, orders_blocks),
            )?;
            Ok((reports, memory))
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
                    differ(&mut differences, (&job.arrays, &buffers), theirs, (schedule, &memory));
                }
                Some(_) => {}
            }
            match schedules.len() {
                1 => *reports = own,
                _ => merge(reports, schedule, own),
            }
        };
        let mut suspect: Option<Run> = None;
        each(&schedules, at_once, memory, run, |schedule, run| {
            let elects_last = schedule.election() == Election::Last && self.checks.elect.is_none();
            match elects_last && is_suspect(&run) {
                true => suspect = Some(run),
                false => finished(&mut reports, schedule, run),
            }
        })?;
        if let Some(run) = suspect {
            let again = |election: Election| {
                let (mut memory, ..) = uploaded(job)?;
                let (schedule, election) = (Schedule::Reverse, Some(election));
                let reports = self.launches(
                    &launches,
                    schedule,
                    election,
                    (&mut memory, &job.room),
                    (false, false, orders_blocks),
                )?;
                Ok((reports, memory))
            };
            let run = explained(run, &reports, &self.checks, again)?;
            finished(&mut reports, Schedule::Reverse, run);
            sort(&mut reports, &schedules);
        }
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
        let mut reports = job.reports(reports);
        // Arrays may differ because of an error, which is reported itself.
        reports.differences = if reports.findings().is_none() { differences } else { Vec::new() };
        reports.schedules = schedules;
        reports.unmatched = unmatched(&self.checks.allow, reports.simulated().map(|(_, report)| report));
        Ok(Outcome { reports, arrays, written: Some(written) })
    }
}

/// A memory with the arrays of a job, their buffers and their addresses, which are the same every
/// time.
fn uploaded(job: &Job<'_>) -> Result<(Memory, Vec<Buffer>, Vec<u64>)> {
    let mut memory = Memory::with_room(job.room.bytes);
    let (buffers, addresses) = job.upload(|contents| {
        let bytes = contents.size();
        let buffer = memory.try_upload(contents).ok_or(Error::NoMemory { bytes })?;
        Ok::<_, Error>((buffer, memory.address(buffer).expect("the buffer is one of this memory")))
    })?;
    job.arrays.iter().zip(&buffers).for_each(|(a, b)| memory.name(*b, &a.name));
    Ok((memory, buffers, addresses))
}

/// The result of the first schedule.
struct First {
    schedule: Schedule,
    /// Whether it has no error.
    is_right: bool,
    memory: Arc<Memory>,
}

impl Simulator<'_> {
    /// Runs the launches in order, up to the first with an error, under the first of the schedules
    /// or another one.
    fn launches(
        &self,
        launches: &[Launch<'_>],
        schedule: Schedule,
        election: Option<Election>,
        (memory, room): (&mut Memory, &ArrayRoom),
        (is_first, is_alone, orders_blocks): (bool, bool, bool),
    ) -> Result<Vec<cute_sim::Report>> {
        let watcher = self.checks.watcher.clone().filter(|_| is_first);
        let elect = election.or(self.checks.elect);
        let checks = Checks { schedule, elect, watcher, orders_blocks, ..self.checks.clone() };
        let mut reports = Vec::new();
        for (i, launch) in launches.iter().enumerate() {
            let progress = is_alone.then(|| (self.progress)(&launch.shape));
            let finished = |_| progress.iter().for_each(|progress| progress.finished());
            let next = launches.get(i + 1);
            reports.push(simulate(self.program, &checks, launch, next, memory, finished)?);
            if memory.is_full() {
                return Err(room.error());
            }
            if reports.last().is_some_and(|report| report.errors().next().is_some()) {
                break;
            }
        }
        Ok(reports)
    }
}
