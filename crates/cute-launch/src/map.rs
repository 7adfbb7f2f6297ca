//! `tensor_map(ARRAY,box=64x32,..)`: a tensor map of an array, for a kernel in PTX.

use crate::{array::Array, element::Element};
use std::sync::Arc;

use cute_arch::tensor_map::{Fill, Interleave, MapElement, MapMode, MapSwizzle, Promotion, TensorMap};

/// A tensor map of an array, as it was written. Boxes and steps are in the order of the array's
/// extents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The array's name.
    pub array: String,
    /// The rows that the array was given as, if they say which it is.
    pub rows: Option<Arc<[u8]>>,
    boxed: Vec<u32>,
    steps: Vec<u32>,
    swizzle: MapSwizzle,
    element: Option<MapElement>,
    fill: Fill,
}

const FORM: &str =
    "write tensor_map(ARRAY,box=64x32) with, where needed, swizzle=128B, element=tf32, steps=1x2, fill=nan";

/// Reads the text between the parentheses; `None` if it is not a tensor map.
///
/// # Errors
/// The part that cannot be read.
pub fn parse(text: &str) -> Option<Result<Spec, String>> {
    let inside = text.strip_prefix("tensor_map(")?.strip_suffix(')')?;
    Some(read(inside).map_err(|why| format!("{why}; {FORM}")))
}

fn read(inside: &str) -> Result<Spec, String> {
    let mut parts = inside.split(',').map(str::trim);
    let array = parts.next().unwrap_or_default().to_owned();
    let (mut boxed, mut steps) = (Vec::new(), Vec::new());
    let (mut swizzle, mut element, mut fill) = (MapSwizzle::None, None, Fill::Zero);
    for part in parts {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not NAME=VALUE"))?;
        let extents = || {
            let extent = |e: &str| e.parse().map_err(|_| format!("'{e}' is not an extent"));
            value.split('x').map(extent).collect::<Result<Vec<u32>, String>>()
        };
        let unknown = || format!("'{value}' is not a valid {name}");
        match name {
            "box" => boxed = extents()?,
            "steps" => steps = extents()?,
            "swizzle" => swizzle = MapSwizzle::named(value).ok_or_else(unknown)?,
            "element" => element = Some(MapElement::named(value).ok_or_else(unknown)?),
            "fill" => {
                fill = match value {
                    "zero" => Fill::Zero,
                    "nan" => Fill::Nan,
                    _ => return Err(unknown()),
                }
            }
            _ => return Err(format!("a tensor map has no '{name}'")),
        }
    }
    if boxed.is_empty() {
        return Err("the box is missing".into());
    }
    Ok(Spec { array, rows: None, boxed, steps, swizzle, element, fill })
}

impl Spec {
    /// The map of an array at this address.
    ///
    /// # Errors
    /// A rule of tensor maps that is broken.
    pub fn map(&self, array: &Array, address: u64) -> Result<TensorMap, String> {
        self.map_of(array.element, &array.shape, address)
    }

    /// Whether it is a map of this array.
    pub fn is_of(&self, array: &Array) -> bool {
        match (&self.rows, &array.rows) {
            (Some(own), Some(rows)) => Arc::ptr_eq(own, rows),
            (Some(_), None) => false,
            (None, _) => array.name == self.array,
        }
    }

    /// The map of an array with these elements and extents, row by row, at this address.
    ///
    /// # Errors
    /// A rule of tensor maps that is broken.
    pub fn map_of(&self, element: Element, shape: &[usize], address: u64) -> Result<TensorMap, String> {
        let of = element;
        let rank = shape.len();
        if self.boxed.len() != rank || !(self.steps.is_empty() || self.steps.len() == rank) {
            return Err(format!("the box has {} extents, but the array has {rank}", self.boxed.len()));
        }
        let element = self.element.or_else(|| element_of(of));
        let element = element.ok_or_else(|| format!("tensor maps have no elements of {of}"))?;
        let bits = u64::from(of.bits());
        let mut elements = 1u64;
        let mut modes = Vec::new();
        for i in (0..rank).rev() {
            let extent = shape[i] as u64;
            let step = self.steps.get(i).copied().unwrap_or(1);
            let stride = elements.saturating_mul(bits);
            if !modes.is_empty() && !stride.is_multiple_of(8) {
                return Err(format!(
                    "mode {} has a stride of {elements} elements of {of}, which is not a whole number of bytes",
                    rank - 1 - i
                ));
            }
            modes.push(MapMode { extent, stride: stride.div_ceil(8), boxed: self.boxed[i], step });
            elements = elements.saturating_mul(extent);
        }
        let map = TensorMap {
            element,
            address,
            modes,
            interleave: Interleave::None,
            swizzle: self.swizzle,
            promotion: Promotion::None,
            fill: self.fill,
        };
        map.check().map_err(|broken| broken.to_string())?;
        Ok(map)
    }
}

fn element_of(element: Element) -> Option<MapElement> {
    Some(match element {
        Element::F16 => MapElement::F16,
        Element::Bf16 => MapElement::Bf16,
        Element::F32 => MapElement::F32,
        Element::F64 => MapElement::F64,
        Element::I32 => MapElement::S32,
        Element::I64 => MapElement::S64,
        Element::I16 | Element::U16 => MapElement::U16,
        Element::U32 => MapElement::U32,
        Element::I8 | Element::U8 | Element::I1 | Element::E4m3 | Element::E5m2 | Element::E8m0 => {
            MapElement::U8
        }
        Element::E2m1 => MapElement::U4,
        Element::E2m3 | Element::E3m2 => MapElement::U6In8,
    })
}
