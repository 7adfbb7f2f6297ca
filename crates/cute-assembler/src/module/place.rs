//! The lines of a file of PTX, and the lines of the sources that it names by `.loc`.

use super::chain::{Chain, Chains};
use super::files::Files;
use cute_machine::place::{PlaceParts, SourceFile, SourcePlace, SourcePoint};
use cute_ptx::syntax::{Location, Module, SyntaxError};
use cute_sim::program::Site;
use cute_sim::{Error, Malformed};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Places of one file. Instructions of the same line share theirs.
pub(super) struct Places<'a> {
    name: &'a str,
    file: SourceFile,
    sources: Files<'a>,
    chains: Chains<'a>,
    /// The last `.loc`.
    source: Option<Chain>,
    words: FxHashMap<String, Arc<str>>,
    /// The last line, and its place under the last `.loc`.
    last: Option<(u32, SourcePlace)>,
}

/// The error for a text that is not PTX.
pub(super) fn unread(file: &str, error: &SyntaxError) -> Error {
    let SyntaxError { line, what, text } = error;
    let what = if text.is_empty() { what.clone() } else { format!("{what} at `{text}`") };
    Error::Malformed {
        op: "PTX".to_owned(),
        location: SourcePoint::new(SourceFile::of(file), *line, None).into(),
        rule: Malformed::Syntax,
        what,
    }
}

impl<'a> Places<'a> {
    pub(super) fn new(module: &Module<'a>, file: &'a str, folder: Option<&str>) -> Self {
        Places {
            name: file,
            file: SourceFile::of(file),
            sources: Files::new(module, folder),
            chains: Chains::default(),
            source: None,
            words: FxHashMap::default(),
            last: None,
        }
    }

    pub(super) fn file(&self) -> &'a str {
        self.name
    }

    /// A function begins, without a `.loc`.
    pub(super) fn begin(&mut self) {
        (self.source, self.last, self.chains) = (None, None, Chains::default());
    }

    /// Follows a `.loc`.
    pub(super) fn source(&mut self, location: Location<'a>) {
        self.last = None;
        self.source = (location.line > 0).then(|| self.chains.of(&location, &self.sources));
    }

    /// Whether the file declares the source of a `.loc`.
    pub(super) fn knows(&self, location: &Location<'_>) -> bool {
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
            Some((own, place)) if *own == line => place.clone(),
            _ => {
                let place = self.place(line);
                self.last = Some((line, place.clone()));
                place
            }
        };
        Site { op, location }
    }

    /// The source of the last `.loc`, with the line as its origin, or the line alone.
    fn place(&self, line: u32) -> SourcePlace {
        let own = SourcePoint::new(self.file.clone(), line, None);
        let Some(Chain { point, inlined }) = self.source.clone() else { return own.into() };
        PlaceParts { point: Some(point), inlined, origin: Some(own), words: None }.into()
    }
}
