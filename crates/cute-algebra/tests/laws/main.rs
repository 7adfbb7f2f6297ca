//! The laws of the algebra, each on thousands of random layouts against evaluation by definition.
//! Each test is named after its law.

#[path = "../common/mod.rs"]
mod common;

mod algebra;
mod dynamic;
mod functions;
mod linear;
mod text;
