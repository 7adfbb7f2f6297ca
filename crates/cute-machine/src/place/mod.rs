//! Places in sources, as data. An instruction of a program has one, and so have findings and errors
//! about it; their text is made where people read it, by `Display`, and nothing reads it back.
//!
//! ```
//! use cute_machine::place::{Inlined, PlaceParts, SourceFile, SourcePlace, SourcePoint, Words};
//!
//! let (kernel, header) = (SourceFile::new("/x/k.cu", "k.cu"), SourceFile::of("/x/h/scan.h"));
//! let call = Inlined { function: Some("scan".into()), points: vec![SourcePoint::new(kernel, 7, Some(3))] };
//! let place = SourcePlace::from(PlaceParts {
//!     point: Some(SourcePoint::new(header, 90, Some(5))),
//!     inlined: [call].into(),
//!     origin: Some(SourcePoint::new(SourceFile::of("k.ptx"), 12, None)),
//!     words: None,
//! });
//! assert_eq!(place.to_string(), "/x/h/scan.h:90:5, inlined at k.cu:7:3 (k.ptx:12)");
//! assert_eq!((place.line_in("k.ptx"), place.line_in("/x/k.cu")), (Some(12), Some(7)));
//!
//! // `loc(fused["tile = make()"("/x/k.py":7:0), "/x/h.py":2:3])` of MLIR.
//! let point = |file, line, column| SourcePoint::new(SourceFile::of(file), line, Some(column));
//! let words = Words { text: "tile = make()(/x/k.py:7:0)".into(), others: vec![point("/x/h.py", 2, 3)] };
//! let place = PlaceParts { point: Some(point("/x/k.py", 7, 0)), words: Some(words.into()), ..PlaceParts::default() };
//! assert_eq!(SourcePlace::from(place).to_string(), "/x/k.py:7:0 and /x/h.py:2:3");
//! ```

mod form;
mod table;

pub use form::{PlaceFields, described};
pub use table::PlaceTable;

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

/// A file that places name. Places of one file share it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFile(Arc<Names>);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Names {
    path: Box<str>,
    /// `None` for the path itself.
    shown: Option<Box<str>>,
}

impl SourceFile {
    /// A file by the name that the compiler gives it, and a shorter one for people.
    pub fn new(path: &str, shown: &str) -> Self {
        SourceFile(Arc::new(Names { path: path.into(), shown: (path != shown).then(|| shown.into()) }))
    }

    /// A file with one name.
    pub fn of(path: &str) -> Self {
        Self::new(path, path)
    }

    /// The name that the compiler gives it.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The name that people read.
    pub fn shown(&self) -> &str {
        self.0.shown.as_deref().unwrap_or(&self.0.path)
    }

    fn folder(&self) -> &str {
        self.path().rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// A line of a file, and the column if it is known.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourcePoint {
    /// The names of the file.
    pub file: SourceFile,
    /// The line, from 1 on.
    pub line: u32,
    /// The column, from 1 on. Compilers write 0 for a column that they do not know.
    pub column: Option<u32>,
}

impl SourcePoint {
    /// A point of a file.
    pub fn new(file: SourceFile, line: u32, column: Option<u32>) -> Self {
        SourcePoint { file, line, column }
    }

    /// Its text with the whole name of the file.
    pub fn whole(&self) -> String {
        self.with(self.file.path())
    }

    /// The column, if it is known.
    pub fn known_column(&self) -> Option<u32> {
        self.column.filter(|column| *column > 0)
    }

    fn with(&self, name: &str) -> String {
        match self.column {
            Some(column) => format!("{name}:{}:{column}", self.line),
            None => format!("{name}:{}", self.line),
        }
    }
}

impl fmt::Display for SourcePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(self.file.shown()))
    }
}

/// A call that was inlined around a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inlined {
    /// The symbol of the function that was inlined there, if the compiler names it.
    pub function: Option<Arc<str>>,
    /// The place of the call: one, unless the function is inlined at several and the compiler does
    /// not tell at which.
    pub points: Vec<SourcePoint>,
}

/// Text for a place that is more than a line of a file, such as a `fused` one of MLIR.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Words {
    /// The whole text, as the compiler writes it.
    pub text: Box<str>,
    /// Places that it names besides.
    pub others: Vec<SourcePoint>,
}

