//! The functions of the runtime about devices: which there are, their properties and their limits.
//! There is one device, number 0.

use std::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

use cute_arch::Target;

use crate::{
    api::{non_null, reset, runtime_version, write},
    device::{
        self, Device,
        properties::{PCI_BUS, PropertiesVersion},
    },
    error::{Error, Result},
    functions,
};

/// The device of this number.
///
/// # Errors
/// [`Error::INVALID_DEVICE`] for all but 0.
pub fn of(number: c_int) -> Result<&'static Device> {
    if number == 0 { Ok(device::current()) } else { Err(Error::INVALID_DEVICE) }
}

/// The version of CUDA that the driver supports: the newest one whose functions are answered.
pub const DRIVER_VERSION: c_int = 13_000;

/// The limits of `cudaDeviceSetLimit` by their numbers, with their first values (CUDA Runtime API,
/// "Device Management", and the Guide's section on dynamic parallelism).
const LIMITS: [(&str, u64); 7] = [
    ("stack size", 1024),
    ("printf FIFO size", 1 << 20),
    ("malloc heap size", 8 << 20),
    ("device runtime sync depth", 2),
    ("device runtime pending launch count", 2048),
    ("L2 fetch granularity", 64),
    ("persisting L2 cache size", 0),
];

/// The number of the limit of a thread's stack.
const STACK: usize = 0;

/// The number of the limit of `cudaDeviceSynchronize` on the device, which Hopper and later
/// devices do not have.
const SYNC_DEPTH: usize = 3;

/// The number of the limit of the bytes that are fetched into the L2 cache at once.
const L2_GRANULARITY: usize = 5;

/// The number of the limit of the bytes of the L2 cache that persist.
const PERSISTING_L2: usize = 6;

static SET_LIMITS: [AtomicU64; LIMITS.len()] = {
    let mut all = [const { AtomicU64::new(0) }; LIMITS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = AtomicU64::new(LIMITS[at].1);
        at += 1;
    }
    all
};

/// The place of a limit that the device has.
fn place(limit: c_int) -> Result<usize> {
    let at = usize::try_from(limit).ok().filter(|at| *at < LIMITS.len()).ok_or(Error::INVALID_VALUE)?;
    let is_gone = at == SYNC_DEPTH && device::current().target.compute_capability() >= (9, 0);
    if is_gone { Err(Error::UNSUPPORTED_LIMIT) } else { Ok(at) }
}

/// The value of a limit.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for an unknown number, [`Error::UNSUPPORTED_LIMIT`] for a limit that
/// the device does not have.
pub fn limit(limit: c_int) -> Result<u64> {
    Ok(SET_LIMITS[place(limit)?].load(Ordering::Relaxed))
}

/// Sets a limit. A stack that no thread can have is refused; the others are held to what the
/// device has.
///
/// # Errors
/// Those of [`limit`], and [`Error::INVALID_VALUE`].
pub fn set_limit(limit: c_int, value: u64) -> Result<()> {
    let at = place(limit)?;
    let value = match at {
        STACK if value > Target::MAX_LOCAL_MEMORY.into() => return Err(Error::INVALID_VALUE),
        L2_GRANULARITY => value.min(128),
        PERSISTING_L2 => value.min(device::current().persisting_l2().into()),
        _ => value,
    };
    SET_LIMITS[at].store(value, Ordering::Relaxed);
    Ok(())
}

/// The flags of the device that `cudaSetDeviceFlags` sets: how a thread waits, which is of no
/// consequence here.
static FLAGS: AtomicU32 = AtomicU32::new(0);

/// The flag by which the memory of the host can be mapped, which is always set.
const MAP_HOST: c_uint = 0x08;

/// Every flag of `cudaSetDeviceFlags`.
const ALL_FLAGS: c_uint = 0xff;

/// The flags of the device.
pub fn flags() -> c_uint {
    FLAGS.load(Ordering::Relaxed) | MAP_HOST
}

/// Sets the flags of the device.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for flags that are not known.
pub fn set_flags(flags: c_uint) -> Result<()> {
    // At most one of the ways to wait: spin, yield, block.
    if flags & !ALL_FLAGS != 0 || (flags & 0x07).count_ones() > 1 {
        return Err(Error::INVALID_VALUE);
    }
    FLAGS.store(flags, Ordering::Relaxed);
    Ok(())
}

/// Forgets the limits and flags that were set: the device has been reset.
pub fn reset() {
    for (set, (_, first)) in SET_LIMITS.iter().zip(LIMITS) {
        set.store(first, Ordering::Relaxed);
    }
    FLAGS.store(0, Ordering::Relaxed);
}

