//! Copies and sets of rows and slices, which pitches lie between.

use crate::{
    error::{Error, Result},
    memory::Call,
    state::DriverState,
};

/// Bytes in three dimensions: the address of the first one, and the distances of rows and of
/// slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// The address.
    pub at: u64,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
}

impl Part {
    /// One row.
    pub fn of(at: u64, bytes: usize) -> Self {
        Self { at, pitch: bytes, slice: 0 }
    }

    /// One slice of rows.
    pub fn of_rows(at: u64, pitch: usize) -> Self {
        Self { at, pitch, slice: 0 }
    }

    fn row(self, y: usize, z: usize) -> u64 {
        self.at.wrapping_add((z * self.slice + y * self.pitch) as u64)
    }

    /// The bytes from the first one to the last one of rows of some bytes.
    fn span(self, [width, height, depth]: [usize; 3]) -> Result<usize> {
        if width > self.pitch {
            return Err(Error::INVALID_PITCH_VALUE);
        }
        if depth > 1 && self.slice == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let rows = self.pitch.checked_mul(height - 1);
        let slices = self.slice.checked_mul(depth - 1);
        let all = rows.zip(slices).and_then(|(rows, slices)| rows.checked_add(slices)?.checked_add(width));
        all.ok_or(Error::INVALID_VALUE)
    }

    /// Whether these rows follow each other without gaps.
    fn is_whole(self, [width, height, depth]: [usize; 3]) -> bool {
        (height == 1 || self.pitch == width) && (depth == 1 || self.slice == width * height)
    }
}

/// The places of rows.
fn rows([_, height, depth]: [usize; 3]) -> impl Iterator<Item = (usize, usize)> {
    (0..depth).flat_map(move |z| (0..height).map(move |y| (y, z)))
}

impl DriverState {
    /// Copies rows. The extents are bytes, rows and slices.
    ///
    /// # Errors
    /// [`Error::INVALID_PITCH_VALUE`] for rows that are longer than their distance, and
    /// [`Error::INVALID_VALUE`] as [`DriverState::copy`] has it. Then nothing has been copied.
    pub(crate) fn copy_parts(
        &mut self,
        to: Part,
        from: Part,
        extents: [usize; 3],
        call: &Call,
    ) -> Result<()> {
        if extents.contains(&0) {
            return Ok(());
        }
        let (target, source) = (to.span(extents)?, from.span(extents)?);
        if to.is_whole(extents) && from.is_whole(extents) {
            return self.copy(to.at, from.at, target, call);
        }
        self.bytes(to.at, target, "a copy to")?;
        self.bytes(from.at, source, "a copy from")?;
        rows(extents).try_for_each(|(y, z)| self.copy(to.row(y, z), from.row(y, z), extents[0], call))
    }

    /// Sets rows. The extents are elements, rows and slices.
    ///
    /// # Errors
    /// Those of [`Self::copy_parts`].
    pub(crate) fn set_parts(
        &mut self,
        to: Part,
        element: &[u8],
        extents: [usize; 3],
        call: &Call,
    ) -> Result<()> {
        if extents.contains(&0) {
            return Ok(());
        }
        let [count, height, depth] = extents;
        let width = count.checked_mul(element.len()).ok_or(Error::INVALID_VALUE)?;
        let bytes = [width, height, depth];
        let span = to.span(bytes)?;
        if to.is_whole(bytes) {
            return self.set(to.at, element, span / element.len(), call);
        }
        self.bytes(to.at, span, "a set of")?;
        rows(extents).try_for_each(|(y, z)| self.set(to.row(y, z), element, count, call))
    }
}
