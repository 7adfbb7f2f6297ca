//! `{&A+16,i32=5,f32=1.0,tensor_map(A,box=64x64)}`: a parameter by value, laid out as C lays out a
//! struct, with addresses of arrays in it.

use crate::{
    address::{self, Located},
    argument::{self, Spec, Values},
    hole::{self, Hole},
    map,
};
use cute_assembler::module::MOST_BYTES;

/// The bytes of a struct, with places for what depends on where arrays lie.
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    /// As it was written.
    pub text: String,
    bytes: Vec<u8>,
    align: usize,
    holes: Vec<(usize, Hole)>,
    /// Fields with their places, for errors.
    fields: Vec<(usize, String)>,
    /// Whether the places follow from the types of the fields.
    is_laid_out: bool,
    /// Otherwise, the bytes that are replaced.
    replaced: Vec<Replaced>,
}

/// Bytes that are replaced.
#[derive(Debug, Clone, PartialEq)]
struct Replaced {
    at: usize,
    size: usize,
    text: String,
}

/// A field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub enum StructField {
    /// These bytes, with their alignment.
    Bytes(usize, Vec<u8>),
    /// An address or a tensor map.
    Hole(Hole),
    /// A struct within the struct.
    Structure(Structure),
}

const FORM: &str = "write the fields in their order, each as &ARRAY, &ARRAY+BYTES, null, TYPE=NUMBER, TYPE[COUNT]=NUMBER, \
                    tensor_map(ARRAY,box=..) or {..}, such as {&A+16,i32=5,f32=1.0}";

/// The deepest nesting of structs.
const DEEPEST: usize = 32;

/// Reads the text of a struct; `None` if it does not begin with a brace.
///
/// # Errors
/// The field that cannot be read.
pub fn parse(text: &str) -> Option<Result<Structure, String>> {
    text.trim().starts_with('{').then(|| read(text.trim(), 0).map_err(|why| format!("{why}; {FORM}")))
}

fn read(text: &str, depth: usize) -> Result<Structure, String> {
    if depth > DEEPEST {
        return Err(format!("structs are nested more than {DEEPEST} deep"));
    }
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let inside = inside.ok_or_else(|| format!("'{text}' does not end with }}"))?;
    let fields = parts(inside)?.into_iter().map(str::trim);
    let fields = fields.map(|text| Ok((text.to_owned(), field(text, depth)?)));
    Ok(Structure::of_fields(text, fields.collect::<Result<Vec<_>, String>>()?))
}

/// The fields: texts between commas that no bracket contains.
pub(crate) fn parts(text: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut open, mut from) = (Vec::new(), Vec::new(), 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' => {
                let is_own = |before: char| matches!((before, c), ('(', ')') | ('[', ']') | ('{', '}'));
                open.pop()
                    .filter(|before| is_own(*before))
                    .ok_or_else(|| format!("'{c}' closes nothing in '{text}'"))?;
            }
            ',' if open.is_empty() => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    match open.last() {
        Some(c) => Err(format!("'{c}' is not closed in '{text}'")),
        None => {
            parts.push(&text[from..]);
            Ok(parts)
        }
    }
}

/// Reads a field.
pub(crate) fn field(text: &str, depth: usize) -> Result<StructField, String> {
    if text.starts_with('{') {
        return read(text, depth + 1).map(StructField::Structure);
    }
    if let Some(hole) = hole(text) {
        return hole.map(StructField::Hole);
    }
    match argument::parse(text) {
        Ok((None, Spec::Null)) => Ok(StructField::Bytes(8, vec![0; 8])),
        Ok((None, Spec::Scalar(Some(element), number))) if element.bits() >= 8 => {
            let bits = argument::bits(element, &number)?;
            Ok(StructField::Bytes(element.bytes(), bits.to_le_bytes()[..element.bytes()].to_vec()))
        }
        Ok((None, Spec::Array { element, shape, values, .. }))
            if element.bits() >= 8
                && !matches!(values, Values::File(_) | Values::Addresses(_) | Values::Undefined) =>
        {
            let count: usize = shape.iter().product();
            let size = count * element.bytes();
            if size as u64 > MOST_BYTES {
                return Err(format!("'{text}' has {size} bytes, but parameters have at most {MOST_BYTES}"));
            }
            Ok(StructField::Bytes(element.bytes(), argument::bytes(element, count, &values)?))
        }
        Ok((None, Spec::Scalar(None, number))) => {
            Err(format!("'{number}' has no type: write it as i32={number}, for example"))
        }
        _ => Err(format!("'{text}' is not a field")),
    }
}

