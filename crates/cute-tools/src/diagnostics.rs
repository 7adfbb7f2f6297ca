//! MLIR's diagnostics on standard error, in the format of mlir-opt: place, text, the line and a
//! caret.

use std::{
    io::{self, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
};

use cute_driver::place;

use crate::source::Source;

/// Prints the diagnostics of a context, and remembers whether one was an error.
#[derive(Debug, Clone)]
pub struct Printer(Arc<AtomicBool>);

impl Printer {
    /// Starts printing the diagnostics of `context` about `source`.
    pub fn attach(context: &Context, source: Arc<Source>) -> Self {
        let failed = Arc::new(AtomicBool::new(false));
        let flag = failed.clone();
        context.attach_diagnostic_handler(move |d| {
            if matches!(d.severity(), DiagnosticSeverity::Error) {
                flag.store(true, Ordering::Relaxed);
            }
            say(&text(&d, &source));
            true
        });
        Self(failed)
    }

    /// Whether there was an error.
    pub fn failed(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Says a line on standard error.
pub fn message(text: &str) {
    say(&format!("{text}\n"));
}

/// Unlike `eprint!`, this continues if the stream is closed.
fn say(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

fn text(d: &Diagnostic<'_>, source: &Source) -> String {
    let severity = match d.severity() {
        DiagnosticSeverity::Error => "error",
        DiagnosticSeverity::Warning => "warning",
        DiagnosticSeverity::Remark => "remark",
        DiagnosticSeverity::Note => "note",
    };
    let mut out = match place(d.location()) {
        None => format!("{severity}: {d}\n"),
        Some((file, line, column)) if file == source.name => {
            format!("{file}:{line}:{column}: {severity}: {d}\n{}", caret(source, line, column))
        }
        Some((file, line, column)) => format!("{file}:{line}:{column}: {severity}: {d}\n"),
    };
    for i in 0..d.note_count() {
        out += &text(&d.note(i).expect("there are as many notes as are counted"), source);
    }
    out
}

/// The source line with a caret below the column; empty for a line that is not there.
fn caret(source: &Source, line: usize, column: usize) -> String {
    let Some(text) = source.line(line) else { return String::new() };
    let before = text.bytes().take(column.saturating_sub(1));
    let space: String = before.map(|b| if b == b'\t' { '\t' } else { ' ' }).collect();
    format!("{text}\n{space}^\n")
}
