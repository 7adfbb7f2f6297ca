//! Names that all effects use.

pub(crate) use crate::finding::LaneFinding;
pub(crate) use crate::lanes::{Lanes, lanes_of};
