//! Atoms by parts of their names, or by the words of their instructions in PTX.

use cute_arch::atoms::{
    CacheLevel, CopyAtom, CopyInstruction, Matrices, MatrixElement, MmaAtom, MmaUnit, TmemShape, copy_atoms,
    mma_atoms,
};

use crate::tilings::Atom;

/// The atoms that match a pattern, by their names or by their instructions.
pub fn found(pattern: &str) -> impl Iterator<Item = Atom> {
    let all = mma_atoms().map(Atom::Mma).chain(copy_atoms().iter().map(Atom::Copy));
    let wanted: Vec<String> = words(pattern).map(str::to_ascii_lowercase).collect();
    all.filter(move |atom| matches(pattern, atom.name()) || spells(&wanted, *atom))
}

/// The parts of an instruction: `wgmma.mma_async.sync` has three.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == '.' || c.is_whitespace()).filter(|word| !word.is_empty())
}

/// Whether the atom's instruction has all of these words; the last may be a beginning.
fn spells(wanted: &[String], atom: Atom) -> bool {
    let Some((last, first)) = wanted.split_last() else { return false };
    let text = instruction(atom);
    let has = |word: &String| words(&text).any(|own| own == word);
    first.iter().all(has) && words(&text).any(|own| own.starts_with(last.as_str()))
}

/// The instruction of an atom, as PTX spells it.
fn instruction(atom: Atom) -> String {
    match atom {
        Atom::Mma(mma) => of_mma(mma),
        Atom::Copy(copy) => of_copy(copy),
    }
}

fn of_mma(atom: &MmaAtom) -> String {
    let [m, n, k] = atom.shape;
    let unit = match atom.instruction.unit {
        MmaUnit::Dot => "dp4a dp2a",
        MmaUnit::Fma => "fma",
        MmaUnit::MmaSync | MmaUnit::Complex => "mma.sync.aligned",
        MmaUnit::Wgmma => "wgmma.mma_async.sync.aligned",
        MmaUnit::Tcgen05 => "tcgen05.mma",
    };
    let ctas = match (atom.instruction.unit, atom.instruction.ctas) {
        (MmaUnit::Tcgen05, ctas) => format!(".cta_group::{ctas}"),
        _ => String::new(),
    };
    let sparse = if atom.instruction.sparse { ".sp" } else { "" };
    let scaled = if atom.instruction.scaled { ".block_scale" } else { "" };
    let types = [atom.d, atom.a.element, atom.b.element, atom.c.element].map(|element| element.to_string());
    format!("{unit}{sparse}{ctas}{scaled}.m{m}n{n}k{k}.{}", types.join("."))
}

fn of_copy(atom: &CopyAtom) -> String {
    let matrices = |Matrices { element, count, transposed }: Matrices| {
        let element = match element {
            MatrixElement::B16 => "m8n8.b16",
            MatrixElement::B8 => "m16n16.m16n8.b8",
            MatrixElement::B6x16P32 => "m16n16.m8n16.b8x16.b6x16_p32",
            MatrixElement::B4x16P64 => "m16n16.m8n16.b8x16.b4x16_p64",
        };
        format!("sync.aligned.x{count}.shared.{element}{}", if transposed { ".trans" } else { "" })
    };
    let tensor = |TmemShape { lanes, bits, repeats, halves }: TmemShape| {
        let pack = if halves { ".pack::16b.unpack::16b" } else { "" };
        format!("sync.aligned.{lanes}x{bits}b.x{repeats}{pack}.b32")
    };
    match atom.instruction {
        CopyInstruction::LoadStore { bits } => format!("ld.st.b{bits}"),
        CopyInstruction::Shuffle { .. } => "shfl.sync.bfly.b32".into(),
        CopyInstruction::CpAsync { bits, cache, .. } => {
            let cache = if cache == CacheLevel::All { "ca" } else { "cg" };
            format!("cp.async.{cache}.shared.global {}", bits / 8)
        }
        CopyInstruction::Ldmatrix(of) => format!("ldmatrix.{}", matrices(of)),
        CopyInstruction::Stmatrix(of) => format!("stmatrix.{}", matrices(of)),
        CopyInstruction::Movmatrix => "movmatrix.sync.aligned.m8n8.trans.b16".into(),
        CopyInstruction::LoadNoAllocate { bits } => format!("ld.global.L1::no_allocate.b{bits}"),
        CopyInstruction::StoreNoAllocate { bits } => format!("st.global.L1::no_allocate.b{bits}"),
        CopyInstruction::TmemLoad(shape) => format!("tcgen05.ld.{}", tensor(shape)),
        CopyInstruction::TmemStore(shape) => format!("tcgen05.st.{}", tensor(shape)),
        CopyInstruction::TmemLoadReduce(shape) => format!("tcgen05.ld.red.{}", tensor(shape)),
        CopyInstruction::TmemCopy(fill) => {
            format!("tcgen05.cp.cta_group::{}.{}x{}b", fill.ctas, fill.lanes, fill.bits)
        }
    }
}

