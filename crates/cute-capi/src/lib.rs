//! The C library `libcute.so`, whose interface is `include/cute.h`.
//!
//! This crate translates between C and `cute-session`, which does the work. It must not depend on
//! MLIR's types, nor decide anything about a compilation. Each function catches panics, so that
//! none unwinds into C.
//!
//! | module | subject |
//! |---|---|
//! | `arguments` | pointers, texts and numbers that C passes |
//! | `bind` | the arguments of a kernel or host function |
//! | `session` | sessions and their options |
//! | `callback` | the callback for diagnostics |
//! | `loaded` | the file of this library |
//! | `result` | results and their parts |
//! | `calls` | verification, import, compilation, host functions |
//! | `simulate` | launches in the simulator |
//! | `prove` | answers about all sizes of a launch |

mod arguments;
mod bind;
mod callback;
mod calls;
mod loaded;
mod prove;
mod result;
mod session;
mod simulate;

use std::ffi::c_char;

use cute_session::Report;
use cute_sim::SourcePlace;

/// `CUTE_API`: the version of the interface.
pub const API: u32 = 1;

/// `cute_status`.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The call did what it should.
    Ok = 0,
    /// A null pointer, an unknown option, or a value that is not valid.
    InvalidArgument = 1,
    /// The library does not have the version of the header.
    WrongVersion = 2,
    /// A text that is not UTF-8, or has a NUL in it.
    NotText = 3,
    /// The module is wrong, or cannot be compiled.
    Failed = 4,
    /// The simulated kernel has mistakes, or a kernel is not proved.
    Findings = 5,
    /// The callback for diagnostics asked to stop.
    Closed = 6,
    /// A defect of the library.
    Internal = 7,
}

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
    about: About,
}

/// The source of more about a failure than its message.
#[derive(Debug, Clone, PartialEq, Eq)]
enum About {
    /// There is none.
    Nothing,
    /// The id of the broken rule, and the place.
    Rule(&'static str, Option<Box<SourcePlace>>),
    /// The diagnostics, with the first error among them.
    Diagnostics(Option<Box<Report>>),
}

/// The report about a failure, as JSON.
fn report(id: Option<&str>, message: &str, place: Option<&SourcePlace>) -> String {
    let failure = cute_launch::failure::Failure::new(id, message.to_owned(), place);
    serde_json::to_string(&failure).expect("a failure has a form in JSON")
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), about: About::Nothing }
    }

    /// Why it failed, as JSON.
    pub(crate) fn json(&self) -> String {
        match &self.about {
            About::Rule(id, place) => report(Some(id), &self.message, place.as_deref()),
            About::Diagnostics(Some(first)) => {
                report(first.id.as_deref(), &first.message, first.source_place().as_ref())
            }
            About::Nothing | About::Diagnostics(None) => report(None, &self.message, None),
        }
    }

    /// The same with the first error of the diagnostics, if they state the reason.
    pub(crate) fn after(self, first: Option<Report>) -> Self {
        match self.about {
            About::Diagnostics(_) => Self { about: About::Diagnostics(first.map(Box::new)), ..self },
            _ => self,
        }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Status::InvalidArgument, message)
    }

    /// The failure that a panic is.
    pub(crate) fn panic(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown");
        Self::new(Status::Internal, format!("internal error: {text}"))
    }
}

impl From<cute_session::Error> for Failure {
    fn from(error: cute_session::Error) -> Self {
        let status = match error {
            cute_session::Error::NotText { .. } | cute_session::Error::Nul { .. } => Status::NotText,
            _ => Status::Failed,
        };
        let about = match &error {
            cute_session::Error::Launch(why) => about(why),
            cute_session::Error::Reported => About::Diagnostics(None),
            _ => About::Nothing,
        };
        Self { about, ..Self::new(status, error.to_string()) }
    }
}

/// The id of the rule that an error is about, and its place.
fn about(error: &cute_launch::Error) -> About {
    error.id().map_or(About::Nothing, |id| About::Rule(id, error.place().cloned().map(Box::new)))
}

impl From<cute_launch::Error> for Failure {
    fn from(error: cute_launch::Error) -> Self {
        use cute_launch::Error;
        let status = match error {
            Error::Launch { .. }
            | Error::ArgumentCount { .. }
            | Error::Argument { .. }
            | Error::Variable { .. } => Status::InvalidArgument,
            Error::NoMemory { .. } => Status::InvalidArgument,
            _ => Status::Failed,
        };
        Self { about: about(&error), ..Self::new(status, error.to_string()) }
    }
}

impl From<cute_prove::Error> for Failure {
    fn from(error: cute_prove::Error) -> Self {
        match error {
            cute_prove::Error::Launch(why) => why.into(),
            why => {
                let about = why.id().map_or(About::Nothing, |id| About::Rule(id, None));
                Self { about, ..Self::argument(why.to_string()) }
            }
        }
    }
}

impl From<cute_driver::options::Error> for Failure {
    fn from(error: cute_driver::options::Error) -> Self {
        Self::argument(error.to_string())
    }
}

/// `cute_version`.
#[unsafe(no_mangle)]
pub extern "C" fn cute_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// `cute_api_version`.
#[unsafe(no_mangle)]
pub extern "C" fn cute_api_version() -> u32 {
    API
}
