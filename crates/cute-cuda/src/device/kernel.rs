//! The facts of a kernel that decide how many of its blocks a device holds, and the attributes that
//! programs read and set.

use cute_arch::{
    Feature, Target, WARP,
    launch::{Compiled, Extents},
    volume,
};

use super::Device;
use crate::error::{Error, Result};

/// The facts of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelFacts {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of static shared memory of a block.
    pub static_shared: u32,
    /// Bytes of constant memory of its module.
    pub constant: u32,
    /// Bytes of local memory of a thread.
    pub local: u32,
    /// Threads of a block, if it was compiled for a shape (`.reqntid`).
    pub block: Option<[u32; 3]>,
    /// The most threads of a block, if it was compiled for them (`.maxntid`).
    pub max_threads: Option<u32>,
    /// Blocks of a cluster, if it was compiled for a shape (`.reqnctapercluster`).
    pub cluster: Option<[u32; 3]>,
    /// Whether a launch must say the shape of clusters (`.explicitcluster`).
    pub explicit_cluster: bool,
    /// The compute capability that its PTX names, major and minor.
    pub ptx: (u32, u32),
    /// The attributes that the program has set.
    pub(crate) settings: Settings,
}

/// The attributes of a kernel that a program sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The most bytes of dynamic shared memory of a block, if it was set.
    pub max_dynamic_shared: Option<u32>,
    /// The percentage of the memory of a multiprocessor that is to be shared memory; -1 for none.
    /// It has no effect.
    pub carveout: i32,
    /// Whether a launch must say the shape of clusters.
    pub explicit_cluster: bool,
    /// Blocks of a cluster in x, y and z; 0 for an extent that was not set.
    pub cluster: [u32; 3],
    /// Whether clusters may be larger than all devices with clusters support.
    pub non_portable_cluster: bool,
    /// How the blocks of a cluster are spread over multiprocessors. It has no effect.
    pub cluster_policy: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_dynamic_shared: None,
            carveout: -1,
            explicit_cluster: false,
            cluster: [0; 3],
            non_portable_cluster: false,
            cluster_policy: 0,
        }
    }
}

/// The shape of a launch, of which only the blocks count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Threads of a block.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory of a block.
    pub dynamic_shared: u64,
    /// Blocks of a cluster, if the launch gives them.
    pub cluster: Option<[u32; 3]>,
}

/// A launch or a kernel without clusters has clusters of one block.
fn blocks(cluster: [u32; 3]) -> u64 {
    volume(cluster).unsigned_abs()
}

impl KernelFacts {
    /// The most threads of a block: those that it was compiled for, and for which the registers of
    /// a multiprocessor suffice.
    pub fn max_block_threads(&self, device: &Device) -> u32 {
        let target = device.target;
        // A block of one warp shows how many warps there are registers for.
        let warp = Extents { grid: [1; 3], block: [WARP, 1, 1], cluster: None, shared_memory: 0 };
        let warps = target.occupancy(&warp, &self.compiled()).registers.unwrap_or(u64::MAX);
        let of_registers = u32::try_from(warps.saturating_mul(WARP.into())).unwrap_or(u32::MAX);
        let own = self.block.map(|block| u32::try_from(volume(block)).unwrap_or(u32::MAX));
        let own = own.or(self.max_threads).unwrap_or(u32::MAX);
        target.max_threads_per_block().min(own).min(of_registers)
    }

    /// The most bytes of dynamic shared memory of a block: what the program has set, or else what
    /// the static memory leaves of the memory that needs no opting in.
    pub fn max_dynamic_shared(&self, device: &Device) -> u32 {
        let portable = device.target.max_static_shared_memory();
        self.settings.max_dynamic_shared.unwrap_or(portable.saturating_sub(self.static_shared))
    }

    /// The shape of clusters that every launch has: compiled in, or set.
    pub fn required_cluster(&self) -> Option<[u32; 3]> {
        let set = Some(self.settings.cluster).filter(|cluster| *cluster != [0; 3]);
        self.cluster.or(set)
    }

