//! The functions about kernels and the blocks of them that the device holds at once: occupancy, and
//! the attributes of functions.

use std::{
    ffi::{c_int, c_uint, c_void},
    slice,
};

use crate::{
    api::{device::of, non_null, write},
    device::{
        self, Device,
        kernel::{KernelFacts, Settings, Shape},
    },
    error::{Error, Result},
    functions,
    state::with,
};

pub use crate::streams::AttributeValue;

/// A kernel as a program names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// The address of the function on the host that stands for it, or a handle of the runtime.
    Runtime(*const c_void),
    /// A `CUfunction` or `CUkernel` of the driver.
    Driver(*const c_void),
}

/// The facts of a kernel.
///
/// # Errors
/// [`Error::INVALID_DEVICE_FUNCTION`] if there is no such kernel; for the driver,
/// [`Error::INVALID_HANDLE`].
pub fn facts(kernel: Named) -> Result<KernelFacts> {
    with(|state| state.facts(kernel.address())).map_err(|why| unknown(kernel, why))
}

/// Keeps the attributes that the program has set for a kernel.
///
/// # Errors
/// Those of [`facts`].
pub fn set_settings(kernel: Named, settings: Settings) -> Result<()> {
    let set = with(|state| state.modules.function(kernel.address()).map(|own| own.settings = settings));
    set.map_err(|why| unknown(kernel, why))
}

/// The error for a kernel that there is not.
fn unknown(kernel: Named, why: Error) -> Error {
    match kernel {
        Named::Driver(_) if why == Error::INVALID_DEVICE_FUNCTION => Error::INVALID_HANDLE,
        Named::Runtime(_) | Named::Driver(_) => why,
    }
}

impl Named {
    fn address(self) -> usize {
        match self {
            Self::Runtime(at) | Self::Driver(at) => at as usize,
        }
    }
}

/// `cudaLaunchConfig_t`, and `CUlaunchConfig`, whose shared memory is an `unsigned int` with four
/// bytes of padding.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LaunchConfig {
    /// Blocks of the grid.
    pub grid: [c_uint; 3],
    /// Threads of a block.
    pub block: [c_uint; 3],
    /// Bytes of dynamic shared memory; the lower half of them in the driver's structure.
    pub dynamic_shared: u64,
    /// The stream that it is enqueued in.
    pub stream: *mut c_void,
    /// The first attribute.
    pub attributes: *const LaunchAttribute,
    /// The number of attributes.
    pub count: c_uint,
}

/// `cudaLaunchAttribute` and `CUlaunchAttribute`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaunchAttribute {
    /// The kind of the attribute.
    pub kind: c_uint,
    /// Its value, as words: 64 bytes that are aligned to 8.
    pub value: AttributeValue,
}

/// The kind of the attribute that holds the shape of clusters.
pub const CLUSTER_DIMENSION: c_uint = 4;

impl LaunchConfig {
    /// Its attributes.
    ///
    /// # Safety
    /// There are as many as it says.
    pub unsafe fn attributes(&self) -> &[LaunchAttribute] {
        if self.attributes.is_null() || self.count == 0 {
            &[]
        } else {
            // SAFETY: the caller's.
            unsafe { slice::from_raw_parts(self.attributes, self.count as usize) }
        }
    }

