//! The recorded table: what the simulator says of the kernels in the repository, line by line, in
//! `tests/recorded/findings.txt`. A change of a rule or of its grade shows as a diff of that file.
//!
//! Each test that runs kernels renews a section of its own with `UPDATE_RECORD=1`, and otherwise
//! compares it.

use std::{collections::BTreeSet, env, fs, fs::File, path::Path};

/// The lines of a section, sorted.
pub struct Section {
    name: &'static str,
    lines: BTreeSet<String>,
    /// Whether kernels of the section may be missing.
    is_sample: bool,
}

impl Section {
    /// An empty section.
    pub fn new(name: &'static str) -> Self {
        Section { name, lines: BTreeSet::new(), is_sample: false }
    }

    /// An empty section of which a test tries a sample, unless it tries everything.
    #[allow(dead_code, reason = "some tests always try everything")]
    pub fn sample(name: &'static str, is_sample: bool) -> Self {
        Section { is_sample, ..Section::new(name) }
    }

    /// Adds a kernel and what a run of it shows: the exit code of `cutec run`, and each finding.
    pub fn add(&mut self, kernel: &str, exit: i32, findings: &[String]) {
        let findings = if findings.is_empty() { "nothing".to_owned() } else { findings.join("; ") };
        self.lines.insert(format!("{kernel} | {exit} | {findings}"));
    }

    /// Compares the section with the file, or writes it there.
    pub fn check(self, root: &Path) {
        let path = root.join("tests/recorded/findings.txt");
        // Tests of several binaries may write at once.
        let lock = File::open(root.join("tests/recorded/README.md")).expect("the page beside the table");
        lock.lock().expect("a lock");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut sections: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match (line.strip_prefix("== "), sections.last_mut()) {
                (Some(name), _) => sections.push((name.to_owned(), Vec::new())),
                (None, Some((_, lines))) => lines.push(line.to_owned()),
                (None, None) => panic!("{}: a line before the first section: {line}", path.display()),
            }
        }
        let own: Vec<String> = self.lines.into_iter().collect();
        if env::var_os("UPDATE_RECORD").is_some() {
            assert!(!self.is_sample, "{} is a sample: UPDATE_RECORD=1 needs CUTE_FULL=1", self.name);
            sections.retain(|(name, _)| name != self.name);
            sections.push((self.name.to_owned(), own));
            sections.sort();
            let text = |(name, lines): &(String, Vec<String>)| format!("== {name}\n{}\n", lines.join("\n"));
            let all: Vec<String> = sections.iter().map(text).collect();
            fs::write(&path, all.join("\n")).expect("the table is written");
            return;
        }
        let recorded = sections.into_iter().find(|(name, _)| name == self.name).map(|(_, lines)| lines);
        let recorded = recorded.unwrap_or_default();
        let only = |some: &[String], others: &[String], sign: &str| {
            let lines = some.iter().filter(|line| !others.contains(line));
            lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
        };
        let missing = if self.is_sample { String::new() } else { only(&recorded, &own, "-") };
        let differences = missing + &only(&own, &recorded, "+");
        assert!(
            differences.is_empty(),
            "{} differs from this run (UPDATE_RECORD=1 renews it):\n{differences}",
            self.name
        );
    }
}
