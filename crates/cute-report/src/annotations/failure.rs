//! A run that did not begin, for services: one error, at its place if it has one.

use super::{Service, github, junit, point, sarif};
use cute_sim::place::{SourcePlace, SourcePoint};

/// Why there is no report, for a service.
#[derive(Debug, Clone, Copy)]
pub struct Failed<'a> {
    /// The name of the file that was to be run.
    pub file: &'a str,
    /// The id of the broken rule, if it is known.
    pub id: Option<&'a str>,
    /// Its text for people.
    pub message: &'a str,
    /// Where the error is, if it is about a place.
    pub place: Option<&'a SourcePlace>,
    /// The folder that names of files are relative to.
    pub folder: Option<&'a str>,
    /// The version of the program.
    pub version: &'a str,
}

impl Failed<'_> {
    /// The text of a service's format.
    pub fn write(&self, service: Service) -> String {
        match service {
            Service::Sarif => sarif::failed(self),
            Service::Github => github::failed(self),
            Service::Junit => junit::failed(self),
        }
    }

    /// The title of the error: the id of the rule, or that of no rule.
    pub(super) fn title(&self) -> &str {
        self.id.unwrap_or("error")
    }

    /// The point that an annotation stands at.
    pub(super) fn point(&self) -> Option<&SourcePoint> {
        self.place.and_then(point)
    }
}
