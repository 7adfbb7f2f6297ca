//! The rules by which tensor cores add, and which device follows which.

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

/// The units that multiply matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `mma.sync`, and `wmma`, which consists of such.
    Mma,
    /// `wgmma`.
    Wgmma,
    /// `wgmma` of a sparse A, of which half of K is stored.
    SparseWgmma,
    /// `tcgen05.mma`.
    Tcgen05,
}

impl Unit {
    /// The beginning of the names of its instructions.
    pub(super) fn name(self) -> &'static str {
        match self {
            Unit::Mma => "mma.sync",
            Unit::Wgmma => "wgmma",
            Unit::SparseWgmma => "wgmma.sp",
            Unit::Tcgen05 => "tcgen05.mma",
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

/// No least exponent: all products of such types are above.
const NO_FLOOR: i32 = i32::MIN / 2;

/// An instruction, as far as its sums depend on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query {
    pub(crate) unit: Unit,
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
}

/// A window of the units from Hopper on: 25 bits below the largest exponent.
fn wide(products: usize, query: &Query) -> Window {
    let (floor, keeps_zero) = (floor(query, -133, -21), query.scaled);
    Window { products, below: 25, fraction: 23, floor, keeps_zero }
}

/// A window of Turing, Ampere and Ada.
fn narrow(products: usize, query: &Query) -> Window {
    Window { products, below: 24, fraction: 23, floor: floor(query, -132, -20), keeps_zero: false }
}

/// A window of fp8 of Ada and Hopper.
fn short(products: usize) -> Window {
    Window { products, below: 13, fraction: 13, floor: NO_FLOOR, keeps_zero: false }
}

/// The least exponent for accumulators in f32, or in f16 of elements of f16.
fn floor(query: &Query, of_f32: i32, of_f16: i32) -> i32 {
    match (query.d, query.a) {
        (Element::F32, _) => of_f32,
        (Element::F16, Element::F16) => of_f16,
        _ => NO_FLOOR,
    }
}

impl Sums {
    /// The row of an instruction.
    pub(crate) fn row(self, query: &Query) -> Row {
        use Evidence::{Assumed, Disputed, Measured, Modelled};
        let row = |rule, evidence| Row { rule, evidence };
        let Sums::Device(major, minor) = self else { return row(Rule::Plain, Measured) };
        let k = query.shape[2];
        let is_fp8 = |element: Element| matches!(element, Element::E4m3 | Element::E5m2);
        let are_fp8 = is_fp8(query.a) && is_fp8(query.b);
        if query.packed {
            let evidence = if (major, minor) == (10, 0) || major == 12 { Disputed } else { Assumed };
            return row(Rule::PackedFp4, evidence);
        }
        match query.unit {
            Unit::Wgmma if are_fp8 => row(Rule::Windows(short(k)), Measured),
            Unit::Wgmma => row(Rule::Windows(wide(k, query)), Modelled),
            // As many products as of a dense A. No words are published, nor a model.
            Unit::SparseWgmma if are_fp8 => row(Rule::Windows(short(k / 2)), Assumed),
            Unit::SparseWgmma => row(Rule::Windows(wide(k / 2, query)), Assumed),
            Unit::Tcgen05 => {
                // No words of B300 and Thor are published, nor a model of them.
                let evidence = if (major, minor) == (10, 0) && k <= 32 { Measured } else { Assumed };
                row(Rule::Windows(wide(k.min(32), query)), evidence)
            }
            Unit::Mma if query.scaled => {
                row(Rule::Windows(wide(k, query)), if major == 12 { Modelled } else { Assumed })
            }
            Unit::Mma if query.a == Element::F16 && query.shape == [8, 8, 4] => match (major, minor) {
                (7, 0..5) => row(
                    Rule::Windows(Window {
                        products: 4,
                        below: 23,
                        fraction: 23,
                        floor: if query.d == Element::F16 { -19 } else { NO_FLOOR },
                        keeps_zero: false,
                    }),
                    Measured,
                ),
                (7, _) => row(Rule::Windows(narrow(4, query)), Modelled),
                _ => row(Rule::Threads, Modelled),
            },
            Unit::Mma => match (major, minor) {
                (..=7, _) => row(Rule::Windows(narrow(8.min(k), query)), Modelled),
                (8, 9) if are_fp8 => row(Rule::Windows(short(16.min(k))), Measured),
                (8, _) => {
                    let products = if query.a == Element::Tf32 { 4 } else { 8 };
                    // The order of two windows is known from one model alone.
                    let evidence = if k <= products { Measured } else { Modelled };
                    row(Rule::Windows(narrow(products.min(k), query)), evidence)
                }
                (9..=11, _) if are_fp8 => {
                    let half = Query { a: Element::F16, b: Element::F16, ..*query };
                    row(Rule::ThroughHalves(wide(k / 2, &half)), Measured)
                }
                (9, _) | (10, 0) => row(Rule::Windows(wide(k, query)), Measured),
                (10 | 11, _) => row(Rule::Windows(wide(k, query)), Assumed),
                _ if matches!(query.a, Element::E3m2 | Element::E2m3 | Element::E2m1)
                    || matches!(query.b, Element::E3m2 | Element::E2m3 | Element::E2m1) =>
                {
                    row(Rule::Windows(wide(k, query)), Assumed)
                }
                _ => row(Rule::Windows(wide(k, query)), Modelled),
            },
        }
    }
}
