//! The registers of warpgroups that load tiles, and of those that multiply them.

use super::room::Limits;
use crate::{Builder, Built, barriers};

/// Threads of a warpgroup.
pub(super) const GROUP: i64 = 128;
/// Registers that a thread needs to load tiles.
const PRODUCER: i64 = 32;

/// The registers of each thread that loads tiles, and of each that multiplies them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares {
    pub producer: i64,
    pub consumer: i64,
}

impl Shares {
    /// The warpgroups that multiply get the registers that the one that loads does not need, by
    /// eights. Where each thread can have all that code can name, none are moved.
    pub fn of(limits: Limits, consumers: i64) -> Self {
        let groups = consumers + 1;
        let each = limits.registers(GROUP * groups);
        if each == limits.most_registers() {
            return Self { producer: each, consumer: each };
        }
        let consumer = (groups * each - PRODUCER) / consumers / 8 * 8;
        Self { producer: groups * each - consumers * consumer, consumer }
    }

    /// Gives up registers, in the warpgroup that loads.
    pub fn shrink(self, code: &Builder<'_>) -> Built<()> {
        self.limit(code, "decrease", self.producer)
    }

    /// Takes more registers, in a warpgroup that multiplies.
    pub fn grow(self, code: &Builder<'_>) -> Built<()> {
        self.limit(code, "increase", self.consumer)
    }

    fn limit(self, code: &Builder<'_>, action: &str, count: i64) -> Built<()> {
        if self.producer == self.consumer {
            return Ok(());
        }
        barriers::limit_registers(code, action, count as i32)
    }
}
