//! Rules that kernels break without harm on devices, each with the two facts that decide how the
//! simulator grades a violation: which widely used library relies on it, and which devices have
//! been seen to fail. Every other finding is an error.

use super::grade::Grade;
use super::{CopyRole, FindingKind, ProxyRule, SwizzleRule, TensorRule, WgmmaRule};
use serde::Serialize;
use std::fmt;

/// A rule of the instruction set, and what is known about kernels that break it.
///
/// | grade | forbidden | a widely used library relies on it | seen to fail |
/// |---|---|---|---|
/// | error | yes | no | or yes |
/// | portability | yes | yes | no, or disputed |
/// | note | by the text, but generated code cannot show it, or the text leaves this case open | yes | no |
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The rule's name in docs/simulator.md, such as `X1`.
    pub id: &'static str,
    /// The case that the row is about, in words.
    pub case: &'static str,
    /// The section of the PTX ISA.
    pub section: &'static str,
    /// The widely used libraries that break it, with the file.
    pub relied_on: &'static str,
    /// The reports of failures, with the device; empty if there are none.
    pub seen_to_fail: &'static str,
    /// The severity of a violation.
    pub grade: Grade,
}

macro_rules! rules {
    ($($name:ident: $id:literal, $case:literal, $section:literal, $relied_on:literal, $seen:literal, $grade:ident;)*) => {
        $(
            #[doc = $case]
            pub(crate) const $name: &Rule = &Rule {
                id: $id,
                case: $case,
                section: $section,
                relied_on: $relied_on,
                seen_to_fail: $seen,
                grade: Grade::$grade,
            };
        )*
        /// All rows, in the order of the page.
        pub const RULES: &[&Rule] = &[$($name),*];
    };
}

