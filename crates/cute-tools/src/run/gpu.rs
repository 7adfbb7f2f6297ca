//! Runs on a GPU: the first device of the CUDA driver, which is loaded on demand.
//!
//! This is the only module of this crate with `unsafe`: it loads the driver, passes code to it, and
//! launches kernels.

use crate::error::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaSlice, CudaStream, DevicePtr, DriverError, result,
    sys::{
        self, CUdevice_attribute, CUevent_flags, CUfunction_attribute, CUlaunchAttribute,
        CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchConfig, CUresult,
    },
};
use cute_arch::Target;
use cute_host::{
    attribute::LaunchAttribute,
    driver::{DriverCall, FunctionAttribute, LaunchCall},
};
use cute_launch::{
    DriverPlan,
    after::After,
    argument::reserved,
    job::{Job, Outcome, Place},
    report::{Report, Timing},
};
use cute_sim::tensor::Sums;
use std::{
    collections::HashMap,
    error::Error as _,
    ffi::{CString, c_char, c_void},
    sync::Arc,
};

/// The version of the driver's API that is called. It accepts the PTX of every [`Target`] whose
/// devices it supports.
const LEAST: (i32, i32) = (12, 8);

/// A device that is ready.
pub struct Gpu {
    context: Arc<CudaContext>,
    name: String,
    capability: (u32, u32),
}

/// Code for a device.
#[derive(Clone)]
pub(crate) struct Code {
    /// The PTX that the driver assembles.
    pub ptx: String,
    /// The same code as a cubin, if ptxas is available.
    pub cubin: Option<Vec<u8>>,
    /// The target of both.
    pub target: Target,
}

/// A device with code.
pub struct Loaded<'g> {
    /// The device that runs the kernel.
    pub gpu: &'g Gpu,
    /// The PTX or cubin that is loaded.
    pub(crate) code: Code,
}

impl Gpu {
    /// The driver's first device.
    ///
    /// # Errors
    /// [`Error::NoDriver`], [`Error::OldDriver`], [`Error::NoDevice`], [`Error::Driver`].
    pub fn open() -> Result<Self> {
        need_driver()?;
        match CudaContext::device_count() {
            Ok(0) | Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => return Err(Error::NoDevice),
            count => count.map_err(|e| failed("start the CUDA driver", e))?,
        };
        let context = CudaContext::new(0).map_err(|e| failed("open the GPU", e))?;
        let known = |e| failed("identify the GPU", e);
        let name = context.name().map_err(known)?;
        let (major, minor) = context.compute_capability().map_err(known)?;
        Ok(Self { context, name, capability: (major.max(0) as u32, minor.max(0) as u32) })
    }

    /// The target to compile for: the requested one, or the device's own.
    ///
    /// # Errors
    /// Returns [`Error::NoTarget`] or [`Error::OtherTarget`].
    pub fn target(&self, asked: Option<Target>) -> Result<Target> {
        target(asked, &self.name, self.capability)
    }

    /// How its tensor cores add floats.
    pub fn sums(&self) -> Sums {
        let (major, minor) = self.capability;
        Sums::Device(major, minor)
    }

    /// The number of SMs of the device.
    ///
    /// # Errors
    /// Returns [`Error::Driver`].
    pub fn sms(&self) -> Result<u32> {
        let count = self.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
        Ok(count.map_err(|e| failed("ask the GPU for its number of SMs", e))?.max(1) as u32)
    }
}

fn target(asked: Option<Target>, device: &str, capability: (u32, u32)) -> Result<Target> {
    let device = device.to_owned();
    let Some(own) = Target::for_capability(capability) else {
        return Err(Error::NoTarget { device, capability, oldest: Target::all()[0] });
    };
    match asked {
        Some(target) if !target.runs_on(capability) => {
            Err(Error::OtherTarget { target, device, capability, own })
        }
        asked => Ok(asked.unwrap_or(own)),
    }
}

/// Loads the driver, because `cudarc` panics if it is missing or lacks a function that `cudarc`
/// calls.
fn need_driver() -> Result<()> {
    // SAFETY: loading runs the library's initialisers, which are NVIDIA's. The library stays
    // loaded, because `cudarc` holds it too.
    if let Err(e) = unsafe { libloading::Library::new("libcuda.so.1") } {
        return Err(Error::NoDriver { why: e.source().unwrap_or(&e).to_string() });
    }
    let mut version = 0;
    // SAFETY: the pointer is to a live `int`, and this function may be called before `cuInit`.
    let found = unsafe { sys::cuDriverGetVersion(&mut version) };
    found.result().map_err(|e| failed("ask the CUDA driver for its version", e))?;
    let found = (version / 1000, version % 1000 / 10);
    if found < LEAST { Err(Error::OldDriver { found, least: LEAST }) } else { Ok(()) }
}

fn failed(step: &str, error: DriverError) -> Error {
    let name = error.error_name().map_or_else(|_| format!("{:?}", error.0), |n| n.to_string_lossy().into());
    let text = error.error_string().map_or_else(|_| "no text".into(), |t| t.to_string_lossy().into());
    Error::Driver { step: step.into(), name, text }
}

