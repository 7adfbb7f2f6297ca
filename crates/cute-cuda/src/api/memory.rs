//! Memory: allocations, copies, sets.

use std::{
    ffi::{c_int, c_uint},
    ptr,
};

use cute_sim::order::Stream;

use crate::{
    api::{graph::array, non_null, write},
    error::{Error, Result},
    functions,
    graph::Work,
    memory::{Call, Kind},
    parts::Part,
    state::with,
};

pub(super) fn allocate(to: *mut u64, kind: Kind, bytes: usize) -> Result<()> {
    if to.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    let address = with(|state| state.allocate(kind, bytes))?;
    write(to, address)
}

/// Allocates memory of a pool in a stream. A captured stream gets memory that stays.
pub(super) fn allocate_in(to: *mut u64, bytes: usize, pool: Option<usize>, stream: usize) -> Result<()> {
    non_null(to)?;
    let address = with(|state| {
        let stream = state.stream(stream)?;
        let pool = pool.unwrap_or(state.pools.current());
        state.pools.has(pool, bytes as u64)?;
        let address = state.allocate(Kind::Device, bytes)?;
        state.pools.add(pool, address, bytes as u64);
        state.graphs.take(stream, || Work::Allocate(address));
        Ok(address)
    })?;
    write(to, address)
}

/// Frees memory in a stream. Memory of a captured stream stays for later launches of the graph.
pub(super) fn free_in(at: u64, stream: usize) -> Result<()> {
    with(|state| {
        let stream = state.stream(stream)?;
        match state.graphs.take(stream, || Work::Free(at)) {
            true => Ok(()),
            false => state.free(at, Some(stream)),
        }
    })
}

