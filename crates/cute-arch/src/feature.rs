//! The one table of the instructions that each target has. It must not contain atoms.
//!
//! Source: PTX ISA, "Target ISA Notes" of each instruction, checked against what ptxas of CUDA 13.0
//! accepts (`crates/cute-tools/tests/features.rs`), and for compute capability 10.7 against ptxas
//! of CUDA 13.5.

use crate::{
    Element,
    target::{Portability, Target},
};
use std::fmt;

/// The targets that have an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Availability {
    /// This compute capability and every later one.
    From(u32, u32),
    /// Targets specific to the family or architecture of these compute capabilities: `sm_100f` and
    /// `sm_100a`.
    Family(&'static [(u32, u32)]),
    /// The code for an architecture of these compute capabilities alone: `sm_100a`.
    Specific(&'static [(u32, u32)]),
}

impl Availability {
    /// Whether the target has it.
    pub fn on(self, target: Target) -> bool {
        let capability = target.compute_capability();
        match (self, target.portability()) {
            (Self::From(major, minor), _) => capability >= (major, minor),
            (Self::Family(_) | Self::Specific(_), Portability::Forward)
            | (Self::Specific(_), Portability::Family) => false,
            (Self::Family(all) | Self::Specific(all), _) => all.contains(&capability),
        }
    }

    /// The targets that have it, oldest first.
    pub fn targets(self) -> impl Iterator<Item = Target> {
        Target::all().iter().copied().filter(move |t| self.on(*t))
    }
}

/// `sm_90 and later`, or all targets by name, for errors about a target that lacks an instruction.
impl fmt::Display for Availability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::From(major, minor) => write!(f, "sm_{major}{minor} and later"),
            _ => f.write_str(&self.targets().map(Target::name).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// A group of instructions of which a target has all or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Feature {
    /// `cp.async`: copies from global to shared memory that bypass registers.
    CpAsync,
    /// `ldmatrix` of 16-bit elements.
    Ldmatrix,
    /// `ldmatrix` for elements of 8, 6 and 4 bits, and `stmatrix` for 8 bits.
    MatrixBytes,
    /// `stmatrix` of 16-bit elements.
    Stmatrix,
    /// `mma.sync` on bf16 and tf32.
    MmaBf16,
    /// `mma.sync` on e4m3 and e5m2.
    MmaFp8,
    /// `mma.sync` on f64 of 16 x 8.
    MmaLargeF64,
    /// `mma.sync` and `mma.sp` with `.kind::f8f6f4`, and `mma.sync` with `.block_scale`.
    MmaF8f6f4,
    /// `mma.sp` with `.block_scale` on fp4.
    MmaSparseFp4,
    /// `mbarrier` with transaction counts, and `cp.async.bulk(.tensor)`: TMA.
    Tma,
    /// TMA of four separate rows, `.im2col::w`, and loads whose barrier is in the CTA pair:
    /// `.cta_group::2`.
    TmaBlackwell,
    /// Thread-block clusters and distributed shared memory.
    Clusters,
    /// `wgmma.mma_async`.
    Wgmma,
    /// `setmaxnreg`.
    Setmaxnreg,
    /// `tcgen05` and tensor memory.
    Tcgen05,
    /// `tcgen05.mma` with `.kind::i8`.
    Tcgen05Integer,
    /// `tcgen05.mma.sp` with `.block_scale` on fp4.
    Tcgen05SparseFp4,
    /// `tcgen05.mma` that scales D down before it adds.
    Tcgen05ScaleD,
    /// `tcgen05.shift`: rows of tensor memory, one lane down.
    Tcgen05Shift,
    /// `tcgen05.ld.red`: a load that also returns the smallest or largest of each thread's values.
    Tcgen05LoadReduce,
    /// `clusterlaunchcontrol`: a running cluster takes over the place of one that has not begun.
    LaunchControl,
    /// The same with an answer to each CTA of the cluster.
    LaunchControlMulticast,
    /// `griddepcontrol`: grids that begin before the grids that they depend on have ended.
    DependentLaunch,
    /// `cvt` between pairs of e4m3 or e5m2 and wider floats.
    ConvertFp8,
    /// `cvt` between pairs of e2m1, e2m3 or e3m2 and wider floats.
    ConvertFp6Fp4,
    /// Loads and stores of 256 bits.
    Vector256,
    /// `fma` of two f32 at once.
    FmaPairs,
}

/// The compute capabilities with tensor memory.
const DATACENTER: &[(u32, u32)] = &[(10, 0), (10, 3), (10, 7), (11, 0)];
/// The compute capabilities with `mma.sync` on floats of 6 and 4 bits.
const DESKTOP: &[(u32, u32)] = &[(12, 0), (12, 1)];
const BLACKWELL: &[(u32, u32)] = &[(10, 0), (10, 3), (10, 7), (11, 0), (12, 0), (12, 1)];

impl Feature {
    /// The features, in the order of this enum.
    pub const ALL: [Self; 27] = [
        Self::CpAsync,
        Self::Ldmatrix,
        Self::MatrixBytes,
        Self::Stmatrix,
        Self::MmaBf16,
        Self::MmaFp8,
        Self::MmaLargeF64,
        Self::MmaF8f6f4,
        Self::MmaSparseFp4,
        Self::Tma,
        Self::TmaBlackwell,
        Self::Clusters,
        Self::Wgmma,
        Self::Setmaxnreg,
        Self::Tcgen05,
        Self::Tcgen05Integer,
        Self::Tcgen05SparseFp4,
        Self::Tcgen05ScaleD,
        Self::Tcgen05Shift,
        Self::Tcgen05LoadReduce,
        Self::LaunchControl,
        Self::LaunchControlMulticast,
        Self::DependentLaunch,
        Self::ConvertFp8,
        Self::ConvertFp6Fp4,
        Self::Vector256,
        Self::FmaPairs,
    ];

    /// The targets that have it.
    ///
    /// ```
    /// use cute_arch::{Feature, Target};
    /// assert!(Target::Sm100f.has(Feature::Tcgen05) && !Target::Sm100f.has(Feature::Tcgen05Integer));
    /// assert_eq!(Feature::Tcgen05Integer.on().to_string(), "sm_100a, sm_110a");
    /// assert_eq!(Feature::Stmatrix.on().to_string(), "sm_90 and later");
    /// ```
    pub const fn on(self) -> Availability {
        use Availability::{Family, From, Specific};
        match self {
            Self::Ldmatrix => From(7, 5),
            Self::CpAsync | Self::MmaBf16 => From(8, 0),
            Self::MmaFp8 | Self::ConvertFp8 => From(8, 9),
            Self::Stmatrix | Self::MmaLargeF64 | Self::Tma | Self::Clusters | Self::DependentLaunch => {
                From(9, 0)
            }
            Self::Wgmma => Specific(&[(9, 0)]),
            Self::Setmaxnreg => Family(&[(9, 0), (10, 0), (10, 3), (10, 7), (11, 0), (12, 0), (12, 1)]),
            Self::Vector256 | Self::FmaPairs | Self::LaunchControl => From(10, 0),
            Self::MatrixBytes | Self::ConvertFp6Fp4 | Self::LaunchControlMulticast => Family(BLACKWELL),
            Self::Tcgen05 | Self::TmaBlackwell => Family(DATACENTER),
            Self::Tcgen05LoadReduce => Family(&[(10, 3), (10, 7), (11, 0)]),
            Self::Tcgen05ScaleD => Family(&[(10, 0), (10, 3), (10, 7)]),
            Self::Tcgen05SparseFp4 | Self::Tcgen05Shift => Specific(DATACENTER),
            Self::Tcgen05Integer => Specific(&[(10, 0), (11, 0)]),
            Self::MmaF8f6f4 => Family(DESKTOP),
            Self::MmaSparseFp4 => Specific(DESKTOP),
        }
    }
}

impl Feature {
    /// The conversions between pairs of a float of at most 8 bits and wider floats; `None` for
    /// other elements.
    pub const fn conversions_of(narrow: Element) -> Option<Self> {
        match narrow {
            Element::E4m3 | Element::E5m2 => Some(Self::ConvertFp8),
            Element::E2m1 | Element::E2m3 | Element::E3m2 => Some(Self::ConvertFp6Fp4),
            _ => None,
        }
    }

    /// Checks that a target has the conversions of elements of this type, which the caller calls
    /// `name`.
    ///
    /// # Errors
    /// The targets that have them, if there are any.
    ///
    /// ```
    /// use cute_arch::{Element, Feature, Target};
    /// assert_eq!(
    ///     Feature::check_conversions(Element::E5m2, "f8E5M2", Target::Sm80).unwrap_err(),
    ///     "sm_80 has no conversions of f8E5M2; they exist on sm_89 and later"
    /// );
    /// ```
    pub fn check_conversions(narrow: Element, name: impl fmt::Display, target: Target) -> Result<(), String> {
        match Self::conversions_of(narrow) {
            Some(feature) if target.has(feature) => Ok(()),
            Some(feature) => {
                let on = feature.on();
                Err(format!("{target} has no conversions of {name}; they exist on {on}"))
            }
            None => Err(format!("no target has conversions of {name}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(feature: Feature) -> Vec<&'static str> {
        feature.on().targets().map(Target::name).collect()
    }

    #[test]
    fn each_generation_has_its_matrix_unit() {
        assert_eq!(with(Feature::Wgmma), ["sm_90a"]);
        let tcgen05 = ["sm_100f", "sm_100a", "sm_103f", "sm_103a", "sm_110f", "sm_110a"];
        assert_eq!(with(Feature::Tcgen05), tcgen05);
        assert_eq!(with(Feature::Tcgen05Integer), ["sm_100a", "sm_110a"]);
        assert_eq!(with(Feature::MmaF8f6f4), ["sm_120f", "sm_120a", "sm_121f", "sm_121a"]);
        assert_eq!(with(Feature::CpAsync).len(), Target::all().len());
    }

    #[test]
    fn code_for_an_architecture_has_what_its_family_and_plain_code_have() {
        for feature in Feature::ALL {
            for target in Target::all().iter().filter(|t| t.has(feature)) {
                let of_architecture = |t: &&Target| {
                    t.compute_capability() == target.compute_capability()
                        && t.portability() >= target.portability()
                };
                assert!(Target::all().iter().filter(of_architecture).all(|t| t.has(feature)), "{feature:?}");
            }
        }
    }
}
