//! `Emit`: the algebra's leaves as code. A leaf is what is known of an integer, paired with an SSA expression that is
//! made when somebody first asks for it. Decisions look at the first half only, so generated code cannot differ in
//! structure from the inferred type, static leaves never become code, and arithmetic nobody uses is never made.
//!
//! * [`graph`]: expressions, hash-consed, each with the op before which it will stand
//! * [`ops`]: the ops that expressions become
//! * [`check`]: the code that checks what operations assume, where that is asked for

pub mod check;
pub mod graph;
pub mod ops;

pub use check::Checks;
pub use graph::{Expr, Graph};

/// The lowering's integers: what is known, and the expression.
pub type Emit<'c> = cute_algebra::Paired<Expr<'c>>;
