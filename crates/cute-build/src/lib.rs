//! The builder of IR: one insertion point and location, for passes, kernels and programs that embed
//! the dialect.
//!
//! A [`Builder`] has methods for the ops that programs need often. [`ops`] has a function for each
//! op of the dialects, and [`Builder::op`] builds the ops of all others. Layouts, tiles and atoms
//! are values of the algebra or of [`atoms`], or text ([`Input`]). [`Kernels`] makes modules.
//!
//! | module | subject |
//! |---|---|
//! | [`Builder`], [`Draft`], [`IntoAttribute`] | the insertion point, an op in the making, its attributes |
//! | [`types`], [`atoms`], [`Input`] | types and atoms from values or text |
//! | `arith`, `control` | constants, arithmetic, loops, branches |
//! | `tensor`, `partition`, `memory` | coordinates, tiles, copies, partitions, views |
//! | [`ops`], [`call`] | one function per op, generated, and calls of them by name |
//! | [`Function`], [`Kernels`], [`verify()`] | functions, kernels, modules, their check |
//!
//! It must not know how ops are lowered.

#![forbid(unsafe_code)]

mod arith;
pub mod atoms;
mod attribute;
mod builder;
pub mod call;
mod control;
pub mod diagnostics;
mod draft;
mod error;
mod function;
mod input;
mod kernels;
mod memory;
pub mod ops;
mod partition;
pub mod predicate;
mod tensor;
pub mod types;
mod verify;

pub use arith::Axis;
pub use attribute::{IntoAttribute, parse_attribute};
pub use builder::{Builder, Value};
pub use cute_algebra::MmaOperand;
pub use cute_dialect::partition::GemmOperand;
pub use draft::Draft;
pub use error::{Error, Result};
pub use function::Function;
pub use input::Input;
pub use kernels::{BlockExtents, Kernel, Kernels};
pub use partition::AnyAtom;
pub use predicate::IntPredicate;
pub use tensor::At;
pub use verify::verify;
