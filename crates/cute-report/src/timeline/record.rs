//! The recorder of a cluster: slices, flows and counters from the simulator's events.

use super::stages::Stages;
use super::{
    ClusterLine, Counter, Flow, GROUP, Kind, LEAST_BYTES, LaunchRecorder, Owner, Slice, Track, Unit,
};
use cute_sim::events::{Act, Actor, Awaits, Begun, Event, Recorder, Subject, Task, Work};
use cute_sim::place::SourcePlace;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// A cluster that runs.
pub(super) struct Recording {
    all: LaunchRecorder,
    line: ClusterLine,
    /// By rank, whether the block is wanted.
    wanted: Vec<bool>,
    /// Names and places of instructions.
    sites: Vec<(Arc<str>, SourcePlace)>,
    /// The tracks of each owner, and the step from which each is free; `None` while a slice is
    /// open.
    rows: HashMap<(u32, Owner), Rows>,
    /// The last turn of a warp, which is open while it runs.
    turns: HashMap<Actor, (usize, bool)>,
    /// The waits of a warp's lanes that are not over. Their slices are made when they are.
    waits: HashMap<Actor, Vec<Waiting>>,
    /// A warp that asks for a phase in a loop: the slice, the condition, and the last question.
    asks: HashMap<Actor, (usize, Awaits, u64)>,
    /// The last arrival of a warp, to which those of other lanes in the same step belong.
    arrivals: HashMap<Actor, (usize, Target)>,
    barriers: BTreeMap<usize, Barrier>,
    /// The arrival that ended a phase.
    ends: HashMap<(usize, u64), usize>,
    /// The last slice that took part in a barrier of the block, or of the cluster.
    entered: HashMap<Target, usize>,
    /// Operations in flight: the slice, the requests that are left, and the barrier.
    tasks: BTreeMap<Task, (usize, u32, Option<usize>)>,
    stages: Stages,
    /// By rank, the loads that are in flight.
    loads: BTreeMap<u32, u64>,
    /// The barriers of stages that are full, and that no warp has taken, with their ranks.
    full: BTreeSet<(u32, usize)>,
}

/// Tracks, and the step from which each is free.
type Rows = Vec<(usize, Option<u64>)>;

/// The barrier that an arrival is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Target {
    Mbarrier(usize),
    Block(u32, u32),
    Cluster,
}

/// Lanes that wait.
struct Waiting {
    act: Act,
    /// Those that still wait.
    left: u32,
    on: Awaits,
    from: u64,
}

/// An `mbarrier`.
struct Barrier {
    rank: u32,
    name: Arc<str>,
    /// The slice of the current phase.
    phase: Option<usize>,
    /// The last slice that changed it.
    touched: Option<usize>,
}

/// The name of the barrier of a cluster.
const CLUSTER: &str = "barrier of the cluster";

/// The name of a barrier of a block.
fn block_barrier(id: u32) -> Arc<str> {
    format!("barrier {id} of the block").into()
}

impl Recording {
    pub(super) fn new(all: LaunchRecorder, line: ClusterLine, wanted: Vec<bool>, begun: &Begun<'_>) -> Self {
        let sites = begun.sites.iter().map(|site| (site.op.clone(), site.location.clone())).collect();
        Recording {
            all,
            line,
            wanted,
            sites,
            rows: HashMap::new(),
            turns: HashMap::new(),
            waits: HashMap::new(),
            asks: HashMap::new(),
            arrivals: HashMap::new(),
            barriers: BTreeMap::new(),
            ends: HashMap::new(),
            entered: HashMap::new(),
            tasks: BTreeMap::new(),
            stages: Stages::default(),
            loads: BTreeMap::new(),
            full: BTreeSet::new(),
        }
    }

    fn site(&self, number: u32) -> (Arc<str>, SourcePlace) {
        self.sites.get(number as usize).cloned().unwrap_or_else(|| ("".into(), SourcePlace::default()))
    }