    /// The blocks of a launch.
    ///
    /// # Safety
    /// Those of [`Self::attributes`].
    unsafe fn shape(&self, kernel: Named) -> Result<Shape> {
        if self.block.contains(&0) {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: the caller's.
        let attributes = unsafe { self.attributes() };
        let cluster = attributes.iter().rev().find(|attribute| attribute.kind == CLUSTER_DIMENSION);
        let cluster =
            cluster.map(|LaunchAttribute { value: AttributeValue([x, y, z, ..]), .. }| [*x, *y, *z]);
        let dynamic_shared = match kernel {
            Named::Runtime(_) => self.dynamic_shared,
            Named::Driver(_) => self.dynamic_shared & u64::from(u32::MAX),
        };
        Ok(Shape { block: self.block, dynamic_shared, cluster })
    }
}

/// Reads a launch that a program describes.
fn shape(config: *const LaunchConfig, kernel: Named) -> Result<Shape> {
    let config = non_null(config.cast_mut())?;
    // SAFETY: the program passes a structure with its attributes.
    unsafe { (*config).shape(kernel) }
}

/// A number that is not negative.
fn natural(number: c_int) -> Result<u32> {
    u32::try_from(number).map_err(|_| Error::INVALID_VALUE)
}

/// A number that is positive.
fn positive(number: c_int) -> Result<u32> {
    natural(number).and_then(|number| if number == 0 { Err(Error::INVALID_VALUE) } else { Ok(number) })
}

/// The number as an `int`.
fn int(number: u64) -> c_int {
    c_int::try_from(number).unwrap_or(c_int::MAX)
}

/// The flags of occupancy: the default, or that caching in L1 must not limit it, which it never
/// does.
fn check_flags(flags: c_uint) -> Result<()> {
    if flags <= 1 { Ok(()) } else { Err(Error::INVALID_VALUE) }
}

fn active_blocks(to: *mut c_int, kernel: Named, threads: c_int, dynamic: usize) -> Result<()> {
    non_null(to)?;
    let threads = positive(threads)?;
    let blocks = facts(kernel)?.blocks_per_multiprocessor(device::current(), threads, dynamic as u64);
    write(to, int(blocks))
}

fn available_shared(to: *mut usize, kernel: Named, blocks: c_int, threads: c_int) -> Result<()> {
    non_null(to)?;
    let (blocks, threads) = (positive(blocks)?, positive(threads)?);
    let bytes = facts(kernel)?.available_dynamic_shared(device::current(), blocks.into(), threads)?;
    write(to, bytes as usize)
}

fn active_clusters(to: *mut c_int, kernel: Named, config: *const LaunchConfig) -> Result<()> {
    non_null(to)?;
    let shape = shape(config, kernel)?;
    write(to, int(facts(kernel)?.active_clusters(device::current(), &shape)?))
}

fn potential_cluster(to: *mut c_int, kernel: Named, config: *const LaunchConfig) -> Result<()> {
    non_null(to)?;
    let shape = shape(config, kernel)?;
    write(to, int(facts(kernel)?.potential_cluster(device::current(), &shape)))
}

/// A function of the program that returns the dynamic shared memory for blocks of some threads.
type SharedOfBlock = Option<unsafe extern "C" fn(c_int) -> usize>;

fn potential_block(
    grid: *mut c_int,
    block: *mut c_int,
    kernel: Named,
    shared: SharedOfBlock,
    dynamic: usize,
    limit: c_int,
) -> Result<()> {
    non_null(grid)?;
    non_null(block)?;
    let of_block = |threads: u32| match shared {
        None => dynamic as u64,
        // SAFETY: the program passes the function for these calls.
        Some(shared) => unsafe { shared(threads.cast_signed()) as u64 },
    };
    let (blocks, threads) = facts(kernel)?.potential_block(device::current(), natural(limit)?, of_block);
    write(grid, int(blocks))?;
    write(block, threads.cast_signed())
}

/// `cudaFuncAttributes`, the same in CUDA 12 and 13.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FunctionAttributes {
    /// Bytes of static shared memory, constant memory and local memory.
    sizes: [usize; 3],
    /// The attributes of [`FunctionAttributes::NUMBERS`].
    values: [c_int; 13],
    reserved: [c_int; 16],
}

impl FunctionAttributes {
    /// The attributes in the order of the fields. The last two are in another order than by number.
    const NUMBERS: [c_int; 13] = [0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14];

    fn of(facts: &KernelFacts, device: &Device) -> Self {
        let sizes = [facts.static_shared, facts.constant, facts.local].map(|size| size as usize);
        let values = Self::NUMBERS.map(|number| facts.attribute(device, number).unwrap_or_default());
        Self { sizes, values, reserved: [0; 16] }
    }
}

fn attribute(to: *mut c_int, attribute: c_int, kernel: Named) -> Result<()> {
    non_null(to)?;
    let facts = facts(kernel)?;
    write(to, facts.attribute(device::current(), attribute).ok_or(Error::INVALID_VALUE)?)
}

