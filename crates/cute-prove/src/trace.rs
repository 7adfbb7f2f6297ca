//! The events of a warp at barriers, in order.

use crate::value::Val;

/// An `mbarrier`: its address in the cluster, with the rank of its block from bit 24 on.
pub(crate) type Place = u64;

/// An event of a warp.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    /// The instruction.
    pub pc: u32,
    /// The lanes that take part.
    pub lanes: u32,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum What {
    /// The lanes meet.
    Meet,
    Init {
        barrier: Place,
        count: u32,
    },
    Invalidate {
        barrier: Place,
    },
    Expect {
        barrier: Place,
        bytes: i64,
    },
    /// The lanes of one instruction arrive at several barriers.
    Together,
    /// Arrivals of all lanes together; one of several of an instruction, or alone.
    Arrive {
        barrier: Place,
        count: u32,
        relaxed: bool,
        together: bool,
    },
    /// An arrival after the operations of the thread, at some time.
    Follow {
        barrier: Place,
        count: u32,
    },
    Wait {
        barrier: Place,
        parity: bool,
        relaxed: bool,
        /// A test ahead of it may have had its answer, and then it is left out.
        tested: bool,
    },
    /// A test whose answer may be that the phase is not over.
    Peek {
        barrier: Place,
        parity: bool,
    },
    /// Bytes that arrive at some time.
    Copy {
        barrier: Place,
        bytes: i64,
    },
    /// At a barrier of the block.
    Block {
        id: u32,
        threads: u32,
        waits: bool,
    },
    /// The four warps of the warpgroup meet.
    Group,
    ClusterArrive {
        relaxed: bool,
    },
    ClusterWait,
    /// Stores of bytes of shared memory that are followed: places, bytes, values.
    Write(Vec<(Place, u32, Val)>),
    /// Loads of such: places and bytes, the values that the walk went on with, and the number of
    /// the load outside of loops.
    Read {
        spans: Vec<(Place, u32)>,
        values: Option<Vec<Val>>,
        number: Option<u32>,
    },
    /// Something whose place or order matters to the data: addresses of shared or tensor memory.
    Touch(Vec<i128>),
}

impl What {
    /// Whether it is a matter of barriers, rather than of data.
    pub fn is_of_barriers(&self) -> bool {
        !matches!(self, What::Touch(_))
    }
}

/// A part of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    Once(Vec<Event>),
    /// `q` times, less this number.
    Times {
        body: Vec<Event>,
        less: i64,
    },
}

/// The events of a warp, for all sizes of a residue, or for one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    pub parts: Vec<Part>,
}

impl Trace {
    pub fn push(&mut self, event: Event) {
        match self.parts.last_mut() {
            Some(Part::Once(events)) => events.push(event),
            _ => self.parts.push(Part::Once(vec![event])),
        }
    }

    /// All events, those of a period once.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.parts.iter().flat_map(|part| match part {
            Part::Once(events) | Part::Times { body: events, .. } => events,
        })
    }

    /// The events of one size.
    pub fn of(&self, q: i64) -> impl Iterator<Item = &Event> {
        self.parts.iter().flat_map(move |part| {
            let (events, times) = match part {
                Part::Once(events) => (events, 1),
                Part::Times { body, less } => (body, (q - less).max(0) as usize),
            };
            (0..times).flat_map(move |_| events)
        })
    }
}

/// A part of a trace that happens once, and the loop after it.
pub struct Stage<'t> {
    pub once: Vec<&'t Event>,
    pub times: Option<(Vec<&'t Event>, i64)>,
}

impl<'t> Stage<'t> {
    fn new() -> Self {
        Stage { once: Vec::new(), times: None }
    }
}

/// The parts of a trace, by its loops with events of barriers.
pub fn stages(trace: &Trace) -> Vec<Stage<'_>> {
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
