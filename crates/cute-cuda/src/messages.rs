//! Messages of the program's processes for `cutec exec`, about launches and unsupported calls:
//! lines of JSON in a file, which all of them append to.

use std::{
    collections::BTreeMap,
    fs::OpenOptions,
    io::Write,
    path::Path,
    process,
    sync::{Mutex, OnceLock, PoisonError},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::options::ExecOptions;

/// A message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum Message {
    /// A launch has been run.
    Launch {
        /// The process that launched it.
        process: u32,
        /// The kernel, as people read its name.
        kernel: String,
        /// The number of findings that fail the run.
        findings: u64,
        /// Its report as `cutec run --report json` has it, if reports are in JSON.
        #[serde(default)]
        report: Value,
    },
    /// A function that is not supported has been called so often. A later message of the same
    /// process and function replaces this one.
    Missing {
        /// The process that called it.
        process: u32,
        /// Its name in CUDA's headers.
        function: String,
        /// How often, at least.
        calls: u64,
    },
}

/// Sends a message, if `cutec exec` listens. Whether it arrives changes nothing for the program.
pub fn send(message: &Message) {
    static FILE: OnceLock<Option<std::path::PathBuf>> = OnceLock::new();
    let file = FILE.get_or_init(|| ExecOptions::of_environment().ok().and_then(|options| options.messages));
    let Some(file) = file else { return };
    let Ok(mut line) = serde_json::to_vec(message) else { return };
    line.push(b'\n');
    // One write to a file that is appended to is not mixed with those of other processes.
    let open = OpenOptions::new().append(true).open(file);
    open.and_then(|mut file| file.write_all(&line)).ok();
}

/// Counts a call of a function that is not supported, and returns the number of its calls.
pub fn missing(function: &str) -> u64 {
    static CALLS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let calls = {
        let mut all = CALLS.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = all.entry(function.to_owned()).or_default();
        *calls += 1;
        *calls
    };
    // A program may poll: beyond the first thousand, only powers of two are told.
    if calls <= 1000 || calls.is_power_of_two() {
        send(&Message::Missing { process: process::id(), function: function.to_owned(), calls });
    }
    calls
}

/// The messages in a file, without lines that are none: a process may end within one.
///
/// # Errors
/// The file cannot be read.
pub fn read(file: &Path) -> std::io::Result<Vec<Message>> {
    let text = std::fs::read(file)?;
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(|line| serde_json::from_slice(line).ok()).collect())
}
