//! The code that nvcc puts into a program: fat binaries, and the PTX in them.

use cute_arch::Target;

/// The PTX of a fat binary for a device.
///
/// # Errors
/// Why there is none.
pub fn text_for(image: usize, _: Target) -> Result<String, String> {
    // SAFETY: provisional.
    unsafe {
        let words = image as *const u32;
        let mut header = image as *const u8;
        if *words == 0x4662_43b1 {
            header = *(image as *const *const u8).add(1);
        }
        let skip = (header.add(6) as *const u16).read_unaligned() as usize;
        let size = (header.add(8) as *const u64).read_unaligned() as usize;
        let mut at = header.add(skip);
        let end = at.add(size);
        while at < end {
            let kind = (at as *const u16).read_unaligned();
            let head = (at.add(4) as *const u32).read_unaligned() as usize;
            let bytes = (at.add(8) as *const u64).read_unaligned() as usize;
            if kind == 1 {
                let text = std::slice::from_raw_parts(at.add(head), bytes);
                return Ok(String::from_utf8_lossy(text).trim_end_matches('\0').to_owned());
            }
            at = at.add(head + bytes);
        }
        Err("there is no PTX".into())
    }
}
