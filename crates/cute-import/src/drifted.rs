//! Text that our own dialects cannot read: ops, attributes and counts of operands that CuTe DSL and
//! cute-rs have, and these dialects do not.
//!
//! A registered dialect refuses an op that it does not have. So the text of such an op is changed to
//! name a dialect that nobody registers, `cute_drift`, before it is parsed; the
//! [`table`](crate::table) rewrites the op from there. Everything keeps its column.

use std::borrow::Cow;

use crate::table;

/// The dialect of ops that are read here alone. Its name is as long as `cute_nvgpu`.
pub const DIALECT: &str = "cute_drift";
/// The dialect that they are from.
pub const FROM: &str = "cute_nvgpu";

/// Attributes of these ops, which `cute_nvgpu` does not have here.
const ATTRIBUTES: [&str; 2] = ["tma_load_mode<", "tma_store_mode<"];

/// Our ops whose operands others count: the counts that are read, for operands that must be there,
/// and how many of the others may be.
const COUNTED: [(&str, &[i32], &[i32]); 3] = [
    // The atom, the sources, the destinations; a predicate.
    ("\"cute.copy\"(", &[1, 1, 1], &[1]),
    // The view; a mask, and what it leaves.
    ("\"cute.memref.load_vec\"(", &[1], &[0, 0]),
    // The vector, the view; a mask.
    ("\"cute.memref.store_vec\"(", &[1, 1], &[0]),
];

/// Counts that are not read, with their position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    pub at: usize,
    pub op: &'static str,
    pub counts: Vec<i32>,
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { op, counts, .. } = self;
        let counts: Vec<_> = counts.iter().map(i32::to_string).collect();
        write!(
            f,
            "'{op}' op has {} operands by groups, which is not supported: one source and one destination are, \
             without a mask",
            counts.join(", ")
        )
    }
}

/// Whether a text has any of these.
pub fn may_have(text: &str) -> bool {
    let renamed = table::rows().filter_map(|row| row.name.strip_prefix(DIALECT));
    renamed.into_iter().any(|rest| text.contains(&format!("{FROM}{rest}"))) || counts(text).next().is_some()
}

/// The text with the names that can be read, and without counts.
///
/// # Errors
/// Counts that are not read.
pub fn readable(text: &str) -> Result<Cow<'_, str>, Counts> {
    let mut out = Cow::Borrowed(text);
    for row in table::rows() {
        let Some(rest) = row.name.strip_prefix(DIALECT) else { continue };
        let from = format!("{FROM}{rest}");
        if out.contains(&from) {
            out = Cow::Owned(out.replace(&from, row.name));
        }
    }
    for attribute in ATTRIBUTES {
        let from = format!("#{FROM}.{attribute}");
        if out.contains(&from) {
            out = Cow::Owned(out.replace(&from, &format!("#{DIALECT}.{attribute}")));
        }
    }
    let found: Vec<_> = counts(&out).collect();
    for (range, row, counts) in found {
        let (op, needed, others) = row;
        let others_fit = |rest: &[i32]| rest.iter().zip(others).all(|(n, most)| (0..=*most).contains(n));
        let fits = counts.len() == needed.len() + others.len()
            && counts.starts_with(needed)
            && others_fit(&counts[needed.len()..]);
        if !fits {
            let op = op.trim_matches(['"', '(']);
            return Err(Counts { at: range.start, op, counts });
        }
        let blank = " ".repeat(range.len());
        out.to_mut().replace_range(range, &blank);
    }
    Ok(out)
}

type Row = (&'static str, &'static [i32], &'static [i32]);

/// The properties that have nothing but counts of operands, of ops in [`COUNTED`]: their place, the
/// row and the counts.
fn counts(text: &str) -> impl Iterator<Item = (std::ops::Range<usize>, Row, Vec<i32>)> + '_ {
    let ops = COUNTED.into_iter().flat_map(|row| text.match_indices(row.0).map(move |(at, _)| (at, row)));
    ops.filter_map(|(at, row)| {
        let operands = at + row.0.len();
        let begin = operands + text[operands..].find(')')? + 1;
        let begin = begin + (text[begin..].len() - text[begin..].trim_start().len());
        let list = text[begin..].strip_prefix("<{operandSegmentSizes = array<i32: ")?;
        let (list, _) = list.split_once(">}>")?;
        let counts = list.split(',').map(|n| n.trim().parse()).collect::<Result<Vec<i32>, _>>().ok()?;
        let end = begin + text[begin..].find(">}>")? + 3;
        Some((begin..end, row, counts))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(counts: &str) -> String {
        format!(
            "\"cute.copy\"(%a, %b, %c) <{{operandSegmentSizes = array<i32: {counts}>}}> : (A, B, C) -> ()"
        )
    }

    #[test]
    fn counts_of_operands_become_blanks() {
        let text = copied("1, 1, 1, 0");
        let read = readable(&text).unwrap();
        assert_eq!(read.len(), text.len());
        assert_eq!(read.find(" : (A"), text.find(" : (A"));
        assert!(!read.contains("operandSegmentSizes") && may_have(&text), "{read}");
        assert!(readable(&copied("1, 1, 1, 1")).is_ok());
        let two = readable(&copied("1, 2, 1, 0")).unwrap_err();
        assert_eq!((two.op, &two.counts[..]), ("cute.copy", &[1, 2, 1, 0][..]));
        let masked =
            "\"cute.memref.load_vec\"(%a, %m) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (A, B) -> C";
        assert!(readable(masked).is_err());
    }

    #[test]
    fn other_text_stays() {
        for text in
            ["", "\"cute.copy\"(%a", "\"cute.copy\"(%a) : ", "\"cute.copy\"(%a) <{x}> :", "cute_nvgpu.x"]
        {
            assert_eq!(readable(text), Ok(Cow::Borrowed(text)));
            assert!(!may_have(text));
        }
    }
}