    /// Opens a slice, unless its block is not wanted or the recording has stopped.
    fn open(&mut self, rank: u32, owner: Owner, from: u64, kind: Kind, name: Arc<str>) -> Option<usize> {
        if !self.wanted.get(rank as usize).copied().unwrap_or(false) || self.line.cut.is_some() {
            return None;
        }
        if self.line.slices.len() * LEAST_BYTES > self.all.most {
            self.line.cut = Some(from);
            return None;
        }
        let rows = self.rows.entry((rank, owner.clone())).or_default();
        let free = rows.iter_mut().find(|(_, free)| free.is_some_and(|free| free <= from));
        let track = match free {
            Some((track, free)) => {
                *free = None;
                *track
            }
            None => {
                let track = self.line.tracks.len();
                self.line.tracks.push(Track { rank, owner, row: rows.len() as u32 });
                rows.push((track, None));
                track
            }
        };
        self.line.slices.push(Slice::new(track, from, kind, name));
        Some(self.line.slices.len() - 1)
    }

    /// Opens a slice of an instruction in a track of its warp.
    fn open_of(&mut self, act: Act, from: u64, kind: Kind) -> Option<usize> {
        let (name, place) = self.site(act.site);
        let slice = self.open(act.by.rank, Owner::Warp(act.by.warp), from, kind, name)?;
        let own = &mut self.line.slices[slice];
        (own.place, own.lanes) = (place, act.lanes.count_ones());
        Some(slice)
    }

    /// A slice of the last step: within the warp's turn, or in a track of another owner.
    fn brief(&mut self, step: u64, act: Act, kind: Kind, owner: Option<Owner>) -> Option<usize> {
        let from = step.saturating_sub(1);
        let turn = self.turns.get(&act.by).filter(|(_, runs)| *runs && owner.is_none());
        if let Some((turn, _)) = turn {
            if self.line.cut.is_some() {
                return None;
            }
            let (track, (name, place)) = (self.line.slices[*turn].track, self.site(act.site));
            let lanes = act.lanes.count_ones();
            self.line.slices.push(Slice { lanes, place, open: false, ..Slice::new(track, from, kind, name) });
            return Some(self.line.slices.len() - 1);
        }
        let is_own = owner.is_none();
        let (name, place) = self.site(act.site);
        let slice = self.open(act.by.rank, owner.unwrap_or(Owner::Warp(act.by.warp)), from, kind, name)?;
        let own = &mut self.line.slices[slice];
        (own.place, own.lanes) = (place, act.lanes.count_ones());
        own.issuer = (!is_own).then_some(act.by.warp);
        self.close(slice, step);
        Some(slice)
    }

    /// Ends a slice, which takes a step at least.
    fn close(&mut self, slice: usize, to: u64) {
        let own = &mut self.line.slices[slice];
        (own.to, own.open) = (to.max(own.from + 1), false);
        let (track, to) = (own.track, own.to);
        let Track { rank, owner, .. } = &self.line.tracks[track];
        let rows = self.rows.get_mut(&(*rank, owner.clone()));
        if let Some((_, free)) = rows.and_then(|rows| rows.iter_mut().find(|(own, _)| *own == track)) {
            *free = Some(to);
        }
    }

    /// A slice goes on that had ended in this step.
    fn reopen(&mut self, slice: usize) {
        let own = &mut self.line.slices[slice];
        own.open = true;
        let track = own.track;
        let Track { rank, owner, .. } = &self.line.tracks[track];
        let rows = self.rows.get_mut(&(*rank, owner.clone()));
        if let Some((_, free)) = rows.and_then(|rows| rows.iter_mut().find(|(own, _)| *own == track)) {
            *free = None;
        }
    }

