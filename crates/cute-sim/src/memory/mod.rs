//! Memory of the machine: buffers that outlive a launch, the words that hold them, addresses. It
//! does not depend on programs.

pub mod address;
mod contents;
mod coverage;
pub(crate) mod element;
mod image;
pub(crate) mod operation;
pub(crate) mod room;
pub(crate) mod span;
pub(crate) mod tensor;
pub(crate) mod tracked;
mod variable;
pub(crate) mod words;

pub use contents::{Contents, Zeros};
pub use element::Element;
pub use image::Image;
pub use operation::{Operation, Touch};
pub use variable::Variable;

use crate::finding::HeapBlock;
use crate::heap::{HEAP_BYTES, Heap};
use crate::order::Stream;
use crate::race::Launches;
use room::Room;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use words::Words;

/// Global memory: buffers that kernels read and write and that live from launch to launch.
///
/// A buffer's first byte is aligned like `cudaMalloc`'s, to 256 bytes; nothing follows its last
/// byte.
///
/// ```
/// let mut memory = cute_sim::Memory::new();
/// let buffer = memory.upload(&[1.0f32, 2.0]);
/// assert_eq!(memory.download::<f32>(buffer), [1.0, 2.0]);
/// ```
#[derive(Debug, Default)]
pub struct Memory {
    pub(crate) buffers: Vec<Words>,
    /// The bytes that the pages of the buffers may take.
    pub(crate) room: Arc<Room>,
    /// Names of buffers by their numbers.
    pub(crate) names: BTreeMap<u32, String>,
    /// Variables of modules, by their names.
    variables: BTreeMap<String, Buffer>,
    /// The memory in which the blocks of cooperative launches meet, one for each stream.
    workspaces: BTreeMap<Stream, Buffer>,
    /// The heap of the device, once a kernel has used it.
    pub(crate) heap: Option<Arc<Heap>>,
    /// The launches that have used it.
    pub(crate) launches: Launches,
}

/// Bytes of the memory in which the blocks of a cooperative launch meet.
const WORKSPACE: usize = 1024;

/// The most bytes of a buffer: an address has no more bits for the byte.
pub const MOST_BYTES: u64 = address::ORIGIN;

/// A buffer of a [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer(pub(crate) u32);

impl Memory {
    /// No buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// No buffers, whose pages may take this number of bytes in all. A launch that touches more
    /// ends early, and [`is_full`](Self::is_full) tells that it has no result.
    pub fn with_room(bytes: u64) -> Self {
        Self { room: Arc::new(Room::of(bytes)), ..Self::default() }
    }

    /// Whether a launch has touched more pages than there is room for.
    pub fn is_full(&self) -> bool {
        self.room.is_full()
    }

    /// The address of the memory in which the blocks of cooperative launches of a stream meet.
    pub(crate) fn workspace(&mut self, stream: Stream) -> u64 {
        let buffer = match self.workspaces.get(&stream) {
            Some(buffer) => *buffer,
            None => {
                let buffer = self.zeroed::<u8>(WORKSPACE);
                self.name(buffer, "of the barrier of the grid");
                self.workspaces.insert(stream, buffer);
                buffer
            }
        };
        self.address(buffer).unwrap_or(0)
    }

    /// Makes the heap of the device, if there is none yet.
    pub(crate) fn make_heap(&mut self) {
        if self.heap.is_none() {
            let buffer = self.zeroed::<u8>(HEAP_BYTES as usize);
            self.name(buffer, "of the device's heap");
            self.heap = Some(Arc::new(Heap::new(buffer.0)));
        }
    }

    /// The allocations of the device's heap that no thread has freed: their number, their bytes,
    /// and the first of them.
    pub fn heap_left(&self) -> Option<(usize, u64, HeapBlock)> {
        self.heap.as_ref().and_then(|heap| heap.left())
    }

    /// A new buffer with these elements.
    pub fn upload<T: Element>(&mut self, elements: &[T]) -> Buffer {
        let mut bytes = Vec::with_capacity(elements.len() * T::BYTES);
        for e in elements {
            e.append_to(&mut bytes);
        }
        self.upload_bytes(&bytes)
    }

    /// A new buffer with these bytes.
    ///
    /// # Panics
    /// If the system refuses the memory.
    pub fn upload_bytes(&mut self, bytes: &[u8]) -> Buffer {
        self.try_upload(Arc::new(bytes.to_vec())).expect("there is memory for the buffer")
    }

    /// A new buffer with these bytes, of which each page is made when something first touches it;
    /// `None` if it is larger than [`MOST_BYTES`], or the system refuses memory for the table of
    /// the pages.
    pub fn try_upload(&mut self, contents: Arc<dyn Contents>) -> Option<Buffer> {
        if contents.size() as u64 > MOST_BYTES {
            return None;
        }
        self.buffers.push(Words::of(contents, self.room.clone())?);
        Some(Buffer(self.buffers.len() as u32 - 1))
    }

    /// A new buffer that the host shares, with contents that it has at [`Self::next_shared`]. A
    /// launch sees them as they are when the buffer is [refreshed](Self::refresh).
    pub fn share(&mut self, contents: Arc<dyn Contents>) -> Option<Buffer> {
        let buffer = self.try_upload(contents)?;
        self.buffers[buffer.0 as usize].is_shared = true;
        Some(buffer)
    }

