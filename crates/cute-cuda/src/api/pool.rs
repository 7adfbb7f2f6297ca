//! Pools of memory, which keep nothing that is freed.

use std::ffi::{c_int, c_uint};

use crate::{
    api::{copies::read, device::of, graph::array, memory::allocate_in, non_null, write},
    error::{Error, Result},
    functions,
    pools::{Location, Pools},
    state::with,
};

/// `cudaMemPoolProps`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Properties {
    kind: c_int,
    handles: c_int,
    location: Location,
    security: usize,
    most: usize,
    usage: u16,
    reserved: [u8; 54],
}

/// `cudaMemAccessDesc`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
struct Access {
    location: Location,
    flags: c_uint,
}

/// Memory that can be read and written.
const READ_WRITE: c_uint = 3;

fn create(to: *mut usize, given: *const Properties) -> Result<()> {
    non_null(to)?;
    let given = read(given)?;
    // Pinned memory, which is all that there is.
    if given.kind != 1 || given.reserved.iter().any(|byte| *byte != 0) {
        return Err(Error::INVALID_VALUE);
    }
    given.location.check()?;
    if given.handles != 0 {
        return Err(Error::NOT_SUPPORTED);
    }
    write(to, with(|state| Ok(state.pools.create(given.most as u64)))?)
}

fn attribute(pool: usize, attribute: c_int, to: *mut u64) -> Result<()> {
    let value = with(|state| state.pools.attribute(pool, attribute))?;
    // The first ones are an `int`, the others have 64 bits.
    if attribute <= 3 { write(to.cast(), value as c_int) } else { write(to, value) }
}

fn set_attribute(pool: usize, attribute: c_int, from: *const u64) -> Result<()> {
    let value = if attribute <= 3 { u64::from(read(from.cast::<u32>())?) } else { read(from)? };
    with(|state| state.pools.set_attribute(pool, attribute, value))
}

fn set_access(pool: usize, list: *const Access, count: usize) -> Result<()> {
    with(|state| state.pools.check(pool))?;
    for access in array(list, count)? {
        access.location.check()?;
        // The device of a pool has access in any case.
        if access.flags != READ_WRITE {
            return Err(Error::INVALID_VALUE);
        }
    }
    Ok(())
}

fn access(to: *mut c_uint, pool: usize, location: *const Location) -> Result<()> {
    with(|state| state.pools.check(pool))?;
    read(location)?.check()?;
    write(to, READ_WRITE)
}

fn current(to: *mut usize, device: c_int) -> Result<()> {
    of(device)?;
    write(to, with(|state| Ok(state.pools.current()))?)
}

fn set_current(device: c_int, pool: usize) -> Result<()> {
    of(device)?;
    with(|state| state.pools.set_current(pool))
}

/// The pool of a device for one kind of memory.
fn at(location: *const Location, kind: c_int) -> Result<()> {
    read(location)?.check()?;
    if kind == 1 { Ok(()) } else { Err(Error::NOT_SUPPORTED) }
}

fn default(to: *mut usize, device: c_int) -> Result<()> {
    of(device)?;
    write(to, Pools::DEFAULT)
}

