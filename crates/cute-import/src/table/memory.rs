//! Loads, stores and atomic updates with PTX's modifiers. No published module has these ops: their
//! spellings are inferred.
//!
//! Hints for the caches change nothing, and the code omits them.

use super::version::Version::V4_5;
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};
use cute_arch::space::{CLUSTER, GLOBAL, SHARED};
use cute_ffi::ir::type_of;
use cute_ffi::lowered::{MachineType, machine_type};
use melior::dialect::llvm::r#type::pointer;
use melior::ir::{Type, Value};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "nvvm.load.ext",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.load or llvm.inline_asm",
        custom: Custom::Typed,
        rewrite: load,
    },
    Drift {
        name: "nvvm.store.ext",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.store or llvm.inline_asm",
        custom: Custom::Typed,
        rewrite: store,
    },
    Drift {
        name: "nvvm.atomicrmw",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.atomicrmw, llvm.cmpxchg or llvm.inline_asm",
        custom: Custom::Typed,
        rewrite: atomic,
    },
    Drift {
        name: "nvvm.red",
        origin: Origin::inferred(V4_5),
        becomes: "llvm.atomicrmw or llvm.inline_asm",
        custom: Custom::Typed,
        rewrite: reduction,
    },
];

/// LLVM's numbers of orders.
const RELAXED: u8 = 2;
const ORDERS: [(&str, u8); 4] = [("relaxed", RELAXED), ("acquire", 4), ("release", 5), ("acq_rel", 6)];

/// The order of an access; `None` if it is weak.
fn order(op: &Site<'_, '_>, name: &str, known: &[&str]) -> Result<Option<(&'static str, u8)>, String> {
    let Some(at) = one_of(op, name, known)? else { return Ok(None) };
    Ok(ORDERS.iter().find(|(word, _)| known.get(at) == Some(word)).copied())
}

/// PTX's word of a scope, and LLVM's. Without one, PTX takes the device.
fn scope(op: &Site<'_, '_>, name: &str) -> Result<(&'static str, &'static str), String> {
    let known = ["gpu", "cta", "cluster", "sys"];
    Ok(match one_of(op, name, &known)? {
        Some(1) => ("cta", "\"block\""),
        Some(2) => ("cluster", "\"cluster\""),
        Some(3) => ("sys", "\"\""),
        _ => ("gpu", "\"device\""),
    })
}

/// The address, in the space that the op names.
fn address<'c, 'a>(op: &Site<'c, 'a>, address: Value<'c, 'a>) -> Result<Value<'c, 'a>, String> {
    let in_cluster = one_of(op, "shared_space", &["cta", "cluster"])? == Some(1);
    match machine_type(type_of(address)) {
        Some(MachineType::Pointer(SHARED)) if in_cluster => {
            op.value("llvm.addrspacecast", &[address], &[], pointer(op.context(), CLUSTER))
        }
        Some(MachineType::Pointer(_)) => Ok(address),
        _ => Err(format!("has the address {}, which is not a pointer", type_of(address))),
    }
}

/// The words of hints that are known.
fn hints(op: &Site<'_, '_>) -> Result<(), String> {
    let levels =
        ["evict_normal", "evict_first", "evict_last", "evict_no_allocate", "no_allocate", "evict_unchanged"];
    one_of(op, "evict", &levels)?;
    one_of(op, "cache_modifier", &["ca", "cg", "cs", "lu", "cv", "wb", "wt"])?;
    one_of(op, "prefetch", &["size_64b", "size_128b", "size_256b"])?;
    Ok(())
}

/// Bytes of an integer, a float or a vector of them, its elements, and a register's letter in
/// constraints and PTX's type for each element.
struct Shape<'c> {
    bytes: u32,
    elements: u32,
    element: Type<'c>,
    letter: char,
    word: &'static str,
}

