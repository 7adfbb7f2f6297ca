//! One run of all warps of a cluster, by their events, with what each knows of the others.
//!
//! A warp is a list of events. The run is one of many; these conditions make all of them the same:
//! an arrival for a phase knows that the phase before is over, a wait for a phase knows that the
//! one before it is over, and an arrival of the next phase knows of the wait. Then each arrival and
//! each wait meets the same phase in each order of the warps, so that one run shows the phases of
//! all, and all end if one does.
//!
//! Knowledge is per class of lanes: lanes that take part in the same events. A warp barrier, or an
//! instruction that all lanes execute together, joins what they know.

mod cells;
mod meetings;
mod phases;
mod repeat;

use crate::{
    trace::{Event, Place, What},
    value::Val,
};
use cells::Cell;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// A condition that does not hold, at an instruction of a warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broken {
    pub warp: usize,
    pub pc: u32,
    pub what: String,
    /// A load of shared memory whose value is another one than the walk took: the number of the
    /// load, and what it finds.
    pub found: Option<(Option<u32>, Vec<Val>)>,
}

type Clock = Vec<i64>;

/// An event of a class of lanes: the class, and its time.
type Point = (usize, i64);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Phase {
    /// Classes of lanes that have arrived.
    arrivals: Vec<Point>,
    /// Whether something of it comes at a time of its own.
    has_agents: bool,
    /// Those who saw its end.
    waiters: Vec<Point>,
    /// The knowledge of those that arrive, and the part that they publish.
    known: Clock,
    published: Clock,
    /// Bytes that are expected, and by whom.
    expects: Vec<Point>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Barrier {
    count: i64,
    pending: i64,
    bytes: i64,
    /// Phases that are over, up to two, and then by their parity: 2 or 3.
    over: i64,
    now: Phase,
    before: Phase,
    earlier: Phase,
    /// Tests of warps: the warp, its lanes, and the phases that must end until its wait.
    tests: Vec<(usize, u32, i64)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Named {
    threads: u32,
    arrived: u32,
    published: Clock,
    /// The knowledge that the use before has published; warps that wait in this use, and those that
    /// have not seen the end of the one before.
    done: Clock,
    inside: u32,
    left: u32,
    /// Those who saw the end of the use before.
    before: Vec<Point>,
    used: bool,
    /// Uses that are over.
    uses: i64,
}

/// The four warps of a warpgroup, which begin a `wgmma` together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Warpgroup {
    arrived: u32,
    uses: i64,
    published: Clock,
    done: Clock,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Cluster {
    arrived: u32,
    published: Clock,
    done: Clock,
    phase: i64,
}

/// A barrier that a warp waits at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Group(usize),
    Block((usize, u32)),
}

/// A warp in the run.
#[derive(Debug, Clone)]
struct Role {
    /// The classes of its lanes: masks, and the first class's number.
    classes: Vec<u32>,
    first: usize,
    /// Events done, whether the one at hand has begun to wait, and where.
    time: i64,
    begun: bool,
    inside: Inside,
    /// At a barrier of the block or of the warpgroup: the use that it waits for.
    awaits: i64,
    /// The phase of the cluster's barrier that it arrived in.
    arrived: i64,
    /// The time of the latest arrivals of one instruction at several barriers.
    together: i64,
}

/// The state of a run.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    roles: Vec<Role>,
    clocks: Vec<Rc<Clock>>,
    barriers: BTreeMap<Place, Barrier>,
    cells: BTreeMap<Place, Cell>,
    named: BTreeMap<(usize, u32), Named>,
    groups: BTreeMap<usize, Warpgroup>,
    cluster: Cluster,
    /// Threads of the cluster.
    threads: u32,
    /// Warps of a block.
    warps: usize,
    /// The times at which a cut was made.
    cut: Vec<i64>,
}

/// Whether a warp could do its next event.
enum Step {
    Done,
    Waits,
}

