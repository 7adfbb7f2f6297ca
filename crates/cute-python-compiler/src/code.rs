//! The machine code of kernels in numbers: registers, spills and loops.

use cute_driver::{
    ptxas,
    sass::{self, Code, Lines},
};
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use serde_json::{Value as Json, json};

use crate::{Given, settings};

/// The kernels of PTX as ptxas assembles them for a GPU, as JSON: registers of a thread, bytes of
/// its stack, bytes spilled and reloaded, and bytes of static shared memory; where there is an
/// nvdisasm, instructions without NOPs, and for each loop its instructions, its MMAs and its line.
///
/// A loop is one with MMAs, or in a kernel without MMAs an innermost one.
#[pyfunction]
pub fn machine_code(py: Python<'_>, ptx: &str, gpu: &str, options: Given) -> PyResult<String> {
    let failed = |why: String| PyRuntimeError::new_err(why);
    let target = gpu.parse().map_err(|why| failed(format!("{why}")))?;
    let (settings, assembler) = settings(target, &options).map_err(|why| failed(why.message))?;
    py.detach(|| {
        let assembled =
            assembler.assemble(ptx, settings.target, true).map_err(|why| failed(why.to_string()))?;
        let code = match sass::find() {
            Ok(_) => {
                sass::disassemble(&assembled.cubin, Lines::Source).map_err(|why| failed(why.to_string()))?
            }
            Err(sass::Error::NotFound) => Vec::new(),
            Err(why) => return Err(failed(why.to_string())),
        };
        let kernels = assembled.resources.iter().map(|used| {
            let own = code.iter().find(|code| code.name == used.name);
            numbers(used, own)
        });
        Ok(Json::from(kernels.collect::<Vec<_>>()).to_string())
    })
}

fn numbers(used: &ptxas::Resources, code: Option<&Code>) -> Json {
    let loops = code.map(|code| {
        let loops = code.loops();
        let listed = loops.iter().map(|one| {
            json!({
                "instructions": one.instructions,
                "mmas": one.mmas,
                "line": one.place.as_ref().map(ToString::to_string),
            })
        });
        listed.collect::<Vec<_>>()
    });
    json!({
        "kernel": used.name,
        "registers": used.registers,
        "stack": used.stack,
        "spilled": used.spill_stores,
        "reloaded": used.spill_loads,
        "shared": used.shared,
        "instructions": code.map(|code| code.instructions.len()),
        "loops": loops,
    })
}
