//! Functions by their names, and the attributes of pointers.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

use crate::{
    api::{driver::CONTEXT, find, graph::array, non_null, runtime_version, write},
    error::{Error, Result},
    functions,
    memory::Kind,
    messages,
    state::with,
    streams,
};

/// Functions of the driver with forms after CUDA 3.2, and the versions of CUDA that have them
/// (`cudaTypedefs.h`).
const FORMS: &[(&str, c_int)] = &[
    ("cuCtxCreate_v4", 12_050),
    ("cuCtxCreate_v3", 11_040),
    ("cuCtxGetDevice_v2", 13_000),
    ("cuCtxSynchronize_v2", 13_000),
    ("cuDeviceGetUuid_v2", 11_040),
    ("cuDevicePrimaryCtxRelease_v2", 11_000),
    ("cuDevicePrimaryCtxReset_v2", 11_000),
    ("cuDevicePrimaryCtxSetFlags_v2", 11_000),
    ("cuEventElapsedTime_v2", 12_080),
    ("cuGetProcAddress_v2", 12_000),
    ("cuGraphAddDependencies_v2", 12_030),
    ("cuGraphAddKernelNode_v2", 12_000),
    ("cuGraphAddNode_v2", 12_030),
    ("cuGraphExecKernelNodeSetParams_v2", 12_000),
    ("cuGraphExecUpdate_v2", 12_000),
    ("cuGraphGetEdges_v2", 12_030),
    ("cuGraphInstantiate_v2", 11_000),
    ("cuGraphKernelNodeGetParams_v2", 12_000),
    ("cuGraphKernelNodeSetParams_v2", 12_000),
    ("cuGraphNodeGetDependencies_v2", 12_030),
    ("cuGraphNodeGetDependentNodes_v2", 12_030),
    ("cuGraphRemoveDependencies_v2", 12_030),
    ("cuIpcOpenMemHandle_v2", 11_000),
    ("cuLinkAddData_v2", 6050),
    ("cuLinkAddFile_v2", 6050),
    ("cuLinkCreate_v2", 6050),
    ("cuMemAdvise_v2", 12_020),
    ("cuMemHostRegister_v2", 6050),
    ("cuMemPrefetchAsync_v2", 12_020),
    ("cuMemcpy3DBatchAsync_v2", 13_000),
    ("cuMemcpyBatchAsync_v2", 13_000),
    ("cuStreamBatchMemOp_v2", 11_070),
    ("cuStreamBeginCapture_v2", 10_010),
    ("cuStreamGetCaptureInfo_v3", 12_030),
    ("cuStreamGetCaptureInfo_v2", 11_030),
    ("cuStreamGetCtx_v2", 12_050),
    ("cuStreamUpdateCaptureDependencies_v2", 12_030),
    ("cuStreamWaitValue32_v2", 11_070),
    ("cuStreamWaitValue64_v2", 11_070),
    ("cuStreamWriteValue32_v2", 11_070),
    ("cuStreamWriteValue64_v2", 11_070),
];

/// The form of a function for a version of CUDA.
fn form(name: &str, version: c_int) -> String {
    let base = |form: &str| form.rsplit_once("_v").is_some_and(|(base, _)| base == name);
    let mut forms = FORMS.iter().filter(|(form, _)| base(form)).peekable();
    if forms.peek().is_some() {
        // cuCtxCreate had a second form in 3.2 already.
        let old = if name == "cuCtxCreate" { "_v2" } else { "" };
        let newest = forms.find(|(_, since)| *since <= version);
        return newest.map_or_else(|| format!("{name}{old}"), |(form, _)| (*form).to_owned());
    }
    let second = format!("{name}_v2");
    if find(&second, "").is_some() { second } else { name.to_owned() }
}

/// Flags of the search for an entry: the default stream is the legacy one, or that of the thread.
const LEGACY: u64 = 1;
const PER_THREAD: u64 = 2;

