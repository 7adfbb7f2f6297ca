//! The sums of tensor cores: what a device computes, to the last bit.
//!
//! A tensor core does not round after each addition. It cuts the products of a window of k, and C,
//! to multiples of one power of 2, adds them exactly, and rounds once. The windows and the powers
//! depend on the device, not on the target of the code.
//!
//! | module | content |
//! |---|---|
//! | [`rule`] | the rules, and what the family of an instruction states: its rule on each device, with the evidence |
//! | [`number`] | exponents as encoded, and roundings |
//! | [`window`] | the sum of one window in integers of 64 bits, number by number |
//! | [`columns`] | the same for a row of sums at once, in integers of 32 bits |
//! | [`fp4`] | packed fp4 with scale factors |
//! | [`product`] | products of matrices by each rule |
//! | [`used`] | the least certain rule of a launch |
//!
//! The rules are those of Khattak and Mikaitis (arXiv 2512.07004), of MMA-Sim (arXiv 2511.10909)
//! and of sf-tensor/tcgen05, which `docs/bits.md` compares.

mod columns;
mod fp4;
pub(crate) mod number;
mod product;
pub mod rule;
mod used;
mod window;

#[cfg(test)]
mod tests;

pub(crate) use product::{Factored, Product};
pub use rule::{BadSums, Evidence, Row, Rule, Sums};
pub(crate) use rule::{Query, Unit, Window};
pub use used::Weakest;
pub(crate) use used::note;
