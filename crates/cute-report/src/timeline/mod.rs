//! A run as a timeline: who waited, for what, which copies and MMAs were in flight meanwhile, and
//! what ended each wait.
//!
//! | module | subject |
//! |---|---|
//! | `record` | the recorder of a cluster: slices from events |
//! | `stages` | what copies and MMAs work on, and what idle tensor cores wait for |
//! | `blocks` | the blocks that are wanted |
//!
//! The unit is a step of the simulator: an instruction of a warp, or the act of an agent. Steps of
//! different clusters are counted separately, and say nothing about each other. The order of the
//! steps is one that the hardware allows; it is not time.

mod blocks;
mod record;
mod stages;

pub use blocks::{BadBlocks, Blocks};

use cute_sim::Schedule;
use cute_sim::events::{Begun, Launched, Observer, Recorder, Subject, Watcher};
use cute_sim::place::SourcePlace;
use record::Recording;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a file after which a trace stops.
pub const MOST_BYTES: usize = 50 << 20;

/// The name of what a warp waits for that its warpgroup has to reach.
pub(crate) const GROUP: &str = "warps of the warpgroup";

/// Bytes of a file that a slice takes at least.
const LEAST_BYTES: usize = 64;

/// A recorded run.
#[derive(Debug, Default)]
pub struct Timeline {
    /// In their order.
    pub launches: Vec<LaunchLine>,
    /// Clusters, by launch and number.
    pub clusters: Vec<ClusterLine>,
}

/// A launch.
#[derive(Debug, Clone)]
pub struct LaunchLine {
    /// The name of the kernel.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// The schedule under which it ran.
    pub schedule: Schedule,
    /// The step at which it begins, after the launches before it.
    pub begins: u64,
}

/// A cluster of a launch. Steps are counted from the beginning of its launch.
#[derive(Debug, Default)]
pub struct ClusterLine {
    /// The number of its launch, from 0.
    pub launch: usize,
    /// Its number in the grid.
    pub number: u32,
    /// The positions of its blocks, by rank.
    pub blocks: Vec<[u32; 3]>,
    /// The number of its steps.
    pub steps: u64,
    /// Whether all its threads have returned.
    pub whole: bool,
    /// The step from which nothing is recorded, because there would be too much.
    pub cut: Option<u64>,
    /// Rows of slices that do not overlap.
    pub tracks: Vec<Track>,
    /// In the order of their beginnings.
    pub slices: Vec<Slice>,
    /// From arrivals to the waits that they end.
    pub flows: Vec<Flow>,
    /// The bytes that each `mbarrier` waits for, and the columns of tensor memory.
    pub counters: Vec<Counter>,
}

/// The owner of some tracks of a block.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// A warp, by its number.
    Warp(u32),
    /// The unit that executes bulk copies.
    Tma,
    /// The unit that executes asynchronous MMAs.
    TensorCore,
    /// The copies by `cp.async`.
    AsyncCopy,
    /// An `mbarrier`, by its name.
    Barrier(String),
}

impl Owner {
    /// Its name, as tracks have it.
    pub fn name(&self) -> String {
        match self {
            Owner::Warp(number) => format!("warp {number}"),
            Owner::Tma => "TMA".into(),
            Owner::TensorCore => "tensor core".into(),
            Owner::AsyncCopy => "cp.async".into(),
            Owner::Barrier(name) => name.clone(),
        }
    }
}

/// A row of slices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Track {
    /// The rank of the block.
    pub rank: u32,
    /// The owner of the slices.
    pub owner: Owner,
    /// The number among the tracks of this owner, which has several where slices overlap: those of
    /// lanes that have diverged, or of operations in flight at once.
    pub row: u32,
}

/// The kind of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A turn of a warp.
    Run,
    /// Lanes of a warp wait.
    Wait,
    /// An arrival at a barrier.
    Arrive,
    /// A copy is in flight.
    Copy,
    /// An MMA is in flight.
    Mma,
    /// A phase of an `mbarrier`.
    Phase,
    /// No MMA is in flight, between two that are.
    Idle,
}

impl Kind {
    /// Its name, which is the category of slices in files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Run => "run",
            Kind::Wait => "wait",
            Kind::Arrive => "arrive",
            Kind::Copy => "copy",
            Kind::Mma => "mma",
            Kind::Phase => "phase",
            Kind::Idle => "idle",
        }
    }
}

/// Steps of a track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The number of the track.
    pub track: usize,
    /// The first step.
    pub from: u64,
    /// The step after the last.
    pub to: u64,
    /// Its category.
    pub kind: Kind,
    /// The instruction or the operation.
    pub name: Arc<str>,
    /// The place in the source.
    pub place: SourcePlace,
    /// The place of the last instruction of a turn.
    pub until: SourcePlace,
    /// The array, the box and the memory of a copy or an MMA.
    pub subject: Option<Box<Subject>>,
    /// The stage that a load fills, from 0 on: the number of its `mbarrier` among those that count
    /// loads of the same array in its block. `None` if there is one only.
    pub stage: Option<u32>,
    /// The barrier that it is about.
    pub barrier: Option<Arc<str>>,
    /// The phase of the barrier.
    pub phase: Option<u64>,
    /// Lanes that take part; 0 where that has no meaning.
    pub lanes: u32,
    /// Bytes that are moved; 0 where that has no meaning.
    pub bytes: u64,
    /// The warp that issued it, if an agent executes it.
    pub issuer: Option<u32>,
    /// It is not over at the end of the cluster.
    pub open: bool,
}

