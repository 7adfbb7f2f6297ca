//! The element types of buffers.

use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
}

/// A type with the same bytes on host and device (both little-endian).
pub trait Element: Copy + sealed::Sealed {
    /// Bytes of one element.
    const BYTES: usize;
    /// Appends the element's bytes.
    fn append_to(self, bytes: &mut Vec<u8>);
    /// The element with these bytes; missing bytes are zero.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($t:ty),*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {
            const BYTES: usize = size_of::<$t>();
            fn append_to(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                for (to, from) in own.iter_mut().zip(bytes) {
                    *to = *from;
                }
                <$t>::from_le_bytes(own)
            }
        }
    )*};
}

elements!(i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64);
