//! The report about a run that did not begin, in JSON.

use crate::{error::Error, report::VERSION};
use cute_machine::place::{PlaceFields, SourcePlace};
use serde::{Serialize, Serializer};

cute_rules::rules! {
    /// The rules of requests in JSON, by which a page runs kernels.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RequestRule {
        /// The text is not a request.
        Form = "request-form": "A request is an object of JSON with the fields that a run has.",
            "the request is not valid: ..", "Correct the field or the text that the message names.";
        /// The value of a field does not fit.
        Field = "request-field": "The field of a request has a value of its kind.", "\"..\" is .., but must be ..",
            "Write a value that the message describes.";
    }
}

/// Why there is no report. In JSON it is an object with `version` and `error`, which has the id of
/// the rule, the message and the place; an id or a place that is not known is `null`.
///
/// ```
/// use cute_launch::{Error, failure::Failure};
/// let error = Error::NoKernel { file: "a.ptx".to_owned() };
/// let json = serde_json::to_value(Failure::of(&error)).unwrap();
/// assert_eq!(json["error"]["id"], "launch-no-kernel");
/// assert_eq!(json["error"]["message"], "'a.ptx' has no kernel");
/// assert!(json["error"]["place"].is_null());
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Failure<'e> {
    version: u32,
    error: Fields<'e>,
}

#[derive(Debug, Clone, Serialize)]
struct Fields<'e> {
    id: Option<&'e str>,
    message: String,
    #[serde(serialize_with = "fields")]
    place: Option<&'e SourcePlace>,
}

fn fields<S: Serializer>(place: &Option<&SourcePlace>, serializer: S) -> Result<S::Ok, S::Error> {
    place.map(PlaceFields).serialize(serializer)
}

impl<'e> Failure<'e> {
    /// The report about an error of a launch.
    pub fn of(error: &'e Error) -> Self {
        Self::new(error.id(), error.to_string(), error.place())
    }

    /// A report from its parts.
    pub fn new(id: Option<&'e str>, message: String, place: Option<&'e SourcePlace>) -> Self {
        Self { version: VERSION, error: Fields { id, message, place } }
    }
}
