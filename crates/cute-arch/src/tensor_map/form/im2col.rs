//! Columns of pixels, which maps of `cuTensorMapEncodeIm2col` copy instead of boxes.
//!
//! The modes of such a map are channels, W, H and D as far as the tensor has them, and images. A
//! copy begins at a pixel and takes a number of pixels, each with its channels. It walks along W,
//! then H, then D, then from image to image. In each image it stays in a bounding box: from its
//! lower corner to its upper one along a mode, and then from the lower corner again. A load adds
//! its offsets to the pixels that it has walked to, so that every tap of a filter is a load with
//! the same coordinates and other offsets. Pixels outside the tensor are filled.
//!
//! Source: PTX ISA, "Tensor im2col mode", whose examples write images first, and the notes on
//! `cuTensorMapEncodeIm2col` in `cuda.h` of CUDA 13.0. CUTLASS 4.7.0 passes corners in the order of
//! the modes, and counts (extent + upper - lower - 1) / step + 1 pixels along a mode
//! (`copy_traits_sm90_im2col.hpp`).

use super::{FormWords, MapForm, Unreplaced};
use crate::tensor_map::{MAX_RANK, MapMode, TensorMap, rules::Found};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Most pixels of a copy.
const MAX_PIXELS: u32 = 1024;

/// The ranks of tensors of images: of one to three dimensions, with channels and images.
const IMAGE_RANKS: RangeInclusive<usize> = 3..=MAX_RANK;

/// The pixels that a copy takes, and the bounding box that it stays in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PixelBox {
    /// The first pixel of the box along W, H and D, in the order of the modes.
    pub lower: Vec<i32>,
    /// The last one, counted from the last pixel of the image.
    pub upper: Vec<i32>,
    /// Pixels of a copy (`pixelsPerColumn`).
    pub count: u32,
}

/// Why a map has no column of pixels that begins as a copy asks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum NoColumn {
    #[error(
        "coordinate {coordinate} along mode {mode} is not in the bounding box of the im2col map, which is from {} to {} \
         there", range.0, range.1
    )]
    Outside { mode: usize, coordinate: i64, range: (i64, i64) },
    /// PTX does not say where the rows behind such a start begin.
    #[error(
        "a column that begins at coordinate {coordinate} along mode {mode}, between the steps of {step} from the lower corner \
         {lower} of the im2col map,"
    )]
    Between { mode: usize, coordinate: i64, lower: i64, step: u32 },
    #[error(
        "the im2col offset along mode {mode} is {offset}: for a tensor of {rank} modes it is at most {most}"
    )]
    Offset { mode: usize, offset: i64, rank: usize, most: i64 },
    #[error(
        "the {corner} corner of the im2col map is {value} along mode {mode}: a store stays inside the image, so that it \
         is not {bound}"
    )]
    Stored { corner: &'static str, mode: usize, value: i32, bound: &'static str },
    #[error(
        "coordinate {coordinate} along mode {mode} is negative: a store by an im2col map has none below 0"
    )]
    Negative { mode: usize, coordinate: i64 },
}

/// Bits of a corner and of an offset along each mode of an image.
const fn bits(rank: usize) -> u32 {
    match rank {
        3 => 16,
        4 => 8,
        _ => 5,
    }
}

/// The range of corners for a tensor of this rank.
fn corners(rank: usize) -> RangeInclusive<i32> {
    let most = 1 << (bits(rank) - 1);
    -most..=most - 1
}

impl PixelBox {
    pub(super) const UNREPLACED: Unreplaced =
        ("replaced_im2col", "the map is one of im2col, and `tensormap.replace.tile` changes maps of boxes");

    /// The bounding box along mode `1 + i`: its first and its last pixel.
    fn bounds(&self, modes: &[MapMode], i: usize) -> (i64, i64) {
        let last = modes[1 + i].extent as i64 - 1;
        (self.lower[i].into(), last + i64::from(self.upper[i]))
    }

