//! Branches on data: both ways of one must do nothing but compute, or access global memory.

use super::{Stop, Walk};
use crate::{
    registers::{Reg, lanes_of},
    slots,
    value::Val,
    world::World,
};
use cute_sim::program::{Op, Slot};
use std::collections::{BTreeSet, HashMap};

/// The beginning of the reason that a branch is not decided.
pub(crate) const ON_DATA: &str = "a branch on data";

impl Walk<'_> {
    /// Passes a branch on data: both ways are taken to do nothing but compute, or to access global
    /// memory.
    pub(crate) fn skip(&mut self, pc: u32, condition: Slot, lanes: u32) -> Result<(), Stop> {
        let open = match self.open.get(&condition) {
            Some(at) if *at != pc => format!(", whose condition the instruction of line {} makes", at + 1),
            _ => String::new(),
        };
        let Some(join) = self.world.join(pc) else {
            return self.undecided(pc, format!("{ON_DATA}, after which a thread may end{open}"));
        };
        let kernel = self.world.kernel;
        let (mut left, mut seen) = (vec![pc], BTreeSet::new());
        let (mut unknown, mut watched) = (Vec::new(), BTreeSet::new());
        while let Some(at) = left.pop() {
            let op = &kernel.code[at as usize];
            if self.period.is_none() && watches(self.world, op) {
                watched.insert(at);
            } else if at != pc && !is_quiet(self.world, op) {
                let name = &kernel.sites[at as usize].op;
                return self.undecided(pc, format!("{ON_DATA}, on whose way there is '{name}'{open}"));
            }
            slots::set(kernel, op, |slot| unknown.push(slot));
            for edge in op.edges() {
                unknown.extend(slots::moved(&kernel.edges[edge as usize]));
            }
            for next in slots::followers(kernel, at as usize).into_iter().flatten() {
                let next = next as u32;
                if next != join && seen.insert(next) {
                    left.push(next);
                }
            }
        }
        // A loop on the way may never end, unless others let it go through memory.
        let others: BTreeSet<u32> = seen.difference(&watched).copied().collect();
        if let Some(again) = cycle(self.world, &others) {
            return self.undecided(again, format!("a loop whose end depends on data{open}"));
        }
        for at in watched {
            let (again, name) = (is_on_cycle(self.world, at, &seen), &kernel.sites[at as usize].op);
            if !again {
                return self.undecided(pc, format!("a branch on data, on whose way there is '{name}'{open}"));
            }
            self.notes.borrow_mut().synchronises.insert(at);
        }
        for slot in unknown {
            self.set(slot, lanes, Reg::All(Val::Unknown));
        }
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = join);
        Ok(())
    }
}

impl Walk<'_> {
    /// The trap to which a way leads without anything else.
    pub(crate) fn trap(&self, mut pc: u32) -> Option<u32> {
        let kernel = self.world.kernel;
        for _ in 0..64 {
            match kernel.code.get(pc as usize)? {
                Op::Control(op) if op.is_trap() => return Some(pc),
                Op::Control(op) if !op.edges().is_empty() => {
                    pc = kernel.edges[op.jump()? as usize].target;
                }
                Op::System(op) if op.prints() => pc += 1,
                op if is_quiet(self.world, op) => pc += 1,
                _ => return None,
            }
        }
        None
    }
}

/// Whether an instruction on the way of a branch on data may be passed over: it only computes, or
/// accesses memory that no barrier of the block is about.
fn is_quiet(world: &World<'_>, op: &Op) -> bool {
    use cute_arch::space::{CONSTANT, GLOBAL, LOCAL};
    let transfer = match op {
        Op::Memory(op) => op.transfer(),
        _ => None,
    };
    match transfer {
        Some(transfer) => {
            let access = &world.kernel.accesses[transfer.access as usize];
            matches!(access.space, GLOBAL | CONSTANT | LOCAL) && !access.strong
        }
        None => crate::execute::is_pure(op) || !op.edges().is_empty(),
    }
}

/// Whether it loads what others store meanwhile.
fn watches(world: &World<'_>, op: &Op) -> bool {
    let Op::Memory(op) = op else { return false };
    op.load().is_some_and(|load| {
        let access = &world.kernel.accesses[load.access as usize];
        access.strong && access.space == cute_arch::space::GLOBAL
    })
}

/// Whether an instruction follows itself among these.
fn is_on_cycle(world: &World<'_>, at: u32, among: &BTreeSet<u32>) -> bool {
    let followers = |at: u32| slots::followers(world.kernel, at as usize).into_iter().flatten();
    let (mut left, mut seen) = (vec![at], BTreeSet::new());
    while let Some(own) = left.pop() {
        for next in followers(own).map(|next| next as u32).filter(|next| among.contains(next)) {
            if next == at {
                return true;
            }
            if seen.insert(next) {
                left.push(next);
            }
        }
    }
    false
}

/// An instruction on a cycle among these.
fn cycle(world: &World<'_>, among: &BTreeSet<u32>) -> Option<u32> {
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
