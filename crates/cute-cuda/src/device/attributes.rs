//! The attributes of a device, by the numbers that the runtime and the driver share.
//!
//! Attributes that depend on the device or its architecture are computed from it. The rest is the
//! same on all GPUs from Ampere on (for textures and surfaces: Guide, "Technical Specifications per
//! Compute Capability"), or says what the simulator can do. Features that it lacks are said to be
//! missing, so that programs take the way that they have for devices without them.

use cute_arch::{Feature, Target, WARP};

use super::{Device, Kind};

/// The largest number of an attribute in CUDA 13.
pub const LAST: i32 = 147;

/// The most bytes that one access policy window may have, as all devices from Ampere on show it.
const MAX_WINDOW: u32 = 128 << 20;

/// The vendor number of NVIDIA among PCI devices.
const NVIDIA: u32 = 0x10de;

impl Device {
    /// The value of the attribute with this number, in CUDA's unit; `None` if there is no such
    /// attribute.
    ///
    /// ```
    /// let h100 = cute_cuda::device::named("h100").unwrap();
    /// assert_eq!([16, 75, 76, 97].map(|number| h100.attribute(number)), [132, 9, 0, 232_448].map(Some));
    /// assert_eq!([0, 148].map(|number| h100.attribute(number)), [None; 2]);
    /// ```
    pub fn attribute(&self, number: i32) -> Option<i32> {
        let target = self.target;
        let ([block_x, block_y, block_z], [grid_x, grid_y, grid_z]) = (target.max_block(), target.max_grid());
        let (major, minor) = target.compute_capability();
        let value = match number {
            1 => target.max_threads_per_block(),
            2 => block_x,
            3 => block_y,
            4 => block_z,
            5 => grid_x,
            6 => grid_y,
            7 => grid_z,
            8 => target.max_static_shared_memory(),
            9 => Target::MAX_CONSTANT_MEMORY as u32,
            10 => WARP,
            // The pitch of a copy.
            11 => i32::MAX as u32,
            12 | 82 => target.registers_per_multiprocessor(),
            13 => self.clock,
            // Textures: alignment.
            14 => 512,
            // Copies overlap with kernels.
            15 => 1,
            16 => self.multiprocessors,
            // A time limit for kernels.
            17 => 0,
            18 => u32::from(self.kind == Kind::Integrated),
            // The memory of the host can be mapped.
            19 => 1,
            // The compute mode: any number of threads may use the device.
            20 => 0,
            // Textures and surfaces: extents and layers.
            21 | 22 | 56 | 70 => 131_072,
            23 | 57 => 65_536,
            24..=26 | 58..=60 => 16_384,
            27 | 28 | 42 | 45 | 46 | 49 | 52 | 53 | 55 | 61 | 63 | 64 | 66 | 67 | 73 | 74 | 77 => 32_768,
            29 | 43 | 62 | 65 => 2048,
            54 | 68 => 2046,
            47 | 48 => 8192,
            69 => 1 << 28,
            71 => 65_000,
            72 => 2_097_120,
            // Surfaces: alignment.
            30 => 512,
            // Kernels run beside each other.
            31 => 1,
            32 => u32::from(self.kind == Kind::Server),
            33 => super::properties::PCI_BUS,
            // The number of the device on its bus, and the domain.
            34 | 50 => 0,
            // A driver of Windows.
            35 => 0,
            36 => self.memory_clock,
            37 => self.bus,
            38 => self.l2,
            39 => target.max_threads_per_multiprocessor(),
            // Engines that copy.
            40 => match self.kind {
                Kind::Server => 3,
                Kind::Desktop | Kind::Integrated => 2,
            },
            // Unified addresses, and textures with gather.
            41 | 44 => 1,
            // Textures: alignment of the pitch.
            51 => 32,
            75 => major,
            76 => minor,
            // Priorities of streams, and caches of global and local accesses.
            78..=80 => 1,
            81 => target.shared_memory_per_multiprocessor(),
            // Managed memory.
            83 => 1,
            // Several GPUs on one board, and the number of the board.
            84 | 85 => 0,
            // Native atomics between the host and the device.
            86 => 0,
            87 => self.single_to_double(),
            // Pageable memory is accessible.
            88 => 0,
            // Managed memory is accessible to both at once; compute preemption.
            89 | 90 => 1,
            // Kernels use memory that is registered by an address of the device.
            91 => 0,
            // Memory operations of streams, in their first form.
            92..=94 => 0,
            // Cooperative launches, on this device and on several.
            95 => 1,
            96 => 0,
            97 => target.max_dynamic_shared_memory(),
            // Remote writes are flushed.
            98 => 0,
            // Memory of the host can be registered.
            99 => 1,
            // Page tables of the host; direct access to managed memory from the host.
            100 | 101 => 0,
            // Virtual memory management, and its handles.
            102..=105 => 0,
            106 => target.max_blocks_per_multiprocessor(),
            // Compressible memory.
            107 => 0,
            108 => self.persisting_l2(),
            109 => MAX_WINDOW,
            // GPUDirect RDMA with virtual memory management.
            110 => 0,
            111 => Target::RESERVED_SHARED_MEMORY,
            // Sparse arrays.
            112 => 0,
            // Memory of the host can be registered as read-only.
            113 => 1,
            // Timeline semaphores.
            114 => 0,
            // Memory pools.
            115 => 1,
            // GPUDirect RDMA: whether, which flushes, which order; handles of memory pools.
            116..=119 => 0,
            120 => u32::from(target.has(Feature::Clusters)),
            // Deferred mapping of arrays, memory operations of streams, DMA-BUF, events between
            // processes.
            121..=125 => 0,
            // Domains of memory order.
            126 => {
                if major >= 9 {
                    4
                } else {
                    1
                }
            }
            127 => u32::from(target.has(Feature::Tma)),
            // Fabric handles, unified function pointers, the kind of NUMA node.
            128..=130 => 0,
            // The NUMA node: none.
            131 => return Some(-1),
            // Multicast objects, and MPS.
            132 | 133 => 0,
            // The closest NUMA node of the host.
            134 => 0,
            // Graphics, and decompression.
            135..=138 => 0,
            139 => self.pci << 16 | NVIDIA,
            140 => NVIDIA,
            // Memory of NUMA nodes and pools of the host, and partial native atomics.
            141..=LAST => 0,
            _ => return None,
        };
        Some(i32::try_from(value).unwrap_or_else(|_| value.cast_signed()))
    }
}

