//! The contents of an entry without their compression.

use super::container::{FatbinEntry, FatbinError, Packing};
use ruzstd::decoding::FrameDecoder;
use std::borrow::Cow;

/// The bytes of the code of an entry without compression, at most: a damaged size must not take the
/// memory of the machine.
pub const MOST_BYTES: u64 = 1 << 29;

/// The bytes that one byte of LZ4 stands for, at most.
const LZ4_RATIO: u64 = 255;

impl<'a> FatbinEntry<'a> {
    /// Its contents without compression.
    ///
    /// # Errors
    /// [`FatbinError`] if they are damaged, or too large.
    pub fn contents(&self) -> Result<Cow<'a, [u8]>, FatbinError> {
        let packing = self.packing();
        if packing == Packing::None {
            return Ok(Cow::Borrowed(self.stored));
        }
        if self.unpacked > MOST_BYTES {
            let (part, size) = ("the code of an entry", self.unpacked);
            return Err(FatbinError::TooLarge { part, size, most: MOST_BYTES });
        }
        let size = self.unpacked as usize;
        let entry = || self.to_string();
        let damaged = |why: String| FatbinError::Packed { entry: entry(), why };
        let (contents, method) = match packing {
            Packing::Lz4 => {
                if self.unpacked / LZ4_RATIO > self.stored.len() as u64 {
                    let stored = self.stored.len();
                    return Err(damaged(format!("{stored} bytes of LZ4 cannot stand for {size}")));
                }
                (lz4_flex::block::decompress(self.stored, size).map_err(|why| why.to_string()), "LZ4")
            }
            Packing::Zstd => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(MOST_BYTES);
                let mut contents = Vec::new();
                let done = decoder.init(self.stored).and_then(|()| {
                    // Most frames hold the size too; then nothing is allocated for another one.
                    let own = match decoder.content_size() {
                        0 => self.unpacked,
                        own => own.min(self.unpacked),
                    };
                    contents.reserve_exact(own as usize);
                    decoder.decode_all_to_vec(self.stored, &mut contents)
                });
                (done.map(|()| contents).map_err(|why| why.to_string()), "zstd")
            }
            Packing::None | Packing::Old => return Err(FatbinError::OldPacking { entry: entry() }),
        };
        let contents = contents.map_err(|why| damaged(format!("{method}: {why}")))?;
        if contents.len() != size {
            let found = contents.len();
            return Err(damaged(format!("{method} gives {found} bytes, but its header says {size}")));
        }
        Ok(Cow::Owned(contents))
    }

    /// Its contents as a text without the NUL behind it.
    ///
    /// # Errors
    /// [`FatbinError`] if they are damaged, too large, or not a text.
    pub fn text(&self) -> Result<Cow<'a, str>, FatbinError> {
        Ok(match self.contents()? {
            Cow::Borrowed(bytes) => Cow::Borrowed(text(bytes)?),
            Cow::Owned(bytes) => Cow::Owned(text(&bytes)?.to_owned()),
        })
    }
}

/// Bytes up to a NUL as a text.
pub(super) fn text(bytes: &[u8]) -> Result<&str, FatbinError> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).map_err(|why| FatbinError::Text { at: why.valid_up_to() })
}
