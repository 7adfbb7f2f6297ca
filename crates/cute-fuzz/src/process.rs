//! Runs a tool within limits of time and memory, and decides what counts as a finding.

use std::{
    fs::{self, File},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

/// The memory limit of a tool in KiB. It limits the address space, of which libraries take a part.
const MEMORY: u64 = 2 << 20;

/// The time limit for a batch or a single case.
pub const TIME: Duration = Duration::from_secs(60);

/// The reason why a run is a finding.
#[derive(Debug, Clone)]
pub struct Fault {
    /// "crash", "hang" and so on.
    pub what: String,
    /// The end of the tool's output.
    pub output: String,
}

/// Runs `command` in `folder` with `input` on standard input. Returns the fault, if there is one.
pub fn run(command: &[String], input: &str, folder: &Path) -> Option<Fault> {
    let (stdin, said) = (folder.join("stdin"), folder.join("said"));
    fs::write(&stdin, input).expect("the input");
    let output = File::create(&said).expect("the output");
    let limits = format!("ulimit -v {MEMORY}; ulimit -c 0; ulimit -f 262144; exec \"$@\"");
    let mut child = Command::new("bash")
        .args(["-c", &limits, "bash"])
        .args(command)
        .current_dir(folder)
        .env("RUST_BACKTRACE", "0")
        .stdin(File::open(&stdin).expect("the input"))
        .stdout(Stdio::from(output.try_clone().expect("the output")))
        .stderr(output)
        .spawn()
        .expect("bash");
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("the tool") {
            Some(status) => break Some(status),
            None if start.elapsed() > TIME => {
                child.kill().expect("the tool's end");
                child.wait().expect("the tool's end");
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = fs::read(&said).expect("the output");
    let said = String::from_utf8_lossy(&said);
    judge(status, &said).map(|what| {
        let from = said.char_indices().rev().nth(20_000).map_or(0, |(at, _)| at);
        Fault { what, output: said[from..].to_string() }
    })
}

/// The fault of a run that ended in this way, if it is one.
fn judge(status: Option<ExitStatus>, said: &str) -> Option<String> {
    let Some(status) = status else { return Some(format!("hang: no end in {} s", TIME.as_secs())) };
    let memory = ["memory allocation of", "bad_alloc", "out of memory", "Allocation failed"];
    if memory.iter().any(|words| said.contains(words)) {
        return Some("memory: more than 2 GB".into());
    }
    if let Some(signal) = status.signal() {
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
        run(&command, "", folder.path()).map(|fault| fault.what)
    }

    #[test]
    fn faults_are_told_from_errors() {
        assert_eq!(fault("echo error: no; exit 1"), None);
        assert_eq!(fault("kill -SEGV $$").as_deref(), Some("crash: signal 11"));
        assert_eq!(fault("echo thread main panicked at x; exit 1").as_deref(), Some("panic"));
        assert_eq!(fault("exit 101").as_deref(), Some("panic"));
        assert_eq!(fault("echo error: internal error: x; exit 1").as_deref(), Some("internal error"));
        assert_eq!(
            fault("echo memory allocation of 99 bytes failed; exit 1").as_deref(),
            Some("memory: more than 2 GB")
        );
        assert_eq!(fault("test \"$(ulimit -v)\" = 2097152"), None);
    }
}
