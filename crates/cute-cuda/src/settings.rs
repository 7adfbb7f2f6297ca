//! How the launches of this process are run, as the options say.

use cute_arch::Target;
use cute_launch::simulate::Checks;
use cute_sim::{Schedule, names::readable};
use regex_lite::Regex;

use crate::{device, options::ExecOptions};

/// The options of the process, ready for use.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// As they were given.
    pub options: ExecOptions,
    check: Option<Regex>,
    skip: Option<Regex>,
}

impl Settings {
    /// Those that `cutec exec` has given this process, which it has checked.
    pub fn of_process() -> Self {
        let options = ExecOptions::of_environment().unwrap_or_else(|why| {
            eprintln!("cutec exec: {why}");
            ExecOptions::default()
        });
        let regex = |text: &Option<String>| text.as_deref().and_then(|text| Regex::new(text).ok());
        let (check, skip) = (regex(&options.check), regex(&options.skip));
        Self { options, check, skip }
    }

    /// The device's memory in bytes.
    pub fn capacity(&self) -> u64 {
        device::current().memory
    }

    /// The device's target.
    pub fn target(&self) -> Target {
        device::current().target
    }

    /// Whether a kernel is not run.
    pub fn skips(&self, kernel: &str) -> bool {
        self.skip.as_ref().is_some_and(|skip| skip.is_match(kernel) || skip.is_match(&readable(kernel)))
    }

    /// Whether a kernel is checked, rather than computed only.
    fn checks_races_of(&self, kernel: &str) -> bool {
        let is_named = |check: &Regex| check.is_match(kernel) || check.is_match(&readable(kernel));
        !self.options.no_races && self.check.as_ref().is_none_or(is_named)
    }

    /// How a kernel is checked.
    pub fn checks(&self, kernel: &str) -> Checks {
        let ExecOptions { pedantic, strict_isa, allow, only_blocks, sums, .. } = self.options.clone();
        let races = self.checks_races_of(kernel);
        Checks { races, pedantic, strict_isa, allow, sums, only: only_blocks, ..Checks::default() }
    }

    /// The only schedule of a kernel.
    pub fn schedule(&self) -> Option<Schedule> {
        self.options.schedule
    }

    /// The number of schedules of a kernel, if not as many as it needs. A kernel that is computed
    /// only needs one.
    pub fn schedules(&self, kernel: &str) -> Option<u32> {
        let one = (!self.checks_races_of(kernel) && self.check.is_some()).then_some(1);
        self.options.schedules.or(one)
    }

    /// Whether the program goes on after a launch with findings.
    pub fn goes_on(&self) -> bool {
        self.options.keep_going
    }
}
