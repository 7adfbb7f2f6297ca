//! The GPUs to compile for, one row of facts each. It must not know what is compiled.
//!
//! Sources, by name in the doc comments:
//! * *Guide*: CUDA C++ Programming Guide, "Compute Capabilities", table "Technical Specifications per Compute
//!   Capability"
//! * *PTX*: PTX ISA, "Target ISA Notes" of each instruction
//! * *LLVM*: LLVM 22's NVPTX backend, `NVPTX.td`: the least PTX version that it takes for a processor

use crate::Element;
use std::{fmt, str::FromStr};

/// Bytes of a kibibyte.
const KIB: u32 = 1024;

/// A GPU to compile for. Names that end in `a` are architecture-specific: their code runs on that GPU alone.
///
/// ```
/// use cute_arch::Target;
/// let t: Target = "sm_90a".parse()?;
/// assert_eq!(t.compute_capability(), (9, 0));
/// assert!(t.has_wgmma() && !t.has_tcgen05());
/// # Ok::<(), cute_arch::UnknownTarget>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Ampere, A100.
    Sm80,
    /// Ampere, RTX 30 and A40.
    Sm86,
    /// Ada, RTX 40 and L40.
    Sm89,
    /// Hopper, H100 and H200.
    Sm90a,
    /// Blackwell, B200.
    Sm100a,
    /// Blackwell Ultra, B300.
    Sm103a,
    /// Blackwell, RTX 50 and RTX PRO 6000.
    Sm120a,
}

/// The facts of one target.
struct Facts {
    name: &'static str,
    capability: (u32, u32),
    ptx: u32,
    shared: u32,
    threads: u32,
}

const ALL: [Target; 7] =
    [Target::Sm80, Target::Sm86, Target::Sm89, Target::Sm90a, Target::Sm100a, Target::Sm103a, Target::Sm120a];

