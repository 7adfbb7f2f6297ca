//! The GPUs to compile for, one row of facts each. It must not contain anything about the compiled
//! code.
//!
//! Sources, by name in the doc comments:
//! * *Guide*: CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications
//!   per Compute Capability"
//! * *PTX*: PTX ISA, "PTX Module Directives: .target"

use crate::feature::Feature;
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// Bytes of a kibibyte.
const KIB: u32 = 1024;

/// The GPUs that run the code for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Portability {
    /// Its own compute capability and every later one: `sm_90`.
    Forward,
    /// Its own compute capability and later ones of the family: `sm_100f`.
    Family,
    /// Its own compute capability alone: `sm_90a`.
    Architecture,
}

impl Portability {
    /// The end of the names of such targets: `a` of `sm_90a`.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Forward => "",
            Self::Family => "f",
            Self::Architecture => "a",
        }
    }

    /// Whether PTX for a target of the compute capability `own` runs on a GPU of the compute
    /// capability `gpu` (PTX).
    ///
    /// ```
    /// use cute_arch::Portability;
    /// assert!(Portability::Forward.runs_on((7, 5), (9, 0)));
    /// assert!(!Portability::Family.runs_on((10, 0), (12, 0)));
    /// ```
    pub fn runs_on(self, own: (u32, u32), gpu: (u32, u32)) -> bool {
        match self {
            Self::Forward => own <= gpu,
            Self::Family => own.0 == gpu.0 && own <= gpu,
            Self::Architecture => own == gpu,
        }
    }
}

