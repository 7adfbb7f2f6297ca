//! The driver: contexts, modules and libraries, memory, streams, events, launches.

use std::{
    ffi::{c_int, c_uint, c_void},
    ptr,
};

use crate::{
    api::{
        device::{self, of, priorities},
        launch::{arguments, described},
        memory::{allocate, copy, host_flags, set},
        non_null,
        occupancy::LaunchConfig,
        stream::synchronize_device,
        write,
    },
    error::{Error, Result},
    functions,
    launch::AskedLaunch,
    memory::Kind,
    state::with,
};

/// The handle of the only context.
pub(super) const CONTEXT: usize = 0x1_0020;

/// # Safety
/// The arguments are as a launch of the driver has them.
unsafe fn launch(
    function: usize,
    asked: AskedLaunch,
    given: *const *const c_void,
    extra: *const usize,
) -> Result<()> {
    // SAFETY: the caller's.
    let words = unsafe { arguments(function, given, extra) }?;
    with(|state| state.enqueue(function, asked, words))
}

/// # Safety
/// The configuration is one, with as many attributes as it says.
unsafe fn launch_ex(
    config: *const LaunchConfig,
    function: usize,
    arguments: *const *const c_void,
    extra: *const usize,
) -> Result<()> {
    // SAFETY: the caller's.
    let mut asked = unsafe { described(config) }?;
    // The driver's structure has 32 bits for it, and padding.
    asked.shared &= u32::MAX as usize;
    // SAFETY: the caller's.
    unsafe { launch(function, asked, arguments, extra) }
}

fn asked(
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    stream: usize,
    cooperative: bool,
) -> Result<AskedLaunch> {
    let stream = with(|state| state.stream(stream))?;
    Ok(AskedLaunch { grid, block, shared: shared as usize, stream, cooperative, ..AskedLaunch::default() })
}

fn create(to: *mut usize, flags: c_uint, number: c_int) -> Result<()> {
    non_null(to)?;
    of(number)?;
    device::set_flags(flags)?;
    write(to, CONTEXT)
}

fn popped(to: *mut usize) -> Result<()> {
    if to.is_null() { Ok(()) } else { write(to, CONTEXT) }
}

