//! The lines of a file of PTX, and the lines of the sources that it names by `.loc`.

use cute_ptx::syntax::{Location, Module, SyntaxError};
use cute_sim::Error;
use cute_sim::program::Site;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Places of one file. Places of the same line share their text.
pub(super) struct Places<'a> {
    file: &'a str,
    sources: FxHashMap<u32, &'a str>,
    /// The last `.loc`.
    source: Option<Location>,
    words: FxHashMap<String, Arc<str>>,
    last: Option<(u32, Option<Location>, Arc<str>)>,
}

/// The error for a text that is not PTX.
pub(super) fn unread(file: &str, error: &SyntaxError) -> Error {
    let SyntaxError { line, what, text } = error;
    let what = if text.is_empty() { what.clone() } else { format!("{what} at `{text}`") };
    Error::Malformed { op: "PTX".to_owned(), location: format!("{file}:{line}"), what }
}

impl<'a> Places<'a> {
    pub(super) fn new(module: &Module<'a>, file: &'a str) -> Self {
        let sources = module.files.iter().copied().collect();
        Places { file, sources, source: None, words: FxHashMap::default(), last: None }
    }

    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// Follows a `.loc`; `None` ends the last one.
    pub(super) fn source(&mut self, location: Option<Location>) {
        self.source = location.filter(|location| location.line > 0);
    }

    /// Whether the file declares the source of a `.loc`.
    pub(super) fn knows(&self, location: &Location) -> bool {
        self.sources.contains_key(&location.file)
    }

    /// A line, and the word that names the instruction there.
    pub(super) fn at(&mut self, line: u32, word: &str) -> Site {
        let op = match self.words.get(word) {
            Some(op) => op.clone(),
            None => {
                let op: Arc<str> = word.into();
                self.words.insert(word.to_owned(), op.clone());
                op
            }
        };
        let location = match &self.last {
            Some((own, source, text)) if *own == line && *source == self.source => text.clone(),
            _ => {
                let text: Arc<str> = self.text(line).into();
                self.last = Some((line, self.source, text.clone()));
                text
            }
        };
        Site { op, location, chain: Default::default() }
    }

    /// `kernel.cu:7:3 (kernel.ptx:12)`, or `kernel.ptx:12` without a source.
    fn text(&self, line: u32) -> String {
        let own = format!("{}:{line}", self.file);
        let Some(Location { file, line, column, inlined_at }) = self.source else { return own };
        let place = |file: u32, line: u32, column: u32| {
            let name = self.sources.get(&file).copied().unwrap_or_default();
            format!("{name}:{line}:{column}")
        };
        let source = place(file, line, column);
        match inlined_at {
            Some((file, line, column)) => {
                format!("{source} inlined at {} ({own})", place(file, line, column))
            }
            None => format!("{source} ({own})"),
        }
    }
}
