//! The functions of the driver about devices.

use std::{
    ffi::{c_char, c_int, c_uint},
    ptr,
};

use crate::{
    api::{
        device::{DRIVER_VERSION, at_pci, of, p2p, peer, write_pci, write_text},
        non_null, write,
    },
    error::{Error, Result},
    functions,
};

/// Writes the number of a device among all devices.
fn uuid(to: *mut [u8; 16], number: c_int) -> Result<()> {
    write(to, of(number)?.uuid())
}

/// The attributes that `CUdevprop` holds, in the order of its fields.
const PROPERTIES: [i32; 14] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

functions! {
    fn cuInit(flags: c_uint) { if flags == 0 { Ok(()) } else { Err(Error::INVALID_VALUE) } }
    fn cuDriverGetVersion(to: *mut c_int) { write(to, DRIVER_VERSION) }
    fn cuDeviceGet(to: *mut c_int, number: c_int) {
        of(number)?;
        write(to, number)
    }
    fn cuDeviceGetCount(to: *mut c_int) { write(to, 1) }
    fn cuDeviceGetName(to: *mut c_char, length: c_int, number: c_int) {
        // SAFETY: the program passes a buffer of this length.
        unsafe { write_text(of(number)?.title, to, length) }
    }
    fn cuDeviceGetUuid(to: *mut [u8; 16], number: c_int) { uuid(to, number) }
    fn cuDeviceGetUuid_v2(to: *mut [u8; 16], number: c_int) { uuid(to, number) }
    // The first form has an unsigned int.
    fn cuDeviceTotalMem(to: *mut c_uint, number: c_int) {
        write(to, c_uint::try_from(of(number)?.memory).unwrap_or(c_uint::MAX))
    }
    fn cuDeviceTotalMem_v2(to: *mut usize, number: c_int) { write(to, of(number)?.memory as usize) }
    fn cuDeviceComputeCapability(major: *mut c_int, minor: *mut c_int, number: c_int) {
        let (own_major, own_minor) = of(number)?.target.compute_capability();
        non_null(minor)?;
        write(major, own_major as c_int)?;
        write(minor, own_minor as c_int)
    }
    fn cuDeviceGetAttribute(to: *mut c_int, attribute: c_int, number: c_int) {
        write(to, of(number)?.attribute(attribute).ok_or(Error::INVALID_VALUE)?)
    }
    fn cuDeviceGetProperties(to: *mut [c_int; 14], number: c_int) {
        let device = of(number)?;
        write(to, PROPERTIES.map(|attribute| device.attribute(attribute).unwrap_or_default()))
    }
    fn cuDeviceGetPCIBusId(to: *mut c_char, length: c_int, number: c_int) {
        // SAFETY: the program passes a buffer of this length.
        unsafe { write_pci(to, length, number) }
    }
    fn cuDeviceGetByPCIBusId(to: *mut c_int, place: *const c_char) {
        // SAFETY: the program passes a text.
        write(to, unsafe { at_pci(place) }?)
    }
    // A number that only Windows has.
    fn cuDeviceGetLuid(to: *mut c_char, mask: *mut c_uint, number: c_int) {
        of(number)?;
        let to = non_null(to)?;
        // SAFETY: the program passes a buffer of 8 bytes.
        unsafe { ptr::write_bytes(to, 0, 8) };
        write(mask, 0)
    }
    fn cuDeviceCanAccessPeer(to: *mut c_int, one: c_int, other: c_int) {
        peer(one, other)?;
        write(to, 0)
    }
    fn cuDeviceGetP2PAttribute(to: *mut c_int, attribute: c_int, one: c_int, other: c_int) {
        p2p(to, attribute, one, other)
    }
    fn cuDeviceGetExecAffinitySupport(to: *mut c_int, _kind: c_int, number: c_int) {
        of(number)?;
        write(to, 0)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;
    use crate::error::tests::alone;

    #[test]
    fn the_driver_describes_the_same_device() {
        let _turn = alone();
        unsafe {
            assert_eq!([cuInit(1), cuInit(0)], [1, 0]);
            let (mut number, mut major, mut minor, mut bytes) = (-1, 0, 0, 0);
            assert_eq!([cuDeviceGet(&raw mut number, 1), cuDeviceGet(&raw mut number, 0)], [101, 0]);
            assert_eq!(cuDeviceComputeCapability(&raw mut major, &raw mut minor, number), 0);
            assert_eq!(cuDeviceTotalMem_v2(&raw mut bytes, number), 0);
            assert_eq!((major, minor, bytes), (9, 0, 81_090 << 20));
            let mut less = 0;
            assert_eq!(cuDeviceTotalMem(&raw mut less, number), 0);
            assert_eq!(less, u32::MAX);
            let mut name = [1; 16];
            assert_eq!(cuDeviceGetName(name.as_mut_ptr(), 16, number), 0);
            assert_eq!(CStr::from_ptr(name.as_ptr()), c"NVIDIA H100 80G");
            assert_eq!(cuDeviceGetName(name.as_mut_ptr(), 0, number), 1);
        }
    }

    #[test]
    fn the_old_properties_are_attributes() {
        let _turn = alone();
        let mut all = [0; 14];
        unsafe {
            assert_eq!(cuInit(0), 0);
            assert_eq!(cuDeviceGetProperties(&raw mut all, 0), 0);
        }
        let pitch = i32::MAX;
        let expected =
            [1024, 1024, 1024, 64, pitch, 65_535, 65_535, 49_152, 65_536, 32, pitch, 65_536, 1_980_000, 512];
        assert_eq!(all, expected);
    }
}
