//! The functions that nvcc calls in a program: it registers code, kernels and variables before
//! `main`, and keeps the configuration of `<<<..>>>` until its launch.

use std::{
    cell::RefCell,
    ffi::{CStr, c_char, c_int, c_void},
};

use crate::{
    api::{Function, launch::Dim3},
    error::Error,
    functions,
    state::with,
};

/// The functions of this family that do not return an error.
pub const OTHERS: &[Function] = &[
    Function { name: "__cudaRegisterFatBinary", address: register as *const (), ignored: None },
    Function {
        name: "__cudaRegisterFatBinaryEnd",
        address: end as *const (),
        ignored: Some("code is read when a kernel of it is launched"),
    },
    Function { name: "__cudaUnregisterFatBinary", address: unregister as *const (), ignored: None },
    Function { name: "__cudaRegisterFunction", address: register_function as *const (), ignored: None },
    Function { name: "__cudaRegisterVar", address: register_variable as *const (), ignored: None },
    Function { name: "__cudaRegisterManagedVar", address: register_managed as *const (), ignored: None },
    Function { name: "__cudaInitModule", address: init_module as *const (), ignored: None },
];

unsafe extern "C" fn register(image: *const c_void) -> *mut *mut c_void {
    with(|state| Ok(state.modules.register(image as usize) as *mut _)).unwrap_or(std::ptr::null_mut())
}

unsafe extern "C" fn end(_: *mut *mut c_void) {}

unsafe extern "C" fn unregister(handle: *mut *mut c_void) {
    let _ = with(|state| {
        state.modules.unregister(handle as usize);
        Ok(())
    });
}

#[allow(clippy::too_many_arguments, reason = "nvcc passes so many")]
unsafe extern "C" fn register_function(
    handle: *mut *mut c_void,
    host: *const c_char,
    _: *mut c_char,
    name: *const c_char,
    _: c_int,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_int,
) {
    // SAFETY: nvcc passes a text that ends in a NUL.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let _ = with(|state| {
        state.modules.register_function(handle as usize, host as usize, &name);
        Ok(())
    });
}

#[allow(clippy::too_many_arguments, reason = "nvcc passes so many")]
unsafe extern "C" fn register_variable(
    handle: *mut *mut c_void,
    host: *mut c_char,
    _: *mut c_char,
    name: *const c_char,
    _: c_int,
    bytes: usize,
    _: c_int,
    _: c_int,
) {
    // SAFETY: nvcc passes a text that ends in a NUL.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let _ = with(|state| {
        state.modules.register_variable(handle as usize, host as usize, (&name, bytes), None);
        Ok(())
    });
}

#[allow(clippy::too_many_arguments, reason = "nvcc passes so many")]
unsafe extern "C" fn register_managed(
    handle: *mut *mut c_void,
    pointer: *mut *mut c_void,
    _: *mut c_char,
    name: *const c_char,
    _: c_int,
    bytes: usize,
    _: c_int,
    _: c_int,
) {
    // SAFETY: nvcc passes a text that ends in a NUL.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let pointer = pointer as usize;
    let _ = with(|state| {
        state.modules.register_variable(handle as usize, pointer, (&name, bytes), Some(pointer));
        Ok(())
    });
}

/// Called before the host first uses a variable that it shares.
unsafe extern "C" fn init_module(handle: *mut *mut c_void) -> c_char {
    with(|state| state.place_managed(handle as usize)).is_ok().into()
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
