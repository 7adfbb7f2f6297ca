//! The limits of a GPU.

use cute_arch::{Target, WARP};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};

/// The limits of a target: its capability, the bytes of shared memory of a block, the registers and
/// threads of a multiprocessor, and the threads of a warp.
#[pyfunction]
pub fn limits<'py>(py: Python<'py>, target: &str) -> PyResult<Bound<'py, PyDict>> {
    let known = Target::of_ptx(target).ok_or_else(|| {
        let names: Vec<_> = Target::known().map(Target::name).collect();
        PyValueError::new_err(format!("target '{target}' is not known; targets are {}", names.join(", ")))
    })?;
    let limits = PyDict::new(py);
    limits.set_item("capability", known.compute_capability())?;
    limits.set_item("shared_memory", known.max_dynamic_shared_memory())?;
    limits.set_item("registers", known.registers_per_multiprocessor())?;
    limits.set_item("threads", known.max_threads_per_multiprocessor())?;
    limits.set_item("warp", WARP)?;
    Ok(limits)
}
