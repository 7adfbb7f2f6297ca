//! `.debug_str`: the texts that debugging information names.

use std::collections::HashMap;
use std::sync::OnceLock;

/// The section, which is read when a text of it is needed.
#[derive(Debug, Clone, Default)]
pub struct DebugStrings<'a> {
    section: &'a str,
    read: OnceLock<Read<'a>>,
}

#[derive(Debug, Clone, Default)]
struct Read<'a> {
    bytes: Vec<u8>,
    /// Where the bytes of a label begin.
    labels: HashMap<&'a str, usize>,
}

impl<'a> DebugStrings<'a> {
    /// The texts of a section: labels, and `.b8` with bytes, of which 0 ends a text.
    ///
    /// ```
    /// use cute_ptx::syntax::DebugStrings;
    ///
    /// let strings = DebugStrings::new("\n$L__info_string0:\n.b8 102,111\n.b8 111\n.b8 0\n");
    /// assert_eq!(strings.get("$L__info_string0", 0).as_deref(), Some("foo"));
    /// assert_eq!(strings.get("$L__info_string0", 1).as_deref(), Some("oo"));
    /// assert_eq!(strings.get("$L__info_string1", 0), None);
    /// ```
    pub fn new(section: &'a str) -> Self {
        DebugStrings { section, read: OnceLock::new() }
    }

    /// The text that begins at a number of bytes after a label; `None` if there is none, or it is
    /// empty.
    pub fn get(&self, label: &str, offset: u64) -> Option<String> {
        let Read { bytes, labels } = self.read.get_or_init(|| read(self.section));
        let from = labels.get(label)?.checked_add(usize::try_from(offset).ok()?)?;
        let text = bytes.get(from..)?.split(|byte| *byte == 0).next()?;
        (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
    }
}

fn read(section: &str) -> Read<'_> {
    let mut all = Read::default();
    for line in section.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            all.labels.insert(label, all.bytes.len());
        } else if let Some(bytes) = line.strip_prefix(".b8") {
            all.bytes.extend(bytes.split(',').filter_map(|byte| byte.trim().parse::<u8>().ok()));
        }
    }
    all
}