#[cfg(test)]
mod tests {
    use crate::device::{known, named};

    use super::*;

    #[test]
    fn every_attribute_has_a_value_and_no_other_number() {
        for device in known() {
            let values: Vec<_> = (-1..=LAST + 2).map(|number| device.attribute(number)).collect();
            assert!(values[2..=LAST as usize + 1].iter().all(Option::is_some), "{device:?}");
            assert_eq!([values[0], values[1]], [None; 2]);
            assert_eq!(values[LAST as usize + 2..], [None; 2]);
        }
    }

    /// The output of `deviceQuery` on an RTX 5090, NVIDIA/nccl issue 1637.
    #[test]
    fn an_rtx_5090_is_as_device_query_prints_it() {
        let device = named("rtx5090").unwrap();
        let of = |numbers: &[i32]| numbers.iter().map(|n| device.attribute(*n).unwrap()).collect::<Vec<_>>();
        assert_eq!(device.memory >> 20, 32_120);
        assert_eq!(of(&[75, 76, 16, 36, 37, 38]), [12, 0, 170, 14_001_000, 512, 100_663_296]);
        assert_eq!(of(&[21, 22, 23, 24, 25, 26]), [131_072, 131_072, 65_536, 16_384, 16_384, 16_384]);
        assert_eq!(of(&[42, 43, 27, 28, 29]), [32_768, 2048, 32_768, 32_768, 2048]);
        assert_eq!(of(&[9, 8, 81, 12, 10, 39, 1]), [65_536, 49_152, 102_400, 65_536, 32, 1536, 1024]);
        assert_eq!(of(&[2, 3, 4, 5, 6, 7]), [1024, 1024, 64, 2_147_483_647, 65_535, 65_535]);
    }

    /// The output of `deviceQuery` on an A100, bottlerocket-os/bottlerocket pull request 3873.
    #[test]
    fn an_a100_is_as_device_query_prints_it() {
        let device = named("a100-40gb").unwrap();
        let of = |numbers: &[i32]| numbers.iter().map(|n| device.attribute(*n).unwrap()).collect::<Vec<_>>();
        assert_eq!(device.memory >> 20, 40_339);
        assert_eq!(of(&[16, 13, 36, 37, 38]), [108, 1_410_000, 1_215_000, 5120, 41_943_040]);
        assert_eq!(of(&[81, 39, 11, 14, 40, 17, 18, 32]), [167_936, 2048, 2_147_483_647, 512, 3, 0, 0, 1]);
    }

    #[test]
    fn clusters_and_tensor_maps_came_with_hopper() {
        let of = |name: &str| [120, 127].map(|number| named(name).unwrap().attribute(number));
        assert_eq!(of("rtx4090"), [Some(0); 2]);
        assert_eq!([of("h100"), of("b200"), of("gb10")], [[Some(1); 2]; 3]);
    }
}
