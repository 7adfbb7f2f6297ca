//! Standard output, whose errors name it.

use std::{fmt::Display, io::Write};

use crate::error::Result;

/// Writes a text to standard output.
pub(crate) fn print(out: &mut impl Write, text: impl Display) -> Result<()> {
    let written = write!(out, "{text}").and_then(|()| out.flush());
    Ok(written.map_err(|why| cute_output::Error { file: "standard output".into(), why })?)
}
