//! `Emit`: the algebra's leaves as code. A leaf pairs the known facts about an integer with an SSA
//! expression that becomes code when it is first needed. Decisions use the first half only. So
//! generated code cannot differ in structure from the inferred type, static leaves never become
//! code, and unused arithmetic is never generated.
//!
//! * [`graph`]: expressions, hash-consed, each with the op before which its code is placed
//! * `address`: addresses among them, and what a swizzle does to their offsets
//! * [`ops`]: the ops that expressions become
//! * [`check`]: the code that checks the assumptions of operations, if enabled
//! * [`mark`]: the marks of addresses by which the simulator checks coordinates

mod address;
pub mod check;
pub mod graph;
pub mod mark;
pub mod ops;

pub use check::RuntimeChecks;
pub use graph::{Expr, Graph, Moves};
pub use ops::Flags;

/// The lowering's integers: the known facts, and the expression.
pub(crate) type Emit<'c> = cute_algebra::Paired<Expr<'c>>;
