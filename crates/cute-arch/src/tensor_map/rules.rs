//! The rules of `cuTensorMapEncodeTiled`.

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

fn broken<T>(field: impl Into<String>, value: impl ToString, rule: impl Into<String>) -> Result<T, Broken> {
    Err(Broken { field: field.into(), value: value.to_string(), rule: rule.into() })
}

const MAX_EXTENT: u64 = 1 << 32;
const MAX_STRIDE: u64 = 1 << 40;
const MAX_BOX: u32 = 256;
const MAX_STEP: u32 = 8;

impl TensorMap {
    /// Checks what the driver asks of a map, in the order of its fields.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), Broken> {
        self.check_rank()?;
        self.check_address()?;
        self.check_extents()?;
        self.check_strides()?;
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

    fn check_address(&self) -> Result<(), Broken> {
        let unit = self.unit();
        if !self.address.is_multiple_of(unit) {
            let rule = format!("the tensor begins at a multiple of {unit} bytes");
            return broken("the address", format!("{:#x}", self.address), rule);
        }
        // It is stored in 57 bits.
        if self.address >> 57 != 0 {
            return broken("the address", format!("{:#x}", self.address), "an address has at most 57 bits");
        }
        Ok(())
    }

    fn check_extents(&self) -> Result<(), Broken> {
        for (i, mode) in self.modes.iter().enumerate() {
            if !(1..=MAX_EXTENT).contains(&mode.extent) {
                return broken(format!("the extent of mode {i}"), mode.extent, "extents are from 1 to 2^32");
            }
        }
        let packed = match self.element {
            MapElement::U4In8 | MapElement::U6In8 => 128,
            MapElement::U4 => 2,
            _ => 1,
        };
        let extent = self.modes[0].extent;
        if !extent.is_multiple_of(packed) {
            let rule = format!("of elements of {} it is a multiple of {packed}", self.element);
            return broken("the extent of mode 0", extent, rule);
        }
        Ok(())
    }

    fn check_strides(&self) -> Result<(), Broken> {
        let unit = self.unit();
        for (i, mode) in self.modes.iter().enumerate().skip(1) {
            let field = format!("the stride of mode {i}");
            if !mode.stride.is_multiple_of(unit) {
                let padded = mode.stride.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
                let rule = format!("strides are multiples of {unit} bytes; padding to {padded} would do");
                return broken(field, format!("{} bytes", mode.stride), rule);
            }
            if mode.stride >= MAX_STRIDE {
                return broken(field, format!("{} bytes", mode.stride), "strides are below 2^40 bytes");
            }
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
