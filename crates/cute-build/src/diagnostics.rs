//! MLIR's diagnostics as text.

use std::{
    fmt::Write,
    sync::{Arc, Mutex, PoisonError},
};

use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
    ir::Location,
};

/// The text for a failure without a diagnostic.
pub const NO_REASON: &str = "MLIR gives no reason";

/// Runs `f`, and captures the errors that MLIR reports in the meantime: they are the text of `Err`.
/// If there are none, the text is `why`.
pub fn reported<T>(context: &Context, why: &str, f: impl FnOnce() -> Option<T>) -> Result<T, String> {
    reported_at(context, why, place, f)
}

/// The same, with `place` for the text of a location.
pub fn reported_at<T>(
    context: &Context,
    why: &str,
    place: fn(Location<'_>) -> String,
    f: impl FnOnce() -> Option<T>,
) -> Result<T, String> {
    let reports = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&reports);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        let is_error = matches!(diagnostic.severity(), DiagnosticSeverity::Error);
        if is_error {
            append(&mut shared.lock().unwrap_or_else(PoisonError::into_inner), &diagnostic, place);
        }
        is_error
    });
    let result = f();
    context.detach_diagnostic_handler(handler);
    result.ok_or_else(|| match &*reports.lock().unwrap_or_else(PoisonError::into_inner) {
        text if text.is_empty() => why.to_string(),
        text => text.clone(),
    })
}

/// A line for a diagnostic, and one for each of its notes.
fn append(out: &mut String, diagnostic: &Diagnostic<'_>, place: fn(Location<'_>) -> String) {
    let line = |out: &mut String, what: &str, d: &Diagnostic<'_>| {
        let newline = if out.is_empty() { "" } else { "\n" };
        // Writing to a String cannot fail.
        let _ = write!(out, "{newline}{}{what}{d}", place(d.location()));
    };
    line(out, "", diagnostic);
    for note in (0..diagnostic.note_count()).filter_map(|i| diagnostic.note(i).ok()) {
        line(out, "note: ", &note);
    }
}

/// `file:1:2`, if the location is a line of a file, or has one.
pub(crate) fn line(location: Location<'_>) -> Option<String> {
    cute_ffi::place::place(location).map(|(file, line, column)| format!("{file}:{line}:{column}"))
}

/// `file:1:2: %name: `, each part if it is known.
pub(crate) fn place(location: Location<'_>) -> String {
    let line = line(location).map(|line| format!("{line}: "));
    let name = cute_ffi::ir::location_name(location).map(|name| format!("%{name}: "));
    [line, name].into_iter().flatten().collect()
}

/// `column 2: `, counted from 1, in a text of one line.
pub fn column(location: Location<'_>) -> String {
    if !location.is_file_line_col_range() {
        return String::new();
    }
    format!("column {}: ", location.file_line_col_range_start_column())
}