    fn corners(&self) -> [(&'static str, &[i32]); 2] {
        [("lower", &self.lower), ("upper", &self.upper)]
    }

    pub(super) fn check(&self, modes: &[MapMode], found: &mut Found) {
        let rank = modes.len();
        if !IMAGE_RANKS.contains(&rank) {
            return found.add("im2col_rank", "the rank", rank, "an im2col map has 3 to 5 modes");
        }
        if let Some((corner, list)) = self.corners().into_iter().find(|(_, list)| list.len() != rank - 2) {
            let field = format!("the number of values of the {corner} corner");
            let rule = format!("of a tensor of {rank} modes it has {}", rank - 2);
            return found.add("corner_rank", field, list.len(), rule);
        }
        let legal = corners(rank);
        for (corner, list) in self.corners() {
            for (mode, value) in (1..).zip(list).filter(|(_, value)| !legal.contains(value)) {
                let (from, to) = (legal.start(), legal.end());
                let rule = format!("of a tensor of {rank} modes it is from {from} to {to}");
                found.add("corner_range", format!("the {corner} corner along mode {mode}"), value, rule);
            }
        }
        for i in 0..rank - 2 {
            let (from, to) = self.bounds(modes, i);
            if from > to {
                let field = format!("the bounding box along mode {}", 1 + i);
                let rule = "the lower corner is at or before the upper one, which counts from the last pixel";
                found.add("no_pixels", field, format!("from {from} to {to}"), rule);
            }
        }
        if !(1..=MAX_PIXELS).contains(&self.count) {
            let rule = format!("a copy has 1 to {MAX_PIXELS} pixels");
            found.add("pixels_gt_1024", "the number of pixels per column", self.count, rule);
        }
    }

    /// Channels and pixels.
    pub(super) fn copied(&self, modes: &[MapMode]) -> Vec<u32> {
        modes.first().map(|channels| channels.boxed).into_iter().chain([self.count]).collect()
    }

    /// The corners, in 16 bits for each mode, and the number of pixels, which is 0 in other maps.
    pub(super) fn words(&self) -> FormWords {
        let word = |corner: &[i32]| {
            let place = |(i, value): (u32, &i32)| u64::from(*value as u16) << (16 * i);
            (0..).zip(corner).map(place).sum()
        };
        [word(&self.lower), word(&self.upper), self.count.into()]
    }

    pub(super) fn of_words([lower, upper, count]: FormWords, rank: usize) -> Option<Self> {
        // A word has room for four modes; a rank that no map has is refused elsewhere.
        let modes = (0..4).take(rank.saturating_sub(2));
        let corner = |word: u64| modes.clone().map(|i| i32::from((word >> (16 * i)) as u16 as i16)).collect();
        (count != 0).then(|| Self { lower: corner(lower), upper: corner(upper), count: count as u32 })
    }
}

impl TensorMap {
    fn pixels(&self) -> Option<&PixelBox> {
        match &self.form {
            MapForm::Im2col(pixels) => Some(pixels),
            MapForm::Tiled => None,
        }
    }

    /// The pixels of a load, in their order in shared memory: their coordinates along all modes but
    /// the channels. They may be outside the tensor.
    ///
    /// `start` has the coordinates of the load but that of the channels, and `offsets` one for each
    /// mode of an image.
    ///
    /// # Errors
    /// A start outside the bounding box or between its steps, and an offset that is too large.
    ///
    /// ```
    /// use cute_arch::tensor_map::{MapElement, MapForm, MapMode, PixelBox, TensorMap};
    /// // Two images of 4 pixels, each with a pixel of padding before it.
    /// let mode = |extent, stride, boxed| MapMode { extent, stride, boxed, step: 1 };
    /// let modes = vec![mode(8, 2, 8), mode(4, 16, 1), mode(2, 64, 1)];
    /// let pixels = PixelBox { lower: vec![-1], upper: vec![-1], count: 5 };
    /// let map = TensorMap { form: MapForm::Im2col(pixels), ..TensorMap::new(MapElement::F16, 0, modes) };
    /// let column = |start: &[i64], offset| map.loaded_pixels(start, &[offset]).unwrap().concat();
    /// assert_eq!(column(&[1, 0], 0), [1, 0, 2, 0, -1, 1, 0, 1, 1, 1]);
    /// assert_eq!(column(&[1, 0], 1), [2, 0, 3, 0, 0, 1, 1, 1, 2, 1]);
    /// ```
    pub fn loaded_pixels(&self, start: &[i64], offsets: &[i64]) -> Result<Vec<Vec<i64>>, NoColumn> {
        let rank = self.modes.len();
        let most = (1 << bits(rank)) - 1;
        for (i, offset) in offsets.iter().enumerate() {
            if !(0..=most).contains(offset) {
                return Err(NoColumn::Offset { mode: 1 + i, offset: *offset, rank, most });
            }
        }
        self.walk(start, offsets)
    }