    /// An arrival, which takes one step. Lanes that arrive in the same step are one slice.
    fn arrive(&mut self, step: u64, act: Act, target: Target, owner: Option<Owner>) -> Option<usize> {
        let from = step.saturating_sub(1);
        let known =
            self.arrivals.get(&act.by).copied().filter(|(_, other)| owner.is_none() && *other == target);
        if let Some((slice, _)) = known.filter(|(slice, _)| self.line.slices[*slice].from == from) {
            self.line.slices[slice].lanes += act.lanes.count_ones();
            return Some(slice);
        }
        let is_own = owner.is_none();
        let slice = self.brief(step, act, Kind::Arrive, owner)?;
        let barrier = match target {
            Target::Mbarrier(barrier) => self.barriers.get(&barrier).map(|own| own.name.clone()),
            Target::Block(_, id) => Some(block_barrier(id)),
            Target::Cluster => Some(CLUSTER.into()),
        };
        let phase = self.phase_of(target);
        let own = &mut self.line.slices[slice];
        (own.barrier, own.phase) = (barrier, phase);
        if is_own {
            self.arrivals.insert(act.by, (slice, target));
        }
        Some(slice)
    }

    fn phase_of(&self, target: Target) -> Option<u64> {
        let Target::Mbarrier(barrier) = target else { return None };
        self.line.slices.get(self.barriers.get(&barrier)?.phase?)?.phase
    }

    fn touch(&mut self, barrier: usize, slice: Option<usize>) {
        if let Some(own) = self.barriers.get_mut(&barrier) {
            own.touched = slice;
        }
    }

    /// Sets the condition of a wait.
    fn on(&mut self, slice: usize, on: Awaits) {
        let (barrier, phase) = match on {
            Awaits::Phase { barrier, phase } => {
                (self.barriers.get(&barrier).map(|own| own.name.clone()), Some(phase))
            }
            Awaits::Barrier(id) => (Some(block_barrier(id)), None),
            Awaits::Cluster => (Some(CLUSTER.into()), None),
            Awaits::Group => (Some(GROUP.into()), None),
            Awaits::Columns => (Some("columns of tensor memory".into()), None),
        };
        let own = &mut self.line.slices[slice];
        (own.barrier, own.phase) = (barrier, phase);
    }

    /// The slice that ended a wait of a block.
    fn end_of(&self, rank: u32, on: Awaits) -> Option<usize> {
        match on {
            Awaits::Phase { barrier, phase } => self.ends.get(&(barrier, phase)).copied(),
            Awaits::Barrier(id) => self.entered.get(&Target::Block(rank, id)).copied(),
            Awaits::Cluster => self.entered.get(&Target::Cluster).copied(),
            Awaits::Group | Awaits::Columns => None,
        }
    }

    /// Ends a wait, with the flow from what ended it.
    fn go_on(&mut self, slice: usize, rank: u32, on: Awaits, step: u64) {
        self.close(slice, step);
        if let Awaits::Phase { barrier, .. } = on {
            self.take(barrier, step);
        }
        if let Some(from) = self.end_of(rank, on).filter(|from| *from != slice) {
            let (source, to) = (&self.line.slices[from], &self.line.slices[slice]);
            // The last to enter a barrier does not end its own wait.
            if source.to <= to.to && source.track != to.track {
                self.line.flows.push(Flow { from, to: slice });
            }
        }
    }

    /// Begins a phase of a barrier.
    fn begin_phase(&mut self, barrier: usize, phase: u64, from: u64) {
        let Some(Barrier { rank, name, .. }) = self.barriers.get(&barrier) else { return };
        let (rank, name) = (*rank, name.clone());
        let owner = Owner::Barrier(name.to_string());
        let slice = self.open(rank, owner, from, Kind::Phase, format!("phase {phase}").into());
        if let Some(slice) = slice {
            let own = &mut self.line.slices[slice];
            (own.phase, own.barrier) = (Some(phase), Some(name));
        }
        if let Some(own) = self.barriers.get_mut(&barrier) {
            own.phase = slice;
        }
    }

    /// Sets the counter of a barrier.
    fn count(&mut self, barrier: usize, step: u64, bytes: u64) {
        let Some(own) = self.barriers.get(&barrier) else { return };
        let (rank, name) = (own.rank, format!("bytes pending, {}", own.name));
        self.set(rank, Unit::Bytes, name, step, bytes);
    }

    /// A stage has been filled by the bytes of a load.
    fn fill(&mut self, barrier: usize, step: u64) {
        if let Some(own) = self.barriers.get(&barrier)
            && let Some(Kind::Copy) = own.touched.map(|slice| self.line.slices[slice].kind)
        {
            let rank = own.rank;
            self.full.insert((rank, barrier));
            self.count_full(rank, step);
        }
    }