/// Whether `name` matches the pattern: `*` is any text, `?` any letter; without either, part of the
/// name.
fn matches(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return name.to_ascii_lowercase().contains(&pattern.to_ascii_lowercase());
    }
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    // reached[i]: whether the pattern so far matches the first i letters.
    let mut reached: Vec<bool> = (0..=name.len()).map(|i| i == 0).collect();
    for wanted in &pattern {
        reached = if *wanted == '*' {
            reached
                .iter()
                .scan(false, |any, here| {
                    *any |= here;
                    Some(*any)
                })
                .collect()
        } else {
            let fits = |letter: &char| *wanted == '?' || wanted.eq_ignore_ascii_case(letter);
            std::iter::once(false)
                .chain(reached.iter().zip(&name).map(|(here, c)| *here && fits(c)))
                .collect()
        };
    }
    reached.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::{found, matches};

    #[test]
    fn patterns_match_whole_names_or_parts() {
        for pattern in ["SM80_*", "*_TN", "sm80*f16*", "SM?0_16x8x16_F32F16F16F32_TN", "16x8x16", "*", "**"] {
            assert!(matches(pattern, "SM80_16x8x16_F32F16F16F32_TN"), "{pattern}");
        }
        for pattern in ["SM80", "SM90_*", "SM80_?", "*_NT", "x"] {
            let expected = pattern == "SM80" || pattern == "x";
            assert_eq!(matches(pattern, "SM80_16x8x16_F32F16F16F32_TN"), expected, "{pattern}");
        }
    }

    #[test]
    fn instructions_find_their_atoms() {
        for (pattern, name) in [
            ("m16n8k16", "SM80_16x8x16_F32F16F16F32_TN"),
            ("mma.sync.aligned.m16n8k16", "SM80_16x8x16_F32F16F16F32_TN"),
            ("wgmma", "SM90_64x64x16_F32F16F16_SS"),
            ("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16", "SM90_64x64x16_F32F16F16_SS"),
            ("ldmatrix", "SM75_U32x4_LDSM_N"),
            ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "SM75_U16x8_LDSM_T"),
            ("tcgen05.ld", "SM100_TMEM_LOAD_32dp32b8x"),
            ("tcgen05.ld.sync.aligned.32x32b.x8.b32", "SM100_TMEM_LOAD_32dp32b8x"),
            ("tcgen05.mma m128n64", "SM100_MMA_F16BF16_SS<half_t,float,128,64>"),
            ("cp.async.cg", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"),
        ] {
            assert!(found(pattern).any(|atom| atom.name() == name), "{pattern}");
        }
        let all = found("wgmma").count();
        assert!(found("*").count() > all && all > 100);
        assert!(
            found("ldmatrix").all(|atom| atom.name().contains("LDSM") || atom.name().contains("LDMATRIX"))
        );
        assert_eq!(found("cp.async.bulk.tensor").count(), 0);
    }
}
