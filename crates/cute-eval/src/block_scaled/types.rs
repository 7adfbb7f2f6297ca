//! Element types by the names of requests: `e2m1`, `e2m1_unpack` for one that takes a byte, and
//! `dynamic_f4` for one that is chosen at run time.

use cute_arch::{
    Element,
    atoms::Tcgen05Kind,
    tensor_map::{MapElement, NoBoxCopy},
};
use serde_json::{Value as Json, json};

use crate::{
    error::Result,
    inputs::{Inputs, broken, wrong},
};

/// An element type of a matrix.
pub struct Named<'a> {
    pub name: &'a str,
    /// The type; `None` if it is chosen at run time.
    pub element: Option<Element>,
    /// Whether one of less than 8 bits takes a byte in shared memory.
    unpacked: bool,
    bits: u32,
}

/// The element type that an input names.
pub fn element<'a>(inputs: &Inputs<'a>, key: &str) -> Result<Named<'a>> {
    let name = inputs.text(key)?;
    let (base, unpacked) = match name.strip_suffix("_unpack") {
        Some(base) => (base, true),
        None => (name, false),
    };
    let at_run_time = match base {
        "dynamic_f8" => Some(8),
        "dynamic_f6" => Some(6),
        "dynamic_f4" => Some(4),
        _ => None,
    };
    let element = match at_run_time {
        Some(_) => None,
        None => Some(base.parse::<Element>().map_err(|error| wrong(key, error))?),
    };
    let bits = at_run_time.or(element.map(Element::bits)).unwrap_or_default();
    Ok(Named { name, element, unpacked, bits })
}

impl Named<'_> {
    /// Whether instructions of this kind read it as it lies in shared memory: fp4 is packed there
    /// for some kinds, and takes a byte for others.
    pub fn is_read_by(&self, kind: Tcgen05Kind) -> bool {
        let container = kind.row().bits;
        let fits = match self.bits {
            4 if container == 8 => self.unpacked,
            bits if bits < 8 && container == 8 => true,
            bits => bits == container && !self.unpacked,
        };
        fits && self.element.is_none_or(|own| kind.row().formats.iter().any(|(_, element)| *element == own))
    }
}

/// Bits to which the contiguous extent of an input or an output is aligned if it has a whole number
/// of 16-byte units.
const ALIGNED: u32 = 128;

/// `narrow_type`: the size, the type in tensor maps, and the alignments of matrices.
pub fn narrow(inputs: &Inputs<'_>) -> Result<Json> {
    let name = inputs.text("type")?;
    // The names of types of tensor maps: f6dyn_unpack.
    let spelled = match name.strip_prefix("dynamic_") {
        Some(rest) => match rest.split_once('_') {
            Some((base, suffix)) => format!("{base}dyn_{suffix}"),
            None => format!("{rest}dyn"),
        },
        // Signed integers are called i8 there.
        None => match name.strip_prefix('s').filter(|bits| bits.parse::<u32>().is_ok()) {
            Some(bits) => format!("i{bits}"),
            None => name.to_owned(),
        },
    };
    let Some((bits, element)) = MapElement::of_cute(&spelled) else {
        return Err(wrong("type", format!("{name} is not an element type of tensor maps")));
    };
    let Some(element) = element else {
        let error = NoBoxCopy::Format(bits.into());
        return Err(broken("no_tma_format", format!("{name}: {error}")));
    };
    // The TMA copies 4-bit and 6-bit elements to bytes in runs of 128.
    let run = |bits: u32| if bits < 8 { 128 * bits } else { ALIGNED };
    Ok(json!({
        "sizeof_bits": bits,
        "sizeof_bytes": bits.div_ceil(8),
        "tensor_map_data_type": element.number(),
        "input_alignment_bits_mixed_8bit": run(bits),
        "input_alignment_bits": ALIGNED,
        "output_alignment_bits": if bits == 6 { run(bits) } else { ALIGNED },
    }))
}
