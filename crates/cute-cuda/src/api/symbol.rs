//! Variables of the device.

use std::ffi::{c_int, c_void};

use crate::{
    api::{
        memory::{self, Given},
        write,
    },
    error::{Error, Result},
    functions,
    state::{DriverState, with},
};

/// The address of a variable, and its bytes.
fn address(state: &mut DriverState, symbol: usize) -> Result<(u64, usize)> {
    let registered = state.modules.variable(symbol)?.clone();
    let device = state.settings.target();
    let code = state.modules.code(registered.module, device).map_err(|why| {
        state.launches.remark(&format!("variable '{}': {why}", registered.name));
        why.error
    })?;
    let buffer = state.variable(registered.module, &code, &registered)?;
    let address = state.memory.address(buffer).ok_or(Error::INVALID_SYMBOL)?;
    Ok((address, registered.bytes))
}

/// The address of some bytes of a variable.
///
/// # Errors
/// [`Error::INVALID_SYMBOL`], and [`Error::INVALID_VALUE`] for bytes that it does not have.
pub(super) fn inside(state: &mut DriverState, symbol: usize, at: usize, bytes: usize) -> Result<u64> {
    let (start, size) = address(state, symbol)?;
    if at.checked_add(bytes).is_none_or(|end| end > size) {
        let name = state.modules.variable(symbol)?.name.clone();
        state.launches.remark(&format!(
            "a copy of {bytes} bytes at byte {at} of variable '{name}', which has {size} bytes"
        ));
        return Err(Error::INVALID_VALUE);
    }
    Ok(start + at as u64)
}

/// A copy to a variable, or from it.
struct Part {
    symbol: usize,
    at: usize,
    other: u64,
    bytes: usize,
    is_to: bool,
}

fn copy(part: &Part, given: Given) -> Result<()> {
    let own = with(|state| inside(state, part.symbol, part.at, part.bytes))?;
    let (to, from) = if part.is_to { (own, part.other) } else { (part.other, own) };
    memory::copy(to, from, part.bytes, 4, given)
}

functions! {
    fn cudaMemcpyToSymbol(symbol: usize, from: u64, bytes: usize, at: usize, _kind: c_int) {
        copy(&Part { symbol, at, other: from, bytes, is_to: true }, ("cudaMemcpyToSymbol", 0, false))
    }
    fn cudaMemcpyFromSymbol(to: u64, symbol: usize, bytes: usize, at: usize, _kind: c_int) {
        copy(&Part { symbol, at, other: to, bytes, is_to: false }, ("cudaMemcpyFromSymbol", 0, false))
    }
    fn cudaMemcpyToSymbolAsync(symbol: usize, from: u64, bytes: usize, at: usize, _kind: c_int, stream: usize) {
        copy(&Part { symbol, at, other: from, bytes, is_to: true }, ("cudaMemcpyToSymbolAsync", stream, true))
    }
    fn cudaMemcpyFromSymbolAsync(to: u64, symbol: usize, bytes: usize, at: usize, _kind: c_int, stream: usize) {
        copy(&Part { symbol, at, other: to, bytes, is_to: false }, ("cudaMemcpyFromSymbolAsync", stream, true))
    }
    fn cudaGetSymbolAddress(to: *mut u64, symbol: usize) {
        let (start, _) = with(|state| address(state, symbol))?;
        write(to, start)
    }
    fn cudaGetSymbolSize(to: *mut usize, symbol: *const c_void) {
        let bytes = with(|state| state.modules.variable(symbol as usize).map(|own| own.bytes))?;
        write(to, bytes)
    }
}
