//! Programs as files: what the loader will do with one.

use std::{fs::File, io, os::unix::fs::FileExt, path::Path};

/// An ELF file for 64-bit machines.
#[derive(Debug)]
pub(super) struct Elf {
    file: File,
    size: u64,
    /// The machine, as `e_machine` has it.
    pub(super) machine: u16,
    /// Whether it asks for a loader. A static program does not.
    pub(super) is_dynamic: bool,
    /// The libraries that the loader is to load.
    pub(super) needed: Vec<String>,
}

/// `e_machine` of this machine.
pub(super) const MACHINE: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };

const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const INTERPRETER: u32 = 3;

/// Tables longer than this are not a program's.
const MOST: u64 = 1 << 24;

impl Elf {
    /// Reads the headers of a file; `None` if it is not such a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn read(path: &Path) -> io::Result<Option<Self>> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut elf = Self { file, size, machine: 0, is_dynamic: false, needed: Vec::new() };
        let Some(header) = elf.bytes(0, 64) else { return Ok(None) };
        // 64 bits, the least significant byte first.
        if !header.starts_with(b"\x7fELF\x02\x01") {
            return Ok(None);
        }
        elf.machine = u16_at(&header, 18);
        let (start, length, count) =
            (u64_at(&header, 32), u16_at(&header, 54).max(56), u64::from(u16_at(&header, 56)));
        let table = elf.bytes(start, u64::from(length) * count).unwrap_or_default();
        let segments: Vec<_> = table.chunks_exact(length.into()).map(Segment::read).collect();
        elf.is_dynamic = segments.iter().any(|segment| segment.kind == INTERPRETER);
        elf.needed = elf.needed(&segments).unwrap_or_default();
        Ok(Some(elf))
    }

    /// The names in entries `DT_NEEDED` (1), which are offsets into the table at `DT_STRTAB` (5),
    /// whose size is `DT_STRSZ` (10).
    fn needed(&self, segments: &[Segment]) -> Option<Vec<String>> {
        let dynamic = segments.iter().find(|segment| segment.kind == DYNAMIC)?;
        let entries = self.bytes(dynamic.offset, dynamic.size)?;
        let entries: Vec<_> = entries.chunks_exact(16).map(|e| (u64_at(e, 0), u64_at(e, 8))).collect();
        let value = |tag: u64| entries.iter().find(|(found, _)| *found == tag).map(|(_, value)| *value);
        let (address, size) = (value(5)?, value(10)?);
        let inside = |segment: &&Segment| {
            segment.kind == LOAD
                && (segment.address..segment.address.saturating_add(segment.size)).contains(&address)
        };
        let segment = segments.iter().find(inside)?;
        let names = self.bytes(segment.offset.checked_add(address - segment.address)?, size)?;
        let needed = entries.iter().filter(|(tag, _)| *tag == 1);
        Some(needed.filter_map(|(_, at)| text_at(&names, *at)).collect())
    }

    /// Whether there is a section of this name.
    pub(super) fn has_section(&self, name: &str) -> bool {
        self.section_names().is_some_and(|all| all.iter().any(|found| found == name))
    }

    fn section_names(&self) -> Option<Vec<String>> {
        let header = self.bytes(0, 64)?;
        let (start, length, count) =
            (u64_at(&header, 40), u16_at(&header, 58).max(64), u64::from(u16_at(&header, 60)));
        let table = self.bytes(start, u64::from(length) * count)?;
        let sections: Vec<_> = table.chunks_exact(length.into()).collect();
        let names = sections.get(usize::from(u16_at(&header, 62)))?;
        let names = self.bytes(u64_at(names, 24), u64_at(names, 32))?;
        Some(sections.iter().filter_map(|s| text_at(&names, u32_at(s, 0).into())).collect())
    }

    /// Whether all of these bytes occur, each somewhere in the file.
    pub(super) fn contains(&self, all: &[&[u8]]) -> bool {
        const PART: u64 = 1 << 20;
        let mut missing = all.to_vec();
        let overlap = all.iter().map(|text| text.len()).max().unwrap_or(0) as u64;
        let mut at = 0;
        while at < self.size && !missing.is_empty() {
            let Some(part) = self.bytes(at, (PART + overlap).min(self.size - at)) else { return false };
            missing.retain(|text| !part.windows(text.len()).any(|window| window == *text));
            at += PART;
        }
        missing.is_empty()
    }

    /// Bytes of the file, if it has them.
    fn bytes(&self, at: u64, length: u64) -> Option<Vec<u8>> {
        let fits = length <= MOST && at.checked_add(length).is_some_and(|end| end <= self.size);
        let mut bytes = vec![0; if fits { usize::try_from(length).ok()? } else { return None }];
        self.file.read_exact_at(&mut bytes, at).ok()?;
        Some(bytes)
    }
}

/// A program header.
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

impl Segment {
    fn read(bytes: &[u8]) -> Self {
        Self {
            kind: u32_at(bytes, 0),
            offset: u64_at(bytes, 8),
            address: u64_at(bytes, 16),
            size: u64_at(bytes, 32),
        }
    }
}

fn text_at(table: &[u8], at: u64) -> Option<String> {
    let text = table.get(usize::try_from(at).ok()?..)?;
    let end = text.iter().position(|byte| *byte == 0)?;
    Some(String::from_utf8_lossy(&text[..end]).into_owned())
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use std::env;

    use super::*;

    #[test]
    fn this_program_is_a_dynamic_one() {
        let elf = Elf::read(&env::current_exe().expect("a name")).expect("it is read").expect("an ELF file");
        assert!(elf.is_dynamic && elf.machine == MACHINE);
        assert!(elf.needed.iter().any(|name| name == "libc.so.6"), "{:?}", elf.needed);
        assert!(elf.has_section(".text") && !elf.has_section(".nv_fatbin"));
        assert!(elf.contains(&[b"\x7fELF", b".dynamic\0"]));
        let absent: Vec<u8> = b"no file has this".iter().rev().map(|byte| byte ^ 0x55).collect();
        assert!(!elf.contains(&[b"\x7fELF", &absent]));
    }

    /// No header that is cut or changed is a crash.
    #[test]
    fn broken_headers_are_read() {
        let whole = std::fs::read(env::current_exe().expect("a name")).expect("it is read");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("p");
        for (length, byte) in
            [(0, 0), (5, 0), (64, 32), (100, 54), (4096, 40), (4096, 56), (4096, 61), (4096, 58)]
        {
            let mut bytes = whole[..length].to_vec();
            if let Some(byte) = bytes.get_mut(byte) {
                *byte ^= 0xff;
            }
            std::fs::write(&path, bytes).expect("it is written");
            let elf = Elf::read(&path).expect("it is read");
            elf.inspect(|elf| assert!(!elf.has_section(".nv_fatbin")));
        }
    }
}
