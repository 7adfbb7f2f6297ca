//! Unpacks LZMA, as WebAssembly without imports. Browsers unpack gzip alone, with which the page
//! would be a third larger. It must not know what is packed.
//!
//! | export | meaning |
//! |---|---|
//! | `unpack()` | answers a request that is a file of the format `.lzma` with what is packed in it, or with nothing if it is broken |

#![deny(missing_docs)]

/// Unpacks the request.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn unpack() -> usize {
    cute_exchange::answer(unpacked)
}

fn unpacked(mut packed: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    match lzma_rs::lzma_decompress(&mut packed, &mut all) {
        Ok(()) => all,
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::unpacked;

    #[test]
    fn what_was_packed_is_unpacked() {
        let text = "layouts and kernels, ".repeat(1000);
        let mut packed = Vec::new();
        lzma_rs::lzma_compress(&mut text.as_bytes(), &mut packed).expect("memory is written to");
        assert_eq!(unpacked(&packed), text.as_bytes());
        assert_eq!(unpacked(b"no archive"), b"");
        assert_eq!(unpacked(b""), b"");
    }
}
