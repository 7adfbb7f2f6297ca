//! `mma`: products of a warp. Their names follow from the [atom](MmaAtom), so that no row has them;
//! they are read and written here alone.

use super::{Family, NONE, Refused, Spellings};
use crate::keyword::{Keyword, Spelling};
use cute_arch::Element;
use cute_arch::atoms::{Generation, Instruction, Major, MmaAtom, MmaOp, MmaQuery, ScaleQuery, Tcgen05Kind};

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings {
    ptx: &["mma", "mma.block_scale"],
    nvvm: &["mma.block_scale", "mma.sync"],
    intrinsic: &["mma.*"],
};

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a sparse matrix",
        names: Spellings {
            ptx: &["mma.sp", "mma.sp::ordered_metadata"],
            nvvm: &["mma.sp.block_scale", "mma.sp.sync"],
            intrinsic: &["mma.sp.*"],
        },
    },
    Refused {
        reason: "CuTe has no atom that adds an f16 to a sum in f32",
        names: Spellings {
            ptx: NONE,
            nvvm: NONE,
            intrinsic: &[
                "mma.m8n8k4.col.col.f32.f16",
                "mma.m8n8k4.col.row.f32.f16",
                "mma.m8n8k4.row.col.f32.f16",
                "mma.m8n8k4.row.row.f32.f16",
            ],
        },
    },
];

/// Reads `m16n8k16`.
pub fn extents(word: &str) -> Option<[u32; 3]> {
    let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k')?;
    Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
}

/// The name of an element in `mma`: PTX has no sign for one bit.
pub fn element_name(element: Element) -> &'static str {
    if element == Element::U1 { "b1" } else { element.name() }
}

/// The element of a name.
pub fn element(name: &str) -> Option<Element> {
    if name == "b1" { Some(Element::U1) } else { name.parse().ok() }
}

