//! Runs a tool within limits of time and memory, and decides what counts as a finding.

use std::{
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, ExitStatus},
    time::{Duration, Instant},
};

/// The memory limit of a tool in KiB. It limits the address space, of which libraries take a part.
const MEMORY: u64 = 2 << 20;

/// The limit of a process for the time that it computes, and for the time that it only waits. A
/// machine that is busy with something else does not bring a process closer to either.
const TIME: Duration = Duration::from_secs(60);

/// The reason why a run is a finding.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// "crash", "hang" and so on.
    pub what: String,
    /// The end of the tool's output.
    pub output: String,
}

impl Fault {
    /// Whether the tool was too slow.
    pub fn is_hang(&self) -> bool {
        self.what.starts_with("hang")
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Ended {
    pub fault: Option<Fault>,
    /// Whether the exit status is 0.
    pub succeeded: bool,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `command` in `folder` with `input` on standard input.
pub fn run(command: &[String], input: &str, folder: &Path) -> Ended {
    within(TIME, command, input, folder)
}

fn within(limit: Duration, command: &[String], input: &str, folder: &Path) -> Ended {
    let [stdin, stdout, stderr] = ["stdin", "stdout", "stderr"].map(|name| folder.join(name));
    fs::write(&stdin, input).expect("the input");
    let limits = format!("ulimit -v {MEMORY}; ulimit -c 0; ulimit -f 262144; exec \"$@\"");
    let mut child = Command::new("bash")
        .args(["-c", &limits, "bash"])
        .args(command)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .env("TMPDIR", folder)
        .stdin(File::open(&stdin).expect("the input"))
        .stdout(File::create(&stdout).expect("the output"))
        .stderr(File::create(&stderr).expect("the output"))
        .spawn()
        .expect("bash");
    let (mut computed, mut since) = (Duration::ZERO, Instant::now());
    let (status, why) = loop {
        if let Some(status) = child.try_wait().expect("the tool") {
            break (Some(status), "");
        }
        let now = computing(child.id()).unwrap_or(computed);
        if now > computed {
            (computed, since) = (now, Instant::now());
        }
        let why = match () {
            () if computed > limit => "computed",
            () if since.elapsed() > limit => "waited",
            () => {
                std::thread::sleep(Duration::from_millis(5));
                continue;
            }
        };
        child.kill().expect("the tool's end");
        child.wait().expect("the tool's end");
        break (None, why);
    };
    let read = |path| String::from_utf8_lossy(&fs::read(path).expect("the output")).into_owned();
    let (stdout, stderr) = (read(&stdout), read(&stderr));
    let hang = || format!("hang: {why} for {} s", limit.as_secs());
    let said = stdout.clone() + &stderr;
    let what = status.map_or_else(|| Some(hang()), |status| judge(status, &said));
    let fault = what.map(|what| {
        let from = said.char_indices().rev().nth(20_000).map_or(0, |(at, _)| at);
        Fault { what, output: said[from..].to_string() }
    });
    Ended { fault, succeeded: status.is_some_and(|status| status.success()), stdout, stderr }
}

/// How long the threads of a process have computed: fields 14 and 15 of its `stat`, in ticks of
/// 10 ms. The second field, in parentheses, may contain spaces.
fn computing(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks = fields.map(|field| field.parse::<u64>().ok()).sum::<Option<u64>>()?;
    Some(Duration::from_millis(10 * ticks))
}

/// The fault of a run that ended in this way, if it is one.
fn judge(status: ExitStatus, said: &str) -> Option<String> {
    // A run that aborts for lack of memory says so. The same words without a signal may be the
    // input's, such as the message of an assertion in a diagnostic.
    let memory = ["memory allocation of", "bad_alloc", "out of memory", "Allocation failed"];
    if let Some(signal) = status.signal() {
        if memory.iter().any(|words| said.contains(words)) {
            return Some("memory: more than 2 GB".into());
        }
        return Some(format!("crash: signal {signal}"));
    }
    match status.code() {
        Some(101) => Some("panic".into()),
        Some(code @ 126..) => Some(format!("crash: exit status {code}")),
        _ if said.contains("panicked at") => Some("panic".into()),
        _ if said.to_ascii_lowercase().contains("internal error") => Some("internal error".into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(script: &str) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let command = ["bash", "-c", script].map(str::to_string);
        within(Duration::from_secs(1), &command, "", folder.path()).fault.map(|fault| fault.what)
    }

    #[test]
    fn faults_are_told_from_errors() {
        assert_eq!(fault("echo error: no; exit 1"), None);
        assert_eq!(fault("kill -SEGV $$").as_deref(), Some("crash: signal 11"));
        assert_eq!(fault("echo thread main panicked at x; exit 1").as_deref(), Some("panic"));
        assert_eq!(fault("exit 101").as_deref(), Some("panic"));
        assert_eq!(fault("echo error: internal error: x; exit 1").as_deref(), Some("internal error"));
        assert_eq!(
            fault("echo memory allocation of 99 bytes failed; kill -ABRT $$").as_deref(),
            Some("memory: more than 2 GB")
        );
        assert_eq!(fault("echo 'cf.assert %1, \"Allocation failed\"'; exit 1"), None);
        assert_eq!(fault("[ \"$(ulimit -v)\" = 2097152 ] || exit 101"), None);
    }

    #[test]
    fn computing_and_waiting_have_a_limit() {
        assert_eq!(fault("while :; do :; done").as_deref(), Some("hang: computed for 1 s"));
        assert_eq!(fault("exec sleep 60").as_deref(), Some("hang: waited for 1 s"));
    }

    #[test]
    fn the_streams_are_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let command = ["bash", "-c", "cat; echo no >&2; exit 1"].map(str::to_string);
        let Ended { fault, succeeded, stdout, stderr } = run(&command, "yes", folder.path());
        assert!(fault.is_none() && !succeeded);
        assert_eq!((stdout.as_str(), stderr.as_str()), ("yes", "no\n"));
    }
}
