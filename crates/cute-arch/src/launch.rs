//! The limits of a launch, as a target and a compiled kernel set them.

use crate::{Feature, Target, WARP, volume};

/// Shared memory is allocated in multiples of this number of bytes.
const SHARED_UNIT: u64 = 128;

/// Partitions of a multiprocessor: a warp belongs to one of them.
const PARTITIONS: u64 = 4;

/// The extents of a launch, as x, y, z.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extents {
    /// The number of blocks.
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    /// Blocks of a cluster, if the launch gives them.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of static and dynamic shared memory of a block.
    pub shared_memory: u64,
}

/// The extents that a kernel was compiled for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compiled {
    /// Threads of a block.
    pub block: Option<[u32; 3]>,
    /// The largest number of threads of a block.
    pub max_threads: Option<u64>,
    /// Blocks of a cluster.
    pub cluster: Option<[u32; 3]>,
    /// Registers that each thread begins with, if they are known.
    pub registers: Option<u32>,
}

/// The blocks that a multiprocessor holds at once: as many as each of its resources suffices for.
/// Clusters and tensor memory are not considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Places for blocks.
    pub places: u64,
    /// Places for threads.
    pub threads: u64,
    /// Static and dynamic shared memory.
    pub shared_memory: u64,
    /// Registers, if their number is known.
    pub registers: Option<u64>,
}

impl Occupancy {
    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.limit().1
    }

    /// The resource that limits the number of blocks, and the number. Of several, it is the one of
    /// which a kernel can save least.
    pub fn limit(&self) -> (&'static str, u64) {
        let Self { places, threads, shared_memory, registers } = *self;
        let known = registers.map(|registers| ("registers", registers));
        let others = [("threads", threads), ("blocks", places), ("shared memory", shared_memory)];
        others.into_iter().chain(known).min_by_key(|(_, blocks)| *blocks).expect("three are known")
    }
}

impl Target {
    /// The largest cluster that every device with clusters supports (Guide).
    pub const MAX_PORTABLE_CLUSTER: u32 = 8;

    /// The largest cluster that a kernel may opt in to (Guide).
    pub const MAX_CLUSTER: u32 = 16;

    /// The first limit of the target or the kernel that a launch exceeds. Extents are positive.
    ///
    /// ```
    /// use cute_arch::{Target, launch::{Compiled, Extents}};
    /// let launch = Extents { grid: [1; 3], block: [1, 1, 65], cluster: None, shared_memory: 0 };
    /// let why = Target::Sm90a.misfit(&launch, &Compiled::default()).unwrap();
    /// assert_eq!(why, "its block is [1, 1, 65], but sm_90a allows at most [1024, 1024, 64]");
    /// ```
    pub fn misfit(self, launch: &Extents, compiled: &Compiled) -> Option<String> {
        let Extents { grid, block, shared_memory, .. } = launch;
        let threads = volume(*block).unsigned_abs();
        // Registers are allocated by eights.
        let registers = |threads: u64| {
            let threads = u32::try_from(threads).unwrap_or(u32::MAX);
            self.registers_per_thread_of_block(threads).next_multiple_of(8)
        };
        if let Some(required) = compiled.block.filter(|required| required != block) {
            Some(format!("its block is {block:?}, but it was compiled for {required:?}"))
        } else if let Some(why) = self.block_misfit(*block, compiled.max_threads) {
            Some(why)
        } else if is_over(*grid, self.max_grid()) {
            Some(format!("its grid is {grid:?}, but {self} allows at most {:?}", self.max_grid()))
        } else if let Some(why) = self.shared_memory_misfit(*shared_memory) {
            Some(why)
        } else if let Some(own) = compiled.registers.filter(|own| *own > registers(threads)) {
            Some(format!(
                "its {threads} threads begin with {own} registers each, but {self} has at most {} for each of them",
                registers(threads)
            ))
        } else {
            let cluster = launch.cluster.or(compiled.cluster)?;
            self.cluster_misfit(*grid, cluster, compiled)
        }
    }

    /// The number of blocks that a multiprocessor holds at once (Guide, "Technical Specifications
    /// per Compute Capability"; the granularities are those of CUDA's `cuda_occupancy.h`).
    ///
    /// ```
    /// use cute_arch::{Target, launch::{Compiled, Extents}};
    /// let launch = Extents { grid: [1; 3], block: [128, 1, 1], cluster: None, shared_memory: 100 << 10 };
    /// let compiled = Compiled { registers: Some(128), ..Compiled::default() };
    /// assert_eq!(Target::Sm90a.occupancy(&launch, &compiled).limit(), ("shared memory", 2));
    /// let less = Extents { shared_memory: 0, ..launch };
    /// assert_eq!(Target::Sm90a.occupancy(&less, &compiled).limit(), ("registers", 4));
    /// ```
    pub fn occupancy(self, launch: &Extents, compiled: &Compiled) -> Occupancy {
        let warps = volume(launch.block).unsigned_abs().div_ceil(WARP.into()).max(1);
        let shared = self.allocated_shared_memory(launch.shared_memory);
        // Each of the four partitions has a fourth of the registers, and whole warps.
        let registers = compiled.registers.map(|own| {
            let of_warp = u64::from(WARP) * u64::from(own.max(1).next_multiple_of(8));
            u64::from(self.registers_per_multiprocessor()) / PARTITIONS / of_warp * PARTITIONS / warps
        });
        Occupancy {
            places: self.max_blocks_per_multiprocessor().into(),
            threads: u64::from(self.max_threads_per_multiprocessor()) / (warps * u64::from(WARP)),
            shared_memory: u64::from(self.shared_memory_per_multiprocessor()) / shared,
            registers,
        }
    }

