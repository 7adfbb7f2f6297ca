//! `cudaDeviceProp`, in the layout of each version of the runtime.
//!
//! The fields are those of CUDA's headers, in their order. CUDA 13 removed some and added others;
//! what CUDA 11 calls `cudaDeviceProp` is the beginning of CUDA 12's.

use std::iter;

use super::Device;

/// The PCI bus that the device is on, in domain 0, where it is device 0.
pub const PCI_BUS: u32 = 1;

/// The versions of `cudaDeviceProp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PropertiesVersion {
    /// That of CUDA 11, which `cudaGetDeviceProperties` of the runtime of CUDA 12 fills in.
    Cuda11,
    /// That of CUDA 12.
    Cuda12,
    /// That of CUDA 13.
    Cuda13,
}

impl PropertiesVersion {
    /// `sizeof(cudaDeviceProp)`.
    pub const fn size(self) -> usize {
        match self {
            Self::Cuda11 => 728,
            Self::Cuda12 => 1032,
            Self::Cuda13 => 1008,
        }
    }
}

/// The versions that have a field.
#[derive(Clone, Copy)]
enum In {
    Both,
    Before13,
    From13,
}

/// The content of a field.
#[derive(Clone, Copy)]
enum Holds {
    /// The name: 256 bytes of text.
    Title,
    /// The number among all devices: 16 bytes.
    Uuid,
    /// The size of global memory, as `size_t`.
    Memory,
    /// An attribute, as `size_t`.
    Size(i32),
    /// Attributes, each as `int`.
    Ints(&'static [i32]),
    /// Bytes that are 0.
    Zeros(usize),
}

use Holds::{Ints, Memory, Size, Title, Uuid, Zeros};
use In::{Before13, Both, From13};

/// The fields. Those that hold attributes have their numbers.
const FIELDS: &[(In, &str, Holds)] = &[
    (Both, "name", Title),
    (Both, "uuid", Uuid),
    (Both, "luid", Zeros(8)),
    (Both, "luidDeviceNodeMask", Zeros(4)),
    (Both, "totalGlobalMem", Memory),
    (Both, "sharedMemPerBlock", Size(8)),
    (Both, "regsPerBlock", Ints(&[12])),
    (Both, "warpSize", Ints(&[10])),
    (Both, "memPitch", Size(11)),
    (Both, "maxThreadsPerBlock", Ints(&[1])),
    (Both, "maxThreadsDim", Ints(&[2, 3, 4])),
    (Both, "maxGridSize", Ints(&[5, 6, 7])),
    (Before13, "clockRate", Ints(&[13])),
    (Both, "totalConstMem", Size(9)),
    (Both, "major", Ints(&[75])),
    (Both, "minor", Ints(&[76])),
    (Both, "textureAlignment", Size(14)),
    (Both, "texturePitchAlignment", Size(51)),
    (Before13, "deviceOverlap", Ints(&[15])),
    (Both, "multiProcessorCount", Ints(&[16])),
    (Before13, "kernelExecTimeoutEnabled", Ints(&[17])),
    (Both, "integrated", Ints(&[18])),
    (Both, "canMapHostMemory", Ints(&[19])),
    (Before13, "computeMode", Ints(&[20])),
    (Both, "maxTexture1D", Ints(&[21])),
    (Both, "maxTexture1DMipmap", Ints(&[77])),
    (Before13, "maxTexture1DLinear", Ints(&[69])),
    (Both, "maxTexture2D", Ints(&[22, 23])),
    (Both, "maxTexture2DMipmap", Ints(&[73, 74])),
    (Both, "maxTexture2DLinear", Ints(&[70, 71, 72])),
    (Both, "maxTexture2DGather", Ints(&[45, 46])),
    (Both, "maxTexture3D", Ints(&[24, 25, 26])),
    (Both, "maxTexture3DAlt", Ints(&[47, 48, 49])),
    (Both, "maxTextureCubemap", Ints(&[52])),
    (Both, "maxTexture1DLayered", Ints(&[42, 43])),
    (Both, "maxTexture2DLayered", Ints(&[27, 28, 29])),
    (Both, "maxTextureCubemapLayered", Ints(&[53, 54])),
    (Both, "maxSurface1D", Ints(&[55])),
    (Both, "maxSurface2D", Ints(&[56, 57])),
    (Both, "maxSurface3D", Ints(&[58, 59, 60])),
    (Both, "maxSurface1DLayered", Ints(&[61, 62])),
    (Both, "maxSurface2DLayered", Ints(&[63, 64, 65])),
    (Both, "maxSurfaceCubemap", Ints(&[66])),
    (Both, "maxSurfaceCubemapLayered", Ints(&[67, 68])),
    (Both, "surfaceAlignment", Size(30)),
    (Both, "concurrentKernels", Ints(&[31])),
    (Both, "ECCEnabled", Ints(&[32])),
    (Both, "pciBusID", Ints(&[33])),
    (Both, "pciDeviceID", Ints(&[34])),
    (Both, "pciDomainID", Ints(&[50])),
    (Both, "tccDriver", Ints(&[35])),
    (Both, "asyncEngineCount", Ints(&[40])),
    (Both, "unifiedAddressing", Ints(&[41])),
    (Before13, "memoryClockRate", Ints(&[36])),
    (Both, "memoryBusWidth", Ints(&[37])),
    (Both, "l2CacheSize", Ints(&[38])),
    (Both, "persistingL2CacheMaxSize", Ints(&[108])),
    (Both, "maxThreadsPerMultiProcessor", Ints(&[39])),
    (Both, "streamPrioritiesSupported", Ints(&[78])),
    (Both, "globalL1CacheSupported", Ints(&[79])),
    (Both, "localL1CacheSupported", Ints(&[80])),
    (Both, "sharedMemPerMultiprocessor", Size(81)),
    (Both, "regsPerMultiprocessor", Ints(&[82])),
    (Both, "managedMemory", Ints(&[83])),
    (Both, "isMultiGpuBoard", Ints(&[84])),
    (Both, "multiGpuBoardGroupID", Ints(&[85])),
    (Both, "hostNativeAtomicSupported", Ints(&[86])),
    (Before13, "singleToDoublePrecisionPerfRatio", Ints(&[87])),
    (Both, "pageableMemoryAccess", Ints(&[88])),
    (Both, "concurrentManagedAccess", Ints(&[89])),
    (Both, "computePreemptionSupported", Ints(&[90])),
    (Both, "canUseHostPointerForRegisteredMem", Ints(&[91])),
    (Both, "cooperativeLaunch", Ints(&[95])),
    (Before13, "cooperativeMultiDeviceLaunch", Ints(&[96])),
    (Both, "sharedMemPerBlockOptin", Size(97)),
    (Both, "pageableMemoryAccessUsesHostPageTables", Ints(&[100])),
    (Both, "directManagedMemAccessFromHost", Ints(&[101])),
    (Both, "maxBlocksPerMultiProcessor", Ints(&[106])),
    (Both, "accessPolicyMaxWindowSize", Ints(&[109])),
    (Both, "reservedSharedMemPerBlock", Size(111)),
    (Both, "hostRegisterSupported", Ints(&[99])),
    (Both, "sparseCudaArraySupported", Ints(&[112])),
    (Both, "hostRegisterReadOnlySupported", Ints(&[113])),
    (Both, "timelineSemaphoreInteropSupported", Ints(&[114])),
    (Both, "memoryPoolsSupported", Ints(&[115])),
    (Both, "gpuDirectRDMASupported", Ints(&[116])),
    (Both, "gpuDirectRDMAFlushWritesOptions", Ints(&[117])),
    (Both, "gpuDirectRDMAWritesOrdering", Ints(&[118])),
    (Both, "memoryPoolSupportedHandleTypes", Ints(&[119])),
    (Both, "deferredMappingCudaArraySupported", Ints(&[121])),
    (Both, "ipcEventSupported", Ints(&[125])),
    (Both, "clusterLaunch", Ints(&[120])),
    (Both, "unifiedFunctionPointers", Ints(&[129])),
    (From13, "deviceNumaConfig", Ints(&[130])),
    (From13, "deviceNumaId", Ints(&[131])),
    (From13, "mpsEnabled", Ints(&[133])),
    (From13, "hostNumaId", Ints(&[134])),
    (From13, "gpuPciDeviceID", Ints(&[139])),
    (From13, "gpuPciSubsystemID", Ints(&[140])),
    (From13, "hostNumaMultinodeIpcSupported", Ints(&[143])),
];

impl Holds {
    /// Its size and its alignment in bytes.
    fn layout(self) -> (usize, usize) {
        match self {
            Title => (256, 1),
            Uuid => (16, 1),
            Memory | Size(_) => (8, 8),
            Ints(all) => (4 * all.len(), 4),
            Zeros(size) => (size, size.min(if size == 4 { 4 } else { 1 })),
        }
    }

