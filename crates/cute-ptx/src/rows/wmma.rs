//! `wmma`: products of a warp. Their names, in PTX and in LLVM, are those of a fragment of A, B, C
//! or D in memory, and of a product; no row has them.

use super::mma::{self, element, extents};
use super::{Family, NONE, Refused, Spellings};
use crate::keyword::{Keyword, Spelling};
use crate::words::{RoundingMode, StateSpace};
use cute_arch::Element;
use cute_arch::atoms::MmaQuery;

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings {
    ptx: &["wmma.load", "wmma.mma", "wmma.store"],
    nvvm: &["wmma.load", "wmma.mma", "wmma.store"],
    intrinsic: &["wmma.*"],
};

const REFUSED: &[Refused] = &[Refused {
    reason: "a fragment consists of those of `mma`, which has no such sum",
    names: Spellings {
        ptx: NONE,
        nvvm: NONE,
        intrinsic: &[
            "wmma.*.f16.f16.satfinite",
            "wmma.*.f16.f32",
            "wmma.*.f16.f32.satfinite",
            "wmma.*.f32.f16",
            "wmma.*.f32.f16.satfinite",
            "wmma.*.f32.f32.satfinite",
        ],
    },
}];

/// A matrix of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fragment {
    /// The first factor.
    A,
    /// The second factor.
    B,
    /// The matrix that is added, or the sum.
    Sum,
}

/// A fragment in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InMemory {
    /// The matrix.
    pub fragment: Fragment,
    /// Whether its rows are contiguous.
    pub is_row_major: bool,
    /// M, N and K of the product.
    pub shape: [u32; 3],
    /// The type of its elements.
    pub element: Element,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum Wmma {
    /// Memory to registers.
    Load(InMemory),
    /// Registers to memory.
    Store(InMemory),
    /// A product, and how a sum in f64 is rounded.
    Multiply(MmaQuery, Option<RoundingMode>),
}

impl Wmma {
    /// Reads the words after `wmma` in PTX, and the space of the memory:
    /// `load.a.sync.aligned.row.m16n16k16.shared.f16`.
    pub fn of_ptx(words: &[&str]) -> Option<(Self, Option<StateSpace>)> {
        let (what, sync, rest) = match words {
            ["mma", rest @ ..] => return Some((product(rest)?, None)),
            [what @ ("load" | "store"), matrix, "sync", "aligned", rest @ ..] => (what, matrix, rest),
            _ => return None,
        };
        let [layout, shape, space @ .., element] = rest else { return None };
        let space = match space {
            [] => None,
            [space] => Some(StateSpace::of_ptx(space)?),
            _ => return None,
        };
        Some((access(what, sync, layout, extents(shape)?, element)?, space))
    }

    /// Reads the words after `wmma` in LLVM: `m16n16k16.load.a.row.stride.f16`.
    pub fn of_intrinsic(words: &[&str]) -> Option<Self> {
        match words {
            [shape, "mma", rest @ ..] => product(&[&[*shape], rest].concat()),
            [shape, what, matrix, layout, "stride", element] | [shape, what, matrix, layout, element] => {
                access(what, matrix, layout, extents(shape)?, element)
            }
            _ => None,
        }
    }
}

/// The words of a product, of which one may name a rounding.
fn product(words: &[&str]) -> Option<Wmma> {
    let rounding = |word: &&str| RoundingMode::read(Spelling::Ptx, word);
    let (modes, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| rounding(word).is_some());
    let mode = match modes[..] {
        [] => None,
        [one] => RoundingMode::read(Spelling::Ptx, one),
        _ => return None,
    };
    Some(Wmma::Multiply(mma::read(&words)?, mode))
}

fn access(what: &str, matrix: &str, layout: &str, shape: [u32; 3], name: &str) -> Option<Wmma> {
    let fragment = match (what, matrix) {
        ("load", "a") => Fragment::A,
        ("load", "b") => Fragment::B,
        ("load", "c") | ("store", "d") => Fragment::Sum,
        _ => return None,
    };
    let is_row_major = match layout {
        "row" => true,
        "col" => false,
        _ => return None,
    };
    let in_memory = InMemory { fragment, is_row_major, shape, element: element(name)? };
    Some(if what == "load" { Wmma::Load(in_memory) } else { Wmma::Store(in_memory) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_spellings_mean_the_same() {
        let words = |name: &str| -> Vec<String> { name.split('.').map(str::to_owned).collect() };
        let read = |ptx: &str, llvm: &str| {
            let (ptx, llvm) = (words(ptx), words(llvm));
            let [ptx, llvm] = [&ptx, &llvm].map(|all| all.iter().map(String::as_str).collect::<Vec<_>>());
            (Wmma::of_ptx(&ptx).map(|(one, _)| one), Wmma::of_intrinsic(&llvm))
        };
        for (ptx, llvm) in [
            ("load.a.sync.aligned.row.m16n16k16.f16", "m16n16k16.load.a.row.stride.f16"),
            ("store.d.sync.aligned.col.m8n32k16.shared.s32", "m8n32k16.store.d.col.s32"),
            ("mma.sync.aligned.row.col.m16n16k16.f32.f16", "m16n16k16.mma.row.col.f32.f16"),
            ("mma.sync.aligned.row.col.rz.m8n8k4.f64.f64.f64.f64", "m8n8k4.mma.row.col.rz.f64"),
        ] {
            let (ptx_means, llvm_means) = read(ptx, llvm);
            assert!(ptx_means.is_some(), "{ptx}");
            assert_eq!(ptx_means, llvm_means, "{ptx}");
        }
        assert_eq!(read("load.d.sync.aligned.row.m16n16k16.f16", "m16n16k16.load.d.row.f16"), (None, None));
    }
}
