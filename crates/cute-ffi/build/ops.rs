//! Generates a Rust table from TableGen's records of ops: kinds, entry points, names, and the facts
//! that `td/` states about ops.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::records::{self, def, is_a, strings, text};

/// A fact: the method of `OpKind` that returns it, its documentation, and the test whether an op
/// has it.
type Fact = (&'static str, &'static str, fn(&Value, &Value) -> bool);

const FACTS: &[Fact] = &[
    ("reads", "Whether the op reads memory.", |r, op| has_effect(r, op, "MemRead")),
    ("writes", "Whether the op writes memory, or does what others see.", |r, op| {
        has_effect(r, op, "MemWrite")
    }),
    ("makes_memory", "Whether the result is memory that the op makes.", |_, op| is_a(op, "MakesMemory")),
    (
        "tiles_atom",
        "Whether the op lays the atom that is its first operand over threads. The atom's run-time state goes with it.",
        |_, op| is_a(op, "TilesAtom"),
    ),
    ("derives_copy", "Whether the op makes a tiled copy of an MMA or of another copy.", |_, op| {
        is_a(op, "DerivesCopy")
    }),
    ("carries_state", "Whether the result has the run-time state of an atom.", |_, op| {
        is_a(op, "CarriesState")
    }),
    ("indexes", "Whether `strict` asks that a coordinate lies in the domain of a layout.", |_, op| {
        is_a(op, "Indexes")
    }),
    ("divides", "Whether `strict` asks that tiles cover a layout.", |_, op| is_a(op, "Divides")),
];

/// The invocations of `ops!` in `src/ops.rs`: the ops on values, and the ops of host code.
pub fn table(dialects: &[Value], hosts: &Value) -> String {
    let hosts: String = records::ops(hosts).map(|op| entry(hosts, op, "cuda_op_")).collect();
    format!(
        "{}ops! {{\n    HostOp respond_host\n    kinds {{\n{hosts}    }}\n    older {{}}\n}}\n",
        values(dialects)
    )
}

/// A line of `kinds`.
fn entry(records: &Value, op: &Value, prefix: &str) -> String {
    let (class, name) = (text(&op["!name"]), full_name(records, op));
    format!("        {} {prefix}{class} {name:?},\n", kind(class))
}

fn values(dialects: &[Value]) -> String {
    let ops = || dialects.iter().flat_map(|records| records::ops(records).map(move |op| (records, op)));
    let kinds: String = ops().map(|(records, op)| entry(records, op, "cute_op_")).collect();
    let older: String = dialects.iter().flat_map(older).collect();
    let facts: String = FACTS
        .iter()
        .map(|(method, doc, holds)| {
            let those = ops().filter(|(records, op)| holds(records, op));
            let those: String = those.map(|(_, op)| format!("{}, ", kind(text(&op["!name"])))).collect();
            assert!(!those.is_empty(), "no op {method}: td/ and crates/cute-ffi/build/ops.rs disagree");
            format!("        /// {doc}\n        {method} {{ {those}}}\n")
        })
        .collect();
    let attributes: String = attributes(dialects)
        .into_iter()
        .map(|name| format!("    {} {name:?},\n", in_camel_case(&name)))
        .collect();
    let effects: String = ops()
        .filter(|(records, op)| is_effectful(records, op))
        .map(|(_, op)| format!("        {},\n", kind(text(&op["!name"]))))
        .collect();
    format!(
        "ops! {{\n    OpKind respond\n    kinds {{\n{kinds}    }}\n    older {{\n{older}    }}\n}}\nfacts! {{\n    \
         facts {{\n{facts}    }}\n    effects {{\n{effects}    }}\n}}\nattributes! {{\n{attributes}}}\n"
    )
}

/// The names of the attributes that ops declare, and of the one that MLIR adds.
fn attributes(dialects: &[Value]) -> BTreeSet<String> {
    let mut names = BTreeSet::from(["operandSegmentSizes".to_string()]);
    for records in dialects {
        let arguments = records::ops(records).flat_map(|op| op["arguments"]["args"].as_array());
        for argument in arguments.flatten().filter(|a| is_a(def(records, &a[0]), "Attr")) {
            names.insert(text(&argument[1]).to_string());
        }
    }
    assert!(names.contains("mode"), "td/ and crates/cute-ffi/build/ops.rs disagree");
    names
}

/// `OperandId` for `operand_id`.
fn in_camel_case(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

/// Whether separate code lowers an op, instead of its evaluation.
fn is_effectful(records: &Value, op: &Value) -> bool {
    effects(records, op).next().is_some() || is_a(op, "MakesMemory") || is_a(op, "Emits")
}

/// The kind of an op is its class without the suffix `Op`.
fn kind(class: &str) -> &str {
    class.strip_suffix("Op").unwrap_or_else(|| panic!("the class of an op ends in Op: {class}"))
}

fn full_name(records: &Value, op: &Value) -> String {
    format!("{}.{}", text(&def(records, &op["opDialect"])["name"]), text(&op["opName"]))
}

/// Older names, each with the kind for which it stands.
fn older(records: &Value) -> impl Iterator<Item = String> {
    let older = strings(&records["!instanceof"]["Older"]).map(|name| &records[name]);
    older.map(|op| format!("        {:?} {},\n", full_name(records, op), kind(text(&op["currentClass"]))))
}

/// Whether one of the op's traits is the effect, on anything.
fn has_effect(records: &Value, op: &Value, effect: &str) -> bool {
    effects(records, op).any(|e| text(&e["def"]) == effect || is_a(def(records, e), effect))
}

/// The effects that the op's traits list.
fn effects<'a>(records: &'a Value, op: &'a Value) -> impl Iterator<Item = &'a Value> {
    let traits = op["traits"].as_array().into_iter().flatten().map(|t| def(records, t));
    traits.flat_map(|t| t["effects"].as_array().into_iter().flatten())
}
