//! The Rust half of the `cute`, `cute_nvgpu` and `cuda` dialects.
//!
//! `td/` defines what exists, `dialect/` contains MLIR's classes, and this crate decides: it parses
//! and prints types, and infers, verifies and folds ops. It depends on MLIR and the algebra; it
//! must not contain knowledge about how ops are lowered.
//!
//! | module | subject |
//! |---|---|
//! | [`scalars`], [`space`], `syntax` | MLIR's types of scalars; address spaces; the parts of types' bodies |
//! | [`atom`], [`value`] | the contents of types, generic over the interpretation of integers |
//! | [`types`] | conversion between MLIR's types and values, their text, and their run-time leaves |
//! | [`attributes`] | the attributes of an op, decoded once |
//! | [`call`], [`partition`] | an op with its operands; the three-phase verifier of copies and products |
//! | [`ops`] | the results of each op, computed from its operands |
//! | [`parameters`] | the values passed for a function's parameters, leaf by leaf, and the promises of types about them |
//! | [`hooks`] | verification, inference and folding, built on `ops` |
//! | [`weakening`], [`strict`] | declared types, the domain policy |
//! | [`host`] | the `cuda` dialect: kernels and their launches |
//! | [`notes`] | notes on types that are correct elsewhere |
//!
//! Modules depend on those above them in the table, and on no others.

#![deny(unsafe_code)]

pub mod atom;
pub mod attributes;
pub mod call;
mod entry;
pub mod error;
pub mod further;
pub mod hooks;
pub mod host;
pub mod notes;
pub mod ops;
pub mod parameters;
pub mod partition;
pub mod placement;
pub mod scalars;
pub mod space;
pub mod strict;
mod syntax;
pub mod types;
pub mod value;
pub mod weakening;

pub use cute_ffi::lowered::OPERATION_ATTRIBUTE;
pub use cute_manifest::{
    DYNAMIC_SHARED_MEMORY,
    expected::{EQUAL_EXTENTS, GRID},
};
pub use entry::{MEANING, OTHER_ATOMS, OtherAtoms, register_dialects};
pub use error::Error;