fn shape<'c>(ty: Type<'c>) -> Result<Shape<'c>, String> {
    use MachineType as M;
    let (elements, element) = match machine_type(ty) {
        Some(M::Vector(count, element)) => (count, element),
        _ => (1, ty),
    };
    let (bits, letter, word) = match machine_type(element) {
        Some(M::Integer(8)) => (8, 'h', "b8"),
        Some(M::Integer(16) | M::F16 | M::Bf16) => (16, 'h', "b16"),
        Some(M::Integer(32)) => (32, 'r', "b32"),
        Some(M::F32) => (32, 'f', "f32"),
        Some(M::Integer(64)) => (64, 'l', "b64"),
        Some(M::F64) => (64, 'd', "f64"),
        Some(M::Integer(128)) => (128, 'q', "b128"),
        _ => return Err(format!("accesses the type {ty}, which is not supported")),
    };
    Ok(Shape { bytes: elements * bits / 8, elements, element, letter, word })
}

/// The space of an address in PTX, with a point in front.
fn space(address: Value<'_, '_>) -> &'static str {
    match machine_type(type_of(address)) {
        Some(MachineType::Pointer(GLOBAL)) => ".global",
        Some(MachineType::Pointer(SHARED)) => ".shared::cta",
        Some(MachineType::Pointer(CLUSTER)) => ".shared::cluster",
        _ => "",
    }
}

/// The letter of an address among constraints.
fn address_letter(address: Value<'_, '_>) -> char {
    match machine_type(type_of(address)) {
        Some(MachineType::Pointer(SHARED | CLUSTER)) => 'r',
        _ => 'l',
    }
}

fn load(op: &Site<'_, '_>) -> Rewritten {
    hints(op)?;
    let at = address(op, *op.operands.first().ok_or("has no address")?)?;
    let [ty] = op.results()[..] else { return Err("needs 1 result".into()) };
    let shape = shape(ty)?;
    let alignment = format!("{} : i64", shape.bytes);
    let scope = scope(op, "scope")?;
    let Some((word, number)) = order(op, "order", &["relaxed", "acquire"])? else {
        return op.become_op("llvm.load", &[at], &[("alignment", &alignment)]);
    };
    if shape.elements == 1 {
        let ordering = format!("{number} : i64");
        let attributes = [("alignment", alignment.as_str()), ("ordering", &ordering), ("syncscope", scope.1)];
        return op.become_op("llvm.load", &[at], &attributes);
    }
    // LLVM has no such access of a vector.
    let count = shape.elements;
    let registers: Vec<String> = (0..count).map(|i| format!("${i}")).collect();
    let text = format!(
        "\"ld.{word}.{}{}.v{count}.{} {{{}}}, [${count}];\"",
        scope.0,
        space(at),
        shape.word,
        registers.join(", ")
    );
    let results = format!("={},", shape.letter).repeat(count as usize);
    let constraints = format!("\"{results}{},~{{memory}}\"", address_letter(at));
    let attributes =
        [("asm_string", text.as_str()), ("constraints", constraints.as_str()), ("has_side_effects", "unit")];
    let of_one = shape.element.to_string();
    let list = vec![of_one.as_str(); count as usize].join(", ");
    let made = op.parse_type(&format!("!llvm.struct<({list})>"))?;
    let loaded = op.value("llvm.inline_asm", &[at], &attributes, made)?;
    let mut elements = Vec::new();
    for i in 0..count {
        let position = format!("array<i64: {i}>");
        elements.push(op.value("llvm.extractvalue", &[loaded], &[("position", &position)], shape.element)?);
    }
    op.become_op("vector.from_elements", &elements, &[])
}

