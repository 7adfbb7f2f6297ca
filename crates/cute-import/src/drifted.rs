//! Text that our own dialects cannot read: ops, attributes and counts of operands that CuTe DSL and
//! cute-rs have, and these dialects do not.
//!
//! A registered dialect refuses an op that it does not have. So the text of such an op is changed
//! to name a dialect that nobody registers before it is parsed; the [`table`] rewrites the op from
//! there. Ops keep their columns.

use std::borrow::Cow;

use crate::table::{self, DRIFTED, OURS};

/// Attributes of these ops, which `cute_nvgpu` does not have here.
const ATTRIBUTES: [&str; 3] = ["tma_load_mode<", "tma_store_mode<", "major<"];

/// The attribute of descriptors with a layout. As a type, it can be looked at.
const LAYOUT: [&str; 2] = ["<{layout = #cute.layout<", "<{layout = !cute.layout<"];

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

/// The operands of `make_atom` for an MMA whose state names lanes of D that are not written, as
/// CuTe DSL has them from 4.7 on: here the type of the atom says whether its state does.
const WITH_LANES: [&str; 2] = ["(i1, i1, i1, vector<4xi32>)", "(i1, i1, i1, vector<8xi32>)"];
/// The beginning of the type of such an atom.
const UMMA: &str = "!cute_nvgpu.sm100.mma<";

/// Whether atoms are made with such operands.
fn has_lanes(text: &str) -> bool {
    text.contains("make_atom") && WITH_LANES.iter().any(|operands| text.contains(operands))
}

/// The text, in which each such type has the field.
fn with_lanes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 64);
    let mut rest = text;
    while let Some(at) = rest.find(UMMA) {
        let Some(end) = rest[at..].find('>').map(|end| at + end) else { break };
        out += &rest[..end];
        if !rest[at..end].contains("disable_output_lane") {
            out += ", disable_output_lane = true";
        }
        rest = &rest[end..];
    }
    out + rest
}

/// Counts that are not read, with their position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counts {
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
    let renamed = table::rows().filter_map(|row| row.name.strip_prefix(DRIFTED));
    renamed.into_iter().any(|rest| text.contains(&format!("{OURS}{rest}")))
        || counts(text).next().is_some()
        || has_lanes(text)
}

/// The text with the names that can be read, and without counts.
///
/// # Errors
/// Counts that are not read.
pub fn readable(text: &str) -> Result<Cow<'_, str>, Counts> {
    let mut out = Cow::Borrowed(text);
    for row in table::rows() {
        let Some(rest) = row.name.strip_prefix(DRIFTED) else { continue };
        let from = format!("{OURS}{rest}");
        if out.contains(&from) {
            out = Cow::Owned(out.replace(&from, row.name));
        }
    }
    for attribute in ATTRIBUTES {
        let from = format!("#{OURS}.{attribute}");
        if out.contains(&from) {
            out = Cow::Owned(out.replace(&from, &format!("#{DRIFTED}.{attribute}")));
        }
    }
    if out.contains("mma_smem_desc") && out.contains(LAYOUT[0]) {
        out = Cow::Owned(out.replace(LAYOUT[0], LAYOUT[1]));
    }
    if has_lanes(&out) {
        out = Cow::Owned(with_lanes(&out));
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
    fn an_atom_with_lanes_has_them_in_its_type() {
        let text = "%a = cute.make_atom(%f, %f, %f, %v) : (i1, i1, i1, vector<4xi32>) -> !cute_nvgpu.sm100.mma<8, c = 0>\n\
                    %m = x(%a) : !cute.tiled_mma<!cute_nvgpu.sm100.mma<8, c = 0>, y>, !cute_nvgpu.sm100.mma_bs<8>";
        let read = readable(text).unwrap();
        assert_eq!(
            read.matches("!cute_nvgpu.sm100.mma<8, c = 0, disable_output_lane = true>").count(),
            2,
            "{read}"
        );
        assert!(read.ends_with("!cute_nvgpu.sm100.mma_bs<8>"));
        assert_eq!(
            readable(&text.replace("4xi32", "4xi16")),
            Ok(Cow::Owned::<str>(text.replace("4xi32", "4xi16")))
        );
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
