//! A decoded kernel: flat arrays of typed instructions over register slots. A reader of some
//! language makes it once, and `exec` reads it; it does not depend on MLIR.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

mod bytes;
mod flow;
mod lasting;
mod models;
mod op;
mod reach;
mod relevant;
mod sites;

use crate::error::Error;
use crate::finding::Place;
use crate::memory::address::SHARED_BASE;
use crate::race::FenceSpaces;
use cute_machine::place::SourcePlace;
use cute_machine::types::{Leaf, Scalar};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

pub use crate::access::Access;
pub use crate::memory::Variable;
pub use crate::race::{Order, Scope};
pub use cute_machine::bytes::{FormVersion, NotAProgram};
pub use op::*;
pub use reach::Reached;

/// The target of a branch, and the values of the block's arguments.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Edge {
    /// The block's number while decoding, then its first instruction.
    pub target: u32,
    pub moves: Box<[Move]>,
    /// A move's source is an earlier move's destination: read all before writing any.
    pub overlap: bool,
}

/// The origin of an instruction. Instructions of one origin share its parts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Site {
    pub op: Arc<str>,
    pub location: SourcePlace,
}

/// A shared memory global in the block's window.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SharedObject {
    pub name: String,
    /// The place where the kernel first takes its address.
    pub location: SourcePlace,
    pub address: u64,
    /// `None` for the dynamic part, whose size the launch determines.
    pub size: Option<u64>,
}

/// The name of the shared memory in which the warps of a tile of more than 32 threads meet, as
/// cooperative groups compile it. A device reserves it and clears it before a block begins: a word
/// for each size of a tile, 12 bytes, and 8 bytes for each warp. Here it lies behind the variables
/// of fixed size.
pub const OF_GROUPS: &str = "reserved for the tiles of cooperative groups";

/// The size of that memory.
pub const OF_GROUPS_BYTES: u64 = 5 * 4 + 12 + 32 * 8;

/// Read-only memory: a constant global, or a parameter by value whose bytes the launch provides.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Constant {
    #[serde(with = "models::constant")]
    pub place: Place,
    pub bytes: Vec<u8>,
}

/// A parameter of a kernel.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Param {
    /// A scalar, and the register it starts in.
    Scalar { scalar: Scalar, slot: Slot },
    /// Bytes, as scalars at their places; where they start.
    Value { size: u64, scalars: Box<[(Scalar, Leaf)]>, kept: Kept },
}

/// The place of a parameter by value.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Kept {
    /// Its scalars in registers from this one on, to be copied to each thread's local memory.
    Registers(Slot),
    /// In the constant memory with this number, which all threads share: a `grid_constant`.
    Constant(u32),
}

/// A device function that a kernel calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Function {
    /// Its first instruction.
    pub start: u32,
    /// Registers of its blocks' arguments and of its results.
    pub arguments: Range<Slot>,
    pub locals: Range<Slot>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Kernel {
    pub name: String,
    /// The first instruction.
    pub start: u32,
    pub functions: Vec<Function>,
    pub params: Vec<Param>,
    pub code: Vec<Op>,
    /// Beside `code`.
    #[serde(with = "sites")]
    pub sites: Vec<Site>,
    pub edges: Vec<Edge>,
    pub accesses: Vec<Access>,
    /// A thread's registers at entry: constants in place, the rest zero.
    pub registers: Vec<u64>,
    /// Registers of undefined values, and the operation (`undef`, `poison`) that makes each.
    #[serde(with = "sites::ranges")]
    pub undefined: Vec<(Range<Slot>, Site)>,
    /// Approximate instructions, as `accuracy` names them.
    pub approximate: BTreeSet<String>,
    /// Allocation `i + 1` of the shared address space.
    pub shared: Vec<SharedObject>,
    pub constants: Vec<Constant>,
    pub variables: Vec<Variable>,
    /// Registers that begin with the address of a variable: its number, and the byte of it.
    pub addressed: Vec<(Slot, u32, u64)>,
    /// The block size in all dimensions that the kernel was compiled for, if it is fixed.
    pub required_block: Option<[u32; 3]>,
    /// The cluster size in all dimensions that the kernel was compiled for, if it is fixed.
    pub required_cluster: Option<[u32; 3]>,
    /// Instructions that the kernel does not have: checks of coordinates, and what only they need.
    pub uncounted: BTreeSet<u32>,
    /// Registers that begin with an address of the own block's shared memory.
    pub located: Vec<Slot>,
    /// Whether there are instructions of warpgroups.
    pub has_groups: bool,
    /// Whether its source is PTX, whose registers are those that a compiler chose. Values of IR get
    /// registers later.
    pub is_ptx: bool,
    /// The minimum number of blocks per multiprocessor, and the largest number of registers per
    /// thread at launch, if the kernel specifies them.
    pub min_blocks: Option<u32>,
    pub registers_at_launch: Option<u32>,
    /// The largest number of threads per block, if the kernel specifies one.
    pub max_threads: Option<u64>,
}

