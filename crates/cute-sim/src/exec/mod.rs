//! Running a kernel: the blocks of a grid one after the other, the threads of a block in turns from barrier to barrier.

mod barrier;
mod copy;
mod launch;
mod scalar;
mod thread;
mod world;

pub use launch::{Arg, Launch};

use crate::error::{Error, Fault, FaultKind};
use crate::memory::Memory;
use crate::program::{Kernel, Program};
use thread::{Status, Thread};
use world::World;

/// Lanes of a warp.
pub(crate) const WARP: u32 = 32;

/// What a launch did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Stats {
    /// Blocks run.
    pub blocks: u64,
    /// Threads run.
    pub threads: u64,
    /// Instructions executed, summed over threads. Operations that only rename bits are none.
    pub instructions: u64,
    /// Loads executed, each counted once whatever its width.
    pub loads: u64,
    /// Stores executed, likewise.
    pub stores: u64,
    /// Asynchronous copies issued.
    pub async_copies: u64,
    /// Block barriers completed.
    pub barriers: u64,
}

impl Program {
    /// Runs one launch of a kernel to its end.
    ///
    /// Blocks run in order, x fastest. Within a block each thread runs to its next barrier before the following thread
    /// does, so a run is the same every time; a race between threads is not looked for, and has this order's outcome.
    ///
    /// # Errors
    ///
    /// [`Error::NoKernel`] and [`Error::Launch`] before anything runs. [`Error::Fault`] and [`Error::Divergence`] stop at
    /// the first finding; `memory` then holds what was written until there.
    pub fn run(&self, launch: &Launch, memory: &mut Memory, args: &[Arg]) -> Result<Stats, Error> {
        let kernel = self.kernels.iter().find(|k| k.name == launch.kernel);
        let kernel = kernel.ok_or_else(|| Error::NoKernel(launch.kernel.clone()))?;
        let registers = launch.registers(kernel, memory, args)?;
        let mut world = World::new(kernel, launch, memory);
        let [gx, gy, gz] = launch.grid;
        for z in 0..gz {
            for y in 0..gy {
                for x in 0..gx {
                    world.enter([x, y, z]);
                    run_block(kernel, &registers, &mut world)?;
                }
            }
        }
        Ok(world.stats)
    }
}

fn run_block(kernel: &Kernel, registers: &[u64], world: &mut World<'_>) -> Result<(), Error> {
    let [bx, by, bz] = world.block_size;
    let count = bx * by * bz;
    let mut threads: Vec<Thread> =
        (0..count).map(|n| Thread::new(n, [n % bx, n / bx % by, n / (bx * by)], registers)).collect();
    world.stats.blocks += 1;
    world.stats.threads += u64::from(count);
    loop {
        for thread in &mut threads {
            if thread.status == Status::Ready {
                thread.run(kernel, world).map_err(|kind| fault(kernel, world, thread, kind))?;
            }
        }
        if threads.iter().all(|t| t.status == Status::Done) {
            return Ok(());
        }
        if !barrier::release(kernel, world, &mut threads)? {
            return Err(barrier::stuck(kernel, world, &threads));
        }
    }
}

fn fault(kernel: &Kernel, world: &World<'_>, thread: &Thread, kind: FaultKind) -> Error {
    let (op, location) = match kernel.sites.get(thread.pc as usize) {
        Some(site) => (site.op.clone(), site.location.clone()),
        None => (kernel.name.clone(), String::new()),
    };
    Error::Fault(Box::new(Fault { kind, op, location, block: world.block, thread: thread.position }))
}
