//! Memory of the host that is registered, and the reset of the device.

use std::ffi::{c_int, c_uint};

use crate::{
    api::{device::of, reset::reset},
    functions,
    state::with,
};

fn register(at: u64, bytes: usize, flags: c_uint) -> crate::error::Result<()> {
    with(|state| state.register(at, bytes, flags))
}

functions! {
    fn cudaHostRegister(at: u64, bytes: usize, flags: c_uint) { register(at, bytes, flags) }
    fn cudaHostUnregister(at: u64) { with(|state| state.unregister(at)) }
    fn cuMemHostRegister_v2(at: u64, bytes: usize, flags: c_uint) { register(at, bytes, flags) }
    fn cuMemHostUnregister(at: u64) { with(|state| state.unregister(at)) }
    fn cudaDeviceReset() { reset() }
    fn cuDevicePrimaryCtxReset(number: c_int) {
        of(number)?;
        reset()
    }
    fn cuDevicePrimaryCtxReset_v2(number: c_int) {
        of(number)?;
        reset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::tests::alone,
        memory::{Call, Kind},
    };

    /// The device sees what the host writes after the registration, at an address of its own.
    #[test]
    fn registered_memory_is_shared_with_the_host() {
        let _turn = alone();
        let mut bytes = vec![1_u8; 10_000];
        let at = bytes.as_mut_ptr() as u64;
        unsafe {
            assert_eq!(cudaHostRegister(0, 8, 0), 1);
            assert_eq!(cudaHostRegister(at, 0, 0), 1);
            assert_eq!(cudaHostRegister(at, 10_000, 16), 1);
            assert_eq!(cudaHostRegister(at, 10_000, 4), 801);
            assert_eq!(cudaHostUnregister(at), 713);
            assert_eq!([cudaHostRegister(at, 10_000, 2), cudaHostRegister(at + 9_999, 1, 0)], [0, 712]);
        }
        bytes[7] = 9;
        with(|state| {
            let device = state.device_pointer(at + 7)?;
            assert!(device >> 47 != 0, "{device:#x}");
            state.refresh();
            let (buffer, byte) = state.memory.find(device).unwrap();
            let mut seen = [0; 2];
            state.memory.look(buffer, byte as usize, &mut seen);
            assert_eq!(seen, [9, 1]);
            // A copy may name it by either address.
            let target = state.allocate(Kind::Device, 8)?;
            let call = Call { name: "cudaMemcpy", stream: cute_sim::order::Stream::LEGACY, is_async: false };
            for source in [device, at + 7] {
                state.copy(target, source, 2, &call)?;
                state.copy(device + 2, target, 2, &call)?;
                assert_eq!(bytes[7..11], [9, 1, 9, 1]);
                bytes[9..11].fill(0);
            }
            state.free(target, None)?;
            // The host sees a write of a kernel.
            state.memory.write(buffer, 20, &[5]);
            state.write_back();
            assert_eq!(bytes[20], 5);
            Ok(())
        })
        .unwrap();
        unsafe {
            assert_eq!(
                [cudaHostUnregister(at + 1), cudaHostUnregister(at), cudaHostUnregister(at)],
                [713, 0, 713]
            );
        }
    }

    #[test]
    fn memory_that_is_not_there_is_not_registered() {
        let _turn = alone();
        // Below the lowest address that a process may map.
        assert_eq!(unsafe { cudaHostRegister(0x100, 64, 0) }, 1);
        assert_eq!(unsafe { cudaHostRegister(1 << 60, 64, 0) }, 1);
    }

    #[test]
    fn there_is_one_context_to_reset() {
        let _turn = alone();
        crate::api::answer("cuInit", || Ok(()));
        assert_eq!(unsafe { [cuDevicePrimaryCtxReset_v2(1), cuDevicePrimaryCtxReset_v2(0)] }, [101, 0]);
    }
}
