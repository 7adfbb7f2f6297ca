//! PTX's text.
//!
//! | file | subject |
//! |---|---|
//! | `names` | registers, labels and symbols |
//! | `survey` | a first look at a body |
//! | `lines` | statements, branches and guards |
//! | `operands` | operands to registers |
//! | `form` | the forms of an opcode, and what their operands take |
//! | `check` | whether operands are of the kinds and widths that an instruction takes |
//! | `bind` | instructions of the table, with their operands |
//! | `mma`, `wgmma`, `wmma` | instructions whose names follow from an atom |

mod bind;
mod check;
mod form;
mod lines;
mod mma;
pub(crate) mod names;
mod operands;
pub(crate) mod survey;
mod wgmma;
mod wmma;

pub(crate) use form::Known;
pub(crate) use lines::{Line, Written, missing, refused};
pub(crate) use operands::bits_of;
