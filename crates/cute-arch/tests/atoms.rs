//! Every atom against what CUTLASS's C++ traits printed (`tests/vectors/atoms.json`).

use cute_algebra::Layout;
use cute_arch::{
    Element,
    atoms::{CopyAtom, MmaAtom, copy_atoms, mma_atoms},
};
use serde_json::Value;

/// Groups of the vectors, and whether the registry has them.
const GROUPS: [&str; 7] = ["sm61", "sm70", "sm75", "sm80", "sm89", "sm90", "sm120"];

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/atoms.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Two entries print a stride with one pair of parentheses too many, which makes it incongruent with its shape.
fn repaired(layout: &str) -> String {
    layout.replace("((512,1),((16,8)))", "((512,1),(16,8))")
}

/// The value type of the traits: the element's, or the unsigned integer it is held in.
fn value_type(group: &str, element: Element, bits: u32) -> String {
    match element {
        Element::C64 => "c64(f64 pair)".into(),
        Element::Gc64 => "bits192".into(),
        _ if group.starts_with("sm120") && bits <= 8 => format!("u{bits}"),
        _ => element.name().into(),
    }
}

#[test]
fn every_atom_is_what_cutlass_prints() {
    let vectors = vectors();
    let mut seen = 0;
    for group in GROUPS {
        for entry in vectors["mma"][group].as_array().unwrap() {
            let field = |key: &str| entry[key].as_str().unwrap().to_owned();
            let name = field("name");
            if entry.get("SF").is_some() {
                continue;
            }
            let atom = MmaAtom::by_name(&name).unwrap_or_else(|| panic!("{name} is missing"));
            let [m, n, k] = atom.shape;
            assert_eq!(format!("({m},{n},{k})"), field("shape_mnk"), "{name}");
            assert_eq!(atom.thr_id.to_string(), field("thr_id"), "{name}");
            assert_eq!(atom.threads() as u64, entry["threads"].as_u64().unwrap(), "{name}");
            for (operand, matrix) in [(&atom.a, "A"), (&atom.b, "B"), (&atom.c, "C")] {
                assert_eq!(
                    value_type(group, operand.element, operand.bits),
                    field(matrix),
                    "{matrix} of {name}"
                );
                let layout = field(&format!("{matrix}Layout"));
                assert_eq!(operand.layout.to_string(), repaired(&layout), "{matrix} of {name}");
                let registers = field(&format!("{matrix}Regs"));
                let (count, bits) = registers.trim_end_matches('b').split_once('x').unwrap();
                let held = count.parse::<usize>().unwrap() * bits.parse::<usize>().unwrap();
                assert_eq!(operand.values() * operand.bits as usize, held, "{matrix} of {name}");
            }
            assert_eq!(value_type(group, atom.d, 32), field("D"), "{name}");
            seen += 1;
        }
    }
    assert_eq!(seen, 2 + 8 + 3 + 65 + 8 + 6 + 10);
}

#[test]
fn every_copy_is_what_cutlass_prints() {
    let vectors = vectors();
    let mut seen = 0;
    let groups = vectors["copy"].as_object().unwrap();
    // `copy_val` says of some atoms the same in units of a value.
    for entry in
        groups.iter().filter(|(g, _)| *g != "copy_val").flat_map(|(_, entries)| entries.as_array().unwrap())
    {
        let field = |key: &str| entry[key].as_str().map(str::to_owned);
        let name = field("name").unwrap();
        let atom = CopyAtom::by_name(&name).unwrap_or_else(|| panic!("{name} is missing"));
        let text = |layout: &Layout<i64>| Some(layout.to_string());
        assert_eq!(text(&atom.thr_id), field("thr_id"), "{name}");
        assert_eq!(text(&atom.src), field("SrcLayout_bits"), "source of {name}");
        assert_eq!(text(&atom.dst), field("DstLayout_bits"), "destination of {name}");
        assert_eq!(text(&atom.reference), field("RefLayout_bits"), "reference of {name}");
        assert_eq!(atom.tensor_memory.as_ref().and_then(text), field("ValID"), "{name}");
        seen += 1;
    }
    assert_eq!(seen, copy_atoms().len());
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = mma_atoms().iter().map(|atom| &atom.name).collect();
    names.extend(copy_atoms().iter().map(|atom| &atom.name));
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
}
