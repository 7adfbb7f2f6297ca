//! `tensor_map(ARRAY,box=64x32,..)`: a tensor map of an array, for a kernel in PTX.

use crate::{
    address::{Located, Pointee},
    element::Element,
};
use std::str::FromStr;

use cute_arch::tensor_map::{
    Fill, Interleave, MapElement, MapForm, MapMode, MapSwizzle, PixelBox, Promotion, TensorMap,
};

/// A tensor map of an array, as it was written. Boxes and steps are in the order of the extents:
/// the array's, or those that the map has of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// The array that copies read or write.
    pub array: Pointee,
    /// Extents and strides that are not the array's.
    pub own: Option<Own>,
    copied: Copied,
    steps: Vec<u32>,
    interleave: Interleave,
    swizzle: MapSwizzle,
    promotion: Promotion,
    element: Option<MapElement>,
    fill: Fill,
}

/// The data that copies take.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Copied {
    /// A box of these extents.
    Box(Vec<u32>),
    /// Pixels with this number of channels. Their corners are in the order of the extents.
    Pixels(u32, PixelBox),
}

/// Extents and strides of a map, as `cuTensorMapEncodeTiled` takes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Own {
    /// The contiguous extent first.
    pub shape: Vec<u64>,
    /// In bytes, for each extent but the first.
    pub strides: Vec<u64>,
    /// The first element, in bytes of the array's memory.
    pub first: u64,
    /// Whether boxes and steps have the contiguous extent last, as the extents of arrays.
    pub is_reversed: bool,
}

const FORM: &str = "write tensor_map(ARRAY,box=64x32) with, where needed, swizzle=128B, element=tf32, steps=1x2, fill=nan, interleave=16B, promotion=128B; and \
                    shape=64x128x2,strides=128x16384 for extents and strides that are not the array's, the contiguous \
                    extent first and strides in bytes, as cuTensorMapEncodeTiled takes them; for im2col, instead of a box, \
                    lower=-1x-1,upper=-1x-1,channels=64,pixels=32, with corners in the order of the extents of an image, as \
                    cuTensorMapEncodeIm2col takes them";

/// The arguments that are tensor maps, as the help of a command lists them.
pub const HELP: &str = "    \
    tensor_map(ARRAY,box=64x32)   a descriptor of the TMA for the array of another --arg or --array, with the
                                  extents of the array; swizzle=128B, element=tf32, steps=1x2 and fill=nan too
    tensor_map(ARRAY,shape=64x128x2,strides=128x16384,box=64x64x1)
                                  with extents of its own, the contiguous one first, and the strides of the
                                  others in bytes, as cuTensorMapEncodeTiled takes them
    tensor_map(ARRAY,lower=-1x-1,upper=-1x-1,channels=64,pixels=32)
                                  of im2col, as cuTensorMapEncodeIm2col takes it, for the simulator; corners are
                                  in the order of the extents of an image
";

/// The rule about the parts of an im2col map.
const OF_PIXELS: &str = "an im2col map has lower, upper, channels and pixels, and no box";

const IM2COL_ON_DEVICES: &str = "im2col maps are for the simulator alone, because the words in which the driver encodes them are not \
                                 public; run without --gpu";

/// Reads the text between the parentheses; `None` if it is not a tensor map.
///
/// # Errors
/// The part that cannot be read.
pub fn parse(text: &str) -> Option<Result<Spec, String>> {
    let inside = text.strip_prefix("tensor_map(")?;
    let Some(inside) = inside.strip_suffix(')') else {
        return Some(Err(format!("'{text}' does not end with ); {FORM}")));
    };
    Some(read(inside).map_err(|why| format!("{why}; {FORM}")))
}