functions! {
    fn cudaDeviceGetDefaultMemPool(to: *mut usize, device: c_int) { default(to, device) }
    fn cudaDeviceGetMemPool(to: *mut usize, device: c_int) { current(to, device) }
    fn cudaDeviceSetMemPool(device: c_int, pool: usize) { set_current(device, pool) }
    fn cudaMemGetDefaultMemPool(to: *mut usize, location: *const Location, kind: c_int) {
        at(location, kind)?;
        default(to, 0)
    }
    fn cudaMemGetMemPool(to: *mut usize, location: *const Location, kind: c_int) {
        at(location, kind)?;
        current(to, 0)
    }
    fn cudaMemSetMemPool(location: *const Location, kind: c_int, pool: usize) {
        at(location, kind)?;
        set_current(0, pool)
    }
    fn cudaMemPoolCreate(to: *mut usize, given: *const Properties) { create(to, given) }
    fn cudaMemPoolDestroy(pool: usize) { with(|state| state.pools.destroy(pool)) }
    fn cudaMemPoolGetAttribute(pool: usize, number: c_int, to: *mut u64) { attribute(pool, number, to) }
    fn cudaMemPoolSetAttribute(pool: usize, number: c_int, from: *const u64) { set_attribute(pool, number, from) }
    fn cudaMemPoolSetAccess(pool: usize, list: *const Access, count: usize) { set_access(pool, list, count) }
    fn cudaMemPoolGetAccess(to: *mut c_uint, pool: usize, location: *const Location) { access(to, pool, location) }
    ignored "a pool keeps no memory" fn cudaMemPoolTrimTo(_pool: usize, _bytes: usize) { Ok(()) }
    fn cuDeviceGetDefaultMemPool(to: *mut usize, device: c_int) { default(to, device) }
    fn cuDeviceGetMemPool(to: *mut usize, device: c_int) { current(to, device) }
    fn cuDeviceSetMemPool(device: c_int, pool: usize) { set_current(device, pool) }
    fn cuMemGetDefaultMemPool(to: *mut usize, location: *const Location, kind: c_int) {
        at(location, kind)?;
        default(to, 0)
    }
    fn cuMemGetMemPool(to: *mut usize, location: *const Location, kind: c_int) {
        at(location, kind)?;
        current(to, 0)
    }
    fn cuMemSetMemPool(location: *const Location, kind: c_int, pool: usize) {
        at(location, kind)?;
        set_current(0, pool)
    }
    fn cuMemPoolCreate(to: *mut usize, given: *const Properties) { create(to, given) }
    fn cuMemPoolDestroy(pool: usize) { with(|state| state.pools.destroy(pool)) }
    fn cuMemPoolGetAttribute(pool: usize, number: c_int, to: *mut u64) { attribute(pool, number, to) }
    fn cuMemPoolSetAttribute(pool: usize, number: c_int, from: *const u64) { set_attribute(pool, number, from) }
    fn cuMemPoolSetAccess(pool: usize, list: *const Access, count: usize) { set_access(pool, list, count) }
    fn cuMemPoolGetAccess(to: *mut c_uint, pool: usize, location: *const Location) { access(to, pool, location) }
    ignored "a pool keeps no memory" fn cuMemPoolTrimTo(_pool: usize, _bytes: usize) { Ok(()) }
    fn cudaMallocFromPoolAsync(to: *mut u64, bytes: usize, pool: usize, stream: usize) {
        allocate_in(to, bytes, Some(pool), stream)
    }
    fn cuMemAllocFromPoolAsync(to: *mut u64, bytes: usize, pool: usize, stream: usize) {
        allocate_in(to, bytes, Some(pool), stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::tests::alone;

    #[test]
    fn a_pool_counts_its_memory_and_holds_no_more_than_it_may() {
        let _turn = alone();
        assert_eq!((size_of::<Properties>(), size_of::<Access>()), (88, 12));
        let location = Location { kind: 1, number: 0 };
        let given = Properties {
            kind: 1,
            handles: 0,
            location,
            security: 0,
            most: 4096,
            usage: 0,
            reserved: [0; 54],
        };
        let (mut pool, mut at, mut used, mut flags) = (0, 0, 0, 0);
        unsafe {
            assert_eq!(cudaMemPoolCreate(&raw mut pool, &raw const given), 0);
            assert_eq!(cudaMallocFromPoolAsync(&raw mut at, 4000, pool, 0), 0);
            assert_eq!(cudaMallocFromPoolAsync(&raw mut at, 100, pool, 0), 2);
            assert_eq!(cudaMemPoolGetAttribute(pool, 7, &raw mut used), 0);
            assert_eq!(used, 4000);
            assert_eq!(cudaMemPoolGetAccess(&raw mut flags, pool, &raw const location), 0);
            assert_eq!(flags, 3);
            with(|state| state.free(at, None)).unwrap();
            assert_eq!(cudaMemPoolGetAttribute(pool, 7, &raw mut used), 0);
            assert_eq!(used, 0);
            assert_eq!(cudaMemPoolGetAttribute(pool, 8, &raw mut used), 0);
            assert_eq!(used, 4000, "the greatest number so far");
            assert_eq!([cudaMemPoolDestroy(pool), cudaMemPoolDestroy(pool)], [0, 1]);
            assert_eq!(cudaMallocFromPoolAsync(&raw mut at, 100, pool, 0), 1);
            assert_eq!(cudaMemPoolDestroy(Pools::DEFAULT), 1, "the default pool stays");
            assert_eq!(cudaMemPoolGetAttribute(Pools::DEFAULT, 9, &raw mut used), 1);
        }
    }
}
