//! `cutec exec`: CUDA programs whose kernels run in the simulator.
//!
//! | file | subject |
//! |---|---|
//! | [`cli`] | the command line |
//! | `program`, `elf` | the program to run, and its file |
//! | `folder` | the libraries of CUDA's names |
//! | `summary` | what the program did, at its end |

pub mod cli;
mod elf;
mod folder;
mod program;
mod summary;

use std::{
    env,
    ffi::{OsStr, OsString},
    fs::File,
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode},
    thread,
};

use cute_cuda::{
    messages,
    options::{self, Options},
};
use cute_cuda_stubs::LIBRARY;
use nix::{
    sys::signal::{SigSet, Signal, kill},
    unistd::{Pid, getpgrp, tcgetpgrp},
};

use crate::{
    diagnostics::{message, print},
    error::Result,
    exec_error::Error,
    run::{allowed, views},
};
use cli::{Cli, Form};
use program::Program;
use summary::Summary;

/// Runs a program, and returns its exit code.
///
/// # Errors
/// The program cannot be run.
pub fn run(cli: &Cli) -> Result<ExitCode> {
    let [name, arguments @ ..] = cli.program.as_slice() else {
        unreachable!("the command line requires a program")
    };
    views::format(&cli.simulation)?;
    let program = Program::find(name)?;
    let (folder, library) = (folder::ready()?, folder::library()?);
    let failed = |why| Error::System { step: "make a file for messages", why };
    let heard = tempfile::Builder::new().prefix("cutec-exec").tempfile().map_err(failed)?;
    let options = serde_json::to_string(&options(cli, heard.path())?).expect("options have a form in JSON");

    let mut command = Command::new(&program.path);
    command.arg0(name).args(arguments);
    command.env(LIBRARY, &library).env(options::VARIABLE, options);
    command.env("LD_LIBRARY_PATH", in_front(&[folder.clone().into()], "LD_LIBRARY_PATH"));
    // A path in the program (DT_RPATH) goes before LD_LIBRARY_PATH, but not before these.
    if program.takes_preloads() {
        let mut files = ["libcudart.so.13", "libcudart.so.12", "libcuda.so.1"];
        // A symbol without a version is that of the first one.
        if program.is_of_cuda_12() {
            files.swap(0, 1);
        }
        let files = files.map(|file| folder.join(file).into());
        command.env("LD_PRELOAD", in_front(&files, "LD_PRELOAD"));
    }
    let start = |why| Error::Start { program: cute_text::line(&name.to_string_lossy()).into_owned(), why };
    // Signals wait until the program has begun, which has them blocked as well, until the library
    // of its runtime is loaded.
    let signals = endings();
    signals.thread_block().map_err(|why| Error::System { step: "wait for signals", why: why.into() })?;
    let mut child = command.spawn().map_err(start)?;
    forward(signals, &child);
    let status = child.wait().map_err(|why| Error::System { step: "wait for the program", why })?;

    let read = |why| Error::System { step: "read the messages of the program", why };
    let mut summary = Summary::of(messages::read(heard.path()).map_err(read)?);
    (summary.exit, summary.signal) = (status.code(), status.signal());
    match cli.report {
        Form::Text => message(summary.text().trim_end()),
        Form::Json => print(&(serde_json::to_string(&summary).expect("it has a form in JSON") + "\n"))?,
    }
    Ok(summary.code().into())
}

/// Prints the folder with the libraries, for linkers.
///
/// # Errors
/// The libraries cannot be written.
pub fn print_folder(version: u32) -> Result<()> {
    let folder = folder::ready()?;
    let folder = if version == 12 { folder.join("12") } else { folder };
    print(&format!("{}\n", folder.display()))
}

/// The options for the program's process.
fn options(cli: &Cli, messages: &Path) -> Result<Options> {
    let simulation = &cli.simulation;
    let absolute = |path: &Option<PathBuf>| {
        path.as_ref()
            .map(std::path::absolute)
            .transpose()
            .map_err(|why| Error::System { step: "find the current folder", why })
    };
    let mut allow = simulation.allow.clone();
    allow.extend(allowed()?);
    Ok(Options {
        device: cli.device.clone(),
        sms: cli.sms,
        check: cli.check.clone(),
        skip: cli.skip.clone(),
        schedule: simulation.schedule,
        schedules: simulation.schedules,
        only_blocks: simulation.only_blocks.clone(),
        sums: simulation.sums,
        no_races: simulation.no_races,
        pedantic: simulation.pedantic,
        strict_isa: simulation.strict_isa,
        allow,
        keep_going: cli.keep_going,
        html: absolute(&simulation.html)?,
        trace: absolute(&simulation.trace)?,
        record: absolute(&cli.record)?,
        report: cli.report.into(),
        messages: Some(messages.to_owned()),
    })
}

/// A list of paths with these before those in a variable of the environment.
fn in_front(paths: &[OsString], variable: &str) -> OsString {
    let own = env::var_os(variable).filter(|own| !own.is_empty());
    let all: Vec<&OsStr> = paths.iter().chain(&own).map(OsString::as_os_str).collect();
    all.join(OsStr::new(":"))
}

/// Signals that end a program, and must not end the wait for it.
fn endings() -> SigSet {
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect()
}

/// Sends signals on to the program, so that the summary of it is still printed. A terminal sends
/// its own to the program too.
fn forward(signals: SigSet, child: &Child) {
    let program = Pid::from_raw(child.id().try_into().expect("a process id"));
    let is_in_front = || File::open("/dev/tty").is_ok_and(|terminal| tcgetpgrp(&terminal) == Ok(getpgrp()));
    thread::spawn(move || {
        while let Ok(signal) = signals.wait() {
            if signal == Signal::SIGTERM || !is_in_front() {
                // The program may have ended meanwhile.
                kill(program, signal).ok();
            }
        }
    });
}
