//! `&A+16`: arrays that an argument refers to before they have addresses.

use crate::element::{Element, unsigned};
use std::{fmt, sync::Arc};

/// An array that something refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointee {
    /// The array's name.
    pub name: String,
    /// The rows that the array was given as, if they say which it is.
    pub rows: Option<Arc<[u8]>>,
}

/// An array with its address.
#[derive(Debug, Clone, Copy)]
pub struct Located<'a> {
    /// The array's name.
    pub name: &'a str,
    /// The rows that it was given as, if it was.
    pub rows: Option<&'a Arc<[u8]>>,
    /// The element type.
    pub element: Element,
    /// Row-major.
    pub shape: &'a [usize],
    /// Bytes of its memory.
    pub size: u64,
    /// The address of the first of them.
    pub address: u64,
}

/// The address of a byte of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The array that has the byte.
    pub array: Pointee,
    /// Bytes from its beginning.
    pub offset: u64,
}

impl Pointee {
    /// The array of this name.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), rows: None }
    }

    /// The number of the array.
    ///
    /// # Errors
    /// There is no such array.
    pub(crate) fn find(&self, arrays: &[Located<'_>]) -> Result<usize, String> {
        let is_it = |array: &Located<'_>| match (&self.rows, array.rows) {
            (Some(own), Some(rows)) => Arc::ptr_eq(own, rows),
            (Some(_), None) => false,
            (None, _) => array.name == self.name,
        };
        arrays.iter().position(is_it).ok_or_else(|| {
            let names: Vec<&str> = arrays.iter().map(|array| array.name).collect();
            match names.is_empty() {
                true => format!("no array has the name '{}'; there are no arrays", self.name),
                false => {
                    format!("no array has the name '{}'; the arrays are: {}", self.name, names.join(", "))
                }
            }
        })
    }
}

/// Reads `&NAME`, `&NAME+BYTES`; `None` if a text does not begin like that.
///
/// # Errors
/// The part that cannot be read.
pub fn parse(text: &str) -> Option<Result<Address, String>> {
    let rest = text.trim().strip_prefix('&')?;
    let (name, offset) = rest.split_once('+').map_or((rest, "0"), |(name, offset)| (name, offset.trim()));
    let name = name.trim();
    Some(match unsigned(offset) {
        _ if name.is_empty() || name.contains(['&', '{', '(']) => {
            Err(format!("'{text}' is not an address; write &NAME or &NAME+BYTES"))
        }
        Some(offset) => Ok(Address { array: Pointee::named(name), offset }),
        None => Err(format!("'{text}' is not an address: write a number of bytes after +, as in &A+16")),
    })
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => write!(f, "&{}", self.array.name),
            offset => write!(f, "&{}+{offset}", self.array.name),
        }
    }
}

impl Address {
    /// The address as a number. The one behind the last byte of its array is an address, too.
    ///
    /// # Errors
    /// An array that does not exist, or that ends before this byte.
    pub(crate) fn at(&self, arrays: &[Located<'_>]) -> Result<u64, String> {
        let array = &arrays[self.array.find(arrays)?];
        match self.offset > array.size {
            true => Err(format!("{self} is beyond its array, which has {} bytes", array.size)),
            false => Ok(array.address + self.offset),
        }
    }
}