    /// Its bytes for a device.
    fn bytes(self, device: &Device) -> Vec<u8> {
        let attribute = |number: i32| device.attribute(number).unwrap_or_default();
        match self {
            Title => device.title.bytes().chain(iter::repeat(0)).take(256).collect(),
            Uuid => device.uuid().to_vec(),
            Memory => device.memory.to_ne_bytes().to_vec(),
            // An attribute that is a size is not negative.
            Size(number) => u64::from(attribute(number).unsigned_abs()).to_ne_bytes().to_vec(),
            Ints(all) => all.iter().flat_map(|number| attribute(*number).to_ne_bytes()).collect(),
            Zeros(size) => vec![0; size],
        }
    }
}

/// The fields of a version with their offsets in bytes.
fn fields(version: PropertiesVersion) -> impl Iterator<Item = (usize, &'static str, Holds)> {
    let mut end = 0_usize;
    let has = move |is_in: In| match is_in {
        Both => true,
        Before13 => version != PropertiesVersion::Cuda13,
        From13 => version == PropertiesVersion::Cuda13,
    };
    FIELDS.iter().filter(move |(is_in, ..)| has(*is_in)).map_while(move |(_, name, holds)| {
        let (size, alignment) = holds.layout();
        let at = end.next_multiple_of(alignment);
        end = at + size;
        (end <= version.size()).then_some((at, *name, *holds))
    })
}

impl Device {
    /// The bytes of its `cudaDeviceProp`. Reserved fields are 0.
    pub fn properties(&self, version: PropertiesVersion) -> Vec<u8> {
        let mut all = vec![0; version.size()];
        for (at, _, holds) in fields(version) {
            let bytes = holds.bytes(self);
            all[at..at + bytes.len()].copy_from_slice(&bytes);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use crate::device::named;

    use super::*;

    /// The offsets of the fields in CUDA 12.9 and 13.0, -1 where there is no such field, as gcc 12
    /// has them for the headers of these versions.
    const OFFSETS: &[(&str, [i64; 2])] = &[
        ("name", [0, 0]),
        ("uuid", [256, 256]),
        ("luid", [272, 272]),
        ("luidDeviceNodeMask", [280, 280]),
        ("totalGlobalMem", [288, 288]),
        ("sharedMemPerBlock", [296, 296]),
        ("regsPerBlock", [304, 304]),
        ("warpSize", [308, 308]),
        ("memPitch", [312, 312]),
        ("maxThreadsPerBlock", [320, 320]),
        ("maxThreadsDim", [324, 324]),
        ("maxGridSize", [336, 336]),
        ("clockRate", [348, -1]),
        ("totalConstMem", [352, 352]),
        ("major", [360, 360]),
        ("minor", [364, 364]),
        ("textureAlignment", [368, 368]),
        ("texturePitchAlignment", [376, 376]),
        ("deviceOverlap", [384, -1]),
        ("multiProcessorCount", [388, 384]),
        ("kernelExecTimeoutEnabled", [392, -1]),
        ("integrated", [396, 388]),
        ("canMapHostMemory", [400, 392]),
        ("computeMode", [404, -1]),
        ("maxTexture1D", [408, 396]),
        ("maxTexture1DMipmap", [412, 400]),
        ("maxTexture1DLinear", [416, -1]),
        ("maxTexture2D", [420, 404]),
        ("maxTexture2DMipmap", [428, 412]),
        ("maxTexture2DLinear", [436, 420]),
        ("maxTexture2DGather", [448, 432]),
        ("maxTexture3D", [456, 440]),
        ("maxTexture3DAlt", [468, 452]),
        ("maxTextureCubemap", [480, 464]),
        ("maxTexture1DLayered", [484, 468]),
        ("maxTexture2DLayered", [492, 476]),
        ("maxTextureCubemapLayered", [504, 488]),
        ("maxSurface1D", [512, 496]),
        ("maxSurface2D", [516, 500]),
        ("maxSurface3D", [524, 508]),
        ("maxSurface1DLayered", [536, 520]),
        ("maxSurface2DLayered", [544, 528]),
        ("maxSurfaceCubemap", [556, 540]),
        ("maxSurfaceCubemapLayered", [560, 544]),
        ("surfaceAlignment", [568, 552]),
        ("concurrentKernels", [576, 560]),
        ("ECCEnabled", [580, 564]),
        ("pciBusID", [584, 568]),
        ("pciDeviceID", [588, 572]),
        ("pciDomainID", [592, 576]),
        ("tccDriver", [596, 580]),
        ("asyncEngineCount", [600, 584]),
        ("unifiedAddressing", [604, 588]),
        ("memoryClockRate", [608, -1]),
        ("memoryBusWidth", [612, 592]),
        ("l2CacheSize", [616, 596]),
        ("persistingL2CacheMaxSize", [620, 600]),
        ("maxThreadsPerMultiProcessor", [624, 604]),
        ("streamPrioritiesSupported", [628, 608]),
        ("globalL1CacheSupported", [632, 612]),
        ("localL1CacheSupported", [636, 616]),
        ("sharedMemPerMultiprocessor", [640, 624]),
        ("regsPerMultiprocessor", [648, 632]),
        ("managedMemory", [652, 636]),
        ("isMultiGpuBoard", [656, 640]),
        ("multiGpuBoardGroupID", [660, 644]),
        ("hostNativeAtomicSupported", [664, 648]),
        ("singleToDoublePrecisionPerfRatio", [668, -1]),
        ("pageableMemoryAccess", [672, 652]),
        ("concurrentManagedAccess", [676, 656]),
        ("computePreemptionSupported", [680, 660]),
        ("canUseHostPointerForRegisteredMem", [684, 664]),
        ("cooperativeLaunch", [688, 668]),
        ("cooperativeMultiDeviceLaunch", [692, -1]),
        ("sharedMemPerBlockOptin", [696, 672]),
        ("pageableMemoryAccessUsesHostPageTables", [704, 680]),
        ("directManagedMemAccessFromHost", [708, 684]),
        ("maxBlocksPerMultiProcessor", [712, 688]),
        ("accessPolicyMaxWindowSize", [716, 692]),
        ("reservedSharedMemPerBlock", [720, 696]),
        ("hostRegisterSupported", [728, 704]),
        ("sparseCudaArraySupported", [732, 708]),
        ("hostRegisterReadOnlySupported", [736, 712]),
        ("timelineSemaphoreInteropSupported", [740, 716]),
        ("memoryPoolsSupported", [744, 720]),
        ("gpuDirectRDMASupported", [748, 724]),
        ("gpuDirectRDMAFlushWritesOptions", [752, 728]),
        ("gpuDirectRDMAWritesOrdering", [756, 732]),
        ("memoryPoolSupportedHandleTypes", [760, 736]),
        ("deferredMappingCudaArraySupported", [764, 740]),
        ("ipcEventSupported", [768, 744]),
        ("clusterLaunch", [772, 748]),
        ("unifiedFunctionPointers", [776, 752]),
        ("deviceNumaConfig", [-1, 756]),
        ("deviceNumaId", [-1, 760]),
        ("mpsEnabled", [-1, 764]),
        ("hostNumaId", [-1, 768]),
        ("gpuPciDeviceID", [-1, 772]),
        ("gpuPciSubsystemID", [-1, 776]),
        ("hostNumaMultinodeIpcSupported", [-1, 780]),
    ];

    #[test]
    fn fields_are_where_the_headers_have_them() {
        for (column, version) in
            [PropertiesVersion::Cuda12, PropertiesVersion::Cuda13].into_iter().enumerate()
        {
            let own: Vec<_> = fields(version).map(|(at, name, _)| (name, at as i64)).collect();
            let measured: Vec<_> =
                OFFSETS.iter().map(|(name, at)| (*name, at[column])).filter(|(_, at)| *at >= 0).collect();
            assert_eq!(own, measured, "{version:?}");
        }
        // Those of CUDA 11 end with the shared memory that is reserved.
        let last = fields(PropertiesVersion::Cuda11).last().map(|(at, name, _)| (at, name));
        assert_eq!(last, Some((720, "reservedSharedMemPerBlock")));
    }

    #[test]
    fn programs_read_the_properties_of_the_device() {
        let h100 = named("h100").unwrap();
        let int = |bytes: &[u8], at: usize| i32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
        let size = |bytes: &[u8], at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap());
        let (old, new) =
            (h100.properties(PropertiesVersion::Cuda12), h100.properties(PropertiesVersion::Cuda13));
        assert_eq!((old.len(), new.len()), (1032, 1008));
        assert!(new.starts_with(b"NVIDIA H100 80GB HBM3\0"));
        assert_eq!([size(&old, 288), size(&new, 288)], [h100.memory; 2]);
        // multiProcessorCount, and clockRate, which 13 does not have.
        assert_eq!([int(&old, 388), int(&new, 384), int(&old, 348)], [132, 132, 1_980_000]);
        // sharedMemPerBlockOptin.
        assert_eq!([size(&old, 696), size(&new, 672)], [232_448; 2]);
        assert_eq!(h100.properties(PropertiesVersion::Cuda11), old[..728]);
    }
}