fn read(inside: &str) -> Result<Spec, String> {
    let mut parts = inside.split(',').map(str::trim);
    let array = Pointee::named(parts.next().unwrap_or_default());
    let (mut boxed, mut steps) = (None, Vec::new());
    let (mut shape, mut strides) = (Vec::new(), None);
    let (mut swizzle, mut element, mut fill) = (MapSwizzle::None, None, Fill::Zero);
    let (mut interleave, mut promotion) = (Interleave::None, Promotion::None);
    let (mut lower, mut upper, mut channels, mut pixels) = (None, None, None, None);
    for part in parts {
        let (name, value) = part.split_once('=').ok_or_else(|| format!("'{part}' is not NAME=VALUE"))?;
        let unknown = || format!("'{value}' is not a valid {name}");
        match name {
            "box" => boxed = Some(numbers(value)?),
            "steps" => steps = numbers(value)?,
            "shape" => shape = numbers(value)?,
            "strides" => strides = Some(numbers(value)?),
            "lower" => lower = Some(numbers(value)?),
            "upper" => upper = Some(numbers(value)?),
            "channels" => channels = Some(value.parse().map_err(|_| unknown())?),
            "pixels" => pixels = Some(value.parse().map_err(|_| unknown())?),
            "interleave" => interleave = Interleave::named(value).ok_or_else(unknown)?,
            "promotion" => promotion = Promotion::named(value).ok_or_else(unknown)?,
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
    let copied = match (boxed, lower, upper, channels, pixels) {
        (None, None, None, None, None) => return Err("the box is missing".into()),
        (Some(extents), None, None, None, None) => Copied::Box(extents),
        (None, Some(lower), Some(upper), Some(channels), Some(count)) => {
            Copied::Pixels(channels, PixelBox { lower, upper, count })
        }
        _ => return Err(OF_PIXELS.into()),
    };
    let own = match (shape.len(), strides) {
        (0, None) => None,
        (0, Some(_)) => return Err("strides need a shape".into()),
        (1, None) => Some(Own { shape, strides: Vec::new(), first: 0, is_reversed: false }),
        (rank, Some(strides)) if strides.len() + 1 == rank => {
            Some(Own { shape, strides, first: 0, is_reversed: false })
        }
        (rank, strides) => {
            return Err(format!(
                "a shape of {rank} extents needs {} strides in bytes, one for each extent but the first, but has {}",
                rank - 1,
                strides.map_or(0, |strides| strides.len())
            ));
        }
    };
    Ok(Spec { array, own, copied, steps, interleave, swizzle, promotion, element, fill })
}

/// Numbers with an `x` between them.
fn numbers<N: FromStr>(text: &str) -> Result<Vec<N>, String> {
    let number = |n: &str| n.parse().map_err(|_| format!("'{n}' is not an extent"));
    text.split('x').map(number).collect()
}

impl Spec {
    /// The words of the map, which the simulator reads, and a device unless
    /// [`Self::check_for_device`] fails.
    ///
    /// # Errors
    /// An array that does not exist, or a rule of tensor maps that is broken.
    pub(crate) fn words(&self, arrays: &[Located<'_>]) -> Result<Vec<u64>, String> {
        let words = self.map(arrays)?.simulated_words();
        Ok(words.map_err(|broken| broken.to_string())?.to_vec())
    }

    /// Checks that a device reads the words of the map as the simulator does. The errors of
    /// [`Self::words`] are left to it.
    ///
    /// # Errors
    /// The part of the map that only the driver can encode.
    pub(crate) fn check_for_device(&self, arrays: &[Located<'_>]) -> Result<(), String> {
        let Ok(map) = self.map(arrays) else { return Ok(()) };
        match (map.words(), &map.form) {
            (Ok(_), _) => Ok(()),
            (Err(_), MapForm::Im2col(_)) => Err(IM2COL_ON_DEVICES.into()),
            (Err(broken), MapForm::Tiled) => Err(broken.to_string()),
        }
    }

    fn map(&self, arrays: &[Located<'_>]) -> Result<TensorMap, String> {
        let Located { element, shape, size, address, .. } = arrays[self.array.find(arrays)?];
        self.map_of(element, shape, size, address)
    }

    /// The map of an array with these elements, extents and bytes, row by row, at this address.
    ///
    /// # Errors
    /// A rule of tensor maps that is broken, or a map that reaches beyond its array.
    pub fn map_of(
        &self,
        of: Element,
        shape: &[usize],
        bytes: u64,
        address: u64,
    ) -> Result<TensorMap, String> {
        let own = match &self.own {
            Some(own) => own.clone(),
            None => compact(of, shape)?,
        };
        let rank = own.shape.len();
        let what = if self.own.as_ref().is_some_and(|own| !own.is_reversed) { "shape" } else { "array" };
        let boxed = match &self.copied {
            Copied::Box(extents) => Some(extents),
            Copied::Pixels(..) => None,
        };
        let steps = Some(&self.steps).filter(|steps| !steps.is_empty());
        for (name, list) in [("box", boxed), ("list of steps", steps)] {
            if let Some(list) = list.filter(|list| list.len() != rank) {
                return Err(format!("the {name} has {} extents, but the {what} has {rank}", list.len()));
            }
        }
        let element = self.element.or_else(|| element_of(of));
        let element = element.ok_or_else(|| format!("tensor maps have no elements of {of}"))?;
        let place = |i: usize| if own.is_reversed { rank - 1 - i } else { i };
        let first = u64::from(of.bits()).div_ceil(8);
        let strides = std::iter::once(first).chain(own.strides.iter().copied());
        let mode = |(i, (extent, stride)): (usize, (&u64, u64))| MapMode {
            extent: *extent,
            stride,
            boxed: match &self.copied {
                Copied::Box(extents) => extents[place(i)],
                Copied::Pixels(channels, _) if i == 0 => *channels,
                Copied::Pixels(..) => 1,
            },
            step: self.steps.get(place(i)).copied().unwrap_or(1),
        };
        let modes = own.shape.iter().zip(strides).enumerate().map(mode).collect();
        let map = TensorMap {
            interleave: self.interleave,
            swizzle: self.swizzle,
            promotion: self.promotion,
            fill: self.fill,
            form: match &self.copied {
                Copied::Box(_) => MapForm::Tiled,
                Copied::Pixels(_, pixels) if own.is_reversed => MapForm::Im2col(reversed(pixels)),
                Copied::Pixels(_, pixels) => MapForm::Im2col(pixels.clone()),
            },
            ..TensorMap::new(element, address + own.first, modes)
        };
        map.check().map_err(|broken| broken.to_string())?;
        let reach = own.reach(of.bits());
        if reach > bytes {
            return Err(format!("the map reaches byte {reach} of its array, which has {bytes}"));
        }
        Ok(map)
    }
}

impl Own {
    /// The byte after the last element.
    fn reach(&self, bits: u32) -> u64 {
        if self.shape.contains(&0) {
            return self.first;
        }
        let line = self.shape[0].saturating_mul(bits.into()).div_ceil(8);
        let steps = self.shape[1..].iter().zip(&self.strides);
        let far = |sum: u64, (extent, stride): (&u64, &u64)| {
            sum.saturating_add((extent - 1).saturating_mul(*stride))
        };
        steps.fold(self.first.saturating_add(line), far)
    }

    /// Those of a view: extents and strides in bytes as an array has them, the contiguous extent
    /// last, and the place of its first element.
    ///
    /// # Errors
    /// A view that no map describes.
    pub fn of_view(shape: &[usize], strides: &[isize], element: usize, first: u64) -> Result<Self, String> {
        let (Some(last), Some(stride)) = (shape.last(), strides.last()) else {
            return Err("an array without extents has no tensor map".into());
        };
        if *stride != element as isize && *last != 1 {
            return Err(format!(
                "the last extent has a stride of {stride} bytes, but the elements of a tensor map's contiguous extent \
                 lie side by side; pass the array with this extent last, as in x.T"
            ));
        }
        if let Some(negative) = strides.iter().find(|stride| **stride < 0) {
            return Err(format!(
                "a stride of {negative} bytes is negative, which a tensor map does not have"
            ));
        }
        let strides = strides.iter().rev().skip(1).map(|stride| *stride as u64).collect();
        Ok(Self { shape: shape.iter().rev().map(|n| *n as u64).collect(), strides, first, is_reversed: true })
    }
}

/// Pixels whose corners have the other order.
fn reversed(PixelBox { lower, upper, count }: &PixelBox) -> PixelBox {
    let reversed = |corner: &[i32]| corner.iter().rev().copied().collect();
    PixelBox { lower: reversed(lower), upper: reversed(upper), count: *count }
}

/// Those of an array whose elements lie row by row.
fn compact(of: Element, shape: &[usize]) -> Result<Own, String> {
    let bits = u64::from(of.bits());
    let mut elements = 1u64;
    let mut strides = Vec::new();
    for (mode, extent) in shape.iter().rev().enumerate() {
        let stride = elements.saturating_mul(bits);
        if mode > 0 && !stride.is_multiple_of(8) {
            return Err(format!(
                "mode {mode} has a stride of {elements} elements of {of}, which is not a whole number of bytes"
            ));
        }
        if mode > 0 {
            strides.push(stride / 8);
        }
        elements = elements.saturating_mul(*extent as u64);
    }
    let shape = shape.iter().rev().map(|n| *n as u64).collect();
    Ok(Own { shape, strides, first: 0, is_reversed: true })
}

fn element_of(element: Element) -> Option<MapElement> {
    Some(match element {
        Element::F16 => MapElement::F16,
        Element::Bf16 => MapElement::Bf16,
        Element::F32 => MapElement::F32,
        Element::F64 => MapElement::F64,
        Element::I32 => MapElement::S32,
        Element::I64 => MapElement::S64,
        Element::U64 => MapElement::U64,
        Element::I16 | Element::U16 => MapElement::U16,
        Element::U32 => MapElement::U32,
        Element::I8 | Element::U8 | Element::I1 | Element::E4m3 | Element::E5m2 | Element::E8m0 => {
            MapElement::U8
        }
        Element::E2m1 => MapElement::U4,
        Element::E2m3 | Element::E3m2 => MapElement::U6In8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(text: &str, of: Element, shape: &[usize]) -> Result<TensorMap, String> {
        let bytes = shape.iter().product::<usize>() * of.bytes();
        parse(text).expect("it is a tensor map")?.map_of(of, shape, bytes as u64, 1024)
    }

    #[test]
    fn a_map_has_the_extents_of_its_array_or_its_own() {
        let modes = |map: TensorMap| {
            map.modes.iter().map(|m| (m.extent, m.stride, m.boxed, m.step)).collect::<Vec<_>>()
        };
        let of_array = map("tensor_map(A,box=8x64)", Element::F16, &[128, 64]).unwrap();
        assert_eq!(modes(of_array), [(64, 2, 64, 1), (128, 128, 8, 1)]);
        let text = "tensor_map(A,shape=64x128x2,strides=256x128,box=64x32x1,steps=1x2x1,swizzle=128B)";
        let own = map(text, Element::F16, &[128, 128]).unwrap();
        assert_eq!(modes(own), [(64, 2, 64, 1), (128, 256, 32, 2), (2, 128, 1, 1)]);
    }

    #[test]
    fn a_map_has_every_choice_of_the_driver() {
        let read = |inside: &str| map(&format!("tensor_map(A,{inside})"), Element::F16, &[8, 128, 128]);
        let plain = read("box=1x8x64").unwrap();
        assert_eq!((plain.interleave, plain.promotion), (Interleave::None, Promotion::None));
        for (i, promotion) in Promotion::ALL.into_iter().enumerate() {
            let map = read(&format!("box=1x8x64,promotion={promotion}")).unwrap();
            assert_eq!((map.promotion, map.words().unwrap()[1] >> 17 & 3), (promotion, i as u64));
        }
        for swizzle in MapSwizzle::ALL {
            // A comma would end the value.
            let name = swizzle.to_string().replace(',', "");
            let element = if swizzle == MapSwizzle::None { 8 } else { 16 };
            let map =
                read(&format!("box=1x8x{element},swizzle={name}")).map_err(|why| format!("{name}: {why}"));
            assert_eq!(map.unwrap().swizzle, swizzle);
        }
        let interleaved = read("box=1x8x64,interleave=16B").unwrap();
        assert_eq!(interleaved.interleave, Interleave::B16);
        assert!(read("box=1x8x64,interleave=8B").unwrap_err().starts_with("'8B' is not a valid interleave"));
        assert!(read("box=1x8x64,promotion=1").unwrap_err().starts_with("'1' is not a valid promotion"));
    }

    /// Corners are those of the extents of an image, the contiguous one last or first.
    #[test]
    fn an_im2col_map_has_corners_and_pixels() {
        let rest = "lower=-1x-2,upper=0x1,channels=16,pixels=40,steps=1x2x3x1,swizzle=32B";
        let of_array = map(&format!("tensor_map(A,{rest})"), Element::F16, &[2, 9, 8, 16]).unwrap();
        let pixels = |lower: [i32; 2], upper: [i32; 2]| {
            MapForm::Im2col(PixelBox { lower: lower.to_vec(), upper: upper.to_vec(), count: 40 })
        };
        let modes = |map: &TensorMap| {
            map.modes.iter().map(|m| (m.extent, m.stride, m.boxed, m.step)).collect::<Vec<_>>()
        };
        assert_eq!(of_array.form, pixels([-2, -1], [1, 0]));
        assert_eq!(modes(&of_array), [(16, 2, 16, 1), (8, 32, 1, 3), (9, 256, 1, 2), (2, 2304, 1, 1)]);
        let own = format!("tensor_map(A,shape=16x8x9x2,strides=32x256x2304,{rest})");
        let own = map(&own, Element::F16, &[2, 9, 8, 16]).unwrap();
        assert_eq!(own.form, pixels([-1, -2], [0, 1]));
        assert_eq!(modes(&own), [(16, 2, 16, 1), (8, 32, 1, 2), (9, 256, 1, 3), (2, 2304, 1, 1)]);
    }

    /// A device has the maps whose encoding is known.
    #[test]
    fn the_simulator_reads_maps_that_only_the_driver_encodes() {
        let array = Located {
            name: "A",
            rows: None,
            element: Element::F16,
            shape: &[2, 8, 8, 64],
            size: 16384,
            address: 1024,
        };
        for (inside, why) in [
            ("box=1x1x8x64", None),
            ("box=1x1x8x64,fill=nan", Some("the fill is NaN: how the driver encodes it is not known")),
            (
                "box=1x1x8x64,steps=1x1x2x1",
                Some("the step of mode 1 is 2: how the driver encodes it is not known"),
            ),
            ("lower=0x0,upper=0x0,channels=64,pixels=8", Some(IM2COL_ON_DEVICES)),
        ] {
            let spec = parse(&format!("tensor_map(A,{inside})")).unwrap().unwrap();
            let map = spec.map_of(array.element, array.shape, array.size, array.address).unwrap();
            let words = spec.words(&[array]).unwrap().try_into().unwrap();
            assert_eq!(TensorMap::from_words(&words), Ok(map), "{inside}");
            assert_eq!(spec.check_for_device(&[array]).err().as_deref(), why, "{inside}");
        }
    }

    #[test]
    fn what_a_map_cannot_be_is_named() {
        let fails =
            |inside: &str| map(&format!("tensor_map(A,{inside})"), Element::F16, &[128, 128]).unwrap_err();
        assert!(fails("strides=256,box=64x32").starts_with("strides need a shape; write"));
        let few = fails("shape=64x128x2,strides=256,box=64x32x1");
        assert!(few.starts_with("a shape of 3 extents needs 2 strides in bytes, one for each extent but the first, but has 1; "), "{few}");
        assert_eq!(fails("shape=64x128,strides=256,box=64"), "the box has 1 extents, but the shape has 2");
        for im2col in ["lower=-1x-1,upper=1x1,channels=64", "box=64x32,pixels=8"] {
            assert!(fails(im2col).starts_with(OF_PIXELS), "{im2col}");
        }
        let flat = "lower=-1x-1,upper=1x1,channels=64,pixels=32";
        assert_eq!(fails(flat), "the rank is 2: an im2col map has 3 to 5 modes");
        assert!(fails("lower=-1xa").starts_with("'a' is not an extent"));
        assert!(parse("tensor_map(A,box=64").unwrap().unwrap_err().contains("does not end with )"));
        assert_eq!(fails("box=64"), "the box has 1 extents, but the array has 2");
        let odd = fails("shape=64x128,strides=250,box=64x8");
        assert!(odd.contains("multiple") && odd.contains("16"), "{odd}");
        assert_eq!(
            fails("shape=64x128x3,strides=256x128,box=64x8x1"),
            "the map reaches byte 32896 of its array, which has 32768"
        );
    }
}