    /// A warp has seen that a stage is full.
    fn take(&mut self, barrier: usize, step: u64) {
        let Some(rank) = self.barriers.get(&barrier).map(|own| own.rank) else { return };
        if self.full.remove(&(rank, barrier)) {
            self.count_full(rank, step);
        }
    }

    fn count_full(&mut self, rank: u32, step: u64) {
        let full = self.full.range((rank, 0)..=(rank, usize::MAX)).count() as u64;
        self.set(rank, Unit::Full, "stages full, not taken".into(), step, full);
    }

    /// At the end of the cluster, nothing is in flight, and its memory is free.
    fn empty(&mut self, steps: u64) {
        for counter in &mut self.line.counters {
            let is_left = counter.points.last().is_some_and(|(_, number)| *number > 0);
            if is_left && matches!(counter.unit, Unit::Full | Unit::Loads) {
                counter.points.push((steps, 0));
            }
        }
    }

    fn count_loads(&mut self, rank: u32, step: u64, change: i64) {
        let own = self.loads.entry(rank).or_default();
        *own = own.saturating_add_signed(change);
        let own = *own;
        self.set(rank, Unit::Loads, "loads in flight".into(), step, own);
    }

    /// Sets a counter, which begins with 0.
    fn set(&mut self, rank: u32, unit: Unit, name: String, step: u64, number: u64) {
        if !self.wanted[rank as usize] || self.line.cut.is_some() {
            return;
        }
        let counters = &mut self.line.counters;
        let known = counters.iter().position(|own| own.rank == rank && own.name == name);
        let counter = known.unwrap_or_else(|| {
            counters.push(Counter { rank, unit, name, points: vec![(0, 0)] });
            counters.len() - 1
        });
        let points = &mut counters[counter].points;
        match points.last_mut() {
            Some((at, value)) if *at == step => *value = number,
            _ => points.push((step, number)),
        }
    }

    /// Lanes begin to wait behind the instruction. At a barrier of the block, they take part by it.
    fn waits(&mut self, step: u64, act: Act, on: Awaits) {
        if let Awaits::Barrier(id) = on {
            let target = Target::Block(act.by.rank, id);
            if let Some(slice) = self.arrive(step, act, target, None) {
                self.entered.insert(target, slice);
            }
        }
        let waiting = Waiting { act, left: act.lanes, on, from: step };
        self.waits.entry(act.by).or_default().push(waiting);
    }

    fn goes_on(&mut self, step: u64, by: Actor, lanes: u32) {
        let Some(waits) = self.waits.get_mut(&by) else { return };
        waits.iter_mut().for_each(|waiting| waiting.left &= !lanes);
        let over: Vec<Waiting> = waits.extract_if(.., |waiting| waiting.left == 0).collect();
        // The last to enter a barrier does not wait.
        for Waiting { act, on, from, .. } in over.into_iter().filter(|waiting| waiting.from < step) {
            if let Some(slice) = self.open_of(act, from, Kind::Wait) {
                self.on(slice, on);
                self.go_on(slice, by.rank, on, step);
            }
        }
    }

    fn runs(&mut self, step: u64, by: Actor, site: u32) {
        let before = self.turns.get(&by).map(|(slice, _)| *slice);
        // The turn before goes on if nobody else ran in between.
        let slice = match before.filter(|slice| self.line.slices[*slice].to == step) {
            Some(slice) => {
                self.reopen(slice);
                Some(slice)
            }
            None => {
                let slice = self.open(by.rank, Owner::Warp(by.warp), step, Kind::Run, "runs".into());
                let place = self.site(site).1;
                if let Some(slice) = slice {
                    self.line.slices[slice].place = place;
                }
                slice
            }
        };
        match slice {
            Some(slice) => self.turns.insert(by, (slice, true)),
            None => self.turns.remove(&by),
        };
    }

