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

impl Options {
    /// Those that `cutec exec` has given this process.
    pub fn of_process() -> Self {
        std::env::var(VARIABLE).ok().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
    }

    /// The device's memory in bytes.
    pub fn capacity(&self) -> u64 {
        80 << 30
    }

    /// The device's target.
    pub fn target(&self) -> cute_arch::Target {
        cute_arch::Target::Sm90a
    }

    /// How a kernel is checked.
    pub fn checks(&self, _: &str) -> cute_launch::simulate::Checks {
        cute_launch::simulate::Checks::default()
    }

    /// The only schedule.
    pub fn schedule(&self) -> Option<cute_sim::Schedule> {
        None
    }

    /// The number of schedules.
    pub fn schedules(&self) -> Option<u32> {
        None
    }

    /// Whether the program goes on after a finding.
    pub fn goes_on(&self) -> bool {
        false
    }
}
