//! Requests: a text of PTX, a launch, and the options of `cutec run`, by the names that they have
//! in Python.

use cute_arch::Target;
use cute_launch::{
    Allow,
    failure::RequestRule,
    job::{Grid, RequestedExtents, extents},
    sample::MOST_SCHEDULES,
    simulate::Checks,
};
use cute_sim::{Election, Schedule, SourcePlace};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A kernel, its arguments, and how it is run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageRequest {
    /// The text of the file.
    pub ptx: String,
    /// The name that places in it have.
    #[serde(default = "unnamed")]
    pub file: String,
    /// Places in files below this folder are named from there.
    pub folder: Option<String>,
    /// The text of the manifest that is written beside PTX.
    pub manifest: Option<String>,
    /// The name of the kernel, if there are several.
    pub kernel: Option<String>,
    #[serde(default)]
    grid: Value,
    #[serde(default)]
    block: Value,
    #[serde(default)]
    cluster: Value,
    shared: Option<u32>,
    /// The arguments, as texts of `cutec run --arg`.
    #[serde(default)]
    pub args: Vec<String>,
    /// Arrays that only addresses lead to, as texts of `cutec run --array`.
    #[serde(default)]
    pub arrays: Vec<String>,
    /// Variables of the module, as texts of `cutec run --variable`.
    #[serde(default)]
    pub variables: Vec<String>,
    /// Several launches instead of one: the object of `cutec run --launches`.
    pub launches: Option<Value>,
    /// Whether the blocks are resident at once.
    #[serde(default)]
    cooperative: bool,
    schedule: Option<String>,
    /// The number of schedules.
    pub schedules: Option<u32>,
    elect: Option<String>,
    budget: Option<u64>,
    #[serde(default = "yes")]
    races: bool,
    #[serde(default)]
    pedantic: bool,
    #[serde(default)]
    strict_isa: bool,
    #[serde(default)]
    strict_ptx: bool,
    #[serde(default)]
    allow: Vec<String>,
    #[serde(default = "yes")]
    overflow: bool,
    /// The number of SMs, for a grid of one block for each.
    pub sms: Option<u32>,
    /// MiB of all arrays together.
    #[serde(default = "memory")]
    pub memory: u64,
    target: Option<String>,
    /// Texts of the sources that the PTX names, by their names without folders.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a request.
    #[error("the request is not valid: {0}")]
    Text(#[from] serde_json::Error),
    /// The value of a field does not fit.
    #[error("{0}")]
    Field(String),
    /// The kernel cannot be run.
    #[error(transparent)]
    Launch(#[from] cute_launch::Error),
    /// There is no post-mortem.
    #[error(transparent)]
    Autopsy(#[from] cute_report::autopsy::Error),
}

impl Error {
    /// The id of the broken rule.
    pub fn id(&self) -> Option<&'static str> {
        match self {
            Self::Text(_) => Some(RequestRule::Form.id()),
            Self::Field(_) => Some(RequestRule::Field.id()),
            Self::Launch(why) => why.id(),
            Self::Autopsy(_) => None,
        }
    }

    /// Where it is, if it is about a place.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Self::Launch(why) => why.place(),
            Self::Text(_) | Self::Field(_) | Self::Autopsy(_) => None,
        }
    }
}

pub(crate) fn unnamed() -> String {
    "<ptx>".to_owned()
}

fn yes() -> bool {
    true
}

fn memory() -> u64 {
    1024
}

/// A field whose value is not what it must be.
fn wrong(name: &str, value: &Value, wanted: &str) -> Error {
    Error::Field(match value {
        Value::Null => format!("\"{name}\" is missing: it must be {wanted}"),
        value => format!("\"{name}\" is {value}, but must be {wanted}"),
    })
}

/// The value in the text of a field.
fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> Result<T, Error> {
    text.parse().map_err(|why| Error::Field(format!("\"{name}\": {why}")))
}

const EXTENTS: &str = "one to three positive integers";

/// Three extents: a number, or a list.
fn three(value: &Value) -> Option<[u32; 3]> {
    match value {
        Value::Array(list) => extents(&list.iter().map(Value::as_i64).collect::<Option<Vec<_>>>()?),
        value => extents(&[value.as_i64()?]),
    }
}

impl PageRequest {
    /// The request in a text.
    ///
    /// # Errors
    /// The text is not JSON, or not a request.
    pub fn read(json: &[u8]) -> Result<Self, Error> {
        Ok(serde_json::from_slice(json)?)
    }

    /// The launch.
    ///
    /// # Errors
    /// Returns an error if a field has no extents.
    pub fn extents(&self) -> Result<RequestedExtents, Error> {
        let given = |name: &str, value: &Value| match value {
            Value::Null => Ok(None),
            value => three(value).map(Some).ok_or_else(|| wrong(name, value, EXTENTS)),
        };
        let grid = match &self.grid {
            Value::String(auto) if auto == "auto" => Grid::Auto,
            value => {
                let wanted = || wrong("grid", value, &format!("{EXTENTS}, or \"auto\""));
                Grid::Extents(three(value).ok_or_else(wanted)?)
            }
        };
        let (block, cluster) = (given("block", &self.block)?, given("cluster", &self.cluster)?);
        let (shared, cooperative) = (self.shared, self.cooperative);
        Ok(RequestedExtents { grid, block, shared, cluster, preferred_cluster: None, cooperative })
    }

    /// The GPU, if it is not that of the PTX.
    ///
    /// # Errors
    /// Returns an error if there is no such GPU.
    pub fn target(&self) -> Result<Option<Target>, Error> {
        self.target.as_deref().map(|name| parsed("target", name)).transpose()
    }

    /// The only schedule, if one is given.
    ///
    /// # Errors
    /// Returns an error if there is no such schedule, or if it is not the only one.
    pub fn schedule(&self) -> Result<Option<Schedule>, Error> {
        let one = self.schedule.as_deref().map(|text| parsed("schedule", text)).transpose()?;
        match (one, self.schedules) {
            (Some(_), Some(_)) => Err(Error::Field(
                "\"schedule\" is one order of events, and \"schedules\" a number of several: give one of the two"
                    .to_owned(),
            )),
            (_, Some(count)) if !(1..=MOST_SCHEDULES).contains(&count) => {
                Err(wrong("schedules", &count.into(), &format!("1 to {MOST_SCHEDULES}")))
            }
            (one, _) => Ok(one),
        }
    }

    /// The checks of the simulator.
    ///
    /// # Errors
    /// Returns an error if a field does not fit.
    pub fn checks(&self) -> Result<Checks, Error> {
        if self.budget == Some(0) {
            return Err(wrong("budget", &0.into(), "a positive number of instructions"));
        }
        let allow = self.allow.iter().map(|entry| parsed::<Allow>("allow", entry));
        let elect = self.elect.as_deref().map(|text| parsed::<Election>("elect", text)).transpose()?;
        Ok(Checks {
            elect,
            strict_ptx: self.strict_ptx,
            budget: self.budget,
            races: self.races,
            pedantic: self.pedantic,
            strict_isa: self.strict_isa,
            allow: allow.collect::<Result<_, _>>()?,
            overflow: self.overflow,
            ..Checks::default()
        })
    }
}
