//! `wgmma`: products of a warpgroup, and their groups. The names of products follow from the
//! [atom](MmaAtom), so that no row has them; they are read and written here alone.

use super::mma::extents;
use super::{Family, NONE, Row, Spellings};
use crate::operation::Operation as O;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaAtom, MmaOp, MmaQuery};

pub(super) const FAMILY: Family = Family { rows: ROWS, apart: APART, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::GroupFence,
        ptx: &["wgmma.fence.sync.aligned"],
        nvvm: &["wgmma.fence.aligned"],
        intrinsic: &["wgmma.fence.sync.aligned"],
    },
    Row {
        operation: O::GroupCommit,
        ptx: &["wgmma.commit_group.sync.aligned"],
        nvvm: &["wgmma.commit.group.sync.aligned"],
        intrinsic: &["wgmma.commit_group.sync.aligned"],
    },
    Row {
        operation: O::GroupWait,
        ptx: &["wgmma.wait_group.sync.aligned #count"],
        nvvm: &["wgmma.wait.group.sync.aligned | group=#count"],
        intrinsic: &["wgmma.wait_group.sync.aligned #count"],
    },
];

const APART: Spellings = Spellings {
    ptx: &["wgmma.mma_async", "wgmma.mma_async.sp"],
    nvvm: &["wgmma.mma_async"],
    intrinsic: NONE,
};

/// Reads the words after `wgmma.mma_async`: `sync.aligned.m64n256k16.f32.bf16.bf16`, or with a
/// sparse A `sp.sync.aligned.m64n256k32.f32.bf16.bf16`.
pub fn read(words: &[&str]) -> Option<MmaQuery> {
    let (mut shape, mut types, mut op) = (None, Vec::new(), MmaOp::MulAdd);
    let mut instruction = Instruction::WGMMA;
    let times = |word: &str| words.iter().filter(|own| **own == word).count();
    if times("sync") != 1 || times("aligned") > 1 || times("sp") > 1 {
        return None;
    }
    for word in words {
        match *word {
            "sync" | "aligned" => {}
            "sp" if shape.is_none() => instruction = instruction.sparse(),
            "satfinite" => op = MmaOp::MulAddSaturate,
            word if shape.is_none() && word.starts_with('m') => shape = Some(extents(word)?),
            word => types.push(word.parse().ok()?),
        }
    }
    let [d, a, b] = types[..] else { return None };
    Some(MmaQuery { op, ..MmaQuery::new(instruction, shape?, [d, a, b, d]) })
}

/// The name of a `wgmma.mma_async`.
pub fn wgmma_name(atom: &MmaAtom) -> String {
    let [m, n, k] = atom.shape;
    let saturated = if atom.op == MmaOp::MulAddSaturate { ".satfinite" } else { "" };
    let types = [atom.d, atom.a.element, atom.b.element].map(Element::name).join(".");
    let sparse = if atom.instruction.sparse { ".sp" } else { "" };
    format!("wgmma.mma_async{sparse}.sync.aligned.m{m}n{n}k{k}{saturated}.{types}")
}

/// The numbers after the predicate of a `wgmma.mma_async`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WgmmaFlags {
    /// Whether A and B have a sign, 1 or -1.
    pub signs: bool,
    /// Whether A, and B, may be contiguous along M or N, and have a 0 or 1 that says so.
    pub transposes: [bool; 2],
}

impl WgmmaFlags {
    /// The numbers that an atom has.
    pub fn of(atom: &MmaAtom) -> Self {
        WgmmaFlags {
            signs: atom.a.element.integer().is_none(),
            transposes: [atom.a_major, atom.b_major].map(|major| major == Major::Any),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_the_atom_that_it_is_written_for() {
        for atom in Instruction::WGMMA.atoms().chain(Instruction::WGMMA.sparse().atoms()) {
            let name = wgmma_name(atom);
            let words: Vec<&str> = name.split('.').skip(2).collect();
            assert_eq!(
                read(&words).map(|query| (query.instruction, query.shape, query.op)),
                Some((atom.instruction, atom.shape, atom.op)),
                "{name}"
            );
        }
    }

    #[test]
    fn only_matrices_of_16_bits_in_memory_can_be_transposed() {
        use cute_arch::atoms::Space;
        for atom in Instruction::WGMMA.atoms().chain(Instruction::WGMMA.sparse().atoms()) {
            let halves = atom.b.element.bits() == 16;
            let expected = [halves && atom.a.from == Space::Shared, halves];
            assert_eq!(WgmmaFlags::of(atom).transposes, expected, "{}", atom.name);
        }
    }
}
