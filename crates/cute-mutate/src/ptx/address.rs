//! Addresses: offsets, coordinates, strides, swizzles, and descriptors of shared memory.

use super::{
    Change,
    statement::{By, Instruction, integer, operands},
    waiting::shift,
};
use crate::Kind::{self, Bytes, Offset, Stride, Swizzle};

/// Bytes by which the address of a vector or of a matrix is off.
const LINE: i64 = 16;
/// The lowest bit of a descriptor's swizzle, and the bit that tells 128 bytes from none.
const SWIZZLE: (u32, u32) = (61, 62);
/// The lowest bit of a descriptor's stride.
const STRIDE: u32 = 32;

pub(super) fn changes(own: &Instruction<'_>, all: &mut Vec<Change>) {
    match &own.words[..] {
        ["cp", "async", "bulk", ..] => bulk(own, all),
        ["ld" | "st" | "atom" | "red" | "ldmatrix" | "stmatrix", ..] | ["cp", "async", "ca" | "cg", ..] => {
            displaced(own, all);
        }
        ["tcgen05", "ld" | "st" | "cp", ..] => displaced(own, all),
        ["shl" | "shr", ty] => {
            stride(own, all, 2, "shift");
            left_out(own, all, Stride, ty);
        }
        ["mov", "u32" | "b32"]
            if own.operands.get(1).is_some_and(|from| from.starts_with('%') && from.contains('.')) =>
        {
            coordinate(own, all);
        }
        ["mul" | "mad", "lo" | "wide", ..] => factor(own, all),
        ["add" | "sub", "s16" | "s32" | "u32" | "s64" | "u64"] => {
            descriptor(own, all);
            if own.operands.get(2).is_some_and(|operand| integer(operand).is_some()) {
                shift(own, all, (Offset, "constant + 1"), 2, By::Add(1), "b32");
                shift(own, all, (Offset, "constant - 1"), 2, By::Add(-1), "b32");
            } else {
                let to = if own.words[0] == "add" { "sub" } else { "add" };
                all.push(Change::new(Offset, format!("{} becomes {to}", own.words[0]), own.with_word(0, to)));
            }
        }
        ["mov", "b16" | "b32" | "u32" | "s32"]
            if own.operands.get(1).is_some_and(|o| integer(o).is_some()) =>
        {
            shift(own, all, (Offset, "constant + 1"), 1, By::Add(1), "b32");
        }
        ["xor", "b32" | "b64"] if own.operands.len() == 3 => {
            left_out(own, all, Swizzle, own.words[1]);
        }
        ["and", "b32"] => {
            if let Some(mask) = own.operands.get(2).and_then(|operand| integer(operand)).filter(|m| *m > 0) {
                let instead = own.with_operand(2, &(mask << 1).to_string());
                all.push(Change::new(Swizzle, "mask shifted", instead));
                left_out(own, all, Swizzle, "b32");
            }
        }
        ["or" | "mov", "b64"] => descriptor(own, all),
        _ => {}
    }
}

/// The first operand in the place of the result.
fn left_out(own: &Instruction<'_>, all: &mut Vec<Change>, kind: Kind, ty: &str) {
    let digits = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if own.operands.len() == 3 {
        let instead = own.instead(&format!("mov.b{digits}"), &own.operands[..2]);
        all.push(Change::new(kind, "left out", instead));
    }
}

/// Special registers, and others that are easily mistaken for them.
const COORDINATES: [(&str, &str); 7] = [
    ("%tid.x", "%laneid"),
    ("%tid.y", "%tid.x"),
    ("%ctaid.x", "%ctaid.y"),
    ("%ctaid.y", "%ctaid.x"),
    ("%ctaid.z", "%ctaid.x"),
    ("%ntid.x", "%tid.x"),
    ("%nctaid.x", "%ctaid.x"),
];

/// The number of another thread or block.
fn coordinate(own: &Instruction<'_>, all: &mut Vec<Change>) {
    if let Some((from, to)) = COORDINATES.iter().find(|(from, _)| own.operands[1] == *from) {
        all.push(Change::new(Offset, format!("{from} becomes {to}"), own.with_operand(1, to)));
    }
}

/// The bytes of an element or of a vector.
fn access(own: &Instruction<'_>) -> i64 {
    let bits = own.words.last().map(|ty| ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()));
    let bytes = bits.and_then(|bits| bits.parse::<i64>().ok()).map_or(LINE, |bits| (bits / 8).max(1));
    let vector = own.words.iter().find_map(|word| word.strip_prefix('v')).and_then(|n| n.parse::<i64>().ok());
    match own.words[0] {
        "ldmatrix" | "stmatrix" | "cp" => LINE,
        _ => bytes * vector.unwrap_or(1),
    }
}

