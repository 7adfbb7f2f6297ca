//! Launches.

use std::{
    ffi::{c_int, c_uint, c_void},
    slice,
};

use cute_sim::order::StreamKind;

use crate::{
    error::{Error, Result},
    functions,
    launch::Asked,
    state::{State, with},
};

/// `dim3`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Dim3 {
    /// Along each axis.
    pub extents: [u32; 3],
}

/// `cudaLaunchAttribute`: what it is, and 64 bytes of a value.
#[repr(C, align(8))]
pub struct Attribute {
    id: c_int,
    _pad: [u8; 4],
    value: [u32; 16],
}

/// `cudaLaunchConfig_t`.
#[repr(C)]
struct Config {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
    attributes: *const Attribute,
    count: c_uint,
}

/// Attributes that change no result, with their names.
const HINTS: &[(c_int, &str)] = &[
    (0, "cudaLaunchAttributeIgnore"),
    (1, "cudaLaunchAttributeAccessPolicyWindow"),
    (3, "cudaLaunchAttributeSynchronizationPolicy"),
    (5, "cudaLaunchAttributeClusterSchedulingPolicyPreference"),
    (8, "cudaLaunchAttributePriority"),
    (9, "cudaLaunchAttributeMemSyncDomainMap"),
    (10, "cudaLaunchAttributeMemSyncDomain"),
    (14, "cudaLaunchAttributePreferredSharedMemoryCarveout"),
    (16, "cudaLaunchAttributeNvlinkUtilCentricScheduling"),
];

impl Attribute {
    fn three(&self) -> [u32; 3] {
        [self.value[0], self.value[1], self.value[2]]
    }

    /// An event, which the value begins with.
    fn event(&self) -> usize {
        self.value[0] as usize | (self.value[1] as usize) << 32
    }

    /// Adds it to a launch.
    ///
    /// # Errors
    /// [`Error::NOT_SUPPORTED`].
    pub fn apply(&self, asked: &mut Asked, state: &mut State) -> Result<()> {
        match self.id {
            2 => asked.cooperative = self.value[0] != 0,
            4 => asked.cluster = Some(self.three()),
            6 => asked.programmatic = self.value[0] != 0,
            7 => asked.triggered = Some((self.event(), self.value[3] != 0)),
            11 => asked.preferred_cluster = Some(self.three()),
            12 => asked.begun = Some(self.event()),
            id if HINTS.iter().any(|(hint, _)| *hint == id) => {}
            id => {
                state.launches.remark(&format!("a launch with attribute {id}, which is not supported"));
                return Err(Error::NOT_SUPPORTED);
            }
        }
        Ok(())
    }
}

fn launch(
    function: usize,
    (grid, block): (Dim3, Dim3),
    arguments: *const *const c_void,
    (shared, stream): (usize, usize),
    cooperative: bool,
) -> Result<()> {
    with(|state| {
        let stream = state.streams.get(stream)?;
        let (grid, block) = (grid.extents, block.extents);
        let asked = Asked { grid, block, shared, stream, cooperative, ..Asked::default() };
        // SAFETY: the program passes an address for each parameter.
        let words = unsafe { state.arguments(function, arguments) }?;
        state.enqueue(function, asked, words)
    })
}

/// # Safety
/// The configuration is one, with as many attributes as it says.
unsafe fn launch_ex(
    config: *const Config,
    function: usize,
    arguments: *const *const c_void,
    per_thread: bool,
) -> Result<()> {
    if config.is_null() {
        return Err(Error::INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let config = unsafe { &*config };
    let attributes: &[Attribute] = match config.count {
        0 => &[],
        // SAFETY: the caller's.
        count => unsafe { slice::from_raw_parts(config.attributes, count as usize) },
    };
    with(|state| {
        let stream = state.streams.get(own(config.stream, per_thread))?;
        let (grid, block) = (config.grid.extents, config.block.extents);
        let mut asked = Asked { grid, block, shared: config.shared, stream, ..Asked::default() };
        attributes.iter().try_for_each(|attribute| attribute.apply(&mut asked, state))?;
        // SAFETY: the program passes an address for each parameter.
        let words = unsafe { state.arguments(function, arguments) }?;
        state.enqueue(function, asked, words)
    })
}

/// The handle of a stream, whose default is the one of the thread in a function of that kind.
pub fn own(stream: usize, per_thread: bool) -> usize {
    if stream == 0 && per_thread { 2 } else { stream }
}

functions! {
    fn cudaLaunchKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), false)
    }
    fn cudaLaunchKernel_ptsz(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, own(stream, true)), false)
    }
    fn __cudaLaunchKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), false)
    }
    fn __cudaLaunchKernel_ptsz(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, own(stream, true)), false)
    }
    fn cudaLaunchCooperativeKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), true)
    }
    fn cudaLaunchCooperativeKernel_ptsz(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, own(stream, true)), true)
    }
    fn cudaLaunchKernelExC(config: *const c_void, function: usize, arguments: *const *const c_void) {
        // SAFETY: the program passes a configuration.
        unsafe { launch_ex(config.cast(), function, arguments, false) }
    }
    fn cudaLaunchKernelExC_ptsz(config: *const c_void, function: usize, arguments: *const *const c_void) {
        // SAFETY: the program passes a configuration.
        unsafe { launch_ex(config.cast(), function, arguments, true) }
    }
}

/// The kind of a stream with these flags.
pub fn kind(flags: c_uint) -> StreamKind {
    if flags & 1 != 0 { StreamKind::NonBlocking } else { StreamKind::Blocking }
}
