//! The answer about a kernel: from the walks of its warps, the protocol that they follow, and runs
//! of the simulator at all sizes before the steady state.

mod conformance;
mod events;
mod runs;
mod settle;
mod steady;

pub(crate) use events::{Events, events};

use crate::{
    protocol::Broken,
    trace::Event,
    walk::{Stop, Walked},
    world::At,
};
pub use conformance::{Conformance, conformance};
use cute_sim::events::Watcher;
use cute_sim::program::Kernel;
use cute_sim::{Launch, Schedule, Start};
use runs::Looked;
use std::{
    cell::RefCell,
    collections::BTreeSet,
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
    fn run(&self, n: i64, how: How) -> Result<Option<String>, String>;
}

/// How the simulator runs a size.
#[derive(Debug, Clone)]
pub struct How {
    /// The order of events.
    pub schedule: Schedule,
    /// Sees the events.
    pub watcher: Option<Watcher>,
    /// Whether to look for races.
    pub races: bool,
}

/// The sizes and the time of a proof.
#[derive(Debug, Clone, Copy)]
pub struct Question {
    /// The smallest size.
    pub first: i64,
    /// The time after which the answer is that it is not decided.
    pub time: Duration,
    /// Whether the kernel must be right whichever lane `elect.sync` elects.
    pub strict: bool,
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
    /// Iterations that another size has more than the one whose run shows its accesses, at most.
    pub step: i64,
    /// The number of warps.
    pub warps: usize,
    /// The number of events of barriers in their traces, of all residues.
    pub events: usize,
    /// Instructions of barriers and copies that no warp reaches, by their places.
    pub unreached: Vec<String>,
    /// Traps on data that are assumed not to happen, by their places.
    pub trusted: Vec<String>,
    /// Accesses by which threads synchronise through memory, as in the runs, by their places.
    pub synchronises: Vec<String>,
    /// Where it fails unless `elect.sync` elects the lowest lane.
    pub lowest: Option<String>,
}

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
    /// Where the last lane must not be elected.
    lowest: RefCell<Option<String>>,
}

/// Answers whether the barriers of a kernel are right at every size.
pub fn prove(kernel: &Kernel, sizes: &impl Sizes, question: Question) -> Answer {
    match Prover::new(kernel, sizes, question) {
        Ok(prover) => prover.answer(),
        Err(why) => Answer::Undecided { place: None, why },
    }
}

impl<'p, S: Sizes> Prover<'p, S> {
    fn new(kernel: &'p Kernel, sizes: &'p S, question: Question) -> Result<Self, String> {
        let deadline = Instant::now() + question.time;
        let mut samples = Vec::new();
        let mut launches: Vec<Launch> = Vec::new();
        // Far sizes show arguments that are lines at small ones only; arrays may be too large.
        for step in [0, 1, 2, 5, 64, 1023, 60_000] {
            let n = question.first.max(4) + step;
            match sizes.start(n) {
                Ok((launch, start)) => {
                    samples.push(At { n, start });
                    launches.push(launch);
                }
                Err(_) if step > 5 => {}
                Err(why) => return Err(format!("n = {n}: {why}")),
            }
        }
        let launch = launches.swap_remove(0);
        if launches.iter().any(|other| shape(other) != shape(&launch)) {
            return Err("the grid, the block or the shared memory depends on the size".into());
        }
        let clusters = clusters(kernel, &launch)?;
        let lasting = kernel.lasting_waits();
        let lowest = RefCell::default();
        Ok(Prover { kernel, sizes, question, deadline, lasting, launch, samples, clusters, lowest })
    }
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
type Model<'m> = dyn Fn(usize, usize) -> Vec<&'m Event> + 'm;

/// The walks of a cluster's warps.
type Walks = Vec<Walked>;

impl<S: Sizes> Prover<'_, S> {
    fn answer(&self) -> Answer {
        // A mistake that a small size shows is the best answer, whatever the walks say.
        let mut looked = Looked::default();
        for n in self.question.first..self.question.first + 3 {
            if let Some(answer) = self.look(n, &mut looked) {
                return answer;
            }
        }
        match self.proof(&mut looked) {
            Ok(answer) => answer,
            Err(End::Stop(Stop::Time)) => {
                let why = format!("the time of {} s is over", self.question.time.as_secs_f64());
                Answer::Undecided { place: None, why }
            }
            Err(End::Stop(Stop::Period(period))) => {
                let why = format!("the loops repeat themselves only after {period} sizes");
                Answer::Undecided { place: None, why }
            }
            // A cluster's walks answer what one of them asks for.
            Err(End::Stop(Stop::Asked)) => {
                Answer::Undecided { place: None, why: "a value of shared memory is not known".into() }
            }
            Err(End::Stop(Stop::Undecided { pc, why })) => self.searched(&mut looked, self.place(pc), why),
            Err(End::Other(why)) => Answer::Undecided { place: None, why },
            Err(End::Broken(n, Broken { warp, pc, what, .. }, role)) => {
                // The smallest sizes first, then the one where it was seen.
                let small = self.question.first..=n.min(self.question.first + 8);
                for size in small.chain([n]).collect::<BTreeSet<_>>() {
                    if let Some(answer) = self.search(size, &mut looked) {
                        return self.smallest(answer);
                    }
                }
                for schedule in (1..=8).map(Schedule::Random) {
                    if let Ok(Some(finding)) = self.found(n, schedule) {
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

    fn found(&self, n: i64, schedule: Schedule) -> Result<Option<String>, String> {
        self.sizes.run(n, How { schedule, watcher: None, races: true })
    }

    /// The counterexample of the smallest size under the same schedule, as far as there is time.
    fn smallest(&self, found: Answer) -> Answer {
        let Answer::Counterexample { n, schedule, .. } = found else { return found };
        for n in self.question.first..n {
            if Instant::now() > self.deadline {
                break;
            }
            if let Ok(Some(finding)) = self.found(n, schedule) {
                return Answer::Counterexample { n, schedule, finding };
            }
        }
        found
    }

    /// Looks for a counterexample at more sizes, where there is no proof.
    fn searched(&self, looked: &mut Looked, place: Option<String>, why: String) -> Answer {
        let end = self.question.first + 12;
        for n in self.question.first..end {
            if Instant::now() > self.deadline {
                break;
            }
            if let Some(answer @ Answer::Counterexample { .. }) = self.search(n, looked) {
                return answer;
            }
        }
        Answer::Undecided { place, why }
    }

    fn place(&self, pc: u32) -> Option<String> {
        let site = self.kernel.sites.get(pc as usize)?;
        Some(format!("{}: {}", site.location, site.op))
    }
}
