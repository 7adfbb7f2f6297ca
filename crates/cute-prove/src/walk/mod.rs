//! A warp's way through the kernel, with the size as a symbol.
//!
//! The lanes that are least far in the code go on together, as in the simulator, but those that
//! wait at an `mbarrier` after the others. A warp does not
//! depend on others except through what it reads, which is unknown here: so its way is one for all
//! schedules, as long as no branch depends on what is unknown.

mod branches;
mod loops;
mod peeks;

use crate::{
    board::{Accesses, Board},
    registers::{Reg, lanes_of},
    trace::{Event, Place, Trace, What},
    value::{Bounds, Line, Val},
    world::World,
};
pub(crate) use branches::ON_DATA;
use cute_sim::program::{Edge, Op, Slot};
pub(crate) use loops::lcm;
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    rc::Rc,
    time::Instant,
};

/// Instructions of a warp.
const MOST_STEPS: u64 = 4_000_000;

/// Why a walk ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At this instruction something is not understood.
    Undecided {
        pc: u32,
        why: String,
    },
    /// A loop repeats only after this number of sizes.
    Period(i64),
    /// The walk needs the value that a load of shared memory finds.
    Asked,
    Time,
}

/// A warp at the head of a loop.
struct Visit {
    registers: Vec<Reg>,
    /// Decisions before.
    decisions: usize,
}

/// The head of a loop, and where the lanes are when some of them get there.
type Head = (u32, [u32; 32], u32, u32);

/// A warp on its way.
pub struct Walk<'w> {
    pub(crate) world: &'w World<'w>,
    pub(crate) rank: u32,
    pub(crate) position: [u32; 3],
    pub(crate) number: u32,
    pub(crate) registers: Vec<Reg>,
    pub(crate) pcs: [u32; 32],
    pub(crate) alive: u32,
    parked: u32,
    pub(crate) trace: Trace,
    pub(crate) bounds: Bounds,
    /// Values that were read so far.
    pub(crate) fresh: u32,
    /// In a period, the number of values read before it.
    pub(crate) period: Option<u32>,
    visits: HashMap<Head, Vec<Visit>>,
    /// Decisions that depend on the size: the instruction, and the line whose sign decides.
    pub(crate) decisions: Vec<(u32, Line)>,
    /// Comparisons without an answer.
    pub(crate) open: HashMap<Slot, u32>,
    steps: u64,
    deadline: Instant,
    /// Whether the last lane is elected.
    pub(crate) last: bool,
    /// Objects on the stacks of the lanes.
    pub(crate) locals: u32,
    /// Its number in the cluster, and what it knows of shared memory.
    pub(crate) index: usize,
    pub(crate) board: &'w Board,
    /// Loads of followed bytes so far, by instruction.
    pub(crate) reads: HashMap<u32, u32>,
    pub(crate) notes: Rc<RefCell<Notes>>,
    /// Allocations of tensor memory so far.
    pub(crate) allocations: u32,
}

/// Things that a walk has come across besides its events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    pub accesses: Accesses,
    /// Traps on data that are assumed not to happen.
    pub trusted: BTreeSet<u32>,
    /// Accesses by which threads synchronise through memory.
    pub synchronises: BTreeSet<u32>,
    /// Barriers and parities of tests.
    pub tests: Vec<(Place, bool)>,
}

impl Notes {
    /// The number of tests of a barrier and a parity.
    pub fn number(&mut self, of: (Place, bool)) -> u32 {
        let known = self.tests.iter().position(|own| *own == of);
        let number = known.unwrap_or(self.tests.len());
        if known.is_none() {
            self.tests.push(of);
        }
        number as u32
    }
}

/// The result of a walk.
#[derive(Debug, Clone)]
pub struct Walked {
    pub trace: Trace,
    pub bounds: Bounds,
    pub notes: Notes,
    /// Whether it ends at a load whose value it needs.
    pub asks: bool,
}

impl<'w> Walk<'w> {
    pub fn new(
        world: &'w World<'w>,
        block: (u32, [u32; 3]),
        (number, index): (u32, usize),
        last: bool,
        board: &'w Board,
        deadline: Instant,
    ) -> Self {
        let (rank, position) = block;
        let lanes = (world.threads() - number * 32).min(32);
        let alive = if lanes == 32 { u32::MAX } else { (1 << lanes) - 1 };
        let mut registers: Vec<Reg> = world.registers().into_iter().map(Reg::All).collect();
        for slot in world.kernel.located.iter().filter(|_| rank > 0) {
            let own = &mut registers[*slot as usize];
            *own = own.map(|value| match value {
                Val::Known(at) => Val::Known(cute_sim::address::in_block(at, rank.into())),
                other => other,
            });
        }
        for (range, _) in &world.kernel.undefined {
            range.clone().for_each(|slot| registers[slot as usize] = Reg::All(Val::Unknown));
        }
        Walk {
            world,
            rank,
            position,
            number,
            registers,
            pcs: [world.kernel.start; 32],
            alive,
            parked: 0,
            trace: Trace::default(),
            bounds: Bounds::default(),
            fresh: 0,
            period: None,
            visits: HashMap::new(),
            decisions: Vec::new(),
            open: HashMap::new(),
            steps: 0,
            deadline,
            last,
            locals: 0,
            index,
            board,
            reads: HashMap::new(),
            notes: Rc::default(),
            allocations: 0,
        }
    }

