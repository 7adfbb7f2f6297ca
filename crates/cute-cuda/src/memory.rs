//! Memory that programs allocate: of the device alone, or shared with the host.
//!
//! Memory of the device has addresses that no process has, so that the host cannot use it by
//! mistake. Memory that the host shares (managed, mapped, pinned) is mapped into the process at the
//! address that kernels use. The host's bytes count: a launch begins with them, and writes back
//! what it has written.

use std::{collections::BTreeMap, ffi::c_void, fmt, ops::Range, ptr, slice, sync::Arc};

use cute_sim::{Buffer, Contents, Memory, Operation, Touch, Zeros, order::Stream, place::SourcePlace};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use crate::{
    error::{Error, Result},
    host_access,
    state::DriverState,
};

/// Where memory is, and who may use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `cudaMalloc` and its like.
    Device,
    /// `cudaMallocManaged`.
    Managed,
    /// `cudaMallocHost` and `cudaHostAlloc`.
    Pinned,
    /// A variable of the device.
    Variable,
    /// A variable that the host shares.
    ManagedVariable,
    /// `cudaHostRegister`: its address is that of the host.
    Registered {
        /// The address by which kernels use it.
        device: u64,
    },
}

impl Kind {
    /// Whether the host may use it.
    fn is_shared(self) -> bool {
        !matches!(self, Self::Device | Self::Variable)
    }

    /// Whether it is memory of the device for programs: managed memory counts as that.
    pub fn is_of_device(self) -> bool {
        !matches!(self, Self::Pinned | Self::Registered { .. })
    }

    /// Whether the program may free it.
    fn is_allocated(self) -> bool {
        !matches!(self, Self::Variable | Self::ManagedVariable | Self::Registered { .. })
    }

    fn function(self) -> &'static str {
        match self {
            Self::Device => "cudaMalloc",
            Self::Managed => "cudaMallocManaged",
            Self::Pinned => "cudaMallocHost",
            Self::Variable => "__device__",
            Self::ManagedVariable => "__managed__",
            Self::Registered { .. } => "cudaHostRegister",
        }
    }
}

/// One allocation.
#[derive(Debug, Clone)]
pub struct Allocation {
    /// The simulator's buffer.
    pub buffer: Buffer,
    /// The number of bytes.
    pub bytes: usize,
    /// Where it is.
    pub kind: Kind,
}

/// The allocations that have not been freed, by their addresses.
#[derive(Debug, Default)]
pub struct Allocations {
    live: BTreeMap<u64, Allocation>,
    count: u64,
    /// Bytes of those that are live.
    pub used: u64,
}

/// Bytes in the process.
pub(crate) struct HostBytes {
    /// The address of the first one.
    pub(crate) at: usize,
    /// Their number.
    pub(crate) bytes: usize,
}

impl fmt::Debug for HostBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes of the host", self.bytes)
    }
}

impl Contents for HostBytes {
    fn size(&self) -> usize {
        self.bytes
    }

    fn read(&self, at: usize, to: &mut [u8]) {
        // SAFETY: the memory is mapped while its allocation is live, and `at` is inside.
        unsafe { ptr::copy_nonoverlapping((self.at + at) as *const u8, to.as_mut_ptr(), to.len()) }
    }
}

/// Bytes that a call names by an address.
#[derive(Debug, Clone)]
pub enum Bytes {
    /// In a buffer of the device alone, from a byte on.
    Device(Buffer, usize),
    /// In memory that the host shares: the buffer, and the address of the first byte.
    Shared(Buffer, usize, u64),
    /// In memory that only the host has.
    Host(u64),
}

impl Allocations {
    /// The allocation that has a byte, with its address.
    pub fn holding(&self, address: u64) -> Option<(u64, &Allocation)> {
        let (start, found) = self.live.range(..=address).next_back()?;
        let is_inside = address < start + found.bytes.max(1) as u64;
        is_inside.then_some((*start, found))
    }

    /// Those that the host shares, with their addresses.
    pub fn shared(&self) -> impl Iterator<Item = (u64, &Allocation)> {
        self.live.iter().filter(|(_, own)| own.kind.is_shared()).map(|(at, own)| (*at, own))
    }

    /// All of them, with their addresses.
    pub fn live(&self) -> impl Iterator<Item = (u64, &Allocation)> {
        self.live.iter().map(|(at, own)| (*at, own))
    }
}

impl Allocations {
    /// The allocation that begins at an address.
    pub fn starting(&self, address: u64) -> Option<&Allocation> {
        self.live.get(&address)
    }