    /// Bytes of shared memory that a multiprocessor allocates for a block that requests so many.
    fn allocated_shared_memory(self, requested: u64) -> u64 {
        let all = requested.saturating_add(Self::RESERVED_SHARED_MEMORY.into());
        all.div_ceil(SHARED_UNIT).saturating_mul(SHARED_UNIT)
    }

    /// The most static and dynamic shared memory, in bytes, with which a multiprocessor holds this
    /// number of blocks at once, if nothing else limits them.
    ///
    /// ```
    /// use cute_arch::Target;
    /// let of = |blocks| Target::Sm90a.shared_memory_of_blocks(blocks);
    /// assert_eq!([1, 2, 3].map(of), [232_448, 115_712, 76_800]);
    /// ```
    pub fn shared_memory_of_blocks(self, blocks: u64) -> u64 {
        let each = u64::from(self.shared_memory_per_multiprocessor()) / blocks.max(1);
        let reserved = u64::from(Self::RESERVED_SHARED_MEMORY);
        (each / SHARED_UNIT * SHARED_UNIT).saturating_sub(reserved)
    }

    /// The reason why a device with this number of multiprocessors refuses a cooperative launch,
    /// whose blocks must be resident at once.
    ///
    /// ```
    /// use cute_arch::{Target, launch::{Compiled, Extents}};
    /// let launch = Extents { grid: [265, 1, 1], block: [1024, 1, 1], cluster: None, shared_memory: 0 };
    /// let why = Target::Sm90a.not_resident(&launch, &Compiled::default(), 132).unwrap();
    /// assert!(why.starts_with("it is cooperative with 265 blocks, but 132 multiprocessors hold 264 of them"));
    /// ```
    pub fn not_resident(self, launch: &Extents, compiled: &Compiled, multiprocessors: u32) -> Option<String> {
        let (each, blocks) = (self.occupancy(launch, compiled).blocks(), volume(launch.grid).unsigned_abs());
        let all = each * u64::from(multiprocessors);
        let (threads, shared) = (volume(launch.block), launch.shared_memory);
        (blocks > all).then(|| {
            format!(
                "it is cooperative with {blocks} blocks, but {multiprocessors} multiprocessors hold {all} of them at once, {each} \
                 each: a block has {threads} threads and {shared} bytes of shared memory"
            )
        })
    }

    /// The limit that a block exceeds: that of the target, or the number of threads that the kernel
    /// was compiled for.
    pub fn block_misfit(self, block: [u32; 3], max_threads: Option<u64>) -> Option<String> {
        let threads = volume(block).unsigned_abs();
        let most = u64::from(self.max_threads_per_block());
        let most = max_threads.map_or(most, |own| own.min(most));
        if threads > most {
            Some(format!("its block {block:?} has {threads} threads, but at most {most} are possible"))
        } else if is_over(block, self.max_block()) {
            Some(format!("its block is {block:?}, but {self} allows at most {:?}", self.max_block()))
        } else {
            None
        }
    }

    /// The limit that the static and dynamic shared memory of a block exceed.
    pub fn shared_memory_misfit(self, bytes: u64) -> Option<String> {
        let most = self.max_dynamic_shared_memory();
        (bytes > most.into()).then(|| {
            format!("it needs {bytes} bytes of shared memory, but {self} has at most {most} per block")
        })
    }

    fn cluster_misfit(self, grid: [u32; 3], cluster: [u32; 3], compiled: &Compiled) -> Option<String> {
        let blocks = volume(cluster);
        if blocks > 1 && !self.has(Feature::Clusters) {
            Some(format!("its cluster is {cluster:?}, but {self} has no clusters"))
        } else if let Some(required) = compiled.cluster.filter(|required| *required != cluster) {
            Some(format!("its cluster is {cluster:?}, but it was compiled for {required:?}"))
        } else if (0..3).any(|axis| !grid[axis].is_multiple_of(cluster[axis])) {
            Some(format!("its clusters {cluster:?} do not divide its grid {grid:?}"))
        } else if blocks > Self::MAX_CLUSTER.into() {
            Some(format!(
                "its cluster {cluster:?} has {blocks} blocks, but at most {} are possible",
                Self::MAX_CLUSTER
            ))
        } else {
            None
        }
    }
}

fn is_over(extents: [u32; 3], most: [u32; 3]) -> bool {
    extents.into_iter().zip(most).any(|(extent, most)| extent > most)
}
