//! The devices that a program may be shown: their properties, as public tables have them.
//!
//! | module | subject |
//! |---|---|
//! | `table` | a row per device |
//! | [`attributes`] | what `cudaDeviceGetAttribute` returns |
//! | [`properties`] | `cudaDeviceProp` in the layout of each version |
//! | [`kernel`] | how many blocks of a kernel a device holds |
//! | [`clusters`] | the GPCs, which bound the number of clusters |
//!
//! Limits that all devices of an architecture share are those of [`Target`].

use std::{env, process, sync::OnceLock};

use cute_arch::Target;

use crate::options::{self, ExecOptions};

pub(crate) mod attributes;
pub(crate) mod clusters;
pub(crate) mod kernel;
pub(crate) mod properties;
mod table;

/// The device that is shown if none is chosen.
pub const DEFAULT: &str = "h100";

/// The most multiprocessors that a device may be given: more than any has.
pub const MAX_MULTIPROCESSORS: u32 = 1024;

/// A device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Its name on the command line: `h100`.
    pub name: &'static str,
    /// The name that programs print: `NVIDIA H100 80GB HBM3`.
    pub title: &'static str,
    /// The most specific code that it runs.
    pub target: Target,
    /// Its number of multiprocessors.
    pub multiprocessors: u32,
    /// The multiprocessors of each GPC; empty for a device without clusters.
    pub gpcs: &'static [u32],
    /// Bytes of global memory.
    pub memory: u64,
    /// Bytes of the L2 cache.
    pub l2: u32,
    /// Its highest clock rate, in kHz.
    pub clock: u32,
    /// The highest clock rate of its memory, in kHz.
    pub memory_clock: u32,
    /// Bits of the bus of its memory.
    pub bus: u32,
    /// The device's number among PCI devices of NVIDIA.
    pub pci: u32,
    /// The kind of its memory.
    pub kind: Kind,
}

/// The kinds of devices, which differ in their memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A card for a server, whose memory corrects errors.
    Server,
    /// A card for a desktop.
    Desktop,
    /// A part of a chip, which has its memory in common with the CPU.
    Integrated,
}

/// A name that is not that of a device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown device '{name}'; devices are {}", names())]
pub struct Unknown {
    /// The given name.
    pub name: String,
}

/// The reason why options describe no device.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Misfit {
    #[error(transparent)]
    Unknown(#[from] Unknown),
    #[error("a device has 1 to {MAX_MULTIPROCESSORS} multiprocessors, but {given} are asked for")]
    Multiprocessors { given: u32 },
}

fn names() -> String {
    known().iter().map(|device| device.name).collect::<Vec<_>>().join(", ")
}

/// All devices, by generation.
pub fn known() -> &'static [Device] {
    table::DEVICES
}

/// The device of this name, in lower or upper case.
///
/// # Errors
/// [`Unknown`], which lists the names.
///
/// ```
/// use cute_cuda::device;
/// assert_eq!(device::named("h100").unwrap().multiprocessors, 132);
/// let why = device::named("h1000").unwrap_err().to_string();
/// assert!(why.starts_with("unknown device 'h1000'; devices are a100, "), "{why}");
/// ```
pub fn named(name: &str) -> Result<Device, Unknown> {
    let found = known().iter().find(|device| device.name.eq_ignore_ascii_case(name));
    found.cloned().ok_or_else(|| Unknown { name: name.to_owned() })
}

/// The device that the options ask for.
///
/// # Errors
/// [`Misfit`].
pub fn chosen(options: &ExecOptions) -> Result<Device, Misfit> {
    let mut device = named(options.device.as_deref().unwrap_or(DEFAULT))?;
    if let Some(given) = options.sms {
        if !(1..=MAX_MULTIPROCESSORS).contains(&given) {
            return Err(Misfit::Multiprocessors { given });
        }
        device.multiprocessors = given;
    }
    Ok(device)
}

