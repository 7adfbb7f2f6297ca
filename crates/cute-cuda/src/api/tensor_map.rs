//! Tensor maps.

use std::{ffi::c_int, slice};

use cute_arch::tensor_map::{Fill, Interleave, MapElement, MapMode, MapSwizzle, Promotion, TensorMap, WORDS};

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
        if to.is_null() || rank == 0 || rank > MOST_MODES || !(to as usize).is_multiple_of(64) {
            return Err(remark(&format!(
                "cuTensorMapEncodeTiled: a map at {to:?} of rank {rank}; it needs an address that is a multiple of 64, \
                 and a rank from 1 to {MOST_MODES}"
            )));
        }
        let rank = rank as usize;
        // SAFETY: the program passes arrays with a number for each mode.
        let (extents, strides, boxed, steps) = unsafe {
            (array(extents, rank)?, array(strides, rank - 1)?, array(boxed, rank)?, array(steps, rank)?)
        };
        let element = MapElement::all().nth(element as usize).ok_or(Error::INVALID_VALUE)?;
        let first = u64::from(element.bits().div_ceil(8));
        let mode = |i: usize| MapMode {
            extent: extents[i],
            stride: if i == 0 { first } else { strides[i - 1] },
            boxed: boxed[i],
            step: steps[i],
        };
        let map = TensorMap {
            interleave: number(&Interleave::ALL, interleave)?,
            swizzle: number(&MapSwizzle::ALL, swizzle)?,
            promotion: number(&Promotion::ALL, promotion)?,
            fill: number(&[Fill::Zero, Fill::Nan], fill)?,
            ..TensorMap::new(element, address, (0..rank).map(mode).collect())
        };
        // Only the simulator reads them.
        let words = map.simulated_words().map_err(|why| remark(&format!("cuTensorMapEncodeTiled: {why}")))?;
        // SAFETY: the program passes a place for a map.
        unsafe { slice::from_raw_parts_mut(to, WORDS) }.copy_from_slice(&words);
        Ok(())
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