/// A copy or a set: its function, the handle of its stream, and whether it returns at once.
pub(super) type Given = (&'static str, usize, bool);

/// Copies rows of bytes. The extents are bytes, rows and slices.
///
/// # Errors
/// [`Error::INVALID_PITCH_VALUE`], and those of a copy.
pub(super) fn copy_parts(
    to: Part,
    from: Part,
    extents: [usize; 3],
    (name, stream, is_async): Given,
) -> Result<()> {
    with(|state| {
        let call = Call { name, stream: state.stream(stream)?, is_async };
        let work = || Work::Copy { to, from, extents, name };
        match is_async && state.graphs.take(call.stream, work) {
            true => Ok(()),
            false => state.copy_parts(to, from, extents, &call),
        }
    })
}

pub(super) fn copy(to: u64, from: u64, bytes: usize, kind: c_int, given: Given) -> Result<()> {
    if !(0..=4).contains(&kind) {
        return Err(Error::INVALID_MEMCPY_DIRECTION);
    }
    copy_parts(Part::of(to, bytes), Part::of(from, bytes), [bytes, 1, 1], given)
}

/// Sets elements of 1, 2 or 4 bytes. The extents are elements, rows and slices.
///
/// # Errors
/// [`Error::INVALID_PITCH_VALUE`], and those of a set.
pub(super) fn set_parts(
    to: Part,
    element: &[u8],
    extents: [usize; 3],
    (name, stream, is_async): Given,
) -> Result<()> {
    with(|state| {
        let call = Call { name, stream: state.stream(stream)?, is_async };
        let work = || Work::Set { to, element: element.to_vec(), extents, name };
        match is_async && state.graphs.take(call.stream, work) {
            true => Ok(()),
            false => state.set_parts(to, element, extents, &call),
        }
    })
}

pub(super) fn set(to: u64, element: &[u8], count: usize, given: Given) -> Result<()> {
    let bytes = element.len().checked_mul(count).ok_or(Error::INVALID_VALUE)?;
    set_parts(Part::of(to, bytes), element, [count, 1, 1], given)
}

fn set_rows(to: Part, value: u8, (width, height): (usize, usize), given: Given) -> Result<()> {
    set_parts(to, &[value], [width, height, 1], given)
}

/// The flags of pinned memory, which is mapped.
pub(super) fn host_flags(to: *mut c_uint, host: u64) -> Result<()> {
    non_null(to)?;
    with(|state| {
        let own = state.allocations.holding(host).map(|(_, own)| own.kind);
        let is_pinned = own.is_some_and(|kind| matches!(kind, Kind::Pinned | Kind::Registered { .. }));
        if is_pinned { Ok(()) } else { Err(Error::INVALID_VALUE) }
    })?;
    write(to, 2)
}

/// An attribute of managed memory, which is in one place: whether it is mostly read, and then
/// where it should be, which devices access it, and where it was prefetched to, without advice.
fn range_attribute(to: *mut c_int, bytes: usize, attribute: c_int, at: u64, count: usize) -> Result<()> {
    /// `cudaInvalidDeviceId`.
    const NO_DEVICE: c_int = -2;
    let to = non_null(to)?;
    let value = match attribute {
        // The second four are kinds and numbers of places.
        1 | 5 | 6 | 7 | 8 => 0,
        2..=4 => NO_DEVICE,
        _ => return Err(Error::INVALID_VALUE),
    };
    if bytes == 0 || !bytes.is_multiple_of(4) || attribute != 3 && bytes != 4 {
        return Err(Error::INVALID_VALUE);
    }
    with(|state| {
        let own = state.allocations.holding(at).filter(|(start, own)| {
            let end = (at - start).checked_add(count as u64);
            own.kind == Kind::Managed && end.is_some_and(|end| end <= own.bytes as u64)
        });
        own.map(|_| ()).ok_or(Error::INVALID_VALUE)
    })?;
    // SAFETY: the program passes a buffer of this length.
    (0..bytes / 4).for_each(|place| unsafe { to.add(place).write_unaligned(value) });
    Ok(())
}

fn range_attributes(
    to: *const *mut c_int,
    bytes: *const usize,
    attributes: *const c_int,
    number: usize,
    at: u64,
    count: usize,
) -> Result<()> {
    let (to, bytes, attributes) = (array(to, number)?, array(bytes, number)?, array(attributes, number)?);
    let all = to.iter().zip(bytes).zip(attributes);
    all.into_iter()
        .try_for_each(|((to, bytes), attribute)| range_attribute(*to, *bytes, *attribute, at, count))
}

/// Copies of a batch, one after another. Hints about them are ignored. The number of the first one
/// that fails is written, if the program asks for it.
fn batch(
    (to, from, bytes): (*const u64, *const u64, *const usize),
    count: usize,
    failed: *mut usize,
    given: Given,
) -> Result<()> {
    let (to, from, bytes) = (array(to, count)?, array(from, count)?, array(bytes, count)?);
    if count == 0 || with(|state| state.stream(given.1))? == Stream::LEGACY {
        return Err(Error::INVALID_VALUE);
    }
    for at in 0..count {
        if let Err(why) = copy(to[at], from[at], bytes[at], 4, given) {
            if !failed.is_null() {
                write(failed, at)?;
            }
            return Err(why);
        }
    }
    Ok(())
}

functions! {
    fn cudaMemcpyBatchAsync(
        to: *const u64, from: *const u64, bytes: *const usize, count: usize, _hints: usize, _of: usize, _number: usize,
        stream: usize,
    ) {
        batch((to, from, bytes), count, ptr::null_mut(), ("cudaMemcpyBatchAsync", stream, true))
    }
    fn batch_12 = "cudaMemcpyBatchAsync@12" (
        to: *const u64, from: *const u64, bytes: *const usize, count: usize, _hints: usize, _of: usize, _number: usize,
        failed: *mut usize, stream: usize,
    ) {
        batch((to, from, bytes), count, failed, ("cudaMemcpyBatchAsync", stream, true))
    }
    fn cuMemcpyBatchAsync(
        to: *const u64, from: *const u64, bytes: *const usize, count: usize, _hints: usize, _of: usize, _number: usize,
        failed: *mut usize, stream: usize,
    ) {
        batch((to, from, bytes), count, failed, ("cuMemcpyBatchAsync", stream, true))
    }
    fn cuMemcpyBatchAsync_v2(
        to: *const u64, from: *const u64, bytes: *const usize, count: usize, _hints: usize, _of: usize, _number: usize,
        stream: usize,
    ) {
        batch((to, from, bytes), count, ptr::null_mut(), ("cuMemcpyBatchAsync", stream, true))
    }
    fn cudaMalloc(to: *mut u64, bytes: usize) { allocate(to, Kind::Device, bytes) }
    fn cudaMallocAsync(to: *mut u64, bytes: usize, stream: usize) { allocate_in(to, bytes, None, stream) }
    fn cuMemAllocAsync(to: *mut u64, bytes: usize, stream: usize) { allocate_in(to, bytes, None, stream) }
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
        host_flags(to, host)
    }
    fn cudaFree(at: u64) { with(|state| state.free(at, None)) }
    fn cudaFreeAsync(at: u64, stream: usize) { free_in(at, stream) }
    fn cuMemFreeAsync(at: u64, stream: usize) { free_in(at, stream) }
    fn cudaFreeHost(at: u64) { with(|state| state.free(at, None)) }
    fn cudaMemGetInfo(free: *mut usize, total: *mut usize) {
        let (used, all) = with(|state| Ok((state.allocations.used, state.settings.capacity())))?;
        write(free, (all - used.min(all)) as usize)?;
        write(total, all as usize)
    }
    fn cudaMemcpy(to: u64, from: u64, bytes: usize, kind: c_int) {
        copy(to, from, bytes, kind, ("cudaMemcpy", 0, false))
    }
    fn cudaMemcpyAsync(to: u64, from: u64, bytes: usize, kind: c_int, stream: usize) {
        copy(to, from, bytes, kind, ("cudaMemcpyAsync", stream, true))
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
    fn cudaMemsetAsync(to: u64, value: c_int, bytes: usize, stream: usize) {
        set(to, &[value as u8], bytes, ("cudaMemsetAsync", stream, true))
    }
    fn cudaMemset2D(to: u64, pitch: usize, value: c_int, width: usize, height: usize) {
        set_rows(Part::of_rows(to, pitch), value as u8, (width, height), ("cudaMemset2D", 0, false))
    }
    fn cudaMemset2DAsync(to: u64, pitch: usize, value: c_int, width: usize, height: usize, stream: usize) {
        set_rows(Part::of_rows(to, pitch), value as u8, (width, height), ("cudaMemset2DAsync", stream, true))
    }
    // The place is an int in 12, and a structure in 13; both are one register.
    ignored "managed memory is in one place" fn cudaMemPrefetchAsync(_at: usize, _bytes: usize, _place: usize, _flags: usize, _stream: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cudaMemPrefetchAsync_v2(_at: usize, _bytes: usize, _place: usize, _flags: c_uint, _stream: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cudaMemAdvise(_at: usize, _bytes: usize, _advice: c_int, _place: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cudaMemAdvise_v2(_at: usize, _bytes: usize, _advice: c_int, _place: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cudaMemPrefetchBatchAsync(
        _at: usize, _bytes: usize, _count: usize, _places: usize, _numbers: usize, _of: usize, _flags: u64, _stream: usize,
    ) { Ok(()) }
    fn cudaMemRangeGetAttribute(to: *mut c_int, bytes: usize, attribute: c_int, at: u64, count: usize) {
        range_attribute(to, bytes, attribute, at, count)
    }
    fn cudaMemRangeGetAttributes(
        to: *const *mut c_int, bytes: *const usize, attributes: *const c_int, number: usize, at: u64, count: usize,
    ) {
        range_attributes(to, bytes, attributes, number, at, count)
    }
    ignored "managed memory is in one place" fn cuMemPrefetchAsync(_at: usize, _bytes: usize, _place: usize, _flags: usize, _stream: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cuMemPrefetchAsync_v2(_at: usize, _bytes: usize, _place: usize, _flags: c_uint, _stream: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cuMemAdvise(_at: usize, _bytes: usize, _advice: c_int, _place: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cuMemAdvise_v2(_at: usize, _bytes: usize, _advice: c_int, _place: usize) { Ok(()) }
    ignored "managed memory is in one place" fn cuMemPrefetchBatchAsync(
        _at: usize, _bytes: usize, _count: usize, _places: usize, _numbers: usize, _of: usize, _flags: u64, _stream: usize,
    ) { Ok(()) }
    fn cuMemRangeGetAttribute(to: *mut c_int, bytes: usize, attribute: c_int, at: u64, count: usize) {
        range_attribute(to, bytes, attribute, at, count)
    }
    fn cuMemRangeGetAttributes(
        to: *const *mut c_int, bytes: *const usize, attributes: *const c_int, number: usize, at: u64, count: usize,
    ) {
        range_attributes(to, bytes, attributes, number, at, count)
    }
    ignored "bytes that are discarded keep their values" fn cudaMemDiscardBatchAsync(_at: usize, _bytes: usize, _count: usize, _flags: u64, _stream: usize) { Ok(()) }
    ignored "bytes that are discarded keep their values" fn cudaMemDiscardAndPrefetchBatchAsync(
        _at: usize, _bytes: usize, _count: usize, _places: usize, _numbers: usize, _of: usize, _flags: u64, _stream: usize,
    ) { Ok(()) }
    ignored "bytes that are discarded keep their values" fn cuMemDiscardBatchAsync(_at: usize, _bytes: usize, _count: usize, _flags: u64, _stream: usize) { Ok(()) }
    ignored "bytes that are discarded keep their values" fn cuMemDiscardAndPrefetchBatchAsync(
        _at: usize, _bytes: usize, _count: usize, _places: usize, _numbers: usize, _of: usize, _flags: u64, _stream: usize,
    ) { Ok(()) }
}
