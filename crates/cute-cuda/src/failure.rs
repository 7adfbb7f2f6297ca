//! The errors of CUDA by which a device refuses a launch, or ends one.

use cute_arch::{
    Target,
    launch::{Compiled, Extents},
    volume,
};
use cute_launch::{
    error::Error as LaunchError,
    launch::{Shape, limits, misfit, preferred},
};
use cute_manifest::Kernel;
use cute_sim::{Finding, FindingKind, TensorRule};

use crate::{
    device::{
        Device,
        kernel::{self, KernelFacts, Settings},
    },
    error::Error,
};

/// A launch that the device refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The error that the launch returns.
    pub error: Error,
    /// The limit that it exceeds.
    pub why: String,
}

/// Why a device refuses a launch, if it does.
pub fn refusal(kernel: &Kernel, shape: &Shape, facts: &KernelFacts, device: &Device) -> Option<Refusal> {
    let refuse = |error, why| Some(Refusal { error, why });
    if let Some(why) = misfit(kernel, shape, device.target) {
        return refuse(of_misfit(kernel, shape, device.target), why);
    }
    if let Some(why) = preferred(kernel, shape).or_else(|| not_portable(kernel, shape, &facts.settings)) {
        return refuse(Error::INVALID_CLUSTER_SIZE, why);
    }
    let why = apart(shape, facts, device)?;
    refuse(Error::COOPERATIVE_LAUNCH_TOO_LARGE, why)
}

/// The error for a launch that does not fit: that of the first part which does not.
fn of_misfit(kernel: &Kernel, shape: &Shape, target: Target) -> Error {
    let (extents, compiled) = limits(kernel, shape);
    let threads = Extents { shared_memory: 0, cluster: None, ..extents };
    let is_empty = shape.grid.contains(&0) || shape.block.contains(&0);
    if is_empty || target.misfit(&threads, &Compiled { cluster: None, ..compiled }).is_some() {
        Error::INVALID_CONFIGURATION
    } else if target.shared_memory_misfit(extents.shared_memory).is_some() {
        Error::INVALID_VALUE
    } else {
        Error::INVALID_CLUSTER_SIZE
    }
}

/// A cluster that not every device with clusters supports, without leave of the program.
fn not_portable(kernel: &Kernel, shape: &Shape, settings: &Settings) -> Option<String> {
    let compiled = kernel.cluster.map(|cluster| cluster.map(|n| n.max(1) as u32));
    let cluster = shape.cluster.or(compiled)?;
    let (blocks, most) = (volume(cluster), Target::MAX_PORTABLE_CLUSTER);
    (blocks > most.into() && !settings.non_portable_cluster).then(|| {
        format!(
            "its cluster {cluster:?} has {blocks} blocks, of which at most {most} are allowed; cudaFuncSetAttribute with \
             cudaFuncAttributeNonPortableClusterSizeAllowed allows more"
        )
    })
}

/// A cooperative launch whose blocks the device does not hold at once.
fn apart(shape: &Shape, facts: &KernelFacts, device: &Device) -> Option<String> {
    if !shape.cooperative {
        return None;
    }
    let own = kernel::Shape {
        block: shape.block,
        dynamic_shared: shape.shared_memory.into(),
        cluster: shape.cluster,
    };
    let all = match shape.cluster.or(facts.required_cluster()) {
        Some(cluster) => facts.active_clusters(device, &own).unwrap_or(0) * volume(cluster).unsigned_abs(),
        None => facts.blocks_at_once(device, &own),
    };
    let blocks = volume(shape.grid).unsigned_abs();
    (blocks > all).then(|| {
        format!(
            "it is cooperative with {blocks} blocks, but {} holds {all} of them at once; \
             cudaOccupancyMaxActiveBlocksPerMultiprocessor tells how many a multiprocessor holds",
            device.title
        )
    })
}