impl Target {
    /// Every target, oldest first.
    pub const fn all() -> &'static [Self] {
        &ALL
    }

    /// The row of the table. `ptx` is LLVM's least for the target, or what its instructions need (PTX, "PTX ISA
    /// Notes"); the rest is from the Guide.
    const fn facts(self) -> Facts {
        let (name, capability, ptx, shared, threads) = match self {
            Self::Sm80 => ("sm_80", (8, 0), 78, 163 * KIB, 2048),
            Self::Sm86 => ("sm_86", (8, 6), 78, 99 * KIB, 1536),
            // 8.7: `mma.sync` on e4m3 and e5m2 with sums of f16.
            Self::Sm89 => ("sm_89", (8, 9), 87, 99 * KIB, 1536),
            Self::Sm90a => ("sm_90a", (9, 0), 87, 227 * KIB, 2048),
            Self::Sm100a => ("sm_100a", (10, 0), 87, 227 * KIB, 2048),
            Self::Sm103a => ("sm_103a", (10, 3), 88, 227 * KIB, 2048),
            Self::Sm120a => ("sm_120a", (12, 0), 87, 99 * KIB, 1536),
        };
        Facts { name, capability, ptx, shared, threads }
    }

    /// The name that LLVM (`-mcpu`), PTX (`.target`) and ptxas (`-arch`) know it by: `sm_90a`.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Compute capability, major and minor: `(9, 0)`.
    pub const fn compute_capability(self) -> (u32, u32) {
        self.facts().capability
    }

    /// Whether the code works for its own compute capability only.
    pub fn is_architecture_specific(self) -> bool {
        self.name().ends_with('a')
    }

    /// Does PTX for the target run on a GPU of this compute capability? Architecture-specific code needs the very same,
    /// other PTX runs on all that came later (PTX, "`.target`").
    pub fn runs_on(self, capability: (u32, u32)) -> bool {
        let own = self.compute_capability();
        if self.is_architecture_specific() { own == capability } else { own <= capability }
    }

    /// The target for a GPU of this compute capability: the latest whose code runs on it.
    ///
    /// ```
    /// use cute_arch::Target;
    /// assert_eq!(Target::for_capability((9, 0)), Some(Target::Sm90a));
    /// assert_eq!(Target::for_capability((7, 5)), None);
    /// ```
    pub fn for_capability(capability: (u32, u32)) -> Option<Self> {
        ALL.into_iter().rev().find(|t| t.runs_on(capability))
    }

    /// PTX version to write, ten times: 86 is `.version 8.6`. LLVM 22 takes it for this target, and so does ptxas
    /// of CUDA 13.0 and newer.
    pub const fn ptx_version(self) -> u32 {
        self.facts().ptx
    }

    /// LLVM's feature for [`Self::ptx_version`]: `+ptx86`.
    pub fn llvm_features(self) -> String {
        format!("+ptx{}", self.ptx_version())
    }

    /// Shared memory that a block may ask for at launch, in bytes: "Maximum amount of shared memory per thread
    /// block" (Guide). It counts static shared memory too, and above [`Self::max_static_shared_memory`] the host
    /// must opt in (`cudaFuncAttributeMaxDynamicSharedMemorySize`).
    pub const fn max_dynamic_shared_memory(self) -> u32 {
        self.facts().shared
    }

    /// Shared memory that a kernel may declare, in bytes: 48 KiB everywhere (Guide, "Shared Memory" of each
    /// capability; ptxas refuses more).
    pub const fn max_static_shared_memory(self) -> u32 {
        48 * KIB
    }

    /// Threads that one multiprocessor holds (Guide).
    pub const fn max_threads_per_multiprocessor(self) -> u32 {
        self.facts().threads
    }

    /// Threads of a block (Guide).
    pub const fn max_threads_per_block(self) -> u32 {
        1024
    }

    /// Threads of a block in x, y and z (Guide).
    pub const fn max_block(self) -> [u32; 3] {
        [1024, 1024, 64]
    }

    /// Blocks of a grid in x, y and z (Guide).
    pub const fn max_grid(self) -> [u32; 3] {
        [i32::MAX as u32, 65_535, 65_535]
    }

    /// 32-bit registers of one multiprocessor (Guide); a block has as many at most.
    pub const fn registers_per_multiprocessor(self) -> u32 {
        64 * KIB
    }

    /// 32-bit registers of one thread (Guide).
    pub const fn max_registers_per_thread(self) -> u32 {
        255
    }

    /// `cp.async`: copies from global to shared memory that bypass registers. "Requires sm_80 or higher" (PTX).
    pub const fn has_cp_async(self) -> bool {
        self.at_least(8, 0)
    }

    /// `mma.sync` on bf16 and tf32. "Requires sm_80 or higher" (PTX).
    pub const fn has_mma_bf16(self) -> bool {
        self.at_least(8, 0)
    }

    /// `mma.sync` on e4m3 and e5m2. "Requires sm_89 or higher" (PTX).
    pub const fn has_mma_fp8(self) -> bool {
        self.at_least(8, 9)
    }

    /// `ldmatrix`. "Requires sm_75 or higher" (PTX).
    pub const fn has_ldmatrix(self) -> bool {
        self.at_least(7, 5)
    }

    /// `stmatrix`. "Requires sm_90 or higher" (PTX).
    pub const fn has_stmatrix(self) -> bool {
        self.at_least(9, 0)
    }

    /// `mbarrier` with transaction counts, and `cp.async.bulk(.tensor)`: TMA. "Requires sm_90 or higher" (PTX).
    pub const fn has_tma(self) -> bool {
        self.at_least(9, 0)
    }

    /// Thread-block clusters and distributed shared memory. "Requires sm_90 or higher" (PTX).
    pub const fn has_clusters(self) -> bool {
        self.at_least(9, 0)
    }

    /// `wgmma.mma_async`. "Requires sm_90a" (PTX): Hopper alone.
    pub const fn has_wgmma(self) -> bool {
        matches!(self, Self::Sm90a)
    }

    /// `setmaxnreg`. "Requires sm_90a, sm_100a, sm_120a" and their relatives (PTX).
    pub const fn has_setmaxnreg(self) -> bool {
        self.at_least(9, 0)
    }

    /// `tcgen05` and tensor memory. "Requires sm_100a, sm_103a" and their relatives (PTX); not sm_120.
    pub const fn has_tcgen05(self) -> bool {
        matches!(self, Self::Sm100a | Self::Sm103a)
    }

    /// `cvt` between pairs of a float of at most 8 bits and of wider ones. For e4m3 and e5m2 it "requires sm_89 or higher", for
    /// e2m1, e2m3 and e3m2 "sm_100a, sm_120a" and their families (PTX).
    pub const fn converts(self, narrow: Element) -> bool {
        match narrow {
            Element::E4m3 | Element::E5m2 => self.at_least(8, 9),
            Element::E2m1 | Element::E2m3 | Element::E3m2 => self.at_least(10, 0),
            _ => false,
        }
    }

    const fn at_least(self, major: u32, minor: u32) -> bool {
        let (a, b) = self.compute_capability();
        a > major || (a == major && b >= minor)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no target's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown target '{name}'; targets are {}", names())]
pub struct UnknownTarget {
    /// What was given.
    pub name: String,
}

fn names() -> String {
    ALL.map(Target::name).join(", ")
}

impl FromStr for Target {
    type Err = UnknownTarget;

    fn from_str(name: &str) -> Result<Self, UnknownTarget> {
        ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| UnknownTarget { name: name.into() })
    }
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
        let text = "sm_90".parse::<Target>().unwrap_err().to_string();
        assert_eq!(
            text,
            "unknown target 'sm_90'; targets are sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_103a, sm_120a"
        );
    }

    #[test]
    fn names_say_the_compute_capability() {
        for t in Target::all() {
            let (major, minor) = t.compute_capability();
            assert_eq!(t.name().trim_end_matches('a'), format!("sm_{major}{minor}"));
        }
    }

    #[test]
    fn each_generation_has_its_matrix_unit() {
        let with = |has: fn(Target) -> bool| -> Vec<_> {
            Target::all().iter().filter(|t| has(**t)).map(|t| t.name()).collect()
        };
        assert_eq!(with(Target::has_wgmma), ["sm_90a"]);
        assert_eq!(with(Target::has_tcgen05), ["sm_100a", "sm_103a"]);
        assert_eq!(with(Target::has_tma), ["sm_90a", "sm_100a", "sm_103a", "sm_120a"]);
        assert_eq!(with(Target::has_cp_async).len(), Target::all().len());
    }

    #[test]
    fn a_gpu_gets_its_own_target_or_the_latest_that_is_for_all() {
        for t in Target::all() {
            assert_eq!(Target::for_capability(t.compute_capability()), Some(*t));
        }
        let of = |major, minor| Target::for_capability((major, minor)).map(Target::name);
        assert_eq!([of(8, 7), of(11, 0), of(12, 1)], [Some("sm_86"), Some("sm_89"), Some("sm_89")]);
        assert_eq!([of(7, 5), of(0, 0)], [None, None]);
        assert!(!Target::Sm90a.runs_on((10, 0)) && Target::Sm80.runs_on((10, 0)));
    }

    #[test]
    fn shared_memory_is_in_bytes() {
        assert_eq!(Target::Sm90a.max_dynamic_shared_memory(), 232_448);
        assert_eq!(Target::Sm86.max_dynamic_shared_memory(), 101_376);
        assert!(Target::all().iter().all(|t| t.max_static_shared_memory() == 49_152));
    }
}