    fn compiled(&self) -> Compiled {
        Compiled { registers: Some(self.registers), ..Compiled::default() }
    }

    /// The number of blocks of this many threads that a multiprocessor holds at once; 0 if not even
    /// one can be launched.
    pub fn blocks_per_multiprocessor(&self, device: &Device, threads: u32, dynamic_shared: u64) -> u64 {
        let is_over = threads > self.max_block_threads(device)
            || dynamic_shared > self.max_dynamic_shared(device).into();
        if is_over {
            return 0;
        }
        let shared_memory = u64::from(self.static_shared) + dynamic_shared;
        let launch = Extents { grid: [1; 3], block: [threads, 1, 1], cluster: None, shared_memory };
        device.target.occupancy(&launch, &self.compiled()).blocks()
    }

    /// The most bytes of dynamic shared memory with which a multiprocessor still holds this number
    /// of blocks. The calculator of CUDA (`cuda_occupancy.h`) leaves out the memory that the system
    /// takes for each block, so that one block fewer fits with its result.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] if it never holds so many.
    pub fn available_dynamic_shared(&self, device: &Device, blocks: u64, threads: u32) -> Result<u64> {
        if blocks == 0 || self.blocks_per_multiprocessor(device, threads, 0) < blocks {
            return Err(Error::INVALID_VALUE);
        }
        let left = device.target.shared_memory_of_blocks(blocks).saturating_sub(self.static_shared.into());
        Ok(left.min(self.max_dynamic_shared(device).into()))
    }

    /// The size of blocks that keeps most threads on the device, and the number of blocks that fill
    /// it, given the dynamic shared memory for each size. No size is larger than the limit, unless
    /// that is 0.
    pub fn potential_block(
        &self,
        device: &Device,
        limit: u32,
        dynamic_shared: impl Fn(u32) -> u64,
    ) -> (u64, u32) {
        let most = self.max_block_threads(device);
        let most = if limit == 0 { most } else { most.min(limit) };
        // Whole warps, and the limit itself. The largest of several sizes is best.
        let sizes = (1..=most.div_ceil(WARP)).rev().map(|warps| (warps * WARP).min(most));
        let each = |threads| self.blocks_per_multiprocessor(device, threads, dynamic_shared(threads));
        let best = sizes.map(|threads| (each(threads), threads)).reduce(|best, next| {
            let kept = |(blocks, threads): (u64, u32)| blocks * u64::from(threads);
            if kept(next) > kept(best) { next } else { best }
        });
        match best {
            Some((blocks, threads)) if blocks > 0 => (blocks * u64::from(device.multiprocessors), threads),
            _ => (0, 0),
        }
    }

    /// The number of clusters of this launch that the device holds at once.
    ///
    /// # Errors
    /// [`Error::INVALID_CLUSTER_SIZE`] if the launch and the kernel give no shape of clusters, or
    /// different ones, or one that the device does not have.
    pub(crate) fn active_clusters(&self, device: &Device, shape: &Shape) -> Result<u64> {
        let required = self.required_cluster();
        let cluster = match (shape.cluster, required) {
            (Some(own), Some(required)) if own != required => return Err(Error::INVALID_CLUSTER_SIZE),
            (own, required) => own.or(required).ok_or(Error::INVALID_CLUSTER_SIZE)?,
        };
        let size = blocks(cluster);
        if size == 0 || size > self.largest_cluster(device) {
            return Err(Error::INVALID_CLUSTER_SIZE);
        }
        Ok(device.clusters(size, self.blocks_of(device, shape)))
    }

    /// The number of blocks of this launch, without clusters, that the device holds at once.
    pub(crate) fn blocks_at_once(&self, device: &Device, shape: &Shape) -> u64 {
        u64::from(device.multiprocessors) * self.blocks_of(device, shape)
    }

