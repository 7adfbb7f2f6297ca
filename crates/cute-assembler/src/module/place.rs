//! The lines of a file of PTX, and the lines of the sources that it names by `.loc`.

use super::chain::{Chain, Chains};
use super::files::Files;
use cute_ptx::syntax::{Location, Module, SyntaxError};
use cute_sim::Error;
use cute_sim::program::Site;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Places of one file. Places of the same line share their text.
pub(super) struct Places<'a> {
    file: &'a str,
    sources: Files<'a>,
    chains: Chains,
    /// The last `.loc`.
    source: Option<Chain>,
    words: FxHashMap<String, Arc<str>>,
    /// The last line, and its text under the last `.loc`.
    last: Option<(u32, Arc<str>)>,
}

/// The error for a text that is not PTX.
pub(super) fn unread(file: &str, error: &SyntaxError) -> Error {
    let SyntaxError { line, what, text } = error;
    let what = if text.is_empty() { what.clone() } else { format!("{what} at `{text}`") };
    Error::Malformed { op: "PTX".to_owned(), location: format!("{file}:{line}"), what }
}

impl<'a> Places<'a> {
    pub(super) fn new(module: &Module<'a>, file: &'a str, folder: Option<&str>) -> Self {
        Places {
            file,
            sources: Files::new(&module.files, folder),
            chains: Chains::default(),
            source: None,
            words: FxHashMap::default(),
            last: None,
        }
    }

    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// A function begins, without a `.loc`.
    pub(super) fn begin(&mut self) {
        (self.source, self.last, self.chains) = (None, None, Chains::default());
    }

    /// Follows a `.loc`.
    pub(super) fn source(&mut self, location: Location) {
        self.last = None;
        self.source = (location.line > 0).then(|| self.chains.of(&location, &self.sources));
    }

    /// Whether the file declares the source of a `.loc`.
    pub(super) fn knows(&self, location: &Location) -> bool {
        self.sources.knows(location.file)
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
            Some((own, text)) if *own == line => text.clone(),
            _ => {
                let text: Arc<str> = self.text(line).into();
                self.last = Some((line, text.clone()));
                text
            }
        };
        let chain = self.source.as_ref().map(|source| source.whole.clone()).unwrap_or_default();
        Site { op, location, chain }
    }

    /// `kernel.cu:7:3 (kernel.ptx:12)`, or `kernel.ptx:12` without a source.
    fn text(&self, line: u32) -> String {
        let own = format!("{}:{line}", self.file);
        match &self.source {
            None => own,
            Some(Chain { short, .. }) => format!("{short} ({own})"),
        }
    }
}
