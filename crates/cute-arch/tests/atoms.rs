//! Every atom against what CUTLASS's C++ traits printed (`tests/vectors/atoms.json`).

use cute_arch::{
    Element,
    atoms::{MmaAtom, mma_atoms},
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
fn names_are_unique() {
    let mut names: Vec<_> = mma_atoms().iter().map(|atom| &atom.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), mma_atoms().len());
}