    /// The most blocks of a cluster with which the device can run this launch; 1 if it has no
    /// clusters.
    pub(crate) fn potential_cluster(&self, device: &Device, shape: &Shape) -> u64 {
        let each = self.blocks_of(device, shape);
        let mut size = self.largest_cluster(device);
        while size > 1 && device.clusters(size, each) == 0 {
            size /= 2;
        }
        size
    }

    fn blocks_of(&self, device: &Device, shape: &Shape) -> u64 {
        let threads = u32::try_from(volume(shape.block)).unwrap_or(u32::MAX);
        self.blocks_per_multiprocessor(device, threads, shape.dynamic_shared)
    }

    /// The most blocks of a cluster that the device accepts for this kernel.
    fn largest_cluster(&self, device: &Device) -> u64 {
        let most = match self.settings.non_portable_cluster {
            _ if !device.target.has(Feature::Clusters) => 1,
            true => Target::MAX_CLUSTER,
            false => Target::MAX_PORTABLE_CLUSTER,
        };
        most.into()
    }

    /// The value of the attribute with this number in `cudaFuncAttribute` and
    /// `CUfunction_attribute`; `None` if there is no such attribute.
    pub fn attribute(&self, device: &Device, number: i32) -> Option<i32> {
        let own = |(major, minor)| 10 * major + minor;
        let cluster = self.required_cluster().unwrap_or_default();
        let value = match number {
            0 => self.max_block_threads(device),
            1 => self.static_shared,
            2 => self.constant,
            3 => self.local,
            4 => self.registers,
            5 => own(self.ptx),
            // Its PTX is compiled for the device.
            6 => own(device.target.compute_capability()),
            // Whether global accesses are cached in L1 by an option of ptxas.
            7 => 0,
            8 => self.max_dynamic_shared(device),
            9 => return Some(self.settings.carveout),
            10 => u32::from(self.explicit_cluster || self.settings.explicit_cluster),
            11 => cluster[0],
            12 => cluster[1],
            13 => cluster[2],
            14 => u32::from(self.settings.non_portable_cluster),
            15 => return Some(self.settings.cluster_policy),
            _ => return None,
        };
        i32::try_from(value).ok()
    }

    /// The settings after the program has set an attribute.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for an attribute that cannot be set, and for a value that the
    /// device does not allow; [`Error::NOT_PERMITTED`] for the shape of clusters that is compiled
    /// in.
    pub(crate) fn with_attribute(&self, device: &Device, number: i32, value: i32) -> Result<Settings> {
        let mut settings = self.settings;
        let positive = u32::try_from(value).map_err(|_| Error::INVALID_VALUE);
        let flag = match value {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Error::INVALID_VALUE),
        };
        match number {
            8 => {
                let most = device.target.max_dynamic_shared_memory().saturating_sub(self.static_shared);
                settings.max_dynamic_shared =
                    Some(positive?).filter(|value| *value <= most).map(Some).ok_or(Error::INVALID_VALUE)?;
            }
            9 if (-1..=100).contains(&value) => settings.carveout = value,
            10 => settings.explicit_cluster = flag?,
            11..=13 if self.cluster.is_some() => return Err(Error::NOT_PERMITTED),
            11..=13 => settings.cluster[(number - 11) as usize] = positive?,
            14 => settings.non_portable_cluster = flag?,
            15 if (0..=2).contains(&value) => settings.cluster_policy = value,
            _ => return Err(Error::INVALID_VALUE),
        }
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{clusters::with_clusters, known, named};

    fn kernel(registers: u32, static_shared: u32) -> KernelFacts {
        KernelFacts {
            registers,
            static_shared,
            constant: 0,
            local: 0,
            block: None,
            max_threads: None,
            cluster: None,
            explicit_cluster: false,
            ptx: (9, 0),
            settings: Settings::default(),
        }
    }

    fn with_shared(registers: u32, max_dynamic_shared: u32) -> KernelFacts {
        let settings = Settings { max_dynamic_shared: Some(max_dynamic_shared), ..Settings::default() };
        KernelFacts { settings, ..kernel(registers, 0) }
    }