impl Run {
    /// Warps with the masks of lanes of their events; `warps` in each block.
    pub fn new(masks: &[BTreeSet<u32>], warps: usize, threads: u32) -> Self {
        let mut first = 0;
        let mut roles = Vec::new();
        for masks in masks {
            let mut classes: Vec<u32> = vec![u32::MAX];
            for mask in masks {
                classes = classes
                    .iter()
                    .flat_map(|class| [class & mask, class & !mask])
                    .filter(|c| *c != 0)
                    .collect();
            }
            let count = classes.len();
            roles.push(Role {
                classes,
                first,
                time: 0,
                begun: false,
                inside: Inside::Group(0),
                awaits: 0,
                arrived: -1,
                together: 0,
            });
            first += count;
        }
        let zero = Rc::new(vec![0; first]);
        let cut = vec![0; roles.len()];
        Run {
            clocks: vec![zero; first],
            roles,
            barriers: BTreeMap::new(),
            cells: BTreeMap::new(),
            named: BTreeMap::new(),
            groups: BTreeMap::new(),
            cluster: Cluster::default(),
            threads,
            warps,
            cut,
        }
    }

    /// Runs each warp to its target in its list, in turns. Those that are there go on, event by
    /// event, as long as others wait for them. `at` are the next events.
    ///
    /// # Errors
    /// A broken condition, or a warp that waits for ever.
    pub fn go(&mut self, lists: &[Vec<&Event>], at: &mut [usize], targets: &[usize]) -> Result<(), Broken> {
        loop {
            let mut moved = false;
            for warp in 0..lists.len() {
                while at[warp] < targets[warp] {
                    match self.step(warp, lists[warp][at[warp]])? {
                        Step::Done => {
                            at[warp] += 1;
                            moved = true;
                        }
                        Step::Waits => break,
                    }
                }
            }
            let Some(warp) = (0..lists.len()).find(|warp| at[*warp] < targets[*warp]) else { return Ok(()) };
            if moved {
                continue;
            }
            for warp in 0..lists.len() {
                if at[warp] >= targets[warp]
                    && let Some(event) = lists[warp].get(at[warp])
                    && let Step::Done = self.step(warp, event)?
                {
                    at[warp] += 1;
                    moved = true;
                }
            }
            if !moved {
                // One that waits for a phase tells more than one that waits for the others.
                let stuck = (0..lists.len()).filter(|warp| at[*warp] < targets[*warp]);
                let tells = |warp: &usize| matches!(lists[*warp][at[*warp]].what, What::Wait { .. });
                let warp = stuck.clone().find(tells).unwrap_or(warp);
                let event = lists[warp][at[warp]];
                return Err(self.broken(warp, event, self.why(event)));
            }
        }
    }

    /// Lets warps pass the barriers that others have already left.
    ///
    /// # Errors
    /// A broken condition.
    pub fn settle(&mut self, lists: &[Vec<&Event>], at: &mut [usize]) -> Result<(), Broken> {
        for warp in 0..lists.len() {
            if self.roles[warp].begun
                && let Some(event) = lists[warp].get(at[warp])
                && let Step::Done = self.step(warp, event)?
            {
                at[warp] += 1;
            }
        }
        Ok(())
    }

    /// Runs each warp as far as it gets. Returns the loads of shared memory that find other values
    /// than the walks took, by their warps, and the first condition that is broken.
    pub fn explore(&mut self, lists: &[Vec<&Event>]) -> (Vec<Broken>, Option<Broken>) {
        let mut at = vec![0; lists.len()];
        let mut found: Vec<Broken> = Vec::new();
        loop {
            let mut moved = false;
            for warp in 0..lists.len() {
                while at[warp] < lists[warp].len() && found.iter().all(|own| own.warp != warp) {
                    match self.step(warp, lists[warp][at[warp]]) {
                        Ok(Step::Done) => {
                            at[warp] += 1;
                            moved = true;
                        }
                        Ok(Step::Waits) => break,
                        Err(broken) if broken.found.is_some() => found.push(broken),
                        Err(broken) => return (found, Some(broken)),
                    }
                }
            }
            if !moved {
                return (found, None);
            }
        }
    }

