//! `{&A+16,i32=5,f32=1.0,tensor_map(A,box=64x64)}`: a parameter by value, laid out as C lays out a
//! struct, with addresses of arrays in it.

use crate::{
    argument::{self, Spec, Values},
    array::Array,
    map,
};
use cute_arch::tensor_map::BYTES as MAP_BYTES;
use cute_assembler::module::MOST_BYTES;

/// The alignment of a tensor map in bytes (`CUtensorMap`).
const MAP_ALIGN: usize = 64;

/// The address of a byte of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The array's name.
    pub array: String,
    /// Bytes from its beginning.
    pub offset: u64,
}

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
}

#[derive(Debug, Clone, PartialEq)]
enum Hole {
    Address(Address),
    Map(map::Spec),
}

const FORM: &str = "write the fields in their order, each as &ARRAY, &ARRAY+BYTES, null, TYPE=NUMBER, TYPE[COUNT]=NUMBER, \
                    tensor_map(ARRAY,box=..) or {..}, such as {&A+16,i32=5,f32=1.0}";

/// The deepest nesting of structs.
const DEEPEST: usize = 32;

/// Reads `&NAME`, `&NAME+BYTES`; `None` if a text does not begin like that.
///
/// # Errors
/// The part that cannot be read.
pub fn address(text: &str) -> Option<Result<Address, String>> {
    let rest = text.trim().strip_prefix('&')?;
    let (name, offset) = rest.split_once('+').map_or((rest, "0"), |(name, offset)| (name, offset.trim()));
    let digits = offset.strip_prefix("0x").map_or((offset, 10), |hex| (hex, 16));
    let offset = u64::from_str_radix(digits.0, digits.1);
    let name = name.trim();
    Some(match offset {
        _ if name.is_empty() => Err(format!("'{text}' is not an address; write &NAME or &NAME+BYTES")),
        Ok(offset) => Ok(Address { array: name.into(), offset }),
        Err(_) => Err(format!("'{text}' is not an address: write a number of bytes after +, as in &A+16")),
    })
}

impl Address {
    /// The address, with the arrays and theirs.
    ///
    /// # Errors
    /// An array that does not exist, or that ends before this byte.
    pub(crate) fn at(&self, arrays: &[Array], addresses: &[u64]) -> Result<u64, String> {
        let Some(at) = arrays.iter().position(|array| array.name == self.array) else {
            let names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
            return Err(format!(
                "no array has the name '{}'; the arrays are: {}",
                self.array,
                names.join(", ")
            ));
        };
        let size = arrays[at].contents.size() as u64;
        match self.offset > size {
            true => {
                Err(format!("&{}+{} is beyond its array, which has {size} bytes", self.array, self.offset))
            }
            false => Ok(addresses[at] + self.offset),
        }
    }
}

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
    let (bytes, holes, fields) = (Vec::new(), Vec::new(), Vec::new());
    let mut whole = Structure { text: text.into(), bytes, align: 1, holes, fields };
    for field in parts(inside)? {
        whole.push(field.trim(), depth)?;
    }
    whole.pad(whole.align);
    Ok(whole)
}