    /// The start of the allocation that a kernel reaches by an address, and the byte there.
    pub fn place(&self, address: u64) -> Option<(u64, u64)> {
        let (start, _) = self.holding(self.of_host(address))?;
        Some((start, self.of_host(address) - start))
    }

    /// Whether some of these bytes are in an allocation.
    pub fn overlap(&self, bytes: Range<u64>) -> bool {
        let last = self.live.range(..bytes.end).next_back();
        last.is_some_and(|(start, own)| start + own.bytes as u64 > bytes.start)
    }

    /// Adds one that the program has.
    pub fn insert(&mut self, address: u64, allocation: Allocation) {
        self.live.insert(address, allocation);
    }

    /// Forgets one.
    pub fn remove(&mut self, address: u64) {
        self.live.remove(&address);
    }

    /// The address of the host for one by which kernels use registered memory; any other as it is.
    fn of_host(&self, address: u64) -> u64 {
        let registered = self.live.iter().find_map(|(host, own)| match own.kind {
            Kind::Registered { device } if (device..device + own.bytes as u64).contains(&address) => {
                Some(host + (address - device))
            }
            _ => None,
        });
        registered.unwrap_or(address)
    }

    /// The program may name a variable by its address, too.
    pub fn add_variable(&mut self, address: u64, buffer: Buffer, bytes: usize, kind: Kind) {
        self.live.insert(address, Allocation { buffer, bytes, kind });
    }
}

impl DriverState {
    /// The memory of a device of its own size is given.
    ///
    /// # Errors
    /// [`Error::OUT_OF_MEMORY`].
    pub fn allocate(&mut self, kind: Kind, bytes: usize) -> Result<u64> {
        let capacity = self.settings.capacity();
        if self.allocations.used.saturating_add(bytes as u64) > capacity {
            return Err(Error::OUT_OF_MEMORY);
        }
        let (buffer, address) = match kind {
            Kind::Device | Kind::Variable => {
                let buffer = self.memory.try_upload(Arc::new(Zeros(bytes))).ok_or(Error::OUT_OF_MEMORY)?;
                self.memory.leave_undefined(buffer);
                (buffer, self.memory.address(buffer).ok_or(Error::OUT_OF_MEMORY)?)
            }
            Kind::Managed | Kind::Pinned | Kind::ManagedVariable => map(&mut self.memory, bytes)?,
            // It has its memory already.
            Kind::Registered { .. } => return Err(Error::INVALID_VALUE),
        };
        self.allocations.count += 1;
        self.allocations.used += bytes as u64;
        if kind == Kind::Device {
            host_access::note(address, bytes, self.allocations.count);
        }
        let name = format!("allocation {} ({}, {bytes} bytes)", self.allocations.count, kind.function());
        self.memory.name(buffer, &name);
        self.allocations.live.insert(address, Allocation { buffer, bytes, kind });
        Ok(address)
    }

    /// Frees an allocation. The null pointer is none.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] for an address that no live allocation begins at.
    pub fn free(&mut self, address: u64, stream: Option<Stream>) -> Result<()> {
        if address == 0 {
            return Ok(());
        }
        let own = self.allocations.live.get(&address).filter(|own| own.kind.is_allocated()).cloned();
        let Some(own) = own else {
            let inside = self.allocations.holding(address);
            let why = match inside {
                Some((start, Allocation { kind: Kind::Registered { .. }, .. })) => {
                    format!("registered memory at {start:#x}, which cudaHostUnregister gives back")
                }
                Some((start, own)) if !own.kind.is_allocated() => format!("a variable at {start:#x}"),
                Some((start, _)) => {
                    format!("an address {} bytes behind the start of an allocation", address - start)
                }
                None => "an address that is not allocated: it may have been freed already".to_owned(),
            };
            self.launches.remark(&format!("a free of {why}"));
            return Err(Error::INVALID_VALUE);
        };
        let touch = Touch { buffer: own.buffer, bytes: 0..own.bytes, writes: true, frees: false };
        let is_synchronous = stream.is_none();
        if is_synchronous {
            self.memory.order_mut().synchronize_all();
        }
        self.operate("free", Some(stream.unwrap_or(Stream::LEGACY)), vec![touch]);
        if is_synchronous {
            self.memory.order_mut().synchronize_all();
            self.forget();
        }
        self.drop_allocation(address);
        Ok(())
    }

