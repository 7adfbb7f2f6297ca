//! PTX's text.
//!
//! | file | subject |
//! |---|---|
//! | `parse` | text to statements |
//! | `bind` | instructions of the table, with their operands |
//! | `lines`, `wgmma` | statements to instructions |

mod bind;
mod lines;
mod parse;
mod wgmma;
