//! Variables of the device.

use std::ffi::{c_int, c_void};

use crate::{
    api::write,
    error::{Error, Result},
    functions,
    memory::Call,
    state::{State, with},
};

/// The address of a variable, and its bytes.
fn address(state: &mut State, symbol: usize) -> Result<(u64, usize)> {
    let registered = state.modules.variable(symbol)?.clone();
    let device = state.settings.target();
    let code = state.modules.code(registered.module, device).map_err(|why| {
        state.launches.remark(&format!("variable '{}': {why}", registered.name));
        Error::NO_BINARY_FOR_GPU
    })?;
    let buffer = state.variable(registered.module, &code, &registered)?;
    let address = state.memory.address(buffer).ok_or(Error::INVALID_SYMBOL)?;
    Ok((address, registered.bytes))
}

/// A copy to a variable, or from it.
struct Part {
    symbol: usize,
    at: usize,
    other: u64,
    bytes: usize,
    is_to: bool,
}

fn copy(part: &Part, (name, stream, is_async): (&'static str, usize, bool)) -> Result<()> {
    with(|state| {
        let (start, size) = address(state, part.symbol)?;
        if part.at.checked_add(part.bytes).is_none_or(|end| end > size) {
            return Err(Error::INVALID_VALUE);
        }
        let call = Call { name, stream: state.streams.get(stream)?, is_async };
        let own = start + part.at as u64;
        let (to, from) = if part.is_to { (own, part.other) } else { (part.other, own) };
        state.copy(to, from, part.bytes, &call)
    })
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
