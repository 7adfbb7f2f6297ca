//! Elements of less than a byte: packed in memory, and a byte each in rows and in files. It must
//! not know what their codes mean.

use std::borrow::Cow;

/// Bytes of memory for this number of elements of `bits`.
pub fn size(count: usize, bits: u32) -> usize {
    let bits = bits as usize;
    (count / 8).saturating_mul(bits).saturating_add((count % 8 * bits).div_ceil(8))
}

/// The memory of elements of `bits`, from a byte for each. The first element takes the lowest bits.
///
/// # Errors
/// Fails if a byte has more bits.
pub fn pack(codes: Vec<u8>, bits: u32) -> Result<Vec<u8>, String> {
    if bits >= 8 {
        return Ok(codes);
    }
    if let Some(i) = codes.iter().position(|code| code >> bits != 0) {
        return Err(format!("element {i} in memory is {:#x}, but elements have {bits} bits", codes[i]));
    }
    Ok(packed(&codes, bits).into_owned())
}

/// Like [`pack`], for codes of at most `bits`.
pub(crate) fn packed(codes: &[u8], bits: u32) -> Cow<'_, [u8]> {
    if bits >= 8 {
        return Cow::Borrowed(codes);
    }
    let mut memory = Vec::with_capacity(size(codes.len(), bits));
    for group in codes.chunks(8) {
        let word = group.iter().rev().fold(0u64, |word, code| word << bits | u64::from(*code));
        memory.extend_from_slice(&word.to_le_bytes()[..size(group.len(), bits)]);
    }
    Cow::Owned(memory)
}

/// A byte for each element of `bits` that lies in memory; the last byte may have unused bits.
pub fn unpack(memory: Vec<u8>, bits: u32) -> Vec<u8> {
    if bits >= 8 {
        return memory;
    }
    let group = |bytes: &[u8]| {
        let word = bytes.iter().rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        let codes = 8 * bytes.len() as u32 / bits;
        (0..codes).map(move |i| (word >> (i * bits) & ((1 << bits) - 1)) as u8).collect::<Vec<_>>()
    };
    memory.chunks(bits as usize).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_elements_are_unpacked_again() {
        for (bits, counts) in [(4, 0..33), (6, 0..33)] {
            for count in counts {
                let codes: Vec<u8> = (0..count).map(|i| (i * 37 + 11) as u8 & ((1 << bits) - 1)).collect();
                let memory = pack(codes.clone(), bits).unwrap();
                assert_eq!(memory.len(), (count * bits as usize).div_ceil(8), "{count} of {bits}");
                assert_eq!(unpack(memory, bits)[..count], codes, "{count} of {bits}");
            }
        }
        assert_eq!(pack(vec![0x1, 0x2, 0x3], 4), Ok(vec![0x21, 0x03]));
        assert_eq!(pack(vec![1, 2, 3, 4], 6), Ok(vec![0x81, 0x30, 0x10]));
        assert_eq!(pack(vec![1, 2], 8), Ok(vec![1, 2]));
        let error = pack(vec![0x3f, 0x40], 6).unwrap_err();
        assert_eq!(error, "element 1 in memory is 0x40, but elements have 6 bits");
    }
}
