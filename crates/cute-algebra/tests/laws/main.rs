//! The laws of the algebra, each on 10^4 random layouts against evaluation by definition. A test is named as its law.

#[path = "../common/mod.rs"]
mod common;

mod algebra;
mod dynamic;
mod functions;
mod linear;
mod text;