    fn rests(&mut self, step: u64, by: Actor, site: u32) {
        let until = self.site(site).1;
        if let Some((slice, runs)) = self.turns.get_mut(&by) {
            *runs = false;
            let slice = *slice;
            self.line.slices[slice].until = until;
            self.close(slice, step);
        }
    }

    fn asks(&mut self, step: u64, act: Act, on: Awaits) {
        match self.asks.get_mut(&act.by) {
            Some((_, known, last)) if *known == on => *last = step,
            _ => {
                if let Some((slice, _, last)) = self.asks.remove(&act.by) {
                    self.close(slice, last);
                }
                if let Some(slice) = self.open_of(act, step.saturating_sub(1), Kind::Wait) {
                    self.on(slice, on);
                    self.asks.insert(act.by, (slice, on, step));
                }
            }
        }
    }

    fn finds(&mut self, step: u64, act: Act, barrier: usize) {
        self.take(barrier, step);
        let is_it = |on: &Awaits| matches!(on, Awaits::Phase { barrier: other, .. } if *other == barrier);
        if self.asks.get(&act.by).is_some_and(|(_, on, _)| is_it(on))
            && let Some((slice, on, _)) = self.asks.remove(&act.by)
        {
            self.go_on(slice, act.by.rank, on, step);
        }
    }

    fn issues(
        &mut self,
        step: u64,
        act: Act,
        task: Task,
        (work, bytes): (Work, u64),
        barrier: Option<usize>,
        subject: &Subject,
    ) -> Option<usize> {
        let (owner, kind, what) = match work {
            Work::Load => (Owner::Tma, Kind::Copy, "load"),
            Work::Store => (Owner::Tma, Kind::Copy, "store"),
            Work::Values => (Owner::Tma, Kind::Copy, "values for the cluster"),
            Work::Response => (Owner::Tma, Kind::Copy, "response"),
            Work::Async => (Owner::AsyncCopy, Kind::Copy, "cp.async"),
            Work::Multiply if matches!(task, Task::Wgmma(..)) => (Owner::TensorCore, Kind::Mma, "wgmma"),
            Work::Multiply => (Owner::TensorCore, Kind::Mma, "tcgen05.mma"),
            Work::ToTensor => (Owner::TensorCore, Kind::Copy, "tcgen05.cp"),
        };
        let slice = self.open(act.by.rank, owner, step.saturating_sub(1), kind, what.into())?;
        let place = self.site(act.site).1;
        let own = &mut self.line.slices[slice];
        (own.place, own.bytes, own.issuer) = (place, bytes, Some(act.by.warp));
        own.subject = (*subject != Subject::default()).then(|| Box::new(subject.clone()));
        match (work, barrier) {
            (Work::Load, Some(barrier)) => {
                let rank = self.barriers.get(&barrier).map_or(act.by.rank, |own| own.rank);
                self.stages.load(slice, rank, barrier, subject);
                self.count_loads(rank, step, 1);
            }
            (Work::Multiply, _) => self.stages.multiply(slice, act.by.rank, subject),
            _ => {}
        }
        Some(slice)
    }

    fn done(&mut self, step: u64, task: Task) {
        // A request of `cp.async` belongs to the operation with the last number before its own.
        let found = match task {
            Task::Async(_) => self.tasks.range(Task::Async(0)..=task).next_back().map(|(task, _)| *task),
            task => Some(task),
        };
        let Some(task) = found else { return };
        let Some((slice, left, barrier)) = self.tasks.get_mut(&task) else { return };
        *left = left.saturating_sub(1);
        if *left > 0 {
            return;
        }
        let (slice, barrier) = (*slice, *barrier);
        self.tasks.remove(&task);
        self.close(slice, step);
        if let Some(barrier) = barrier {
            self.touch(barrier, Some(slice));
            if let Some(rank) = self.stages.rank_of(slice) {
                self.count_loads(rank, step, -1);
            }
        }
    }
}

