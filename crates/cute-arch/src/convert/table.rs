//! Small numbers that depend on the lane, as arithmetic on the lane's number.

use super::owners::WARP;

/// Bits of a lane's number.
const BITS: u32 = 5;

/// A number for each lane of a warp. Lanes that do not matter have any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LaneTable {
    /// The XOR of fields of the lane's number and a constant.
    Linear {
        /// The fields.
        fields: Vec<Field>,
        /// The constant.
        constant: u32,
    },
    /// Bit `i` of the number is bit `lane` of `masks[i]`.
    Masks(Vec<u32>),
}

/// Bits of the lane's number, shifted: `(lane & mask) << shift`, to the right where the shift is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// The bits.
    pub mask: u32,
    /// How far up.
    pub shift: i32,
}

impl LaneTable {
    /// The table of `values`; a lane without one may have any.
    pub fn new(values: &[Option<usize>; WARP]) -> Self {
        affine(values).unwrap_or_else(|| masks(values))
    }

    /// The number of a lane.
    pub fn at(&self, lane: u32) -> u32 {
        match self {
            Self::Linear { fields, constant } => fields.iter().fold(*constant, |sum, field| {
                let bits = lane & field.mask;
                sum ^ if field.shift < 0 { bits >> -field.shift } else { bits << field.shift }
            }),
            Self::Masks(masks) => (0..)
                .zip(masks)
                .fold(0, |sum, (bit, mask)| sum | (mask.checked_shr(lane).unwrap_or(0) & 1) << bit),
        }
    }
}

/// The values as a constant and the images of the lane's bits, if XOR of these gives them all.
fn affine(values: &[Option<usize>; WARP]) -> Option<LaneTable> {
    // Of lanes without a value any will do, so the first that has one is where to start, and bits are tried in turn.
    let known =
        || (0u32..).zip(values).filter_map(|(lane, value)| Some((lane, u32::try_from((*value)?).ok()?)));
    let (origin, at_origin) = known().next()?;
    let mut images = [0u32; BITS as usize];
    let mut determined = 0u32;
    // Each lane that differs from determined ones in one more bit determines that bit.
    for (lane, value) in known() {
        let difference = lane ^ origin;
        let unknown = difference & !determined;
        let sum = image(&images, difference & determined) ^ at_origin;
        match unknown.count_ones() {
            0 if sum == value => {}
            0 => return None,
            1 => {
                *images.get_mut(unknown.trailing_zeros() as usize)? = sum ^ value;
                determined |= unknown;
            }
            // Not met where whole warps have values; masks do then.
            _ => return None,
        }
    }
    let constant = at_origin ^ image(&images, origin);
    let mut fields: Vec<Field> = Vec::new();
    for (bit, image) in (0i32..).zip(images) {
        for to in (0..32).filter(|to| image >> to & 1 != 0) {
            let shift = to - bit;
            match fields.iter_mut().find(|field| field.shift == shift) {
                Some(field) => field.mask |= 1 << bit,
                None => fields.push(Field { mask: 1 << bit, shift }),
            }
        }
    }
    Some(LaneTable::Linear { fields, constant })
}

fn image(images: &[u32], bits: u32) -> u32 {
    (0..).zip(images).filter(|(bit, _)| bits >> bit & 1 != 0).fold(0, |sum, (_, image)| sum ^ image)
}

fn masks(values: &[Option<usize>; WARP]) -> LaneTable {
    let largest = values.iter().flatten().max().copied().unwrap_or(0);
    let bits = usize::BITS - largest.leading_zeros();
    let mask = |bit: u32| {
        let set = |(lane, value): (u32, &Option<usize>)| {
            u32::from(value.is_some_and(|v| v >> bit & 1 != 0)) << lane
        };
        (0u32..).zip(values).map(set).sum()
    };
    LaneTable::Masks((0..bits).map(mask).collect())
}
