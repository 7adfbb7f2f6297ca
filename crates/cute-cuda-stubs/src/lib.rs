//! Libraries of NVIDIA's names that forward calls of CUDA to the simulator.
//!
//! A program that was linked against `libcudart` or `libcuda` finds these instead. Each function is
//! a jump through a slot. The first call fills the slot: it loads the library that the variable
//! `CUTE_CUDA_LIBRARY` names, and asks its `cute_cuda_function` for `NAME@VERSION`. A function
//! without an answer ends in `cute_cuda_missing`. Nothing else happens here, so that the ABI of
//! each function is that of its answer.

#[cfg(test)]
mod entries;
mod tables;

pub use tables::{FunctionName, driver, runtime};

/// The variable of the environment with the path of the library behind the stubs.
pub const LIBRARY: &str = "CUTE_CUDA_LIBRARY";

/// A file of a library, for this machine. It is empty where there is none.
#[derive(Debug, Clone, Copy)]
pub struct Stub {
    /// Its path below a folder for linkers, such as `12/libcudart_static.a`.
    pub path: &'static str,
    /// The bytes to write there.
    pub contents: &'static [u8],
}

macro_rules! built {
    ($path:literal, $file:literal) => {
        Stub { path: $path, contents: include_bytes!(concat!(env!("OUT_DIR"), "/", $file)) }
    };
}

/// The files. Those in the folder `12` are for programs of CUDA 12, where they differ.
pub const STUBS: &[Stub] = &[
    built!("libcudart.so.12", "libcudart.so.12"),
    built!("libcudart.so.13", "libcudart.so.13"),
    built!("libcuda.so.1", "libcuda.so.1"),
    built!("libcudart_static.a", "libcudart_static_13.a"),
    built!("12/libcudart_static.a", "libcudart_static_12.a"),
    built!("libcudadevrt.a", "libcudadevrt.a"),
    built!("12/libcudadevrt.a", "libcudadevrt.a"),
];

/// Names that linkers look for, and the files behind them.
pub const LINKS: &[(&str, &str)] = &[
    ("libcudart.so", "libcudart.so.13"),
    ("libcuda.so", "libcuda.so.1"),
    ("12/libcudart.so", "../libcudart.so.12"),
    ("12/libcuda.so", "../libcuda.so.1"),
];