    /// Forgets an allocation, whatever it is, and gives its memory back.
    pub fn drop_allocation(&mut self, address: u64) {
        let Some(own) = self.allocations.live.remove(&address) else { return };
        self.memory.free(own.buffer);
        self.pools.remove(address);
        let is_registered = matches!(own.kind, Kind::Registered { .. });
        if !is_registered && own.kind != Kind::Variable {
            self.allocations.used -= own.bytes as u64;
        }
        if !is_registered && own.kind.is_shared() {
            // SAFETY: it was mapped for this allocation, and is no longer among the live ones.
            let _ = unsafe { munmap(address as *mut c_void, own.bytes.max(1)) };
        }
        host_access::forget(address);
    }

    /// The bytes at an address.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`] if an allocation has some of them, and not all, or if the address
    /// is one of the device where nothing is allocated.
    pub fn bytes(&mut self, address: u64, count: usize, what: &str) -> Result<Bytes> {
        let address = self.allocations.of_host(address);
        let Some((start, own)) = self.allocations.holding(address) else {
            if address >> 47 != 0 || count > 0 && address == 0 {
                self.launches.remark(&format!("{what} {address:#x}, where nothing is allocated"));
                return Err(Error::INVALID_VALUE);
            }
            return Ok(Bytes::Host(address));
        };
        let at = (address - start) as usize;
        if at.checked_add(count).is_none_or(|end| end > own.bytes) {
            let bytes = own.bytes;
            self.launches
                .remark(&format!("{what} bytes {at}..{} of an allocation of {bytes} bytes", at + count));
            return Err(Error::INVALID_VALUE);
        }
        Ok(match own.kind {
            kind if kind.is_shared() => Bytes::Shared(own.buffer, at, address),
            _ => Bytes::Device(own.buffer, at),
        })
    }

    /// Copies bytes from one address to another.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn copy(&mut self, to: u64, from: u64, count: usize, call: &Call) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let (to, from) = (self.bytes(to, count, "a copy to")?, self.bytes(from, count, "a copy from")?);
        let stream = Some(call.stream);
        let touch = |bytes: &Bytes, writes: bool| bytes.touch(count, writes);
        let touches: Vec<Touch> = touch(&from, false).into_iter().chain(touch(&to, true)).collect();
        self.operate(call.name, stream, touches);
        match (&to, &from) {
            (Bytes::Device(to, at), Bytes::Device(from, first)) => {
                self.copy_within((*to, *at), (*from, *first), count);
            }
            (Bytes::Device(to, at), Bytes::Host(source) | Bytes::Shared(_, _, source)) => {
                // SAFETY: the program says that it has these bytes.
                let source = unsafe { slice::from_raw_parts(*source as *const u8, count) };
                self.memory.write(*to, *at, source);
            }
            (Bytes::Host(target) | Bytes::Shared(_, _, target), Bytes::Device(from, first)) => {
                // SAFETY: the program says that it has these bytes.
                let target = unsafe { slice::from_raw_parts_mut(*target as *mut u8, count) };
                self.memory.look(*from, *first, target);
            }
            (
                Bytes::Host(target) | Bytes::Shared(_, _, target),
                Bytes::Host(source) | Bytes::Shared(_, _, source),
            ) => {
                // SAFETY: the program says that it has these bytes; they may overlap.
                unsafe { ptr::copy(*source as *const u8, *target as *mut u8, count) }
            }
        }
        let touches_pageable = matches!(to, Bytes::Host(_)) || matches!(from, Bytes::Host(_));
        if !call.is_async || touches_pageable {
            self.memory.order_mut().synchronize(call.stream);
            self.forget();
        }
        Ok(())
    }

    /// Copies within the device. Bytes that nothing has written stay without a value.
    fn copy_within(&mut self, (to, at): (Buffer, usize), (from, first): (Buffer, usize), count: usize) {
        let mut written = Vec::new();
        self.memory.each_written(from, |bytes| {
            let (start, end) = (bytes.start.max(first), bytes.end.min(first + count));
            if start < end {
                written.push(start..end);
            }
        });
        // Through a copy, since the two may overlap.
        for bytes in written
            .iter()
            .map(|bytes| {
                let mut part = vec![0; bytes.len()];
                self.memory.look(from, bytes.start, &mut part);
                (bytes.start, part)
            })
            .collect::<Vec<_>>()
        {
            self.memory.write(to, at + (bytes.0 - first), &bytes.1);
        }
    }

    /// Sets bytes to elements of 1, 2 or 4 bytes.
    ///
    /// # Errors
    /// [`Error::INVALID_VALUE`].
    pub fn set(&mut self, to: u64, element: &[u8], count: usize, call: &Call) -> Result<()> {
        let bytes = element.len().checked_mul(count).ok_or(Error::INVALID_VALUE)?;
        if bytes == 0 {
            return Ok(());
        }
        let to = self.bytes(to, bytes, "a set of")?;
        if let Bytes::Host(address) = to {
            self.launches.remark(&format!(
                "a set of {address:#x}, which is memory of the host that the device does not share"
            ));
            return Err(Error::INVALID_VALUE);
        }
        self.operate(call.name, Some(call.stream), to.touch(bytes, true).into_iter().collect());
        match to {
            Bytes::Device(buffer, at) if element.iter().all(|byte| *byte == element[0]) => {
                self.memory.fill(buffer, at..at + bytes, element[0]);
            }
            Bytes::Device(buffer, at) => self.memory.write(buffer, at, &element.repeat(count)),
            Bytes::Shared(_, _, target) | Bytes::Host(target) => {
                // SAFETY: the allocation has these bytes.
                let target = unsafe { slice::from_raw_parts_mut(target as *mut u8, bytes) };
                target.chunks_exact_mut(element.len()).for_each(|to| to.copy_from_slice(element));
                if !call.is_async {
                    self.memory.order_mut().synchronize(call.stream);
                }
            }
        }
        Ok(())
    }

    /// An operation of the host comes next in a stream. Its races are reported.
    pub fn operate(&mut self, text: &str, stream: Option<Stream>, touches: Vec<Touch>) {
        let location = SourcePlace::default();
        let (ticket, findings) =
            self.memory.operate(&Operation { text, location: &location, stream, touches });
        self.streams.tickets.extend(ticket);
        self.launches.found(&findings);
    }

    /// Forgets the accesses of operations that the host has waited for.
    pub fn forget(&mut self) {
        let beside: Vec<_> = self.memory.order().beside_host().iter().map(|overlap| overlap.ticket).collect();
        let ended: Vec<_> = self.streams.tickets.extract_if(.., |ticket| !beside.contains(ticket)).collect();
        ended.into_iter().for_each(|ticket| self.memory.forget(ticket));
    }

    /// Lets kernels see what the host has written to memory that they share.
    pub fn refresh(&mut self) {
        for (address, own) in self.allocations.shared() {
            let contents = HostBytes { at: address as usize, bytes: own.bytes };
            self.memory.refresh(own.buffer, Arc::new(contents));
        }
    }

    /// Lets the host see what a kernel has written to memory that they share.
    pub fn write_back(&mut self) {
        for (address, own) in self.allocations.shared() {
            self.memory.each_written(own.buffer, |bytes| {
                // SAFETY: the memory is mapped while its allocation is live.
                let target = unsafe {
                    slice::from_raw_parts_mut((address as usize + bytes.start) as *mut u8, bytes.len())
                };
                self.memory.look(own.buffer, bytes.start, target);
            });
        }
    }
}

