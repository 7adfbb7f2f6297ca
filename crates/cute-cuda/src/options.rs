//! How `cutec exec` asks the program's launches to be run.

use std::path::PathBuf;

use cute_launch::{Allow, OnlyBlocks};
use cute_sim::{Schedule, tensor::Sums};
use serde::{Deserialize, Serialize};

/// The variable of the environment that holds the options as JSON.
pub const VARIABLE: &str = "CUTE_CUDA_OPTIONS";

/// The options of `cutec exec` that the program's process needs. Those that `cutec run` has too
/// have its names and meanings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExecOptions {
    /// The device: `h100`, `b200`, ..
    pub device: Option<String>,
    /// Its number of multiprocessors, if not the device's own.
    pub sms: Option<u32>,
    /// A regular expression: only kernels of such a name are checked, and others are computed
    /// without a search for races.
    pub check: Option<String>,
    /// A regular expression: kernels of such a name do not run.
    pub skip: Option<String>,
    /// The one schedule under which launches run.
    #[serde(serialize_with = "text::write", deserialize_with = "text::read")]
    pub schedule: Option<Schedule>,
    /// The number of schedules under which launches run.
    pub schedules: Option<u32>,
    /// The blocks of each grid that run.
    #[serde(serialize_with = "text::write", deserialize_with = "text::read")]
    pub only_blocks: Option<OnlyBlocks>,
    /// How tensor cores add floats, if not as the device's.
    #[serde(serialize_with = "text::write", deserialize_with = "text::read")]
    pub sums: Option<Sums>,
    /// Whether races are not looked for.
    pub no_races: bool,
    /// Whether notes are reported.
    pub pedantic: bool,
    /// Whether findings about portability are errors.
    pub strict_isa: bool,
    /// The findings that are accepted.
    #[serde(serialize_with = "text::write", deserialize_with = "text::read_all")]
    pub allow: Vec<Allow>,
    /// Whether the program goes on after a launch with findings. Otherwise later calls fail, as
    /// after an error on a device.
    pub keep_going: bool,
    /// The page of HTML to write. Paths are absolute, because a program may change its folder.
    pub html: Option<PathBuf>,
    /// Folders with the sources of kernels, for the page.
    pub sources: Vec<PathBuf>,
    /// The trace to write.
    pub trace: Option<PathBuf>,
    /// The folder in which each launch is recorded, so that `cutec run` can repeat it.
    pub record: Option<PathBuf>,
    /// How findings are reported.
    pub report: Form,
    /// The file to which [`messages`](crate::messages) for `cutec exec` are appended.
    pub messages: Option<PathBuf>,
}

/// The form of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Findings as text on standard error.
    #[default]
    Text,
    /// Reports as JSON, in the messages.
    Json,
}

impl ExecOptions {
    /// The options in the environment, or those of a program without any.
    ///
    /// # Errors
    /// Why the variable does not hold options.
    pub fn of_environment() -> Result<Self, String> {
        match std::env::var(VARIABLE) {
            Ok(text) => serde_json::from_str(&text).map_err(|why| format!("{VARIABLE}: {why}")),
            Err(std::env::VarError::NotPresent) => Ok(Self::default()),
            Err(why) => Err(format!("{VARIABLE}: {why}")),
        }
    }
}

/// Values as the texts that `cutec run` takes for them.
mod text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn write<'v, V, T, S>(values: &'v V, serializer: S) -> Result<S::Ok, S::Error>
    where
        &'v V: IntoIterator<Item = &'v T>,
        T: Display + 'v,
        S: Serializer,
    {
        serializer.collect_seq(values.into_iter().map(ToString::to_string))
    }

    pub(super) fn read_all<'d, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'d>,
    {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(Error::custom)).collect()
    }

    /// One value, or none.
    pub(super) fn read<'d, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'d>,
    {
        Ok(read_all(deserializer)?.pop())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_they_are_written() {
        let options = ExecOptions {
            device: Some("h100".into()),
            schedule: Some(Schedule::Random(7)),
            only_blocks: "first,(1,2,0)".parse().ok(),
            allow: ["race", "race@k.cu:12"].map(|text| text.parse().expect("an entry")).into(),
            report: Form::Json,
            record: Some("/a".into()),
            ..ExecOptions::default()
        };
        assert!(options.only_blocks.is_some());
        for options in [options, ExecOptions::default()] {
            let text = serde_json::to_string(&options).expect("options have a form in JSON");
            assert_eq!(serde_json::from_str::<ExecOptions>(&text).expect("they are read"), options, "{text}");
        }
        assert_eq!(
            serde_json::from_str::<ExecOptions>("{}").expect("nothing is required"),
            ExecOptions::default()
        );
        assert!(serde_json::from_str::<ExecOptions>(r#"{"schedule":["never"]}"#).is_err());
        assert!(serde_json::from_str::<ExecOptions>(r#"{"colour":1}"#).is_err());
    }
}
