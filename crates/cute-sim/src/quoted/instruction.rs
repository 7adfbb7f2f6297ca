//! Instructions that a finding names besides its own, without an access.

use cute_machine::place::SourcePlace;

/// An instruction that led to a mistake. Of some, only the place is known.
pub(crate) struct NamedInstruction<'f> {
    /// The operation's name.
    pub(crate) op: Option<&'f str>,
    pub(crate) location: &'f SourcePlace,
    /// A thread of the same block.
    pub(crate) thread: Option<[u32; 3]>,
}

impl<'f> NamedInstruction<'f> {
    pub(crate) fn at(location: &'f SourcePlace) -> Self {
        NamedInstruction { op: None, location, thread: None }
    }

    pub(crate) fn of(op: &'f str, location: &'f SourcePlace) -> Self {
        NamedInstruction { op: Some(op), location, thread: None }
    }

    pub(crate) fn by(op: &'f str, location: &'f SourcePlace, thread: [u32; 3]) -> Self {
        NamedInstruction { op: Some(op), location, thread: Some(thread) }
    }
}
