//! Accesses of a thread to memory, as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::access::Access;
use crate::operand::Slot;
use crate::update::Update;
use cute_arch::space::{CONSTANT, LOCAL};
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};

/// A load, a store or an atomic operation, a question about an address, or an allocation of local
/// memory. Accesses are numbers of those of its kernel.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum MemoryOp {
    /// Whether a generic address is of this space.
    IsInSpace {
        dst: Slot,
        address: Slot,
        space: u32,
    },
    Load {
        dst: Slot,
        address: Slot,
        access: u32,
    },
    Store {
        src: Slot,
        address: Slot,
        access: u32,
    },
    /// `count`, read as unsigned, objects of `size` bytes; the pointer is generic or local.
    Alloca {
        dst: Slot,
        count: Slot,
        size: u64,
        generic: bool,
    },
    /// `stacksave`: the address of the thread's last local allocation, or 0 if it has none.
    StackSave {
        dst: Slot,
    },
    /// `stackrestore`: frees the local allocations after that one.
    StackRestore {
        src: Slot,
    },
    /// `old` receives the old value; for a compare-exchange, `swapped` receives whether it
    /// happened.
    Atomic {
        update: Update,
        scalar: Scalar,
        address: Slot,
        access: u32,
        value: Slot,
        expected: Slot,
        old: Slot,
        swapped: Option<Slot>,
    },
}

/// A load or a store: the first of its registers, its address, and the number of its access.
#[derive(Debug, Clone, Copy)]
pub struct Transfer {
    pub register: Slot,
    pub address: Slot,
    pub access: u32,
}

impl Transfer {
    /// The registers of the access.
    pub fn registers<'a>(&self, accesses: &'a [Access]) -> impl Iterator<Item = Slot> + use<'a> {
        let first = self.register;
        accesses[self.access as usize].leaves.iter().map(move |leaf| first + leaf.slot)
    }
}

/// A compare-exchange.
pub(crate) struct Exchange {
    pub(crate) address: Slot,
    pub(crate) access: u32,
    pub(crate) expected: Slot,
}

impl MemoryOp {
    pub fn load(&self) -> Option<Transfer> {
        match *self {
            MemoryOp::Load { dst, address, access } => Some(Transfer { register: dst, address, access }),
            _ => None,
        }
    }

    pub fn store(&self) -> Option<Transfer> {
        match *self {
            MemoryOp::Store { src, address, access } => Some(Transfer { register: src, address, access }),
            _ => None,
        }
    }

    /// A load or a store.
    pub fn transfer(&self) -> Option<Transfer> {
        self.load().or_else(|| self.store())
    }

    /// The number of its access.
    pub(crate) fn access(&self) -> Option<u32> {
        match self {
            MemoryOp::Load { access, .. } | MemoryOp::Store { access, .. } => Some(*access),
            MemoryOp::Atomic { access, .. } => Some(*access),
            _ => None,
        }
    }

    pub(crate) fn is_atomic(&self) -> bool {
        matches!(self, MemoryOp::Atomic { .. })
    }

    /// The address of an atomic operation.
    pub(crate) fn updates(&self) -> Option<Slot> {
        match self {
            MemoryOp::Atomic { address, .. } => Some(*address),
            _ => None,
        }
    }

    pub(crate) fn exchange(&self) -> Option<Exchange> {
        match *self {
            MemoryOp::Atomic { update: Update::CompareExchange, address, access, expected, .. } => {
                Some(Exchange { address, access, expected })
            }
            _ => None,
        }
    }

    /// Calls `set` with each register that it sets.
    pub fn sets(&self, accesses: &[Access], mut set: impl FnMut(Slot)) {
        match self {
            MemoryOp::Load { .. } => {
                self.load().iter().flat_map(|load| load.registers(accesses)).for_each(set)
            }
            MemoryOp::IsInSpace { dst, .. } | MemoryOp::Alloca { dst, .. } | MemoryOp::StackSave { dst } => {
                set(*dst);
            }
            MemoryOp::Atomic { old, swapped, .. } => {
                set(*old);
                swapped.iter().copied().for_each(set);
            }
            MemoryOp::Store { .. } | MemoryOp::StackRestore { .. } => {}
        }
    }

    /// The registers whose values have an effect on others.
    pub(crate) fn uses(&self, accesses: &[Access]) -> Option<Vec<Slot>> {
        match self {
            MemoryOp::Load { address, .. } => Some(vec![*address]),
            MemoryOp::Store { address, .. } => {
                let stored = self.store();
                Some(stored.iter().flat_map(|store| store.registers(accesses)).chain([*address]).collect())
            }
            MemoryOp::Atomic { address, value, expected, access, .. } => {
                let words = accesses[*access as usize].bytes.div_ceil(8) as u32;
                let operands = (0..words).flat_map(|word| [value + word, expected + word]);
                Some(operands.chain([*address]).collect())
            }
            MemoryOp::IsInSpace { .. } => Some(Vec::new()),
            MemoryOp::Alloca { .. } | MemoryOp::StackSave { .. } | MemoryOp::StackRestore { .. } => None,
        }
    }

    /// The registers that it sets, each with those that its value comes from, unless it has an
    /// effect on others. A value that may differ the next time comes from itself.
    pub(crate) fn definitions(&self, accesses: &[Access]) -> Option<Vec<(Slot, Vec<Slot>)>> {
        match self {
            MemoryOp::Load { address, access, .. } => {
                let is_own = matches!(accesses[*access as usize].space, LOCAL | CONSTANT);
                let from = |slot: Slot| if is_own { vec![*address] } else { vec![slot] };
                let loaded = self.load();
                let slots = loaded.iter().flat_map(|load| load.registers(accesses));
                Some(slots.map(|slot| (slot, from(slot))).collect())
            }
            MemoryOp::Store { access, .. } if accesses[*access as usize].space == LOCAL => Some(Vec::new()),
            _ => None,
        }
    }

    /// Like [`definitions`](Self::definitions), and for a question about an address.
    pub(crate) fn flows(&self, accesses: &[Access]) -> Option<Vec<(Slot, Vec<Slot>)>> {
        match self {
            MemoryOp::IsInSpace { dst, address, .. } => Some(vec![(*dst, vec![*address])]),
            op => op.definitions(accesses),
        }
    }
}