    /// The uses that are over of the barrier that a warp waits at.
    fn uses(&self, role: &Role) -> i64 {
        match role.inside {
            Inside::Group(group) => self.groups.get(&group).map_or(0, |own| own.uses),
            Inside::Block(key) => self.named.get(&key).map_or(0, |own| own.uses),
        }
    }

    fn why(&self, event: &Event) -> String {
        match &event.what {
            What::Wait { barrier, .. } => match self.barriers.get(barrier) {
                Some(own) if own.bytes != 0 && own.pending == 0 => {
                    format!("deadlock: a phase expects {} more bytes", own.bytes)
                }
                Some(own) => {
                    format!("deadlock: a phase has {} of {} arrivals", own.count - own.pending, own.count)
                }
                None => "a wait at an mbarrier without init".into(),
            },
            _ => "deadlock: the other threads of the barrier do not come".into(),
        }
    }

    fn broken(&self, warp: usize, event: &Event, what: impl Into<String>) -> Broken {
        Broken { warp, pc: event.pc, what: what.into(), found: None }
    }

    /// The classes that take part.
    fn classes(&self, warp: usize, lanes: u32) -> Vec<usize> {
        let role = &self.roles[warp];
        let inside = role.classes.iter().enumerate().filter(|(_, class)| *class & lanes != 0);
        inside.map(|(i, _)| role.first + i).collect()
    }

    fn knows(&self, class: usize, (other, time): Point) -> bool {
        self.clocks[class][other] >= time
    }

    /// Whether a class knows that the phase is over.
    fn saw(&self, class: usize, phase: &Phase) -> bool {
        let all = |points: &[Point]| points.iter().all(|point| self.knows(class, *point));
        (!phase.has_agents && all(&phase.arrivals) && all(&phase.expects))
            || phase.waiters.iter().any(|point| self.knows(class, *point))
    }

    fn learn(&mut self, class: usize, from: &Clock) {
        if self.clocks[class].iter().zip(from).any(|(own, other)| other > own) {
            join(Rc::make_mut(&mut self.clocks[class]), from);
        }
    }

    fn tick(&mut self, warp: usize, classes: &[usize]) {
        self.roles[warp].time += 1;
        let time = self.roles[warp].time;
        for class in classes {
            Rc::make_mut(&mut self.clocks[*class])[*class] = time;
        }
    }

    /// Joins what the classes know.
    fn meet(&mut self, classes: &[usize]) {
        let all = classes.iter().fold(vec![0; self.clocks.len()], |mut all, class| {
            join(&mut all, &self.clocks[*class]);
            all
        });
        for class in classes {
            self.learn(*class, &all);
        }
    }

