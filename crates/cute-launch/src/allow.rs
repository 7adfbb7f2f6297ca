//! Findings that a user accepts: by kind and, if wanted, by file and line.

use cute_sim::place::{SourcePlace, SourcePoint};
use cute_sim::{Finding, FindingKind, Report};
use serde::{Deserialize, Serialize, Serializer};
use std::{fmt, str::FromStr};

/// An entry of a list of accepted findings: `KIND`, `KIND@FILE` or `KIND@FILE:LINE`.
///
/// A finding matches if it has the kind, and if its place or the other side of a race, or a call
/// that was inlined around one of them, lies in the file, at the line. A file matches by its last
/// components: `kernel.py` stands for `src/kernel.py`, but not for `my_kernel.py`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    kind: String,
    file: Option<String>,
    line: Option<u32>,
}

impl Allow {
    fn new(kind: &str, file: Option<&str>, line: Option<u32>) -> Result<Self, String> {
        if !FindingKind::NAMES.contains(&kind) {
            let names = FindingKind::NAMES.join(", ");
            return Err(format!("there is no finding '{kind}'; there are {names}"));
        }
        if file == Some("") {
            return Err(format!("'{kind}@' must name a file"));
        }
        Ok(Self { kind: kind.to_owned(), file: file.map(str::to_owned), line })
    }

    /// The entries of a file `cute-allow.toml`: a table `[[allow]]` for each, with `kind` and, if
    /// wanted, `file`, `line` and a `reason`, which is for people.
    ///
    /// # Errors
    /// The text does not have this form, with the line where it does not.
    pub fn read(toml: &str) -> Result<Vec<Self>, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            #[serde(default)]
            allow: Vec<Entry>,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Entry {
            kind: String,
            file: Option<String>,
            line: Option<u32>,
            #[serde(rename = "reason")]
            _reason: Option<String>,
        }
        let File { allow } = toml::from_str(toml).map_err(|e| e.to_string().trim_end().to_owned())?;
        let entry = |Entry { kind, file, line, .. }| match (&file, line) {
            (None, Some(line)) => Err(format!("line {line} of kind '{kind}' needs a file")),
            _ => Self::new(&kind, file.as_deref(), line),
        };
        allow.into_iter().map(entry).collect()
    }

    /// Whether it accepts a finding.
    pub fn accepts(&self, finding: &Finding) -> bool {
        let sides = [Some(&finding.location), finding.kind.other_side()];
        let party = finding.kind.party().map(|party| &party.location);
        let points = || sides.into_iter().chain([party]).flatten().flat_map(SourcePlace::points);
        let is_there = |file: &String| points().any(|point| lies_in(point, file, self.line));
        finding.kind.name() == self.kind && self.file.as_ref().is_none_or(is_there)
    }
}

/// Whether a point lies in a file and at a line. The file is named by its last components, of its
/// whole name or of the one that reports show.
fn lies_in(point: &SourcePoint, file: &str, line: Option<u32>) -> bool {
    let ends = |name: &str| {
        let before = name.strip_suffix(file).map(|before| before.chars().next_back());
        before.is_some_and(|last| last.is_none_or(|c| matches!(c, '/' | '\\')))
    };
    (ends(point.file.path()) || ends(point.file.shown())) && line.is_none_or(|line| point.line == line)
}

impl FromStr for Allow {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((kind, place)) = text.split_once('@') else { return Self::new(text, None, None) };
        let at_line = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
        match at_line {
            Some((file, line)) => Self::new(kind, Some(file), Some(line)),
            None => Self::new(kind, Some(place), None),
        }
    }
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        self.file.iter().try_for_each(|file| write!(f, "@{file}"))?;
        self.line.iter().try_for_each(|line| write!(f, ":{line}"))
    }
}

impl Serialize for Allow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Moves the findings that the entries accept out of the way, into `accepted`.
pub fn accept(entries: &[Allow], report: &mut Report) {
    let is_accepted = |finding: &mut Finding| entries.iter().any(|entry| entry.accepts(finding));
    report.accepted.extend(report.findings.extract_if(.., is_accepted));
}

/// The entries that have accepted nothing, over all reports of a run.
pub fn unmatched<'r>(entries: &[Allow], reports: impl Iterator<Item = &'r Report>) -> Vec<Allow> {
    let accepted: Vec<&Finding> = reports.flat_map(|report| &report.accepted).collect();
    let is_used = |entry: &&Allow| accepted.iter().any(|finding| entry.accepts(finding));
    entries.iter().filter(|entry| !is_used(entry)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cute_sim::place::{PlaceParts, SourceFile};

    fn entry(text: &str) -> Allow {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn entries_are_read_and_printed() {
        for text in ["race", "race@k.py", "race@k.py:15", "hang@C:/x/k.cu:3"] {
            assert_eq!(entry(text).to_string(), text);
        }
        assert_eq!(entry("race@a b.cu:x"), Allow::new("race", Some("a b.cu:x"), None).expect("a file"));
        assert!("raze".parse::<Allow>().is_err_and(|e| e.contains("race")));
        assert!("race@".parse::<Allow>().is_err());
    }

    #[test]
    fn a_file_of_entries_is_read() {
        let text = "[[allow]]\nkind = \"race\"\nfile = \"k.py\"\nline = 15\nreason = \"a replica\"\n[[allow]]\nkind = \"hang\"";
        assert_eq!(Allow::read(text), Ok(vec![entry("race@k.py:15"), entry("hang")]));
        assert_eq!(Allow::read(""), Ok(Vec::new()));
        let example = include_str!("../tests/cute-allow.toml");
        assert_eq!(Allow::read(example), Ok(vec![entry("race@kernel.py:15")]));
        for (wrong, says) in [
            ("[[allow]]\nkind = 3", "invalid type"),
            ("[[allow]]\nkynd = \"race\"", "kynd"),
            ("[[allow]]\nkind = \"race\"\nline = 3", "needs a file"),
            ("[allow", "line 1"),
        ] {
            let found = Allow::read(wrong).expect_err(wrong);
            assert!(found.contains(says), "{found}");
        }
    }

    #[test]
    fn places_match_by_whole_names_and_numbers() {
        let point = |file, line| SourcePoint::new(SourceFile::of(file), line, None);
        let source = Some(point("triton/broken.py", 15));
        let origin = Some(point("tests/foreign/k.sm_90.ptx", 48));
        let place = SourcePlace::from(PlaceParts { point: source, origin, ..PlaceParts::default() });
        let mentions = |file, line| place.points().any(|point| lies_in(point, file, line));
        for (file, line) in [("broken.py", None), ("triton/broken.py", Some(15)), ("k.sm_90.ptx", Some(48))] {
            assert!(mentions(file, line), "{file} {line:?}");
        }
        for (file, line) in
            [("roken.py", None), ("broken.py", Some(1)), ("sm_90.ptx", None), ("k.sm_90", None)]
        {
            assert!(!mentions(file, line), "{file} {line:?}");
        }
    }
}
