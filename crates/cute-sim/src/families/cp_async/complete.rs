//! Copies of `cp.async` arrive: when a thread waits for their group, or before an arrival at a
//! barrier that follows them.

use super::queue::{Copy, Trigger, Work};
use crate::events::{self, Event, Task};
use crate::families::mbarrier::complete::{Arrivals, arrive};
use crate::finding::{AccessKind, FindingKind};
use crate::lanes::lanes_of;
use crate::machine::cluster::Stop;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::machine::warp::Warp;
use crate::memory::address::SHARED;
use crate::race::Reach;
use crate::registers::Registers;
use crate::schedule::{Schedule, Turns};

/// Executes the arrivals that the schedule selects, or all, each after the copies before it.
/// Returns whether there were any.
pub(crate) fn follow_copies(
    parts: &mut Parts<'_, '_>,
    warps: &[Warp],
    turns: &mut Turns,
    all: bool,
) -> Result<bool, Stop> {
    let mut happened = false;
    let mut i = 0;
    while i < parts.engine.copies.following() {
        let now = match parts.engine.schedule {
            Schedule::Eager => true,
            Schedule::Random(_) => turns.below(4) == 0,
            Schedule::Lazy | Schedule::Reverse => false,
        };
        if now || all {
            let trigger = parts.engine.copies.triggers().remove(i);
            let warp = &warps[trigger.warp];
            let issuer = Issuer { site: trigger.site, ..warp.issuer(1 << trigger.lane) };
            fire(parts, &warp.registers, &issuer, &trigger)
                .map_err(|kind| (trigger.site, issuer.thread(trigger.lane), kind))?;
            happened = true;
        } else {
            i += 1;
        }
    }
    Ok(happened)
}

/// Executes the requests that an arrival follows, and then the arrival.
fn fire(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    issuer: &Issuer,
    trigger: &Trigger,
) -> Result<(), FindingKind> {
    let Trigger { site, warp, lane, upto, waited, barrier, ref past } = *trigger;
    let thread = issuer.thread(lane);
    parts.run(issuer.block);
    let agent = parts.engine.barriers.agent_of(barrier, issuer.block.number, parts.clocks);
    let time = parts.clocks.act();
    let mut queue = std::mem::take(parts.engine.copies.of_mut(warp));
    for request in queue.upto(lane, upto) {
        if let Work::Copy(copy) = &request.work {
            let own = Issuer { site: request.site, ..*issuer };
            deliver(parts, registers, (&own, lane), copy, Some((agent, time)));
            parts.journal.tell(|_| Event::Done { task: Task::Async(request.number) });
            request.work = Work::Done { agent, time };
        } else if let Work::Done { agent, time } = request.work {
            // Another barrier followed it first.
            let passed = parts.engine.barriers.passed(barrier);
            let passed = parts.clocks.with_agent(passed, agent, time);
            parts.engine.barriers.pass_on(barrier, passed);
        }
    }
    *parts.engine.copies.of_mut(warp) = queue;
    let Parts { clocks, engine, journal, .. } = parts;
    let barriers = &mut engine.barriers;
    journal.changes(1);
    barriers.note_agent(barrier, (agent, time), (thread, site));
    barriers.leave_open(barrier);
    let passed = clocks.with_agent(barriers.passed(barrier), agent, time);
    // Copies for which the thread has waited itself count as its own writes, up to then.
    let passed = clocks.with_agent(Some(&passed), thread, waited);
    barriers.follow(barrier, past.as_ref());
    journal.acts();
    journal.tell(|scene| Event::Arrives {
        act: scene.act_of(thread, site),
        barrier,
        after: Some(events::Work::Async),
    });
    let arrivals = Arrivals { count: 1, drop: false, passed, who: (thread, site), when: issuer.executed };
    arrive(barriers, journal, barrier, arrivals)
}

/// Completes all groups of each lane except the `pending` youngest.
pub(super) fn wait(parts: &mut Parts<'_, '_>, registers: &Registers, issuer: &Issuer, pending: u32) {
    parts.journal.tell(|_| Event::Completes { act: issuer.act() });
    let warp = issuer.warp_of_cluster() as usize;
    for lane in lanes_of(issuer.lanes) {
        while let Some(group) = parts.engine.copies.of_mut(warp).take(lane, pending) {
            for request in group {
                match request.work {
                    Work::Copy(copy) => {
                        parts.engine.copies.of_mut(warp).note_wait(lane, parts.clocks.now());
                        let own = Issuer { site: request.site, ..*issuer };
                        deliver(parts, registers, (&own, lane), &copy, None);
                        parts.journal.tell(|_| Event::Done { task: Task::Async(request.number) });
                    }
                    Work::Done { agent, time } => parts.clocks.learn(issuer.thread(lane), agent, time),
                }
            }
        }
    }
}

/// Delivers a copy of an instruction: with `agent`, as an act of the agent at its time; otherwise
/// as an act of the thread.
fn deliver(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    (issuer, lane): (&Issuer, u32),
    copy: &Copy,
    agent: Option<(u32, u32)>,
) {
    let read = (AccessKind::Read, Reach::default());
    let write = (AccessKind::Copy, Reach::default());
    if let Some(from) = copy.from {
        parts.watch(registers, (issuer, lane), from, read, None);
    }
    parts.journal.changes(1);
    parts.shared.bytes_mut().write_slice(copy.to.start, &copy.bytes[..copy.len]);
    let Some(agent) = agent else {
        parts.watch(registers, (issuer, lane), (copy.to, copy.len), write, None);
        return;
    };
    let who = issuer.who(parts.scene(), SHARED, AccessKind::Copy, Reach::default());
    let mut window = parts.shared.shadow();
    window.note(copy.to.start, copy.len, &who, 1 << lane, Some(agent), parts.clocks);
}