macro_rules! targets {
    (
        compiled {
            $($(#[$doc:meta])* $variant:ident $name:literal $capability:expr, $portability:ident;)*
        }
        in_ptx_alone {
            $($(#[$ptx_doc:meta])* $ptx:ident $ptx_name:literal $ptx_capability:expr, $ptx_portability:ident;)*
        }
    ) => {
        /// A GPU to compile for. Names that end in `f` are specific to a family, names that end in
        /// `a` to an architecture: see [`Portability`]. These are the targets from Ampere on that
        /// both LLVM 22 and ptxas of CUDA 13.0 support, except `sm_88`, whose limits the Guide does
        /// not list; and the [targets of other compilers' PTX](Self::of_ptx).
        ///
        /// ```
        /// use cute_arch::{Feature, Target};
        /// let t: Target = "sm_90a".parse()?;
        /// assert_eq!(t.compute_capability(), (9, 0));
        /// assert!(t.has(Feature::Wgmma) && !t.has(Feature::Tcgen05));
        /// # Ok::<(), cute_arch::UnknownTarget>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Target { $($(#[$doc])* $variant,)* $($(#[$ptx_doc])* $ptx,)* }

        const ALL: &[Target] = &[$(Target::$variant),*];

        const IN_PTX_ALONE: &[Target] = &[$(Target::$ptx),*];

        impl Target {
            /// The name, the compute capability, and which GPUs run the code.
            const fn row(self) -> (&'static str, (u32, u32), Portability) {
                match self {
                    $(Self::$variant => ($name, $capability, Portability::$portability),)*
                    $(Self::$ptx => ($ptx_name, $ptx_capability, Portability::$ptx_portability),)*
                }
            }
        }
    };
}

targets! {
    compiled {
        /// Ampere, A100.
        Sm80 "sm_80" (8, 0), Forward;
        /// Ampere, RTX 30 and A40.
        Sm86 "sm_86" (8, 6), Forward;
        /// Ampere, Jetson Orin.
        Sm87 "sm_87" (8, 7), Forward;
        /// Ada, RTX 40 and L40.
        Sm89 "sm_89" (8, 9), Forward;
        /// The features that Hopper shares with later GPUs.
        Sm90 "sm_90" (9, 0), Forward;
        /// Hopper, H100 and H200.
        Sm90a "sm_90a" (9, 0), Architecture;
        /// The features that Blackwell shares with later GPUs.
        Sm100 "sm_100" (10, 0), Forward;
        /// The features that B200 shares with B300.
        Sm100f "sm_100f" (10, 0), Family;
        /// Blackwell, B200.
        Sm100a "sm_100a" (10, 0), Architecture;
        /// The features that Blackwell Ultra shares with later GPUs.
        Sm103 "sm_103" (10, 3), Forward;
        /// The features that B300 shares with later GPUs of its family.
        Sm103f "sm_103f" (10, 3), Family;
        /// Blackwell Ultra, B300.
        Sm103a "sm_103a" (10, 3), Architecture;
        /// The features that Thor shares with later GPUs.
        Sm110 "sm_110" (11, 0), Forward;
        /// The features that Thor shares with later GPUs of its family.
        Sm110f "sm_110f" (11, 0), Family;
        /// Blackwell, Jetson Thor.
        Sm110a "sm_110a" (11, 0), Architecture;
        /// The features that desktop Blackwell shares with later GPUs.
        Sm120 "sm_120" (12, 0), Forward;
        /// The features that RTX 50 shares with GB10.
        Sm120f "sm_120f" (12, 0), Family;
        /// Blackwell, RTX 50 and RTX PRO 6000.
        Sm120a "sm_120a" (12, 0), Architecture;
        /// The features that GB10 shares with later GPUs.
        Sm121 "sm_121" (12, 1), Forward;
        /// The features that GB10 shares with later GPUs of its family.
        Sm121f "sm_121f" (12, 1), Family;
        /// Blackwell, GB10 of DGX Spark.
        Sm121a "sm_121a" (12, 1), Architecture;
    }
    // LLVM 22 has no such processors. Features, shared memory and family: ptxas of CUDA 13.5.
    in_ptx_alone {
        /// The features that Rubin shares with later GPUs.
        Sm107 "sm_107" (10, 7), Forward;
        /// The features that Rubin shares with later GPUs of its family.
        Sm107f "sm_107f" (10, 7), Family;
        /// Rubin.
        Sm107a "sm_107a" (10, 7), Architecture;
    }
}

/// Threads of a warp.
pub const WARP: u32 = 32;

/// The limits of a compute capability in the Guide.
struct Limits {
    shared: u32,
    threads: u32,
    blocks: u32,
}

impl Target {
    /// Threads of a block on any target (Guide).
    pub const MAX_THREADS_PER_BLOCK: u32 = 1024;

    /// Local memory of a thread in bytes on any target (Guide).
    pub const MAX_LOCAL_MEMORY: u32 = 512 * KIB;

    /// Bytes of shared memory that the system takes for each block, on any target ("Shared Memory"
    /// of each capability in the Guide).
    pub const RESERVED_SHARED_MEMORY: u32 = KIB;

    /// Constant memory that a module may declare, in bytes, on any target (Guide; ptxas rejects
    /// more).
    pub const MAX_CONSTANT_MEMORY: u64 = 64 * KIB as u64;

    /// More bytes than the global memory of any GPU has: the largest have 288 GB (NVIDIA's data
    /// sheets).
    pub const MAX_GLOBAL_MEMORY: u64 = 1 << 40;

    /// The numbers of registers that `setmaxnreg` gives a thread, on the targets that have it: the
    /// multiples of 8 in this range (PTX ISA, `setmaxnreg`).
    pub const MOVABLE_REGISTERS: RangeInclusive<u32> = 24..=256;

    /// Every target to compile for, oldest first; for each compute capability, the most portable
    /// code first.
    pub const fn all() -> &'static [Self] {
        ALL
    }

    /// The target that a file of PTX names: one of [`Self::all`], or one that only other compilers
    /// have.
    ///
    /// ```
    /// use cute_arch::{Feature, Target};
    /// let rubin = Target::of_ptx("sm_107a").unwrap();
    /// assert!(rubin.has(Feature::Tcgen05) && !rubin.is_compiled());
    /// assert!("sm_107a".parse::<Target>().is_err());
    /// ```
    pub fn of_ptx(name: &str) -> Option<Self> {
        Self::known().find(|t| t.name() == name)
    }

    /// [`Self::all`], followed by the targets that only other compilers have.
    pub fn known() -> impl Iterator<Item = Self> {
        ALL.iter().chain(IN_PTX_ALONE).copied()
    }

    /// Whether kernels can be compiled for it.
    pub fn is_compiled(self) -> bool {
        ALL.contains(&self)
    }

    /// The limits of the compute capability (Guide).
    const fn limits(self) -> Limits {
        let (shared, threads, blocks) = match self.compute_capability() {
            (8, 0) => (163 * KIB, 2048, 32),
            (8, 6) => (99 * KIB, 1536, 16),
            (8, 7) => (163 * KIB, 1536, 16),
            (9 | 10, _) => (227 * KIB, 2048, 32),
            (11, _) => (227 * KIB, 1536, 24),
            _ => (99 * KIB, 1536, 24),
        };
        Limits { shared, threads, blocks }
    }

    /// Its name for LLVM (`-mcpu`), PTX (`.target`) and ptxas (`-arch`): `sm_90a`.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Compute capability, major and minor: `(9, 0)`.
    pub const fn compute_capability(self) -> (u32, u32) {
        self.row().1
    }

    /// The GPUs that run its code.
    pub const fn portability(self) -> Portability {
        self.row().2
    }

    /// Whether it has these instructions.
    pub fn has(self, feature: Feature) -> bool {
        feature.on().on(self)
    }

    /// Whether PTX for the target runs on a GPU of this compute capability (PTX).
    pub fn runs_on(self, capability: (u32, u32)) -> bool {
        self.portability().runs_on(self.compute_capability(), capability)
    }

    /// The target for a GPU of this compute capability: the latest and most specific one whose code
    /// runs on it.
    ///
    /// ```
    /// use cute_arch::Target;
    /// assert_eq!(Target::for_capability((9, 0)), Some(Target::Sm90a));
    /// assert_eq!(Target::for_capability((7, 5)), None);
    /// ```
    pub fn for_capability(capability: (u32, u32)) -> Option<Self> {
        ALL.iter().copied().rev().find(|t| t.runs_on(capability))
    }

    /// The targets that are the best choice for some GPU: one for each compute capability.
    ///
    /// ```
    /// use cute_arch::Target;
    /// let native: Vec<_> = Target::native().map(Target::name).collect();
    /// assert_eq!(native[..5], ["sm_80", "sm_86", "sm_87", "sm_89", "sm_90a"]);
    /// ```
    pub fn native() -> impl Iterator<Item = Self> {
        ALL.iter().copied().filter(|t| Self::for_capability(t.compute_capability()) == Some(*t))
    }

    /// Shared memory that a block may request at launch, in bytes: "Maximum amount of shared memory
    /// per thread block" (Guide). It includes static shared memory. Above
    /// [`Self::max_static_shared_memory`] the host must opt in
    /// (`cudaFuncAttributeMaxDynamicSharedMemorySize`).
    pub const fn max_dynamic_shared_memory(self) -> u32 {
        self.limits().shared
    }

    /// Shared memory that a kernel may declare, in bytes: 48 KiB everywhere (Guide, "Shared Memory"
    /// of each capability; ptxas rejects more).
    pub const fn max_static_shared_memory(self) -> u32 {
        48 * KIB
    }

    /// Shared memory of one multiprocessor, in bytes: what one block may request, and what the
    /// system takes for it (Guide).
    ///
    /// ```
    /// use cute_arch::Target;
    /// let of = |target: Target| target.shared_memory_per_multiprocessor() >> 10;
    /// assert_eq!([Target::Sm80, Target::Sm86, Target::Sm90].map(of), [164, 100, 228]);
    /// ```
    pub const fn shared_memory_per_multiprocessor(self) -> u32 {
        self.max_dynamic_shared_memory() + Self::RESERVED_SHARED_MEMORY
    }

    /// Threads that one multiprocessor holds (Guide).
    pub const fn max_threads_per_multiprocessor(self) -> u32 {
        self.limits().threads
    }

    /// Blocks that one multiprocessor holds (Guide).
    pub const fn max_blocks_per_multiprocessor(self) -> u32 {
        self.limits().blocks
    }

    /// Multiprocessors of the largest GPU that runs the code as its own, and the name of that GPU
    /// (NVIDIA's data sheets).
    ///
    /// ```
    /// assert_eq!(cute_arch::Target::Sm90a.largest_gpu(), (132, "H100"));
    /// ```
    pub const fn largest_gpu(self) -> (u32, &'static str) {
        match self.compute_capability() {
            (8, 0) => (108, "A100"),
            (8, 6) => (84, "RTX A6000"),
            (8, 7) => (16, "Jetson AGX Orin"),
            (8, 9) => (142, "L40"),
            (9, _) => (132, "H100"),
            (10, 0) => (148, "B200"),
            (10, 3) => (160, "B300"),
            (11, _) => (20, "Jetson Thor"),
            (12, 0) => (188, "RTX PRO 6000"),
            (12, _) => (48, "GB10"),
            _ => (224, "Rubin"),
        }
    }

    /// Threads of a block (Guide).
    pub const fn max_threads_per_block(self) -> u32 {
        Self::MAX_THREADS_PER_BLOCK
    }

    /// Threads of a block in x, y and z (Guide).
    pub const fn max_block(self) -> [u32; 3] {
        [Self::MAX_THREADS_PER_BLOCK, Self::MAX_THREADS_PER_BLOCK, 64]
    }

    /// Blocks of a grid in x, y and z (Guide).
    pub const fn max_grid(self) -> [u32; 3] {
        [i32::MAX as u32, 65_535, 65_535]
    }

    /// 32-bit registers of one multiprocessor (Guide), which is also the limit for a block.
    pub const fn registers_per_multiprocessor(self) -> u32 {
        64 * KIB
    }

    /// 32-bit registers of one thread (Guide).
    pub const fn max_registers_per_thread(self) -> u32 {
        255
    }

    /// 32-bit registers that each thread of a block may have. The warps of a block are spread over
    /// the four partitions of a multiprocessor (Guide), each of which has a fourth of the
    /// registers, and a thread gets a multiple of 8.
    ///
    /// ```
    /// use cute_arch::Target;
    /// let of = |threads| Target::Sm90a.registers_per_thread_of_block(threads);
    /// assert_eq!([128, 256, 288, 384, 1024].map(of), [255, 255, 168, 168, 64]);
    /// ```
    pub const fn registers_per_thread_of_block(self, threads: u32) -> u32 {
        let warps_of_partition = threads.div_ceil(WARP).div_ceil(4);
        let each = self.registers_per_multiprocessor() / 4 / (WARP * warps_of_partition) / 8 * 8;
        if each < self.max_registers_per_thread() { each } else { self.max_registers_per_thread() }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is not the name of a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}; targets are {}", unknown(name), names())]
pub struct UnknownTarget {
    /// The given name.
    pub name: String,
}

fn unknown(name: &str) -> String {
    match Target::of_ptx(name) {
        Some(_) => format!("target '{name}' is only for PTX in the simulator: LLVM 22 cannot compile for it"),
        None => format!("unknown target '{name}'"),
    }
}

fn names() -> String {
    ALL.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        ALL.iter().copied().find(|t| t.name() == name).ok_or_else(|| UnknownTarget { name: name.into() })
    }
}

/// The threads of a block, or the blocks of a cluster, with these extents; the largest number if
/// there are more.
///
/// ```
/// assert_eq!(cute_arch::volume([32, 4, 1]), 128);
/// assert_eq!(cute_arch::volume([i32::MAX; 3]), i64::MAX);
/// ```
pub fn volume<N: Into<i64>>(extents: impl IntoIterator<Item = N>) -> i64 {
    extents.into_iter().fold(1, |product, extent| product.saturating_mul(extent.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back() {
        for t in Target::all() {
            assert_eq!(t.to_string().parse(), Ok(*t));
        }
    }

    #[test]
    fn the_error_lists_what_is_legal() {
        let text = "sm_50".parse::<Target>().unwrap_err().to_string();
        assert!(
            text.starts_with(
                "unknown target 'sm_50'; targets are sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, "
            )
        );
        assert!(Target::all().iter().all(|t| text.contains(t.name())), "{text}");
    }

    #[test]
    fn names_say_the_compute_capability_and_which_gpus_run_the_code() {
        for t in Target::known() {
            let (major, minor) = t.compute_capability();
            assert_eq!(t.name(), format!("sm_{major}{minor}{}", t.portability().suffix()));
        }
    }

    #[test]
    fn rubin_is_known_in_ptx_and_runs_the_code_of_its_family() {
        let text = "sm_107a".parse::<Target>().unwrap_err().to_string();
        assert!(text.starts_with("target 'sm_107a' is only for PTX in the simulator: LLVM 22"), "{text}");
        assert_eq!(Target::of_ptx("sm_107a"), Some(Target::Sm107a));
        assert_eq!(Target::of_ptx("sm_108"), None);
        assert!(Target::all().iter().all(|t| t.is_compiled() && *t != Target::Sm107));
        assert_eq!(Target::for_capability((10, 7)), Some(Target::Sm103f));
        // ptxas 13.5 accepts the same instructions for both, and gives as much shared memory.
        for (rubin, ultra) in [
            (Target::Sm107, Target::Sm103),
            (Target::Sm107f, Target::Sm103f),
            (Target::Sm107a, Target::Sm103a),
        ] {
            assert!(Feature::ALL.iter().all(|f| rubin.has(*f) == ultra.has(*f)), "{rubin}");
            assert_eq!(rubin.max_dynamic_shared_memory(), ultra.max_dynamic_shared_memory());
        }
    }

    #[test]
    fn a_gpu_gets_its_own_target_or_the_latest_that_is_for_all() {
        for t in Target::all() {
            let own = Target::for_capability(t.compute_capability()).unwrap();
            assert_eq!(own.compute_capability(), t.compute_capability());
            assert!(own.portability() >= t.portability());
        }
        let of = |major, minor| Target::for_capability((major, minor)).map(Target::name);
        assert_eq!([of(8, 8), of(10, 4), of(13, 0)], [Some("sm_87"), Some("sm_103f"), Some("sm_121")]);
        assert_eq!([of(7, 5), of(0, 0)], [None, None]);
    }

    #[test]
    fn code_runs_on_later_gpus_of_the_family_on_its_own_or_on_all() {
        let of = |t: Target| [(9, 0), (10, 0), (10, 3), (11, 0), (12, 0)].map(|c| t.runs_on(c));
        assert_eq!(of(Target::Sm90), [true; 5]);
        assert_eq!(of(Target::Sm90a), [true, false, false, false, false]);
        assert_eq!(of(Target::Sm100f), [false, true, true, false, false]);
        assert_eq!(of(Target::Sm103f), [false, false, true, false, false]);
    }

    /// Measured with ptxas 13.0.88, for kernels that move registers: blocks of some threads, and
    /// one or two blocks per multiprocessor.
    #[test]
    fn registers_of_a_block_are_those_that_ptxas_gives() {
        let given = [
            (128, [255, 255]),
            (160, [255, 168]),
            (256, [255, 128]),
            (288, [168, 96]),
            (384, [168, 80]),
            (416, [128, 72]),
            (512, [128, 64]),
            (640, [96, 48]),
            (1024, [64, 32]),
        ];
        for (threads, registers) in given {
            let of = |blocks: u32| Target::Sm90a.registers_per_thread_of_block(threads * blocks);
            assert_eq!([of(1), of(2)], registers, "{threads} threads");
        }
    }

    #[test]
    fn shared_memory_is_in_bytes() {
        assert_eq!(Target::Sm90a.max_dynamic_shared_memory(), 232_448);
        assert_eq!(Target::Sm86.max_dynamic_shared_memory(), 101_376);
        assert!(Target::all().iter().all(|t| t.max_static_shared_memory() == 49_152));
    }
}
