//! Accesses of memory: what is read from constant memory is known, and places in shared memory are.

use crate::{
    board,
    registers::{Reg, lanes_of},
    trace::{Place, What},
    value::{self, SHARED_NUMBERS, Val},
    walk::{Stop, Walk},
    world::World,
};
use cute_arch::space::{CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED};
use cute_sim::address::{self, parts};
use cute_sim::program::{Access, MemoryOp, Op, Slot};

impl Walk<'_> {
    pub(super) fn memory(&mut self, pc: u32, op: &Op, of: MemoryOp, active: u32) -> Result<(), Stop> {
        let kernel = self.world.kernel;
        match of {
            MemoryOp::IsInSpace { dst, address, space } => self.each(dst, active, |walk, lane| {
                match walk.get(address).at(lane).known().and_then(|at| parts(at, 0).ok()) {
                    Some(parts) if matches!(space, SHARED) && parts.space == SHARED => {
                        Val::Known((parts.byte >> address::RANK_SHIFT == i64::from(walk.rank)).into())
                    }
                    Some(parts) if matches!(space, SHARED | LOCAL) => {
                        Val::Known((parts.space == space).into())
                    }
                    _ => Val::Unknown,
                }
            }),
            MemoryOp::Alloca { dst, generic, .. } => {
                let local = address::pointer(LOCAL, self.locals, 0);
                let at = if generic { address::cast(local, LOCAL, GENERIC).ok() } else { Some(local) };
                self.locals += 1;
                self.set(dst, active, Reg::All(at.map_or(Val::Unknown, Val::Known)));
            }
            MemoryOp::StackSave { dst } => {
                let last = self.locals.checked_sub(1).map_or(0, |last| address::pointer(LOCAL, last, 0));
                self.set(dst, active, Reg::All(Val::Known(last)));
            }
            MemoryOp::StackRestore { src } => {
                let Val::Known(last) = self.get(src).at(active.trailing_zeros()) else {
                    return self.undecided(pc, "the pointer of the stack is not known");
                };
                self.locals = match last {
                    0 => 0,
                    last => parts(last, LOCAL).map_or(self.locals, |of| of.allocation + 1),
                };
            }
            MemoryOp::Load { dst, address, access } => {
                return self.load(pc, op, dst, address, access, active);
            }
            MemoryOp::Store { src, address, access } => {
                let access = &kernel.accesses[access as usize];
                if access.strong && !access.order.is_relaxed() {
                    self.synchronises(pc, "a store that releases")?;
                }
                self.access(pc, address, access.space, active)?;
                self.hand(pc, src, address, access, active);
            }
            MemoryOp::Atomic { access, .. } => {
                if kernel.accesses[access as usize].space != GLOBAL {
                    return self.undecided(pc, "an atomic access, by which threads may synchronise");
                }
                self.synchronises(pc, "an atomic access")?;
                self.forget(op, active);
            }
        }
        Ok(())
    }

    fn load(
        &mut self,
        pc: u32,
        op: &Op,
        dst: Slot,
        address: Slot,
        access: u32,
        active: u32,
    ) -> Result<(), Stop> {
        let access = &self.world.kernel.accesses[access as usize];
        if access.strong && !access.order.is_relaxed() {
            self.synchronises(pc, "a load that acquires")?;
        }
        let places: Option<Vec<_>> = lanes_of(active)
            .map(|lane| {
                let at = self.get(address).at(lane).known()?;
                parts(at, access.space).ok().map(|parts| (lane, parts))
            })
            .collect();
        let is_constant =
            |places: &Vec<(u32, address::Parts)>| places.iter().all(|(_, of)| of.space == CONSTANT);
        if let Some(places) = places.filter(is_constant) {
            for leaf in &access.leaves {
                let world: &World<'_> = self.world;
                let mut values = [Val::Unknown; 32];
                for (lane, of) in &places {
                    let value = world.constant(of.allocation, of.byte + i64::from(leaf.offset), leaf.bytes);
                    values[*lane as usize] =
                        if leaf.bits < 8 * leaf.bytes { value::truncate(value, leaf.bits) } else { value };
                }
                let first = values[active.trailing_zeros() as usize];
                let same = lanes_of(active).all(|lane| values[lane as usize] == first);
                let value = if same { Reg::All(first) } else { Reg::of(|lane| values[lane as usize]) };
                self.set(dst + leaf.slot, active, value);
            }
            return Ok(());
        }
        self.access(pc, address, access.space, active)?;
        if self.handed(pc, dst, address, access, active)? {
            return Ok(());
        }
        self.forget(op, active);
        // A word of shared memory, such as the address of tensor memory.
        if let ([leaf], SHARED) = (&access.leaves[..], access.space) {
            self.fresh += 1;
            self.set(dst + leaf.slot, active, Reg::All(Val::From(self.fresh, 0)));
        }
        Ok(())
    }

    /// Threads synchronise through memory, which is assumed to order the same at each size. That
    /// needs the same places before and behind what repeats itself.
    pub(super) fn synchronises(&mut self, pc: u32, what: &str) -> Result<(), Stop> {
        if self.period.is_some() {
            return self.undecided(
                pc,
                format!("{what} in a loop that repeats itself: threads synchronise through memory"),
            );
        }
        self.notes.borrow_mut().synchronises.insert(pc);
        Ok(())
    }

    /// The lanes of each place in shared memory, if the places are known and all there.
    fn places(&self, address: Slot, space: u32, active: u32) -> Vec<(Place, u32)> {
        let mut all: Vec<(Place, u32)> = Vec::new();
        for lane in lanes_of(active) {
            let at = self.get(address).at(lane).known().and_then(|at| parts(at, space).ok());
            match at.filter(|of| of.space == SHARED && of.byte >= 0) {
                Some(of) => match all.iter_mut().find(|(own, _)| *own == of.byte as u64) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => all.push((of.byte as u64, 1 << lane)),
                },
                None => return Vec::new(),
            }
        }
        all
    }

    /// A load of values that threads hand over.
    fn handed(
        &mut self,
        pc: u32,
        dst: Slot,
        address: Slot,
        access: &Access,
        active: u32,
    ) -> Result<bool, Stop> {
        let groups = self.places(address, access.space, active);
        let spans = |place: Place| -> Vec<(Place, u32)> {
            access
                .leaves
                .iter()
                .map(|leaf| (place.wrapping_add_signed(leaf.offset as i64), leaf.bytes))
                .collect()
        };
        for (place, _) in &groups {
            self.notes.borrow_mut().accesses.loaded.extend(spans(*place));
        }
        let is_followed = |(place, _): &(Place, u32)| {
            spans(*place).iter().all(|(at, bytes)| self.board.follows(*at, *bytes))
        };
        if groups.is_empty() || !groups.iter().all(is_followed) {
            return Ok(false);
        }
        let mut values = vec![[Val::Unknown; 32]; access.leaves.len()];
        for (place, lanes) in groups {
            let count = self.reads.entry(pc).or_default();
            // In a loop that repeats itself, it is what the round before has found.
            let number = match self.period {
                Some(_) => count.checked_sub(1),
                None => Some(*count),
            };
            let told = number.and_then(|number| self.board.told(self.index, pc, number));
            let told = told.map(<[Val]>::to_vec);
            let is_round = self.period.is_some();
            if !is_round {
                *count += 1;
            }
            let number = number.filter(|_| !is_round);
            self.emit(pc, lanes, What::Read { spans: spans(place), values: told.clone(), number });
            let Some(told) = told else {
                return match is_round {
                    true => self.undecided(pc, "a value of shared memory is not known in a loop"),
                    false => Err(Stop::Asked),
                };
            };
            for (of, value) in values.iter_mut().zip(told) {
                lanes_of(lanes).for_each(|lane| of[lane as usize] = value);
            }
        }
        for (leaf, of) in access.leaves.iter().zip(values) {
            let cut = |value: Val| match value {
                Val::Known(_) | Val::Line(_) if leaf.bits < 8 * leaf.bytes => {
                    value::truncate(value, leaf.bits)
                }
                value => value,
            };
            let first = of[active.trailing_zeros() as usize];
            let same = lanes_of(active).all(|lane| of[lane as usize] == first);
            let value = if same { Reg::All(cut(first)) } else { Reg::of(|lane| cut(of[lane as usize])) };
            self.set(dst + leaf.slot, active, value);
        }
        Ok(true)
    }

    /// A store of values that threads may hand over.
    pub(super) fn hand(&mut self, pc: u32, src: Slot, address: Slot, access: &Access, active: u32) {
        for (place, lanes) in self.places(address, access.space, active) {
            // Lanes that store at one place store different values, or one.
            let first = lanes.trailing_zeros();
            let mut spans = Vec::new();
            for leaf in &access.leaves {
                let of = self.get(src + leaf.slot);
                let same = lanes_of(lanes).all(|lane| of.at(lane) == of.at(first));
                let value = if same { board::shown(of.at(first)) } else { Val::Unknown };
                let at = place.wrapping_add_signed(leaf.offset as i64);
                spans.push((at, leaf.bytes, value));
            }
            self.stores(pc, lanes, spans);
        }
    }

    /// The address of tensor memory that `tcgen05.alloc` stores: one number for all warps.
    pub(super) fn allocation(&mut self, pc: u32, to: Slot, space: u32, active: u32) {
        self.allocations += 1;
        let number = SHARED_NUMBERS + ((self.index as u32) << 8) + self.allocations;
        for (place, lanes) in self.places(to, space, active) {
            self.stores(pc, lanes, vec![(place, 4, Val::From(number, 0))]);
        }
    }

    /// Stores of known values are noted, and those of followed bytes are events.
    pub(super) fn stores(&mut self, pc: u32, lanes: u32, spans: Vec<(Place, u32, Val)>) {
        let known = spans.iter().filter(|(_, _, value)| *value != Val::Unknown);
        let known: Vec<(Place, u32)> = known.map(|(at, bytes, _)| (*at, *bytes)).collect();
        self.notes.borrow_mut().accesses.stored.extend(known);
        if spans.iter().any(|(at, bytes, _)| self.board.touches(*at, *bytes)) {
            self.emit(pc, lanes, What::Write(spans));
        }
    }

    /// Notes that something else writes these bytes.
    pub(super) fn overwrites(&mut self, place: Place, bytes: u64) {
        self.notes.borrow_mut().accesses.copied.insert((place, bytes));
    }

    /// Notes that lanes write rows of these bytes.
    pub(super) fn overwrites_rows(&mut self, address: Slot, bytes: u64, active: u32) {
        for (place, _) in self.places(address, SHARED, active) {
            self.overwrites(place, bytes);
        }
    }

    /// An access of memory: that of shared memory must have a known place.
    pub(super) fn access(&mut self, pc: u32, address: Slot, space: u32, active: u32) -> Result<(), Stop> {
        if matches!(space, GLOBAL | CONSTANT | LOCAL) {
            return Ok(());
        }
        let mut all = Vec::new();
        for lane in lanes_of(active) {
            let at = match self.get(address).at(lane) {
                Val::Known(at) => at,
                Val::Line(_) => return self.undecided(pc, "an address of shared memory grows with the size"),
                _ => return self.undecided(pc, "the address of an access of shared memory is not known"),
            };
            match parts(at, space) {
                Ok(of) if of.space == SHARED => all.push(i128::from(of.byte)),
                Ok(_) => {}
                Err(_) if space == GENERIC => {}
                Err(_) => all.push(i128::from(at)),
            }
        }
        if !all.is_empty() {
            self.emit(pc, active, What::Touch(all));
        }
        Ok(())
    }

    /// Notes the values that say which shared or tensor memory an operation is about.
    pub(super) fn touch(&mut self, pc: u32, slots: &[Slot], active: u32) -> Result<(), Stop> {
        let mut all = Vec::new();
        for slot in slots {
            for lane in lanes_of(active) {
                all.push(match self.get(*slot).at(lane) {
                    Val::Known(at) => i128::from(at),
                    Val::From(of, at)
                        if of >= SHARED_NUMBERS || self.period.is_none_or(|before| of <= before) =>
                    {
                        i128::from(of) << 64 | i128::from(at as u64) | 1 << 120
                    }
                    Val::Line(_) => {
                        return self.undecided(pc, "a place in shared or tensor memory grows with the size");
                    }
                    _ => return self.undecided(pc, "a place in shared or tensor memory is not known"),
                });
                if let Reg::All(_) = self.get(*slot) {
                    break;
                }
            }
        }
        self.emit(pc, active, What::Touch(all));
        Ok(())
    }
}