// A cell is a literal, so that the table reads as one.
rules! {
    PHASE_MISSED_BY_LANES: "M8", "lanes of a warp wait for a phase together, and one of them goes on to end the next phase without meeting the others",
        "mbarrier.test_wait", "CUTLASS (producer warps whose elected lane is known before they wait; pull request 3654 adds the `__syncwarp()`)", "", Portability;
    FENCE_BY_ANOTHER: "X1", "the `fence.proxy.async` between a generic write and a read by the async proxy is executed by another thread than the writer",
        "Async proxy", "ThunderKittens (include/ops/thread/memory/tile/tma.cuh: the storing lane fences for its warp), Triton (its fence follows the barrier)", "", Portability;
    COPY_UNFENCED: "X2", "no `fence.proxy.async` between the writes of `cp.async` and a read by the async proxy",
        "Async proxy", "CUTLASS (sm90_mma_multistage_gmma_ss_warpspecialized.hpp)", "", Note;
    READ_UNFENCED: "X4", "no `fence.proxy.async` between a generic read and a write by the async proxy that a barrier orders after it",
        "Async proxy", "CUTLASS (sm120_mma_tma.hpp, sm90_mma_tma_gmma_rs_warpspecialized.hpp)", "DeepEP on GB200, cured by the fence (deepseek-ai/DeepEP pull request 642); disputed: kernels of CUTLASS have not been seen to fail", Portability;
    STORE_UNREAD: "X6", "a block returns before its bulk stores have read its shared memory",
        "cp.async.bulk.wait_group", "CUTLASS (epilogues of sm_90 that end with their last store)", "", Note;
    ALLOCATION_UNFENCED: "X11", "no `fence.proxy.async` between `tcgen05.alloc` and a write by the async proxy over its address",
        "tcgen05.alloc", "Triton (tensor memory's address shares bytes with the first tile)", "", Note;
    FRAGMENT_CHANGED: "W3", "registers of A change between a `wgmma` of PTX and the wait for its group",
        "wgmma.wait_group", "DeepGEMM (sm90_tf32_hc_prenorm_gemm.cuh)", "that kernel on H200 (deepseek-ai/DeepGEMM issue 449); disputed: nvcc and ptxas often copy the registers", Portability;
    VALUE_OF_A_CHANGED: "W3", "values of A change between a `wgmma` of IR and the wait for its group",
        "wgmma.wait_group", "loops that LLVM unrolls, whose iterations have registers of their own", "", Note;
    MAP_UNSWIZZLED: "S1", "a descriptor has a swizzle, and the tensor map that loaded the bytes has none",
        "tcgen05: Shared memory descriptor", "kernels whose tensors are swizzled in global memory", "", Note;
    TENSOR_UNFENCED: "T6", "no `tcgen05.fence` beside a synchronisation that orders memory",
        "tcgen05.fence", "CuTe DSL (kernels of its examples); the fences become no instructions", "", Note;
    PEER_MAY_NOT_RUN: "T9", "a pair allocates tensor memory before a block knows that its peer runs",
        "tcgen05.alloc", "CUTLASS (CuTe tutorial blackwell/04_mma_tma_2sm_sm100.cu; pull request 3316 repairs it)", "", Portability;
    OFFSET_AS_GENERIC: "T7", "`tcgen05.commit` without a state space gets an offset in shared memory",
        "tcgen05.commit", "ThunderKittens (include/ops/thread/mma/tcgen05.cuh)", "", Portability;
    GENERIC_ADDRESS: "T9", "`tcgen05.alloc` gets a generic address where it says `.shared::cta`",
        "tcgen05.alloc", "ThunderKittens (include/types/tensor/tensor.cuh)", "", Portability;
    LOAD_UNWAITED: "T4", "columns are overwritten or freed behind uses of all that was loaded from them, without `tcgen05.wait::ld`",
        "tcgen05.wait", "CUTLASS (examples/72a_blackwell_nvfp4_bf16_gemm; CuTe tutorials blackwell/01 to 05)", "", Portability;
    WARPS_RETURNED: "T9", "columns are overwritten or freed behind a barrier of the cluster, and threads that know of their last use have returned instead of arriving",
        "barrier.cluster", "ThunderKittens (kernels/gemm/educational_b200/level_09.cu)", "", Portability;
    LANES_OF_ANOTHER: "T11", "the address of a `tcgen05.ld` or `.st` names lanes of another warp",
        "tcgen05.ld", "DeepGEMM (all kernels for sm_100 name lane 0), FlashMLA; only builds with -G check it (deepseek-ai/DeepGEMM pull request 341)", "", Portability;
    LANE_ASSUMED: "L1", "a kernel assumes which lane of its mask `elect.sync` elects",
        "elect.sync", "CUTLASS (sm90_gemm_tma_warpspecialized_pingpong.hpp: its leader is thread 0 of a warpgroup), FlashAttention 3, FlashInfer, DeepGEMM", "", Portability;
    LANES_RETURNED: "L2", "`bar.warp.sync` with lanes in its mask that have returned",
        "bar.warp.sync", "code of nvcc: CUDA C++ lets `__syncwarp()` name them", "", Portability;
    VALUE_UNUSED: "R1", "a weak load races with a store of its size, and nothing uses the value",
        "Memory Consistency Model: Data races", "Triton (where a tensor has fewer elements than threads, the other threads load copies of them and do not use these)", "", Note;
    VALUE_COMPARED: "R1", "a weak load races with an atomic operation on its bytes, and its value is the one that an `atom.cas` there expects",
        "Memory Consistency Model: Data races", "CUDA C++ Programming Guide (atomicAdd of doubles by atomicCAS), cuda_bf16.hpp and cuda_fp16.hpp (atomicAdd of pairs before sm_90)", "", Note;
    SUM_ROUNDED: "R2", "threads store one sum in the same bytes by one instruction, which the lanes of each warp computed by a butterfly of shuffles and rounded in different ways; or lanes of one instruction store floats that they computed by shuffles, and that differ by at most 4 units in the last place",
        "Memory Consistency Model: Data races", "Triton (`tl.sum` of products: the first sum is contracted to an fma, which rounds one of the two products)", "", Portability;
    SAME_VALUE: "R2", "threads of two blocks store the same value in the same bytes, and nothing orders the stores",
        "Memory Consistency Model: Data races", "kernels whose blocks set one flag, or compute one element alike", "", Note;
    LAUNCH_UNSEEN: "C7", "a launch that begins early reads, without `griddepcontrol.wait`, what a launch wrote that the one between them has waited for",
        "griddepcontrol", "CUTLASS (examples/63_hopper_gemm_with_weight_prefetch: weights are loaded before the wait, whichever launch wrote them)", "", Portability;
    REGISTERS_APART: "C5", "`setmaxnreg` by a part of a warpgroup, such as an elected thread",
        "setmaxnreg", "DeepGEMM (sm90_tf32_hc_prenorm_gemm.cuh)", "", Portability;
    REGISTERS_UNBOUNDED: "C6", "`setmaxnreg` in a kernel whose registers at launch are not bounded",
        "setmaxnreg", "none is needed: ptxas ignores the instruction (C7508)", "", Note;
}