    /// CUDA C++ Best Practices Guide, "Calculating Occupancy": with 37 registers and 128 threads a
    /// multiprocessor of 65,536 registers and 64 warps holds 12 blocks, which is 75 percent; with
    /// blocks of 320 threads it is 63 percent, because 4 blocks fit.
    #[test]
    fn registers_limit_blocks_as_the_best_practices_guide_computes() {
        let h100 = named("h100").unwrap();
        let of = |threads| kernel(37, 0).blocks_per_multiprocessor(&h100, threads, 0);
        assert_eq!([of(128), of(320)], [12, 4]);
    }

    /// Hopper Tuning Guide, "Occupancy": 64 warps, 32 blocks, 228 KB of shared memory of which a
    /// block has up to 227. Ampere Tuning Guide: 164 KB, up to 163; 100 KB and 48 warps on 8.6. Ada
    /// Tuning Guide: 24 blocks.
    #[test]
    fn warps_blocks_and_shared_memory_limit_blocks_as_the_tuning_guides_say() {
        let of = |name, shared: u32, threads| {
            let device = named(name).unwrap();
            with_shared(16, shared).blocks_per_multiprocessor(&device, threads, shared.into())
        };
        assert_eq!([of("h100", 0, 32), of("h100", 0, 1024), of("h100", 0, 96)], [32, 2, 21]);
        assert_eq!([of("h100", 227 << 10, 128), of("h100", 113 << 10, 128)], [1, 2]);
        assert_eq!(
            [of("a100", 163 << 10, 128), of("a100", 81 << 10, 128), of("a100", 40 << 10, 128)],
            [1, 2, 4]
        );
        assert_eq!([of("rtx3090", 0, 32), of("rtx3090", 0, 1024), of("rtx3090", 99 << 10, 128)], [16, 1, 1]);
        assert_eq!([of("rtx4090", 0, 32), of("rtx4090", 0, 512)], [24, 3]);
    }

    /// The results of the calculator in CUDA 13.0 (`cuda_occupancy.h`), for random kernels: device,
    /// registers, static shared memory, threads, dynamic shared memory, blocks. Of 6000 such
    /// kernels all agree.
    #[test]
    fn blocks_are_those_of_the_calculator_of_cuda() {
        let computed = [
            ("a100", 18, 34_149, 289, 0, 4),
            ("a100", 215, 8667, 128, 0, 2),
            ("a100", 12, 0, 960, 47_091, 2),
            ("rtx3090", 6, 0, 512, 44_897, 2),
            ("rtx3090", 76, 27_163, 3, 22_093, 2),
            ("rtx3090", 52, 12_425, 35, 0, 7),
            ("orin", 60, 0, 320, 20_750, 3),
            ("orin", 8, 0, 80, 70_782, 2),
            ("orin", 12, 42_924, 672, 1700, 2),
            ("l40s", 146, 0, 96, 0, 4),
            ("l40s", 205, 0, 9, 0, 8),
            ("l40s", 65, 20_577, 64, 0, 4),
            ("h100", 26, 0, 493, 8275, 4),
            ("h100", 34, 5989, 196, 0, 6),
            ("h100", 92, 11_033, 172, 0, 3),
            ("b200", 35, 23_887, 736, 0, 2),
            ("b200", 115, 22_169, 192, 83_907, 2),
            ("b200", 245, 31_691, 19, 0, 7),
            ("b300", 56, 43_359, 68, 5239, 4),
            ("b300", 2, 14_988, 610, 0, 3),
            ("b300", 134, 14_074, 64, 0, 6),
            ("thor", 224, 39_924, 8, 55_570, 2),
            ("thor", 9, 6271, 352, 45_773, 4),
            ("thor", 30, 4307, 312, 0, 4),
            ("rtx5090", 3, 0, 672, 15_538, 2),
            ("rtx5090", 160, 9505, 170, 0, 2),
            ("rtx5090", 107, 25_145, 192, 0, 2),
            ("gb10", 45, 0, 224, 23_988, 4),
            ("gb10", 111, 44_383, 34, 2905, 2),
            ("gb10", 252, 3780, 64, 0, 4),
        ];
        for (name, registers, fixed, threads, dynamic, blocks) in computed {
            let device = named(name).unwrap();
            let most = device.target.max_dynamic_shared_memory() - fixed;
            let facts = KernelFacts { static_shared: fixed, ..with_shared(registers, most) };
            let own = facts.blocks_per_multiprocessor(&device, threads, dynamic);
            assert_eq!(own, blocks, "{name} {registers} {fixed} {threads} {dynamic}");
        }
    }

