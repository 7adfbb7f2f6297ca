//! CuTe layouts as linear layouts, and linear layouts as CuTe layouts behind a swizzle.

use super::{Dimension, LinearLayout, MAX_BITS, error, width};
use crate::{
    basis::{Basis, Stride},
    composed::{AnyLayout, ComposedLayout, Inner},
    error::Result,
    layout::Layout,
    ops::coalesce,
    swizzle::Swizzle,
};

impl LinearLayout {
    /// The layout as a map of bits. Input dimension `i` is mode `i` and is called `inputs[i]`; a
    /// single name stands for the whole layout. Integer strides lead to the output called `output`,
    /// basis strides to `dim0`, `dim1` and so on.
    ///
    /// **Theorem.** Let every extent be a power of two and `v_i` be the offset of bit `i` of the
    /// domain. The layout is linear if and only if no two `v_i` share a bit: `a + b = a ^ b` holds
    /// exactly if `a & b = 0`, and a sum of numbers that share no bits carries nowhere. A swizzle
    /// behind it is always linear.
    ///
    /// Fails when an extent is not a power of two, two `v_i` share a bit, a stride is negative or a
    /// ratio, or the offset is not 0.
    ///
    /// ```
    /// use cute_algebra::{LinearLayout, parse_layout_or_composed};
    /// let swizzled = parse_layout_or_composed("S<1,1,2> o 0 o (4,4):(4,1)")?.to_const().expect("static");
    /// let bits = LinearLayout::from_layout(&swizzled, &["row", "column"], "offset")?;
    /// assert_eq!(bits.to_string(), "{row = [[4], [10]], column = [[1], [2]]} -> (offset = 16)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_layout(layout: &AnyLayout<i64>, inputs: &[&str], output: &str) -> Result<Self> {
        match layout {
            AnyLayout::Plain(plain) => from_plain(plain, inputs, output),
            AnyLayout::Composed(composed) => from_composed(composed, inputs, output),
        }
    }

    /// The layout of which this map is the [`from_layout`](Self::from_layout): one mode per input
    /// dimension, with the word of the output as the offset. Where bits of the input share bits of
    /// the offset, the layout is behind a swizzle that separates them. If several swizzles do, it
    /// is the smallest one, ordered by number of bits, distance and base.
    ///
    /// Fails when no swizzle separates the bits.
    ///
    /// ```
    /// use cute_algebra::LinearLayout;
    /// let bits: LinearLayout = "{row = [[4], [10]], column = [[1], [2]]}".parse()?;
    /// assert_eq!(bits.to_layout()?.to_string(), "S<1,1,2> o 0 o (4,4):(4,1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_layout(&self) -> Result<AnyLayout<i64>> {
        let bits = width(self.outputs()) as i64;
        for swizzle in Swizzle::within(bits) {
            let mut images = Vec::with_capacity(self.images().len());
            for image in self.images() {
                images.push(swizzle.apply(&(*image as i64))?);
            }
            if meeting(&images).is_none() {
                let outer = self.layout_of(&images)?;
                return Ok(ComposedLayout::swizzled(swizzle, outer).simplify());
            }
        }
        let images: Vec<i64> = self.images().iter().map(|image| *image as i64).collect();
        let (i, j) = meeting(&images).expect("if no bits collide, the identity swizzle separates them");
        Err(error(format!(
            "no layout represents this map: the images {} and {} of bits {i} and {j} share bits, and no swizzle separates all shared bits",
            images[i], images[j]
        )))
    }

    /// The layout whose modes are the input dimensions, with the strides `images`.
    fn layout_of(&self, images: &[i64]) -> Result<Layout<i64>> {
        let mut rest = images.iter();
        let mut modes = Vec::with_capacity(self.inputs().len());
        for d in self.inputs() {
            let bits = rest.by_ref().take(d.bits as usize);
            let flat = Layout::from_flat(bits.map(|image| (2, Stride::int(*image))))?;
            modes.push(coalesce(&flat)?);
        }
        Ok(Layout::from_modes(modes))
    }
}

/// Finds two images that share a bit.
fn meeting(images: &[i64]) -> Option<(usize, usize)> {
    images.iter().enumerate().find_map(|(j, b)| {
        let i = images.iter().take(j).position(|a| a & b != 0)?;
        Some((i, j))
    })
}

fn from_composed(layout: &ComposedLayout<i64>, inputs: &[&str], output: &str) -> Result<LinearLayout> {
    if let Some(offset) = layout.offset().leaves().iter().find(|offset| **offset != 0) {
        return Err(error(format!(
            "{layout} starts at offset {offset} and so does not send 0 to 0; a linear map must"
        )));
    }
    let outer = from_plain(layout.outer(), inputs, output)?;
    if layout.outer().has_basis() {
        return Err(error(format!(
            "{layout} applies its last layout to a coordinate; only integers are supported"
        )));
    }
    match layout.inner() {
        Inner::Swizzle(swizzle) => {
            let swizzled = |image: &u64| Ok(swizzle.apply(&(*image as i64))? as u64);
            let images: Vec<u64> = outer.images().iter().map(swizzled).collect::<Result<_>>()?;
            LinearLayout::new(outer.inputs().to_vec(), covering(&images, output), images)
        }
        Inner::Layout(inner) => {
            let inner = from_plain(inner, &[output], output)?;
            let (needed, taken) = (width(outer.outputs()), width(inner.inputs()));
            if needed > taken {
                return Err(error(format!(
                    "{layout} applies its last layout to offsets below 2^{needed}, but that layout is linear only below its size 2^{taken}"
                )));
            }
            outer.reshape_outputs(inner.inputs().to_vec())?.then(&inner)
        }
    }
}

