//! The text to compile, from a file.

use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use cute_session::{Source, source::MOST_BYTES};

use crate::error::{Error, Result};

/// Reads a file, or standard input for `-`.
///
/// # Errors
/// [`Error::Read`], and those of [`Source::new`].
pub fn read(file: &Path) -> Result<Source> {
    let stdin = file == Path::new("-");
    let name = if stdin { "<stdin>".to_string() } else { file.display().to_string() };
    let read = if stdin { bytes(io::stdin()) } else { fs::File::open(file).and_then(bytes) };
    let bytes = read.map_err(|why| Error::Read { file: name.clone(), why })?;
    Ok(Source::new(name, bytes)?)
}

/// Reads all bytes, up to one more than allowed.
fn bytes(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