impl Kernel {
    /// The numbers of registers that its `setmaxnreg` instructions request.
    pub(crate) fn asked_registers(&self) -> impl Iterator<Item = u32> {
        self.code.iter().filter_map(Op::registers_asked).map(|asked| asked.count())
    }

    /// The first instruction without a model, which is a finding when a thread reaches it.
    pub fn refused(&self) -> Option<Error> {
        let refused = self.code.iter().zip(&self.sites).find_map(|(op, site)| match op {
            Op::Control(op) => op.refused().map(|(rule, what)| (site, rule, what)),
            _ => None,
        });
        refused.map(|(Site { op, location, .. }, rule, what)| Error::Unmodelled {
            op: op.to_string(),
            location: location.clone(),
            rule,
            what: what.to_string(),
        })
    }

    /// Registers that each thread begins with, if the kernel moves registers and bounds this
    /// number: as many as it may have, but not more than it ever requests.
    pub(crate) fn bounded_registers(&self) -> Option<u32> {
        Some(self.registers_at_launch?.min(self.asked_registers().max()?))
    }

    /// Whether it reads the address of the memory in which the blocks of a cooperative launch meet.
    pub(crate) fn meets_grid(&self) -> bool {
        self.code.iter().filter_map(Op::scalar).any(|op| op.meets_grid())
    }

    /// Whether threads allocate memory, or return it.
    pub(crate) fn uses_heap(&self) -> bool {
        self.code.iter().any(|op| matches!(op, Op::System(op) if op.uses_heap()))
    }

    /// The load with this number.
    pub(crate) fn load(&self, pc: u32) -> Option<Transfer> {
        self.code.get(pc as usize)?.memory()?.load()
    }

    /// Its atomic and volatile accesses.
    pub(crate) fn strong_accesses(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(|access| access.strong)
    }

    /// Whether atomic or volatile accesses may order others: one acquires or releases, or there is
    /// a fence beside one.
    pub(crate) fn atomics_order(&self) -> bool {
        let has_fences = || self.code.iter().any(|op| op.fence_scope().is_some());
        self.strong_accesses().any(|access| !access.order.is_relaxed())
            || self.strong_accesses().next().is_some() && has_fences()
    }

    /// Whether the scope of an atomic access, or of a fence, is narrower than the device.
    pub(crate) fn has_narrow_scopes(&self) -> bool {
        let scopes = self.strong_accesses().map(|access| access.scope);
        scopes.chain(self.code.iter().filter_map(Op::fence_scope)).any(|scope| scope < Scope::Device)
    }

    /// The memory that its fences for the async proxy are about.
    pub(crate) fn fences(&self) -> FenceSpaces {
        let fences = || {
            self.code.iter().filter_map(|op| match op {
                Op::Fence(op) => op.spaces(),
                _ => None,
            })
        };
        match () {
            () if fences().all(|spaces| spaces == (true, true)) => FenceSpaces::All,
            () if fences().all(|spaces| spaces == (true, false)) => FenceSpaces::Shared,
            () => FenceSpaces::Mixed,
        }
    }

    /// The first address after the shared memory of a block.
    pub(crate) fn shared_end(&self, dynamic: u32) -> u64 {
        let ends = self.shared.iter().map(|o| o.address.saturating_add(o.size.unwrap_or(dynamic.into())));
        ends.max().unwrap_or(SHARED_BASE)
    }
}

/// The kernels of a module, ready to run.
///
/// A reader decodes the source once; the program does not need it afterwards.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    pub kernels: Vec<Kernel>,
}

impl Program {
    /// Whether a kernel has operations whose time the [`Schedule`](crate::Schedule) chooses: bulk
    /// copies, `mbarrier`, `wgmma`, `tcgen05`; or named barriers, at which threads meet in an order
    /// that it chooses. A launch of it should be run under several.
    pub fn is_asynchronous(&self, kernel: &str) -> bool {
        let own = self.kernels.iter().find(|k| k.name == kernel);
        let is_one = |op: &Op| op.is_asynchronous() || op.is_named_barrier();
        own.is_some_and(|kernel| kernel.code.iter().any(is_one))
    }

    /// Whether what a kernel computes may depend on the order of its blocks without a race: it has
    /// atomic accesses or bulk reductions. The order of the blocks is that of the schedule only on
    /// one [host thread](crate::Launch::host_threads).
    pub fn has_updates(&self, kernel: &str) -> bool {
        let own = self.kernels.iter().find(|k| k.name == kernel);
        own.is_some_and(|kernel| kernel.code.iter().any(Op::is_update))
    }

    /// Names of the kernels, in module order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|k| k.name.as_str())
    }
}
