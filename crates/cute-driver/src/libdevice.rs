//! Finds CUDA's libdevice.

use std::{
    io,
    path::{Path, PathBuf},
};

use cute_output::plain;

use crate::ptxas;

/// The paths of libdevice relative to the folder of ptxas: in a CUDA toolkit, and where pip
/// installs nvidia-nvvm next to nvidia-cuda-nvcc.
const BESIDE_PTXAS: &str = "../nvvm/libdevice/libdevice.10.bc";

/// The largest size of the file in bytes; CUDA's has half a megabyte.
const MOST_BYTES: u64 = 64 << 20;

/// LLVM bitcode of libdevice.
#[derive(Debug, Clone)]
pub struct Libdevice {
    /// The file from which it was read.
    pub file: PathBuf,
    /// The contents of the file.
    pub bitcode: Vec<u8>,
}

/// An error in reading libdevice.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read '{}': {}", file.display(), plain(why))]
    Read { file: PathBuf, why: io::Error },
    /// The file holds something else.
    #[error("'{}' is not LLVM bitcode", file.display())]
    NotBitcode { file: PathBuf },
}

/// Finds libdevice: the given file, or `None` if it is called `none`. By default, it is the one
/// next to ptxas, if there is one.
///
/// # Errors
/// [`Error::Read`] and [`Error::NotBitcode`]
pub fn find(given: Option<&Path>) -> Result<Option<Libdevice>, Error> {
    let file = match given {
        Some(given) if given.as_os_str() == "none" => return Ok(None),
        Some(given) => given.to_path_buf(),
        None => match beside_ptxas() {
            Some(file) => file,
            None => return Ok(None),
        },
    };
    let bitcode =
        cute_output::read(&file, MOST_BYTES).map_err(|why| Error::Read { file: file.clone(), why })?;
    // The magic number of bitcode, and of its wrapper.
    if ![b"BC\xC0\xDE", &[0xDE, 0xC0, 0x17, 0x0B]].iter().any(|magic| bitcode.starts_with(*magic)) {
        return Err(Error::NotBitcode { file });
    }
    Ok(Some(Libdevice { file, bitcode }))
}

fn beside_ptxas() -> Option<PathBuf> {
    let ptxas = ptxas::find().ok()?.canonicalize().ok()?;
    let file = ptxas.parent()?.join(BESIDE_PTXAS);
    file.canonicalize().ok().filter(|file| file.is_file())
}
