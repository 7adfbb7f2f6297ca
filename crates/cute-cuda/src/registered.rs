//! Memory of the host that a program registers: it stays where it is, and kernels see it at an
//! address of the device alone, which `cudaHostGetDevicePointer` returns. It cannot be at one
//! address for both: that of the host is the program's own, and the simulator finds memory by bits
//! of its addresses.

use std::{ffi::c_void, ptr, sync::Arc};

use cute_sim::Touch;

use crate::{
    error::{Error, Result},
    memory::{Allocation, HostBytes, Kind},
    state::DriverState,
};

/// The flag of `cudaHostRegister` for memory of another device.
const IO_MEMORY: u32 = 4;

/// Every flag: portable, mapped, of another device, read by the device alone.
const ALL_FLAGS: u32 = 15;

/// The size of a page, by which the system knows whether memory is mapped.
const PAGE: u64 = 4096;

/// Whether all of these bytes are mapped in the process.
fn is_mapped(address: u64, bytes: usize) -> bool {
    let start = address / PAGE * PAGE;
    let length = (address - start) as usize + bytes;
    let mut pages = vec![0; length.div_ceil(PAGE as usize)];
    // SAFETY: the call writes a byte for each page, and touches none.
    unsafe {
        libc::mincore(ptr::without_provenance_mut::<c_void>(start as usize), length, pages.as_mut_ptr()) == 0
    }
}

impl DriverState {
    /// Registers memory of the host.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for unknown flags and for memory that is not all there,
    /// [`Error::HOST_MEMORY_ALREADY_REGISTERED`], and [`Error::NOT_SUPPORTED`] for memory of
    /// another device.
    pub fn register(&mut self, address: u64, bytes: usize, flags: u32) -> Result<()> {
        let end = address.checked_add(bytes as u64).filter(|end| *end >> 47 == 0);
        let Some(end) = end.filter(|_| address != 0 && bytes > 0 && flags & !ALL_FLAGS == 0) else {
            return Err(Error::INVALID_VALUE);
        };
        if flags & IO_MEMORY != 0 {
            self.launches.remark("cudaHostRegister of memory of another device is not supported");
            return Err(Error::NOT_SUPPORTED);
        }
        if self.allocations.overlap(address..end) {
            return Err(Error::HOST_MEMORY_ALREADY_REGISTERED);
        }
        if !is_mapped(address, bytes) {
            let text = format!("a registration of {bytes} bytes at {address:#x}, which are not all mapped");
            self.launches.remark(&text);
            return Err(Error::INVALID_VALUE);
        }
        let contents = Arc::new(HostBytes { at: address as usize, bytes });
        let buffer = self.memory.try_upload(contents).ok_or(Error::OUT_OF_MEMORY)?;
        self.memory.name(buffer, &format!("registered memory of the host ({bytes} bytes)"));
        let device = self.memory.address(buffer).ok_or(Error::OUT_OF_MEMORY)?;
        self.allocations.insert(address, Allocation { buffer, bytes, kind: Kind::Registered { device } });
        Ok(())
    }

    /// Ends the registration of memory of the host, which stays where it is.
    ///
    /// # Errors
    /// [`Error::HOST_MEMORY_NOT_REGISTERED`] for an address that no registered memory begins at.
    pub fn unregister(&mut self, address: u64) -> Result<()> {
        let own = self.allocations.starting(address);
        let own = own.filter(|own| matches!(own.kind, Kind::Registered { .. })).cloned();
        let own = own.ok_or(Error::HOST_MEMORY_NOT_REGISTERED)?;
        self.memory.order_mut().synchronize_all();
        let touch = Touch { buffer: own.buffer, bytes: 0..own.bytes, writes: true, frees: false };
        self.operate("unregister", None, vec![touch]);
        self.allocations.remove(address);
        self.memory.free(own.buffer);
        Ok(())
    }

    /// The address by which kernels use a byte that the host shares.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for other bytes.
    pub fn device_pointer(&self, host: u64) -> Result<u64> {
        let (start, own) = self.allocations.holding(host).ok_or(Error::INVALID_VALUE)?;
        Ok(match own.kind {
            Kind::Registered { device } => device + (host - start),
            _ => host,
        })
    }
}