/// Reads an address or a tensor map; `None` if a text does not begin like one.
pub(crate) fn hole(text: &str) -> Option<Result<Hole, String>> {
    match address::parse(text) {
        Some(address) => Some(address.map(Hole::Address)),
        None => Some(map::parse(text)?.map(Hole::Map)),
    }
}

impl Structure {
    /// A struct of these fields with their texts, each at the next place that it may have in C.
    pub fn of_fields(text: &str, fields: Vec<(String, StructField)>) -> Self {
        let mut whole = Self::of_bytes(text, Vec::new());
        whole.is_laid_out = true;
        for (text, field) in fields {
            whole.push(text, field);
        }
        whole.pad(whole.align);
        whole
    }

    /// Bytes that are given, of which [some](Self::replace) may then be replaced.
    pub fn of_bytes(text: &str, bytes: Vec<u8>) -> Self {
        let (holes, fields, replaced) = (Vec::new(), Vec::new(), Vec::new());
        Self { text: text.into(), bytes, align: 1, holes, fields, is_laid_out: false, replaced }
    }

    fn pad(&mut self, align: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(align), 0);
    }

    fn push(&mut self, text: String, field: StructField) {
        let align = match &field {
            StructField::Bytes(align, _) => (*align).max(1),
            StructField::Hole(hole) => hole.align(),
            StructField::Structure(inner) => inner.align,
        };
        self.align = self.align.max(align);
        self.pad(align);
        let at = self.bytes.len();
        self.fields.push((at, text));
        match field {
            StructField::Bytes(_, bytes) => self.bytes.extend(bytes),
            StructField::Hole(hole) => {
                self.bytes.resize(at + hole.size(), 0);
                self.holes.push((at, hole));
            }
            StructField::Structure(inner) => {
                self.bytes.extend(inner.bytes);
                self.holes.extend(inner.holes.into_iter().map(|(own, hole)| (at + own, hole)));
            }
        }
    }

    /// Replaces the bytes from a place on.
    ///
    /// # Errors
    /// A place that is not aligned, that is not among the bytes, or that is replaced already.
    pub fn replace(&mut self, at: u64, text: &str, hole: Hole) -> Result<(), String> {
        let place = self.place(at, text, (hole.align(), hole.size()))?;
        self.align = self.align.max(hole.align());
        self.holes.push((place, hole));
        Ok(())
    }

    /// Replaces the bytes from a place on by others.
    ///
    /// # Errors
    /// Like [`replace`](Self::replace).
    pub fn replace_bytes(&mut self, at: u64, text: &str, align: usize, by: &[u8]) -> Result<(), String> {
        let place = self.place(at, text, (align, by.len()))?;
        self.bytes[place..][..by.len()].copy_from_slice(by);
        Ok(())
    }

    /// The place of bytes of an alignment and a size, which are replaced once.
    fn place(&mut self, at: u64, text: &str, (align, size): (usize, usize)) -> Result<usize, String> {
        let all = self.bytes.len();
        let fits = |at: &usize| at.checked_add(size).is_some_and(|end| end <= all);
        let Some(place) = usize::try_from(at).ok().filter(fits) else {
            return Err(format!(
                "{text} at byte {at} has {size} bytes, which are not all among the {all} bytes"
            ));
        };
        if !place.is_multiple_of(align) {
            return Err(format!("{text} is at byte {at}, but its place must be a multiple of {align}"));
        }
        let overlaps = |other: &&Replaced| other.at < place + size && place < other.at + other.size;
        if let Some(Replaced { at: other, text: known, .. }) = self.replaced.iter().find(overlaps) {
            return Err(format!(
                "{text} at byte {at} replaces bytes that {known} at byte {other} replaces already"
            ));
        }
        self.replaced.push(Replaced { at: place, size, text: text.into() });
        Ok(place)
    }

    /// The bytes, with zeros for what depends on addresses, and its places.
    pub(crate) fn into_parts(self) -> (Vec<u8>, Vec<(usize, Hole)>) {
        (self.bytes, self.holes)
    }

    /// The places of what depends on addresses.
    pub(crate) fn holes(&self) -> &[(usize, Hole)] {
        &self.holes
    }

    /// Checks that it has as many bytes as its parameter.
    ///
    /// # Errors
    /// Another number of bytes, with the places of the fields.
    pub(crate) fn check(&self, parameter: &str, width: u64) -> Result<(), String> {
        if self.bytes.len() as u64 == width {
            return Ok(());
        }
        if !self.is_laid_out {
            return Err(format!("{parameter} has {width} bytes, but {} are given", self.bytes.len()));
        }
        let fields: Vec<String> =
            self.fields.iter().map(|(at, text)| format!("{text} at byte {at}")).collect();
        Err(format!(
            "{parameter} has {width} bytes, but this struct has {}: {}. Fields have the alignment of their type, as in C",
            self.bytes.len(),
            fields.join(", ")
        ))
    }

    /// The words of the parameter.
    ///
    /// # Errors
    /// An array that does not exist, or a rule of tensor maps that is broken.
    pub(crate) fn words(&self, arrays: &[Located<'_>]) -> Result<Vec<u64>, String> {
        let mut bytes = self.bytes.clone();
        hole::fill(&mut bytes, &self.holes, arrays)?;
        Ok(argument::words(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::Element;

    fn words(text: &str) -> Result<Vec<u64>, String> {
        let array = |name, shape: &'static [usize; 1], address| {
            let size = 4 * shape[0] as u64;
            Located { name, rows: None, element: Element::F32, shape, size, address }
        };
        let arrays = [array("A", &[64], 0x1000), array("B", &[4096], 0x2000)];
        parse(text).expect("it is a struct")?.words(&arrays)
    }

    #[test]
    fn fields_lie_as_in_c() {
        assert_eq!(words("{&A+16, i32=5, f32=1.0}"), Ok(vec![0x1010, 0x3f80_0000_0000_0005]));
        // char, padding, short, int, char, padding to the alignment of the pointer.
        assert_eq!(words("{i8=1,i16=2,i32=3,i8=4,&B}"), Ok(vec![0x3_0002_0001, 4, 0x2000]));
        assert_eq!(words("{i32=1,{i8=2,&A},i8=3}"), Ok(vec![1, 2, 0x1000, 3]));
        assert_eq!(words("{i32[3]=7,u16=0xffff}"), Ok(vec![7 | 7 << 32, 7 | 0xffff << 32]));
        // The address behind the last byte is one.
        assert_eq!(words("{&A+0x100,null,f64=-1}"), Ok(vec![0x1100, 0, (-1f64).to_bits()]));
        let with_map = words("{i32=1,tensor_map(B,shape=64x64,strides=256,box=32x8,swizzle=128B)}").unwrap();
        assert_eq!((with_map.len(), with_map[0], with_map[8]), (24, 1, 0x2000));
    }

    #[test]
    fn wrong_fields_are_named() {
        let fails = |text: &str| words(text).unwrap_err();
        for (text, why) in [
            ("{}", "'' is not a field; write the fields"),
            ("{5}", "'5' has no type: write it as i32=5"),
            ("{&A", "'{&A' does not end with }"),
            ("{&A+x}", "write a number of bytes after +, as in &A+16"),
            ("{&}", "'&' is not an address"),
            ("{i8=300}", "300 is not a valid i8"),
            ("{f4E2M1FN=1}", "'f4E2M1FN=1' is not a field"),
            ("{(i32=1]}", "']' closes nothing"),
            ("{[i32=1}", "'[' is not closed"),
            ("{tensor_map(B)}", "the box is missing"),
            ("{&C}", "no array has the name 'C'; the arrays are: A, B"),
            (
                "{u8[20000000000]}",
                "'u8[20000000000]' has 20000000000 bytes, but parameters have at most 32764",
            ),
            ("{&A+257}", "&A+257 is beyond its array, which has 256 bytes"),
            ("{u16=0x10000}", "0x10000 is not a valid u16: its range is 0 to 65535"),
            ("{u16=0xg}", "'0xg' is not a valid u16"),
        ] {
            assert!(fails(text).contains(why), "{text}: {}", fails(text));
        }
        let deep = "{".repeat(100) + "i8=1" + &"}".repeat(100);
        assert!(fails(&deep).starts_with("structs are nested more than 32 deep"));
        let fields = parse("{i8=1,&A}").unwrap().unwrap().check("'s'", 12).unwrap_err();
        let wanted = "'s' has 12 bytes, but this struct has 16: i8=1 at byte 0, &A at byte 8. Fields have the alignment \
                      of their type, as in C";
        assert_eq!(fields, wanted);
    }
}
