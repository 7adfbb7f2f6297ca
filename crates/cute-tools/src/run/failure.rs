//! Reports on standard output: that of a run, or why there is none.

use super::{
    cli::{Cli, Form},
    here,
};
use crate::{
    diagnostics::{Heard, print as write},
    error::{Error, Result},
};
use cute_launch::{failure::Failure, report::Reports};
use cute_report::annotations::{Annotations, Failed, Service};
use serde::Serialize;
use std::{cell::Cell, fmt::Display};

/// Whether the report of a run is printed.
#[derive(Debug, Default)]
pub(super) struct Stage {
    has_report: Cell<bool>,
}

impl Stage {
    /// Whether standard output has a report.
    pub(super) fn has_report(&self) -> bool {
        self.has_report.get()
    }

    /// A report was printed again.
    pub(super) fn printed(&self) {
        self.has_report.set(true);
    }

    /// Prints a report in the form that is asked for; `reports` has the findings.
    pub(super) fn print(
        &self,
        options: &Cli,
        text: &impl Display,
        json: &impl Serialize,
        reports: &Reports,
    ) -> Result<()> {
        self.printed();
        let (file, folder) = (options.file.display().to_string(), folder());
        let annotations = |service| {
            let version = env!("CARGO_PKG_VERSION");
            Annotations { file: &file, reports, folder: folder.as_deref(), version }.write(service)
        };
        write(&match options.report {
            Form::Text => cute_text::lines(&text.to_string()).into_owned(),
            Form::Json => serde_json::to_string_pretty(json).expect("a report has a form in JSON") + "\n",
            Form::Sarif => annotations(Service::Sarif),
            Form::Github => annotations(Service::Github),
            Form::Junit => annotations(Service::Junit),
        })
    }
}

/// Prints why there is no report. Standard error has it as text.
pub(crate) fn print(options: &Cli, error: &Error, heard: &Heard) -> Result<()> {
    let first = heard.first_error();
    let first = first.as_ref().filter(|_| matches!(error, Error::Session(cute_session::Error::Reported)));
    let (message, id, place) = match first {
        Some(said) => (said.message.clone(), said.id.as_deref(), said.source_place()),
        None => (error.to_string(), error.id(), error.place().cloned()),
    };
    let (file, folder) = (options.file.display().to_string(), folder());
    let annotations = |service| {
        let (place, version) = (place.as_ref(), env!("CARGO_PKG_VERSION"));
        Failed { file: &file, id, message: &message, place, folder: folder.as_deref(), version }
            .write(service)
    };
    write(&match options.report {
        Form::Text => return Ok(()),
        Form::Json => {
            let failure = Failure::new(id, message.clone(), place.as_ref());
            serde_json::to_string_pretty(&failure).expect("a failure has a form in JSON") + "\n"
        }
        Form::Sarif => annotations(Service::Sarif),
        Form::Github => annotations(Service::Github),
        Form::Junit => annotations(Service::Junit),
    })
}

/// The folder that names of files are relative to.
fn folder() -> Option<String> {
    here().and_then(|folder| folder.to_str().map(str::to_owned))
}
