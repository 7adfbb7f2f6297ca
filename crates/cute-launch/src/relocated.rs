//! `bytes(params.bin){16:&A,40:&B+64}`: bytes that are given, in which some are replaced by
//! addresses, tensor maps and numbers.

use crate::{
    element::unsigned,
    hole::Hole,
    structure::{self, StructField, Structure},
};
use std::fmt;

/// Bytes, and what replaces some of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Relocated {
    /// As it was written.
    text: String,
    /// Where the bytes come from.
    pub source: Source,
    holes: Vec<(u64, String, Hole)>,
    /// Numbers, as their bytes.
    numbers: Vec<(u64, String, Vec<u8>)>,
}

/// The origin of bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// All of a file.
    File(String),
    /// The text has them.
    Bytes(Vec<u8>),
}

const FORM: &str = "write bytes(FILE) or bytes(0x00ff..), followed by places in bytes and what they get, where needed, such as \
                    bytes(params.bin){16:&A,40:&B+64,48:i32=5,64:tensor_map(A,box=64x32)}";

/// Reads a text; `None` if it does not begin with `bytes(`.
///
/// # Errors
/// The part that cannot be read.
pub fn parse(text: &str) -> Option<Result<Relocated, String>> {
    let rest = text.strip_prefix("bytes(")?;
    Some(read(text, rest).map_err(|why| format!("{why}; {FORM}")))
}

fn read(text: &str, rest: &str) -> Result<Relocated, String> {
    let (source, rest) = rest.split_once(')').ok_or_else(|| format!("'{text}' has no )"))?;
    let source = match source.trim().strip_prefix("0x") {
        Some(digits) => Source::Bytes(hexadecimal(digits)?),
        None if source.trim().is_empty() => return Err("the file is missing".into()),
        None => Source::File(source.trim().into()),
    };
    let (mut holes, mut numbers) = (Vec::new(), Vec::new());
    let rest = rest.trim();
    if !rest.is_empty() {
        let inside = rest.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let inside = inside.ok_or_else(|| format!("'{rest}' does not begin with {{ and end with }}"))?;
        for part in structure::parts(inside)? {
            let (at, text) = place(part.trim())?;
            match structure::hole(&text) {
                Some(hole) => holes.push((at, text, hole?)),
                None => match structure::field(&text, 0) {
                    Ok(StructField::Bytes(_, bytes)) => numbers.push((at, text, bytes)),
                    _ => return Err(format!("'{text}' is not &ARRAY, tensor_map(..) or TYPE=NUMBER")),
                },
            }
        }
    }
    Ok(Relocated { text: text.into(), source, holes, numbers })
}

/// The place of `16:&A`, and what comes there.
fn place(part: &str) -> Result<(u64, String), String> {
    let (at, text) = part.split_once(':').ok_or_else(|| format!("'{part}' is not OFFSET:&ARRAY"))?;
    let at = unsigned(at.trim()).ok_or_else(|| format!("'{at}' is not a number of bytes"))?;
    Ok((at, text.trim().into()))
}

/// The bytes that pairs of digits stand for.
fn hexadecimal(digits: &str) -> Result<Vec<u8>, String> {
    let wrong = || format!("'0x{digits}' does not have two hexadecimal digits for each byte");
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| wrong());
    (0..digits.len()).step_by(2).map(byte).collect()
}