    #[test]
    fn a_block_that_cannot_be_launched_has_no_place() {
        let h100 = named("h100").unwrap();
        assert_eq!(kernel(32, 0).blocks_per_multiprocessor(&h100, 1056, 0), 0);
        // 48 KiB without opting in.
        let of = |dynamic| kernel(32, 1024).blocks_per_multiprocessor(&h100, 128, dynamic);
        assert_eq!([of(47 << 10), of((47 << 10) + 1)], [4, 0]);
        let bounded = KernelFacts { max_threads: Some(256), ..kernel(32, 0) };
        assert_eq!([256, 257].map(|n| bounded.blocks_per_multiprocessor(&h100, n, 0)), [8, 0]);
    }

    #[test]
    fn registers_bound_the_threads_of_a_block() {
        let h100 = named("h100").unwrap();
        let of = |registers| kernel(registers, 0).max_block_threads(&h100);
        // 65,536 registers for 1024 threads are 64; for 8 warps, 255.
        assert_eq!([of(32), of(64), of(72), of(128), of(168), of(255)], [1024, 1024, 896, 512, 384, 256]);
    }

    #[test]
    fn available_shared_memory_is_the_most_with_which_the_blocks_fit() {
        let devices = known().iter();
        for (device, registers) in devices.flat_map(|device| [16, 40, 128].map(|n| (device, n))) {
            let facts = with_shared(registers, device.target.max_dynamic_shared_memory());
            for (threads, wanted) in [(32, 1), (64, 3), (128, 2), (256, 4), (256, 1)] {
                let Ok(most) = facts.available_dynamic_shared(device, wanted, threads) else {
                    assert!(facts.blocks_per_multiprocessor(device, threads, 0) < wanted);
                    continue;
                };
                let of = |bytes| facts.blocks_per_multiprocessor(device, threads, bytes);
                assert!(of(most) >= wanted, "{device:?} {threads} {wanted}: {most}");
                assert!(of(most + 1) < wanted, "{device:?} {threads} {wanted}: {most}");
            }
        }
        let h100 = named("h100").unwrap();
        assert_eq!(kernel(32, 0).available_dynamic_shared(&h100, 1, 128), Ok(48 << 10));
        assert_eq!(kernel(32, 0).available_dynamic_shared(&h100, 0, 128), Err(Error::INVALID_VALUE));
        assert_eq!(kernel(32, 0).available_dynamic_shared(&h100, 17, 128), Err(Error::INVALID_VALUE));
    }

    #[test]
    fn the_potential_block_keeps_most_threads_on_the_device() {
        let h100 = named("h100").unwrap();
        let none = |_| 0;
        assert_eq!(kernel(32, 0).potential_block(&h100, 0, none), (264, 1024));
        assert_eq!(kernel(32, 0).potential_block(&h100, 256, none), (132 * 8, 256));
        // Blocks of 100 threads leave 448 places for threads unused, and blocks of 64 none.
        assert_eq!(kernel(32, 0).potential_block(&h100, 100, none), (132 * 32, 64));
        // 1536 threads of an Ada multiprocessor are two blocks of 768.
        assert_eq!(kernel(32, 0).potential_block(&named("rtx4090").unwrap(), 0, none), (256, 768));
        // Shared memory of 128 bytes per thread: 48 KiB for 384 threads.
        let (grid, block) = kernel(32, 0).potential_block(&h100, 0, |threads| u64::from(threads) * 128);
        assert!(block <= 384 && grid.is_multiple_of(132), "{grid} {block}");
        assert_eq!(kernel(32, 0).potential_block(&h100, 0, |_| 1 << 20), (0, 0));
    }

