//! The room of a block: shared memory for its stages, and registers for its accumulators.

use std::fmt;

use cute_arch::Target;

use super::{options::STAGES, types::rule};
use crate::Error;

/// Bytes of shared memory that are left for barriers.
const BARRIERS: i64 = 1024;

/// The shared memory and the registers of a block, on a target or on the largest one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    target: Option<Target>,
}

/// Bytes of shared memory, as messages name them.
struct SharedMemory(Limits);

impl fmt::Display for SharedMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of shared memory", self.0.shared_memory())?;
        self.0.target.map_or(Ok(()), |target| write!(f, " of {target}"))
    }
}

impl Limits {
    pub fn of(target: Option<Target>) -> Self {
        Self { target }
    }

    /// Bytes of shared memory.
    fn shared_memory(self) -> i64 {
        let one = |target: Target| i64::from(target.max_dynamic_shared_memory());
        self.target.map_or_else(|| Target::all().iter().copied().map(one).max().unwrap_or(0), one)
    }

    /// The number of stages: the wanted number, or as many stages as fit beside the slots for D.
    pub fn stages(self, wanted: Option<i64>, stage: i64, slots: i64) -> Result<i64, Error> {
        let fit = ((self.shared_memory() - BARRIERS - slots) / stage).min(STAGES.most);
        let stages = wanted.unwrap_or(fit);
        rule(fit >= 2, || {
            format!(
                "two stages of {stage} bytes and {slots} bytes that D goes through do not fit into {}: take a smaller tile",
                SharedMemory(self)
            )
        })?;
        rule((2..=fit).contains(&stages), || {
            format!(
                "{stages} stages of {stage} bytes: 2 to {fit} are possible beside the {slots} bytes that D goes through"
            )
        })?;
        Ok(stages)
    }

    /// Checks that a given number of stages fits, whose memory a tile of D uses later, and some
    /// bytes of barriers beside them.
    pub fn check_memory(self, stages: i64, stage: i64, d: i64, barriers: i64) -> Result<(), Error> {
        let room = self.shared_memory() - barriers;
        rule((stages * stage).max(d) <= room, || {
            let fit = room / stage;
            let d = if d == 0 { String::new() } else { format!(" and a tile of D of {d} bytes") };
            let instead = if fit < 2 || fit >= stages {
                "take a smaller tile".into()
            } else {
                format!("at most {fit} stages of this tile, or a smaller tile")
            };
            format!("{stages} stages of {stage} bytes{d} do not fit into {}: {instead}", SharedMemory(self))
        })
    }

    /// Checks that a block of this many threads is possible.
    pub fn check_block(self, threads: i64) -> Result<(), Error> {
        let most = self.representative().max_threads_per_block();
        rule(threads <= most.into(), || format!("{threads} threads are more than the {most} of a block"))
    }

    /// The largest number of registers of each thread of a block.
    pub fn registers(self, threads: i64) -> i64 {
        self.representative().registers_per_thread_of_block(threads as u32).into()
    }

    /// The largest number of registers of a thread.
    pub fn most_registers(self) -> i64 {
        self.representative().max_registers_per_thread().into()
    }

    /// The target, or one for limits that all targets share.
    fn representative(self) -> Target {
        self.target.unwrap_or(Target::Sm80)
    }

    /// Checks that a tile's accumulators and operands, which need some registers per thread, leave
    /// enough of them in a block of this many threads.
    pub fn check_registers(self, [m, n]: [i64; 2], threads: i64, needed: i64) -> Result<(), Error> {
        let most = self.registers(threads);
        rule(needed <= most, || {
            format!(
                "a tile of {m} x {n} needs about {needed} registers for each of {threads} threads, which have {most}: take a smaller tile"
            )
        })
    }
}