/// The error for a launch that the simulator cannot begin although the device would accept it, or
/// that it refuses for the registers of its kernel.
pub fn refused(why: &LaunchError) -> Error {
    match why {
        LaunchError::Simulator(why) => match **why {
            cute_sim::Error::Launch { .. } => Error::LAUNCH_OUT_OF_RESOURCES,
            cute_sim::Error::NoKernel(_) => Error::INVALID_DEVICE_FUNCTION,
            _ => Error::NOT_SUPPORTED,
        },
        LaunchError::NoMemory { .. } | LaunchError::Room { .. } => Error::OUT_OF_MEMORY,
        _ => Error::INVALID_CONFIGURATION,
    }
}

/// The error by which a device ends a kernel with this finding. For mistakes that a device does not
/// notice it is the one without a known reason.
pub fn failure(finding: &Finding) -> Error {
    of_kind(&finding.kind)
}

fn of_kind(kind: &FindingKind) -> Error {
    match kind {
        FindingKind::Unmapped { .. } | FindingKind::OutOfBounds { .. } | FindingKind::ReadOnly { .. } => {
            Error::ILLEGAL_ADDRESS
        }
        FindingKind::WrongSpace { .. } => Error::INVALID_ADDRESS_SPACE,
        FindingKind::Misaligned { .. } => Error::MISALIGNED_ADDRESS,
        FindingKind::InvalidTarget { .. } => Error::INVALID_PC,
        FindingKind::Unmodelled { .. } | FindingKind::TensorMap { .. } | FindingKind::Barrier { .. } => {
            Error::ILLEGAL_INSTRUCTION
        }
        FindingKind::Trap { asserts: true, .. } => Error::ASSERT,
        FindingKind::Tensor { rule } if matches!(**rule, TensorRule::Leak { .. }) => {
            Error::TENSOR_MEMORY_LEAK
        }
        FindingKind::ElectedLane { what, .. } => of_kind(what),
        _ => Error::LAUNCH_FAILED,
    }
}

#[cfg(test)]
mod tests {
    use cute_manifest::SharedMemory;

    use super::*;
    use crate::device::named;