/// The fields: texts between commas that no bracket contains.
fn parts(text: &str) -> Result<Vec<&str>, String> {
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

impl Structure {
    fn pad(&mut self, align: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(align), 0);
    }

    /// Begins a field with this alignment.
    fn begin(&mut self, align: usize, text: &str) -> usize {
        self.align = self.align.max(align);
        self.pad(align);
        self.fields.push((self.bytes.len(), text.into()));
        self.bytes.len()
    }

    fn hole(&mut self, align: usize, size: usize, text: &str, hole: Hole) {
        let at = self.begin(align, text);
        self.bytes.resize(at + size, 0);
        self.holes.push((at, hole));
    }

    fn push(&mut self, text: &str, depth: usize) -> Result<(), String> {
        if text.starts_with('{') {
            let inner = read(text, depth + 1)?;
            let at = self.begin(inner.align, text);
            self.bytes.extend(inner.bytes);
            self.holes.extend(inner.holes.into_iter().map(|(own, hole)| (at + own, hole)));
            return Ok(());
        }
        if let Some(address) = address(text) {
            self.hole(8, 8, text, Hole::Address(address?));
            return Ok(());
        }
        if let Some(map) = map::parse(text) {
            self.hole(MAP_ALIGN, MAP_BYTES, text, Hole::Map(map?));
            return Ok(());
        }
        let (align, bytes) = match argument::parse(text) {
            Ok((None, Spec::Null)) => (8, vec![0; 8]),
            Ok((None, Spec::Scalar(Some(element), number))) if element.bits() >= 8 => {
                let bits = argument::bits(element, &number)?;
                (element.bytes(), bits.to_le_bytes()[..element.bytes()].to_vec())
            }
            Ok((None, Spec::Array { element, shape, values, .. }))
                if element.bits() >= 8 && !matches!(values, Values::File(_) | Values::Addresses(_)) =>
            {
                let count: usize = shape.iter().product();
                let size = count * element.bytes();
                if size as u64 > MOST_BYTES {
                    return Err(format!(
                        "'{text}' has {size} bytes, but parameters have at most {MOST_BYTES}"
                    ));
                }
                (element.bytes(), argument::bytes(element, count, &values)?)
            }
            Ok((None, Spec::Scalar(None, number))) => {
                return Err(format!("'{number}' has no type: write it as i32={number}, for example"));
            }
            _ => return Err(format!("'{text}' is not a field")),
        };
        self.begin(align, text);
        self.bytes.extend(bytes);
        Ok(())
    }

    /// Checks that it has as many bytes as its parameter.
    ///
    /// # Errors
    /// Another number of bytes, with the places of the fields.
    pub(crate) fn check(&self, parameter: &str, width: u64) -> Result<(), String> {
        if self.bytes.len() as u64 == width {
            return Ok(());
        }
        let fields: Vec<String> =
            self.fields.iter().map(|(at, text)| format!("{text} at byte {at}")).collect();
        Err(format!(
            "{parameter} has {width} bytes, but this struct has {}: {}. Fields have the alignment of their type, as in C",
            self.bytes.len(),
            fields.join(", ")
        ))
    }

    /// The words of the parameter, with the arrays and their addresses.
    ///
    /// # Errors
    /// An array that does not exist, or a rule of tensor maps that is broken.
    pub(crate) fn words(&self, arrays: &[Array], addresses: &[u64]) -> Result<Vec<u64>, String> {
        let mut bytes = self.bytes.clone();
        for (at, hole) in &self.holes {
            let words = match hole {
                Hole::Address(address) => vec![address.at(arrays, addresses)?],
                Hole::Map(spec) => spec.words(arrays, addresses)?,
            };
            let filled = words.iter().flat_map(|word| word.to_le_bytes());
            bytes.splice(at..&(at + 8 * words.len()), filled);
        }
        Ok(argument::words(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{element::Element, fill::Order};
    use std::sync::Arc;

    fn array(name: &str, count: usize) -> Array {
        let (contents, order) = (Arc::new(vec![0; 4 * count]), Order::default());
        let (element, shape) = (Element::F32, vec![count]);
        Array { name: name.into(), element, shape, contents, order, points_to: Vec::new(), rows: None }
    }

    fn words(text: &str) -> Result<Vec<u64>, String> {
        let arrays = [array("A", 64), array("B", 4096)];
        parse(text).expect("it is a struct")?.words(&arrays, &[0x1000, 0x2000])
    }

    #[test]
    fn fields_lie_as_in_c() {
        assert_eq!(words("{&A+16, i32=5, f32=1.0}"), Ok(vec![0x1010, 0x3f80_0000_0000_0005]));
        // char, padding, short, int, char, padding to the alignment of the pointer.
        assert_eq!(words("{i8=1,i16=2,i32=3,i8=4,&B}"), Ok(vec![0x3_0002_0001, 4, 0x2000]));
        assert_eq!(words("{i32=1,{i8=2,&A},i8=3}"), Ok(vec![1, 2, 0x1000, 3]));
        assert_eq!(words("{i32[3]=7,u16=0xffff}").map_err(|e| e.contains("0xffff")), Err(true));
        assert_eq!(words("{i32[3]=7,u16=65535}"), Ok(vec![7 | 7 << 32, 7 | 0xffff << 32]));
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