/// The place of the device on the PCI bus.
const PCI: &str = const {
    assert!(PCI_BUS == 1);
    "0000:01:00.0"
};

/// Writes a text that ends in a NUL, cut off if it is longer than the buffer.
///
/// # Safety
/// The buffer has this length.
pub unsafe fn write_text(text: &str, to: *mut c_char, length: c_int) -> Result<()> {
    let to = non_null(to)?;
    let length = usize::try_from(length).ok().filter(|n| *n > 0).ok_or(Error::INVALID_VALUE)?;
    let kept = text.len().min(length - 1);
    // SAFETY: the caller's.
    unsafe {
        ptr::copy_nonoverlapping(text.as_ptr(), to.cast(), kept);
        to.add(kept).write(0);
    }
    Ok(())
}

/// Writes the place of the device on the PCI bus, for which the buffer must be large enough.
///
/// # Safety
/// The buffer has this length.
pub unsafe fn write_pci(to: *mut c_char, length: c_int, number: c_int) -> Result<()> {
    of(number)?;
    if usize::try_from(length).is_ok_and(|length| length > PCI.len()) {
        // SAFETY: the caller's.
        unsafe { write_text(PCI, to, length) }
    } else {
        Err(Error::INVALID_VALUE)
    }
}

/// The number of the device at a place on the PCI bus: `domain:bus:device.function`, of which the
/// domain and the function may be missing.
///
/// # Safety
/// The text ends in a NUL.
pub unsafe fn at_pci(place: *const c_char) -> Result<c_int> {
    let place = non_null(place.cast_mut())?;
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(place) }.to_str().map_err(|_| Error::INVALID_VALUE)?;
    let number = |text: &str| u32::from_str_radix(text, 16).map_err(|_| Error::INVALID_VALUE);
    let (path, function) = text.rsplit_once('.').unwrap_or((text, "0"));
    let parts = path.split(':').map(number).collect::<Result<Vec<_>>>()?;
    let (domain, bus, own) = match parts[..] {
        [bus, own] => (0, bus, own),
        [domain, bus, own] => (domain, bus, own),
        _ => return Err(Error::INVALID_VALUE),
    };
    let is_here = (domain, bus, own, number(function)?) == (0, PCI_BUS, 0, 0);
    if is_here { Ok(0) } else { Err(Error::INVALID_DEVICE) }
}

/// Fills in the properties of a device.
fn properties(to: *mut c_void, number: c_int, version: PropertiesVersion) -> Result<()> {
    let to = non_null(to)?;
    let bytes = of(number)?.properties(version);
    // SAFETY: the program passes a structure of this version.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len()) };
    Ok(())
}

/// Whether two devices can access each other: a device does not count as its own peer.
pub fn peer(one: c_int, other: c_int) -> Result<()> {
    of(one).and(of(other)).map(|_| ())
}

/// An attribute of the link between two devices, which there is none of.
pub fn p2p(to: *mut c_int, attribute: c_int, one: c_int, other: c_int) -> Result<()> {
    peer(one, other)?;
    non_null(to)?;
    if (1..=5).contains(&attribute) { Err(Error::INVALID_DEVICE) } else { Err(Error::INVALID_VALUE) }
}

/// The range of priorities of streams. Either address may be null.
pub fn priorities(least: *mut c_int, greatest: *mut c_int) -> Result<()> {
    for (to, value) in [(least, 0), (greatest, GREATEST_PRIORITY)] {
        if !to.is_null() {
            write(to, value)?;
        }
    }
    Ok(())
}

/// `cudaChannelFormatDesc`.
#[repr(C)]
struct ChannelDescription {
    bits: [c_int; 4],
    kind: c_int,
}