/// Sets an attribute of a kernel.
///
/// # Errors
/// [`Error::INVALID_VALUE`], and those of [`facts`].
pub fn set_attribute(kernel: Named, attribute: c_int, value: c_int) -> Result<()> {
    let settings = facts(kernel)?.with_attribute(device::current(), attribute, value)?;
    set_settings(kernel, settings)
}

use Named::{Driver, Runtime};

functions! {
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        to: *mut c_int, kernel: *const c_void, threads: c_int, dynamic: usize,
    ) {
        active_blocks(to, Runtime(kernel), threads, dynamic)
    }
    fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        to: *mut c_int, kernel: *const c_void, threads: c_int, dynamic: usize, flags: c_uint,
    ) {
        check_flags(flags)?;
        active_blocks(to, Runtime(kernel), threads, dynamic)
    }
    fn cudaOccupancyAvailableDynamicSMemPerBlock(
        to: *mut usize, kernel: *const c_void, blocks: c_int, threads: c_int,
    ) {
        available_shared(to, Runtime(kernel), blocks, threads)
    }
    fn cudaOccupancyMaxActiveClusters(
        to: *mut c_int, kernel: *const c_void, config: *const LaunchConfig,
    ) {
        active_clusters(to, Runtime(kernel), config)
    }
    fn cudaOccupancyMaxPotentialClusterSize(
        to: *mut c_int, kernel: *const c_void, config: *const LaunchConfig,
    ) {
        potential_cluster(to, Runtime(kernel), config)
    }
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        to: *mut c_int, kernel: *const c_void, threads: c_int, dynamic: usize,
    ) {
        active_blocks(to, Driver(kernel), threads, dynamic)
    }
    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        to: *mut c_int, kernel: *const c_void, threads: c_int, dynamic: usize, flags: c_uint,
    ) {
        check_flags(flags)?;
        active_blocks(to, Driver(kernel), threads, dynamic)
    }
    fn cuOccupancyAvailableDynamicSMemPerBlock(
        to: *mut usize, kernel: *const c_void, blocks: c_int, threads: c_int,
    ) {
        available_shared(to, Driver(kernel), blocks, threads)
    }
    fn cuOccupancyMaxActiveClusters(
        to: *mut c_int, kernel: *const c_void, config: *const LaunchConfig,
    ) {
        active_clusters(to, Driver(kernel), config)
    }
    fn cuOccupancyMaxPotentialClusterSize(
        to: *mut c_int, kernel: *const c_void, config: *const LaunchConfig,
    ) {
        potential_cluster(to, Driver(kernel), config)
    }
    fn cuOccupancyMaxPotentialBlockSize(
        grid: *mut c_int, block: *mut c_int, kernel: *const c_void, shared: SharedOfBlock, dynamic: usize,
        limit: c_int,
    ) {
        potential_block(grid, block, Driver(kernel), shared, dynamic, limit)
    }
    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: *mut c_int, block: *mut c_int, kernel: *const c_void, shared: SharedOfBlock, dynamic: usize,
        limit: c_int, flags: c_uint,
    ) {
        check_flags(flags)?;
        potential_block(grid, block, Driver(kernel), shared, dynamic, limit)
    }
    fn cudaFuncGetAttributes(to: *mut FunctionAttributes, kernel: *const c_void) {
        non_null(to)?;
        write(to, FunctionAttributes::of(&facts(Runtime(kernel))?, device::current()))
    }
    fn cudaFuncSetAttribute(kernel: *const c_void, attribute: c_int, value: c_int) {
        set_attribute(Runtime(kernel), attribute, value)
    }
    fn cuFuncGetAttribute(to: *mut c_int, number: c_int, kernel: *const c_void) {
        attribute(to, number, Driver(kernel))
    }
    fn cuFuncSetAttribute(kernel: *const c_void, attribute: c_int, value: c_int) {
        set_attribute(Driver(kernel), attribute, value)
    }
    fn cuKernelGetAttribute(to: *mut c_int, number: c_int, kernel: *const c_void, device: c_int) {
        of(device)?;
        attribute(to, number, Driver(kernel))
    }
    fn cuKernelSetAttribute(attribute: c_int, value: c_int, kernel: *const c_void, device: c_int) {
        of(device)?;
        set_attribute(Driver(kernel), attribute, value)
    }
    ignored "caches are not simulated"
    fn cudaFuncSetCacheConfig(_kernel: *const c_void, _config: c_int) { Ok(()) }
    ignored "the size of banks is fixed from Maxwell on"
    fn cudaFuncSetSharedMemConfig(_kernel: *const c_void, _config: c_int) { Ok(()) }
    ignored "caches are not simulated"
    fn cuFuncSetCacheConfig(_kernel: *const c_void, _config: c_int) { Ok(()) }
    ignored "the size of banks is fixed from Maxwell on"
    fn cuFuncSetSharedMemConfig(_kernel: *const c_void, _config: c_int) { Ok(()) }
    ignored "caches are not simulated"
    fn cuKernelSetCacheConfig(_kernel: *const c_void, _config: c_int, _device: c_int) { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::{mem::offset_of, ptr};

    use super::*;
    use crate::device::named;

    /// The sizes and offsets are those of gcc 12 for the headers of CUDA 12.9 and 13.0, which
    /// agree.
    #[test]
    fn structures_are_laid_out_as_in_the_headers() {
        assert_eq!((size_of::<FunctionAttributes>(), offset_of!(FunctionAttributes, values)), (144, 24));
        assert_eq!(offset_of!(FunctionAttributes, reserved), 76);
        let of_config = [
            offset_of!(LaunchConfig, grid),
            offset_of!(LaunchConfig, block),
            offset_of!(LaunchConfig, dynamic_shared),
            offset_of!(LaunchConfig, stream),
            offset_of!(LaunchConfig, attributes),
            offset_of!(LaunchConfig, count),
            size_of::<LaunchConfig>(),
        ];
        assert_eq!(of_config, [0, 12, 24, 32, 40, 48, 56]);
        assert_eq!((size_of::<LaunchAttribute>(), offset_of!(LaunchAttribute, value)), (72, 8));
    }

    #[test]
    fn attributes_are_where_programs_read_them() {
        let facts = KernelFacts {
            registers: 168,
            static_shared: 1024,
            constant: 16,
            local: 8,
            block: None,
            max_threads: Some(384),
            cluster: Some([2, 1, 1]),
            explicit_cluster: true,
            ptx: (9, 0),
            settings: Settings { non_portable_cluster: true, cluster_policy: 2, ..Settings::default() },
        };
        let of = FunctionAttributes::of(&facts, &named("b200").unwrap());
        assert_eq!(of.sizes, [1024, 16, 8]);
        assert_eq!(of.values, [384, 168, 90, 100, 0, 47 << 10, -1, 1, 2, 1, 1, 2, 1]);
    }

    #[test]
    fn the_shape_of_clusters_is_read_from_the_attributes_of_a_launch() {
        let mut value = AttributeValue([0; 16]);
        value.0[..3].copy_from_slice(&[2, 4, 1]);
        let attributes = [
            LaunchAttribute { kind: 6, value: AttributeValue([1; 16]) },
            LaunchAttribute { kind: CLUSTER_DIMENSION, value },
        ];
        let config = LaunchConfig {
            grid: [8, 8, 1],
            block: [128, 2, 1],
            dynamic_shared: 7 << 32 | 1024,
            stream: ptr::null_mut(),
            attributes: attributes.as_ptr(),
            count: 2,
        };
        let of =
            |config: &LaunchConfig, kernel: fn(*const c_void) -> Named| shape(config, kernel(ptr::null()));
        let expected = Shape { block: [128, 2, 1], dynamic_shared: 1024, cluster: Some([2, 4, 1]) };
        assert_eq!(of(&config, Driver), Ok(expected));
        assert_eq!(of(&config, Runtime), Ok(Shape { dynamic_shared: 7 << 32 | 1024, ..expected }));
        let none = LaunchConfig { count: 0, ..config };
        assert_eq!(of(&none, Driver), Ok(Shape { cluster: None, ..expected }));
        let empty = LaunchConfig { block: [128, 0, 1], ..config };
        assert_eq!(of(&empty, Driver), Err(Error::INVALID_VALUE));
        assert_eq!(shape(ptr::null(), Driver(ptr::null())), Err(Error::INVALID_VALUE));
    }
}
