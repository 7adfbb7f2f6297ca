//! The PTX in fat binaries that a device runs.

use super::container::{Code, FatbinEntry, Kind};
use cute_arch::{Portability, Target};

/// A program has no PTX for a device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the program has no PTX that runs on {device}: it has {}; build it with {}, which keep the PTX",
    list(.has),
    how(*.device)
)]
pub struct NoCode {
    /// The GPU that the program is to run on.
    pub device: Target,
    /// The entries that there are.
    pub has: Vec<String>,
}

fn list(has: &[String]) -> String {
    if has.is_empty() { "no device code".into() } else { has.join(", ") }
}

/// The options of nvcc for a device.
fn how(device: Target) -> String {
    let capability = device.compute_capability();
    let own = Target::for_capability(capability).filter(|own| own.compute_capability() == capability);
    let own = own.unwrap_or(device);
    let name = own.name().trim_start_matches("sm_");
    let portable = Code { capability, portability: Portability::Forward };
    format!("`-gencode arch=compute_{name},code=[sm_{name},compute_{name}]` or `-arch={portable}`")
}

impl Code {
    /// Whether PTX for it runs on a device.
    pub fn runs_on(self, device: Target) -> bool {
        self.portability.runs_on(self.capability, device.compute_capability())
    }
}

/// The entry with the PTX that the driver would compile for a device: the newest and most specific
/// one of those that run on it. (The driver prefers a cubin that fits, which comes from the same
/// source. nvcc 13.0 also puts PTX for `sm_90` beside that for `sm_90a` under `-arch=sm_90a`.)
///
/// # Errors
/// [`NoCode`] lists the entries if none has PTX that runs on the device.
pub fn choose<'e, 'a>(entries: &'e [FatbinEntry<'a>], device: Target) -> Result<&'e FatbinEntry<'a>, NoCode> {
    let fits =
        |entry: &&FatbinEntry<'_>| entry.kind == Kind::Ptx && entry.is_wide() && entry.code.runs_on(device);
    let newer = |best: &'e FatbinEntry<'a>, next: &'e FatbinEntry<'a>| {
        if next.code > best.code { next } else { best }
    };
    let chosen = entries.iter().filter(fits).reduce(newer);
    chosen.ok_or_else(|| NoCode { device, has: entries.iter().map(FatbinEntry::to_string).collect() })
}
