//! The values of a machine, one arithmetic for all interpreters: the simulator of kernels and that
//! of host functions.
//!
//! Integers and floats are kept as bits in words of 64 bits. An integer of fewer bits is extended
//! with zeros.
//!
//! ```
//! use cute_machine::int::{self, Fault, IntOp, NoWrap};
//!
//! assert_eq!(int::binary(IntOp::Add, 8, NoWrap::default(), 200, 100), Ok(44));
//! let promised = NoWrap { signed: false, unsigned: true };
//! let fault = int::binary(IntOp::Add, 8, promised, 200, 100).unwrap_err();
//! assert_eq!(fault.to_string(), "i8 overflow of nuw add: 200, 100");
//! assert!(matches!(fault, Fault::Overflow { width: 8, .. }));
//! ```
//!
//! | module | contents |
//! |---|---|
//! | [`types`] | scalars, aggregates, and their bytes in memory |
//! | [`int`], [`float`] | arithmetic |
//! | [`bits`] | searches for bits, and fields of bits |
//! | [`predicate`] | comparisons |
//! | [`collective`] | values that threads exchange |
//! | [`format`], [`convert`] | elements of few bits |
//! | [`exact`] | f64 in any rounding |
//! | [`rounded`] | arithmetic with a rounding mode, and saturation |
//! | [`bytes`] | programs as bytes, which another process reads |
//! | [`place`] | the places in the source that instructions come from |
//! | [`accuracy`] | the errors of PTX's approximate instructions |

#![forbid(unsafe_code)]

pub mod accuracy;
pub mod bits;
pub mod bytes;
pub mod collective;
pub mod convert;
pub mod exact;
pub mod float;
pub mod format;
pub mod int;
pub mod place;
pub mod predicate;
pub mod rounded;
pub mod types;
