//! The reset of the device: it forgets all that the program has made on it.

use crate::{
    api::device,
    error,
    error::Result,
    graph::Graphs,
    state::{DriverState, with},
};

/// Resets the device.
///
/// # Errors
/// Those of placing managed variables anew.
pub fn reset() -> Result<()> {
    error::reset();
    device::reset();
    with(DriverState::reset)
}

impl DriverState {
    /// Frees all memory, and forgets streams, events and graphs. Variables begin with their
    /// initial values when they are next used; kernels have the attributes that they began with.
    fn reset(&mut self) -> Result<()> {
        self.memory.order_mut().synchronize_all();
        self.forget();
        for address in self.allocations.live().map(|(address, _)| address).collect::<Vec<_>>() {
            self.drop_allocation(address);
        }
        self.streams.reset();
        self.graphs = Graphs::default();
        for handle in self.modules.reset() {
            self.place_managed(handle)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::{Error, break_device, broken, tests::alone},
        memory::Kind,
    };

    #[test]
    fn a_reset_forgets_memory_streams_and_the_sticky_error() {
        let _turn = alone();
        let (device, managed, stream) = with(|state| {
            let device = state.allocate(Kind::Device, 64)?;
            let managed = state.allocate(Kind::Managed, 64)?;
            let stream = state.create_stream(cute_sim::order::StreamKind::Blocking, 0);
            Ok((device, managed, stream))
        })
        .unwrap();
        break_device(Error::ILLEGAL_ADDRESS);
        assert_eq!(reset(), Ok(()));
        assert_eq!(broken(), None);
        with(|state| {
            assert_eq!(state.allocations.used, 0);
            assert!(state.allocations.holding(device).is_none());
            assert!(state.allocations.holding(managed).is_none());
            assert_eq!(state.stream(stream), Err(Error::INVALID_HANDLE));
            assert_eq!(state.free(device, None), Err(Error::INVALID_VALUE));
            // Memory can be allocated as before.
            let again = state.allocate(Kind::Managed, 64)?;
            state.free(again, None)
        })
        .unwrap();
    }
}