/// The device of this process, as its environment chooses it. A choice that describes no device
/// ends the process: `cutec exec` checks it before it starts the program.
pub fn current() -> &'static Device {
    static CURRENT: OnceLock<Device> = OnceLock::new();
    CURRENT.get_or_init(|| {
        let options = match env::var(options::VARIABLE) {
            Err(_) => Ok(ExecOptions::default()),
            Ok(text) => serde_json::from_str(&text).map_err(|why| format!("{}: {why}", options::VARIABLE)),
        };
        options.and_then(|options| chosen(&options).map_err(|why| why.to_string())).unwrap_or_else(|why| {
            eprintln!("cutec exec: {why}");
            process::exit(2)
        })
    })
}

impl Device {
    /// Its number among all devices, by which programs tell devices apart: the same one in each
    /// process.
    pub fn uuid(&self) -> [u8; 16] {
        // FNV-1a of the name, twice as long.
        let hash = |seed: u64| {
            self.title
                .bytes()
                .fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
        };
        let [first, second] = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map(hash);
        (u128::from(first) << 64 | u128::from(second)).to_be_bytes()
    }

    /// How many times as fast it computes with 32 bits as with 64 bits (Guide, "Arithmetic
    /// Instructions").
    pub fn single_to_double(&self) -> u32 {
        match self.target.compute_capability() {
            (8, 0) | (9, 0) | (10, 0) => 2,
            _ => 64,
        }
    }

    /// The most bytes of the L2 cache that may be set aside for persisting accesses: 5/8 of it on
    /// devices for servers of the first of each generation, 11/16 on others, as programs that
    /// print `persistingL2CacheMaxSize` show.
    pub fn persisting_l2(&self) -> u32 {
        match self.target.compute_capability() {
            (8, 0) | (9, _) | (10, _) => self.l2 / 8 * 5,
            _ => self.l2 / 16 * 11,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_device_is_found_and_is_like_its_target() {
        for device in known() {
            assert_eq!(named(&device.name.to_uppercase()).as_ref(), Ok(device));
            assert!(device.title.len() < 256 && device.title.starts_with("NVIDIA "), "{device:?}");
            assert!(device.memory < Target::MAX_GLOBAL_MEMORY, "{device:?}");
            let native = Target::for_capability(device.target.compute_capability());
            assert_eq!(native, Some(device.target), "{device:?}");
            assert!(device.multiprocessors <= device.target.largest_gpu().0.max(160), "{device:?}");
        }
        let mut names: Vec<_> = known().iter().map(|device| device.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    #[test]
    fn the_default_is_an_h100() {
        let device = chosen(&ExecOptions::default()).unwrap();
        assert_eq!((device.title, device.multiprocessors), ("NVIDIA H100 80GB HBM3", 132));
        assert_eq!((device.target, device.l2), (Target::Sm90a, 50 << 20));
    }

    #[test]
    fn the_number_of_multiprocessors_is_chosen_within_limits() {
        let of = |sms: u32| {
            let options = format!(r#"{{"device": "b200", "sms": {sms}}}"#);
            chosen(&serde_json::from_str(&options).unwrap()).map(|device| device.multiprocessors)
        };
        assert_eq!([of(1), of(148), of(1024)], [Ok(1), Ok(148), Ok(1024)]);
        assert_eq!([0, 1025].map(of), [0, 1025].map(|given| Err(Misfit::Multiprocessors { given })));
        let text = Misfit::Multiprocessors { given: 0 }.to_string();
        assert_eq!(text, "a device has 1 to 1024 multiprocessors, but 0 are asked for");
    }

    #[test]
    fn devices_have_numbers_of_their_own() {
        let mut all: Vec<_> = known().iter().map(Device::uuid).collect();
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
    }

    /// `persistingL2CacheMaxSize` as published for these devices.
    #[test]
    fn a_part_of_the_l2_cache_persists() {
        let of = |name| named(name).unwrap().persisting_l2();
        assert_eq!(["a100", "h100"].map(of), [26_214_400, 32_768_000]);
        assert_eq!(["rtx3090", "rtx4090"].map(of), [4_325_376, 51_904_512]);
    }
}