fn store(op: &Site<'_, '_>) -> Rewritten {
    hints(op)?;
    let [value, at, ..] = op.operands[..] else { return Err("needs a value and an address".into()) };
    let at = address(op, at)?;
    let shape = shape(type_of(value))?;
    let alignment = format!("{} : i64", shape.bytes);
    let scope = scope(op, "scope")?;
    let Some((word, number)) = order(op, "order", &["relaxed", "release"])? else {
        return op.become_op("llvm.store", &[value, at], &[("alignment", &alignment)]);
    };
    if shape.elements == 1 {
        let ordering = format!("{number} : i64");
        let attributes = [("alignment", alignment.as_str()), ("ordering", &ordering), ("syncscope", scope.1)];
        return op.become_op("llvm.store", &[value, at], &attributes);
    }
    let count = shape.elements;
    let registers: Vec<String> = (1..=count).map(|i| format!("${i}")).collect();
    let text = format!(
        "\"st.{word}.{}{}.v{count}.{} [$0], {{{}}};\"",
        scope.0,
        space(at),
        shape.word,
        registers.join(", ")
    );
    let list = format!(",{}", shape.letter).repeat(count as usize);
    let constraints = format!("\"{}{list},~{{memory}}\"", address_letter(at));
    let mut operands = vec![at];
    for i in 0..count {
        let position = format!("array<i64: {i}>");
        operands.push(op.value(
            "vector.extract",
            &[value],
            &[("static_position", &position)],
            shape.element,
        )?);
    }
    let attributes =
        [("asm_string", text.as_str()), ("constraints", constraints.as_str()), ("has_side_effects", "unit")];
    op.become_op("llvm.inline_asm", &operands, &attributes)
}

/// LLVM's number of an update, by its word and by the numbers' kind.
fn update(word: &str, is_float: bool, unsigned: bool) -> Option<u8> {
    Some(match (word, is_float) {
        ("exch", _) => 0,
        ("add", false) => 1,
        ("and", false) => 3,
        ("or", false) => 5,
        ("xor", false) => 6,
        ("max", false) if !unsigned => 7,
        ("min", false) if !unsigned => 8,
        ("umax" | "max", false) => 9,
        ("umin" | "min", false) => 10,
        ("add" | "fadd", true) => 11,
        ("inc", false) => 15,
        ("dec", false) => 16,
        _ => return None,
    })
}

fn is_float(ty: Type<'_>) -> bool {
    use MachineType as M;
    matches!(machine_type(ty), Some(M::F16 | M::Bf16 | M::F32 | M::F64))
}

fn is_vector(ty: Type<'_>) -> bool {
    matches!(machine_type(ty), Some(MachineType::Vector(..)))
}

const UPDATES: [&str; 13] =
    ["add", "fadd", "max", "min", "umax", "umin", "and", "or", "xor", "exch", "inc", "dec", "cas"];

fn atomic(op: &Site<'_, '_>) -> Rewritten {
    let word = UPDATES[one_of(op, "op", &UPDATES)?.ok_or("has no op")?];
    let order = order(op, "mem_order", &["relaxed", "acquire", "release", "acq_rel"])?;
    let (order_word, number) = order.unwrap_or(ORDERS[0]);
    let scope = scope(op, "syncscope")?;
    let [at, value, ..] = op.operands[..] else { return Err("needs an address and a value".into()) };
    let at = address(op, at)?;
    let ty = type_of(value);
    if word == "cas" {
        let [_, expected, new] = op.operands[..] else {
            return Err("compares and exchanges, which needs an address and 2 values".into());
        };
        // LLVM allows no release of an exchange that fails.
        let failure = if matches!(order_word, "acquire" | "acq_rel") { 4 } else { RELAXED };
        let (success, failure) = (format!("{number} : i64"), format!("{failure} : i64"));
        let both = op.parse_type(&format!("!llvm.struct<({ty}, i1)>"))?;
        let attributes = [
            ("success_ordering", success.as_str()),
            ("failure_ordering", failure.as_str()),
            ("syncscope", scope.1),
        ];
        let made = op.value("llvm.cmpxchg", &[at, expected, new], &attributes, both)?;
        let old = op.value("llvm.extractvalue", &[made], &[("position", "array<i64: 0>")], ty)?;
        return op.become_value(old);
    }
    if is_vector(ty) {
        return vector_update(op, at, value, (order_word, scope.0));
    }
    let update = update(word, is_float(ty), false);
    let update = update.ok_or_else(|| format!("has op = {word}, which does not fit the type {ty}"))?;
    let (update, ordering) = (format!("{update} : i64"), format!("{number} : i64"));
    let attributes = [("bin_op", update.as_str()), ("ordering", &ordering), ("syncscope", scope.1)];
    if op.results().is_empty() {
        op.make("llvm.atomicrmw", &[at, value], &attributes, &[ty])?;
        return op.become_nothing();
    }
    op.become_op("llvm.atomicrmw", &[at, value], &attributes)
}

