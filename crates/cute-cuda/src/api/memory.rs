//! Memory: allocations, copies, sets.

use std::ffi::{c_int, c_uint, c_void};

use crate::{
    api::{launch::own, write},
    error::{Error, Result},
    functions,
    graph::Captured,
    memory::{Call, Kind},
    state::with,
};

pub(super) fn allocate(to: *mut u64, kind: Kind, bytes: usize) -> Result<()> {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let address = with(|state| state.allocate(kind, bytes))?;
    write(to, address)
}

/// Bytes in three dimensions: the address of the first one, and the distances of rows and of
/// slices.
#[derive(Clone, Copy)]
pub struct Part {
    /// The address.
    pub at: u64,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
}

impl Part {
    fn of_rows(at: u64, pitch: usize) -> Self {
        Self { at, pitch, slice: 0 }
    }

    fn row(self, y: usize, z: usize) -> u64 {
        self.at.wrapping_add((z * self.slice + y * self.pitch) as u64)
    }
}

/// Copies rows of bytes. The extents are bytes, rows and slices.
///
/// # Errors
/// [`Error::INVALID_PITCH_VALUE`], and those of a copy.
pub fn copy_parts(
    to: Part,
    from: Part,
    extents: [usize; 3],
    call: (&'static str, usize, bool),
) -> Result<()> {
    let [width, height, depth] = extents;
    if width > to.pitch || width > from.pitch {
        return Err(Error::INVALID_PITCH_VALUE);
    }
    let rows = (0..depth).flat_map(|z| (0..height).map(move |y| (y, z)));
    rows.into_iter().try_for_each(|(y, z)| copy(to.row(y, z), from.row(y, z), width, 4, call))
}

pub(super) fn copy(
    to: u64,
    from: u64,
    bytes: usize,
    kind: c_int,
    (name, stream, is_async): (&'static str, usize, bool),
) -> Result<()> {
    if !(0..=4).contains(&kind) {
        return Err(Error::INVALID_MEMCPY_DIRECTION);
    }
    with(|state| {
        let call = Call { name, stream: state.streams.get(stream)?, is_async };
        let captured = || Captured::Copy { to, from, count: bytes, name };
        match is_async && state.graphs.take(call.stream, captured) {
            true => Ok(()),
            false => state.copy(to, from, bytes, &call),
        }
    })
}

pub(super) fn set(
    to: u64,
    element: &[u8],
    count: usize,
    (name, stream, is_async): (&'static str, usize, bool),
) -> Result<()> {
    with(|state| {
        let call = Call { name, stream: state.streams.get(stream)?, is_async };
        let captured = || Captured::Set { to, element: element.to_vec(), count, name };
        match is_async && state.graphs.take(call.stream, captured) {
            true => Ok(()),
            false => state.set(to, element, count, &call),
        }
    })
}

fn set_rows(
    to: Part,
    value: u8,
    (width, height): (usize, usize),
    call: (&'static str, usize, bool),
) -> Result<()> {
    if width > to.pitch {
        return Err(Error::INVALID_PITCH_VALUE);
    }
    (0..height).try_for_each(|row| set(to.row(row, 0), &[value], width, call))
}

/// The alignment of the rows of `cudaMallocPitch`.
const PITCH: usize = 512;

functions! {
    fn cudaMalloc(to: *mut u64, bytes: usize) { allocate(to, Kind::Device, bytes) }
    fn cudaMallocAsync(to: *mut u64, bytes: usize, stream: usize) {
        with(|state| state.streams.get(stream))?;
        allocate(to, Kind::Device, bytes)
    }
    fn cudaMallocAsync_ptsz(to: *mut u64, bytes: usize, stream: usize) {
        with(|state| state.streams.get(own(stream, true)))?;
        allocate(to, Kind::Device, bytes)
    }
    fn cudaMallocManaged(to: *mut u64, bytes: usize, flags: c_uint) {
        if bytes == 0 || !(flags == 1 || flags == 2) {
            return Err(Error::INVALID_VALUE);
        }
        allocate(to, Kind::Managed, bytes)
    }
    fn cudaMallocHost(to: *mut u64, bytes: usize) { allocate(to, Kind::Pinned, bytes) }
    fn cudaHostAlloc(to: *mut u64, bytes: usize, flags: c_uint) {
        if flags & !7 != 0 {
            return Err(Error::INVALID_VALUE);
        }
        allocate(to, Kind::Pinned, bytes)
    }
    fn cudaHostGetDevicePointer(to: *mut u64, host: u64, flags: c_uint) {
        if flags != 0 {
            return Err(Error::INVALID_VALUE);
        }
        write(to, with(|state| state.device_pointer(host))?)
    }
    fn cudaHostGetFlags(to: *mut c_uint, host: u64) {
        with(|state| state.allocations.holding(host).map(|_| ()).ok_or(Error::INVALID_VALUE))?;
        write(to, 2)
    }
    fn cudaMallocPitch(to: *mut u64, pitch: *mut usize, width: usize, height: usize) {
        let row = width.next_multiple_of(PITCH);
        write(pitch, row)?;
        allocate(to, Kind::Device, row.checked_mul(height).ok_or(Error::OUT_OF_MEMORY)?)
    }
    fn cudaFree(at: u64) { with(|state| state.free(at, None)) }
    fn cudaFreeAsync(at: u64, stream: usize) {
        with(|state| {
            let stream = state.streams.get(stream)?;
            state.free(at, Some(stream))
        })
    }
    fn cudaFreeAsync_ptsz(at: u64, stream: usize) {
        with(|state| {
            let stream = state.streams.get(own(stream, true))?;
            state.free(at, Some(stream))
        })
    }
    fn cudaFreeHost(at: u64) { with(|state| state.free(at, None)) }
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) {
        let (used, all) = with(|state| Ok((state.allocations.used, state.settings.capacity())))?;
        write(free, (all - used.min(all)) as usize)?;
        write(total, all as usize)
    }
    fn cudaMemcpy(to: u64, from: u64, bytes: usize, kind: c_int) {
        copy(to, from, bytes, kind, ("cudaMemcpy", 0, false))
    }
    fn cudaMemcpy_ptds(to: u64, from: u64, bytes: usize, kind: c_int) {
        copy(to, from, bytes, kind, ("cudaMemcpy", 2, false))
    }
    fn cudaMemcpyAsync(to: u64, from: u64, bytes: usize, kind: c_int, stream: usize) {
        copy(to, from, bytes, kind, ("cudaMemcpyAsync", stream, true))
    }
    fn cudaMemcpyAsync_ptsz(to: u64, from: u64, bytes: usize, kind: c_int, stream: usize) {
        copy(to, from, bytes, kind, ("cudaMemcpyAsync", own(stream, true), true))
    }
    fn cudaMemcpyPeer(to: u64, _a: c_int, from: u64, _b: c_int, bytes: usize) {
        copy(to, from, bytes, 4, ("cudaMemcpyPeer", 0, false))
    }
    fn cudaMemcpyPeerAsync(to: u64, _a: c_int, from: u64, _b: c_int, bytes: usize, stream: usize) {
        copy(to, from, bytes, 4, ("cudaMemcpyPeerAsync", stream, true))
    }
    fn cudaMemcpy2D(to: u64, to_pitch: usize, from: u64, from_pitch: usize, width: usize, height: usize, _kind: c_int) {
        let (to, from) = (Part::of_rows(to, to_pitch), Part::of_rows(from, from_pitch));
        copy_parts(to, from, [width, height, 1], ("cudaMemcpy2D", 0, false))
    }
    fn cudaMemcpy2DAsync(to: u64, to_pitch: usize, from: u64, from_pitch: usize, width: usize, height: usize, _kind: c_int, stream: usize) {
        let (to, from) = (Part::of_rows(to, to_pitch), Part::of_rows(from, from_pitch));
        copy_parts(to, from, [width, height, 1], ("cudaMemcpy2DAsync", stream, true))
    }
    fn cudaMemset(to: u64, value: c_int, bytes: usize) { set(to, &[value as u8], bytes, ("cudaMemset", 0, false)) }
    fn cudaMemset_ptds(to: u64, value: c_int, bytes: usize) { set(to, &[value as u8], bytes, ("cudaMemset", 2, false)) }
    fn cudaMemsetAsync(to: u64, value: c_int, bytes: usize, stream: usize) {
        set(to, &[value as u8], bytes, ("cudaMemsetAsync", stream, true))
    }
    fn cudaMemsetAsync_ptsz(to: u64, value: c_int, bytes: usize, stream: usize) {
        set(to, &[value as u8], bytes, ("cudaMemsetAsync", own(stream, true), true))
    }
    fn cudaMemset2D(to: u64, pitch: usize, value: c_int, width: usize, height: usize) {
        set_rows(Part::of_rows(to, pitch), value as u8, (width, height), ("cudaMemset2D", 0, false))
    }
    fn cudaMemset2DAsync(to: u64, pitch: usize, value: c_int, width: usize, height: usize, stream: usize) {
        set_rows(Part::of_rows(to, pitch), value as u8, (width, height), ("cudaMemset2DAsync", stream, true))
    }
    ignored "managed memory is in one place" fn cudaMemPrefetchAsync(_at: *const c_void, _bytes: usize, _a: usize, _b: usize, _c: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cudaMemAdvise(_at: *const c_void, _bytes: usize, _a: usize, _b: usize) { Ok(()) }
}
