//! Executes the operations that barriers count, and ends what a block leaves behind.

use crate::engine::Engine;
use crate::engine::landing::{Landing, Payload, Value};
use crate::events::{Event, Task, Work};
use crate::families::mbarrier::complete::{complete_phase, expect_bytes};
use crate::families::mbarrier::misused::misused;
use crate::families::tcgen05::columns::leaked;
use crate::finding::{CopyRole, FindingKind, MbarrierMisuse, Place};
use crate::machine::WARP;
use crate::machine::cluster::Stop;
use crate::machine::parts::{Parts, TensorParts};
use crate::program::Update;
use crate::schedule::{Schedule, Turns};
use crate::shared::SharedMemory;
use crate::task::Issued;
use crate::update::apply;
use cute_machine::types::Scalar;
use std::collections::BTreeSet;

/// Puts values to shared memory.
fn put(shared: &mut SharedMemory, values: &[Value], scalar: Scalar, update: Option<Update>) {
    let size = scalar.bytes() as usize;
    for Value { at, bits } in values {
        let old = shared.bytes().read(*at, size);
        let new = update.map_or(Ok(*bits), |update| apply(update, scalar, old, *bits, 0));
        shared.bytes_mut().write(*at, size, new.unwrap_or(old));
    }
}

/// An operation is on its way, or with the eager schedule there.
pub(crate) fn deliver(parts: &mut Parts<'_, '_>, landing: Landing) -> Result<(), FindingKind> {
    let Landing { issued, payload, barrier, .. } = &landing;
    let work = match payload {
        Payload::Rows(_) => Work::Load,
        Payload::Values { .. } => Work::Values,
        Payload::Response { .. } => Work::Response,
    };
    let (bytes, task) = (payload.bytes() as u64, Task::Bulk(issued.time));
    parts.journal.tell_issue((issued.thread, issued.site), task, work, bytes, Some(*barrier));
    if let Some(course) = &mut parts.engine.course {
        course.send(landing.agent, landing.issued.thread);
    }
    if parts.engine.schedule == Schedule::Eager {
        return land(parts, &landing);
    }
    parts.engine.landings.send(landing);
    Ok(())
}

/// The bytes of an operation arrive, and its barrier counts them.
fn land(parts: &mut Parts<'_, '_>, landing: &Landing) -> Result<(), FindingKind> {
    let Landing { issued, payload, barrier: at, agent } = landing;
    let Parts { shared, clocks, engine, journal } = parts;
    let Engine { landings, barriers, outboxes, course, .. } = &mut **engine;
    journal.acts();
    journal.tell(|_| Event::Done { task: Task::Bulk(issued.time) });
    journal.changes(1);
    match payload {
        Payload::Rows(rows) => rows.fetch(shared, journal.machine().buffers),
        Payload::Values { values, scalar, update } => put(shared, values, *scalar, *update),
        Payload::Response { at, response } => shared.bytes_mut().write_slice(*at, response),
    }
    landings.arrive(*at, *agent);
    let Some(barrier) = barriers.get(*at) else {
        return Err(misused(journal.scene(), *at, MbarrierMisuse::Uninitialised));
    };
    let mut passed = clocks.with_agent(barriers.passed(*at), *agent, issued.time);
    if let Some(maps) = outboxes.map_reader_of(issued.thread) {
        passed = clocks.with_agent(Some(&passed), maps, issued.time);
    }
    landings.count(*agent, issued.time, barrier.state().phase);
    barriers.pass_on(*at, passed);
    expect_bytes(barriers, journal, *at, -(payload.bytes() as i64), None)?;
    let past = course.as_mut().and_then(|course| course.arrives(*agent));
    barriers.follow(*at, past.as_ref());
    complete_phase(barriers, journal, *at, (issued.thread, issued.site));
    Ok(())
}

/// Executes some of the pending operations, or all, or all of those that these mbarriers count.
/// Returns whether there were any.
pub(super) fn transit(
    parts: &mut Parts<'_, '_>,
    turns: &mut Turns,
    all: bool,
    counting: Option<&BTreeSet<usize>>,
) -> Result<bool, Stop> {
    let random = matches!(parts.engine.schedule, Schedule::Random(_));
    let mut happened = false;
    let mut landings = parts.engine.landings.take();
    if parts.engine.schedule == Schedule::Reverse {
        landings.reverse();
    }
    for landing in landings {
        let all = all && counting.is_none_or(|barriers| barriers.contains(&landing.barrier));
        if all || random && turns.below(4) == 0 {
            let Issued { site, thread, block, .. } = landing.issued;
            parts.run(block);
            land(parts, &landing).map_err(|kind| (site, thread, kind))?;
            happened = true;
        } else {
            parts.engine.landings.send(landing);
        }
    }
    if random {
        let Parts { engine, shared, journal, .. } = parts;
        engine.outboxes.send_some(turns, shared, journal);
    }
    Ok(happened)
}

impl TensorParts<'_, '_> {
    /// Ends the shared memory of a block whose threads are all done, and completes its copies.
    /// Returns the first bulk copy to its shared memory that has not arrived, as far as the block
    /// knows. A copy from it that may not have been read is only a note, because NVIDIA's kernels
    /// return after `wait_group.read 1`.
    pub(crate) fn leaves_behind(&mut self, rank: u32) -> Option<Stop> {
        let per_block = self.parts.machine().warps() * WARP;
        let threads = rank * per_block..(rank + 1) * per_block;
        let knows = |agent: u32, time: u32| threads.clone().any(|t| self.parts.clocks.knows(t, agent, time));
        let landed = self.parts.engine.landings.all().filter(|(_, landed)| landed.rank == rank);
        let landing = landed.filter(|(agent, landed)| !knows(*agent, landed.issued.time));
        let first = landing.map(|(_, landed)| landed.issued).min_by_key(|issued| issued.time);
        // Operations of other blocks' tensor cores that may still access this block.
        let is_over =
            |agent: u32, time: u32| threads.clone().any(|t| self.parts.clocks.knows_over(t, agent, time));
        let reached = self.parts.engine.cores.reached();
        let reached = reached.filter(|(to, agent, issued, _)| *to == rank && !is_over(*agent, issued.time));
        let reached = reached.map(|(.., issued, barrier)| (issued, barrier));
        let reached = reached.min_by_key(|(issued, _)| issued.time);
        let sent = self.parts.engine.outboxes.last(threads.clone());
        let sent = sent.filter(|(agent, issued)| !knows(*agent, issued.time));
        if let Some((_, issued)) = sent.min_by_key(|(_, issued)| issued.time) {
            let kind = FindingKind::Unfinished { role: CopyRole::Source };
            self.parts.journal.remark(issued.site, issued.thread, kind);
        }
        let Parts { engine, shared, journal, .. } = &mut self.parts;
        engine.outboxes.send_all(threads, shared, journal);
        if let Some((issued, barrier)) = reached {
            let (place, commit) = match barrier.map(|at| self.parts.scene().barrier_place(at)) {
                Some((place, offset)) => (place, Some(offset)),
                None => (Place::OfBlock { rank, place: Box::new(Place::SharedWindow) }, None),
            };
            return Some((issued.site, issued.thread, FindingKind::Exited { place, commit }));
        }
        if let Some(leaked) = leaked(self.tensor, rank) {
            return Some(leaked);
        }
        first.map(|issued| (issued.site, issued.thread, FindingKind::Unfinished { role: CopyRole::Target }))
    }
}