    #[test]
    fn clusters_are_held_by_gpcs() {
        let h100 = named("h100").unwrap();
        let facts = with_shared(128, 227 << 10);
        let shape =
            |blocks| Shape { block: [256, 1, 1], dynamic_shared: 200 << 10, cluster: Some([blocks, 1, 1]) };
        let of = |facts: &KernelFacts, blocks| facts.active_clusters(&h100, &shape(blocks));
        assert_eq!([1, 2, 4, 8].map(|n| of(&facts, n)), [132, 66, 31, 15].map(Ok));
        assert_eq!([16, 0].map(|n| of(&facts, n)), [Err(Error::INVALID_CLUSTER_SIZE); 2]);
        let settings = Settings { non_portable_cluster: true, ..facts.settings };
        let larger = KernelFacts { settings, ..facts.clone() };
        assert_eq!([16, 17].map(|n| of(&larger, n)), [Ok(7), Err(Error::INVALID_CLUSTER_SIZE)]);
        assert_eq!([&facts, &larger].map(|facts| facts.potential_cluster(&h100, &shape(1))), [8, 16]);
        // Two blocks per multiprocessor.
        let small = Shape { dynamic_shared: 0, ..shape(8) };
        assert_eq!(facts.active_clusters(&h100, &small), Ok(31));
    }

    #[test]
    fn the_shape_of_clusters_is_that_of_the_kernel() {
        let h100 = named("h100").unwrap();
        let fixed = KernelFacts { cluster: Some([2, 1, 1]), ..kernel(64, 0) };
        let shape = |cluster| Shape { block: [1024, 1, 1], dynamic_shared: 0, cluster };
        assert_eq!(fixed.active_clusters(&h100, &shape(None)), Ok(66));
        let wrong = [fixed.active_clusters(&h100, &shape(Some([4, 1, 1]))), {
            kernel(64, 0).active_clusters(&h100, &shape(None))
        }];
        assert_eq!(wrong, [Err(Error::INVALID_CLUSTER_SIZE); 2]);
        let a100 = named("a100").unwrap();
        assert_eq!(kernel(64, 0).potential_cluster(&a100, &shape(None)), 1);
    }

    #[test]
    fn larger_clusters_never_hold_more_blocks() {
        for device in with_clusters() {
            let held = [1, 2, 4, 8, 16].map(|blocks| device.clusters(blocks, 1) * blocks);
            assert!(held.is_sorted_by(|a, b| a >= b), "{}: {held:?}", device.name);
        }
    }

    #[test]
    fn attributes_are_set_within_the_limits_of_the_device() {
        let h100 = named("h100").unwrap();
        let facts = kernel(40, 1024);
        let set = |number, value| facts.with_attribute(&h100, number, value);
        let most = 226 << 10;
        assert_eq!(set(8, most).map(|s| s.max_dynamic_shared), Ok(Some(226 << 10)));
        let refused =
            [set(8, most + 1), set(8, -1), set(9, 101), set(14, 2), set(15, 3), set(4, 8), set(16, 0)];
        assert_eq!(refused, [Err(Error::INVALID_VALUE); 7]);
        assert_eq!(set(12, 2).map(|s| s.cluster), Ok([0, 2, 0]));
        let fixed = KernelFacts { cluster: Some([2, 1, 1]), ..facts.clone() };
        assert_eq!(fixed.with_attribute(&h100, 11, 2), Err(Error::NOT_PERMITTED));
        let all: Vec<_> = (-1..=16).map(|number| fixed.attribute(&h100, number)).collect();
        let expected = [1024, 1024, 0, 0, 40, 90, 90, 0, 47 << 10, -1, 0, 2, 1, 1, 0, 0];
        assert_eq!(all[1..17], expected.map(Some));
        assert_eq!([all[0], all[17]], [None; 2]);
    }
}
