//! A warp's way through the kernel, with the size as a symbol.
//!
//! The lanes that are least far in the code go on together, as in the simulator. A warp does not
//! depend on others except through what it reads, which is unknown here: so its way is one for all
//! schedules, as long as no branch depends on what is unknown.

use crate::{
    registers::{Reg, lanes_of},
    slots,
    trace::{Event, Part, Trace, What},
    value::{Bounds, Line, Val, at_end, changing, later},
    world::World,
};
use cute_sim::program::{Edge, Op, Slot};
use std::{collections::HashMap, time::Instant};

/// Iterations of a loop, after which no period of it is looked for.
const MOST_VISITS: usize = 72;

/// Instructions of a warp.
const MOST_STEPS: u64 = 4_000_000;

/// Why a walk ends early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// At this instruction something is not understood.
    Undecided {
        pc: u32,
        why: String,
    },
    /// A loop repeats only after this number of sizes.
    Period(i64),
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
}

/// The result of a walk.
#[derive(Debug, Clone)]
pub struct Walked {
    pub trace: Trace,
    pub bounds: Bounds,
}

impl<'w> Walk<'w> {
    pub fn new(
        world: &'w World<'w>,
        block: (u32, [u32; 3]),
        number: u32,
        last: bool,
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
        }
    }

    /// Goes to the end.
    pub fn run(mut self) -> Result<Walked, Stop> {
        while self.alive != 0 {
            if let Some(head) = self.step()? {
                self.visit(head)?;
            }
        }
        Ok(Walked { trace: self.trace, bounds: self.bounds })
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
        let here = |of: u32| {
            lanes_of(of)
                .filter(|lane| self.pcs[*lane as usize] == pc)
                .fold(0, |lanes, lane| lanes | 1 << lane)
        };
        let mut active = here(ready);
        let kernel = self.world.kernel;
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
            Op::Jump { edge } => {
                let edge = &kernel.edges[*edge as usize];
                self.take(edge, active);
                return Ok((edge.target <= pc).then_some(edge.target));
            }
            Op::Branch { condition, then, otherwise } => {
                let (mut yes, mut open) = (0, 0);
                for lane in lanes_of(active) {
                    match self.get(*condition).at(lane) {
                        Val::Known(0) => {}
                        Val::Known(_) => yes |= 1 << lane,
                        _ => open |= 1 << lane,
                    }
                }
                if open != 0 {
                    if open != active {
                        return self.undecided(pc, "a branch depends on data in some lanes only");
                    }
                    self.skip(pc, *condition, active)?;
                    return Ok(None);
                }
                let ways = [(yes, *then), (active & !yes, *otherwise)];
                return self.fork(pc, &ways);
            }
            Op::Switch { flag, cases, default } => {
                let mut ways: Vec<(u32, u32)> = Vec::new();
                for lane in lanes_of(active) {
                    let Val::Known(bits) = self.get(*flag).at(lane) else {
                        return self.undecided(pc, "a switch depends on data");
                    };
                    let edge =
                        cases.iter().find(|(value, _)| *value == bits).map_or(*default, |(_, edge)| *edge);
                    match ways.iter_mut().find(|(_, own)| *own == edge) {
                        Some((lanes, _)) => *lanes |= 1 << lane,
                        None => ways.push((1 << lane, edge)),
                    }
                }
                return self.fork(pc, &ways);
            }
            Op::Return => {
                self.alive &= !active;
                return Ok(None);
            }
            op => self.execute(pc, op, active)?,
        }
        lanes_of(active).for_each(|lane| self.pcs[lane as usize] = pc + 1);
        Ok(None)
    }

    fn fork(&mut self, pc: u32, ways: &[(u32, u32)]) -> Result<Option<u32>, Stop> {
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

    fn take(&mut self, edge: &Edge, lanes: u32) {
        let mut carried = Vec::new();
        for m in &edge.moves {
            carried.extend((0..m.len).map(|i| (m.dst + i, self.get(m.src + i).clone())));
        }
        for (slot, value) in carried {
            self.set(slot, lanes, value);
        }
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = edge.target);
    }

    /// Passes a branch on data: both ways are taken to do nothing but compute, or to access global
    /// memory.
    fn skip(&mut self, pc: u32, condition: Slot, lanes: u32) -> Result<(), Stop> {
        let open = match self.open.get(&condition) {
            Some(at) if *at != pc => format!(", whose condition the instruction of line {} makes", at + 1),
            _ => String::new(),
        };
        let Some(join) = self.world.join(pc) else {
            return self.undecided(pc, format!("a branch on data, after which a thread may end{open}"));
        };
        let kernel = self.world.kernel;
        let (mut left, mut seen) = (vec![pc], std::collections::BTreeSet::new());
        let mut unknown = Vec::new();
        while let Some(at) = left.pop() {
            let op = &kernel.code[at as usize];
            if at != pc && !is_quiet(self.world, op) {
                let name = &kernel.sites[at as usize].op;
                return self.undecided(pc, format!("a branch on data, on whose way there is '{name}'{open}"));
            }
            slots::set(kernel, op, |slot| unknown.push(slot));
            for edge in slots::edges(op) {
                unknown.extend(slots::moved(&kernel.edges[edge as usize]));
            }
            for next in slots::followers(kernel, at as usize).into_iter().flatten() {
                let next = next as u32;
                if next != join && seen.insert(next) {
                    left.push(next);
                }
            }
        }
        // A loop on the way may never end.
        if let Some(again) = cycle(self.world, &seen) {
            return self.undecided(again, format!("a loop whose end depends on data{open}"));
        }
        for slot in unknown {
            self.set(slot, lanes, Reg::All(Val::Unknown));
        }
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = join);
        Ok(())
    }

    /// Notes that the warp is at the head of a loop once more, and looks for its period.
    fn visit(&mut self, pc: u32) -> Result<(), Stop> {
        let now = Visit { registers: self.registers.clone(), decisions: self.decisions.len() };
        let head = (pc, self.pcs, self.alive, self.parked);
        let all = self.visits.entry(head).or_default();
        if all.last().is_none_or(|before| before.decisions >= now.decisions) {
            all.clear();
        }
        all.push(now);
        let count = all.len() - 1;
        let Some(length) = self.length(head) else { return Ok(()) };
        let tries = [0, 1, 2, 4, 8, 16, 32];
        let mut reason = None;
        if count >= length && (tries.contains(&(count - length)) || count == MOST_VISITS) {
            match self.summarise(head, length) {
                Ok(()) => return Ok(()),
                Err(Stop::Undecided { pc, why }) => reason = Some((pc, why)),
                Err(other) => return Err(other),
            }
        }
        if count == MOST_VISITS {
            if let Some(period) = self.period_of(head, length) {
                return Err(Stop::Period(period));
            }
            let (pc, why) = reason.unwrap_or((pc, "a loop without a period".into()));
            return self.undecided(pc, why);
        }
        Ok(())
    }

    /// The decisions before the visit of a head that lies this number of iterations back.
    fn decided(&self, head: Head, back: usize) -> Option<&[(u32, Line)]> {
        let all = &self.visits[&head];
        let end = all.len().checked_sub(back + 1)?;
        let begin = end.checked_sub(1)?;
        Some(&self.decisions[all[begin].decisions..all[end].decisions])
    }

    /// The iterations after which one period less is left: those by which the line of a decision
    /// comes nearer to its end by its slope.
    fn length(&self, head: Head) -> Option<usize> {
        let now = self.decided(head, 0)?;
        let before = self.decided(head, 1)?;
        now.iter().find_map(|(pc, line)| {
            let (_, other) = before.iter().find(|(at, other)| at == pc && other.q == line.q)?;
            let step = other.c - line.c;
            let iterations = line.q.checked_div(step)?;
            (line.q != 0 && iterations > 0 && iterations * step == line.q).then_some(iterations as usize)
        })
    }

    /// The period of sizes with which the registers of a loop come again, if it is another one.
    fn period_of(&self, head: Head, length: usize) -> Option<i64> {
        let all = &self.visits[&head];
        let crate::world::Size::All { period, .. } = self.world.size else { return None };
        // The first visits may be unlike the others.
        let last = all.len() - 1;
        let steady_visits = last.saturating_sub(8);
        // Numbers of iterations after which each register has changed by the same amount.
        let mut fits = u64::MAX;
        for slot in 0..self.registers.len() {
            let at = |visit: usize| &all[visit].registers[slot];
            if (1..=4).all(|back| at(last) == at(last - back)) {
                continue;
            }
            for lane in lanes_of(self.alive) {
                let value = |back: usize| at(last - back).at(lane);
                let mut own = 0u64;
                for p in 1..=(steady_visits / 2).min(63) {
                    // From the end on, as far back as there are visits.
                    let step = |k: usize| changing(value((k + 1) * p), value(k * p));
                    let is_same = |k: usize| match (step(0), step(k)) {
                        (Val::Unknown, _) | (_, Val::Unknown) => value(0) == value(p),
                        (Val::Line(a), Val::Line(b)) => (a.q, a.t) == (b.q, b.t),
                        (Val::Known(a), Val::Known(b)) => a == b,
                        (a, b) => a == b,
                    };
                    let steady = (1..steady_visits / p).all(is_same);
                    own |= u64::from(steady) << p;
                }
                if own != 0 {
                    fits &= own;
                }
                if matches!(at(last), Reg::All(_)) {
                    break;
                }
            }
        }
        let own = (fits != 0).then(|| fits.trailing_zeros() as i64).filter(|own| *own < 64)?;
        // `length` iterations are `period` sizes.
        let whole = lcm(own, length as i64);
        let new = period * (whole / length as i64);
        (new != period && new <= 256).then_some(new)
    }

    /// Shows that the loop repeats itself, and goes to its last period.
    fn summarise(&mut self, head: Head, length: usize) -> Result<(), Stop> {
        let all = &self.visits[&head];
        let (after, before) = (&all[all.len() - 1], &all[all.len() - 1 - length]);
        let claim = |a: &Reg, b: &Reg| match (a, b) {
            (Reg::All(a), Reg::All(b)) => Reg::All(changing(*a, *b)),
            (a, b) => Reg::of(|lane| changing(a.at(lane), b.at(lane))),
        };
        let mut claims: Vec<Reg> =
            before.registers.iter().zip(&after.registers).map(|(a, b)| claim(a, b)).collect();
        for _ in 0..16 {
            let mut trial = Walk {
                world: self.world,
                registers: claims.clone(),
                trace: Trace::default(),
                bounds: Bounds::default(),
                period: Some(self.fresh),
                visits: HashMap::new(),
                decisions: Vec::new(),
                open: HashMap::new(),
                ..*self
            };
            let mut count = 0;
            while count < length {
                if trial.step()?.is_some_and(|pc| (pc, trial.pcs, trial.alive, trial.parked) == head) {
                    count += 1;
                }
                if trial.steps - self.steps > MOST_STEPS / 8 {
                    return self.undecided(head.0, "a loop inside does not end");
                }
                if trial.alive == 0 {
                    return self.undecided(head.0, "the loop ends too early");
                }
            }
            self.steps = trial.steps;
            let mut weaker = false;
            for (claim, found) in claims.iter_mut().zip(&trial.registers) {
                let holds = |claim: Val, found: Val| claim == Val::Unknown || later(claim) == found;
                match (&*claim, found) {
                    (Reg::All(a), Reg::All(b)) if holds(*a, *b) => {}
                    (a, b) => {
                        let alive = self.alive;
                        if lanes_of(alive).all(|lane| holds(a.at(lane), b.at(lane))) {
                            continue;
                        }
                        weaker = true;
                        *claim =
                            match (a, b) {
                                (Reg::All(_), Reg::All(_)) => Reg::All(Val::Unknown),
                                (a, b) => Reg::of(|lane| {
                                    if holds(a.at(lane), b.at(lane)) { a.at(lane) } else { Val::Unknown }
                                }),
                            };
                    }
                }
            }
            if weaker {
                continue;
            }
            let less = trial.bounds.left;
            self.bounds.left = self.bounds.left.max(less);
            self.bounds.most = self.bounds.most.min(trial.bounds.most);
            self.fresh = trial.fresh;
            self.registers = claims.iter().map(|reg| reg.map(|value| at_end(value, less))).collect();
            let body: Vec<Event> = trial
                .trace
                .parts
                .into_iter()
                .flat_map(|part| match part {
                    Part::Once(events) | Part::Times { body: events, .. } => events,
                })
                .collect();
            self.trace.parts.push(Part::Times { body, less });
            self.visits.clear();
            return Ok(());
        }
        self.undecided(head.0, "the registers of a loop follow no rule")
    }
}

