//! Short names of the files that a page speaks of: the last part of a path, where no other file has
//! the same. The page lists the whole ones once.

use crate::timeline::Timeline;
use cute_launch::report::Reports;
use cute_sim::place::SourcePlace;
use std::collections::{BTreeMap, BTreeSet};

/// Names of files, with those that the page has for them.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The longest first, so that a name within another one is not replaced.
    all: Vec<(String, String)>,
}

impl Names {
    /// Those of the file that was run, and of all places of the findings, the accesses and the timeline.
    pub(super) fn of(file: &str, reports: &Reports, timeline: Option<&Timeline>) -> Self {
        let mut long: BTreeSet<&str> = BTreeSet::from([file]);
        places(reports, |place| long.extend(place.points().map(|point| point.file.shown())));
        let slices = timeline.into_iter().flat_map(|all| &all.clusters).flat_map(|cluster| &cluster.slices);
        long.extend(slices.flat_map(|slice| slice.place.points()).map(|point| point.file.shown()));
        let last = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        long.iter().for_each(|name| *count.entry(last(name)).or_default() += 1);
        let is_short = |name: &&str| {
            let short = last(name);
            !short.is_empty() && short != *name && count[&short] == 1
        };
        let mut all: Vec<_> =
            long.iter().copied().filter(is_short).map(|n| (n.to_owned(), last(n))).collect();
        all.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        Names { all }
    }

    /// A text with short names.
    pub(super) fn short(&self, text: &str) -> String {
        self.all.iter().fold(text.to_owned(), |text, (name, short)| replaced(&text, name, short))
    }

    /// The names that are shortened, each with the whole one.
    pub(super) fn list(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|(name, short)| (short.as_str(), name.as_str()))
    }
}

/// A text in which a name stands for another one, where it is not a part of a longer name.
fn replaced(text: &str, name: &str, short: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || "_./-+@".contains(c);
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.chars().next_back().is_some_and(is_of_name)
            && !after.chars().next().is_some_and(|c| is_of_name(c) && c != '.');
        out.push_str(before);
        out.push_str(if is_whole { short } else { name });
        rest = after;
    }
    out + rest
}

/// Calls `see` with each place of the findings, of their other sides and waits, and of the accesses.
pub(super) fn places<'r>(reports: &'r Reports, mut see: impl FnMut(&'r SourcePlace)) {
    for (_, report) in reports.simulated() {
        for finding in &report.findings {
            see(&finding.location);
            finding.other().into_iter().for_each(|side| see(side.location));
            super::waits(finding).iter().for_each(|wait| see(&wait.location));
        }
        report.sites.iter().for_each(|site| see(&site.location));
        report.buffers.iter().for_each(|buffer| see(&buffer.location));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_names_are_replaced() {
        let of = |text: &str| replaced(text, "/x/k.cu", "k.cu");
        assert_eq!(of("at /x/k.cu:7:3, (/x/k.cu:9)."), "at k.cu:7:3, (k.cu:9).");
        assert_eq!(of("/y/x/k.cu:7 and /x/k.cuh:1"), "/y/x/k.cu:7 and /x/k.cuh:1");
        assert_eq!(of("see /x/k.cu."), "see k.cu.");
    }
}