/// A copy or a set: its function, its stream, and whether it returns at once.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// The function, for findings.
    pub name: &'static str,
    /// The stream that it is enqueued in.
    pub stream: Stream,
    /// Whether the function has `Async` in its name.
    pub is_async: bool,
}

impl Bytes {
    fn touch(&self, count: usize, writes: bool) -> Option<Touch> {
        match self {
            Self::Device(buffer, at) | Self::Shared(buffer, at, _) => {
                Some(Touch { buffer: *buffer, bytes: *at..at + count, writes, frees: false })
            }
            Self::Host(_) => None,
        }
    }
}

/// Maps memory at the address that the simulator gives to its next buffer.
fn map(memory: &mut Memory, bytes: usize) -> Result<(Buffer, u64)> {
    while let Some(address) = memory.next_shared() {
        let flags = MapFlags::PRIVATE | MapFlags::FIXED_NOREPLACE | MapFlags::NORESERVE;
        let length = bytes.max(1);
        // SAFETY: `FIXED_NOREPLACE` replaces nothing that is mapped.
        let mapped = unsafe {
            mmap_anonymous(address as *mut c_void, length, ProtFlags::READ | ProtFlags::WRITE, flags)
        };
        match mapped {
            Ok(at) if at as u64 == address => {
                let contents = HostBytes { at: address as usize, bytes };
                let buffer = memory.share(Arc::new(contents)).ok_or(Error::OUT_OF_MEMORY)?;
                return Ok((buffer, address));
            }
            // Something else is there.
            Ok(elsewhere) => {
                // SAFETY: an old kernel has mapped it just now.
                let _ = unsafe { munmap(elsewhere, length) };
                memory.skip();
            }
            Err(_) => memory.skip(),
        }
    }
    Err(Error::OUT_OF_MEMORY)
}