/// The parts of a place.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PlaceParts {
    /// The point in the source, if the compiler tells one.
    pub point: Option<SourcePoint>,
    /// The calls that were inlined around it, innermost first.
    pub inlined: Arc<[Inlined]>,
    /// The point in the text that was read, if that text names another one as its source: the line
    /// of PTX below a `.loc`.
    pub origin: Option<SourcePoint>,
    /// The text, if the parts do not make it.
    pub words: Option<Box<Words>>,
}

/// A place in the source. It is cheap to clone, and the instructions of one line share it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourcePlace(Arc<PlaceParts>);

impl Default for SourcePlace {
    /// An unknown place.
    fn default() -> Self {
        static UNKNOWN: LazyLock<SourcePlace> = LazyLock::new(|| PlaceParts::default().into());
        UNKNOWN.clone()
    }
}

impl From<PlaceParts> for SourcePlace {
    fn from(parts: PlaceParts) -> Self {
        SourcePlace(Arc::new(parts))
    }
}

impl From<SourcePoint> for SourcePlace {
    fn from(point: SourcePoint) -> Self {
        PlaceParts { point: Some(point), ..PlaceParts::default() }.into()
    }
}

impl Deref for SourcePlace {
    type Target = PlaceParts;

    fn deref(&self) -> &PlaceParts {
        &self.0
    }
}

impl SourcePlace {
    /// A place of which only a text is known.
    pub fn words(text: &str) -> Self {
        let words = Some(Box::new(Words { text: text.into(), others: Vec::new() }));
        PlaceParts { words, ..PlaceParts::default() }.into()
    }

    /// Whether nothing is known about it.
    pub fn is_unknown(&self) -> bool {
        self.point.is_none() && self.words.is_none()
    }

    /// All points that it names: in the text that was read, in the source, and of calls, innermost
    /// first.
    pub fn points(&self) -> impl Iterator<Item = &SourcePoint> {
        let calls = self.inlined.iter().flat_map(|call| &call.points);
        let others = self.words.iter().flat_map(|words| &words.others);
        self.origin.iter().chain(&self.point).chain(calls).chain(others)
    }

    /// The line of a file that it names. The text that was read comes before the sources that the
    /// text names, which may have files of the same name.
    pub fn line_in(&self, file: &str) -> Option<u32> {
        let is_it = |point: &&SourcePoint| point.file.path() == file || point.file.shown() == file;
        self.points().find(is_it).map(|point| point.line).filter(|line| *line > 0)
    }

    /// The innermost call in the user's own files, which are those beside the file of the kernel.
    fn user_call(&self) -> Option<usize> {
        let folder = |call: &Inlined| call.points.first().map(|point| point.file.folder().to_owned());
        let outermost = folder(self.inlined.last()?);
        self.inlined.iter().position(|call| folder(call) == outermost)
    }

    /// The innermost point in the user's own files: the place itself, unless it belongs to a
    /// library.
    pub fn user_point(&self) -> Option<&SourcePoint> {
        let point = self.point.as_ref()?;
        let outermost = self.inlined.last().and_then(|call| call.points.first());
        let is_own = outermost.is_none_or(|outermost| outermost.file.folder() == point.file.folder());
        let call = self.user_call().filter(|_| !is_own);
        call.map_or(Some(point), |call| self.inlined[call].points.first())
    }

    /// All that tells a place of the source from others: the line of PTX does not, if there is a
    /// source.
    pub fn source(&self) -> impl Eq + std::hash::Hash + '_ {
        (&self.point, &self.inlined, &self.words)
    }
}

impl fmt::Display for SourcePlace {
    /// `kernel.cu:7:3 (kernel.ptx:12)`: the place, other places that it names, the innermost call
    /// from the user's own files, the outermost call, and the line that was read. It begins with a
    /// file and a line where one is known, so that an editor finds them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(point) = &self.point else {
            return self.words.as_ref().map_or(Ok(()), |words| f.write_str(&words.text));
        };
        write!(f, "{point}")?;
        for other in self.words.iter().flat_map(|words| &words.others) {
            write!(f, " and {other}")?;
        }
        if let Some(last) = self.inlined.last() {
            let own = self.user_call().filter(|own| own + 1 < self.inlined.len());
            for call in own.map(|own| &self.inlined[own]).into_iter().chain([last]) {
                let points: Vec<String> = call.points.iter().map(ToString::to_string).collect();
                write!(f, ", inlined at {}", points.join(" or "))?;
            }
        }
        match &self.origin {
            Some(origin) => write!(f, " ({origin})"),
            None => Ok(()),
        }
    }
}