    /// The pixels of a store, which has no offsets.
    ///
    /// # Errors
    /// Those of a load, a bounding box that reaches out of the image, and a negative coordinate.
    ///
    /// Source: PTX ISA, "Restriction on Tensor Copy instructions", for the direction
    /// `.global.shared::cta`.
    pub fn stored_pixels(&self, start: &[i64]) -> Result<Vec<Vec<i64>>, NoColumn> {
        let pixels = self.pixels().into_iter().flat_map(|pixels| pixels.lower.iter().zip(&pixels.upper));
        for (mode, (lower, upper)) in (1..).zip(pixels) {
            if *lower < 0 {
                return Err(NoColumn::Stored { corner: "lower", mode, value: *lower, bound: "negative" });
            }
            if *upper > 0 {
                return Err(NoColumn::Stored { corner: "upper", mode, value: *upper, bound: "positive" });
            }
        }
        if let Some((mode, coordinate)) = (1..).zip(start).find(|(_, coordinate)| **coordinate < 0) {
            return Err(NoColumn::Negative { mode, coordinate: *coordinate });
        }
        self.walk(start, &[])
    }

    fn walk(&self, start: &[i64], offsets: &[i64]) -> Result<Vec<Vec<i64>>, NoColumn> {
        let Some(pixels) = self.pixels() else { return Ok(Vec::new()) };
        let spatial = self.modes.len() - 2;
        let bounds: Vec<(i64, i64)> = (0..spatial).map(|i| pixels.bounds(&self.modes, i)).collect();
        for (i, (range, coordinate)) in bounds.iter().zip(start).enumerate() {
            let (mode, coordinate, step) = (1 + i, *coordinate, self.modes[1 + i].step);
            if !(range.0..=range.1).contains(&coordinate) {
                return Err(NoColumn::Outside { mode, coordinate, range: *range });
            }
            if (coordinate - range.0) % i64::from(step) != 0 {
                return Err(NoColumn::Between { mode, coordinate, lower: range.0, step });
            }
        }
        let mut at = start.to_vec();
        let mut next = || {
            let mut pixel = at.clone();
            pixel.iter_mut().zip(offsets).for_each(|(coordinate, offset)| *coordinate += offset);
            for (i, (first, last)) in bounds.iter().enumerate() {
                at[i] += i64::from(self.modes[1 + i].step);
                if at[i] <= *last {
                    return pixel;
                }
                at[i] = *first;
            }
            at[spatial] += 1;
            pixel
        };
        Ok((0..pixels.count).map(|_| next()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor_map::{Broken, Fill, MapElement, MapField, MapMode, MapSwizzle};

    /// Images of these extents, with `channels` of 32 of them in a copy.
    fn images(extents: &[u64], corners: (&[i32], &[i32]), count: u32) -> TensorMap {
        let mut stride = 4;
        let mode = |(i, extent): (usize, &u64)| {
            let mode = MapMode { extent: *extent, stride, boxed: if i == 0 { 32 } else { 1 }, step: 1 };
            stride *= extent;
            mode
        };
        let modes = [32].iter().chain(extents).enumerate().map(mode).collect();
        let pixels = PixelBox { lower: corners.0.to_vec(), upper: corners.1.to_vec(), count };
        TensorMap { form: MapForm::Im2col(pixels), ..TensorMap::new(MapElement::F32, 1 << 20, modes) }
    }

    /// The number of each pixel from 1 on, or 0 outside.
    fn numbers(map: &TensorMap, start: [i64; 3], offsets: [i64; 2]) -> Vec<i64> {
        let number = |pixel: Vec<i64>| {
            let is_inside = pixel.iter().zip(&map.modes[1..]).all(|(c, m)| (0..m.extent as i64).contains(c));
            if is_inside { 1 + pixel[0] + 4 * pixel[1] + 16 * pixel[2] } else { 0 }
        };
        map.loaded_pixels(&start, &offsets).expect("a column").into_iter().map(number).collect()
    }

    /// Source: the results that Triton's tutorial 13-conv-im2col.py checks on devices.
    #[test]
    fn columns_are_those_of_devices() {
        let padded = images(&[4, 4, 2], (&[-1, -1], &[-1, -1]), 16);
        let plain = images(&[4, 4, 2], (&[0, 0], &[0, 0]), 16);
        assert_eq!(numbers(&plain, [0; 3], [0, 0]), (1..=16).collect::<Vec<_>>());
        let from_outside = [0, 0, 0, 0, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11];
        assert_eq!(numbers(&padded, [-1, -1, 0], [0, 0]), from_outside);
        assert_eq!(numbers(&padded, [-1, -1, 0], [1, 1]), (1..=16).collect::<Vec<_>>());
        assert_eq!(numbers(&plain, [3, 1, 0], [0, 0]), (8..=23).collect::<Vec<_>>());
        let two_images = [7, 0, 9, 10, 11, 0, 0, 0, 0, 0, 17, 18, 19, 0, 21, 22];
        assert_eq!(numbers(&padded, [2, 1, 0], [0, 0]), two_images);
        // Behind the last image nothing is left.
        let end = [32].into_iter().chain([0; 15]).collect::<Vec<_>>();
        assert_eq!(numbers(&plain, [3, 3, 1], [0, 0]), end);
    }

    #[test]
    fn steps_skip_pixels_and_no_places_of_the_column() {
        let mut map = images(&[4, 4, 2], (&[-1, 0], &[-1, -1]), 6);
        (map.modes[1].step, map.modes[2].step) = (2, 3);
        // W is -1 and 1, H is 0: two pixels of an image.
        assert_eq!(numbers(&map, [-1, 0, 0], [0, 0]), [0, 2, 0, 18, 0, 0]);
        assert_eq!(numbers(&map, [-1, 0, 0], [1, 2]), [9, 11, 25, 27, 0, 0]);
    }

    #[test]
    fn starts_and_offsets_that_no_copy_has() {
        let mut map = images(&[4, 4, 2], (&[-1, 1], &[-1, 0]), 6);
        map.modes[1].step = 2;
        let loads = |start: [i64; 3], offsets: [i64; 2]| {
            map.loaded_pixels(&start, &offsets).expect_err("no column").to_string()
        };
        assert_eq!(
            loads([3, 1, 0], [0, 0]),
            "coordinate 3 along mode 1 is not in the bounding box of the im2col map, which is from -1 to 2 there"
        );
        assert_eq!(
            loads([-1, 0, 0], [0, 0]),
            "coordinate 0 along mode 2 is not in the bounding box of the im2col map, which is from 1 to 3 there"
        );
        assert_eq!(
            loads([0, 1, 0], [0, 0]),
            "a column that begins at coordinate 0 along mode 1, between the steps of 2 from the lower corner -1 of the im2col map,"
        );
        assert_eq!(
            loads([-1, 1, 0], [0, 256]),
            "the im2col offset along mode 2 is 256: for a tensor of 4 modes it is at most 255"
        );
        let stores = |lower: i32, upper: i32, start: [i64; 3]| {
            let map = images(&[4, 4, 2], (&[lower, 0], &[0, upper]), 6);
            map.stored_pixels(&start).expect_err("no column").to_string()
        };
        assert!(stores(-1, 0, [0; 3]).starts_with("the lower corner of the im2col map is -1 along mode 1"));
        assert!(stores(0, 1, [0; 3]).starts_with("the upper corner of the im2col map is 1 along mode 2"));
        assert!(stores(0, 0, [0, 0, -1]).starts_with("coordinate -1 along mode 3 is negative"));
    }

    #[test]
    fn each_rule_of_im2col_names_field_value_and_fix() {
        type Change = fn(&mut TensorMap, &mut PixelBox);
        let cases: &[(Change, &str)] = &[
            (|m, _| m.modes.truncate(2), "the rank is 2: an im2col map has 3 to 5 modes"),
            (
                |_, p| p.lower.truncate(1),
                "the number of values of the lower corner is 1: of a tensor of 4 modes it has 2",
            ),
            (
                |_, p| p.upper.push(0),
                "the number of values of the upper corner is 3: of a tensor of 4 modes it has 2",
            ),
            (
                |_, p| p.lower[1] = -129,
                "the lower corner along mode 2 is -129: of a tensor of 4 modes it is from -128 to 127",
            ),
            (
                |_, p| p.upper[0] = 128,
                "the upper corner along mode 1 is 128: of a tensor of 4 modes it is from -128 to 127",
            ),
            (
                |_, p| p.upper[0] = -5,
                "the bounding box along mode 1 is from -1 to -2: the lower corner is at or before the upper one, which \
                 counts from the last pixel",
            ),
            (|_, p| p.count = 0, "the number of pixels per column is 0: a copy has 1 to 1024 pixels"),
            (|_, p| p.count = 1025, "the number of pixels per column is 1025: a copy has 1 to 1024 pixels"),
            (
                |m, _| m.modes[0].boxed = 257,
                "the box of mode 0 is 257: a box has 1 to 256 elements along a mode; copy several boxes",
            ),
            (
                |m, _| m.modes[1].stride = 24,
                "the stride of mode 1 is 24 bytes: strides are multiples of 16 bytes; padding to 32 would do",
            ),
        ];
        for (change, expected) in cases {
            let mut map = images(&[4, 4, 2], (&[-1, -1], &[-1, -1]), 16);
            let mut pixels = map.pixels().expect("pixels").clone();
            change(&mut map, &mut pixels);
            map.form = MapForm::Im2col(pixels);
            assert_eq!(map.check().expect_err(expected).to_string(), *expected);
        }
    }

    #[test]
    fn the_simulator_alone_reads_them() {
        for rank in IMAGE_RANKS {
            let (least, most) = corners(rank).into_inner();
            let corner = |value| vec![value; rank - 2];
            for (lower, upper, swizzle, step) in [
                (-1, -1, MapSwizzle::B128, 1),
                (least, most, MapSwizzle::None, 8),
                (most, most, MapSwizzle::B128, 2),
            ] {
                let mut map = images(&[9, 8, 7, 6][..rank - 1], (&corner(lower), &corner(upper)), 1024);
                (map.swizzle, map.fill, map.modes[1].step) = (swizzle, Fill::Nan, step);
                let mut words = map.simulated_words().expect("legal");
                assert_eq!(TensorMap::from_words(&words).as_ref(), Ok(&map));
                assert_eq!((map.box_bytes(), map.counted_bytes()), (1024 * 128, 1024 * 128));
                let why = map.words().expect_err("not known").to_string();
                assert_eq!(why, "the mode is im2col: how the driver encodes it is not known");
                let replaced = MapField::Rank.replace(&mut words, 0, 2);
                assert!(matches!(replaced, Err(Broken { name: "replaced_im2col", .. })));
                words[1] |= 7 << 4;
                let of_no_rank = MapField::GlobalDim.replace(&mut words, 0, 2);
                assert!(matches!(of_no_rank, Err(Broken { name: "replaced_im2col", .. })));
                words[14] = 1 << 40;
                TensorMap::from_words(&words).expect_err("too many pixels");
            }
        }
    }
}
