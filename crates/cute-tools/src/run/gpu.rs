//! The place with a GPU: the first device of the CUDA driver, which is loaded when it is asked for.
//!
//! The only module of this crate with `unsafe`: the driver is loaded, given code, and told to run it.

use super::job::{Job, Outcome, Place, Report, Timing, Value};
use crate::error::{Error, Result};
use cudarc::driver::{
    CudaContext, CudaSlice, DevicePtr, DriverError,
    result::{self, launch_kernel},
    sys::{self, CUevent_flags, CUfunction_attribute, CUresult},
};
use cute_arch::Target;
use std::{
    error::Error as _,
    ffi::{CString, c_void},
    sync::Arc,
};

/// The driver's API as of this version is what is called, and it reads the PTX of every [`Target`] that it has devices of.
const LEAST: (i32, i32) = (12, 8);

/// A device that is ready.
pub struct Gpu {
    context: Arc<CudaContext>,
    name: String,
    capability: (u32, u32),
}

/// Code for a device.
pub struct Code {
    /// What the driver assembles.
    pub ptx: String,
    /// The same assembled, if there is a ptxas.
    pub cubin: Option<Vec<u8>>,
    /// What both are for.
    pub target: Target,
}

/// A device with code.
pub struct Loaded<'g> {
    /// The device.
    pub gpu: &'g Gpu,
    /// The code.
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
        let known = |e| failed("ask the GPU what it is", e);
        let name = context.name().map_err(known)?;
        let (major, minor) = context.compute_capability().map_err(known)?;
        Ok(Self { context, name, capability: (major.max(0) as u32, minor.max(0) as u32) })
    }

    /// The target to compile for: the one that is asked for, or the device's own.
    ///
    /// # Errors
    /// [`Error::NoTarget`] and [`Error::OtherTarget`].
    pub fn target(&self, asked: Option<Target>) -> Result<Target> {
        target(asked, &self.name, self.capability)
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

/// Loads the driver, lest `cudarc` panics where there is none, or one without a function that it calls.
fn need_driver() -> Result<()> {
    // SAFETY: what the library does when it is loaded is NVIDIA's care. It stays loaded: `cudarc` holds it too.
    if let Err(e) = unsafe { libloading::Library::new("libcuda.so.1") } {
        return Err(Error::NoDriver { why: e.source().unwrap_or(&e).to_string() });
    }
    let mut version = 0;
    // SAFETY: the pointer is to a live `int`; of all functions this one may be called before `cuInit`.
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
        // SAFETY: the image is live, and PTX that ends in a NUL, or an ELF file, which says how long it is.
        unsafe { result::module::load_data(image.as_ptr().cast()) }.map(Self)
    }

    /// Of the two, what the driver takes: a cubin of a newer ptxas may be none of its own.
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
        // SAFETY: it was loaded, once, and functions of it are not used any more. An error here has been one before.
        let _ = unsafe { result::module::unload(self.0) };
    }
}

/// What each parameter gets, in the lowest bytes: the driver reads as many as the parameter has, on little-endian hosts
/// as all that it runs on are. No parameter is wider, or [`Job`] would have refused it.
fn words(values: &[Value], addresses: &[u64]) -> Vec<u64> {
    let word = |value: &Value| match *value {
        Value::Array(i) => addresses[i],
        Value::Null => 0,
        Value::Scalar(_, bits) => bits,
    };
    values.iter().map(word).collect()
}

