//! The owners of the elements of a tile.

use std::collections::HashMap;

use super::error::ConvertError;

/// Lanes of a warp.
pub const WARP: usize = cute_arch::WARP as usize;

/// A register of a thread.
pub(super) type Slot = (usize, usize);

/// The elements of a tile, by the registers that have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owners {
    registers: usize,
    elements: Vec<Option<usize>>,
    places: HashMap<usize, Vec<Slot>>,
}

impl Owners {
    /// The owners, from a list `slots` of (element, thread, register). Returns an error if a
    /// register would have two elements.
    pub fn new(slots: impl IntoIterator<Item = (usize, usize, usize)>) -> Result<Self, ConvertError> {
        let slots: Vec<_> = slots.into_iter().collect();
        let threads = slots.iter().map(|slot| slot.1 + 1).max().unwrap_or(0);
        let registers = slots.iter().map(|slot| slot.2 + 1).max().unwrap_or(0);
        let mut elements = vec![None; threads * registers];
        let mut places: HashMap<usize, Vec<Slot>> = HashMap::new();
        for (element, thread, register) in slots {
            let Some(slot) = elements.get_mut(thread * registers + register) else { continue };
            match *slot {
                Some(first) if first != element => {
                    return Err(ConvertError::TwoElements { register, thread, first, second: element });
                }
                Some(_) => {}
                None => {
                    *slot = Some(element);
                    places.entry(element).or_default().push((thread, register));
                }
            }
        }
        Ok(Self { registers, elements, places })
    }

    /// The number of threads that have an element, counted from thread 0.
    pub fn threads(&self) -> usize {
        self.elements.len().checked_div(self.registers).unwrap_or(0)
    }

    /// Registers of a thread.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// The element that a register has.
    pub fn element(&self, thread: usize, register: usize) -> Option<usize> {
        if register >= self.registers {
            return None;
        }
        self.elements.get(thread * self.registers + register).copied().flatten()
    }

    /// All (element, thread, register), threads in order.
    pub fn slots(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        let registers = self.registers.max(1);
        let slot =
            move |(i, element): (usize, &Option<usize>)| Some(((*element)?, i / registers, i % registers));
        self.elements.iter().enumerate().filter_map(slot)
    }

    /// The same tile with each register split into `n`, and each element into `n` parts: two for
    /// elements of 64 bits.
    pub fn split(&self, n: usize) -> Result<Self, ConvertError> {
        let parts =
            |(element, thread, register)| (0..n).map(move |i| (element * n + i, thread, register * n + i));
        Self::new(self.slots().flat_map(parts))
    }

    /// The register nearest to `register` of `thread` among those that have `element`: itself, one
    /// of the thread, one of the warp, any.
    pub(super) fn nearest(&self, element: usize, thread: usize, register: usize) -> Option<Slot> {
        let distance = |slot: &Slot| {
            let (t, r) = *slot;
            if *slot == (thread, register) {
                (0, 0)
            } else if t == thread {
                (1, r)
            } else if t / WARP == thread / WARP {
                (2, t % WARP)
            } else {
                (3, t)
            }
        };
        self.places.get(&element)?.iter().copied().min_by_key(distance)
    }

    /// The same tile with `n` adjacent registers combined into one, if they have the same adjacent
    /// elements in both: two to a register for elements of 16 bits. `None` if some do not.
    pub fn packed_with(&self, other: &Self, n: usize) -> Option<(Self, Self)> {
        // A group of elements is named by its first.
        let mut groups: HashMap<usize, Vec<Option<usize>>> = HashMap::new();
        let mut pack = |owners: &Self| {
            let mut slots = Vec::new();
            for thread in 0..owners.threads() {
                for first in (0..owners.registers).step_by(n) {
                    let group: Vec<_> = (first..first + n).map(|r| owners.element(thread, r)).collect();
                    match group.first().copied().flatten() {
                        None if group.iter().all(Option::is_none) => continue,
                        None => return None,
                        Some(leader) => {
                            if groups.entry(leader).or_insert_with(|| group.clone()) != &group {
                                return None;
                            }
                            slots.push((leader, thread, first / n));
                        }
                    }
                }
            }
            Self::new(slots).ok()
        };
        let packed = (pack(self)?, pack(other)?);
        // An element that leads one group may lie inside another.
        let led: usize = groups.values().map(|group| group.iter().flatten().count()).sum();
        let mut all: Vec<usize> = groups.into_values().flatten().flatten().collect();
        all.sort_unstable();
        all.dedup();
        (all.len() == led).then_some(packed)
    }
}