impl fmt::Display for Relocated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Relocated {
    /// The bytes with their holes. `read` reads a file.
    ///
    /// # Errors
    /// A file that cannot be read, or a place that bytes cannot be replaced at.
    pub(crate) fn structure(
        self,
        read: impl FnOnce(&str) -> Result<Vec<u8>, String>,
    ) -> Result<Structure, String> {
        let mut bytes = match self.source {
            Source::File(file) => read(&file)?,
            Source::Bytes(bytes) => bytes,
        };
        for (at, text, number) in self.numbers {
            let own =
                usize::try_from(at).ok().and_then(|at| bytes.get_mut(at..at.checked_add(number.len())?));
            let Some(own) = own else {
                return Err(format!("{text} at byte {at} is not all among the {} bytes", bytes.len()));
            };
            own.copy_from_slice(&number);
        }
        let mut whole = Structure::of_bytes(&self.text, bytes);
        for (at, text, hole) in self.holes {
            whole.replace(at, &text, hole)?;
        }
        Ok(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{address::Located, element::Element};

    fn words(text: &str) -> Result<Vec<u64>, String> {
        let of = |name, address| {
            let (element, shape) = (Element::F32, &[64usize, 64][..]);
            Located { name, rows: None, element, shape, size: 16384, address }
        };
        let whole = parse(text).expect("it is bytes")?;
        let read = |file: &str| match file {
            "p.bin" => Ok((0..192).map(|byte| byte as u8).collect()),
            other => Err(format!("there is no '{other}'")),
        };
        whole.structure(read)?.words(&[of("A", 0x1000), of("B", 0x2000)])
    }

    #[test]
    fn bytes_are_replaced_at_their_places() {
        assert_eq!(words("bytes(0x0102)"), Ok(vec![0x201]));
        assert_eq!(words("bytes(0xffffffffffffffff11){0:&A+16}"), Ok(vec![0x1010, 0x11]));
        let file = words("bytes( p.bin ){16:&A, 0x28:&B+64,64:tensor_map(B,box=8x32)}").unwrap();
        assert_eq!((file[0], file[1]), (0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908));
        let numbers = words("bytes(p.bin){4:i32=-2,16:u8=7}").unwrap();
        assert_eq!((numbers[0], numbers[2]), (0xffff_fffe_0302_0100, 0x1716_1514_1312_1107));
        assert_eq!((file[2], file[5], file[8], file.len()), (0x1000, 0x2040, 0x2000, 24));
    }

    #[test]
    fn wrong_places_are_named() {
        for (text, why) in [
            ("bytes(p.bin", "'bytes(p.bin' has no )"),
            ("bytes()", "the file is missing; write bytes(FILE)"),
            ("bytes(0x012)", "'0x012' does not have two hexadecimal digits for each byte"),
            ("bytes(0x0g)", "'0x0g' does not have two hexadecimal digits"),
            ("bytes(q.bin)", "there is no 'q.bin'"),
            ("bytes(p.bin)16:&A", "'16:&A' does not begin with { and end with }"),
            ("bytes(p.bin){16}", "'16' is not OFFSET:&ARRAY"),
            ("bytes(p.bin){x:&A}", "'x' is not a number of bytes"),
            ("bytes(p.bin){-8:&A}", "'-8' is not a number of bytes"),
            ("bytes(p.bin){16:5}", "'5' is not &ARRAY, tensor_map(..) or TYPE=NUMBER"),
            ("bytes(p.bin){190:i32=5}", "i32=5 at byte 190 is not all among the 192 bytes"),
            ("bytes(p.bin){12:&A}", "&A is at byte 12, but its place must be a multiple of 8"),
            ("bytes(p.bin){8:tensor_map(A,box=8x8)}", "its place must be a multiple of 64"),
            ("bytes(p.bin){192:&A}", "&A at byte 192 has 8 bytes, which are not all among the 192 bytes"),
            ("bytes(p.bin){0xfffffffffffffff8:&A}", "are not all among the 192 bytes"),
            ("bytes(p.bin){16:&A,16:&B}", "&B at byte 16 replaces bytes that &A at byte 16 replaces already"),
            ("bytes(p.bin){64:tensor_map(A,box=8x8),72:&B}", "replaces already"),
            ("bytes(p.bin){16:&C}", "no array has the name 'C'; the arrays are: A, B"),
            ("bytes(p.bin){16:&A+16385}", "&A+16385 is beyond its array, which has 16384 bytes"),
        ] {
            let found = words(text).unwrap_err();
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
