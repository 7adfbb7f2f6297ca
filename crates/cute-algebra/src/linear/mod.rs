//! Linear layouts: maps between words of bits that preserve XOR, `f(x ^ y) = f(x) ^ f(y)`.
//!
//! The words are divided into named dimensions of 2^n values. What a dimension means, such as a
//! lane or a bank, is up to the caller; this module must not depend on it.
//!
//! A linear layout is determined by the images of the bits of its input. As an example, `ldmatrix`
//! distributes a tile of 16x8 elements over the 32 lanes of a warp, so that each lane owns four
//! elements. This map sends the number of an element (`register`) and a lane to the (row, column)
//! of that element:
//!
//! ```text
//!   register = [[0, 1], [8, 0]]                            bit 0 of the register: one column on; bit 1: 8 rows down
//!   lane     = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]    lane 13 = 1 + 4 + 8 owns (0,2) ^ (1,0) ^ (2,0) = (3,2)
//! ```
//!
//! A CuTe layout of powers of two is linear if and only if no two of its bits set the same bit of
//! the offset, because then a sum of strides is their XOR. A swizzle is always linear. Every linear
//! layout has a kernel, a rank and, where the rank allows, an inverse, found by elimination. The
//! representation, its text and the name are Triton's (Zhou et al., "Linear Layouts: Robust Code
//! Generation of Efficient Tensor Computation Using F2").
//!
//! | where | what |
//! |---|---|
//! | `mod` | the map and how it is applied |
//! | `echelon` | elimination over GF(2) |
//! | `ops` | composition, inverses, products, reshaping |
//! | `bridge` | from and to CuTe layouts |
//! | `text` | `{lane = [[1, 0], [2, 0]]} -> (dim0 = 4, dim1 = 2)` |

mod bridge;
mod echelon;
mod ops;
mod text;

use crate::error::{Error, Result};

/// The maximum number of bits of a word: offsets are non-negative 64-bit integers.
pub const MAX_BITS: u32 = 62;

/// A dimension of `2^bits` values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Its name, such as `lane`.
    pub name: String,
    /// The number of bits of its values.
    pub bits: u32,
}

impl Dimension {
    /// The dimension `name` of `2^bits` values.
    pub fn new(name: impl Into<String>, bits: u32) -> Self {
        Self { name: name.into(), bits }
    }
}

/// A map that is linear over bits. The input dimensions share one word and the output dimensions
/// another; in each, the first dimension takes the lowest bits.
///
/// ```
/// use cute_algebra::LinearLayout;
/// let tile: LinearLayout = "{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]}".parse()?;
/// assert_eq!(tile.apply(&[0, 13])?, [3, 2]);
/// assert_eq!(tile.inverse()?.apply(&[3, 2])?, [0, 13]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LinearLayout {
    inputs: Vec<Dimension>,
    outputs: Vec<Dimension>,
    images: Vec<u64>,
}

/// An error of linear layouts.
fn error(why: String) -> Error {
    Error::Unsupported { what: "linear layout", why }
}

/// The number of bits of all dimensions together.
fn width(dimensions: &[Dimension]) -> u64 {
    dimensions.iter().map(|d| u64::from(d.bits)).sum()
}

/// The low `bits` bits.
fn mask(bits: u64) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// Fails unless the dimensions have different names and fit a word.
fn check(side: &str, dimensions: &[Dimension]) -> Result<()> {
    for (i, d) in dimensions.iter().enumerate() {
        if dimensions.iter().take(i).any(|other| other.name == d.name) {
            return Err(error(format!("the {side} has two dimensions called {}", d.name)));
        }
    }
    match width(dimensions) {
        bits if bits > u64::from(MAX_BITS) => {
            Err(error(format!("the {side} has {bits} bits, more than {MAX_BITS}")))
        }
        _ => Ok(()),
    }
}

/// The values of a word's dimensions.
fn unpack(dimensions: &[Dimension], mut word: u64) -> Vec<i64> {
    let field = |d: &Dimension| {
        let value = word & mask(d.bits.into());
        word = word.checked_shr(d.bits).unwrap_or(0);
        value as i64
    };
    dimensions.iter().map(field).collect()
}

/// The word that holds the given values, one per dimension.
fn pack(side: &str, dimensions: &[Dimension], values: &[i64]) -> Result<u64> {
    if dimensions.len() != values.len() {
        let (n, found) = (dimensions.len(), values.len());
        return Err(error(format!("{found} values for the {n} dimensions of the {side}")));
    }
    let mut word = 0;
    for (d, value) in dimensions.iter().zip(values).rev() {
        let fits = u64::try_from(*value).ok().filter(|v| v & !mask(d.bits.into()) == 0);
        let Some(value) = fits else {
            return Err(error(format!("{value} is not in [0, 2^{}), the values of {}", d.bits, d.name)));
        };
        word = word << d.bits | value;
    }
    Ok(word)
}

impl LinearLayout {
    /// The map that sends bit `i` of the input's word to `images[i]`.
    ///
    /// Fails when names repeat, a side has more than [`MAX_BITS`] bits, or an image is missing or
    /// too large.
    pub fn new(inputs: Vec<Dimension>, outputs: Vec<Dimension>, images: Vec<u64>) -> Result<Self> {
        check("input", &inputs)?;
        check("output", &outputs)?;
        let (bits, out) = (width(&inputs), width(&outputs));
        if bits != images.len() as u64 {
            return Err(error(format!("{} images for {bits} bits of the input", images.len())));
        }
        if let Some((bit, image)) = images.iter().enumerate().find(|(_, image)| **image & !mask(out) != 0) {
            return Err(error(format!("the image {image} of bit {bit} is not below 2^{out}")));
        }
        Ok(Self { inputs, outputs, images })
    }

    /// `input` to `output`, each value to itself.
    pub fn identity(bits: u32, input: &str, output: &str) -> Result<Self> {
        let images = (0..bits.min(64)).map(|bit| 1 << bit).collect();
        Self::new(vec![Dimension::new(input, bits)], vec![Dimension::new(output, bits)], images)
    }

    /// The input dimensions.
    pub fn inputs(&self) -> &[Dimension] {
        &self.inputs
    }

    /// The output dimensions.
    pub fn outputs(&self) -> &[Dimension] {
        &self.outputs
    }

    /// The image of each bit of the input word, as words of the output.
    pub fn images(&self) -> &[u64] {
        &self.images
    }

    /// The images of the bits of one input dimension.
    pub fn images_of(&self, input: &str) -> Result<&[u64]> {
        let mut first = 0;
        for d in &self.inputs {
            let end = first + d.bits as usize;
            if d.name == input {
                return Ok(self.images.get(first..end).unwrap_or(&[]));
            }
            first = end;
        }
        Err(error(format!("there is no input dimension {input}")))
    }

    /// The image of `values`. Both sides have one value per dimension.
    pub fn apply(&self, values: &[i64]) -> Result<Vec<i64>> {
        let word = pack("input", &self.inputs, values)?;
        Ok(unpack(&self.outputs, self.apply_word(word)))
    }

    /// The image of a word; bits past the input are ignored.
    pub fn apply_word(&self, word: u64) -> u64 {
        let of_bit = |(bit, image): (usize, &u64)| if word >> bit & 1 != 0 { *image } else { 0 };
        self.images.iter().enumerate().map(of_bit).fold(0, |sum, image| sum ^ image)
    }
}
