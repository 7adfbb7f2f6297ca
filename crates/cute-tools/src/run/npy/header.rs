//! The header of a `.npy` file: a dictionary as Python writes it, with the type of the elements,
//! the order in which they lie, and the extents (numpy.lib.format).
//!
//! ```text
//! "\x93NUMPY" 1 0 LENGTH {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }    \n
//! ```
//!
//! LENGTH has 2 bytes in version 1 of the format, and 4 in versions 2 and 3.

use std::{fmt::Display, str::from_utf8};

const MAGIC: &[u8] = b"\x93NUMPY";

/// The most bytes of the text of a header.
pub const MOST: u64 = 1 << 16;

/// Elements begin at a multiple of this number of bytes in what is written.
const ALIGNMENT: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The type string, such as `<f4`.
    pub ty: String,
    pub is_row_major: bool,
    pub shape: Vec<usize>,
    /// The byte of the file at which the elements begin.
    pub start: usize,
}

impl Header {
    /// Reads the start of a file.
    ///
    /// # Errors
    /// The words that follow the name of the file.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let (length, before) = match bytes.strip_prefix(MAGIC) {
            Some([1, _, a, b, ..]) => (u16::from_le_bytes([*a, *b]).into(), 10),
            Some([2 | 3, _, a, b, c, d, ..]) => (u32::from_le_bytes([*a, *b, *c, *d]), 12),
            Some([] | [_] | [1..=3, ..]) => return Err("ends within its header".into()),
            Some([major, minor, ..]) => {
                return Err(format!(
                    "is of version {major}.{minor} of the format, of which 1 to 3 are known"
                ));
            }
            _ => return Err("is not a .npy file".into()),
        };
        if u64::from(length) > MOST {
            return Err(format!("has a header of {length} bytes, more than {MOST}"));
        }
        let start = before + length as usize;
        let text = bytes.get(before..start).ok_or("ends within its header")?;
        let text = from_utf8(text).map_err(|_| "has a header that is not text")?;
        Text { text, rest: text }.dictionary(start)
    }

    /// The bytes of a file before its elements, wherever they begin in this one.
    pub fn bytes(&self) -> Vec<u8> {
        let Self { ty, is_row_major, shape, .. } = self;
        let order = if *is_row_major { "False" } else { "True" };
        let mut extents = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if shape.len() == 1 {
            extents += ",";
        }
        let mut text = format!("{{'descr': '{ty}', 'fortran_order': {order}, 'shape': ({extents}), }}");
        let is_short = text.len() + ALIGNMENT <= usize::from(u16::MAX);
        let before = MAGIC.len() + if is_short { 4 } else { 6 };
        // The text ends with a line feed.
        let end = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
        text += &" ".repeat(end - before - text.len() - 1);
        text.push('\n');
        let length = (text.len() as u32).to_le_bytes();
        let (version, length) = if is_short { (1, &length[..2]) } else { (2, &length[..]) };
        [MAGIC, &[version, 0], length, text.as_bytes()].concat()
    }
}

/// The text of a header, and what is left of it.
struct Text<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Text<'a> {
    fn dictionary(mut self, start: usize) -> Result<Header, String> {
        let (mut ty, mut order, mut shape) = (None, None, None);
        self.expect('{')?;
        while !self.takes('}') {
            let key = self.string()?;
            self.expect(':')?;
            match key {
                "descr" if self.starts(['[', '(']) => {
                    return Err("has elements with several fields, which is not supported".into());
                }
                "descr" => ty = Some(self.string()?.to_owned()),
                "fortran_order" => order = Some(self.truth()?),
                "shape" => shape = Some(self.extents()?),
                _ => return Err(self.wrong(format!("the key '{key}'"))),
            }
            if !self.takes(',') && !self.starts(['}', '}']) {
                return Err(self.wrong("neither ',' nor '}'"));
            }
        }
        let (Some(ty), Some(column_major), Some(shape)) = (ty, order, shape) else {
            return Err("has a header without 'descr', 'fortran_order' or 'shape'".into());
        };
        Ok(Header { ty, is_row_major: !column_major, shape, start })
    }

    fn wrong(&self, found: impl Display) -> String {
        let at = self.text.len() - self.rest.len();
        format!("has a header with {found} at byte {at} of its text")
    }

    fn starts(&mut self, with: [char; 2]) -> bool {
        self.rest = self.rest.trim_start();
        self.rest.starts_with(with)
    }

    fn takes(&mut self, c: char) -> bool {
        self.rest = self.rest.trim_start();
        let rest = self.rest.strip_prefix(c);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, c: char) -> Result<(), String> {
        if self.takes(c) { Ok(()) } else { Err(self.wrong(format!("no '{c}'"))) }
    }

    /// A string without escapes, of which no key and no type has any.
    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.starts(['"', '"']) { '"' } else { '\'' };
        self.expect(quote)?;
        let (string, rest) = self.rest.split_once(quote).ok_or_else(|| self.wrong("an open string"))?;
        self.rest = rest;
        Ok(string)
    }

    fn truth(&mut self) -> Result<bool, String> {
        let words = [("True", true), ("False", false)];
        self.rest = self.rest.trim_start();
        let found = words.into_iter().find_map(|(word, value)| Some((self.rest.strip_prefix(word)?, value)));
        let (rest, value) = found.ok_or_else(|| self.wrong("neither True nor False"))?;
        self.rest = rest;
        Ok(value)
    }

    /// A tuple of numbers. Python 2 wrote `3L`.
    fn extents(&mut self) -> Result<Vec<usize>, String> {
        let mut extents = Vec::new();
        self.expect('(')?;
        while !self.takes(')') {
            self.rest = self.rest.trim_start();
            let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
            let (digits, rest) = self.rest.split_at(end);
            if digits.is_empty() {
                return Err(self.wrong("no extent"));
            }
            extents.push(digits.parse().map_err(|_| BEYOND)?);
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            if !self.takes(',') && !self.starts([')', ')']) {
                return Err(self.wrong("neither ',' nor ')'"));
            }
        }
        Ok(extents)
    }
}

