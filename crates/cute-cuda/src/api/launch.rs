//! Launches.

use std::{
    ffi::{c_uint, c_void},
    slice,
};

use cute_sim::order::StreamKind;

use crate::{
    api::{
        non_null,
        occupancy::{LaunchAttribute, LaunchConfig},
    },
    error::{Error, Result},
    functions,
    launch::AskedLaunch,
    state::{DriverState, with},
};

/// `dim3`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Dim3 {
    /// Along each axis.
    pub extents: [u32; 3],
}

/// Attributes that change no result, with their names.
pub(super) const HINTS: &[(c_uint, &str)] = &[
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

impl LaunchAttribute {
    fn three(&self) -> [u32; 3] {
        [self.value.0[0], self.value.0[1], self.value.0[2]]
    }

    /// An event, which the value begins with.
    fn event(&self) -> usize {
        self.value.0[0] as usize | (self.value.0[1] as usize) << 32
    }

    /// Adds it to a launch.
    ///
    /// # Errors
    /// [`Error::NOT_SUPPORTED`].
    pub fn apply(&self, asked: &mut AskedLaunch, state: &mut DriverState) -> Result<()> {
        match self.kind {
            2 => asked.cooperative = self.value.0[0] != 0,
            4 => asked.cluster = Some(self.three()),
            6 => asked.programmatic = self.value.0[0] != 0,
            7 => asked.triggered = Some((self.event(), self.value.0[3] != 0)),
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

/// `CU_LAUNCH_PARAM_END`, `CU_LAUNCH_PARAM_BUFFER_POINTER` and `CU_LAUNCH_PARAM_BUFFER_SIZE`.
const BUFFER_POINTER: usize = 1;
const BUFFER_SIZE: usize = 2;

/// The buffer of arguments in the last parameter of `cuLaunchKernel`.
///
/// # Safety
/// It is a list of pairs that ends in `CU_LAUNCH_PARAM_END`, or null.
unsafe fn buffer(extra: *const usize) -> Option<Vec<u8>> {
    let (mut at, mut address, mut size) = (extra, 0, 0);
    // SAFETY: the caller's.
    unsafe {
        while !at.is_null() && *at != 0 {
            match *at {
                BUFFER_POINTER => address = *at.add(1),
                BUFFER_SIZE => size = *(*at.add(1) as *const usize),
                _ => {}
            }
            at = at.add(2);
        }
        (address != 0).then(|| slice::from_raw_parts(address as *const u8, size).to_vec())
    }
}

/// The words of the arguments of a launch or of a node.
///
/// # Errors
/// [`Error::INVALID_DEVICE_FUNCTION`], [`Error::NO_BINARY_FOR_GPU`].
///
/// # Safety
/// There is an address for each parameter, or a list as [`buffer`] has it.
pub(super) unsafe fn arguments(
    function: usize,
    arguments: *const *const c_void,
    extra: *const usize,
) -> Result<Vec<u64>> {
    // SAFETY: the caller's.
    let bytes = unsafe { buffer(extra) };
    with(|state| match bytes {
        Some(bytes) => state.packed(function, &bytes),
        // SAFETY: the caller's.
        None => unsafe { state.arguments(function, arguments) },
    })
}

fn launch(
    function: usize,
    (grid, block): (Dim3, Dim3),
    arguments: *const *const c_void,
    (shared, stream): (usize, usize),
    cooperative: bool,
) -> Result<()> {
    with(|state| {
        let stream = state.stream(stream)?;
        let (grid, block) = (grid.extents, block.extents);
        let asked = AskedLaunch { grid, block, shared, stream, cooperative, ..AskedLaunch::default() };
        // SAFETY: the program passes an address for each parameter.
        let words = unsafe { state.arguments(function, arguments) }?;
        state.enqueue(function, asked, words)
    })
}

/// The launch that a structure describes.
///
/// # Errors
/// [`Error::INVALID_VALUE`] for the null pointer, [`Error::INVALID_HANDLE`],
/// [`Error::NOT_SUPPORTED`].
///
/// # Safety
/// The structure has as many attributes as it says.
pub unsafe fn described(config: *const LaunchConfig) -> Result<AskedLaunch> {
    let config = non_null(config.cast_mut())?;
    // SAFETY: the caller's.
    let (config, attributes) = unsafe { (&*config, (*config).attributes()) };
    with(|state| {
        let stream = state.stream(config.stream as usize)?;
        let shared = usize::try_from(config.dynamic_shared).map_err(|_| Error::INVALID_VALUE)?;
        let mut asked =
            AskedLaunch { grid: config.grid, block: config.block, shared, stream, ..AskedLaunch::default() };
        attributes.iter().try_for_each(|attribute| attribute.apply(&mut asked, state))?;
        Ok(asked)
    })
}

/// # Safety
/// That of [`described`], and there is an address for each parameter.
unsafe fn launch_ex(
    config: *const LaunchConfig,
    function: usize,
    arguments: *const *const c_void,
) -> Result<()> {
    // SAFETY: the caller's.
    let asked = unsafe { described(config) }?;
    with(|state| {
        // SAFETY: the caller's.
        let words = unsafe { state.arguments(function, arguments) }?;
        state.enqueue(function, asked, words)
    })
}

functions! {
    fn cudaLaunchKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), false)
    }
    fn __cudaLaunchKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), false)
    }
    fn cudaLaunchCooperativeKernel(function: usize, grid: Dim3, block: Dim3, arguments: *const *const c_void, shared: usize, stream: usize) {
        launch(function, (grid, block), arguments, (shared, stream), true)
    }
    fn cudaLaunchKernelExC(config: *const c_void, function: usize, arguments: *const *const c_void) {
        // SAFETY: the program passes a configuration.
        unsafe { launch_ex(config.cast(), function, arguments) }
    }
}

/// The kind of a stream with these flags.
pub fn kind(flags: c_uint) -> StreamKind {
    if flags & 1 != 0 { StreamKind::NonBlocking } else { StreamKind::Blocking }
}
