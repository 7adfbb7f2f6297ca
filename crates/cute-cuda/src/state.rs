//! The state of the process: its device's memory, modules and streams.

use std::sync::{LazyLock, Mutex, PoisonError};

use crate::{
    error::Result, graph::Graphs, launch::Launches, memory::Allocations, modules::Modules,
    settings::Settings, streams::Streams,
};

/// All that the functions of CUDA share.
pub struct State {
    /// The memory of the device, and the order of the operations on it.
    pub memory: cute_sim::Memory,
    /// The allocations in it.
    pub allocations: Allocations,
    /// The code of the program.
    pub modules: Modules,
    /// Streams and events.
    pub streams: Streams,
    /// Captures and graphs.
    pub graphs: Graphs,
    /// The launches so far.
    pub launches: Launches,
    /// How launches are run.
    pub settings: Settings,
}

static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| {
    let mut memory = cute_sim::Memory::new();
    // The number of memory that the host shares is at least 1.
    memory.skip();
    let streams = Streams::new(memory.order_mut());
    Mutex::new(State {
        memory,
        allocations: Allocations::default(),
        modules: Modules::default(),
        streams,
        graphs: Graphs::default(),
        launches: Launches::default(),
        settings: Settings::of_process(),
    })
});

/// Runs a call on the state. One call runs at a time, also one that launches.
///
/// # Errors
/// Those of the call.
pub fn with<T>(call: impl FnOnce(&mut State) -> Result<T>) -> Result<T> {
    call(&mut STATE.lock().unwrap_or_else(PoisonError::into_inner))
}
