//! The laws of the algebra, each on thousands of random layouts against evaluation by definition. A test is named as its law.

#[path = "../common/mod.rs"]
mod common;

mod algebra;
mod dynamic;
mod functions;
mod linear;
mod text;
