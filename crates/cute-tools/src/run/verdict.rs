//! Verdicts: everything that a run in the simulator said, kept in the folder of `--cache` under all
//! that it depends on, so that a second run of what has not changed says the same at once.
//!
//! A verdict depends on the command line, the current folder, and the contents of every file that
//! the run reads. Runs that write files or use a device are not kept.

use super::{cli::Cli, failure::Stage, inputs};
use crate::{
    compile::executable,
    diagnostics::{self, Said, message},
    error::{Error, Result, UnwrittenFiles},
};
use cute_driver::libdevice;
use cute_session::{Store, store::Name};
use serde::{Deserialize, Serialize};
use std::{env, fs, io, iter, path::Path};

/// Everything that a run said, and how it ended.
#[derive(Serialize, Deserialize)]
struct Verdict {
    said: Said,
    /// The kernel and the number of its findings, if there are any.
    findings: Option<(String, usize)>,
}

/// Runs what is asked for, or says again what an equal run said.
///
/// # Errors
/// Those of the run, and [`Error::Session`] if the folder cannot be used.
pub(super) fn kept(
    folder: &Path,
    options: &Cli,
    stage: &Stage,
    run: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let store = Store::open(folder, &executable())?;
    if let Some(option) = unkept(options) {
        message(&format!("warning: the cache is not used, because of {option}"));
        return run();
    }
    let name = name(&store, options)?;
    let found = store.get(&name).unwrap_or_else(|why| {
        message(&format!("warning: {why}"));
        None
    });
    if let Some(Verdict { said, findings }) = found.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
        said.again()?;
        stage.printed();
        return match findings {
            None => Ok(()),
            Some((kernel, count)) => Err(Error::Findings { kernel, count, left: UnwrittenFiles(Vec::new()) }),
        };
    }
    let (end, said) = diagnostics::recorded(run);
    let findings = match &end {
        Ok(()) => None,
        Err(Error::Findings { kernel, count, .. }) => Some((kernel.clone(), *count)),
        Err(_) => return end,
    };
    let verdict = serde_json::to_vec(&Verdict { said, findings }).expect("a verdict has a form in JSON");
    store.put(&name, &verdict).unwrap_or_else(|why| message(&format!("warning: {why}")));
    end
}

/// The reason why a run is not kept: an option with another effect than a report, or an input that
/// has no name.
fn unkept(options: &Cli) -> Option<&'static str> {
    let others = [
        ("--gpu", options.gpu),
        ("--out", !options.outputs.is_empty()),
        ("--trace", options.simulation.trace.is_some()),
        ("--html", options.simulation.html.is_some()),
        (
            "standard input",
            [Some(&*options.file), options.launches.as_deref()].contains(&Some(Path::new("-"))),
        ),
    ];
    others.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
}

/// The name of the verdict on a run.
fn name(store: &Store, options: &Cli) -> Result<Name> {
    let here = env::current_dir().unwrap_or_default();
    let library = libdevice::find(options.settings.libdevice()).map_err(cute_session::Error::from)?;
    let mut contents = Vec::new();
    for file in iter::once(options.file.clone()).chain(inputs(options)) {
        let read = match fs::read(&file) {
            Ok(bytes) => Some(bytes),
            Err(why) if why.kind() == io::ErrorKind::NotFound => None,
            Err(why) => return Err(Error::Read { file: file.display().to_string(), why }),
        };
        contents.push((file, read));
    }
    Ok(store.name(|field| {
        field(b"verdict");
        field(here.as_os_str().as_encoded_bytes());
        field(format!("{options:?}").as_bytes());
        field(library.as_ref().map_or(&[], |library| &library.bitcode[..]));
        for (file, bytes) in &contents {
            field(file.as_os_str().as_encoded_bytes());
            field(&[u8::from(bytes.is_some())]);
            field(bytes.as_deref().unwrap_or_default());
        }
    }))
}