/// Whether an instruction on the way of a branch on data may be passed over: it only computes, or
/// accesses memory that no barrier of the block is about.
fn is_quiet(world: &World<'_>, op: &Op) -> bool {
    use cute_arch::space::{CONSTANT, GLOBAL, LOCAL};
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => {
            let access = &world.kernel.accesses[*access as usize];
            matches!(access.space, GLOBAL | CONSTANT | LOCAL) && !access.strong
        }
        op => {
            crate::execute::is_pure(op)
                || matches!(op, Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. })
        }
    }
}

/// An instruction on a cycle among these.
fn cycle(world: &World<'_>, among: &std::collections::BTreeSet<u32>) -> Option<u32> {
    let mut state: HashMap<u32, u8> = HashMap::new();
    for start in among {
        let mut stack = vec![(*start, false)];
        while let Some((at, leaves)) = stack.pop() {
            if leaves {
                state.insert(at, 2);
                continue;
            }
            match state.get(&at) {
                Some(_) => continue,
                None => state.insert(at, 1),
            };
            stack.push((at, true));
            for next in slots::followers(world.kernel, at as usize).into_iter().flatten() {
                let next = next as u32;
                match state.get(&next) {
                    Some(1) if among.contains(&next) => return Some(at),
                    None if among.contains(&next) => stack.push((next, false)),
                    _ => {}
                }
            }
        }
    }
    None
}

pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
