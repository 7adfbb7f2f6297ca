//! Runs on a GPU: the first device of the CUDA driver, which is loaded on demand.
//!
//! This is the only module of this crate with `unsafe`: it loads the driver, passes code to it, and
//! launches kernels.

use crate::error::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaSlice, CudaStream, DevicePtr, DriverError, result,
    sys::{
        self, CUdevice_attribute, CUevent_flags, CUfunction_attribute, CUlaunchAttribute,
        CUlaunchAttributeID, CUlaunchAttributeValue, CUlaunchAttributeValue_union__bindgen_ty_1,
        CUlaunchAttributeValue_union__bindgen_ty_4, CUlaunchConfig, CUresult,
    },
};
use cute_arch::Target;
use cute_launch::{
    Launch, Shape,
    job::{Job, Outcome, Place},
    report::{Report, Timing},
};
use std::{
    error::Error as _,
    ffi::{CString, c_void},
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
pub struct Code {
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
    pub code: Code,
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

/// The attributes of a launch other than its sizes.
fn attributes(shape: &Shape) -> Vec<CUlaunchAttribute> {
    use CUlaunchAttributeID as Id;
    let attribute = |id, value| CUlaunchAttribute { id, pad: [0; 4], value };
    let mut all = Vec::new();
    if let Some([x, y, z]) = shape.cluster {
        let value =
            CUlaunchAttributeValue { clusterDim: CUlaunchAttributeValue_union__bindgen_ty_1 { x, y, z } };
        all.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value));
    }
    if let Some([x, y, z]) = shape.preferred_cluster {
        let preferred = CUlaunchAttributeValue_union__bindgen_ty_4 { x, y, z };
        let value = CUlaunchAttributeValue { preferredClusterDim: preferred };
        all.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, value));
    }
    if shape.cooperative {
        all.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CUlaunchAttributeValue { cooperative: 1 }));
    }
    if shape.programmatic {
        let value = CUlaunchAttributeValue { programmaticStreamSerializationAllowed: 1 };
        all.push(attribute(Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, value));
    }
    all
}

impl Place for Loaded<'_> {
    type Error = Error;

    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        let gpu = self.gpu;
        let stream = gpu.context.default_stream();
        let (module, form) = Module::of(&self.code).map_err(|e| failed("load the code", e))?;
        // The driver allocates no empty array.
        let (buffers, addresses): (Vec<CudaSlice<u8>>, _) = job.upload(|bytes| {
            let bytes = if bytes.is_empty() { &[0][..] } else { bytes };
            let buffer = stream.clone_htod(bytes).map_err(|e| failed("copy arrays to the GPU", e))?;
            let address = buffer.device_ptr(&stream).0;
            Ok::<_, Error>((buffer, address))
        })?;
        let mut reports = Vec::new();
        for launch in job.launches(&addresses)? {
            let report = self.launch(&launch, &stream, &module, form)?;
            reports.push((launch.shape, report));
        }

        let copy_out = |buffer: &CudaSlice<u8>| stream.clone_dtoh(buffer);
        let arrays = buffers.iter().map(copy_out).collect::<std::result::Result<Vec<_>, _>>();
        let mut arrays = arrays.map_err(|e| failed("copy arrays from the GPU", e))?;
        stream.synchronize().map_err(|e| failed("copy arrays from the GPU", e))?;
        for (bytes, array) in arrays.iter_mut().zip(&job.arrays) {
            bytes.truncate(array.bytes.len());
            *bytes = array.rows(std::mem::take(bytes));
        }
        Ok(Outcome { reports: job.reports(reports), arrays, written: None })
    }
}

impl Loaded<'_> {
    fn launch(
        &self,
        launch: &Launch<'_>,
        stream: &CudaStream,
        module: &Module,
        form: &'static str,
    ) -> Result<Report> {
        let (gpu, name, shape) = (self.gpu, &launch.kernel.name, &launch.shape);
        let find = |e| failed(&format!("find kernel '{name}'"), e);
        let symbol =
            CString::new(name.as_str()).map_err(|_| find(DriverError(CUresult::CUDA_ERROR_NOT_FOUND)))?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(module.0, symbol) }.map_err(find)?;
        let set = |attribute, value: u32, what: &str| {
            // SAFETY: the function is one of a loaded module.
            let set = unsafe { result::function::set_function_attribute(function, attribute, value as i32) };
            set.map_err(|e| failed(&format!("give kernel '{name}' {what}"), e))
        };
        let limit = self.code.target.max_static_shared_memory();
        if launch.kernel.shared_memory.r#static + u64::from(shape.shared_memory) > limit.into() {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            set(attribute, shape.shared_memory, &format!("{} bytes of shared memory", shape.shared_memory))?;
        }
        let mut clusters = [shape.cluster, shape.preferred_cluster].into_iter().flatten();
        if clusters.any(|c| c.iter().product::<u32>() > Target::MAX_PORTABLE_CLUSTER) {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
            set(attribute, 1, "large clusters")?;
        }
        let mut bytes = launch.kernel.pack(&launch.words);
        let mut parameters: Vec<*mut c_void> = bytes.iter_mut().map(|b| b.as_mut_ptr().cast()).collect();
        let mut attributes = attributes(shape);
        let ([x, y, z], [bx, by, bz]) = (shape.grid, shape.block);
        let config = CUlaunchConfig {
            gridDimX: x,
            gridDimY: y,
            gridDimZ: z,
            blockDimX: bx,
            blockDimY: by,
            blockDimZ: bz,
            sharedMemBytes: shape.shared_memory,
            hStream: stream.cu_stream(),
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len() as u32,
        };

        let launched = |e| failed(&format!("run kernel '{name}'"), e);
        let mark = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(launched);
        let before = mark()?;
        // SAFETY: the function belongs to a loaded module. There is a pointer for each of its
        // parameters in the manifest, to as many bytes as the parameter has; they are read before
        // the call returns, as are the attributes. The arrays live until the stream has been waited
        // for. The kernel's own accesses are confined to the GPU's memory, which is not this
        // process's memory.
        let done = unsafe {
            sys::cuLaunchKernelEx(&raw const config, function, parameters.as_mut_ptr(), std::ptr::null_mut())
        };
        done.result().map_err(launched)?;
        let after = mark()?;
        stream.synchronize().map_err(launched)?;
        let milliseconds = before.elapsed_ms(&after).map_err(launched)?;
        Ok(Report::Gpu(Timing {
            kernel: name.clone(),
            device: gpu.name.clone(),
            target: self.code.target.to_string(),
            code: form,
            milliseconds,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