/// An address that is one access further on.
fn displaced(own: &Instruction<'_>, all: &mut Vec<Change>) {
    if own.has(&["param", "const"]) {
        return;
    }
    let tensor = own.words[0] == "tcgen05";
    let Some(at) = own.operands.iter().position(|operand| operand.starts_with('[')) else { return };
    let inside = own.operands[at].trim_start_matches('[').trim_end_matches(']').trim();
    let step = if tensor { 1 } else { access(own) };
    let (base, offset) = match inside.split_once('+') {
        Some((base, offset)) => (base.trim(), integer(offset.trim())),
        None => (inside, Some(0)),
    };
    let Some(offset) = offset else { return };
    let (operand, unit) = (format!("[{base}+{}]", offset + step), if tensor { "column" } else { "address" });
    all.push(Change::new(Offset, format!("{unit} + {step}"), own.with_operand(at, &operand)));
    let operand = format!("[{base}+{}]", offset - step);
    all.push(Change::new(Offset, format!("{unit} - {step}"), own.with_operand(at, &operand)));
}

/// Coordinates of a box, or bytes of a copy.
fn bulk(own: &Instruction<'_>, all: &mut Vec<Change>) {
    if own.has(&["commit_group", "wait_group", "mbarrier"]) {
        return;
    }
    if own.has(&["tensor"]) {
        let boxed = own.operands.iter().position(|operand| operand.contains('{') && operand.starts_with('['));
        let Some(at) = boxed else { return };
        let inside = own.operands[at].split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        let Some((inside, _)) = inside else { return };
        for (i, part) in operands(inside).into_iter().enumerate() {
            let changed = own.shifted(at, part, By::Add(1), "b32");
            all.extend(changed.map(|instead| Change::new(Offset, format!("coordinate {i} + 1"), instead)));
        }
        return;
    }
    // The size follows the two addresses.
    if own.operands.len() > 2 && !own.has(&["prefetch"]) {
        shift(own, all, (Bytes, "bytes + 16"), 2, By::Add(LINE), "b32");
        shift(own, all, (Bytes, "bytes - 16"), 2, By::Add(-LINE), "b32");
    }
}

/// A shift by another number of bits.
fn stride(own: &Instruction<'_>, all: &mut Vec<Change>, at: usize, name: &str) {
    let Some(number) = own.operands.get(at).and_then(|operand| integer(operand)) else { return };
    for changed in [number + 1, number - 1].into_iter().filter(|changed| (0..64).contains(changed)) {
        let name = format!("{name} {number} becomes {changed}");
        all.push(Change::new(Stride, name, own.with_operand(at, &changed.to_string())));
    }
}

/// Another factor: a number, or the number in a register.
fn factor(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let Some(ty) = own.words.last().filter(|ty| ty.starts_with(['s', 'u'])) else { return };
    let Some(factor) = own.operands.get(2) else { return };
    if own.words[0] == "mad" {
        let opcode = own.opcode.replacen("mad", "mul", 1);
        all.push(Change::new(Offset, "without its addend", own.instead(&opcode, &own.operands[..3])));
    }
    match integer(factor) {
        Some(number) => {
            let instead = own.with_operand(2, &number.wrapping_mul(2).to_string());
            all.push(Change::new(
                Stride,
                format!("factor {number} becomes {}", number.wrapping_mul(2)),
                instead,
            ));
        }
        None => shift(own, all, (Stride, "factor + 1"), 2, By::Add(1), &format!("b{}", &ty[1..])),
    }
}

/// A constant that is the upper half of a descriptor.
fn descriptor(own: &Instruction<'_>, all: &mut Vec<Change>) {
    let at = own.last();
    let Some(number) = own.operands.get(at).and_then(|operand| integer(operand)) else { return };
    if (number as u64) >> SWIZZLE.0 == 0 || number < 0 && number > i64::from(i32::MIN) {
        return;
    }
    let mut flipped = |kind, name: &str, bit: u32| {
        let changed = (number as u64 ^ 1 << bit) as i64;
        all.push(Change::new(kind, name, own.with_operand(at, &changed.to_string())));
    };
    flipped(Swizzle, "swizzle of the descriptor", SWIZZLE.1);
    flipped(Stride, "stride of the descriptor", STRIDE);
}