/// A single output with the number of bits that the images need.
fn covering(images: &[u64], output: &str) -> Vec<Dimension> {
    let all = images.iter().fold(0, |all, image| all | image);
    vec![Dimension::new(output, u64::BITS - all.leading_zeros())]
}

fn from_plain(layout: &Layout<i64>, inputs: &[&str], output: &str) -> Result<LinearLayout> {
    let modes: Vec<Layout<i64>> =
        if inputs.len() == 1 { vec![layout.clone()] } else { layout.modes().map(|m| m.to_owned()).collect() };
    if inputs.len() != modes.len() {
        let (n, rank) = (inputs.len(), modes.len());
        return Err(error(format!(
            "{n} names of input dimensions were given for the {rank} modes of {layout}"
        )));
    }
    let mut dimensions = Vec::with_capacity(modes.len());
    let mut bits = Vec::new();
    for (mode, name) in modes.iter().zip(inputs) {
        let before = bits.len();
        for (extent, stride) in mode.flat() {
            bits_of_leaf(layout, *extent, stride, &mut bits)?;
        }
        dimensions.push(Dimension::new(*name, (bits.len() - before) as u32));
    }
    let fields = fields(&bits, output);
    let mut images = Vec::with_capacity(bits.len());
    for (basis, value) in &bits {
        let below = fields.iter().take_while(|(of, _)| of != basis).map(|(_, d)| d.bits);
        images.push(value.checked_shl(below.sum()).unwrap_or(0));
    }
    let linear = LinearLayout::new(dimensions, fields.into_iter().map(|(_, d)| d).collect(), images)?;
    let offsets: Vec<i64> = linear.images().iter().map(|image| *image as i64).collect();
    match meeting(&offsets) {
        None => Ok(linear),
        Some((i, j)) => {
            let of = |i: usize| bits.get(i).map_or(0, |(_, value)| *value);
            Err(error(format!(
                "{layout} is not linear over bits: the offsets {} and {} of bits {i} and {j} of its domain share a bit, so \
                 their sum may carry",
                of(i),
                of(j)
            )))
        }
    }
}

/// Appends the offset of each bit of a leaf.
fn bits_of_leaf(
    layout: &Layout<i64>,
    extent: i64,
    stride: &Stride<i64>,
    bits: &mut Vec<(Basis, u64)>,
) -> Result<()> {
    if extent.count_ones() != 1 {
        return Err(error(format!(
            "{layout} is not linear over bits: extent {extent} is not a power of two"
        )));
    }
    let n = extent.trailing_zeros();
    let scale = u64::try_from(*stride.scale()).ok().filter(|_| stride.den() == 1);
    let Some(scale) = scale.or((n == 0).then_some(0)) else {
        return Err(error(format!(
            "{layout} is not linear over bits: stride {stride} is not a natural number"
        )));
    };
    let room =
        if scale == 0 { u32::MAX } else { MAX_BITS.saturating_sub(u64::BITS - scale.leading_zeros()) + 1 };
    if n > room {
        return Err(error(format!("{layout}: offset {scale} * {} does not fit {MAX_BITS} bits", extent / 2)));
    }
    bits.extend((0..n).map(|bit| (stride.basis(), scale << bit)));
    Ok(())
}

/// The fields of the output word: one per basis that strides step along, in the order of the bases,
/// each as wide as its values need.
fn fields(bits: &[(Basis, u64)], output: &str) -> Vec<(Basis, Dimension)> {
    let mut reached: Vec<(Basis, u64)> = Vec::new();
    for (basis, value) in bits {
        match reached.iter_mut().find(|(of, _)| of == basis) {
            Some((_, all)) => *all |= value,
            None => reached.push((*basis, *value)),
        }
    }
    if reached.is_empty() {
        reached.push((Basis::NONE, 0));
    }
    // A stride of 0 has no basis and reaches no output.
    if reached.len() > 1 {
        reached.retain(|(_, all)| *all != 0);
    }
    reached.sort_by_key(|(basis, _)| *basis);
    let name = |basis: &Basis| match basis.path() {
        None => basis.axis().expect("a basis has a path or a name").to_string(),
        Some([]) => output.to_string(),
        Some(path) => {
            let levels: Vec<String> = path.iter().map(u16::to_string).collect();
            format!("dim{}", levels.join("_"))
        }
    };
    reached
        .iter()
        .map(|(basis, all)| (*basis, Dimension::new(name(basis), u64::BITS - all.leading_zeros())))
        .collect()
}
