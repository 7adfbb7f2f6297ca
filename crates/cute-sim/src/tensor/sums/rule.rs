//! The rules by which tensor cores add. Which device follows which is known to the family of an
//! instruction.

use cute_arch::{Element, Target};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How the products of floats of an MMA are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sums {
    /// As the device of this compute capability does.
    Device(u32, u32),
    /// In f32, by ascending k, each rounded to nearest even.
    #[default]
    Plain,
}

impl From<Target> for Sums {
    /// Those of the device that a target is named after.
    fn from(target: Target) -> Self {
        let (major, minor) = target.compute_capability();
        Sums::Device(major, minor)
    }
}

/// A text that is neither `plain` nor the name of a target.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is neither plain nor a GPU such as sm_90")]
pub struct BadSums(String);

impl FromStr for Sums {
    type Err = BadSums;

    fn from_str(text: &str) -> Result<Self, BadSums> {
        match text {
            "plain" => Ok(Sums::Plain),
            _ => text.parse().map(|target: Target| target.into()).map_err(|_| BadSums(text.to_owned())),
        }
    }
}

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sums::Device(major, minor) => write!(f, "sm_{major}{minor}"),
            Sums::Plain => f.write_str("plain"),
        }
    }
}

/// How sure a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Words that such a device computed are published, and all of them follow the rule.
    Measured,
    /// A public model says so. No words are published.
    Modelled,
    /// Public models differ for some operands.
    Disputed,
    /// No model says so: the rule is that of the most similar device.
    Assumed,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Measured => "measured",
            Evidence::Modelled => "modelled",
            Evidence::Disputed => "disputed",
            Evidence::Assumed => "assumed",
        })
    }
}

/// The sum of one window: products of adjacent k, and C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The products of a window. Those of an instruction are in windows by ascending k.
    pub products: usize,
    /// Bits that are kept below the largest exponent.
    pub below: i32,
    /// Fraction bits of a sum in f32, which is cut.
    pub fraction: u32,
    /// The least exponent from which bits are counted.
    pub floor: i32,
    /// Whether C stays, even -0, if all products are 0.
    pub keeps_zero: bool,
}

/// The rule of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As [`Sums::Plain`] says.
    Plain,
    /// Window by window.
    Windows(Window),
    /// Elements of 8 bits become f16. A window of those with k mod 4 < 2, and one of the others,
    /// begin with 0; their sum is added to C and rounded to nearest even.
    ThroughHalves(Window),
    /// No tensor core: `fma`s of a thread, rounded to nearest even, and one addition of C.
    Threads,
    /// Packed fp4 with scale factors.
    PackedFp4,
}

/// A rule, and what is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// How floats are added.
    pub rule: Rule,
    /// How sure that is.
    pub evidence: Evidence,
}

/// A unit that multiplies matrices, as the family of its instructions describes it.
#[derive(Debug)]
pub(crate) struct Unit {
    /// The beginning of the names of its instructions, in reports.
    pub(crate) name: &'static str,
    /// The row of an instruction, on the device of a compute capability.
    pub(crate) row: fn((u32, u32), &Query) -> Row,
}

/// An instruction, as far as its sums depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub(crate) unit: &'static Unit,
    pub(crate) a: Element,
    pub(crate) b: Element,
    pub(crate) d: Element,
    pub(crate) shape: [usize; 3],
    /// Whether it has scale factors.
    pub(crate) scaled: bool,
    /// Whether an element of fp4 takes 4 bits.
    pub(crate) packed: bool,
}

impl Query {
    /// Whether the rules matter: not for integers, and not for f64.
    pub(crate) fn adds_floats(&self) -> bool {
        self.d.float().is_some() && self.d != Element::F64
    }

    /// Whether both matrices are of e4m3 or e5m2.
    pub(crate) fn are_fp8(&self) -> bool {
        [self.a, self.b].iter().all(|element| matches!(element, Element::E4m3 | Element::E5m2))
    }

    /// The least exponent for accumulators in f32, or in f16 of elements of f16.
    fn floor(&self, of_f32: i32, of_f16: i32) -> i32 {
        match (self.d, self.a) {
            (Element::F32, _) => of_f32,
            (Element::F16, Element::F16) => of_f16,
            _ => Window::NO_FLOOR,
        }
    }
}

impl Window {
    /// No least exponent: all products of such types are above.
    pub(crate) const NO_FLOOR: i32 = i32::MIN / 2;

    /// A window of the units from Hopper on: 25 bits below the largest exponent.
    pub(crate) fn wide(products: usize, query: &Query) -> Self {
        let (floor, keeps_zero) = (query.floor(-133, -21), query.scaled);
        Window { products, below: 25, fraction: 23, floor, keeps_zero }
    }

    /// A window of Turing, Ampere and Ada.
    pub(crate) fn narrow(products: usize, query: &Query) -> Self {
        Window { products, below: 24, fraction: 23, floor: query.floor(-132, -20), keeps_zero: false }
    }

    /// A window of fp8 of Ada and Hopper.
    pub(crate) fn short(products: usize) -> Self {
        Window { products, below: 13, fraction: 13, floor: Self::NO_FLOOR, keeps_zero: false }
    }
}

impl Row {
    /// The row of an instruction that adds window by window.
    pub(crate) fn windows(window: Window, evidence: Evidence) -> Self {
        Row { rule: Rule::Windows(window), evidence }
    }

    /// The row of packed fp4, which all units add alike.
    fn packed_fp4((major, minor): (u32, u32)) -> Self {
        let is_modelled = (major, minor) == (10, 0) || major == 12;
        let evidence = if is_modelled { Evidence::Disputed } else { Evidence::Assumed };
        Row { rule: Rule::PackedFp4, evidence }
    }
}

impl Sums {
    /// The row of an instruction.
    pub(crate) fn row(self, query: &Query) -> Row {
        match self {
            Sums::Plain => Row { rule: Rule::Plain, evidence: Evidence::Measured },
            Sums::Device(major, minor) if query.packed => Row::packed_fp4((major, minor)),
            Sums::Device(major, minor) => (query.unit.row)((major, minor), query),
        }
    }
}
