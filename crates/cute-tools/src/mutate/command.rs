//! Another program as a test, which is told the mutant by a file that its environment names.

use super::{Ask, cli::Cli};
use crate::{diagnostics::message, error::Result, mutate_error::Error};
use cute_mutate::{
    judge::TestAnswer,
    trial::{Ran, Trial, VARIABLE},
};
use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use std::{
    ffi::OsString,
    fs::{self, File},
    io::ErrorKind,
    os::unix::process::CommandExt,
    path::Path,
    process::{self, Child, Command, ExitStatus, Stdio},
    sync::atomic::{AtomicI32, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// The process group of the command that runs; 0 if none does.
static GROUP: AtomicI32 = AtomicI32::new(0);

/// Ends the command with this process, whose group it is not in.
fn end_both() -> ! {
    match GROUP.load(Relaxed) {
        0 => {}
        group => killpg(Pid::from_raw(group), Signal::SIGKILL).unwrap_or_default(),
    }
    process::exit(INTERRUPTED)
}

/// The exit code after Ctrl-C, as shells give it.
const INTERRUPTED: i32 = 130;

/// Makes a command that answers, and hands it on with its name.
pub(super) fn asked(cli: &Cli, then: impl FnOnce(&str, &mut Ask<'_>) -> Result<()>) -> Result<()> {
    // Another handler is that of a caller, who then has to end the command.
    ctrlc::set_handler(|| end_both()).ok();
    let failed = |why| Error::System { step: "make a folder for records", why };
    let folder = tempfile::Builder::new().prefix("cutec-mutate").tempdir().map_err(failed)?;
    let words: Vec<_> = cli.command.iter().map(|word| word.to_string_lossy()).collect();
    let mut test =
        Test { command: &cli.command, folder: folder.path(), limit: cli.timeout.map(Duration::from_secs) };
    then(&words.join(" "), &mut |trial| Ok(test.answer(trial)?))
}

struct Test<'t> {
    command: &'t [OsString],
    folder: &'t Path,
    limit: Option<Duration>,
}

impl Test<'_> {
    fn answer(&mut self, trial: Trial) -> std::result::Result<TestAnswer, Error> {
        let is_first = trial.lists_texts;
        let (file, record) = (self.folder.join("trial.json"), self.folder.join("record.json"));
        let _ = fs::remove_file(&record);
        let trial = Trial { record: Some(record.clone()), ..trial };
        let text = serde_json::to_string(&trial).expect("a trial has a form in JSON");
        fs::write(&file, text).map_err(|why| Error::Write { file: file.clone(), why })?;
        let failed = |why| Error::System { step: "write what the command says", why };
        let (name, arguments) = self.command.split_first().expect("the command line requires a command");
        let mut command = Command::new(name);
        // With a group of its own, all processes of the command can be ended.
        command.args(arguments).env(VARIABLE, &file).stdin(Stdio::null()).process_group(0);
        // Only a failure without a mutant is of interest.
        let said = File::create(self.folder.join("said")).map_err(failed)?;
        command.stdout(said.try_clone().map_err(failed)?).stderr(said);
        let start = |why| Error::Start { program: name.to_string_lossy().into_owned(), why };
        let began = Instant::now();
        let mut child = command.spawn().map_err(start)?;
        GROUP.store(group(&child).as_raw(), Relaxed);
        let status = wait(&mut child, self.limit.filter(|_| !is_first));
        GROUP.store(0, Relaxed);
        let status = status?;
        if is_first {
            self.limit.get_or_insert(began.elapsed() * 10 + Duration::from_secs(10));
        }
        if is_first && !status.is_some_and(|status| status.success()) {
            let said = fs::read(self.folder.join("said")).unwrap_or_default();
            message(String::from_utf8_lossy(&said).trim_end());
        }
        Ok(TestAnswer {
            passes: status.is_some_and(|status| status.success()),
            is_late: status.is_none(),
            ran: ran(&record)?,
        })
    }
}

/// The process group of a command.
fn group(child: &Child) -> Pid {
    Pid::from_raw(child.id().try_into().expect("a process id"))
}

/// Waits for a process, and ends it and all that it has started after a time.
fn wait(child: &mut Child, limit: Option<Duration>) -> std::result::Result<Option<ExitStatus>, Error> {
    let failed = |why| Error::System { step: "wait for the command", why };
    let began = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(Some(status));
        }
        if limit.is_some_and(|limit| began.elapsed() >= limit) {
            // It may have ended meanwhile.
            killpg(group(child), Signal::SIGKILL).ok();
            child.wait().map_err(failed)?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The runs that a record lists; without one there were none.
fn ran(record: &Path) -> std::result::Result<Vec<Ran>, Error> {
    let text = match fs::read_to_string(record) {
        Ok(text) => text,
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(why) => return Err(Error::System { step: "read the record of the command", why }),
    };
    let read = |line: &str| serde_json::from_str(line).map_err(|why| Error::Record { why: why.to_string() });
    text.lines().map(read).collect()
}