/// Code in the context of a device.
struct Module(sys::CUmodule);

impl Module {
    fn load(image: &[u8]) -> std::result::Result<Self, DriverError> {
        // SAFETY: the image is live. It is PTX that ends in a NUL, or an ELF file, which contains
        // its length.
        unsafe { result::module::load_data(image.as_ptr().cast()) }.map(Self)
    }

    /// Loads whichever of the two the driver accepts: it may reject a cubin of a newer ptxas.
    fn of(code: &Code) -> std::result::Result<(Self, &'static str), DriverError> {
        if let Some(module) = code.cubin.as_ref().and_then(|c| Self::load(c).ok()) {
            return Ok((module, "cubin"));
        }
        let ptx = [code.ptx.as_bytes(), &[0]].concat();
        Ok((Self::load(&ptx)?, "PTX"))
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the module was loaded once, and its functions are no longer used. An error here
        // was reported before.
        let _ = unsafe { result::module::unload(self.0) };
    }
}

/// An attribute of a launch as the driver takes it.
fn attribute(attribute: &LaunchAttribute<u64>) -> CUlaunchAttribute {
    use CUlaunchAttributeID as Id;
    let id = match attribute {
        LaunchAttribute::Cluster(_) => Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
        LaunchAttribute::PreferredCluster(_) => Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
        LaunchAttribute::Cooperative(_) => Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE,
        LaunchAttribute::Programmatic(_) => Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
        LaunchAttribute::CompletionEvent { .. } => Id::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT,
        LaunchAttribute::ProgrammaticEvent { .. } => Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT,
    };
    let mut pad = [0; 64];
    let bytes = attribute.words().into_iter().flat_map(u32::to_ne_bytes);
    pad.iter_mut().zip(bytes).for_each(|(to, byte)| *to = byte as c_char);
    CUlaunchAttribute { id, pad: [0; 4], value: CUlaunchAttributeValue { pad } }
}

/// An attribute of a kernel as the driver takes it, and the text about it.
fn of_function(attribute: FunctionAttribute, value: u32) -> (CUfunction_attribute, String) {
    use CUfunction_attribute as Of;
    match attribute {
        FunctionAttribute::DynamicSharedMemory => {
            (Of::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, format!("{value} bytes of shared memory"))
        }
        FunctionAttribute::LargeClusters => {
            (Of::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, "large clusters".to_owned())
        }
    }
}

impl Place for Loaded<'_> {
    type Error = Error;

    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        job.check_for_device()?;
        let stream = self.gpu.context.default_stream();
        // The driver allocates no empty array.
        let (buffers, addresses): (Vec<CudaSlice<u8>>, _) = job.upload(|contents| {
            let size = contents.size();
            let mut bytes =
                reserved(size.max(1)).map_err(|_| cute_launch::Error::NoMemory { bytes: size })?;
            bytes.resize(size.max(1), 0);
            contents.read(0, &mut bytes[..size]);
            let buffer = stream.clone_htod(&bytes).map_err(|e| failed("copy arrays to the GPU", e))?;
            let address = buffer.device_ptr(&stream).0;
            Ok::<_, Error>((buffer, address))
        })?;
        let launches = job.launches(&addresses)?;
        let timings = self.execute(&DriverPlan::of(&launches), &stream)?;
        let shapes = launches.into_iter().map(|launch| launch.shape);
        let reports = shapes.zip(timings.into_iter().map(Report::Gpu)).collect();

        let copy_out = |buffer: &CudaSlice<u8>| stream.clone_dtoh(buffer);
        let arrays = buffers.iter().map(copy_out).collect::<std::result::Result<Vec<_>, _>>();
        let mut arrays = arrays.map_err(|e| failed("copy arrays from the GPU", e))?;
        stream.synchronize().map_err(|e| failed("copy arrays from the GPU", e))?;
        for (bytes, array) in arrays.iter_mut().zip(&job.arrays) {
            bytes.truncate(array.contents.size());
            *bytes = array.rows(std::mem::take(bytes));
        }
        let arrays = arrays.into_iter().map(After::Rows).collect();
        Ok(Outcome { reports: job.reports(reports), arrays, written: None })
    }
}

