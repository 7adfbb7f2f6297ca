//! Linear layouts: maps between words of bits through which XOR passes, `f(x ^ y) = f(x) ^ f(y)`.
//!
//! Knows named dimensions of 2^n values and the images of their bits. Must not know what a dimension means: which lane
//! or bank it names is the caller's.
//!
//! A linear layout is known by where it sends each bit of its input. Of the 16x8 tile that `ldmatrix` gives a warp,
//! two registers and 32 lanes own (row, column):
//!
//! ```text
//!   register = [[0, 1], [8, 0]]                            bit 0 of the register: one column on; bit 1: 8 rows down
//!   lane     = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]    lane 13 = 1 + 4 + 8 owns (0,2) ^ (1,0) ^ (2,0) = (3,2)
//! ```
//!
//! A CuTe layout of powers of two is linear exactly if no two of its bits meet in one bit of the offset, for then a sum
//! of strides is their XOR; a swizzle always is. In return every linear layout has a kernel, a rank and, where the rank
//! allows, an inverse, found by elimination. The representation, its text and the name are Triton's (Zhou et al., "Linear
//! Layouts: Robust Code Generation of Efficient Tensor Computation Using F2").
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

/// Most bits of a word: offsets are 64-bit integers that are not negative.
pub const MAX_BITS: u32 = 62;

/// A dimension of `2^bits` values.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Dimension {
    /// Its name, such as `lane`.
    pub name: String,
    /// Bits of its values.
    pub bits: u32,
}

impl Dimension {
    /// The dimension `name` of `2^bits` values.
    pub fn new(name: impl Into<String>, bits: u32) -> Self {
        Self { name: name.into(), bits }
    }
}

/// A map that is linear over bits. Its dimensions lie in one word each way, the first in the lowest bits.
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

/// Bits of all dimensions together.
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
            return Err(error(format!("the {side} has two dimensions {}", d.name)));
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

/// The word of values, one a dimension.
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
    /// Fails when names repeat, a side has more than [`MAX_BITS`] bits, or an image is missing or too large.
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

    /// The dimensions of its arguments.
    pub fn inputs(&self) -> &[Dimension] {
        &self.inputs
    }

    /// The dimensions of its values.
    pub fn outputs(&self) -> &[Dimension] {
        &self.outputs
    }

    /// Where it sends each bit of the input's word, as words of the output.
    pub fn images(&self) -> &[u64] {
        &self.images
    }

    /// Where it sends the bits of one input dimension.
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

    /// The value at `values`, one of each input dimension, as one of each output dimension.
    pub fn apply(&self, values: &[i64]) -> Result<Vec<i64>> {
        let word = pack("input", &self.inputs, values)?;
        Ok(unpack(&self.outputs, self.apply_word(word)))
    }

    /// The value of a word; bits past the input count nothing.
    pub fn apply_word(&self, word: u64) -> u64 {
        let of_bit = |(bit, image): (usize, &u64)| if word >> bit & 1 != 0 { *image } else { 0 };
        self.images.iter().enumerate().map(of_bit).fold(0, |sum, image| sum ^ image)
    }
}
