//! The rules of `cuTensorMapEncodeTiled`.

use std::fmt;

use super::{Fill, Interleave, MAX_RANK, MapElement, MapSwizzle, TensorMap};

/// A rule that a tensor map breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} is {value}: {rule}")]
pub struct Broken {
    /// The field, such as `the stride of mode 1`.
    pub field: String,
    /// Its value.
    pub value: String,
    /// The driver's rule, and what would keep it.
    pub rule: String,
}

/// A number of a tensor map that a tensor may have at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// Of the first element, in bytes.
    Address,
    /// Of a mode, in elements.
    Extent(usize),
    /// Of a mode, in bytes.
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

/// What a number is asked to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Divisible by this.
    MultipleOf(u64),
    /// From the first to the second.
    Within(u64, u64),
}

impl Condition {
    /// Whether a number is that.
    pub fn holds(self, number: u64) -> bool {
        match self {
            Self::MultipleOf(n) => number.is_multiple_of(n),
            Self::Within(from, to) => (from..=to).contains(&number),
        }
    }
}

/// What the driver asks of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The number.
    pub number: Number,
    /// What it is asked to be.
    pub condition: Condition,
    /// Of elements of this type.
    pub element: MapElement,
}

impl Rule {
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
                "mode 0 is contiguous, {} bytes from one element of {} to the next",
                self.element.bytes(),
                self.element
            ),
            (Number::Stride(_), Condition::MultipleOf(n)) => format!("strides are multiples of {n} bytes"),
            (Number::Stride(_), Condition::Within(..)) => "strides are below 2^40 bytes".into(),
        }
    }
}

fn broken<T>(field: impl Into<String>, value: impl ToString, rule: impl Into<String>) -> Result<T, Broken> {
    Err(Broken { field: field.into(), value: value.to_string(), rule: rule.into() })
}

const MAX_EXTENT: u64 = 1 << 32;
const MAX_STRIDE: u64 = 1 << 40;
pub(super) const MAX_BOX: u32 = 256;
const MAX_STEP: u32 = 8;

impl TensorMap {
    /// Checks what the driver asks of a map, in the order of its fields.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), Broken> {
        self.check_rank()?;
        self.check_numbers()?;
        self.check_boxes()?;
        self.check_swizzle()?;
        if self.fill == Fill::Nan && !self.element.is_float() {
            return broken("the fill", "NaN", format!("elements are floats, not {}", self.element));
        }
        Ok(())
    }

    fn check_rank(&self) -> Result<(), Broken> {
        let rank = self.modes.len();
        if !(1..=MAX_RANK).contains(&rank) {
            return broken("the rank", rank, format!("a map has 1 to {MAX_RANK} modes"));
        }
        if self.interleave != Interleave::None {
            if rank < 3 {
                return broken("the rank", rank, "an interleaved tensor has at least 3 modes");
            }
            if matches!(self.element, MapElement::U4 | MapElement::U4In8 | MapElement::U6In8) {
                let rule = format!("elements of {} are not interleaved", self.element);
                return broken("the interleave", format!("{:?}", self.interleave), rule);
            }
        }
        Ok(())
    }

    /// What addresses and strides are multiples of.
    fn unit(&self) -> u64 {
        if self.interleave == Interleave::B32 || self.element.is_unpacked() { 32 } else { 16 }
    }

    /// What the driver asks of the numbers that a tensor has at run time: its address, extents and strides. The other fields decide
    /// about them.
    pub fn number_rules(&self) -> Vec<Rule> {
        let rule = |number, condition| Rule { number, condition, element: self.element };
        let unit = self.unit();
        let packed = match self.element {
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

    fn number(&self, number: Number) -> u64 {
        match number {
            Number::Address => self.address,
            Number::Extent(i) => self.modes[i].extent,
            Number::Stride(i) => self.modes[i].stride,
        }
    }

    fn check_numbers(&self) -> Result<(), Broken> {
        for rule in self.number_rules() {
            let found = self.number(rule.number);
            if rule.condition.holds(found) {
                continue;
            }
            let value = match rule.number {
                Number::Address => format!("{found:#x}"),
                Number::Extent(_) => found.to_string(),
                Number::Stride(_) => format!("{found} bytes"),
            };
            let mut asked = rule.text();
            if let (Number::Stride(_), Condition::MultipleOf(n)) = (rule.number, rule.condition)
                && let Some(padded) = found.checked_next_multiple_of(n)
            {
                asked += &format!("; padding to {padded} would do");
            }
            return broken(rule.number.to_string(), value, asked);
        }
        Ok(())
    }

    fn check_boxes(&self) -> Result<(), Broken> {
        for (i, mode) in self.modes.iter().enumerate() {
            if !(1..=MAX_BOX).contains(&mode.boxed) {
                let rule = format!("a box has 1 to {MAX_BOX} elements along a mode; copy several boxes");
                return broken(format!("the box of mode {i}"), mode.boxed, rule);
            }
            if !(1..=MAX_STEP).contains(&mode.step) {
                let rule = format!("every element is copied, or every 2nd to {MAX_STEP}th");
                return broken(format!("the step of mode {i}"), mode.step, rule);
            }
        }
        let boxed = self.modes[0].boxed;
        if self.element.is_unpacked() && boxed != 128 {
            let rule = format!("of elements of {} it is 128", self.element);
            return broken("the box of mode 0", boxed, rule);
        }
        if self.interleave == Interleave::None && !self.bits_along_first().is_multiple_of(128) {
            let rule = "along mode 0 a box has a multiple of 16 bytes";
            return broken("the box of mode 0", format!("{boxed} elements of {}", self.element), rule);
        }
        Ok(())
    }

    /// Bits of a box along mode 0 in shared memory.
    fn bits_along_first(&self) -> u64 {
        u64::from(self.modes[0].boxed) * u64::from(self.element.bits_in_shared_memory())
    }

    fn check_swizzle(&self) -> Result<(), Broken> {
        let name = format!("{:?}", self.swizzle);
        if self.interleave == Interleave::B32 && self.swizzle != MapSwizzle::B32 {
            return broken("the swizzle", name, "an interleave of 32 bytes needs the swizzle of 32");
        }
        if self.element.is_unpacked() && matches!(self.swizzle, MapSwizzle::B32 | MapSwizzle::B64) {
            let rule = format!("elements of {} are not swizzled, or in rows of 128 bytes", self.element);
            return broken("the swizzle", name, rule);
        }
        if let Some(row) = self.swizzle.row()
            && self.interleave == Interleave::None
            && self.bits_along_first() > row * 8
        {
            let (boxed, bytes) = (self.modes[0].boxed, self.bits_along_first() / 8);
            let fits = row * 8 / u64::from(self.element.bits_in_shared_memory());
            let rule = format!(
                "a box that is swizzled in rows of {row} bytes has at most that along mode 0: {fits} elements, not {boxed}"
            );
            return broken("the box of mode 0", format!("{bytes} bytes"), rule);
        }
        Ok(())
    }
}