/// The address of a function of the driver, in the form that a version of CUDA has.
///
/// # Safety
/// The name ends in a NUL.
unsafe fn entry(
    name: *const c_char,
    to: *mut *const c_void,
    version: c_int,
    flags: u64,
    status: *mut c_int,
) -> Result<()> {
    if name.is_null() || to.is_null() || ![0, LEGACY, PER_THREAD].contains(&flags) {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let is_per_thread = flags == PER_THREAD || flags == 0 && streams::is_per_thread();
    let ending = if is_per_thread { "_ptsz" } else { "" };
    let found = find(&(form(&name, version) + ending), "");
    if !status.is_null() {
        write(status, if found.is_some() { 0 } else { 1 })?;
    }
    write(to, found.map_or(ptr::null(), <*const ()>::cast))?;
    match found {
        Some(_) => Ok(()),
        None => {
            messages::missing(&name);
            Err(Error::NOT_FOUND)
        }
    }
}

/// An attribute of a pointer by its number, as `cuPointerGetAttribute` writes it: the words, of
/// which the number of bytes counts. `None` for an attribute that the pointer does not have.
fn pointer_attribute(number: c_int, address: u64) -> Result<Option<(u64, usize)>> {
    with(|state| {
        let found = state.allocations.holding(address).map(|(start, own)| (start, own.clone()));
        let value = match number {
            2 | 3 | 4 | 7 | 9 | 11 | 12 | 13 | 16 | 17 if found.is_none() => return Ok(None),
            1 => (CONTEXT as u64, 8),
            2 => (found.as_ref().map_or(0, |(_, own)| u64::from(own.kind.is_of_device()) + 1), 4),
            3 => (state.device_pointer(address)?, 8),
            4 => match found.as_ref().is_some_and(|(_, own)| own.kind.is_of_device()) {
                true => return Ok(None),
                false => (address, 8),
            },
            6 => (1, 4),
            7 => (found.as_ref().map_or(0, |(start, _)| *start), 8),
            8 => {
                let kind = found.as_ref().map(|(_, own)| own.kind);
                (u64::from(matches!(kind, Some(Kind::Managed | Kind::ManagedVariable))), 4)
            }
            9 => (0, 4),
            // No handles for other processes, and no RDMA.
            10 | 14 | 15 | 21 => (0, 4),
            11 => (found.as_ref().map_or(0, |(start, _)| *start), 8),
            12 => (found.as_ref().map_or(0, |(_, own)| own.bytes as u64), 8),
            13 => (1, 4),
            16 => (3, 4),
            17 => (state.pools.of(address) as u64, 8),
            _ => return Err(Error::INVALID_VALUE),
        };
        Ok(Some(value))
    })
}

/// Writes an attribute of a pointer, or zeros.
fn write_attribute(to: *mut u64, number: c_int, address: u64) -> Result<bool> {
    let to = non_null(to)?;
    let value = pointer_attribute(number, address)?;
    match value {
        Some((value, 8)) => write(to, value)?,
        Some((value, _)) => write(to.cast::<u32>(), value as u32)?,
        None => write(to.cast::<u32>(), 0)?,
    }
    Ok(value.is_some())
}

/// `cudaMemoryType` of an address.
fn kind_of(address: u64) -> Result<c_int> {
    with(|state| {
        Ok(match state.allocations.holding(address).map(|(_, own)| own.kind) {
            None => 0,
            Some(Kind::Pinned | Kind::Registered { .. }) => 1,
            Some(Kind::Device | Kind::Variable) => 2,
            Some(Kind::Managed | Kind::ManagedVariable) => 3,
        })
    })
}

/// `cudaPointerAttributes`, without the reserved words behind it that 13.0 added.
#[repr(C)]
struct PointerAttributes {
    kind: c_int,
    device: c_int,
    on_device: u64,
    on_host: u64,
}

functions! {
    fn cudaGetDriverEntryPoint(name: *const c_char, to: *mut *const c_void, flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, runtime_version() as c_int, flags, status) }
    }
    fn cudaGetDriverEntryPointByVersion(name: *const c_char, to: *mut *const c_void, version: c_uint, flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, version.cast_signed(), flags, status) }
    }
    fn cuGetProcAddress(name: *const c_char, to: *mut *const c_void, version: c_int, flags: u64) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, version, flags, ptr::null_mut()) }
    }
    fn cuGetProcAddress_v2(name: *const c_char, to: *mut *const c_void, version: c_int, flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, version, flags, status) }
    }
    fn cuPointerGetAttribute(to: *mut u64, number: c_int, address: u64) {
        match write_attribute(to, number, address)? {
            true => Ok(()),
            false => Err(Error::INVALID_VALUE),
        }
    }
    fn cuPointerGetAttributes(count: c_uint, numbers: *const c_int, to: *const *mut u64, address: u64) {
        let (numbers, to) = (array(numbers, count as usize)?, array(to, count as usize)?);
        numbers.iter().zip(to).try_for_each(|(number, to)| write_attribute(*to, *number, address).map(|_| ()))
    }
    fn cuPointerSetAttribute(_from: usize, number: c_int, address: u64) {
        // Whether copies of it are synchronous, which does not matter here.
        let is_known = with(|state| Ok(state.allocations.holding(address).is_some()))?;
        if number == 6 && is_known { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }
    fn cudaPointerGetAttributes(to: *mut c_void, address: u64) {
        let kind = kind_of(address)?;
        let (on_device, on_host) = match kind {
            0 => (0, address),
            2 => (address, 0),
            _ => (address, address),
        };
        let device = if kind == 0 { -2 } else { 0 };
        write(to.cast(), PointerAttributes { kind, device, on_device, on_host })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_the_form_of_the_version() {
        let of = |name, version| form(name, version);
        assert_eq!(of("cuGraphAddNode", 12_020), "cuGraphAddNode");
        assert_eq!(of("cuGraphAddNode", 12_090), "cuGraphAddNode_v2");
        assert_eq!(
            [of("cuStreamGetCaptureInfo", 12_000), of("cuStreamGetCaptureInfo", 13_000)],
            ["cuStreamGetCaptureInfo_v2", "cuStreamGetCaptureInfo_v3"]
        );
        assert_eq!(
            [of("cuCtxCreate", 11_000), of("cuCtxCreate", 13_000)],
            ["cuCtxCreate_v2", "cuCtxCreate_v4"]
        );
        assert_eq!([of("cuMemAlloc", 4000), of("cuInit", 13_000)], ["cuMemAlloc_v2", "cuInit"]);
        // A newer form that is not answered is not replaced by an older one.
        assert_eq!(find(&of("cuStreamGetCtx", 13_000), ""), None);
    }
}