/// The orders of A and B in `mma`: `row` and `col` if their elements are contiguous along K.
pub fn orders(majors: [Major; 2]) -> [&'static str; 2] {
    let of = |major, [k, mn]: [&'static str; 2]| if major == Major::Mn { mn } else { k };
    [of(majors[0], ["row", "col"]), of(majors[1], ["col", "row"])]
}

/// The modes along which A and B are contiguous, by their orders.
pub fn majors(orders: [&str; 2]) -> [Major; 2] {
    let of = |order, of_k| if order == of_k { Major::K } else { Major::Mn };
    [of(orders[0], "row"), of(orders[1], "col")]
}

/// Reads the words after `mma`: `sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32`, or LLVM's
/// abbreviation, `m16n8k16.row.col.f32.f32`.
pub fn read(words: &[&str]) -> Option<MmaQuery> {
    let (mut shape, mut layouts, mut types, mut op) = (None, Vec::new(), Vec::new(), MmaOp::MulAdd);
    let (mut kind, mut count) = (None, None);
    for word in words {
        match *word {
            "sync" | "aligned" | "popc" | "kind" | "f8f6f4" | "kind::f8f6f4" => {}
            "block_scale" | "block" | "scale" | "scale_vec" => {}
            "row" | "col" => layouts.push(*word),
            "satfinite" => op = MmaOp::MulAddSaturate,
            "xor" => op = MmaOp::XorPopc,
            "and" => op = MmaOp::AndPopc,
            word if scaled_kind(word).is_some() => kind = scaled_kind(word),
            word if factors(word).is_some() => count = factors(word),
            word if shape.is_none() && word.starts_with('m') => shape = Some(extents(word)?),
            word => types.push(element(word)?),
        }
    }
    let (instruction, scales) = match (words.contains(&"block_scale") || words.contains(&"block"), kind) {
        (true, Some(kind)) => {
            (Instruction::MMA_SYNC.scaled(), Some(ScaleQuery { kind, element: types.pop()?, count }))
        }
        (false, None) if count.is_none() => (Instruction::MMA_SYNC, None),
        _ => return None,
    };
    let types = match types[..] {
        [d, a, b, c] => [d, a, b, c],
        // LLVM's names only contain the fields from which the others follow.
        [d @ (Element::F16 | Element::F32), c @ (Element::F16 | Element::F32)] => {
            [d, Element::F16, Element::F16, c]
        }
        [a, b] => [Element::S32, a, b, Element::S32],
        [a] => {
            let sum = match a {
                Element::F64 => Element::F64,
                _ if a.float().is_some() => Element::F32,
                _ => Element::S32,
            };
            [sum, a, a, sum]
        }
        _ => return None,
    };
    let [a, b] = layouts[..] else { return None };
    let [a, b] = majors([a, b]);
    Some(MmaQuery { majors: (a, b), op, scales, ..MmaQuery::new(instruction, shape?, types) })
}

/// A kind with scale factors: `kind::mxf4`, or without the prefix as LLVM and NVVM write it.
pub fn scaled_kind(word: &str) -> Option<Tcgen05Kind> {
    let read = |spelling| Tcgen05Kind::read(spelling, word);
    read(Spelling::Ptx).or_else(|| read(Spelling::Nvvm)).filter(|kind| kind.is_scaled())
}

/// The number of scale factors in `scale_vec::2X`, in LLVM's `2x`, or in NVVM's `x2`.
pub fn factors(word: &str) -> Option<u32> {
    match word.strip_prefix("scale_vec::").unwrap_or(word) {
        "1X" | "1x" | "x1" => Some(1),
        "2X" | "2x" | "x2" => Some(2),
        "4X" | "4x" | "x4" => Some(4),
        _ => None,
    }
}

/// LLVM's name of the `mma.sync` of an atom, after `llvm.nvvm.`.
pub fn mma_intrinsic(atom: &MmaAtom) -> String {
    let [m, n, k] = atom.shape;
    let [la, lb] = orders([atom.a_major, atom.b_major]);
    let [d, a, b, c] = [atom.d, atom.a.element, atom.b.element, atom.c.element].map(element_name);
    let types = match atom.a.element {
        Element::F16 => format!("{d}.{c}"),
        narrow if narrow.float().is_some() && narrow.bits() <= 8 => format!("{d}.{a}.{b}.{c}"),
        _ if a == b => a.to_owned(),
        _ => format!("{a}.{b}"),
    };
    if let (Some(kind), Some(scale)) = (atom.mma_sync_kinds().last(), atom.block_scale()) {
        let (kind, count, factor) = (kind.row().name, scale.count, scale.element);
        return format!("mma.block.scale.m{m}n{n}k{k}.{la}.{lb}.{kind}.scale.{count}x.{types}.{factor}");
    }
    let kind = if atom.generation == Generation::Sm120 { ".kind.f8f6f4" } else { "" };
    let (before, after) = match atom.op {
        MmaOp::MulAdd => ("", ""),
        MmaOp::MulAddSaturate => ("", ".satfinite"),
        MmaOp::XorPopc => (".xor.popc", ""),
        MmaOp::AndPopc => (".and.popc", ""),
    };
    format!("mma{before}.m{m}n{n}k{k}.{la}.{lb}{kind}{after}.{types}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_the_atom_that_it_is_written_for() {
        for atom in Instruction::MMA_SYNC.atoms().chain(Instruction::MMA_SYNC.scaled().atoms()) {
            let name = mma_intrinsic(atom);
            let words: Vec<&str> = name.split('.').skip(1).collect();
            let query = read(&words).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(query.shape, atom.shape, "{name}");
            assert_eq!(query.op, atom.op, "{name}");
            if atom.instruction.scaled {
                assert_eq!(query.find(), Ok(atom), "{name}");
            }
        }
    }

    #[test]
    fn scale_factors_are_those_that_the_kind_has() {
        let found = |words: &str| read(&words.split('.').collect::<Vec<_>>()).map(|query| query.find());
        let name =
            |words: &str| found(words).unwrap().map(|atom| atom.name.as_str()).map_err(|e| e.to_string());
        let (small, packed) = ("sync.aligned.m16n8k32.row.col", "sync.aligned.m16n8k64.row.col");
        let of = |kind: &str, factors: &str, stype: &str| {
            name(&format!("{packed}.kind::{kind}.block_scale{factors}.f32.e2m1.e2m1.f32.{stype}"))
        };
        let two = Ok("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>");
        assert_eq!(of("mxf4", "", "ue8m0"), two);
        assert_eq!(of("mxf4", ".scale_vec::2X", "ue8m0"), two);
        assert_eq!(of("mxf4nvf4", ".scale_vec::2X", "ue8m0"), two);
        let four = Ok("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>");
        assert_eq!(of("mxf4nvf4", ".scale_vec::4X", "ue4m3"), four);
        let four = Ok("SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,16>");
        assert_eq!(of("mxf4nvf4", ".scale_vec::4X", "ue8m0"), four);
        let one = name(&format!("{small}.kind::mxf8f6f4.block_scale.f32.e2m1.e5m2.f32.ue8m0"));
        assert_eq!(one, Ok("SM120_16x8x32_TN_VS<e2m1,e5m2,float,ue8m0,32>"));
        // Words that the kind does not have, and words that must be written.
        for (kind, factors, stype, given) in [
            ("mxf4", ".scale_vec::4X", "ue8m0", ".scale_vec::4X.ue8m0"),
            ("mxf4nvf4", ".scale_vec::2X", "ue4m3", ".scale_vec::2X.ue4m3"),
            ("mxf4nvf4", "", "ue4m3", ".ue4m3 without .scale_vec"),
        ] {
            let message = of(kind, factors, stype).unwrap_err();
            let start = format!("no mma.sync with .block_scale has scale factors {given} with A e2m1,");
            assert!(message.starts_with(&start), "{message}");
            assert!(
                message.contains(&format!("kind .kind::{kind}; there are .scale_vec::2X.ue8m0")),
                "{message}"
            );
        }
        // Factors and their kind belong to each other.
        assert_eq!(found(&format!("{small}.kind::mxf8f6f4.f32.e2m1.e5m2.f32.ue8m0")), None);
        assert_eq!(found(&format!("{small}.kind::f8f6f4.block_scale.f32.e2m1.e5m2.f32.ue8m0")), None);
        assert_eq!(found(&format!("{small}.scale_vec::1X.f32.e4m3.e4m3.f32")), None);
    }
}