impl fmt::Display for Rule {
    /// The facts, as a report has them below the finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rule { id, section, relied_on, seen_to_fail, .. } = self;
        let seen = if seen_to_fail.is_empty() { "none known" } else { seen_to_fail };
        write!(f, "rule {id} (PTX ISA, {section}); relied on by: {relied_on}; failures: {seen}")
    }
}

impl FindingKind {
    /// The row of the table that the finding is about, if it has one.
    pub fn rule(&self) -> Option<&'static Rule> {
        Some(match self {
            Self::MissedPhase { within_warp: true, .. } => PHASE_MISSED_BY_LANES,
            Self::ProxyOrder { rule: ProxyRule::OwnFence, .. } => FENCE_BY_ANOTHER,
            Self::ProxyOrder { rule: ProxyRule::Copy, .. } => COPY_UNFENCED,
            Self::ProxyOrder { rule: ProxyRule::Read, .. } => READ_UNFENCED,
            Self::ProxyOrder { rule: ProxyRule::Allocation, .. } => ALLOCATION_UNFENCED,
            Self::Unfinished { role: CopyRole::Source } => STORE_UNREAD,
            Self::Wgmma { rule: WgmmaRule::Fragment { is_ptx: true, .. } } => FRAGMENT_CHANGED,
            Self::Wgmma { rule: WgmmaRule::Fragment { is_ptx: false, .. } } => VALUE_OF_A_CHANGED,
            Self::Tensor { rule } if matches!(**rule, TensorRule::PeerMayNotRun { .. }) => PEER_MAY_NOT_RUN,
            Self::Tensor { rule } if matches!(**rule, TensorRule::Unwaited { .. }) => LOAD_UNWAITED,
            Self::Tensor { rule } if matches!(**rule, TensorRule::Returned { .. }) => WARPS_RETURNED,
            Self::Tensor { rule } if matches!(**rule, TensorRule::LanesOfAnother { .. }) => LANES_OF_ANOTHER,
            Self::Tensor { rule } if matches!(**rule, TensorRule::GenericAddress { .. }) => GENERIC_ADDRESS,
            Self::Tensor { rule } if matches!(**rule, TensorRule::OffsetAsGeneric { .. }) => {
                OFFSET_AS_GENERIC
            }
            Self::Swizzle { rule } if matches!(**rule, SwizzleRule::Descriptor { swizzled: false, .. }) => {
                MAP_UNSWIZZLED
            }
            Self::TensorOrder { .. } => TENSOR_UNFENCED,
            Self::ElectedLane { .. } => LANE_ASSUMED,
            Self::ReturnedLanes { .. } => LANES_RETURNED,
            Self::RaceRounded { .. } => SUM_ROUNDED,
            Self::RaceUnused { .. } => VALUE_UNUSED,
            Self::RaceCompared { .. } => VALUE_COMPARED,
            Self::SameValue { .. } => SAME_VALUE,
            Self::Race { other, .. } if other.is_of_ended_launch() => LAUNCH_UNSEEN,
            Self::RegistersApart { .. } => REGISTERS_APART,
            Self::UnboundedRegisters => REGISTERS_UNBOUNDED,
            _ => return None,
        })
    }

    /// The severity by the table: an error, if it has no row.
    pub fn grade(&self) -> Grade {
        self.rule().map_or(Grade::Error, |rule| rule.grade)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grade_follows_from_the_two_facts() {
        for Rule { id, case, section, relied_on, seen_to_fail, grade } in RULES {
            assert!(!id.is_empty() && !case.is_empty() && !section.is_empty(), "{id}");
            // Without a library that relies on it, a violation is an error, and needs no row.
            assert!(*grade != Grade::Error && !relied_on.is_empty(), "{id}: {case}");
            // Nor does one need a row that is known to fail beyond dispute.
            assert!(seen_to_fail.is_empty() || seen_to_fail.contains("; disputed: "), "{id}: {case}");
        }
    }

    #[test]
    fn each_case_has_one_row() {
        for (i, rule) in RULES.iter().enumerate() {
            assert!(RULES[..i].iter().all(|other| other.case != rule.case), "{}: {}", rule.id, rule.case);
        }
    }
}
