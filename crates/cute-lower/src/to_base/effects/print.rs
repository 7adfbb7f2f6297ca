//! Messages of the kernel.

use cute_dialect::ops::print::printf;

use super::{Lowered, Site};

/// `print`.
pub fn print<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let printf = at.ask(printf(at.call))?;
    at.formats.print(at.op, at.graph(), &printf)?;
    Ok(Vec::new())
}