functions! {
    fn cudaGetDeviceCount(to: *mut c_int) { write(to, 1) }
    fn cudaGetDevice(to: *mut c_int) { write(to, 0) }
    fn cudaSetDevice(number: c_int) { of(number).map(|_| ()) }
    fn cudaInitDevice(number: c_int, own: c_uint, flags: c_uint) {
        // The first flag says that those of the device are meant.
        match flags {
            0 => of(number).map(|_| ()),
            1 => of(number).and_then(|_| set_flags(own)),
            _ => Err(Error::INVALID_VALUE),
        }
    }
    fn cudaSetValidDevices(numbers: *const c_int, length: c_int) {
        if length < 0 || (length > 0 && numbers.is_null()) {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: the program passes a list of this length.
        (0..length as usize).try_for_each(|at| of(unsafe { *numbers.add(at) }).map(|_| ()))
    }
    fn cudaChooseDevice(to: *mut c_int, wanted: *const c_void) {
        non_null(wanted.cast_mut())?;
        write(to, 0)
    }
    fn cudaGetDeviceProperties(to: *mut c_void, number: c_int) {
        // The runtime of CUDA 12 has it for programs of CUDA 11.
        let is_new = runtime_version() >= 13_000;
        properties(to, number, if is_new { PropertiesVersion::Cuda13 } else { PropertiesVersion::Cuda11 })
    }
    fn cudaGetDeviceProperties_v2(to: *mut c_void, number: c_int) {
        properties(to, number, PropertiesVersion::Cuda12)
    }
    fn cudaDeviceGetAttribute(to: *mut c_int, attribute: c_int, number: c_int) {
        write(to, of(number)?.attribute(attribute).ok_or(Error::INVALID_VALUE)?)
    }
    fn cudaDeviceGetPCIBusId(to: *mut c_char, length: c_int, number: c_int) {
        // SAFETY: the program passes a buffer of this length.
        unsafe { write_pci(to, length, number) }
    }
    fn cudaDeviceGetByPCIBusId(to: *mut c_int, place: *const c_char) {
        // SAFETY: the program passes a text.
        write(to, unsafe { at_pci(place) }?)
    }
    fn cudaDeviceGetLimit(to: *mut usize, number: c_int) {
        non_null(to)?;
        write(to, limit(number)? as usize)
    }
    fn cudaDeviceSetLimit(number: c_int, value: usize) { set_limit(number, value as u64) }
    fn cudaDeviceGetCacheConfig(to: *mut c_int) { write(to, 0) }
    ignored "caches are not simulated"
    fn cudaDeviceSetCacheConfig(_config: c_int) { Ok(()) }
    // Banks of 4 bytes, as all devices from Maxwell on have them.
    fn cudaDeviceGetSharedMemConfig(to: *mut c_int) { write(to, 1) }
    ignored "the size of banks is fixed from Maxwell on"
    fn cudaDeviceSetSharedMemConfig(_config: c_int) { Ok(()) }
    fn cudaDeviceGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int) { priorities(least, greatest) }
    fn cudaThreadExit() { reset::reset() }
    fn cudaThreadGetLimit(to: *mut usize, number: c_int) {
        non_null(to)?;
        write(to, limit(number)? as usize)
    }
    fn cudaThreadSetLimit(number: c_int, value: usize) { set_limit(number, value as u64) }
    fn cudaThreadGetCacheConfig(to: *mut c_int) { write(to, 0) }
    ignored "caches are not simulated" fn cudaThreadSetCacheConfig(_config: c_int) { Ok(()) }
    fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, kind: c_int) -> ChannelDescription {
        ChannelDescription { bits: [x, y, z, w], kind }
    }
    fn cudaDeviceCanAccessPeer(to: *mut c_int, one: c_int, other: c_int) {
        peer(one, other)?;
        write(to, 0)
    }
    fn cudaDeviceGetP2PAttribute(to: *mut c_int, attribute: c_int, one: c_int, other: c_int) {
        p2p(to, attribute, one, other)
    }
    fn cudaDeviceEnablePeerAccess(number: c_int, _flags: c_uint) {
        of(number)?;
        Err(Error::INVALID_DEVICE)
    }
    fn cudaDeviceDisablePeerAccess(number: c_int) {
        of(number)?;
        Err(Error::PEER_ACCESS_NOT_ENABLED)
    }
    fn cudaSetDeviceFlags(flags: c_uint) { set_flags(flags) }
    fn cudaGetDeviceFlags(to: *mut c_uint) { write(to, flags()) }
    fn cudaDriverGetVersion(to: *mut c_int) { write(to, DRIVER_VERSION) }
    fn cudaRuntimeGetVersion(to: *mut c_int) { write(to, runtime_version() as c_int) }
}

