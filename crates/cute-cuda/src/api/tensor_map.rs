//! Tensor maps.

use std::{ffi::c_int, slice};

use cute_arch::tensor_map::{
    Fill, Interleave, MapElement, MapForm, MapMode, MapSwizzle, PixelBox, Promotion, TensorMap, WORDS,
};

use crate::{
    error::{Error, Result},
    functions,
    state::with,
};

/// The most dimensions of a tensor map.
const MOST_MODES: u32 = 5;

fn remark(text: &str) -> Error {
    let _ = with(|state| {
        state.launches.remark(text);
        Ok(())
    });
    Error::INVALID_VALUE
}

/// The elements of an array of C.
///
/// # Safety
/// The array has as many, unless it is null.
unsafe fn array<'a, T>(at: *const T, count: usize) -> Result<&'a [T]> {
    match count {
        0 => Ok(&[]),
        _ if at.is_null() => Err(Error::INVALID_VALUE),
        // SAFETY: the caller's.
        _ => Ok(unsafe { slice::from_raw_parts(at, count) }),
    }
}

fn number<T: Copy>(all: &[T], number: c_int) -> Result<T> {
    usize::try_from(number).ok().and_then(|number| all.get(number)).copied().ok_or(Error::INVALID_VALUE)
}

/// The rank of a map that a program makes at this place.
fn rank_of(function: &str, to: *const u64, rank: u32, least: u32) -> Result<usize> {
    if to.is_null() || !(least..=MOST_MODES).contains(&rank) || !(to as usize).is_multiple_of(64) {
        return Err(remark(&format!(
            "{function}: a map at {to:?} of rank {rank}; it needs an address that is a multiple of 64, \
             and a rank from {least} to {MOST_MODES}"
        )));
    }
    Ok(rank as usize)
}

/// Modes without boxes: from extents, from the strides of all modes but the first, and from steps.
///
/// # Safety
/// The arrays have a number for each mode.
unsafe fn modes(
    element: MapElement,
    rank: usize,
    (extents, strides, steps): (*const u64, *const u64, *const u32),
) -> Result<Vec<MapMode>> {
    // SAFETY: the caller's.
    let (extents, strides, steps) =
        unsafe { (array(extents, rank)?, array(strides, rank - 1)?, array(steps, rank)?) };
    let first = u64::from(element.bits().div_ceil(8));
    let strides = std::iter::once(first).chain(strides.iter().copied());
    let all = extents.iter().zip(strides).zip(steps);
    Ok(all
        .map(|((extent, stride), step)| MapMode { extent: *extent, stride, boxed: 1, step: *step })
        .collect())
}

/// Writes a map with these choices, by their numbers: interleave, swizzle, promotion and fill.
///
/// # Safety
/// There is a place for a map.
unsafe fn write(
    function: &str,
    to: *mut u64,
    map: TensorMap,
    [interleave, swizzle, promotion, fill]: [c_int; 4],
) -> Result<()> {
    let map = TensorMap {
        interleave: number(&Interleave::ALL, interleave)?,
        swizzle: number(&MapSwizzle::ALL, swizzle)?,
        promotion: number(&Promotion::ALL, promotion)?,
        fill: number(&[Fill::Zero, Fill::Nan], fill)?,
        ..map
    };
    // Only the simulator reads them.
    let words = map.simulated_words().map_err(|why| remark(&format!("{function}: {why}")))?;
    // SAFETY: the caller's.
    unsafe { slice::from_raw_parts_mut(to, WORDS) }.copy_from_slice(&words);
    Ok(())
}

functions! {
    fn cuTensorMapEncodeTiled(
        to: *mut u64,
        element: c_int,
        rank: u32,
        address: u64,
        extents: *const u64,
        strides: *const u64,
        boxed: *const u32,
        steps: *const u32,
        interleave: c_int,
        swizzle: c_int,
        promotion: c_int,
        fill: c_int,
    ) {
        let rank = rank_of("cuTensorMapEncodeTiled", to, rank, 1)?;
        let element = MapElement::all().nth(element as usize).ok_or(Error::INVALID_VALUE)?;
        // SAFETY: the program passes arrays with a number for each mode.
        let (mut modes, boxed) =
            unsafe { (modes(element, rank, (extents, strides, steps))?, array(boxed, rank)?) };
        modes.iter_mut().zip(boxed).for_each(|(mode, boxed)| mode.boxed = *boxed);
        let map = TensorMap::new(element, address, modes);
        // SAFETY: the program passes a place for a map.
        unsafe { write("cuTensorMapEncodeTiled", to, map, [interleave, swizzle, promotion, fill]) }
    }
    fn cuTensorMapEncodeIm2col(
        to: *mut u64,
        element: c_int,
        rank: u32,
        address: u64,
        extents: *const u64,
        strides: *const u64,
        lower: *const c_int,
        upper: *const c_int,
        channels: u32,
        pixels: u32,
        steps: *const u32,
        interleave: c_int,
        swizzle: c_int,
        promotion: c_int,
        fill: c_int,
    ) {
        let rank = rank_of("cuTensorMapEncodeIm2col", to, rank, 3)?;
        let element = MapElement::all().nth(element as usize).ok_or(Error::INVALID_VALUE)?;
        // SAFETY: the program passes arrays with a number for each mode, and corners with one for
        // each mode of an image.
        let (mut modes, lower, upper) = unsafe {
            (modes(element, rank, (extents, strides, steps))?, array(lower, rank - 2)?, array(upper, rank - 2)?)
        };
        modes[0].boxed = channels;
        let pixels = PixelBox { lower: lower.to_vec(), upper: upper.to_vec(), count: pixels };
        let map = TensorMap { form: MapForm::Im2col(pixels), ..TensorMap::new(element, address, modes) };
        // SAFETY: the program passes a place for a map.
        unsafe { write("cuTensorMapEncodeIm2col", to, map, [interleave, swizzle, promotion, fill]) }
    }
    fn cuTensorMapReplaceAddress(map: *mut u64, address: u64) {
        if map.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        // SAFETY: the program passes a map, whose first word is the address.
        unsafe { *map = address };
        Ok(())
    }
}
