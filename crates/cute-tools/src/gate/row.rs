//! The numbers of a kernel, as the table, the JSON and the baseline have them.

use std::fmt;

use cute_arch::launch::Occupancy;
use cute_driver::sass::{local::InLocalMemory, loops::Loop};
use serde::{Deserialize, Serialize};

/// A kernel that was measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The file, as the command line names it.
    pub file: String,
    /// The name that ptxas got.
    pub kernel: String,
    /// The GPU.
    pub target: String,
    /// The name of the ptxas.
    pub ptxas: String,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, kernel, target, ptxas } = self;
        write!(f, "{file}: kernel '{kernel}' for {target} by ptxas {ptxas}")
    }
}

/// The numbers that are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Registers of a thread.
    pub registers: u64,
    /// Bytes of a thread's stack.
    pub stack: u64,
    /// Bytes that are stored because registers do not suffice.
    pub spilled: u64,
    /// Bytes that are loaded for that reason.
    pub reloaded: u64,
    /// Instructions that load from local memory.
    pub local_loads: u64,
    /// Instructions that store to local memory.
    pub local_stores: u64,
    /// Bytes of static shared memory of a block.
    pub static_shared: u64,
    /// Bytes of dynamic shared memory of a block, if they are known.
    pub dynamic_shared: Option<u64>,
    /// Instructions without NOPs.
    pub instructions: u64,
    /// Instructions and MMAs of each loop.
    pub loops: Vec<[u64; 2]>,
    /// Blocks that a multiprocessor holds at once, if the threads of a block and its shared memory
    /// are known.
    pub blocks: Option<u64>,
}

/// An entry of a baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    #[serde(flatten)]
    pub key: Key,
    #[serde(flatten)]
    pub figures: Figures,
}

/// Everything that was measured.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    #[serde(flatten)]
    pub entry: Entry,
    /// Threads of a block, if they are known.
    pub threads: Option<u64>,
    /// For how many blocks each resource of a multiprocessor suffices.
    pub occupancy: Option<Suffices>,
    /// The line of each loop's first MMA, or of its first instruction.
    pub loop_lines: Vec<Option<String>>,
    /// Values in local memory by the lines of the source.
    pub local_memory: Vec<Kept>,
    /// The numbers under another name, if they are not these.
    pub other_name: Option<OtherName>,
}

/// For how many blocks each resource of a multiprocessor suffices.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Suffices {
    pub blocks: u64,
    pub threads: u64,
    pub shared_memory: u64,
    pub registers: Option<u64>,
    /// The resource that suffices for the fewest.
    pub limit: &'static str,
}

/// Values of a line in local memory.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Kept {
    /// `FILE:LINE`.
    pub line: Option<String>,
    /// Whether registers do not suffice for them; otherwise they belong to an array.
    pub spilled: bool,
    pub stores: usize,
    pub loads: usize,
}

/// A kernel under another name.
#[derive(Debug, Clone, Serialize)]
pub struct OtherName {
    pub kernel: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl From<Occupancy> for Suffices {
    fn from(of: Occupancy) -> Self {
        let Occupancy { places: blocks, threads, shared_memory, registers } = of;
        Self { blocks, threads, shared_memory, registers, limit: of.limit().0 }
    }
}

impl From<InLocalMemory> for Kept {
    fn from(of: InLocalMemory) -> Self {
        let InLocalMemory { place, is_spilled: spilled, stores, loads } = of;
        Self { line: place.map(|place| place.to_string()), spilled, stores, loads }
    }
}

/// `1 store`, `2 stores`.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The numbers of loops.
pub fn of_loops(loops: &[Loop]) -> Vec<[u64; 2]> {
    loops.iter().map(|one| [one.instructions as u64, one.mmas as u64]).collect()
}
