//! Bytes of parameters and of arrays that depend on where arrays lie.

use crate::{
    address::{Address, Located, Pointee},
    map,
};
use cute_arch::tensor_map::{ALIGN as MAP_ALIGN, BYTES as MAP_BYTES};

/// A value that takes the place of bytes when arrays have their addresses.
#[derive(Debug, Clone, PartialEq)]
pub enum Hole {
    /// The address of a byte of an array.
    Address(Address),
    /// A tensor map of an array.
    Map(map::Spec),
}

impl Hole {
    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        match self {
            Self::Address(_) => 8,
            Self::Map(_) => MAP_BYTES,
        }
    }

    /// The alignment of its place in bytes: that of a pointer, or of a `CUtensorMap`.
    pub fn align(&self) -> usize {
        match self {
            Self::Address(_) => 8,
            Self::Map(_) => MAP_ALIGN as usize,
        }
    }

    /// The array that it depends on.
    pub fn pointee(&self) -> &Pointee {
        match self {
            Self::Address(address) => &address.array,
            Self::Map(spec) => &spec.array,
        }
    }

    /// Its words.
    ///
    /// # Errors
    /// An array that does not exist or is too small, or a rule of tensor maps that is broken.
    pub(crate) fn words(&self, arrays: &[Located<'_>]) -> Result<Vec<u64>, String> {
        match self {
            Self::Address(address) => Ok(vec![address.at(arrays)?]),
            Self::Map(spec) => spec.words(arrays),
        }
    }
}

/// Fills holes, which are given with their places.
///
/// # Errors
/// Like [`Hole::words`].
pub(crate) fn fill(bytes: &mut [u8], holes: &[(usize, Hole)], arrays: &[Located<'_>]) -> Result<(), String> {
    for (at, hole) in holes {
        let words = hole.words(arrays)?;
        let filled = words.iter().flat_map(|word| word.to_le_bytes());
        bytes[*at..].iter_mut().zip(filled).for_each(|(to, byte)| *to = byte);
    }
    Ok(())
}
