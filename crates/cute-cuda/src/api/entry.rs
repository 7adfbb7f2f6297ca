//! Functions by their names, and the attributes of pointers.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use crate::{
    api::{find, write},
    error::{Error, Result},
    functions,
    memory::Kind,
    state::with,
};

/// The address of a function of the driver, of the newest version of its interface.
///
/// # Safety
/// The name ends in a NUL.
unsafe fn entry(name: *const c_char, to: *mut *const c_void, status: *mut c_int) -> Result<()> {
    if name.is_null() || to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned();
    let newest = ["_v3", "_v2", ""].into_iter().find_map(|version| find(&format!("{name}{version}"), ""));
    if !status.is_null() {
        write(status, if newest.is_some() { 0 } else { 1 })?;
    }
    write(to, newest.map_or(std::ptr::null(), <*const ()>::cast))?;
    match newest {
        Some(_) => Ok(()),
        None => {
            crate::messages::missing(&name);
            Err(Error::NOT_FOUND)
        }
    }
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
    fn cudaGetDriverEntryPoint(name: *const c_char, to: *mut *const c_void, _flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, status) }
    }
    fn cudaGetDriverEntryPointByVersion(name: *const c_char, to: *mut *const c_void, _version: c_uint, _flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, status) }
    }
    fn cuGetProcAddress(name: *const c_char, to: *mut *const c_void, _version: c_int, _flags: u64) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, std::ptr::null_mut()) }
    }
    fn cuGetProcAddress_v2(name: *const c_char, to: *mut *const c_void, _version: c_int, _flags: u64, status: *mut c_int) {
        // SAFETY: the program passes a text.
        unsafe { entry(name, to, status) }
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
