//! The rules of `cuTensorMapEncodeTiled` for numbers that are known at run time.

use std::fmt;

use super::{Interleave, MapElement, TensorMap};

/// A rule that a tensor map breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}: {rule}")]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Broken {
    /// The name of the rule for programs, such as `stride_alignment`.
    pub name: &'static str,
    /// The field, such as `the stride of mode 1`.
    pub field: String,
    pub value: String,
    /// The driver's rule, and what would keep it.
    pub rule: String,
}

/// The rules that are found broken.
#[derive(Default)]
pub(super) struct Found(pub(super) Vec<Broken>);

impl Found {
    pub(super) fn add(
        &mut self,
        name: &'static str,
        field: impl Into<String>,
        value: impl ToString,
        rule: impl Into<String>,
    ) {
        self.0.push(Broken { name, field: field.into(), value: value.to_string(), rule: rule.into() });
    }
}

/// A number of a tensor map that may only be known at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// The address of the first element, in bytes.
    Address,
    /// The extent of a mode, in elements.
    Extent(usize),
    /// The stride of a mode, in bytes.
    Stride(usize),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => f.write_str("the address"),
            Self::Extent(i) => write!(f, "the extent of mode {i}"),
            Self::Stride(i) => write!(f, "the stride of mode {i}"),
        }
    }
}

/// A condition for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Divisible by this.
    MultipleOf(u64),
    /// In the range from the first to the second number.
    Within(u64, u64),
}

impl Condition {
    /// Whether a number satisfies the condition.
    pub fn holds(self, number: u64) -> bool {
        match self {
            Self::MultipleOf(n) => number.is_multiple_of(n),
            Self::Within(from, to) => (from..=to).contains(&number),
        }
    }
}

/// The driver's rule for one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the message explains each field")]
pub struct Rule {
    pub number: Number,
    pub condition: Condition,
    /// The element type.
    pub element: MapElement,
}

impl Rule {
    /// The name of the rule.
    pub fn name(&self) -> &'static str {
        match (self.number, self.condition) {
            (Number::Address, Condition::MultipleOf(_)) => "address_alignment",
            (Number::Address, Condition::Within(..)) => "address_range",
            (Number::Extent(_), Condition::MultipleOf(_)) => "extent_packing",
            (Number::Extent(_), Condition::Within(..)) => "extent_range",
            (Number::Stride(0), _) => "inner_stride_not_1",
            (Number::Stride(_), Condition::MultipleOf(_)) => "stride_alignment",
            (Number::Stride(_), Condition::Within(..)) => "stride_ge_2p40",
        }
    }

    /// The rule in words.
    pub fn text(&self) -> String {
        match (self.number, self.condition) {
            (Number::Address, Condition::MultipleOf(n)) => {
                format!("the tensor begins at a multiple of {n} bytes")
            }
            (Number::Address, Condition::Within(..)) => "an address has at most 57 bits".into(),
            (Number::Extent(_), Condition::MultipleOf(n)) => {
                format!("of elements of {} it is a multiple of {n}", self.element)
            }
            (Number::Extent(_), Condition::Within(..)) => "extents are from 1 to 2^32".into(),
            (Number::Stride(0), _) => format!(
                "mode 0 must be contiguous, with {} bytes from one element of {} to the next",
                self.element.bytes(),
                self.element
            ),
            (Number::Stride(_), Condition::MultipleOf(n)) => format!("strides are multiples of {n} bytes"),
            (Number::Stride(_), Condition::Within(..)) => {
                "strides are not negative, and below 2^40 bytes".into()
            }
        }
    }
}

const MAX_EXTENT: u64 = 1 << 32;
const MAX_STRIDE: u64 = 1 << 40;

impl TensorMap {
    /// Addresses and strides are multiples of this number.
    fn unit(&self) -> u64 {
        if self.interleave == Interleave::B32 || self.element.is_unpacked() { 32 } else { 16 }
    }

    /// The driver's rules for the run-time numbers of a tensor: its address, extents and strides.
    /// They depend on the other fields.
    pub fn number_rules(&self) -> Vec<Rule> {
        let rule = |number, condition| Rule { number, condition, element: self.element };
        let unit = self.unit();
        let packed = match self.element {
            // 64 or 96 bytes.
            MapElement::U4In8 | MapElement::U6In8 => 128,
            MapElement::U4 => 2,
            _ => 1,
        };
        let mut rules = vec![
            rule(Number::Address, Condition::MultipleOf(unit)),
            // It is stored in 57 bits.
            rule(Number::Address, Condition::Within(0, (1 << 57) - 1)),
        ];
        rules
            .extend((0..self.modes.len()).map(|i| rule(Number::Extent(i), Condition::Within(1, MAX_EXTENT))));
        if packed > 1 {
            rules.push(rule(Number::Extent(0), Condition::MultipleOf(packed)));
        }
        let bytes = u64::from(self.element.bytes());
        rules.push(rule(Number::Stride(0), Condition::Within(bytes, bytes)));
        for i in 1..self.modes.len() {
            rules.push(rule(Number::Stride(i), Condition::MultipleOf(unit)));
            rules.push(rule(Number::Stride(i), Condition::Within(0, MAX_STRIDE - 1)));
        }
        rules
    }
}
