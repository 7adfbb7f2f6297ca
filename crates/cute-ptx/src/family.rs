//! Families of instructions: all that a file of `rows` declares about its own.

use crate::keyword::{Spellings, Table};
use crate::role::Role;
use crate::row::Row;

/// A family of instructions.
#[derive(Debug)]
pub(crate) struct Family {
    /// The instructions that run.
    pub rows: &'static [Row],
    /// The names of instructions that are read beside the table; a `*` stands for one word or
    /// several, outside of PTX.
    pub apart: Spellings,
    /// The instructions that do not run.
    pub refused: &'static [Refused],
    /// The modifiers that no other family has.
    pub words: &'static [&'static Table],
    /// The parts that operands of no other family play.
    pub roles: &'static [Role],
}

impl Family {
    /// Nothing, for what a family does not have.
    pub const NONE: Self = Family { rows: &[], apart: Spellings::NONE, refused: &[], words: &[], roles: &[] };
}

/// Instructions that do not run.
#[derive(Debug)]
pub(crate) struct Refused {
    /// Why, as messages quote it in parentheses.
    pub reason: &'static str,
    /// In PTX mnemonics; in the other spellings names, where a `*` stands for one word or several.
    pub names: Spellings,
}
