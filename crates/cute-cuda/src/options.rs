//! How `cutec exec` asks the program's launches to be run.

use serde::{Deserialize, Serialize};

/// The variable of the environment that holds the options as JSON.
pub const VARIABLE: &str = "CUTE_CUDA_OPTIONS";

/// The options of `cutec exec` that the program's process needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The device: `h100`, `b200`, ..
    pub device: Option<String>,
    /// Its number of multiprocessors, if not the device's own.
    pub sms: Option<u32>,
}
