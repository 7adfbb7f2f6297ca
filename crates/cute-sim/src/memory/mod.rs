//! Memory as the machine sees it: buffers that outlive a launch here, addresses and per-byte state below. Knows nothing
//! of programs.

pub(crate) mod address;
pub(crate) mod element;

pub use element::Element;

/// Global memory: buffers that kernels read and write and that live from launch to launch.
///
/// A buffer's first byte is aligned like `cudaMalloc`'s, to 256 bytes; nothing lies behind its last one.
///
/// ```
/// let mut memory = cute_sim::Memory::new();
/// let buffer = memory.upload(&[1.0f32, 2.0]);
/// assert_eq!(memory.download::<f32>(buffer), [1.0, 2.0]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Memory {
    pub(crate) buffers: Vec<Vec<u8>>,
}

/// A buffer of a [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Buffer(pub(crate) u32);

impl Memory {
    /// No buffers.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new buffer with these elements.
    pub fn upload<T: Element>(&mut self, elements: &[T]) -> Buffer {
        let mut bytes = Vec::with_capacity(elements.len() * T::BYTES);
        for e in elements {
            e.append_to(&mut bytes);
        }
        self.buffers.push(bytes);
        Buffer(self.buffers.len() as u32 - 1)
    }

    /// A new buffer of `len` elements whose bytes are all zero.
    pub fn zeroed<T: Element>(&mut self, len: usize) -> Buffer {
        self.buffers.push(vec![0; len * T::BYTES]);
        Buffer(self.buffers.len() as u32 - 1)
    }

    /// The buffer's bytes read as elements; a rest that fills no element is left out. A buffer of another memory that
    /// this one does not have reads as empty.
    pub fn download<T: Element>(&self, buffer: Buffer) -> Vec<T> {
        let bytes = self.buffers.get(buffer.0 as usize).map_or(&[][..], Vec::as_slice);
        bytes.chunks_exact(T::BYTES).map(T::read).collect()
    }
}
