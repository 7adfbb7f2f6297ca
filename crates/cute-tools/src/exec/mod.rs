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
    collections::BTreeMap,
    env,
    ffi::{CString, OsStr, OsString},
    fs::File,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use cute_cuda::{
    messages,
    options::{self, ExecOptions},
};
use cute_cuda_stubs::LIBRARY;
use nix::{
    errno::Errno,
    spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn},
    sys::{
        signal::{SigSet, Signal, kill},
        wait::{WaitStatus, waitpid},
    },
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

    let mut variables: BTreeMap<OsString, OsString> = env::vars_os().collect();
    variables.insert(LIBRARY.into(), library.into());
    variables.insert(options::VARIABLE.into(), options.into());
    variables.insert("LD_LIBRARY_PATH".into(), in_front(&[folder.clone().into()], "LD_LIBRARY_PATH"));
    // A path in the program (DT_RPATH) goes before LD_LIBRARY_PATH, but not before these.
    if program.takes_preloads() {
        let mut files = ["libcudart.so.13", "libcudart.so.12", "libcuda.so.1"];
        // A symbol without a version is that of the first one.
        if program.is_of_cuda_12() {
            files.swap(0, 1);
        }
        let files = files.map(|file| folder.join(file).into());
        variables.insert("LD_PRELOAD".into(), in_front(&files, "LD_PRELOAD"));
    }
    let start = |why| Error::Start { program: cute_text::line(&name.to_string_lossy()).into_owned(), why };
    // Signals wait until the program has begun, which does not inherit that.
    let (signals, before) = (endings(), SigSet::thread_get_mask());
    let failed = |why: Errno| Error::System { step: "wait for signals", why: why.into() };
    let before = before.map_err(failed)?;
    signals.thread_block().map_err(failed)?;
    let arguments: Vec<&OsStr> =
        [name.as_os_str()].into_iter().chain(arguments.iter().map(OsString::as_os_str)).collect();
    let child = spawn(&program.path, &arguments, &variables, &before).map_err(|why| start(why.into()))?;
    forward(signals, child);
    let (code, signal) =
        wait(child).map_err(|why| Error::System { step: "wait for the program", why: why.into() })?;

    let read = |why| Error::System { step: "read the messages of the program", why };
    let mut summary = Summary::of(messages::read(heard.path()).map_err(read)?);
    (summary.exit, summary.signal) = (code, signal);
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
fn options(cli: &Cli, messages: &Path) -> Result<ExecOptions> {
    let simulation = &cli.simulation;
    let absolute = |path: &Option<PathBuf>| {
        path.as_ref()
            .map(std::path::absolute)
            .transpose()
            .map_err(|why| Error::System { step: "find the current folder", why })
    };
    let sources = simulation.sources.iter().map(|folder| absolute(&Some(folder.clone())));
    let sources = sources.collect::<std::result::Result<Vec<_>, _>>()?;
    let mut allow = simulation.allow.clone();
    allow.extend(allowed()?);
    Ok(ExecOptions {
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
        sources: sources.into_iter().flatten().collect(),
        trace: absolute(&simulation.trace)?,
        record: absolute(&cli.record)?,
        report: cli.report.into(),
        messages: Some(messages.to_owned()),
    })
}

/// Starts a program that has these signals blocked. `std` would let it inherit those of this
/// process.
fn spawn(
    path: &Path,
    arguments: &[&OsStr],
    variables: &BTreeMap<OsString, OsString>,
    blocked: &SigSet,
) -> nix::Result<Pid> {
    let text = |bytes: &[u8]| CString::new(bytes).map_err(|_| Errno::EINVAL);
    let arguments: Vec<CString> =
        arguments.iter().map(|argument| text(argument.as_bytes())).collect::<nix::Result<_>>()?;
    let pair =
        |(name, value): (&OsString, &OsString)| text(&[name.as_bytes(), b"=", value.as_bytes()].concat());
    let variables: Vec<CString> = variables.iter().map(pair).collect::<nix::Result<_>>()?;
    let mut attributes = PosixSpawnAttr::init()?;
    attributes.set_flags(PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK | PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF)?;
    attributes.set_sigmask(blocked)?;
    // This process ignores it, as each one of Rust does.
    attributes.set_sigdefault(&[Signal::SIGPIPE].into_iter().collect())?;
    posix_spawn(path, &PosixSpawnFileActions::init()?, &attributes, &arguments, &variables)
}

/// Waits for the end of a program: its exit code, or the signal that has ended it.
fn wait(program: Pid) -> nix::Result<(Option<i32>, Option<i32>)> {
    loop {
        match waitpid(program, None) {
            Ok(WaitStatus::Exited(_, code)) => return Ok((Some(code), None)),
            Ok(WaitStatus::Signaled(_, signal, _)) => return Ok((None, Some(signal as i32))),
            Ok(_) | Err(Errno::EINTR) => {}
            Err(why) => return Err(why),
        }
    }
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
fn forward(signals: SigSet, program: Pid) {
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
