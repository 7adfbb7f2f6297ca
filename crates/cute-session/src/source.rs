//! The text to compile.

use std::{iter, sync::OnceLock};

use cute_launch::{
    ptx::{is_ptx, without_end},
    recognise::NotPtx,
};

use crate::{
    error::{Error, Result},
    nesting,
};

/// A mark with which some editors begin UTF-8 text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The largest size of a text in bytes: enough for any module, and a limit for `/dev/zero`.
pub const MOST_BYTES: usize = 256 << 20;

/// A text and its name.
#[derive(Debug)]
pub struct Source {
    /// The name in locations and errors.
    pub name: String,
    /// The text that MLIR parses.
    pub text: String,
    /// Where each line of the text starts.
    lines: OnceLock<Vec<usize>>,
}

impl Source {
    /// The text in these bytes, without a byte order mark; that of PTX also without the NUL that
    /// ends it.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::NotText`], [`Error::Nul`] and [`Error::TooDeep`]; and an error
    /// of a launch for a source or a binary from which PTX can be had.
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        let file = name.into();
        if bytes.len() > MOST_BYTES {
            return Err(Error::TooLarge { file, most: MOST_BYTES });
        }
        if let Some(kind) = NotPtx::of(&bytes) {
            return Err(cute_launch::Error::NotPtx { file, kind: Some(kind) }.into());
        }
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                if is_ptx(&text) {
                    text.truncate(without_end(&text).len());
                }
                // A NUL would end the text for MLIR.
                if let Some(at) = text.find('\0') {
                    return Err(Error::Nul { file, at });
                }
                // The reader of PTX has limits of its own.
                let excess = if is_ptx(&text) { None } else { nesting::too_deep(&text) };
                if let Some((excess, line)) = excess {
                    let (most, what) = excess.limit();
                    return Err(Error::TooDeep { file, line, most, what });
                }
                let text = text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text);
                Ok(Self::of_text(file, text))
            }
            Err(e) => Err(Error::NotText { file, at: e.utf8_error().valid_up_to() }),
        }
    }

    /// A text and its name.
    pub fn of_text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), lines: OnceLock::new() }
    }

    /// The name of the value that is spelled at a place of the text; `None` for a number.
    pub fn value_name(&self, line: usize, column: usize) -> Option<&str> {
        let rest = self.line(line)?.get(column.checked_sub(1)?..)?.strip_prefix('%')?;
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"_$.-".contains(c));
        let name = &rest[..end.unwrap_or(rest.len())];
        name.starts_with(|c: char| !c.is_ascii_digit()).then_some(name)
    }

    /// A line, counted from 1.
    pub fn line(&self, number: usize) -> Option<&str> {
        let starts = self.lines.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        });
        self.text[*starts.get(number.checked_sub(1)?)?..].lines().next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_named_where_they_are_spelled() {
        let text = "gpu.func @k(%src: i32,\n  %a.b-1 : i32, %0: i32)";
        let s = Source::of_text("t", text);
        assert_eq!(s.value_name(1, 13), Some("src"));
        assert_eq!((s.value_name(2, 3), s.value_name(2, 17)), (Some("a.b-1"), None));
        assert_eq!((s.value_name(2, 4), s.value_name(9, 1), s.value_name(0, 0)), (None, None, None));
        assert_eq!((s.line(2), s.line(0)), (Some("  %a.b-1 : i32, %0: i32)"), None));
        let s = Source::of_text("t", "a\r\n\nb\n");
        assert_eq!([1, 2, 3, 4, 5].map(|n| s.line(n)), [Some("a"), Some(""), Some("b"), None, None]);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_where_they_are() {
        assert_eq!(Source::new("t", "\u{feff}a".into()).unwrap().text, "a");
        for (bytes, at) in [(&b"ab\0"[..], 2), (b"a\xffb", 1)] {
            let error = Source::new("t", bytes.into()).unwrap_err();
            assert!(
                matches!(error, Error::NotText { at: found, .. } | Error::Nul { at: found, .. } if found == at)
            );
        }
        for (bytes, what) in
            [(&b"\x7fELF"[..], "a binary file such as a cubin"), (b"__global__ void k();", "CUDA C++")]
        {
            let error = Source::new("t", bytes.into()).unwrap_err().to_string();
            assert!(error.starts_with(&format!("'t' is {what}, not PTX: ")), "{error}");
        }
        let ptx = |end: &str| Source::new("t", format!(".version 9.0\n{end}").into_bytes());
        assert_eq!(ptx("\0").unwrap().text, ".version 9.0\n");
        assert_eq!(ptx("\0;\0").unwrap_err().to_string(), "'t' has a NUL (byte 13), so it is not a text");
    }
}
