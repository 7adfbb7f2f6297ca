//! Values that threads hand over through shared memory, such as the roles of warps.
//!
//! A byte is followed if it is stored with values that are known, loaded, and written by nothing
//! else. What a load finds is guessed from a run of the protocol; each load is an event with its
//! guess, and each store one with its value. The run checks that all accesses of such a byte are
//! ordered, and that the guess is the value of the store ahead of the load: then it is that value
//! in each order of the warps.

use crate::{
    trace::Place,
    value::{SHARED_NUMBERS, Val},
};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that are followed, at most.
const MOST_BYTES: usize = 1 << 12;

/// Accesses of shared memory that a walk has come across.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Places and bytes of stores of known values, and of loads.
    pub stored: BTreeSet<(Place, u32)>,
    pub loaded: BTreeSet<(Place, u32)>,
    /// Other writes.
    pub copied: BTreeSet<(Place, u64)>,
}

impl Accesses {
    pub fn join(&mut self, other: &Accesses) {
        self.stored.extend(&other.stored);
        self.loaded.extend(&other.loaded);
        self.copied.extend(&other.copied);
    }
}

/// The bytes that are followed, and what loads of them find.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Board {
    followed: BTreeSet<Place>,
    /// For a warp and an instruction, by the number of the load.
    told: BTreeMap<(usize, u32), BTreeMap<u32, Vec<Val>>>,
}

impl Board {
    /// From the accesses of all warps.
    pub fn new(all: &Accesses) -> Self {
        let bytes = |(first, count): &(Place, u32)| *first..*first + u64::from(*count);
        let loaded: BTreeSet<Place> = all.loaded.iter().flat_map(bytes).collect();
        let stored = all.stored.iter().flat_map(bytes);
        let mut followed: BTreeSet<Place> = stored.filter(|byte| loaded.contains(byte)).collect();
        for (first, count) in &all.copied {
            let gone: Vec<Place> = followed.range(*first..*first + *count).copied().collect();
            gone.iter().for_each(|byte| {
                followed.remove(byte);
            });
        }
        if followed.len() > MOST_BYTES {
            followed.clear();
        }
        Board { followed, told: BTreeMap::new() }
    }

    pub fn follows(&self, place: Place, bytes: u32) -> bool {
        bytes > 0 && (place..place + u64::from(bytes)).all(|byte| self.followed.contains(&byte))
    }

    /// Whether one of these bytes is followed.
    pub fn touches(&self, place: Place, bytes: u32) -> bool {
        self.followed.range(place..place + u64::from(bytes)).next().is_some()
    }

    pub fn is_empty(&self) -> bool {
        self.followed.is_empty()
    }

    pub fn is_of(&self, other: &Board) -> bool {
        self.followed == other.followed
    }

    /// The values that a load is known to find.
    pub fn told(&self, warp: usize, pc: u32, number: u32) -> Option<&[Val]> {
        self.told.get(&(warp, pc))?.get(&number).map(|values| &values[..])
    }

    pub fn tell(&mut self, warp: usize, pc: u32, number: u32, values: Vec<Val>) {
        self.told.entry((warp, pc)).or_default().insert(number, values);
    }
}

/// A value as another warp sees it: numbers of what a warp has read mean nothing to others.
pub fn shown(value: Val) -> Val {
    match value {
        Val::Line(own) if own.t != 0 => Val::Unknown,
        Val::From(of, _) if of < SHARED_NUMBERS => Val::Unknown,
        other => other,
    }
}
