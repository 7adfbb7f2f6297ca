//! Memory whose bytes begin empty: shared memory of a block, local memory of a thread.

/// The state of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ByteState {
    Written,
    /// Nothing wrote it.
    Empty,
    /// An asynchronous copy will write it.
    InFlight,
    /// It is part of an `mbarrier`.
    Barrier,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tracked {
    bytes: Vec<u8>,
    states: Vec<ByteState>,
}

impl Tracked {
    pub(crate) fn new(len: usize) -> Self {
        Tracked { bytes: vec![0; len], states: vec![ByteState::Empty; len] }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether all bytes of the range are initialised.
    pub(crate) fn is_written(&self, at: usize, bytes: usize) -> bool {
        match self.states.get(at..at + bytes) {
            Some(&[a, b, c, d]) => a as u8 | b as u8 | c as u8 | d as u8 == ByteState::Written as u8,
            Some(states) => states.iter().all(|s| *s == ByteState::Written),
            None => false,
        }
    }

    /// The first uninitialised byte of the range, from the range's start, and its state.
    pub(crate) fn unwritten(&self, at: usize, bytes: usize) -> Option<(usize, ByteState)> {
        let states = self.states.get(at..at + bytes)?;
        let i = states.iter().position(|s| *s != ByteState::Written)?;
        Some((i, states[i]))
    }

    /// The first byte of the range that must not be written now, and the reason: an asynchronous
    /// copy will write it, or it is part of a barrier.
    pub(crate) fn taken(&self, at: usize, bytes: usize) -> Option<(usize, ByteState)> {
        if self.is_written(at, bytes) {
            return None;
        }
        let states = self.states.get(at..at + bytes)?;
        let i = states.iter().position(|s| matches!(s, ByteState::InFlight | ByteState::Barrier))?;
        Some((i, states[i]))
    }

    /// Up to 8 bytes, little-endian.
    pub(crate) fn read(&self, at: usize, bytes: usize) -> u64 {
        match self.bytes.get(at..at + bytes) {
            Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]).into(),
            Some(slice) => slice.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)),
            None => 0,
        }
    }

    /// Up to 8 bytes of `value`.
    pub(crate) fn write(&mut self, at: usize, bytes: usize, value: u64) {
        let Some(to) = self.bytes.get_mut(at..at + bytes) else { return };
        to.copy_from_slice(&value.to_le_bytes()[..bytes]);
        self.states[at..at + bytes].fill(ByteState::Written);
    }

    pub(crate) fn write_slice(&mut self, at: usize, bytes: &[u8]) {
        let Some(to) = self.bytes.get_mut(at..at + bytes.len()) else { return };
        to.copy_from_slice(bytes);
        self.states[at..at + bytes.len()].fill(ByteState::Written);
    }

    /// Bytes of the range, which must be inside.
    pub(crate) fn slice(&self, at: usize, bytes: usize) -> &[u8] {
        &self.bytes[at..at + bytes]
    }

    pub(crate) fn mark(&mut self, at: usize, bytes: usize, state: ByteState) {
        if let Some(states) = self.states.get_mut(at..at + bytes) {
            states.fill(state);
        }
    }
}
