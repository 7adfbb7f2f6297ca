//! The files of a run that are looked at: a trace, and a page.

use super::{cli::Cli, simulation::Simulation, sink};
use crate::{
    diagnostics::message,
    error::{Error, Result},
};
use cute_arch::Target;
use cute_driver::ptxas;
use cute_launch::{Job, report::Reports, simulate::Checks};
use cute_output::Sink;
use cute_report::{
    page::{Context, ENDED, Page},
    timeline::LaunchRecorder,
    trace::{self, Format},
};
use cute_sim::Stop;
use std::{env, fs, path::Path};

/// The recording of a run, and its files.
pub(super) struct Views {
    recorded: LaunchRecorder,
    trace: Option<(String, Format)>,
    page: Option<String>,
    stop: Stop,
}

/// The source that a page shows, and lines about the registers of its kernels.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    pub(super) file: String,
    pub(super) text: String,
    pub(super) registers: Vec<String>,
    /// All that reproduces the run.
    pub(super) context: Context,
    /// Folders with sources.
    pub(super) folders: Vec<String>,
}

/// The format of the trace, if there is to be one. The files of both views can be written, as far
/// as is known before.
///
/// # Errors
/// The end of the trace's name says no format, or a folder does not exist.
pub(crate) fn format(Simulation { trace, html, .. }: &Simulation) -> Result<Option<Format>> {
    let of = |file: &Path| {
        Format::of(file).map_err(|why| Error::View {
            option: "--trace",
            file: name(file),
            why: why.to_string(),
        })
    };
    let format = trace.as_deref().map(of).transpose()?;
    for (option, file) in [("--trace", trace), ("--html", html)] {
        let folder = file.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            let file = file.as_deref().map(name).unwrap_or_default();
            return Err(Error::View { option, file, why: "its folder does not exist".into() });
        }
    }
    Ok(format)
}

impl Views {
    /// The views that the command line asks for, if there are some.
    pub(super) fn of(options: &Cli) -> Result<Option<Self>> {
        let Cli { trace_blocks, simulation, .. } = options;
        let Simulation { trace, html, .. } = simulation;
        if trace.is_none() && html.is_none() {
            return if trace_blocks.is_some() { Err(Error::BlocksWithoutTrace) } else { Ok(None) };
        }
        let format = format(simulation)?;
        Ok(Some(Views {
            recorded: LaunchRecorder::new(trace_blocks.clone().unwrap_or_default()),
            trace: trace.as_deref().map(name).zip(format),
            page: html.as_deref().map(name),
            stop: Stop::default(),
        }))
    }

    /// The files, with the option of each.
    pub(super) fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let trace = self.trace.iter().map(|(file, _)| ("--trace", file.as_str()));
        trace.chain(self.page.iter().map(|file| ("--html", file.as_str())))
    }

    /// Checks that the grid has the blocks.
    pub(super) fn check(&self, job: &Job<'_>, options: &Cli) -> Result<()> {
        match (&options.trace_blocks, job.grid()) {
            (Some(blocks), Some(grid)) => blocks
                .check(grid)
                .map_err(|why| Error::TraceBlocks { blocks: blocks.to_string(), why: why.to_string() }),
            _ => Ok(()),
        }
    }

    /// Lets the simulator record, and an interrupt end the run with what was seen so far.
    pub(super) fn watch(&self, checks: Checks) -> Checks {
        let stop = self.stop.clone();
        // If another handler is there already, an interrupt ends the program as it does without
        // this.
        let _ = ctrlc::set_handler(move || {
            if stop.is_requested() {
                std::process::exit(INTERRUPTED);
            }
            stop.request();
        });
        let watcher = Some(self.recorded.watcher());
        Checks { watcher, banks: self.page.is_some(), stop: self.stop.clone(), ..checks }
    }

    /// Whether somebody has interrupted the run.
    pub(super) fn is_interrupted(&self) -> bool {
        self.stop.is_requested()
    }

    /// Writes the files, after the run.
    pub(super) fn write(&self, reports: &Reports, shown: &Shown) -> Result<()> {
        let timeline = self.recorded.take();
        let why = match (self.is_interrupted(), timeline.is_whole()) {
            (true, _) => Some("the user stopped the run"),
            (false, false) => Some(ENDED),
            (false, true) => None,
        };
        let mut files: Vec<(Sink, Vec<u8>)> = Vec::new();
        if let Some((file, format)) = &self.trace {
            let written = trace::write(&timeline, *format, why);
            if let Some(stopped) = written.stopped {
                message(&format!("warning: {stopped}; --trace-blocks selects blocks"));
            }
            files.push((sink(file), written.bytes));
        }
        if let Some(file) = &self.page {
            let Shown { file: name, text, registers, context, folders } = shown;
            let mut context = context.clone();
            context.find_sources((name, reports), folders, |path| fs::read_to_string(path).ok());
            let timeline = Some(&timeline);
            let page = Page { file: name, text, reports, timeline, registers, interrupted: why };
            files.push((sink(file), page.with(&context).into_bytes()));
        }
        let files: Vec<_> = files.iter().map(|(sink, bytes)| (sink.clone(), bytes.as_slice())).collect();
        Ok(cute_output::write(&files)?)
    }
}

/// All that reproduces a run: the command line, the versions, and the date if the environment has
/// one.
pub(super) fn context(options: &Cli, target: Target) -> Context {
    let mut context = Context::default();
    let words: Vec<String> = env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
    context.fact("command", words.join(" "));
    let arguments = [&options.arguments, &options.arrays, &options.variables];
    let arguments: Vec<&str> = arguments.into_iter().flatten().map(String::as_str).collect();
    if !arguments.is_empty() {
        context.fact("arguments", arguments.join("\n"));
    }
    context.fact("target", target.to_string());
    context.fact("cutec", env!("CARGO_PKG_VERSION"));
    if let Ok(release) = ptxas::Options::default().release() {
        context.fact("ptxas", release);
    }
    if let Some(date) = env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| date(&seconds)) {
        context.fact("date", date);
    }
    context
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Seconds since 1970 as a date and a time in UTC.
fn date(seconds: &str) -> Option<String> {
    let seconds: i64 = seconds.trim().parse().ok()?;
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // The days of the proleptic Gregorian calendar, in eras of 400 years that begin in March.
    let day = days.checked_add(719_468)?;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = era * 400 + year + i64::from(month <= 2);
    Some(format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    ))
}

/// The exit code of a program that an interrupt ends.
const INTERRUPTED: i32 = 130;

fn name(file: &Path) -> String {
    file.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date("0").as_deref(), Some("1970-01-01 00:00:00 UTC"));
        assert_eq!(date("951782399").as_deref(), Some("2000-02-28 23:59:59 UTC"));
        assert_eq!(date("951782400").as_deref(), Some("2000-02-29 00:00:00 UTC"));
        assert_eq!(date("1767225599").as_deref(), Some("2025-12-31 23:59:59 UTC"));
        assert_eq!((date("x"), date("")), (None, None));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("f32[64]=random(1)"), "'f32[64]=random(1)'");
        assert_eq!((quoted("--grid"), quoted("it's")), ("--grid".into(), r"'it'\''s'".into()));
    }
}
