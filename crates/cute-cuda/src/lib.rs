//! A CUDA runtime and driver that is the simulator.
//!
//! A program that was linked against NVIDIA's `libcudart` or `libcuda` finds libraries of the same
//! names, which forward each call to this one ([`api`]). Kernels are read from the PTX in the
//! program ([`fatbin`]), and each launch runs in the simulator on the memory that the program has
//! allocated.
//!
//! `cutec exec` starts such a program, gives it its [`options`], and reads its [`messages`].

pub mod api;
pub mod device;
pub mod error;
mod failure;
pub mod fatbin;
mod graph;
pub mod host_access;
pub mod launch;
pub mod memory;
pub mod messages;
mod modules;
pub mod options;
mod parts;
mod pools;
mod process;
mod record;
mod registered;
mod registers;
mod settings;
pub mod state;
mod streams;
mod views;
