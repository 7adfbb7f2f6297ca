//! Accesses of memory: what is read from constant memory is known, and places in shared memory are.

use crate::{
    registers::{Reg, lanes_of},
    trace::What,
    value::{self, Val},
    walk::{Stop, Walk},
    world::World,
};
use cute_arch::space::{CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED};
use cute_sim::address::{self, parts};
use cute_sim::program::{Op, Slot};

impl Walk<'_> {
    pub(super) fn load(
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
            return self.undecided(pc, "a load that acquires: threads synchronise through memory");
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
        self.forget(op, active);
        // A word of shared memory, such as the address of tensor memory.
        if let ([leaf], SHARED) = (&access.leaves[..], access.space) {
            self.fresh += 1;
            self.set(dst + leaf.slot, active, Reg::All(Val::From(self.fresh, 0)));
        }
        Ok(())
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
                    Val::From(of, at) if self.period.is_none_or(|before| of <= before) => {
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
