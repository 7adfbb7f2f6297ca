//! The driver's rules that a map breaks. Those of one form of maps are in `form`.

use crate::smem::SmemSwizzle;

use super::{
    Condition, Fill, Interleave, MAX_RANK, MapElement, MapSwizzle, Number, TensorMap,
    rules::{Broken, Found},
};

/// Most elements of a box along a mode.
pub const MAX_BOX: u32 = 256;
const MAX_STEP: u32 = 8;

impl TensorMap {
    /// Checks the driver's rules for a map, in the order of its fields.
    ///
    /// # Errors
    /// Returns the first broken rule.
    pub fn check(&self) -> Result<(), Broken> {
        self.broken().into_iter().next().map_or(Ok(()), Err)
    }

    /// All rules that a map breaks, in the order of its fields; if the rank is not valid, only
    /// that.
    pub fn broken(&self) -> Vec<Broken> {
        let mut found = Found::default();
        let rank = self.modes.len();
        if !(1..=MAX_RANK).contains(&rank) {
            found.add("rank_range", "the rank", rank, format!("a map has 1 to {MAX_RANK} modes"));
            return found.0;
        }
        self.form.check(self, &mut found);
        self.check_interleave(&mut found);
        self.check_numbers(&mut found);
        self.check_boxes(&mut found);
        self.check_swizzle(&mut found);
        if self.fill == Fill::Nan && !self.element.is_float() {
            let rule = format!("elements are floats, not {}", self.element);
            found.add("fill_of_float", "the fill", "NaN", rule);
        }
        found.0
    }

    fn check_interleave(&self, found: &mut Found) {
        if self.interleave == Interleave::None {
            return;
        }
        let rank = self.modes.len();
        if rank < 3 {
            found.add("interleave_rank", "the rank", rank, "an interleaved tensor has at least 3 modes");
        }
        if matches!(self.element, MapElement::U4 | MapElement::U4In8 | MapElement::U6In8) {
            let rule = format!("elements of {} are not interleaved", self.element);
            found.add("interleave_element", "the interleave", self.interleave, rule);
        }
    }

    fn number(&self, number: Number) -> u64 {
        match number {
            Number::Address => self.address,
            Number::Extent(i) => self.modes[i].extent,
            Number::Stride(i) => self.modes[i].stride,
        }
    }

    fn check_numbers(&self, found: &mut Found) {
        for rule in self.number_rules() {
            let number = self.number(rule.number);
            if rule.condition.holds(number) {
                continue;
            }
            let value = match rule.number {
                Number::Address => format!("{number:#x}"),
                Number::Extent(_) => number.to_string(),
                // Its 64 bits are those of a signed stride.
                Number::Stride(_) => format!("{} bytes", number as i64),
            };
            let mut asked = rule.text();
            if let (Number::Stride(_) | Number::Extent(_), Condition::MultipleOf(n)) =
                (rule.number, rule.condition)
                && number as i64 >= 0
                && let Some(padded) = number.checked_next_multiple_of(n)
            {
                asked += &format!("; padding to {padded} would do");
            }
            found.add(rule.name(), rule.number.to_string(), value, asked);
        }
    }

    fn check_boxes(&self, found: &mut Found) {
        for (i, mode) in self.modes.iter().enumerate() {
            if !(1..=MAX_BOX).contains(&mode.boxed) {
                let rule = format!("a box has 1 to {MAX_BOX} elements along a mode; copy several boxes");
                found.add("box_gt_256", format!("the box of mode {i}"), mode.boxed, rule);
            }
            if !(1..=MAX_STEP).contains(&mode.step) {
                let rule = format!("every element is copied, or every 2nd to {MAX_STEP}th");
                found.add("element_stride_range", format!("the step of mode {i}"), mode.step, rule);
            }
        }
        let (field, boxed) = ("the box of mode 0", self.modes[0].boxed);
        if self.element.is_unpacked() && boxed != 128 {
            let rule = format!(
                "of elements of {} it is 128; lay the tile out in columns of 128 elements along mode 0",
                self.element
            );
            found.add("box0_unpacked_not_128", field, boxed, rule);
        }
        if self.interleave == Interleave::None && !self.bits_along_first().is_multiple_of(128) {
            let rule = "along mode 0 a box has a multiple of 16 bytes";
            let value = format!("{boxed} elements of {}", self.element);
            found.add("box0_bytes_not_multiple_of_16", field, value, rule);
        }
    }

    /// Bits of a box along mode 0 in shared memory.
    fn bits_along_first(&self) -> u64 {
        u64::from(self.modes[0].boxed) * u64::from(self.element.bits_in_shared_memory())
    }

    fn check_swizzle(&self, found: &mut Found) {
        if self.interleave == Interleave::B32 && self.swizzle != MapSwizzle::B32 {
            let rule = "an interleave of 32 bytes needs the swizzle of 32";
            found.add("interleave_swizzle", "the swizzle", self.swizzle, rule);
        }
        if self.element.is_unpacked()
            && matches!(self.swizzle, MapSwizzle::B32 | MapSwizzle::B64 | MapSwizzle::B128By32Flip8)
        {
            let rule = format!(
                "elements of {} are not swizzled, or in rows of 128 bytes: lay the tile out by {}",
                self.element,
                SmemSwizzle::B128.swizzle()
            );
            found.add("swizzle_unpacked", "the swizzle", self.swizzle, rule);
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
            found.add("box0_exceeds_swizzle", "the box of mode 0", format!("{bytes} bytes"), rule);
        }
    }
}
