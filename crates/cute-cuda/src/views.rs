//! The files of launches that are looked at: a page and a trace of each, if `cutec exec` has been
//! asked for them. Without that, nothing is recorded.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use cute_launch::{report::Reports, simulate::Checks};
use cute_report::{
    page::{Context, ENDED, Page},
    timeline::LaunchRecorder,
    trace::{self, Format},
};
use cute_text::line;

use crate::options::ExecOptions;

/// Launches that have files although nothing is found in them. A program may launch kernels all
/// day.
const MOST: u64 = 100;

/// The recording of one launch, and its files.
#[derive(Debug)]
pub struct Views {
    recorded: LaunchRecorder,
    html: Option<PathBuf>,
    trace: Option<PathBuf>,
    number: u64,
    /// Folders with sources.
    folders: Vec<String>,
}

impl Views {
    /// Those of a launch, if the options ask for some.
    pub fn of(options: &ExecOptions, number: u64) -> Option<Self> {
        let of = |file: &Option<PathBuf>| file.as_deref().map(|file| numbered(file, number));
        let (html, trace) = (of(&options.html), of(&options.trace));
        let recorded = || LaunchRecorder::new(Default::default());
        let folders = || options.sources.iter().map(|folder| folder.display().to_string()).collect();
        (html.is_some() || trace.is_some()).then(|| Self {
            recorded: recorded(),
            html,
            trace,
            number,
            folders: folders(),
        })
    }

    /// Lets the simulator record.
    pub fn watch(&self, checks: Checks) -> Checks {
        Checks { watcher: Some(self.recorded.watcher()), banks: self.html.is_some(), ..checks }
    }

    /// Writes the files. `ptx` is the text of the module, and its name in places. Returns remarks
    /// about files that cannot be written, or that do not hold all of the launch.
    pub fn write(self, reports: &Reports, (name, ptx): (&str, &str)) -> Vec<String> {
        if self.number > MOST && reports.findings().is_none() {
            return Vec::new();
        }
        let timeline = self.recorded.take();
        let interrupted = (!timeline.is_whole()).then_some(ENDED);
        let mut remarks = Vec::new();
        let mut keep = |file: &Path, written: io::Result<()>| {
            let file = file.display().to_string();
            remarks.extend(written.err().map(|why| format!("cannot write '{}': {why}", line(&file))));
        };
        if let Some(file) = &self.trace {
            let format = Format::of(file);
            let written = format.map(|format| trace::write(&timeline, format, interrupted));
            let written = written.map_err(io::Error::other);
            keep(file, written.and_then(|written| fs::write(file, written.bytes)));
        }
        if let Some(file) = &self.html {
            let timeline = Some(&timeline);
            let page = Page { file: name, text: ptx, reports, timeline, registers: &[], interrupted };
            let mut context = Context::default();
            context.find_sources((name, reports), &self.folders, |path| fs::read_to_string(path).ok());
            context.fact("launch", format!("{} of the program", self.number));
            context.fact("cutec", env!("CARGO_PKG_VERSION"));
            keep(file, fs::write(file, page.with(&context)));
        }
        remarks
    }
}

/// The file of a launch: for the first one the given one, and for others with the number of the
/// launch before the extension: `page.3.html`.
fn numbered(file: &Path, number: u64) -> PathBuf {
    if number <= 1 {
        return file.to_owned();
    }
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!(".{number}"));
    if let Some(extension) = file.extension() {
        name.push(".");
        name.push(extension);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_goes_before_the_extension() {
        let of = |file: &str, number| numbered(Path::new(file), number).display().to_string();
        assert_eq!(of("/a/page.html", 1), "/a/page.html");
        assert_eq!(of("/a/page.html", 3), "/a/page.3.html");
        assert_eq!(of("/a.b/x.y.pftrace", 12), "/a.b/x.y.12.pftrace");
        assert_eq!(of("/a.b/page", 2), "/a.b/page.2");
    }

    #[test]
    fn nothing_is_recorded_unless_it_is_asked_for() {
        assert!(Views::of(&ExecOptions::default(), 1).is_none());
        let options = ExecOptions { trace: Some("/t.json".into()), ..ExecOptions::default() };
        let views = Views::of(&options, 2).expect("a trace is asked for");
        assert_eq!((views.html.as_deref(), views.trace.as_deref()), (None, Some(Path::new("/t.2.json"))));
        let checks = views.watch(Checks::default());
        assert!(checks.watcher.is_some() && !checks.banks);
    }
}