impl Recorder for Recording {
    fn note(&mut self, step: u64, event: &Event) {
        match *event {
            Event::Runs { by, site } => self.runs(step, by, site),
            Event::Rests { by, site } => self.rests(step, by, site),
            Event::Waits { act, on } => self.waits(step, act, on),
            Event::GoesOn { by, lanes } => self.goes_on(step, by, lanes),
            Event::Asks { act, on } => self.asks(step, act, on),
            Event::Finds { act, barrier } => self.finds(step, act, barrier),
            Event::Completes { act } => {
                self.brief(step, act, Kind::Wait, None);
            }
            Event::Arrives { act, barrier, after } => {
                let owner = after.map(|work| match work {
                    Work::Async => Owner::AsyncCopy,
                    _ => Owner::TensorCore,
                });
                let slice = self.arrive(step, act, Target::Mbarrier(barrier), owner);
                self.touch(barrier, slice);
            }
            Event::ArrivesAtBarrier { act, id } => {
                let target = Target::Block(act.by.rank, id);
                if let Some(slice) = self.arrive(step, act, target, None) {
                    self.entered.insert(target, slice);
                }
            }
            Event::ArrivesAtCluster { act } => {
                if let Some(slice) = self.arrive(step, act, Target::Cluster, None) {
                    self.entered.insert(Target::Cluster, slice);
                }
            }
            Event::Initialises { barrier, rank, ref name, .. } => {
                let name: Arc<str> = name.as_str().into();
                let own = Barrier { rank, name, phase: None, touched: None };
                self.barriers.insert(barrier, own);
                self.begin_phase(barrier, 0, step);
            }
            Event::Pending { act, barrier, bytes } => {
                if let Some(act) = act {
                    let slice = self.arrive(step, act, Target::Mbarrier(barrier), None);
                    self.touch(barrier, slice);
                }
                self.count(barrier, step, bytes.max(0).unsigned_abs());
            }
            Event::EndsPhase { barrier, phase } => {
                self.fill(barrier, step);
                let Some(own) = self.barriers.get_mut(&barrier) else { return };
                let (slice, touched) = (own.phase.take(), own.touched);
                if let Some(slice) = slice {
                    self.close(slice, step);
                }
                if let Some(touched) = touched {
                    self.ends.insert((barrier, phase), touched);
                }
                self.begin_phase(barrier, phase + 1, step);
            }
            Event::Invalidates { barrier } => {
                self.count(barrier, step, 0);
                if let Some(slice) = self.barriers.remove(&barrier).and_then(|own| own.phase) {
                    self.close(slice, step);
                }
                self.ends.retain(|(other, _), _| *other != barrier);
            }
            Event::Columns { rank, allocated } => {
                let name = "columns of tensor memory".to_owned();
                self.set(rank, Unit::Columns, name, step, allocated.into());
            }
            Event::Issues { act, task, work, requests, bytes, barrier, ref subject } => {
                if let Some(slice) = self.issues(step, act, task, (work, bytes), barrier, subject) {
                    self.tasks.insert(task, (slice, requests, barrier));
                }
            }
            Event::Done { task } => self.done(step, task),
            // The slices beside it show the order.
            Event::Orders { .. } => {}
        }
    }

    fn end(mut self: Box<Self>, steps: u64, whole: bool) {
        for (slice, _, last) in std::mem::take(&mut self.asks).into_values() {
            self.close(slice, last);
        }
        let mut waits: Vec<Waiting> = std::mem::take(&mut self.waits).into_values().flatten().collect();
        waits.sort_by_key(|waiting| (waiting.from, waiting.act.by));
        for Waiting { act, on, from, left } in waits {
            if let Some(slice) = self.open_of(Act { lanes: left, ..act }, from, Kind::Wait) {
                self.on(slice, on);
            }
        }
        // The last step of the cluster ends what is open, which stays marked.
        for slice in self.line.slices.iter_mut().filter(|slice| slice.open) {
            slice.to = steps.max(slice.from + 1);
        }
        let last = self.line.slices.iter().map(|slice| slice.to).max().unwrap_or(0);
        (self.line.steps, self.line.whole) = (steps.max(last), whole);
        std::mem::take(&mut self.stages).name(&mut self.line);
        if whole {
            self.empty(steps);
        }
        let Recording { all, line, .. } = *self;
        all.add(line);
    }
}
