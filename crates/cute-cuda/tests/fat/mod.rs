//! Fat binaries that tests write.

/// An entry.
#[derive(Clone)]
pub struct Part {
    pub kind: u16,
    pub number: u32,
    pub flags: u64,
    pub unpacked: u64,
    pub stored: Vec<u8>,
}

/// An entry for an architecture such as `90a`.
pub fn entry(kind: u16, code: &str, stored: &[u8]) -> Part {
    let number = code.trim_end_matches(['a', 'f']);
    let suffix = match code.strip_prefix(number) {
        Some("a") => 1 << 20,
        Some("f") => 1 << 21,
        _ => 0,
    };
    let number = number.parse().expect("a number");
    Part { kind, number, flags: 0x11 | suffix, unpacked: 0, stored: stored.to_vec() }
}

/// PTX without compression.
pub fn text(code: &str, text: &str) -> Part {
    entry(1, code, text.as_bytes())
}

/// A fat binary.
pub fn container(parts: &[Part]) -> Vec<u8> {
    let mut entries = Vec::new();
    for part in parts {
        let size = part.stored.len().next_multiple_of(8);
        entries.extend(part.kind.to_le_bytes());
        entries.extend(0x101u16.to_le_bytes());
        entries.extend(64u32.to_le_bytes());
        entries.extend((size as u64).to_le_bytes());
        entries.extend((part.stored.len() as u32).to_le_bytes());
        entries.extend([0; 8]);
        entries.extend(part.number.to_le_bytes());
        entries.extend([0; 8]);
        entries.extend(part.flags.to_le_bytes());
        entries.extend([0; 8]);
        entries.extend(part.unpacked.to_le_bytes());
        entries.extend(&part.stored);
        entries.extend(vec![0; size - part.stored.len()]);
    }
    let mut all = 0xba55_ed50u32.to_le_bytes().to_vec();
    all.extend(1u16.to_le_bytes());
    all.extend(16u16.to_le_bytes());
    all.extend((entries.len() as u64).to_le_bytes());
    all.extend(entries);
    all
}
