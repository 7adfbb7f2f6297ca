//! Operations on linear layouts: composition, inverses, products, and regrouping of the bits.

use super::{Dimension, LinearLayout, echelon::Echelon, error, mask, width};
use crate::error::Result;

impl LinearLayout {
    /// The number of independent output bits that the map reaches: it takes `2^rank` values.
    pub fn rank(&self) -> u32 {
        Echelon::new(&self.images).rank()
    }

    /// Whether different arguments have different values.
    pub fn is_injective(&self) -> bool {
        self.rank() as usize == self.images.len()
    }

    /// Whether every value is taken.
    pub fn is_surjective(&self) -> bool {
        u64::from(self.rank()) == width(&self.outputs)
    }

    /// A basis of the words that the map sends to 0. Two arguments with the same value differ by a
    /// sum of these words.
    ///
    /// ```
    /// use cute_algebra::LinearLayout;
    /// let twice: LinearLayout = "{lane = [[1], [2]], warp = [[1]]}".parse()?;
    /// assert_eq!(twice.kernel(), [0b101]); // lane 1 of warp 1 has what lane 0 of warp 0 has
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn kernel(&self) -> Vec<u64> {
        Echelon::new(&self.images).kernel()
    }

    /// `x -> next(self(x))`. The outputs must be the inputs of `next`, in any order.
    pub fn then(&self, next: &Self) -> Result<Self> {
        let next = next.with_inputs_in_order(&self.outputs)?;
        let images = self.images.iter().map(|image| next.apply_word(*image)).collect();
        Self::new(self.inputs.clone(), next.outputs, images)
    }

    /// The same map with its input dimensions in the order of `order`.
    fn with_inputs_in_order(&self, order: &[Dimension]) -> Result<Self> {
        let mismatch = || {
            let text = |dimensions: &[Dimension]| {
                dimensions.iter().map(|d| format!("{} = 2^{}", d.name, d.bits)).collect::<Vec<_>>().join(", ")
            };
            error(format!(
                "the outputs of the first map ({}) are not the inputs of the second ({})",
                text(order),
                text(&self.inputs)
            ))
        };
        if order.len() != self.inputs.len() || order.iter().any(|d| !self.inputs.contains(d)) {
            return Err(mismatch());
        }
        let mut images = Vec::with_capacity(self.images.len());
        for d in order {
            images.extend_from_slice(self.images_of(&d.name)?);
        }
        Self::new(order.to_vec(), self.outputs.clone(), images)
    }

    /// `g` with `self(g(y)) = y`: if a value has several arguments, `g` gives the first: the one
    /// that uses no bit that earlier input bits make redundant. Fails unless every value is taken.
    pub fn right_inverse(&self) -> Result<Self> {
        let echelon = Echelon::new(&self.images);
        let solve = |bit: u64| {
            echelon.solve(1 << bit).ok_or_else(|| {
                error(format!(
                    "the map has no inverse: no argument has the value {}, bit {bit} of the output",
                    1u64 << bit
                ))
            })
        };
        let images = (0..width(&self.outputs)).map(solve).collect::<Result<_>>()?;
        Self::new(self.outputs.clone(), self.inputs.clone(), images)
    }

    /// The inverse. Fails unless every value is taken exactly once.
    pub fn inverse(&self) -> Result<Self> {
        if let Some(word) = self.kernel().first() {
            return Err(error(format!(
                "the map has no inverse: arguments that differ by the bits {word:#b} have the same value"
            )));
        }
        self.right_inverse()
    }

    /// The product of both maps, side by side. In a dimension that both have, the bits of `high`
    /// lie above those of `self`.
    ///
    /// ```
    /// use cute_algebra::LinearLayout;
    /// let four = LinearLayout::identity(2, "lane", "row")?;
    /// let product = four.product(&LinearLayout::identity(1, "warp", "row")?)?;
    /// assert_eq!(product.to_string(), "{lane = [[1], [2]], warp = [[4]]} -> (row = 8)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn product(&self, high: &Self) -> Result<Self> {
        let (inputs, outputs) = (join(&self.inputs, &high.inputs), join(&self.outputs, &high.outputs));
        let no_bits = |dimensions: &[Dimension]| {
            dimensions.iter().map(|d| Dimension::new(&*d.name, 0)).collect::<Vec<_>>()
        };
        let low_fields = join(&self.outputs, &no_bits(&high.outputs));
        let mut images = Vec::with_capacity(self.images.len() + high.images.len());
        for d in &inputs {
            for (part, is_high) in [(self, false), (high, true)] {
                let own = part.images_of(&d.name).unwrap_or(&[]);
                images.extend(
                    own.iter().map(|image| place(*image, &part.outputs, &outputs, &low_fields, is_high)),
                );
            }
        }
        Self::new(inputs, outputs, images)
    }

    /// The same map with other input dimensions, which have the same number of bits in total.
    pub fn reshape_inputs(&self, inputs: Vec<Dimension>) -> Result<Self> {
        Self::new(inputs, self.outputs.clone(), self.images.clone())
    }

    /// The same map with other output dimensions, which may have more bits in total.
    pub fn reshape_outputs(&self, outputs: Vec<Dimension>) -> Result<Self> {
        Self::new(self.inputs.clone(), outputs, self.images.clone())
    }

    /// The map projected to the output dimension `output`.
    pub fn project(&self, output: &str) -> Result<Self> {
        let mut low = 0;
        for d in &self.outputs {
            if d.name == output {
                let field = |image: &u64| image >> low & mask(d.bits.into());
                let images = self.images.iter().map(field).collect();
                return Self::new(self.inputs.clone(), vec![d.clone()], images);
            }
            low += d.bits;
        }
        Err(error(format!("there is no output dimension {output}")))
    }
}

/// The dimensions of both; a dimension that both have gets the sum of the bits.
fn join(low: &[Dimension], high: &[Dimension]) -> Vec<Dimension> {
    let mut all = low.to_vec();
    for d in high {
        match all.iter_mut().find(|own| own.name == d.name) {
            Some(own) => own.bits += d.bits,
            None => all.push(d.clone()),
        }
    }
    all
}

/// Converts a word of `from` to a word of `to`: each field goes to the lowest bits of its
/// dimension, or above the bits that `below` has there.
fn place(word: u64, from: &[Dimension], to: &[Dimension], below: &[Dimension], above: bool) -> u64 {
    let mut rest = word;
    let mut placed = 0;
    for d in from {
        let field = rest & mask(d.bits.into());
        rest = rest.checked_shr(d.bits).unwrap_or(0);
        let foot: u32 = to.iter().take_while(|t| t.name != d.name).map(|t| t.bits).sum();
        let own = below.iter().find(|b| b.name == d.name).map_or(0, |b| b.bits);
        let at = foot + if above { own } else { 0 };
        placed |= field.checked_shl(at).unwrap_or(0);
    }
    placed
}
