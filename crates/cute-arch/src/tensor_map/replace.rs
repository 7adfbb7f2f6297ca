//! `tensormap.replace`: changes fields in the words of a map in a kernel (PTX,
//! "tensormap.replace").

use super::{MAX_BOX, MAX_RANK, WORDS, rules::Broken, words::form};
use serde::{Deserialize, Serialize};

/// A field that a kernel can replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum MapField {
    /// The address in bytes.
    GlobalAddress,
    /// The rank less 1.
    Rank,
    /// Elements of a box along a mode.
    BoxDim,
    /// Elements of the tensor along a mode: all of them, although the words store one less.
    GlobalDim,
    /// Bytes between elements along a mode other than the first: ordinal 0 is mode 1.
    GlobalStride,
    /// Every how many elements along a mode one is copied.
    ElementStride,
    Elemtype,
    InterleaveLayout,
    SwizzleMode,
    FillMode,
}

/// The name of a field in PTX, the bits of its value, and its number of ordinals, if it has any.
const FIELDS: [(MapField, &str, u32, Option<usize>); 10] = {
    use MapField as F;
    [
        (F::GlobalAddress, "global_address", 64, None),
        (F::Rank, "rank", 32, None),
        (F::BoxDim, "box_dim", 32, Some(MAX_RANK)),
        (F::GlobalDim, "global_dim", 32, Some(MAX_RANK)),
        (F::GlobalStride, "global_stride", 64, Some(MAX_RANK - 1)),
        (F::ElementStride, "element_stride", 32, Some(MAX_RANK)),
        (F::Elemtype, "elemtype", 32, None),
        (F::InterleaveLayout, "interleave_layout", 32, None),
        (F::SwizzleMode, "swizzle_mode", 32, None),
        (F::FillMode, "fill_mode", 32, None),
    ]
};

/// Hardware format and tf32 flag of each `elemtype` of PTX.
const ELEMTYPES: [(u64, u64); 16] = [
    (0, 0),
    (1, 0),
    (2, 0),
    (3, 0),
    (4, 0),
    (5, 0),
    (6, 0),
    (7, 0),
    (8, 0),
    (9, 0),
    (10, 0),
    (7, 1),
    (8, 1),
    (11, 0),
    (12, 0),
    (13, 0),
];

impl MapField {
    /// The fields, in the order of the instruction `tensormap.replace`.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        FIELDS.iter().map(|(field, ..)| *field)
    }

    /// The field that PTX calls like this.
    ///
    /// ```
    /// use cute_arch::tensor_map::MapField;
    /// let stride = MapField::named("global_stride").unwrap();
    /// assert_eq!((stride.bits(), stride.ordinals()), (64, Some(4)));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        FIELDS.iter().find(|(_, own, ..)| *own == name).map(|(field, ..)| *field)
    }

    fn row(self) -> (&'static str, u32, Option<usize>) {
        let row = FIELDS.iter().find(|(field, ..)| *field == self);
        row.map(|(_, name, bits, ordinals)| (*name, *bits, *ordinals)).expect("the table has every field")
    }

    /// PTX's name, as in `tensormap.replace.tile.NAME`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Bits of the new value: `.b32` or `.b64`.
    pub fn bits(self) -> u32 {
        self.row().1
    }

    /// The number of ordinals of the field; `None` if it is a single value.
    pub fn ordinals(self) -> Option<usize> {
        self.row().2
    }

    /// Replaces the field in the words of a map. All other fields stay unchanged, even if they no
    /// longer fit the tensor.
    ///
    /// # Errors
    /// Returns an error for an ordinal or a value that the field cannot have.
    pub fn replace(self, words: &mut [u64; WORDS], ordinal: usize, value: u64) -> Result<(), Broken> {
        let (own, bits, ordinals) = self.row();
        let broken = |name, value: u64, rule: String| {
            let field = if ordinals.is_some() { format!("{own} {ordinal}") } else { own.to_string() };
            Err(Broken { name, field, value: value.to_string(), rule })
        };
        if let Some((name, rule)) = form(words).unreplaced() {
            return broken(name, value, rule.into());
        }
        if ordinal >= ordinals.unwrap_or(1) {
            let rule = format!("{own} has ordinals 0 to {}", ordinals.unwrap_or(1) - 1);
            return broken("ordinal_range", ordinal as u64, rule);
        }
        let range = |from: u64, to: u64| match (from..=to).contains(&value) {
            true => Ok(()),
            false => broken("value_range", value, format!("the value is from {from} to {to}")),
        };
        let aligned = || match value % 16 {
            0 => Ok(()),
            _ => broken("value_alignment", value, "the value is a multiple of 16 bytes".into()),
        };
        if bits == 32 {
            range(0, u32::MAX.into())?;
        }
        let i = ordinal as u32;
        let mut put = |word: usize, from: u32, count: u32, bits: u64| {
            let mask = (u64::MAX >> (64 - count)) << from;
            words[word] = words[word] & !mask | bits << from & mask;
        };
        match self {
            Self::GlobalAddress => {
                aligned()?;
                range(0, (1 << 57) - 1)?;
                put(0, 0, 57, value);
            }
            Self::Rank => {
                range(0, MAX_RANK as u64 - 1)?;
                put(1, 4, 3, value);
            }
            Self::BoxDim => {
                range(1, MAX_BOX.into())?;
                let (word, from) = if i == 0 { (6, 56) } else { (7, 8 * (i - 1)) };
                put(word, from, 8, value - 1);
            }
            // 2^32 is 0 in 32 bits, and so it is in the words.
            Self::GlobalDim => put(4 + ordinal / 2, 32 * (i % 2), 32, value.wrapping_sub(1)),
            Self::GlobalStride => {
                aligned()?;
                range(0, (1 << 40) - 1)?;
                let (word, from) = [(1, 32), (2, 0), (2, 32), (3, 0)][ordinal];
                put(word, from, 32, value >> 4);
                put(3, 32 + 4 * i, 4, value >> 36);
            }
            Self::ElementStride => {
                range(1, 8)?;
                if value != 1 {
                    return broken("encoding_unknown", value, "how it is encoded is not known".into());
                }
            }
            Self::Elemtype => {
                range(0, ELEMTYPES.len() as u64 - 1)?;
                let (format, rounds) = ELEMTYPES[value as usize];
                put(1, 7, 4, format);
                put(1, 16, 1, rounds);
            }
            Self::InterleaveLayout => {
                range(0, 2)?;
                put(1, 11, 2, value);
            }
            Self::SwizzleMode => {
                range(0, 3)?;
                put(1, 13, 3, value);
            }
            Self::FillMode => {
                // The encoding of other values read outside the tensor is not known.
                if value != 0 {
                    return broken("encoding_unknown", value, "how it is encoded is not known".into());
                }
            }
        }
        Ok(())
    }
}
