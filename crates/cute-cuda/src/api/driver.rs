//! The driver: contexts, modules and libraries, memory, streams, events, launches.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

use crate::{
    api::{
        launch::{arguments, described},
        memory::{allocate, copy, set},
        occupancy::LaunchConfig,
        stream::synchronize_device,
        write,
    },
    error::{Error, Result},
    functions,
    launch::Asked,
    memory::Kind,
    state::with,
};

/// The handle of the only context.
pub(super) const CONTEXT: usize = 0x1_0020;

/// A module with an image, read at once: the program may change the image afterwards.
fn load(to: *mut usize, image: usize) -> Result<()> {
    if image == 0 {
        return Err(Error::INVALID_VALUE);
    }
    let handle = with(|state| {
        let handle = state.modules.register(image);
        let number = state.modules.number(handle).ok_or(Error::UNKNOWN)?;
        match state.modules.code(number, state.settings.target()) {
            Ok(_) => Ok(handle),
            Err(why) => {
                state.launches.remark(&format!("a module: {why}"));
                state.modules.unregister(handle);
                Err(Error::NO_BINARY_FOR_GPU)
            }
        }
    })?;
    write(to, handle)
}

/// # Safety
/// The name ends in a NUL.
unsafe fn function(to: *mut usize, module: usize, name: *const c_char) -> Result<()> {
    if name.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let handle = with(|state| {
        let number = state.modules.number(module).ok_or(Error::INVALID_HANDLE)?;
        let code =
            state.modules.code(number, state.settings.target()).map_err(|_| Error::NO_BINARY_FOR_GPU)?;
        match code.kernels.iter().any(|kernel| kernel.name == name) {
            true => Ok(state.modules.handle_of(module, &name)),
            false => Err(Error::NOT_FOUND),
        }
    })?;
    write(to, handle)
}

/// # Safety
/// The name ends in a NUL.
unsafe fn global(to: *mut u64, bytes: *mut usize, module: usize, name: *const c_char) -> Result<()> {
    if name.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let (address, size) = with(|state| state.global(module, &name))?;
    if !to.is_null() {
        write(to, address)?;
    }
    if !bytes.is_null() {
        write(bytes, size)?;
    }
    Ok(())
}

/// # Safety
/// The arguments are as a launch of the driver has them.
unsafe fn launch(
    function: usize,
    asked: Asked,
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

fn asked(grid: [u32; 3], block: [u32; 3], shared: u32, stream: usize, cooperative: bool) -> Result<Asked> {
    let stream = with(|state| state.stream(stream))?;
    Ok(Asked { grid, block, shared: shared as usize, stream, cooperative, ..Asked::default() })
}

functions! {
    fn cuCtxCreate_v2(to: *mut usize, _flags: c_uint, _device: c_int) { write(to, CONTEXT) }
    fn cuCtxCreate_v4(to: *mut usize, _parameters: usize, _flags: c_uint, _device: c_int) { write(to, CONTEXT) }
    ignored "there is one context" fn cuCtxDestroy_v2(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxSetCurrent(_context: usize) { Ok(()) }
    ignored "there is one context" fn cuCtxPushCurrent_v2(_context: usize) { Ok(()) }
    fn cuCtxPopCurrent_v2(to: *mut usize) { if to.is_null() { Ok(()) } else { write(to, CONTEXT) } }
    fn cuCtxGetCurrent(to: *mut usize) { write(to, CONTEXT) }
    fn cuCtxGetDevice(to: *mut c_int) { write(to, 0) }
    fn cuCtxGetApiVersion(_context: usize, to: *mut c_uint) { write(to, 3020) }
    fn cuCtxSynchronize() { synchronize_device() }
    fn cuDevicePrimaryCtxRetain(to: *mut usize, _device: c_int) { write(to, CONTEXT) }
    ignored "there is one context" fn cuDevicePrimaryCtxRelease_v2(_device: c_int) { Ok(()) }
    ignored "there is one context" fn cuDevicePrimaryCtxSetFlags_v2(_device: c_int, _flags: c_uint) { Ok(()) }
    fn cuDevicePrimaryCtxGetState(_device: c_int, flags: *mut c_uint, is_active: *mut c_int) {
        write(flags, 0)?;
        write(is_active, 1)
    }
    fn cuModuleLoadData(to: *mut usize, image: usize) { load(to, image) }
    fn cuModuleLoadDataEx(to: *mut usize, image: usize, _count: c_uint, _options: usize, _values: usize) { load(to, image) }
    fn cuModuleLoadFatBinary(to: *mut usize, image: usize) { load(to, image) }
    fn cuModuleUnload(module: usize) {
        with(|state| {
            state.modules.number(module).ok_or(Error::INVALID_HANDLE)?;
            state.modules.unregister(module);
            Ok(())
        })
    }
    fn cuModuleGetFunction(to: *mut usize, module: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { function(to, module, name) }
    }
    fn cuModuleGetGlobal_v2(to: *mut u64, bytes: *mut usize, module: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { global(to, bytes, module, name) }
    }
    fn cuModuleGetLoadingMode(to: *mut c_int) { write(to, 2) }
    fn cuLibraryLoadData(
        to: *mut usize, image: usize, _options: usize, _values: usize, _count: c_uint,
        _library_options: usize, _library_values: usize, _library_count: c_uint,
    ) {
        load(to, image)
    }
    fn cuLibraryUnload(library: usize) {
        with(|state| {
            state.modules.number(library).ok_or(Error::INVALID_HANDLE)?;
            state.modules.unregister(library);
            Ok(())
        })
    }
    fn cuLibraryGetKernel(to: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { function(to, library, name) }
    }
    fn cuLibraryGetModule(to: *mut usize, library: usize) { write(to, library) }
    fn cuLibraryGetGlobal(to: *mut u64, bytes: *mut usize, library: usize, name: *const c_char) {
        // SAFETY: the program passes a text.
        unsafe { global(to, bytes, library, name) }
    }
    fn cuKernelGetFunction(to: *mut usize, kernel: usize) { write(to, kernel) }
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