/// The words about an array that no memory holds.
pub const BEYOND: &str = "has more bytes than there are addresses";

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> Vec<u8> {
        [MAGIC, &[1, 0], &(text.len() as u16).to_le_bytes(), text.as_bytes()].concat()
    }

    #[test]
    fn headers_are_read_as_python_reads_them() {
        let read = |text: &str| Header::read(&file(text)).unwrap();
        let expected = |shape: &[usize], start| Header {
            ty: "<f4".into(),
            is_row_major: false,
            shape: shape.to_vec(),
            start,
        };
        for (text, shape) in [
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }  \n", &[2, 3][..]),
            ("{\"shape\":(2,3,),\"fortran_order\":True,\"descr\":\"<f4\"}", &[2, 3]),
            ("{'shape': (3L,), 'descr': '<f4', 'fortran_order': True}", &[3]),
            ("{'shape': (), 'descr': '<f4', 'fortran_order': True}", &[]),
        ] {
            assert_eq!(read(text), expected(shape, 10 + text.len()), "{text}");
        }
        let text = "{'shape': (7,), 'descr': '<f4', 'fortran_order': True}";
        let wide = [MAGIC, &[3, 0], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        assert_eq!(Header::read(&wide).unwrap(), expected(&[7], 12 + text.len()));
    }

    #[test]
    fn headers_are_written_as_numpy_writes_them() {
        let header = |shape: &[usize]| {
            let header = Header { ty: "<f4".into(), is_row_major: true, shape: shape.to_vec(), start: 128 };
            let bytes = header.bytes();
            assert_eq!(Header::read(&bytes), Ok(header));
            let text = from_utf8(&bytes[10..]).unwrap().trim_end_matches([' ', '\n']).to_owned();
            assert!(bytes.starts_with(b"\x93NUMPY\x01\x00v\x00") && bytes.len() == 128);
            text
        };
        assert_eq!(header(&[]), "{'descr': '<f4', 'fortran_order': False, 'shape': (), }");
        assert_eq!(header(&[7]), "{'descr': '<f4', 'fortran_order': False, 'shape': (7,), }");
        assert_eq!(header(&[2, 3]), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
        // More extents than version 1 of the format has bytes for, and than are read.
        let long = Header { ty: "<f4".into(), is_row_major: true, shape: vec![1; 30_000], start: 0 }.bytes();
        assert!(long.starts_with(b"\x93NUMPY\x02\x00") && long.len().is_multiple_of(64));
        let why = format!("has a header of {} bytes, more than 65536", long.len() - 12);
        assert_eq!(Header::read(&long), Err(why));
    }

    #[test]
    fn what_is_no_header_is_refused() {
        let says = |bytes: &[u8]| Header::read(bytes).unwrap_err();
        assert_eq!(says(b"text"), "is not a .npy file");
        assert_eq!(
            says(b"\x93NUMPY\x09\x00\x00\x00"),
            "is of version 9.0 of the format, of which 1 to 3 are known"
        );
        assert_eq!(says(MAGIC), "ends within its header");
        assert_eq!(says(&file("{}")[..9]), "ends within its header");
        assert_eq!(says(&file("{}")[..11]), "ends within its header");
        assert_eq!(says(&file("\u{fffd}")[..12]), "ends within its header");
        assert_eq!(says(b"\x93NUMPY\x01\x00\x01\x00\xff"), "has a header that is not text");
        let long = [MAGIC, &[2, 0], &70_000u32.to_le_bytes()].concat();
        assert_eq!(says(&long), "has a header of 70000 bytes, more than 65536");
        for (text, why) in [
            ("{}", "has a header without 'descr', 'fortran_order' or 'shape'"),
            ("{'descr': '<f4'", "has a header with neither ',' nor '}' at byte 15 of its text"),
            ("{'descr': '<f4", "has a header with an open string at byte 11 of its text"),
            ("{'descr': [('a', '<f4')], }", "has elements with several fields, which is not supported"),
            ("{'order': True}", "has a header with the key 'order' at byte 9 of its text"),
            ("{'fortran_order': 1}", "has a header with neither True nor False at byte 18 of its text"),
            ("{'shape': (-1,)}", "has a header with no extent at byte 11 of its text"),
            ("{'shape': 3}", "has a header with no '(' at byte 10 of its text"),
            ("{'shape': (99999999999999999999,)}", BEYOND),
            ("[", "has a header with no '{' at byte 0 of its text"),
        ] {
            assert_eq!(says(&file(text)), why, "{text}");
        }
        // Brackets nest as deep as they like: nothing follows them.
        let nested = format!("{{'descr': {}}}", "[(".repeat(10_000));
        assert_eq!(says(&file(&nested)), "has elements with several fields, which is not supported");
    }
}
