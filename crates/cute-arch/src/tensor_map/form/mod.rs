//! Forms of maps: copies take boxes of the tensor, or something else. Each form says what is its
//! own: rules, words, the extents of a copy, and whether `tensormap.replace` may change the map.

mod im2col;

pub use im2col::{NoColumn, PixelBox};

use super::{TensorMap, rules::Found};
use serde::{Deserialize, Serialize};

/// The data that copies by a map take.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum MapForm {
    /// A box of the tensor (`cuTensorMapEncodeTiled`).
    #[default]
    Tiled,
    /// A column of pixels, each with the channels of a box along the first mode
    /// (`cuTensorMapEncodeIm2col`).
    Im2col(PixelBox),
}

/// The words of a form, which no device reads: those of a map for the simulator before the last.
pub(super) type FormWords = [u64; 3];

/// The rule by which a kernel cannot change a map: its name for programs, and its text.
pub(super) type Unreplaced = (&'static str, &'static str);

impl MapForm {
    /// The form that says this in the words of a map, for a tensor of this rank.
    pub(super) fn of_words(words: FormWords, rank: usize) -> Self {
        PixelBox::of_words(words, rank).map_or(Self::Tiled, Self::Im2col)
    }

    pub(super) fn words(&self) -> FormWords {
        match self {
            Self::Tiled => Default::default(),
            Self::Im2col(pixels) => pixels.words(),
        }
    }

    /// The name of a form that only the driver can encode.
    pub(super) fn not_encoded(&self) -> Option<&'static str> {
        match self {
            Self::Tiled => None,
            Self::Im2col(_) => Some("im2col"),
        }
    }

    /// Adds the rules of the form that a map breaks.
    pub(super) fn check(&self, map: &TensorMap, found: &mut Found) {
        match self {
            Self::Tiled => {}
            Self::Im2col(pixels) => pixels.check(&map.modes, found),
        }
    }

    /// The rule that `tensormap.replace.tile` breaks.
    pub(super) fn unreplaced(&self) -> Option<Unreplaced> {
        match self {
            Self::Tiled => None,
            Self::Im2col(_) => Some(PixelBox::UNREPLACED),
        }
    }

    /// The extents of what a copy takes.
    pub(super) fn copied(&self, map: &TensorMap) -> Vec<u32> {
        match self {
            Self::Tiled => map.modes.iter().map(|mode| mode.boxed.div_ceil(mode.step.max(1))).collect(),
            Self::Im2col(pixels) => pixels.copied(&map.modes),
        }
    }
}
