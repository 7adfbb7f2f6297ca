//! Reads a zero-column mask descriptor of `tcgen05.mma.ws`.
//!
//! The columns of B are one part for M = 128, two for M = 64, and four for M = 32. Within a part,
//! spans of columns that are used alternate with spans of columns whose elements count as 0.
//!
//! | bits | field |
//! |---|---|
//! | 0 to 31 | the columns that have passed of the first span, 8 bits for each part |
//! | 32 to 35 | whether the first span is one of zeros, a bit for each part |
//! | 39 | whether there is a mask at all |
//! | 40 to 47 | the columns of a span of zeros, less 1 |
//! | 48 to 55 | the columns of a span that is used, less 1 |
//! | 56 to 61 | the first column of B that is read |
//!
//! The table of the ISA describes the two lengths the other way round. The names of the fields
//! (Skip Span, Use Span) and all examples there agree with this.

use super::reading::BadField;

/// The fields with the columns that have passed.
const STARTS: [&str; 4] = [
    "the start count of part 0",
    "the start count of part 1",
    "the start count of part 2",
    "the start count of part 3",
];

/// The rows of D for one part.
const ROWS_OF_ONE_PART: u32 = 128;

/// The first column of B that is read, and for each column whether its elements count as 0.
///
/// # Errors
///
/// Returns the field that is not valid.
///
/// ```
/// use cute_arch::atoms::zero_columns;
/// // Two parts of 8 columns: three columns are 0, four are used; the second begins with the latter.
/// let word = 1 << 32 | 1 << 39 | 2 << 40 | 3 << 48;
/// let (first, zeros) = zero_columns(word, [64, 16]).unwrap();
/// let digits: String = zeros.iter().map(|zero| if *zero { '0' } else { 'B' }).collect();
/// assert_eq!((first, &digits[..]), (0, "000BBBB0BBBB000B"));
/// let broken = zero_columns(word | 3, [64, 16]).unwrap_err();
/// let expected = "the start count of part 0 (bits 0 to 7) is 3: the first span has 3 columns";
/// assert_eq!(broken.to_string(), expected);
/// ```
pub fn zero_columns(word: u64, [m, n]: [u32; 2]) -> Result<(u32, Vec<bool>), BadField> {
    let field = |from: u32, bits: u32| (word >> from) as u32 & ((1 << bits) - 1);
    let bad = |field: &'static str, from: u32, bits: u32, value: u32, rule: String| BadField {
        field,
        bits: (from, from + bits - 1),
        value,
        rule,
    };
    let first = field(56, 6);
    if field(39, 1) == 0 {
        return Ok((first, vec![false; n as usize]));
    }
    for (from, bits) in [(36, 3), (62, 2)] {
        match field(from, bits) {
            0 => {}
            value => return Err(bad("a reserved field", from, bits, value, "it must be 0".to_owned())),
        }
    }
    let [zeros, used] = [40, 48].map(|from| field(from, 8) + 1);
    let parts = ROWS_OF_ONE_PART / m.clamp(1, ROWS_OF_ONE_PART);
    let mut all = Vec::new();
    for part in 0..parts.min(STARTS.len() as u32) {
        let (start, is_zero) = (field(8 * part, 8), field(32 + part, 1) == 1);
        let length = if is_zero { zeros } else { used };
        if start >= length {
            let rule = format!("the first span has {length} columns");
            return Err(bad(STARTS[part as usize], 8 * part, 8, start, rule));
        }
        let skipped = if is_zero { start } else { start + zeros };
        all.extend((0..n / parts).map(|column| (column + skipped) % (zeros + used) < zeros));
    }
    Ok((first, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mask of each part, from its first column on. The ISA writes it from the right.
    fn masks(word: u64, shape: [u32; 2]) -> Vec<String> {
        let (_, zeros) = zero_columns(word, shape).unwrap();
        let columns = zeros.len() * shape[0] as usize / ROWS_OF_ONE_PART as usize;
        let digit = |zero: &bool| if *zero { '1' } else { '0' };
        zeros.chunks(columns).map(|part| part.iter().map(digit).collect()).collect()
    }

    #[test]
    fn the_examples_of_the_isa() {
        let spans = 2 << 40 | 3 << 48;
        let (exists, first) = (1 << 39, |parts: u64| parts << 32);
        assert_eq!(masks(4 << 40 | 3 << 48, [128, 14]), ["00000000000000"]);
        assert_eq!(masks(exists | spans, [128, 14]), ["00001110000111"]);
        let expected = ["11100001110000", "00001110000111"];
        assert_eq!(masks(exists | first(0b01) | spans, [64, 28]), expected);
        let word = exists | first(0b0011) | spans | 1 << 8 | 2 << 16 | 1 << 24 | 2 << 56;
        let expected = ["111000011100", "110000111000", "001110000111", "000111000011"];
        assert_eq!(masks(word, [32, 48]), expected);
        assert_eq!(zero_columns(word, [32, 48]).unwrap().0, 2);
    }

    #[test]
    fn fields_are_checked() {
        let (exists, spans) = (1 << 39, 255 << 40 | 255 << 48);
        assert_eq!(masks(exists | spans, [128, 4]), ["0000"]);
        assert_eq!(masks(exists | 1 << 32 | spans, [128, 4]), ["1111"]);
        let error = |word| zero_columns(word, [64, 64]).unwrap_err().to_string();
        assert_eq!(error(exists | 1 << 36), "a reserved field (bits 36 to 38) is 1: it must be 0");
        assert_eq!(error(exists | 1 << 63), "a reserved field (bits 62 to 63) is 2: it must be 0");
        let expected = "the start count of part 1 (bits 8 to 15) is 9: the first span has 1 columns";
        assert_eq!(error(exists | 9 << 8), expected);
        // Parts that the shape does not have count for nothing.
        assert_eq!(masks(exists | 9 << 16 | 1 << 34, [64, 4]), ["01", "01"]);
    }
}
