//! The functions that nvcc calls in a program: it registers code, kernels and variables before
//! `main`, and keeps the configuration of `<<<..>>>` until its launch.

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int},
};

use crate::{api::launch::Dim3, error::Error, functions, state::with};

/// A text that nvcc passes.
///
/// # Safety
/// It ends in a NUL.
unsafe fn text(at: *const c_char) -> String {
    // SAFETY: the caller's.
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

/// Registers a variable by its shadow, or by the pointer to it if the host shares it.
fn variable(handle: usize, host: usize, name: &str, bytes: usize, managed: Option<usize>) {
    let _ = with(|state| {
        state.modules.register_variable(handle, host, (name, bytes), managed);
        Ok(())
    });
}

/// A configuration of `<<<..>>>`.
struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
}

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
}

functions! {
    fn __cudaRegisterFatBinary(image: usize) -> usize {
        with(|state| Ok(state.modules.register(image))).unwrap_or_default()
    }
    ignored "code is read when a kernel of it is launched"
    fn __cudaRegisterFatBinaryEnd(_handle: usize) -> () {}
    fn __cudaUnregisterFatBinary(handle: usize) -> () {
        let _ = with(|state| {
            state.modules.unregister(handle);
            Ok(())
        });
    }
    fn __cudaRegisterFunction(
        handle: usize, host: usize, _own: usize, name: *const c_char, _limit: c_int, _tid: usize, _bid: usize,
        _block: usize, _grid: usize, _warp: usize,
    ) -> () {
        // SAFETY: nvcc passes a text.
        let name = unsafe { text(name) };
        let _ = with(|state| {
            state.modules.register_function(handle, host, &name);
            Ok(())
        });
    }
    fn __cudaRegisterVar(
        handle: usize, host: usize, _own: usize, name: *const c_char, _ext: c_int, bytes: usize, _constant: c_int,
        _global: c_int,
    ) -> () {
        // SAFETY: nvcc passes a text.
        variable(handle, host, &unsafe { text(name) }, bytes, None)
    }
    fn __cudaRegisterManagedVar(
        handle: usize, pointer: usize, _own: usize, name: *const c_char, _ext: c_int, bytes: usize, _constant: c_int,
        _global: c_int,
    ) -> () {
        // SAFETY: nvcc passes a text.
        variable(handle, pointer, &unsafe { text(name) }, bytes, Some(pointer))
    }
    // Called before the host first uses a variable that it shares.
    fn __cudaInitModule(handle: usize) -> c_char {
        with(|state| state.place_managed(handle)).is_ok().into()
    }
    fn __cudaPushCallConfiguration(grid: Dim3, block: Dim3, shared: usize, stream: usize) {
        CONFIGURATIONS.with_borrow_mut(|all| all.push(Configuration { grid, block, shared, stream }));
        Ok(())
    }
    fn __cudaPopCallConfiguration(grid: *mut Dim3, block: *mut Dim3, shared: *mut usize, stream: *mut usize) {
        let last = CONFIGURATIONS.with_borrow_mut(Vec::pop).ok_or(Error::INVALID_CONFIGURATION)?;
        // SAFETY: nvcc passes places for all four.
        unsafe {
            *grid = last.grid;
            *block = last.block;
            *shared = last.shared;
            *stream = last.stream;
        }
        Ok(())
    }
    fn __cudaGetKernel(kernel: *mut usize, host: usize) {
        with(|state| state.modules.function(host).map(|_| ()))?;
        // SAFETY: nvcc passes a place.
        unsafe { *kernel = host };
        Ok(())
    }
}