    /// Goes to the end.
    ///
    /// # Errors
    /// Why it ends early, and what it has come across until there.
    pub fn run(mut self) -> Result<Walked, Box<(Stop, Notes)>> {
        while self.alive != 0 {
            let went = match self.step() {
                Ok(Some(head)) => self.visit(head),
                Ok(None) => Ok(()),
                Err(stop) => Err(stop),
            };
            match went {
                Err(Stop::Asked) => return Ok(self.walked(true)),
                Err(stop) => return Err(Box::new((stop, self.notes.take()))),
                Ok(()) => {}
            }
        }
        Ok(self.walked(false))
    }

    fn walked(self, asks: bool) -> Walked {
        let notes = self.notes.take();
        Walked { trace: self.trace, bounds: self.bounds, notes, asks }
    }

    pub(crate) fn undecided<T>(&self, pc: u32, why: impl Into<String>) -> Result<T, Stop> {
        Err(Stop::Undecided { pc, why: why.into() })
    }

    pub(crate) fn get(&self, slot: Slot) -> &Reg {
        &self.registers[slot as usize]
    }

    pub(crate) fn set(&mut self, slot: Slot, lanes: u32, value: Reg) {
        let own = &mut self.registers[slot as usize];
        *own = if lanes == self.alive { value } else { own.with(lanes, &value) };
    }

    pub(crate) fn emit(&mut self, pc: u32, lanes: u32, what: What) {
        self.trace.push(Event { pc, lanes, what });
    }

    /// Executes the next instruction. Returns the head of a loop to which all its lanes went back.
    fn step(&mut self) -> Result<Option<u32>, Stop> {
        self.steps += 1;
        if self.steps.is_multiple_of(4096) && Instant::now() > self.deadline {
            return Err(Stop::Time);
        }
        let ready = self.alive & !self.parked;
        let Some(pc) = lanes_of(ready).map(|lane| self.pcs[lane as usize]).min() else {
            let pc = lanes_of(self.alive).map(|lane| self.pcs[lane as usize]).min().unwrap_or_default();
            return self.undecided(pc, "lanes of the warp wait for lanes that do not come");
        };
        if self.steps > MOST_STEPS {
            return self.undecided(pc, "the warp executes too many instructions at one size");
        }
        let kernel = self.world.kernel;
        // Lanes that wait let others of the warp go on: those may be what they wait for.
        let waits = |pc: u32| matches!(kernel.code.get(pc as usize), Some(Op::Mbarrier(op)) if op.waits());
        let apart = || lanes_of(ready).map(|lane| self.pcs[lane as usize]).filter(|at| !waits(*at)).min();
        let pc = if waits(pc) { apart().unwrap_or(pc) } else { pc };
        let here = |of: u32| {
            lanes_of(of)
                .filter(|lane| self.pcs[*lane as usize] == pc)
                .fold(0, |lanes, lane| lanes | 1 << lane)
        };
        let mut active = here(ready);
        let Some(op) = kernel.code.get(pc as usize) else {
            return self.undecided(pc, "the code ends here");
        };
        if let Some(mask) = self.meeting(pc, op, active)? {
            let all = here(self.alive);
            if mask & self.alive & !all != 0 {
                self.parked |= active;
                return Ok(None);
            }
            self.parked &= !all;
            active = all;
        }
        match op {
            Op::Control(of) => self.control(pc, of, active),
            op => {
                self.execute(pc, op, active)?;
                self.next(pc, active);
                Ok(None)
            }
        }
    }

    /// The lanes go on with the next instruction.
    pub(crate) fn next(&mut self, pc: u32, active: u32) {
        lanes_of(active).for_each(|lane| self.pcs[lane as usize] = pc + 1);
    }

    pub(crate) fn fork(&mut self, pc: u32, ways: &[(u32, u32)]) -> Result<Option<u32>, Stop> {
        let kernel = self.world.kernel;
        let mut back = None;
        for (lanes, edge) in ways.iter().filter(|(lanes, _)| *lanes != 0) {
            let edge = &kernel.edges[*edge as usize];
            self.take(edge, *lanes);
            if edge.target <= pc {
                back = Some(edge.target);
            }
        }
        Ok(back)
    }

    pub(crate) fn take(&mut self, edge: &Edge, lanes: u32) {
        let mut carried = Vec::new();
        for m in &edge.moves {
            carried.extend((0..m.len).map(|i| (m.dst + i, self.get(m.src + i).clone())));
        }
        for (slot, value) in carried {
            self.set(slot, lanes, value);
        }
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = edge.target);
    }
}
