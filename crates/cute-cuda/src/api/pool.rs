//! Pools of memory, of which there is one, and pitched memory in three dimensions.

use std::ffi::{c_int, c_void};

use crate::{
    api::{
        memory::{Part, allocate, copy_parts},
        write,
    },
    error::{Error, Result},
    functions,
    memory::Kind,
};

/// The handle of the only pool.
const POOL: usize = 0x1_0010;

/// The alignment of rows.
const PITCH: usize = 512;

/// `cudaPitchedPtr`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Pitched {
    at: u64,
    pitch: usize,
    width: usize,
    height: usize,
}

/// `cudaExtent`, and `cudaPos`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Three {
    extents: [usize; 3],
}

/// `cudaMemcpy3DParms`.
#[repr(C)]
struct Copy3 {
    from_array: usize,
    from_at: Three,
    from: Pitched,
    to_array: usize,
    to_at: Three,
    to: Pitched,
    extent: Three,
    kind: c_int,
}

fn part(memory: Pitched, at: Three) -> Part {
    let [x, y, z] = at.extents;
    let slice = memory.pitch * memory.height;
    Part { at: memory.at.wrapping_add((z * slice + y * memory.pitch + x) as u64), pitch: memory.pitch, slice }
}

/// # Safety
/// It points to a `cudaMemcpy3DParms`, or is null.
unsafe fn copy(given: *const c_void, call: (&'static str, usize, bool)) -> Result<()> {
    if given.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let given = unsafe { &*given.cast::<Copy3>() };
    if given.from_array != 0 || given.to_array != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    copy_parts(part(given.to, given.to_at), part(given.from, given.from_at), given.extent.extents, call)
}

functions! {
    fn cudaMalloc3D(to: *mut c_void, extent: Three) {
        let [width, height, depth] = extent.extents;
        let pitch = width.next_multiple_of(PITCH);
        let bytes = pitch.checked_mul(height).and_then(|slice| slice.checked_mul(depth));
        let mut at = 0;
        allocate(&mut at, Kind::Device, bytes.ok_or(Error::OUT_OF_MEMORY)?)?;
        write(to.cast(), Pitched { at, pitch, width, height })
    }
    fn cudaMemcpy3D(given: *const c_void) {
        // SAFETY: the program passes parameters.
        unsafe { copy(given, ("cudaMemcpy3D", 0, false)) }
    }
    fn cudaMemcpy3DAsync(given: *const c_void, stream: usize) {
        // SAFETY: the program passes parameters.
        unsafe { copy(given, ("cudaMemcpy3DAsync", stream, true)) }
    }
    fn cudaDeviceGetDefaultMemPool(to: *mut usize, _device: c_int) { write(to, POOL) }
    fn cudaDeviceGetMemPool(to: *mut usize, _device: c_int) { write(to, POOL) }
    ignored "there is one pool" fn cudaDeviceSetMemPool(_device: c_int, _pool: usize) { Ok(()) }
    ignored "a pool keeps no memory" fn cudaMemPoolSetAttribute(_pool: usize, _attribute: c_int, _value: usize) { Ok(()) }
    ignored "a pool keeps no memory" fn cudaMemPoolTrimTo(_pool: usize, _bytes: usize) { Ok(()) }
    fn cudaMallocFromPoolAsync(to: *mut u64, bytes: usize, _pool: usize, _stream: usize) {
        allocate(to, Kind::Device, bytes)
    }
}
