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
pub mod failure;
pub mod fatbin;
pub mod graph;
pub mod host_access;
pub mod launch;
pub mod memory;
pub mod messages;
pub mod modules;
pub mod options;
pub mod parts;
pub mod pools;
pub mod process;
pub mod record;
pub mod registered;
pub mod registers;
pub mod settings;
pub mod state;
pub mod streams;
pub mod views;
