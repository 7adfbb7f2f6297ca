//! How deep a text nests. MLIR's parser calls itself for each level, and ends the process when the
//! stack is full.

/// The most levels of brackets that a text may have: far more than any module has, and few enough
/// for the stack of a thread.
pub(crate) const MOST: usize = 256;

/// The line of the first bracket that is nested too deep, counted from 1. Brackets in strings and
/// comments do not count.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut line, mut before) = (0usize, 1, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        line += usize::from(byte == b'\n');
        match byte {
            b'"' => {
                while let Some(inner) = bytes.next().filter(|inner| *inner != b'"') {
                    let skipped = if inner == b'\\' { bytes.next() } else { None };
                    line += usize::from(inner == b'\n' || skipped == Some(b'\n'));
                }
            }
            b'/' if before == b'/' => {
                let ends = bytes.by_ref().any(|inner| inner == b'\n');
                line += usize::from(ends);
            }
            b'(' | b'[' | b'{' | b'<' => {
                depth += 1;
                if depth > MOST {
                    return Some(line);
                }
            }
            // `->` closes nothing.
            b'>' if before == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = byte;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_nest_outside_of_strings_and_comments() {
        let open = "([{<".repeat(MOST / 4);
        assert_eq!(too_deep(&open), None);
        assert_eq!(too_deep(&format!("\n{open}\n(")), Some(3));
        assert_eq!(too_deep(&format!("{open})(")), None);
        assert_eq!(too_deep(&format!("{open} \"((\\\"(\n\" // ((\n -> ) (")), None);
        assert_eq!(too_deep(&format!("{open} \"((\\\"(\n\" // ((\n -> (")), Some(3));
        assert_eq!(too_deep("\"("), None);
    }
}