impl Loaded<'_> {
    /// Makes the calls of a plan, and waits for each launch.
    fn execute(&self, plan: &DriverPlan, stream: &CudaStream) -> Result<Vec<Timing>> {
        let (mut loaded, mut functions, mut timings) = (None, HashMap::new(), Vec::new());
        for call in &plan.calls {
            match call {
                DriverCall::Load => {
                    loaded = Some(Module::of(&self.code).map_err(|e| failed("load the code", e))?);
                }
                DriverCall::Find { kernel } => {
                    let find = |e| failed(&format!("find kernel '{kernel}'"), e);
                    let missing = || find(DriverError(CUresult::CUDA_ERROR_NOT_FOUND));
                    let symbol = CString::new(kernel.as_str()).map_err(|_| missing())?;
                    let (module, _) = loaded.as_ref().ok_or_else(missing)?;
                    // SAFETY: the module is loaded.
                    let function = unsafe { result::module::get_function(module.0, symbol) }.map_err(find)?;
                    functions.insert(kernel.as_str(), function);
                }
                DriverCall::Set { kernel, attribute, value } => {
                    let (attribute, text) = of_function(*attribute, *value);
                    let set = |e| failed(&format!("give kernel '{kernel}' {text}"), e);
                    let function = *functions.get(kernel.as_str()).ok_or_else(|| set(unknown()))?;
                    // SAFETY: the function is one of a loaded module.
                    unsafe { result::function::set_function_attribute(function, attribute, *value as i32) }
                        .map_err(set)?;
                }
                DriverCall::Launch(call) => {
                    let launched = |e| failed(&format!("run kernel '{}'", call.kernel), e);
                    let function = functions.get(call.kernel.as_str()).ok_or_else(|| launched(unknown()))?;
                    // SAFETY: the function belongs to a loaded module, and the plan has a parameter
                    // for each of its parameters in the manifest.
                    let milliseconds = unsafe { launch(*function, call, stream) }.map_err(launched)?;
                    timings.push(Timing {
                        kernel: call.kernel.clone(),
                        device: self.gpu.name.clone(),
                        target: self.code.target.to_string(),
                        code: loaded.as_ref().map_or("", |(_, form)| form),
                        milliseconds,
                    });
                }
            }
        }
        Ok(timings)
    }
}

/// The error of a call that needs a kernel which was not found before.
fn unknown() -> DriverError {
    DriverError(CUresult::CUDA_ERROR_NOT_FOUND)
}

/// Launches a kernel and waits for its end. Returns the milliseconds between events around it.
///
/// # Safety
/// The function is one of a loaded module, and has the parameters of the call.
unsafe fn launch(
    function: sys::CUfunction,
    call: &LaunchCall,
    stream: &CudaStream,
) -> std::result::Result<f32, DriverError> {
    let mut bytes = call.parameters.clone();
    let mut parameters: Vec<*mut c_void> = bytes.iter_mut().map(|b| b.as_mut_ptr().cast()).collect();
    let mut attributes: Vec<CUlaunchAttribute> = call.attributes.iter().map(attribute).collect();
    let ([x, y, z], [bx, by, bz]) = (call.grid, call.block);
    let config = CUlaunchConfig {
        gridDimX: x,
        gridDimY: y,
        gridDimZ: z,
        blockDimX: bx,
        blockDimY: by,
        blockDimZ: bz,
        sharedMemBytes: call.shared_memory,
        hStream: stream.cu_stream(),
        attrs: attributes.as_mut_ptr(),
        numAttrs: attributes.len() as u32,
    };
    let mark = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
    let before = mark()?;
    // SAFETY: promised by the caller. The parameters and attributes are read before the call
    // returns. The arrays live until the stream has been waited for. The kernel's own accesses are
    // confined to the GPU's memory, which is not this process's memory.
    let done = unsafe {
        sys::cuLaunchKernelEx(&raw const config, function, parameters.as_mut_ptr(), std::ptr::null_mut())
    };
    done.result()?;
    let after = mark()?;
    stream.synchronize()?;
    before.elapsed_ms(&after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_have_the_numbers_of_the_driver() {
        let all = [
            LaunchAttribute::Cluster([2, 3, 4]),
            LaunchAttribute::PreferredCluster([2, 3, 4]),
            LaunchAttribute::Cooperative(1),
            LaunchAttribute::Programmatic(1),
            LaunchAttribute::CompletionEvent { event: 1, flags: 2 },
            LaunchAttribute::ProgrammaticEvent { event: 1, flags: 2, at_start: 1 },
        ];
        for one in all {
            let made = attribute(&one);
            assert_eq!((made.id as u32, format!("{:?}", made.id).as_str()), (one.number(), one.name()));
        }
        let made = attribute(&all[1]);
        // SAFETY: it is the field of this attribute.
        let cluster = unsafe { made.value.preferredClusterDim };
        assert_eq!((cluster.x, cluster.y, cluster.z), (2, 3, 4));
        for one in [FunctionAttribute::DynamicSharedMemory, FunctionAttribute::LargeClusters] {
            let (made, _) = of_function(one, 1);
            assert_eq!((made as u32, format!("{made:?}").as_str()), (one.number(), one.name()));
        }
    }

    #[test]
    fn a_target_is_the_devices_own_or_one_that_runs_on_it() {
        let of = |asked, capability| target(asked, "GPU", capability).map_err(|e| e.to_string());
        assert_eq!(of(None, (9, 0)), Ok(Target::Sm90a));
        assert_eq!(of(None, (10, 0)), Ok(Target::Sm100a));
        assert_eq!(of(Some(Target::Sm80), (9, 0)), Ok(Target::Sm80));
        assert_eq!(
            of(Some(Target::Sm100a), (9, 0)).unwrap_err(),
            "--target sm_100a does not run on GPU (compute capability 9.0); leave it out for sm_90a"
        );
        assert_eq!(
            of(Some(Target::Sm80), (7, 5)).unwrap_err(),
            "no target runs on GPU (compute capability 7.5); the oldest is sm_80"
        );
    }
}
