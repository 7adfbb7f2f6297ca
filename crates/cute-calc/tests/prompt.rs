//! The prompt on a terminal: variables, errors that do not end the session, a history that outlives
//! it.

#![cfg(unix)]

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::{Duration, Instant},
};

/// A prompt behind a pseudo terminal.
struct Terminal {
    child: std::process::Child,
    keys: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
}

impl Terminal {
    fn open(data: &Path) -> Self {
        let pty = nix::pty::openpty(None, None).expect("a pseudo terminal");
        let end = || Stdio::from(pty.slave.try_clone().expect("its other end"));
        let child = Command::new(env!("CARGO_BIN_EXE_cute-calc"))
            .env("XDG_DATA_HOME", data)
            .env("TERM", "xterm")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("the binary");
        let mut output = File::from(pty.master.try_clone().expect("the screen"));
        let (send, screen) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                if send.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys: File::from(pty.master), screen, seen: String::new() }
    }

    /// Waits until the screen shows `text`, and discards everything up to it.
    fn shows(&mut self, text: &str) {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(found) = self.seen.find(text) {
                self.seen.drain(..found + text.len());
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let bytes = self.screen.recv_timeout(left);
            let bytes = bytes.unwrap_or_else(|_| panic!("{text:?} is not shown: {:?}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("keys");
    }

    fn ends(mut self) {
        assert!(self.child.wait().expect("an end").success());
    }
}

#[test]
fn the_prompt_keeps_variables_and_history() {
    let data = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("prompt-{}", std::process::id()));
    let _ = fs::remove_dir_all(&data);
    let mut terminal = Terminal::open(&data);
    terminal.shows("> ");
    terminal.types("A = (4,8):(8,1)\r");
    terminal.shows("\n(4,8):(8,1)");
    terminal.shows("> ");
    terminal.types("bad(\r");
    terminal.shows("error: column 5: expected an expression, found the end");
    terminal.shows("> ");
    terminal.types("size(A)\r");
    terminal.shows("\n32");
    terminal.shows("> ");
    terminal.types("size(right_inv\t(A))\r");
    terminal.shows("\n32");
    terminal.shows("> ");
    terminal.types("quit\r");
    terminal.ends();
    let history = fs::read_to_string(data.join("cute-calc/history")).expect("a history");
    assert!(history.contains("A = (4,8):(8,1)\nbad(\nsize(A)\nsize(right_inverse(A))\nquit\n"), "{history}");

    // Up to `size(A)`.
    let mut terminal = Terminal::open(&data);
    terminal.shows("> ");
    terminal.types("A = 4:2\r");
    terminal.shows("\n4:2");
    terminal.shows("> ");
    terminal.types("\x1b[A\x1b[A\x1b[A\x1b[A\r");
    terminal.shows("\n4");
    terminal.shows("> ");
    terminal.types("\x04");
    terminal.ends();
    let _ = fs::remove_dir_all(&data);
}
