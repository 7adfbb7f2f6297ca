//! [`Axis`]: the name of a dimension of a machine, such as `laneid`. This module handles names
//! only, not their meaning.

use std::fmt;

use crate::error::{Error, Result};

/// The length limit for axis names: a name is stored inline, in the space that a position would
/// take.
pub const MAX_AXIS_NAME: usize = 14;

/// A named axis: a coordinate of threads or of storage that is not a position in a tuple. Axes
/// order by name.
///
/// ```
/// use cute_algebra::Axis;
/// let lane: Axis = "laneid".parse()?;
/// assert_eq!(lane.name(), "laneid");
/// assert!("1st".parse::<Axis>().is_err());
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Axis([u8; MAX_AXIS_NAME]);

impl Axis {
    /// `m`, linear storage: the axis that a bare integer steps along.
    pub const M: Self = {
        let mut name = [0; MAX_AXIS_NAME];
        name[0] = b'm';
        Self(name)
    };

    /// Creates the axis called `name`, which consists of letters, digits and `_` and does not start
    /// with a digit.
    pub fn new(name: &str) -> Result<Self> {
        let error = |why: String| Error::Unsupported { what: "axis", why };
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(word) {
            return Err(error(format!(
                "`{name}` is not a valid name: use letters, digits and `_`, and start with a letter or `_`"
            )));
        }
        let mut bytes = [0; MAX_AXIS_NAME];
        let place = bytes.get_mut(..name.len());
        let place = place.ok_or_else(|| {
            error(format!("a name of more than {MAX_AXIS_NAME} letters is not supported: `{name}`"))
        })?;
        place.copy_from_slice(name.as_bytes());
        Ok(Self(bytes))
    }

    /// The name that stands after `@`.
    pub fn name(&self) -> &str {
        let end = self.0.iter().position(|b| *b == 0).unwrap_or(MAX_AXIS_NAME);
        std::str::from_utf8(&self.0[..end]).expect("a name is ASCII")
    }

    /// The name, padded with zeros.
    pub(crate) fn to_bytes(self) -> [u8; MAX_AXIS_NAME] {
        self.0
    }

    /// The inverse of [`to_bytes`](Self::to_bytes).
    pub(crate) fn from_bytes(bytes: [u8; MAX_AXIS_NAME]) -> Self {
        Self(bytes)
    }
}

impl std::str::FromStr for Axis {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        Self::new(name)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