functions! {
    fn cuCtxCreate(to: *mut usize, flags: c_uint, number: c_int) { create(to, flags, number) }
    fn cuCtxCreate_v2(to: *mut usize, flags: c_uint, number: c_int) { create(to, flags, number) }
    fn cuCtxCreate_v3(to: *mut usize, _parameters: usize, _count: c_int, flags: c_uint, number: c_int) {
        create(to, flags, number)
    }
    fn cuCtxCreate_v4(to: *mut usize, _parameters: usize, flags: c_uint, number: c_int) { create(to, flags, number) }
    fn cuCtxAttach(to: *mut usize, flags: c_uint) {
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        write(to, CONTEXT)
    }
    ignored "there is one context" fn cuCtxDestroy(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxDestroy_v2(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxDetach(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxSetCurrent(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxPushCurrent(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxPushCurrent_v2(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuDevicePrimaryCtxRelease(_device: c_int) { Ok(()) }
    fn cuCtxPopCurrent(to: *mut usize) { popped(to) }
    fn cuCtxPopCurrent_v2(to: *mut usize) { popped(to) }
    fn cuCtxGetCurrent(to: *mut usize) { write(to, CONTEXT) }
    fn cuCtxGetDevice(to: *mut c_int) { write(to, 0) }
    fn cuCtxGetDevice_v2(to: *mut c_int, _context: usize) { write(to, 0) }
    fn cuCtxGetId(_context: usize, to: *mut u64) { write(to, 1) }
    fn cuCtxGetFlags(to: *mut c_uint) { write(to, device::flags()) }
    fn cuCtxSetFlags(flags: c_uint) { device::set_flags(flags) }
    fn cuCtxGetLimit(to: *mut usize, number: c_int) {
        non_null(to)?;
        write(to, device::limit(number)? as usize)
    }
    fn cuCtxSetLimit(number: c_int, value: usize) { device::set_limit(number, value as u64) }
    fn cuCtxGetCacheConfig(to: *mut c_int) { write(to, 0) }
    ignored "caches are not simulated" fn cuCtxSetCacheConfig(_config: c_int) { Ok(()) }
    ignored "caches are not simulated" fn cuCtxResetPersistingL2Cache() { Ok(()) }
    ignored "caches are not simulated" fn cudaCtxResetPersistingL2Cache() { Ok(()) }
    // Banks of 4 bytes.
    fn cuCtxGetSharedMemConfig(to: *mut c_int) { write(to, 1) }
    ignored "the size of banks is fixed from Maxwell on" fn cuCtxSetSharedMemConfig(_config: c_int) { Ok(()) }
    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) { priorities(least, greatest) }
    fn cuCtxEnablePeerAccess(_context: usize, _flags: c_uint) { Err(Error::INVALID_CONTEXT) }
    fn cuCtxDisablePeerAccess(_context: usize) { Err(Error::PEER_ACCESS_NOT_ENABLED) }
    ignored "nothing is profiled" fn cuProfilerStart() { Ok(()) }
    ignored "nothing is profiled" fn cuProfilerStop() { Ok(()) }
    ignored "nothing is profiled" fn cudaProfilerStart() { Ok(()) }
    ignored "nothing is profiled" fn cudaProfilerStop() { Ok(()) }
    fn cuCtxGetApiVersion(_context: usize, to: *mut c_uint) { write(to, 3020) }
    fn cuCtxSynchronize_v2(_context: usize) { synchronize_device() }
    fn cuCtxSynchronize() { synchronize_device() }
    fn cuDevicePrimaryCtxRetain(to: *mut usize, _device: c_int) { write(to, CONTEXT) }
    ignored "there is one context" fn cuDevicePrimaryCtxRelease_v2(_device: c_int) { Ok(()) }
    fn cuDevicePrimaryCtxSetFlags(number: c_int, flags: c_uint) {
        of(number)?;
        device::set_flags(flags)
    }
    fn cuDevicePrimaryCtxSetFlags_v2(number: c_int, flags: c_uint) {
        of(number)?;
        device::set_flags(flags)
    }
    fn cuDevicePrimaryCtxGetState(_device: c_int, flags: *mut c_uint, is_active: *mut c_int) {
        write(flags, device::flags())?;
        write(is_active, 1)
    }
    fn cuMemAlloc_v2(to: *mut u64, bytes: usize) {
        if bytes == 0 {
            return Err(Error::INVALID_VALUE);
        }
        allocate(to, Kind::Device, bytes)
    }
    fn cuMemAllocManaged(to: *mut u64, bytes: usize, _flags: c_uint) { allocate(to, Kind::Managed, bytes) }
    fn cuMemAllocHost_v2(to: *mut u64, bytes: usize) { allocate(to, Kind::Pinned, bytes) }
    fn cuMemHostAlloc(to: *mut u64, bytes: usize, _flags: c_uint) { allocate(to, Kind::Pinned, bytes) }
    fn cuMemHostGetDevicePointer_v2(to: *mut u64, host: u64, _flags: c_uint) {
        write(to, with(|state| state.device_pointer(host))?)
    }
    fn cuMemFree_v2(at: u64) { with(|state| state.free(at, None)) }
    fn cuMemFreeHost(at: u64) { with(|state| state.free(at, None)) }
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let (used, all) = with(|state| Ok((state.allocations.used, state.settings.capacity())))?;
        write(free, (all - used.min(all)) as usize)?;
        write(total, all as usize)
    }
    fn cuMemGetAddressRange_v2(start: *mut u64, bytes: *mut usize, at: u64) {
        let found = with(|state| {
            let found = state.allocations.holding(at).map(|(start, own)| (start, own.bytes));
            found.ok_or(Error::NOT_FOUND)
        })?;
        if !start.is_null() {
            write(start, found.0)?;
        }
        if bytes.is_null() { Ok(()) } else { write(bytes, found.1) }
    }
    fn cuMemcpyPeer(to: u64, _a: usize, from: u64, _b: usize, bytes: usize) {
        copy(to, from, bytes, 4, ("cuMemcpyPeer", 0, false))
    }
    fn cuMemcpyPeerAsync(to: u64, _a: usize, from: u64, _b: usize, bytes: usize, stream: usize) {
        copy(to, from, bytes, 4, ("cuMemcpyPeerAsync", stream, true))
    }
    fn cuMemHostGetFlags(to: *mut c_uint, host: u64) { host_flags(to, host) }
    fn cuMemcpy(to: u64, from: u64, bytes: usize) { copy(to, from, bytes, 4, ("cuMemcpy", 0, false)) }
    fn cuMemcpyHtoD_v2(to: u64, from: u64, bytes: usize) { copy(to, from, bytes, 1, ("cuMemcpyHtoD", 0, false)) }
    fn cuMemcpyDtoH_v2(to: u64, from: u64, bytes: usize) { copy(to, from, bytes, 2, ("cuMemcpyDtoH", 0, false)) }
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) { copy(to, from, bytes, 3, ("cuMemcpyDtoD", 0, false)) }
    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: usize) {
        copy(to, from, bytes, 4, ("cuMemcpyAsync", stream, true))
    }
    fn cuMemcpyHtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) {
        copy(to, from, bytes, 1, ("cuMemcpyHtoDAsync", stream, true))
    }
    fn cuMemcpyDtoHAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) {
        copy(to, from, bytes, 2, ("cuMemcpyDtoHAsync", stream, true))
    }
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) {
        copy(to, from, bytes, 3, ("cuMemcpyDtoDAsync", stream, true))
    }
    fn cuMemsetD8_v2(to: u64, value: u8, count: usize) { set(to, &[value], count, ("cuMemsetD8", 0, false)) }
    fn cuMemsetD16_v2(to: u64, value: u16, count: usize) {
        set(to, &value.to_le_bytes(), count, ("cuMemsetD16", 0, false))
    }
    fn cuMemsetD32_v2(to: u64, value: u32, count: usize) {
        set(to, &value.to_le_bytes(), count, ("cuMemsetD32", 0, false))
    }
    fn cuMemsetD8Async(to: u64, value: u8, count: usize, stream: usize) {
        set(to, &[value], count, ("cuMemsetD8Async", stream, true))
    }
    fn cuMemsetD16Async(to: u64, value: u16, count: usize, stream: usize) {
        set(to, &value.to_le_bytes(), count, ("cuMemsetD16Async", stream, true))
    }
    fn cuMemsetD32Async(to: u64, value: u32, count: usize, stream: usize) {
        set(to, &value.to_le_bytes(), count, ("cuMemsetD32Async", stream, true))
    }
    fn cuLaunchKernel(
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
        arguments: *const *const c_void, extra: *const usize,
    ) {
        let asked = asked([gx, gy, gz], [bx, by, bz], shared, stream, false)?;
        // SAFETY: the program passes arguments.
        unsafe { launch(function, asked, arguments, extra) }
    }
    fn cuLaunchCooperativeKernel(
        function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: usize,
        arguments: *const *const c_void,
    ) {
        let asked = asked([gx, gy, gz], [bx, by, bz], shared, stream, true)?;
        // SAFETY: the program passes arguments.
        unsafe { launch(function, asked, arguments, ptr::null()) }
    }
    fn cuLaunchKernelEx(config: *const c_void, function: usize, arguments: *const *const c_void, extra: *const usize) {
        // SAFETY: the program passes a configuration.
        unsafe { launch_ex(config.cast(), function, arguments, extra) }
    }
}