impl Place for Loaded<'_> {
    fn run(&self, job: &Job<'_>) -> Result<Outcome> {
        let (gpu, name) = (self.gpu, &job.kernel.name);
        let stream = gpu.context.default_stream();
        let (module, form) = Module::of(&self.code).map_err(|e| failed("load the code", e))?;
        let find = |e| failed(&format!("find kernel '{name}'"), e);
        let symbol =
            CString::new(name.as_str()).map_err(|_| find(DriverError(CUresult::CUDA_ERROR_NOT_FOUND)))?;
        // SAFETY: the module is loaded.
        let function = unsafe { result::module::get_function(module.0, symbol) }.map_err(find)?;
        let limit = self.code.target.max_static_shared_memory();
        if job.kernel.shared_memory.r#static + u64::from(job.shared) > limit.into() {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            // SAFETY: the function is one of a loaded module.
            let set =
                unsafe { result::function::set_function_attribute(function, attribute, job.shared as i32) };
            set.map_err(|e| {
                failed(&format!("give kernel '{name}' {} bytes of shared memory", job.shared), e)
            })?;
        }
        // The driver allocates no empty array.
        let copy_in = |bytes: &[u8]| stream.clone_htod(if bytes.is_empty() { &[0][..] } else { bytes });
        let buffers =
            job.arrays.iter().map(|a| copy_in(&a.bytes)).collect::<std::result::Result<Vec<_>, _>>();
        let buffers: Vec<CudaSlice<u8>> = buffers.map_err(|e| failed("copy arrays to the GPU", e))?;
        let addresses: Vec<u64> = buffers.iter().map(|b| b.device_ptr(&stream).0).collect();
        let mut words = words(&job.values, &addresses);
        let mut parameters: Vec<*mut c_void> = words.iter_mut().map(|w| (&raw mut *w).cast()).collect();

        let launched = |e| failed(&format!("run kernel '{name}'"), e);
        let mark = || stream.record_event(Some(CUevent_flags::CU_EVENT_DEFAULT)).map_err(launched);
        let [grid, block] = [job.grid, job.block].map(|[x, y, z]| (x, y, z));
        let before = mark()?;
        // SAFETY: the function is one of a loaded module. There is a pointer for each of its parameters, as the manifest
        // counts them, to at least as many bytes as it has; they are read before the call returns. The arrays live until
        // the stream has been waited for. What the kernel itself does to memory is the GPU's to refuse: it is not this
        // process's memory.
        let launch =
            unsafe { launch_kernel(function, grid, block, job.shared, stream.cu_stream(), &mut parameters) };
        launch.map_err(launched)?;
        let behind = mark()?;
        stream.synchronize().map_err(launched)?;
        let milliseconds = before.elapsed_ms(&behind).map_err(launched)?;

        let copy_out = |buffer: &CudaSlice<u8>| stream.clone_dtoh(buffer);
        let arrays = buffers.iter().map(copy_out).collect::<std::result::Result<Vec<_>, _>>();
        let mut arrays = arrays.map_err(|e| failed("copy arrays from the GPU", e))?;
        stream.synchronize().map_err(|e| failed("copy arrays from the GPU", e))?;
        for (bytes, array) in arrays.iter_mut().zip(&job.arrays) {
            bytes.truncate(array.bytes.len());
            *bytes = array.rows(std::mem::take(bytes));
        }
        let timing = Timing {
            kernel: name.clone(),
            device: gpu.name.clone(),
            target: self.code.target.to_string(),
            code: form,
            milliseconds,
        };
        Ok(Outcome { report: Report::Gpu(timing), arrays, written: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::element::Element;

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

    #[test]
    fn a_parameter_finds_its_value_in_the_lowest_bytes() {
        let values = [
            Value::Array(1),
            Value::Null,
            Value::Scalar(Element::I32, -2i64 as u64),
            Value::Scalar(Element::I8, 200),
            Value::Scalar(Element::F64, 1f64.to_bits()),
        ];
        let words = words(&values, &[0x7f00, 0x7f_ffff_fe00]);
        let bytes = |i: usize, width: usize| words[i].to_ne_bytes()[..width].to_vec();
        assert_eq!(bytes(0, 8), 0x7f_ffff_fe00u64.to_le_bytes());
        assert_eq!(bytes(1, 8), [0; 8]);
        assert_eq!(bytes(2, 4), (-2i32).to_le_bytes());
        assert_eq!(bytes(3, 1), [200]);
        assert_eq!(bytes(4, 8), 1f64.to_le_bytes());
    }
}
