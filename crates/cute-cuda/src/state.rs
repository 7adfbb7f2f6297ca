//! The state of the process: its device's memory, modules and streams.

use std::sync::{LazyLock, Mutex, PoisonError, TryLockError};

use crate::{
    error::{Error, Result},
    graph::Graphs,
    launch::Launches,
    memory::Allocations,
    modules::Modules,
    pools::Pools,
    process,
    settings::Settings,
    streams::Streams,
};

/// All that the functions of CUDA share.
pub struct DriverState {
    /// The memory of the device, and the order of the operations on it.
    pub memory: cute_sim::Memory,
    /// The allocations in it.
    pub allocations: Allocations,
    /// The code of the program.
    pub modules: Modules,
    /// Streams and events.
    pub(crate) streams: Streams,
    /// Captures and graphs.
    pub(crate) graphs: Graphs,
    /// Pools of memory.
    pub(crate) pools: Pools,
    /// The launches so far.
    pub(crate) launches: Launches,
    /// How launches are run.
    pub(crate) settings: Settings,
}

static STATE: LazyLock<Mutex<DriverState>> = LazyLock::new(|| {
    let mut memory = cute_sim::Memory::new();
    // The number of memory that the host shares is at least 1.
    memory.skip();
    Mutex::new(DriverState {
        memory,
        allocations: Allocations::default(),
        modules: Modules::default(),
        streams: Streams::default(),
        graphs: Graphs::default(),
        pools: Pools::default(),
        launches: Launches::default(),
        settings: Settings::of_process(),
    })
});

/// Whether a call is running.
pub fn is_busy() -> bool {
    matches!(STATE.try_lock(), Err(TryLockError::WouldBlock))
}

/// Runs a call on the state. One call runs at a time, also one that launches.
///
/// # Errors
/// Those of the call. [`Error::NOT_INITIALIZED`] in a process that was forked, whose state belongs
/// to the other one, and [`Error::DEINITIALIZED`] if the program ends while another thread
/// launches.
pub fn with<T>(call: impl FnOnce(&mut DriverState) -> Result<T>) -> Result<T> {
    if let Some(error) = process::unusable() {
        return Err(error);
    }
    let mut state = match STATE.try_lock() {
        Ok(state) => state,
        Err(TryLockError::Poisoned(state)) => state.into_inner(),
        Err(TryLockError::WouldBlock) if process::is_ending() => return Err(Error::DEINITIALIZED),
        Err(TryLockError::WouldBlock) => STATE.lock().unwrap_or_else(PoisonError::into_inner),
    };
    call(&mut state)
}