    fn step(&mut self, warp: usize, event: &Event) -> Result<Step, Broken> {
        let classes = self.classes(warp, event.lanes);
        match &event.what {
            What::Touch(_) => {}
            What::Meet => {
                self.meet(&classes);
                self.tick(warp, &classes);
            }
            What::Init { barrier, count } => {
                if self.barriers.contains_key(barrier) {
                    return Err(self.broken(warp, event, "an mbarrier begins twice"));
                }
                if *count == 0 {
                    return Err(self.broken(warp, event, "an mbarrier for no arrival"));
                }
                let count = i64::from(*count);
                let (now, before, earlier, tests) = Default::default();
                let own = Barrier { count, pending: count, bytes: 0, over: 0, now, before, earlier, tests };
                self.barriers.insert(*barrier, own);
                self.tick(warp, &classes);
            }
            What::Invalidate { barrier } => {
                if self.barriers.remove(barrier).is_none() {
                    return Err(self.broken(warp, event, "an mbarrier ends that did not begin"));
                }
                self.tick(warp, &classes);
            }
            What::Expect { barrier, bytes } => {
                self.tick(warp, &classes);
                let mut own = self.in_phase(warp, event, *barrier, &classes)?;
                own.bytes += bytes;
                let time = self.roles[warp].time;
                own.now.expects.extend(classes.iter().map(|class| (*class, time)));
                self.barriers.insert(*barrier, own);
                self.complete(warp, event, *barrier)?;
            }
            What::Together => {
                self.tick(warp, &classes);
                self.meet(&classes);
                self.roles[warp].together = self.roles[warp].time;
            }
            What::Arrive { barrier, count, relaxed, together } => {
                let time = match together {
                    true => {
                        self.tick(warp, &[]);
                        self.roles[warp].together
                    }
                    false => {
                        self.tick(warp, &classes);
                        self.roles[warp].time
                    }
                };
                let at = (classes.as_slice(), time);
                self.arrive(warp, event, *barrier, (*count).into(), at, (!relaxed, false))?;
            }
            What::Follow { barrier, count } => {
                self.tick(warp, &classes);
                let at = (classes.as_slice(), self.roles[warp].time);
                self.arrive(warp, event, *barrier, (*count).into(), at, (true, true))?;
            }
            What::Copy { barrier, bytes } => {
                self.tick(warp, &classes);
                let mut own = self.in_phase(warp, event, *barrier, &classes)?;
                own.bytes -= bytes;
                own.now.has_agents = true;
                for class in &classes {
                    grow(&mut own.now.published, &self.clocks[*class]);
                }
                self.barriers.insert(*barrier, own);
                self.complete(warp, event, *barrier)?;
            }
            What::Peek { barrier, parity } => {
                self.tick(warp, &classes);
                self.test(warp, event, *barrier, *parity, &classes)?;
            }
            What::Wait { barrier, parity, relaxed, tested } => {
                let Some(own) = self.barriers.get(barrier) else { return Ok(Step::Waits) };
                if (own.over & 1 == 1) == *parity {
                    return Ok(Step::Waits);
                }
                // The phase before the one at hand.
                if own.over > 1 && !classes.iter().all(|class| self.saw(*class, &own.earlier)) {
                    let what = "a wait may come before the phase ahead of its own is over, and pass at once";
                    return Err(self.broken(warp, event, what));
                }
                let is_test_of_it = |(of, lanes, left): &(usize, u32, i64)| {
                    (*of, *left) == (warp, 0) && event.lanes & !lanes == 0
                };
                if *tested && !own.tests.iter().any(is_test_of_it) {
                    let what = "a wait may be left out, by the answer of a test of another phase";
                    return Err(self.broken(warp, event, what));
                }
                let (is_first, published) = (own.over == 0, own.before.published.clone());
                if !is_first && !relaxed {
                    classes.iter().for_each(|class| self.learn(*class, &published));
                }
                self.tick(warp, &classes);
                let time = self.roles[warp].time;
                // One that passes before the first phase must be over before that phase is.
                if let Some(own) = self.barriers.get_mut(barrier) {
                    own.before.waiters.extend(classes.iter().map(|class| (*class, time)));
                }
            }
            What::Block { id, threads, waits } => {
                return self.block(warp, event, (*id, *threads, *waits), &classes);
            }
            What::Group => return Ok(self.group(warp, &classes)),
            What::ClusterArrive { relaxed } => self.cluster_arrive(warp, event, *relaxed, &classes)?,
            What::Write(spans) => self.write(warp, event, spans, &classes)?,
            What::Read { spans, values, number } => {
                self.read(warp, event, spans, (values.as_deref(), *number), &classes)?;
            }
            What::ClusterWait => return Ok(self.cluster_wait(warp, &classes)),
        }
        Ok(Step::Done)
    }

    /// Whether no barrier is within a phase of its own: for the end of a kernel.
    pub fn rest(&self) -> Option<String> {
        self.barriers.values().find(|own| own.bytes != 0).map(|own| match own.bytes {
            bytes if bytes > 0 => format!("a phase still expects {bytes} bytes at the end"),
            bytes => format!("{} bytes arrive that no phase expects", -bytes),
        })
    }
}

fn join(own: &mut Clock, other: &Clock) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).max(*other));
}

/// Joins a clock that may be empty yet.
fn grow(own: &mut Clock, other: &Clock) {
    if own.is_empty() {
        own.clone_from(other);
    } else {
        join(own, other);
    }
}

#[cfg(test)]
mod tests;