    /// The address of the next buffer that the host shares, if a process has such an address.
    pub fn next_shared(&self) -> Option<u64> {
        address::of_host(self.buffers.len() as u32)
    }

    /// Uses up the number of a buffer: the host has something else at its address.
    pub fn skip(&mut self) {
        self.buffers.push(Words::zeroed(0, self.room.clone()));
    }

    /// The buffer has these contents now, of the same size.
    pub fn refresh(&mut self, buffer: Buffer, contents: Arc<dyn Contents>) {
        let Some(words) = self.buffers.get_mut(buffer.0 as usize) else { return };
        if contents.size() == words.len()
            && let Some(anew) = Words::of(contents, self.room.clone())
        {
            words.replace(anew);
        }
    }

    /// The buffer's memory is gone. Its number is not given again, so that a use of it is found.
    pub fn free(&mut self, buffer: Buffer) {
        if let Some(words) = self.buffers.get_mut(buffer.0 as usize) {
            words.replace(Words::zeroed(0, self.room.clone()));
            let name = self.names.entry(buffer.0).or_default();
            name.push_str(if name.is_empty() { "that is freed" } else { " that is freed" });
        }
    }

    /// Writes bytes from `at` on, as far as the buffer has them.
    pub fn write(&mut self, buffer: Buffer, at: usize, bytes: &[u8]) {
        if let Some(words) = self.buffers.get(buffer.0 as usize) {
            let count = words.len().saturating_sub(at).min(bytes.len());
            words.write_slice(at, &bytes[..count]);
        }
    }

    /// The buffer that an address belongs to, and its byte there, which may lie outside of it.
    pub fn find(&self, address: u64) -> Option<(Buffer, i64)> {
        let parts = address::parts(address, 0).ok().filter(|parts| parts.space == address::GLOBAL)?;
        let words = self.buffers.get(parts.allocation as usize)?;
        words.is_at(address).then_some((Buffer(parts.allocation), parts.byte))
    }

    /// A new buffer of `len` elements whose bytes are all zero.
    pub fn zeroed<T: Element>(&mut self, len: usize) -> Buffer {
        self.buffers.push(Words::zeroed(len * T::BYTES, self.room.clone()));
        Buffer(self.buffers.len() as u32 - 1)
    }

    /// Gives the buffer a name, which findings call it by.
    pub fn name(&mut self, buffer: Buffer, name: &str) {
        self.names.insert(buffer.0, name.to_owned());
    }

    /// The buffer's bytes as elements; trailing bytes that do not fill an element are omitted. A
    /// buffer of another memory reads as empty.
    pub fn download<T: Element>(&self, buffer: Buffer) -> Vec<T> {
        self.download_bytes(buffer).chunks_exact(T::BYTES).map(T::read).collect()
    }

    /// The buffer's bytes.
    pub fn download_bytes(&self, buffer: Buffer) -> Vec<u8> {
        self.buffers.get(buffer.0 as usize).map_or_else(Vec::new, Words::to_bytes)
    }

    /// Fills `to` with the buffer's bytes from `at` on, without making pages that nothing has
    /// touched. Bytes beyond the buffer stay as they are.
    pub fn look(&self, buffer: Buffer, at: usize, to: &mut [u8]) {
        if let Some(words) = self.buffers.get(buffer.0 as usize) {
            let bytes = words.len().saturating_sub(at).min(to.len());
            words.look(at, &mut to[..bytes]);
        }
    }

    /// The ranges of bytes, in order, outside of which the buffer is the same as in another memory
    /// in which it began with the same contents.
    pub fn differing(&self, other: &Memory, buffer: Buffer) -> Vec<Range<usize>> {
        let number = buffer.0 as usize;
        match (self.buffers.get(number), other.buffers.get(number)) {
            (Some(own), Some(theirs)) => own.differing(theirs),
            _ => Vec::new(),
        }
    }

    /// The bytes of the buffer have no values: a read of one that nothing has written is a finding.
    pub fn leave_undefined(&mut self, buffer: Buffer) {
        if let Some(words) = self.buffers.get_mut(buffer.0 as usize) {
            words.is_undefined = true;
        }
    }

    /// Whether a kernel, or an operation of the host, has written one of these bytes of the buffer.
    pub fn has_written(&self, buffer: Buffer, bytes: Range<usize>) -> bool {
        self.buffers.get(buffer.0 as usize).is_some_and(|words| words.has_any(bytes))
    }

    /// Hands on the bytes of the buffer that kernels and operations of the host have written, in
    /// order. A run of them may come in parts.
    pub fn each_written(&self, buffer: Buffer, run: impl FnMut(Range<usize>)) {
        if let Some(words) = self.buffers.get(buffer.0 as usize) {
            words.each_written(run);
        }
    }

    /// Whether a kernel has stored to the buffer.
    pub fn is_written(&self, buffer: Buffer) -> bool {
        self.buffers.get(buffer.0 as usize).is_some_and(Words::is_written)
    }
}