/// The greatest priority of a stream; the least is 0.
pub const GREATEST_PRIORITY: c_int = -5;

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the limit of the heap of `malloc` on the device.
    const MALLOC_HEAP: c_int = 2;
    use crate::{api::set_runtime_version, error::tests::alone};

    #[test]
    fn there_is_one_device() {
        let _turn = alone();
        let (mut count, mut number) = (0, -1);
        unsafe {
            assert_eq!([cudaGetDeviceCount(&raw mut count), cudaGetDevice(&raw mut number)], [0; 2]);
            assert_eq!((count, number), (1, 0));
            assert_eq!([cudaSetDevice(0), cudaSetDevice(1), cudaSetDevice(-1)], [0, 101, 101]);
            assert_eq!(cudaGetDeviceCount(ptr::null_mut()), 1);
            assert_eq!(cudaSetValidDevices([0, 1].as_ptr(), 2), 101);
        }
    }

    #[test]
    fn properties_have_the_layout_of_the_runtime() {
        let _turn = alone();
        let filled = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0xaa).unwrap() + 1;
        let mut of = [[0xaa_u8; 2000]; 3];
        unsafe {
            assert_eq!(cudaGetDeviceProperties(of[0].as_mut_ptr().cast(), 0), 0);
            set_runtime_version(12_090);
            assert_eq!(cudaGetDeviceProperties(of[1].as_mut_ptr().cast(), 0), 0);
            assert_eq!(cudaGetDeviceProperties_v2(of[2].as_mut_ptr().cast(), 0), 0);
            set_runtime_version(13_000);
            assert_eq!(cudaGetDeviceProperties(of[0].as_mut_ptr().cast(), 1), 101);
            assert_eq!(cudaGetDeviceProperties(ptr::null_mut(), 0), 1);
        }
        assert_eq!([filled(&of[0]), filled(&of[1]), filled(&of[2])], [1008, 728, 1032]);
    }

    #[test]
    fn attributes_are_those_of_the_device() {
        let _turn = alone();
        let mut value = 0;
        unsafe {
            assert_eq!(cudaDeviceGetAttribute(&raw mut value, 16, 0), 0);
            assert_eq!(value, 132);
            assert_eq!(cudaDeviceGetAttribute(&raw mut value, 1000, 0), 1);
            assert_eq!(cudaDeviceGetAttribute(&raw mut value, 16, 3), 101);
        }
    }

    #[test]
    fn the_device_is_found_at_its_place_on_the_bus() {
        let _turn = alone();
        let mut text = [0; 16];
        unsafe {
            assert_eq!(cudaDeviceGetPCIBusId(text.as_mut_ptr(), 12, 0), 1);
            assert_eq!(cudaDeviceGetPCIBusId(text.as_mut_ptr(), 13, 0), 0);
            assert_eq!(CStr::from_ptr(text.as_ptr()), c"0000:01:00.0");
        }
        let at = |place: &CStr| unsafe { at_pci(place.as_ptr()) };
        assert_eq!([at(c"0000:01:00.0"), at(c"00000000:01:00.0"), at(c"1:0"), at(c"01:00.0")], [Ok(0); 4]);
        assert_eq!([at(c"0000:02:00.0"), at(c"0000:01:00.1")], [Err(Error::INVALID_DEVICE); 2]);
        assert_eq!([at(c""), at(c"0000:01:0g.0"), at(c"1:2:3:4")], [Err(Error::INVALID_VALUE); 3]);
    }

    #[test]
    fn limits_are_kept_until_the_device_is_reset() {
        let _turn = alone();
        assert_eq!(limit(MALLOC_HEAP), Ok(8 << 20));
        assert_eq!(set_limit(MALLOC_HEAP, 1 << 30), Ok(()));
        assert_eq!(limit(MALLOC_HEAP), Ok(1 << 30));
        assert_eq!(set_limit(6, u64::MAX), Ok(()));
        assert_eq!(limit(6), Ok(32_768_000));
        assert_eq!(set_limit(0, 1 << 20), Err(Error::INVALID_VALUE));
        assert_eq!(limit(3), Err(Error::UNSUPPORTED_LIMIT));
        assert_eq!([limit(7), limit(-1)], [Err(Error::INVALID_VALUE); 2]);
        reset();
        assert_eq!([limit(0), limit(2), limit(6)], [Ok(1024), Ok(8 << 20), Ok(0)]);
    }

    #[test]
    fn flags_are_kept() {
        let _turn = alone();
        assert_eq!(flags(), 8);
        assert_eq!(
            [set_flags(4), set_flags(3), set_flags(0x100)],
            [Ok(()), Err(Error::INVALID_VALUE), Err(Error::INVALID_VALUE)]
        );
        assert_eq!(flags(), 12);
        reset();
    }

    #[test]
    fn a_device_is_not_its_own_peer() {
        let _turn = alone();
        let mut can = -1;
        unsafe {
            assert_eq!(cudaDeviceCanAccessPeer(&raw mut can, 0, 0), 0);
            assert_eq!(can, 0);
            assert_eq!(cudaDeviceCanAccessPeer(&raw mut can, 0, 1), 101);
            assert_eq!([cudaDeviceEnablePeerAccess(0, 0), cudaDeviceDisablePeerAccess(0)], [101, 705]);
        }
    }
}
