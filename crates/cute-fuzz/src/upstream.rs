//! Faults of MLIR itself, which stock `mlir-opt` shows without the plugin. Each has a reproducer in
//! `upstream/`, whose comments give the options and a function of MLIR on the stack. If other
//! faults could have the same function on the stack, they also give a text that the input contains.

use std::{fs, path::Path};

use crate::{batch::Finding, process::run};

/// One of the faults.
#[derive(Debug)]
pub(crate) struct Known {
    /// The name of its reproducer.
    pub name: String,
    /// A function that is on the stack.
    frame: String,
    /// A text in the input; empty if the frame suffices.
    input: String,
}

impl Known {
    /// Whether a finding is this fault.
    pub fn explains(&self, finding: &Finding) -> bool {
        finding.fault.output.contains(&self.frame) && finding.case.input.contains(&self.input)
    }
}

/// Reads the faults in `folder`, and checks that each still happens with `mlir_opt`.
pub fn known(folder: &Path, mlir_opt: &Path) -> Result<Vec<Known>, String> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    paths.iter().map(|path| reproduced(path, mlir_opt)).collect()
}

fn reproduced(path: &Path, mlir_opt: &Path) -> Result<Known, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let comment = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let frame = comment("// frame:").ok_or_else(|| format!("{name} does not name a frame"))?;
    let mut command = vec![mlir_opt.display().to_string()];
    command.extend(comment("// options:").unwrap_or("").split_whitespace().map(str::to_string));
    let place = tempfile::tempdir().map_err(|error| error.to_string())?;
    match run(&command, &text, place.path()).fault {
        Some(fault) if fault.output.contains(frame) => {
            let input = comment("// input:").unwrap_or("").to_string();
            Ok(Known { name, frame: frame.to_string(), input })
        }
        Some(fault) => Err(format!("{name}: {frame} is not on the stack:\n{}", fault.output)),
        None => Err(format!("{name} no longer shows a fault; remove it from the list")),
    }
}