impl Slice {
    fn new(track: usize, from: u64, kind: Kind, name: Arc<str>) -> Self {
        let (place, to) = (SourcePlace::default(), from + 1);
        Slice {
            track,
            from,
            to,
            kind,
            name,
            place,
            until: SourcePlace::default(),
            subject: None,
            stage: None,
            barrier: None,
            phase: None,
            lanes: 0,
            bytes: 0,
            issuer: None,
            open: true,
        }
    }
}

/// An arrival, and the wait that it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// The number of the slice of the arrival, or of the copy.
    pub from: usize,
    /// The number of the slice of the wait.
    pub to: usize,
}

/// The subject of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Bytes that an `mbarrier` expects, and that have not arrived. Bytes that arrive before they
    /// are expected count as 0.
    Bytes,
    /// Columns of tensor memory that are allocated.
    Columns,
    /// Loads by the TMA that have been issued and have not arrived.
    Loads,
    /// Phases that the bytes of a load have ended, and whose end no warp has seen yet: stages that
    /// are full, and not taken.
    Full,
}

/// A number that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The rank of the block.
    pub rank: u32,
    /// Its subject.
    pub unit: Unit,
    /// The name of its track.
    pub name: String,
    /// Steps, and the number from then on.
    pub points: Vec<(u64, u64)>,
}

impl Timeline {
    /// Whether all clusters that were recorded have ended, and there are some.
    pub fn is_whole(&self) -> bool {
        !self.clusters.is_empty() && self.clusters.iter().all(|cluster| cluster.whole)
    }

    /// The schedule under which the launches ran; all have the same one.
    pub fn schedule(&self) -> Schedule {
        self.launches.first().map(|launch| launch.schedule).unwrap_or_default()
    }

    /// The clusters of a launch, by its number.
    pub fn of(&self, launch: usize) -> impl Iterator<Item = &ClusterLine> {
        self.clusters.iter().filter(move |cluster| cluster.launch == launch)
    }

    /// The step at which a launch ends.
    pub fn end_of(&self, launch: usize) -> u64 {
        let begins = self.launches.get(launch).map_or(0, |launch| launch.begins);
        let own = self.clusters.iter().filter(|cluster| cluster.launch == launch);
        begins + own.map(|cluster| cluster.steps).max().unwrap_or(0)
    }

    /// The schedule in words, and that the timeline is an order.
    pub fn order(&self) -> String {
        let schedule = self.schedule();
        let seed = match schedule {
            Schedule::Random(seed) => format!("random order with seed {seed}"),
            named => format!("schedule {named}, without a seed"),
        };
        format!("order, not time: {seed}")
    }

    /// A sentence about what the steps are, which each trace has.
    pub fn title(&self) -> String {
        format!("{}; 1 us is one step of the simulator", self.order())
    }
}

/// Records launches: an observer of the simulator. Its clones are the same recording.
#[derive(Debug, Clone)]
pub struct LaunchRecorder {
    blocks: Blocks,
    /// Bytes of slices in a file after which nothing more is needed.
    most: usize,
    timeline: Arc<Mutex<Timeline>>,
}

impl LaunchRecorder {
    /// A recording of these blocks.
    pub fn new(blocks: Blocks) -> Self {
        LaunchRecorder { blocks, most: MOST_BYTES, timeline: Arc::default() }
    }

    /// The observer, for the simulator.
    pub fn watcher(&self) -> Watcher {
        Watcher::new(Arc::new(self.clone()))
    }

    /// Takes the timeline out of the recording.
    pub fn take(&self) -> Timeline {
        let mut timeline = std::mem::take(&mut *self.lock());
        timeline.clusters.sort_by_key(|cluster| (cluster.launch, cluster.number));
        timeline
    }

    fn lock(&self) -> MutexGuard<'_, Timeline> {
        self.timeline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a cluster that has ended.
    fn add(&self, cluster: ClusterLine) {
        self.lock().clusters.push(cluster);
    }
}

impl ClusterLine {
    /// The numbers of the tracks in the order in which they are shown: by block, owner and row.
    pub fn shown(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tracks.len()).collect();
        order.sort_by_key(|number| {
            let Track { rank, owner, row } = &self.tracks[*number];
            (*rank, owner.clone(), *row)
        });
        order
    }

    /// Bytes that it takes in a file at least.
    fn bytes(&self) -> usize {
        let points: usize = self.counters.iter().map(|counter| counter.points.len()).sum();
        (self.slices.len() + points) * LEAST_BYTES
    }
}

impl Observer for LaunchRecorder {
    fn launch(&self, launch: &Launched<'_>) {
        let mut timeline = self.lock();
        let last = timeline.launches.len();
        let begins = last.checked_sub(1).map_or(0, |last| timeline.end_of(last) + 1);
        let Launched { kernel, grid, schedule } = *launch;
        timeline.launches.push(LaunchLine { kernel: kernel.into(), grid, schedule, begins });
    }

    fn cluster(&self, begun: &Begun<'_>) -> Option<Box<dyn Recorder>> {
        let (launch, grid, before) = {
            let timeline = self.lock();
            let launch = timeline.launches.len().checked_sub(1)?;
            // Clusters before this one, which have ended, may fill the file already.
            let before = timeline.clusters.iter().filter(|c| (c.launch, c.number) < (launch, begun.number));
            (launch, timeline.launches[launch].grid, before.map(ClusterLine::bytes).sum::<usize>())
        };
        let wanted: Vec<bool> = begun.blocks.iter().map(|at| self.blocks.has(*at, grid)).collect();
        if !wanted.contains(&true) {
            return None;
        }
        let line = ClusterLine {
            launch,
            number: begun.number,
            blocks: begun.blocks.clone(),
            cut: (before > self.most).then_some(0),
            ..ClusterLine::default()
        };
        Some(Box::new(Recording::new(self.clone(), line, wanted, begun)))
    }
}