fn reduction(op: &Site<'_, '_>) -> Rewritten {
    let word = UPDATES[one_of(op, "op", &UPDATES)?.ok_or("has no op")?];
    let types = ["b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64", "f16", "f16x2", "bf16", "bf16x2"];
    let kind = types[one_of(op, "type", &types)?.ok_or("has no type")?];
    let (order_word, number) = order(op, "mem_order", &["relaxed", "release"])?.unwrap_or(ORDERS[0]);
    let scope = scope(op, "mem_scope")?;
    let [at, value, ..] = op.operands[..] else { return Err("needs an address and a value".into()) };
    let at = address(op, at)?;
    let ty = type_of(value);
    if kind.ends_with("x2") || is_vector(ty) {
        return vector_update(op, at, value, (order_word, scope.0));
    }
    let update = update(word, is_float(ty), kind.starts_with('u'));
    let update = update.ok_or_else(|| format!("has op = {word}, which does not fit the type {ty}"))?;
    let (update, ordering) = (format!("{update} : i64"), format!("{number} : i64"));
    let attributes = [("bin_op", update.as_str()), ("ordering", &ordering), ("syncscope", scope.1)];
    op.make("llvm.atomicrmw", &[at, value], &attributes, &[ty])?;
    op.become_nothing()
}

/// A sum of each of several numbers, whose old values nothing uses.
fn vector_update<'c, 'a>(
    op: &Site<'c, 'a>,
    at: Value<'c, 'a>,
    value: Value<'c, 'a>,
    (order, scope): (&str, &str),
) -> Rewritten {
    if !matches!(op.word("op"), Some("add" | "fadd")) {
        return Err("updates several numbers, which is supported for add alone".into());
    }
    if !op.results().is_empty() && !op.users().is_empty() {
        return Err("returns several old numbers, which is not supported".into());
    }
    use MachineType as M;
    let ty = type_of(value);
    let (count, element) = match machine_type(ty) {
        Some(M::Vector(count, element)) => (count, element),
        _ => (1, ty),
    };
    let (word, count, letter) = match (count, machine_type(element), op.word("type")) {
        (2, Some(M::F16), _) | (1, Some(M::Integer(32)), Some("f16x2")) => ("noftz.f16x2", 1, 'r'),
        (2, Some(M::Bf16), _) | (1, Some(M::Integer(32)), Some("bf16x2")) => ("noftz.bf16x2", 1, 'r'),
        (2, Some(M::F32), _) => ("v2.f32", 2, 'f'),
        (4, Some(M::F32), _) => ("v4.f32", 4, 'f'),
        _ => return Err(format!("updates numbers of type {ty}, which is not supported")),
    };
    if count > 1 && !matches!(machine_type(type_of(at)), Some(MachineType::Pointer(GLOBAL))) {
        return Err("updates a vector that is not in global memory".into());
    }
    let mut operands = vec![at];
    let list = if count == 1 {
        let packed = if !is_vector(ty) {
            value
        } else {
            op.value("llvm.bitcast", &[value], &[], op.parse_type("i32")?)?
        };
        operands.push(packed);
        "$1".to_owned()
    } else {
        for i in 0..count {
            let position = format!("array<i64: {i}>");
            let element = op.parse_type("f32")?;
            operands.push(op.value(
                "vector.extract",
                &[value],
                &[("static_position", &position)],
                element,
            )?);
        }
        let registers: Vec<String> = (1..=count).map(|i| format!("${i}")).collect();
        format!("{{{}}}", registers.join(", "))
    };
    let text = format!("\"red.{order}.{scope}{}.add.{word} [$0], {list};\"", space(at));
    let constraints =
        format!("\"{}{},~{{memory}}\"", address_letter(at), format!(",{letter}").repeat(count as usize));
    let attributes =
        [("asm_string", text.as_str()), ("constraints", constraints.as_str()), ("has_side_effects", "unit")];
    op.make("llvm.inline_asm", &operands, &attributes, &[])?;
    op.become_nothing()
}
