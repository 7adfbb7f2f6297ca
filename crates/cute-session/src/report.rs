//! The reports of a session: MLIR's diagnostics, in the format of mlir-opt (place, text, the line
//! and a caret), and messages of other steps.

use std::{fmt, sync::Arc};

use cute_decode::host::HostRule;
use cute_dialect::error::rule_of;
use cute_ffi::place::place;
use cute_machine::place::{SourceFile, SourcePlace, SourcePoint};
use cute_rules::by_message;
use cute_text::lines;
use melior::{
    Context,
    diagnostic::{Diagnostic, DiagnosticSeverity},
};
use serde::{Deserialize, Serialize};

use crate::{prior, source::Source};

/// How serious a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReportSeverity {
    /// The step fails.
    Error,
    /// The input is suspicious.
    Warning,
    /// Additional information about another report, or about how the input was read.
    Note,
    /// Additional information.
    Remark,
}

impl fmt::Display for ReportSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
            Self::Remark => "remark",
        })
    }
}

impl From<DiagnosticSeverity> for ReportSeverity {
    fn from(severity: DiagnosticSeverity) -> Self {
        match severity {
            DiagnosticSeverity::Error => Self::Error,
            DiagnosticSeverity::Warning => Self::Warning,
            DiagnosticSeverity::Note => Self::Note,
            DiagnosticSeverity::Remark => Self::Remark,
        }
    }
}

/// A place in a text: the file, and the line and column, counted from 1.
pub(crate) type Place = (String, usize, usize);

/// One thing that a session says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// How serious it is.
    pub severity: ReportSeverity,
    /// Where, if it is about a place.
    pub place: Option<Place>,
    /// The id of the rule that an error is about, if it is known.
    #[serde(default)]
    pub id: Option<String>,
    /// The message alone.
    pub message: String,
    /// The lines to print: place, severity and message, the line of the source with a caret, and
    /// notes. Each line ends in a newline; control characters are shown.
    pub text: String,
}

impl Report {
    /// A message about no place in particular.
    pub(crate) fn new(severity: ReportSeverity, message: String) -> Self {
        let text = format!("{severity}: {}\n", lines(&message));
        Self { severity, place: None, id: None, message, text }
    }

    /// A line of information.
    pub(crate) fn line(message: String) -> Self {
        let text = format!("{}\n", lines(&message));
        Self { severity: ReportSeverity::Remark, place: None, id: None, message, text }
    }

    /// The place, as findings have theirs.
    pub fn source_place(&self) -> Option<SourcePlace> {
        let (file, line, column) = self.place.as_ref()?;
        let (line, column) = (u32::try_from(*line).ok()?, u32::try_from(*column).ok());
        Some(SourcePoint::new(SourceFile::of(file), line, column).into())
    }

    fn of(d: &Diagnostic<'_>, source: &Source) -> Self {
        let (severity, place) = (ReportSeverity::from(d.severity()), place(d.location()));
        let message = d.to_string();
        let mut text = match &place {
            None => format!("{severity}: {}\n", lines(&message)),
            Some((file, line, column)) => {
                let caret = if *file == source.name { caret(source, *line, *column) } else { String::new() };
                let (file, message) = (cute_text::line(file), lines(&message));
                format!("{file}:{line}:{column}: {severity}: {message}\n{caret}")
            }
        };
        for i in 0..d.note_count() {
            text += &Self::of(&d.note(i).expect("there are as many notes as are counted"), source).text;
        }
        if let Some((file, line, _)) = &place
            && *file == source.name
        {
            let prior = d.note(0).ok().and_then(|note| Some(cute_ffi::place::place(note.location())?.1));
            for note in prior::notes(&message, source, *line, prior) {
                text += &format!("note: {}\n", lines(&note));
            }
        }
        let id = (severity == ReportSeverity::Error).then(|| id(&message)).flatten();
        Self { severity, place, id, message, text }
    }
}

/// The id of the rule that a diagnostic of ours is about.
fn id(message: &str) -> Option<String> {
    let rule = by_message(HostRule::RULES, message).or_else(|| rule_of(message));
    rule.map(|rule| rule.id.to_owned())
}

/// The most bytes of a line to show on each side of a caret: a generated module may be one line.
const MOST_BESIDE: usize = 200;

/// The source line with a caret below the column; empty for a line that is not there.
fn caret(source: &Source, line: usize, column: usize) -> String {
    let Some(text) = source.line(line) else { return String::new() };
    let at = column.saturating_sub(1).min(text.len());
    let boundary = |mut at: usize| {
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(at.saturating_sub(MOST_BESIDE));
    let end = boundary((at + MOST_BESIDE).min(text.len()));
    let (left, right) = (if start > 0 { ".." } else { "" }, if end < text.len() { ".." } else { "" });
    // A tab stays one, so that the caret is below its character however wide a tab is.
    let space = |c: char| if c == '\t' { "\t".to_owned() } else { " ".repeat(cute_text::width(c)) };
    let space: String = left.chars().chain(text[start..boundary(at)].chars()).map(space).collect();
    format!("{left}{}{right}\n{space}^\n", lines(&text[start..end]))
}

/// Receives reports.
#[derive(Clone)]
pub struct Listener(Arc<dyn Fn(&Report) + Send + Sync>);

impl Listener {
    /// A listener that calls `f`.
    pub fn new(f: impl Fn(&Report) + Send + Sync + 'static) -> Self {
        Self(Arc::new(f))
    }

    /// Receives one report.
    pub fn hear(&self, report: &Report) {
        (self.0)(report);
    }

    /// Receives the diagnostics of `context` about `source` from now on.
    pub(crate) fn attach(&self, context: &Context, source: &Arc<Source>) {
        let (listener, source) = (self.clone(), source.clone());
        context.attach_diagnostic_handler(move |d| {
            listener.hear(&Report::of(&d, &source));
            true
        });
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_the_caret() {
        let shown = |text: &str, column| caret(&Source::of_text("t", text), 1, column);
        assert_eq!(shown("a\tb c", 3), "a\tb c\n \t^\n");
        assert_eq!(shown("ab", 9), "ab\n  ^\n");
        let long = format!("{}!{}", "é".repeat(1000), "x".repeat(1000));
        let lines = shown(&long, 2001);
        let (text, below) = lines.split_once('\n').unwrap();
        assert_eq!(text, format!("..{}!{}..", "é".repeat(100), "x".repeat(199)));
        assert_eq!(below, format!("{}^\n", " ".repeat(202)));
        assert!(shown(&long, 2).starts_with('é') && shown(&long, 3001).ends_with("^\n"));
    }
}