    fn kernel() -> Kernel {
        Kernel {
            name: "k".into(),
            arguments: Vec::new(),
            parameters: Vec::new(),
            shared_memory: SharedMemory { r#static: 0, dynamic: true, dynamic_size: None, parts: Vec::new() },
            block: None,
            max_block: None,
            cluster: None,
            grid_of_clusters: false,
            expected: cute_manifest::Expected::default(),
        }
    }

    fn shape(grid: u32, block: u32) -> Shape {
        Shape {
            kernel: "k".into(),
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_memory: 0,
            cluster: None,
            preferred_cluster: None,
            cooperative: false,
            programmatic: false,
            queued: None,
        }
    }

    fn of(kernel: &Kernel, shape: &Shape, settings: &Settings) -> Option<Error> {
        let h100 = named("h100").unwrap();
        let usage = crate::registers::Usage { registers: 32, ..Default::default() };
        let facts = KernelFacts { settings: *settings, ..KernelFacts::new(kernel, &usage, Target::Sm90a, 0) };
        refusal(kernel, shape, &facts, &h100).map(|refusal| refusal.error)
    }

    #[test]
    fn each_part_of_a_launch_has_its_error() {
        let (plain, settings) = (kernel(), Settings::default());
        let of = |kernel: &Kernel, shape: Shape| of(kernel, &shape, &settings);
        assert_eq!(of(&plain, shape(1, 1024)), None);
        for (grid, block) in [(1, 1025), (0, 32), (1, 0)] {
            assert_eq!(of(&plain, shape(grid, block)), Some(Error::INVALID_CONFIGURATION), "{grid} {block}");
        }
        let deep = Shape { block: [1, 1, 65], ..shape(1, 1) };
        assert_eq!(of(&plain, deep), Some(Error::INVALID_CONFIGURATION));
        let bounded = Kernel { max_block: Some([128, 1, 1]), ..kernel() };
        assert_eq!(of(&bounded, shape(1, 128)), None);
        assert_eq!(of(&bounded, shape(1, 129)), Some(Error::INVALID_CONFIGURATION));
        let shared = |bytes| Shape { shared_memory: bytes, ..shape(1, 32) };
        assert_eq!(
            [shared(227 << 10), shared((227 << 10) + 1)].map(|shape| of(&plain, shape)),
            [None, Some(Error::INVALID_VALUE)]
        );
        let cluster = |blocks| Shape { cluster: Some([blocks, 1, 1]), ..shape(48, 32) };
        assert_eq!([1, 2, 8].map(|blocks| of(&plain, cluster(blocks))), [None; 3]);
        for blocks in [5, 16, 24] {
            assert_eq!(of(&plain, cluster(blocks)), Some(Error::INVALID_CLUSTER_SIZE), "{blocks}");
        }
        let compiled = Kernel { cluster: Some([2, 1, 1]), ..kernel() };
        assert_eq!(
            [2, 3].map(|grid| of(&compiled, shape(grid, 32))),
            [None, Some(Error::INVALID_CLUSTER_SIZE)]
        );
        let preferred = Shape { preferred_cluster: Some([3, 1, 1]), ..cluster(2) };
        assert_eq!(of(&plain, preferred), Some(Error::INVALID_CLUSTER_SIZE));
    }

    #[test]
    fn a_program_allows_large_clusters() {
        let large = Shape { cluster: Some([16, 1, 1]), ..shape(32, 32) };
        let settings = Settings { non_portable_cluster: true, ..Settings::default() };
        assert_eq!(of(&kernel(), &large, &settings), None);
    }

    /// 132 multiprocessors hold 2 blocks of 1024 threads each, and 66 pairs of blocks of 1024
    /// threads in clusters of 2 twice.
    #[test]
    fn the_blocks_of_a_cooperative_launch_are_resident_at_once() {
        let of = |shape: Shape| of(&kernel(), &shape, &Settings::default());
        let too_large = Some(Error::COOPERATIVE_LAUNCH_TOO_LARGE);
        let all = |grid| Shape { cooperative: true, ..shape(grid, 1024) };
        assert_eq!([all(264), all(265), shape(265, 1024)].map(of), [None, too_large, None]);
        let pairs = |grid| Shape { cluster: Some([2, 1, 1]), ..all(grid) };
        assert_eq!([pairs(264), pairs(266)].map(of), [None, too_large]);
    }

    #[test]
    fn findings_end_a_kernel_as_on_a_device() {
        let trap = |asserts| FindingKind::Trap { text: None, asserts };
        let all = [
            (FindingKind::Unmapped { address: 0 }, 700),
            (FindingKind::WrongSpace { address: 0, expected: 3 }, 717),
            (trap(true), 710),
            (trap(false), 719),
            (FindingKind::Unmodelled { what: "x".into() }, 715),
            (FindingKind::InvalidTarget { what: "x".into() }, 718),
            (FindingKind::Barrier { id: 16, threads: 32 }, 715),
            (FindingKind::Tensor { rule: Box::new(TensorRule::Leak { column: 0, columns: 32 }) }, 721),
            (FindingKind::CallDepth { limit: 1 }, 719),
        ];
        for (kind, number) in all {
            assert_eq!(of_kind(&kind), Error(number), "{kind:?}");
            assert!(of_kind(&kind).is_sticky(), "{kind:?}");
        }
    }

    #[test]
    fn a_simulator_without_a_model_says_so() {
        let of = |why: cute_sim::Error| refused(&LaunchError::Simulator(Box::new(why)));
        let registers = cute_sim::Error::Launch { kernel: "k".into(), what: "..".into() };
        assert_eq!(of(registers), Error::LAUNCH_OUT_OF_RESOURCES);
        assert_eq!(refused(&LaunchError::NoMemory { bytes: 1 }), Error::OUT_OF_MEMORY);
    }
}
