//! Instructions that only compute: functions of a warp's registers.

use super::alu;
use super::cast::{cast, regroup};
use super::coordinates::coordinates;
use crate::finding::FindingKind;
use crate::finding::{LaneFinding, try_map};
use crate::lanes::{Lanes, lanes_of, mask_of};
use crate::program::{Binary, Cast, Kernel, Move, Piece, ScalarOp, Slot, Term, Ternary, Unary};
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};
use cute_machine::convert::{Conversion, packed_bits};
use cute_machine::int::{IntOp, NoWrap, dot, mask, permute, signed, ternary};

/// Executes an instruction that only computes. With `check_overflow`, arithmetic that must not wrap
/// is checked.
#[inline(always)]
pub(super) fn compute(
    registers: &mut Registers,
    kernel: &Kernel,
    op: &ScalarOp,
    active: u32,
    check_overflow: bool,
) -> Result<(), LaneFinding> {
    match *op {
        ScalarOp::Int { op, width, at, .. } if op.divides() => {
            return divide(registers, op, width, at, active);
        }
        ScalarOp::Int { op, width, no_wrap, at } => {
            let no_wrap = if check_overflow { no_wrap } else { NoWrap::default() };
            return integer(registers, op, (width, no_wrap), at, active);
        }
        ScalarOp::Overflowing { op, width, signed, at } => {
            binary(registers, at, active, |defined, a, b, out| {
                alu::int_binary(op, width, NoWrap::default(), defined, a, b, out)
            })?;
            let flags = Binary { dst: at.dst + at.lanes, ..at };
            return total(registers, flags, active, |a, b, out| alu::wraps(op, width, signed, a, b, out));
        }
        ScalarOp::IntCompare { predicate, width, at } => {
            return total(registers, at, active, |a, b, out| alu::int_compare(predicate, width, a, b, out));
        }
        ScalarOp::Float { op, ty, at } => {
            return total(registers, at, active, |a, b, out| alu::float_binary(op, ty, a, b, out));
        }
        ScalarOp::FloatCompare { predicate, ty, at } => {
            return total(registers, at, active, |a, b, out| alu::float_compare(predicate, ty, a, b, out));
        }
        ScalarOp::IntUnary { op, width, at } => {
            return unary(registers, at, active, |_, a| Ok(alu::int_unary(op, width, a)));
        }
        ScalarOp::FloatUnary { op, ty, at } => {
            return unary(registers, at, active, |_, a| Ok(alu::float_unary(op, ty, active, a)));
        }
        ScalarOp::Cast { cast: kind, at } => return convert_lanes(registers, kind, at, active),
        ScalarOp::Fma { ty, at: Ternary { dst, a, b, c, lanes } } => {
            for i in 0..lanes {
                let [a, b, c] = [a + i, b + i, c + i];
                let fused = alu::fma(ty, active, registers.get(a), registers.get(b), registers.get(c));
                registers.set_from(dst + i, active, &fused, &[a, b, c]);
            }
        }
        ScalarOp::Rounded { instruction, at: Ternary { dst, a, b, c, lanes } } => {
            for i in 0..lanes {
                let operands = [a + i, b + i, c + i];
                let value = try_map(active, |lane| {
                    Ok(instruction.apply(operands.map(|slot| registers.get(slot)[lane])))
                })?;
                registers.set_from(dst + i, active, &value, &operands);
            }
        }
        ScalarOp::Dot { dst, ref a, ref b, c, width, skip, signed } => {
            return dot_product(registers, dst, (a, b, c), (width, skip, signed), active);
        }
        ScalarOp::IntTernary { op, width, at: Ternary { dst, a, b, c, .. } } => {
            let at = |slot: Slot, lane: usize| registers.get(slot)[lane];
            let value =
                try_map(active, |lane| Ok(ternary(op, width, at(a, lane), at(b, lane), at(c, lane))))?;
            let undefined = registers.undefined_lanes([a, b, c], active);
            registers.set_from(dst, active, &value, &[a, b, c]);
            registers.refine_ternary(op, width, dst, &undefined);
        }
        ScalarOp::Permute { at: Ternary { dst, a, b, c, .. } } => {
            let at = |slot: Slot, lane: usize| registers.get(slot)[lane];
            let picked = try_map(active, |lane| Ok(permute(at(a, lane), at(b, lane), at(c, lane))))?;
            let undefined = registers.undefined_lanes([a, b, c], active);
            registers.set_from(dst, active, &picked, &[a, b, c]);
            registers.refine_permuted(dst, &undefined);
        }
        ScalarOp::Convert { conversion, count, random, ref src, ref dst } => {
            convert(registers, (conversion, random), count, src, dst, active);
        }
        ScalarOp::Select { at, per_lane } => select(registers, at, per_lane, active),
        ScalarOp::Regroup { dst, src, from, to, lanes } => {
            regroup_all(registers, dst, src, from, to, lanes, active)
        }
        ScalarOp::Copy(m) => registers.copy(&m, active),
        ScalarOp::Freeze(m) => {
            registers.copy(&m, active);
            (m.dst..m.dst + m.len).for_each(|slot| registers.freeze(slot, active));
        }
        ScalarOp::Coordinates(ref of) => coordinates(registers, of, active),
        ScalarOp::Extract { dst, src, index, lanes } => {
            registers.defined(kernel, index, active, "index")?;
            for lane in lanes_of(active) {
                let element = element(registers, index, lanes, lane)?;
                registers.move_lane(dst, src + element, lane);
            }
        }
        ScalarOp::Insert { dst, value, index, lanes } => {
            registers.defined(kernel, index, active, "index")?;
            for lane in lanes_of(active) {
                let element = element(registers, index, lanes, lane)?;
                registers.move_lane(dst + element, value, lane);
            }
        }
        ScalarOp::Gather { dst, ref from } => {
            for (to, from) in (dst..).zip(from.iter()) {
                registers.copy(&Move { dst: to, src: *from, len: 1 }, active);
            }
        }
        ScalarOp::Address { dst, base, offset, ref terms } => {
            address(registers, dst, base, offset, terms, active)
        }
        _ => unreachable!("`step` has an arm of its own for each other instruction"),
    }
    Ok(())
}

#[inline(always)]
fn integer(
    registers: &mut Registers,
    op: IntOp,
    (width, no_wrap): (u32, NoWrap),
    at: Binary,
    active: u32,
) -> Result<(), LaneFinding> {
    use IntOp as I;
    let undefined = match op {
        I::And | I::Or | I::Xor | I::Shl | I::ShrU | I::ShlClamped | I::ShrClampedU | I::ShrClampedS => {
            registers.undefined_operands([at.a, at.b], at.lanes, active)
        }
        _ => Vec::new(),
    };
    binary(registers, at, active, |defined, a, b, out| {
        alu::int_binary(op, width, no_wrap, defined, a, b, out)
    })?;
    registers.refine(op, width, at.dst, &undefined);
    Ok(())
}

fn dot_product(
    registers: &mut Registers,
    dst: Slot,
    (a, b, c): (&[Piece], &[Piece], Slot),
    (width, skip, (sa, sb)): (u32, u32, (bool, bool)),
    active: u32,
) -> Result<(), LaneFinding> {
    let slots: Vec<Slot> = a.iter().chain(b.iter()).map(|p| p.slot).chain([c]).collect();
    let sum = try_map(active, |lane| {
        let read = |bits, width, is_signed| if is_signed { signed(bits, width) } else { bits as i64 };
        let a = fields(registers, a, width, lane).map(|bits| read(bits, width, sa));
        let b = fields(registers, b, 8, lane).skip(skip as usize).map(|bits| read(bits, 8, sb));
        Ok(dot(a, b, registers.get(c)[lane]))
    })?;
    registers.set_from(dst, active, &sum, &slots);
    Ok(())
}

#[inline(always)]
fn select(registers: &mut Registers, at: Ternary, per_lane: bool, active: u32) {
    let Ternary { dst, a, b, c, lanes } = at;
    for i in 0..lanes {
        let [a, b, c] = [if per_lane { a + i } else { a }, b + i, c + i];
        registers.use_followed(a, active);
        let value = alu::select(registers.get(a), registers.get(b), registers.get(c));
        let then = mask_of(registers.get(a));
        let picked = [then & registers.undefined_in(b), !then & registers.undefined_in(c)];
        let undefined = registers.undefined_in(a) | picked[0] | picked[1];
        registers.set(dst + i, active, &value, undefined);
        if undefined & active != 0 {
            registers.inherit_copy(dst + i, picked[0] & active, b);
            registers.inherit_copy(dst + i, picked[1] & active, c);
            registers.inherit(dst + i, registers.undefined_in(a) & active, u32::MAX, &[a]);
        }
    }
}

#[inline(always)]
fn address(registers: &mut Registers, dst: Slot, base: Slot, offset: i64, terms: &[Term], active: u32) {
    let mut sum = *registers.get(base);
    let mut undefined = registers.undefined_in(base);
    sum.iter_mut().for_each(|s| *s = s.wrapping_add_signed(offset));
    for t in terms {
        alu::add_scaled(&mut sum, registers.get(t.slot), t.width, t.scale);
        undefined |= registers.undefined_in(t.slot);
    }
    let before = registers.undefined_in(dst);
    registers.set(dst, active, &sum, undefined);
    if undefined & active != 0 {
        let slots: Vec<Slot> = terms.iter().map(|t| t.slot).chain([base]).collect();
        registers.inherit(dst, undefined & active, before, &slots);
    }
}

#[inline(always)]
fn binary(
    registers: &mut Registers,
    at: Binary,
    active: u32,
    f: impl Fn(u32, &Lanes, &Lanes, &mut Lanes) -> Result<(), LaneFinding>,
) -> Result<(), LaneFinding> {
    for i in 0..at.lanes {
        let (a, b) = (at.a + i, at.b + i);
        let undefined = registers.undefined_in(a) | registers.undefined_in(b);
        let mut value = [0; 32];
        f(active & !undefined, registers.get(a), registers.get(b), &mut value)?;
        registers.set_from(at.dst + i, active, &value, &[a, b]);
    }
    Ok(())
}

/// A division. A quotient by zero is undefined, which is harmless if it is not used: code
/// computes with extents before it checks that there are any.
#[cold]
fn divide(
    registers: &mut Registers,
    op: IntOp,
    width: u32,
    at: Binary,
    active: u32,
) -> Result<(), LaneFinding> {
    for i in 0..at.lanes {
        let (dst, a, b) = (at.dst + i, at.a + i, at.b + i);
        let known = active & !(registers.undefined_in(a) | registers.undefined_in(b));
        let by_zero = lanes_of(known).filter(|lane| registers.get(b)[*lane as usize] == 0);
        let by_zero = by_zero.fold(0, |lanes, lane| lanes | 1 << lane);
        let mut value = [0; 32];
        let no_wrap = NoWrap::default();
        alu::int_binary(
            op,
            width,
            no_wrap,
            known & !by_zero,
            registers.get(a),
            registers.get(b),
            &mut value,
        )?;
        registers.set_from(dst, active, &value, &[a, b]);
        let unknown = Unknown { origin: Origin::Quotient { at: registers.at() }, bits: u64::MAX };
        lanes_of(by_zero).for_each(|lane| registers.set_unknown(dst, lane, Some(unknown)));
    }
    Ok(())
}

/// Like `binary`, for operations that cannot fail.
#[inline(always)]
fn total(
    registers: &mut Registers,
    at: Binary,
    active: u32,
    f: impl Fn(&Lanes, &Lanes, &mut Lanes),
) -> Result<(), LaneFinding> {
    binary(registers, at, active, |_, a, b, out| {
        f(a, b, out);
        Ok(())
    })
}

fn unary(
    registers: &mut Registers,
    at: Unary,
    active: u32,
    f: impl Fn(u32, &Lanes) -> Result<Lanes, LaneFinding>,
) -> Result<(), LaneFinding> {
    for i in 0..at.lanes {
        let undefined = registers.undefined_in(at.a + i);
        let value = f(active & !undefined, registers.get(at.a + i))?;
        registers.set_from(at.dst + i, active, &value, &[at.a + i]);
    }
    Ok(())
}

fn convert_lanes(registers: &mut Registers, kind: Cast, at: Unary, active: u32) -> Result<(), LaneFinding> {
    let undefined = match kind {
        Cast::Truncate { .. } | Cast::SignExtend { .. } => {
            registers.undefined_operands([at.a], at.lanes, active)
        }
        _ => Vec::new(),
    };
    unary(registers, at, active, |defined, a| match kind {
        Cast::Truncate { width } => Ok(alu::map(a, |x| x & mask(width))),
        Cast::SignExtend { from, to } => Ok(alu::map(a, |x| signed(x, from) as u64 & mask(to))),
        _ => try_map(defined, |lane| cast(kind, a[lane])),
    })?;
    match kind {
        Cast::Truncate { width } => registers.refine_cast(at.dst, &undefined, |bits| bits & mask(width)),
        Cast::SignExtend { from, to } => {
            registers.refine_cast(at.dst, &undefined, |bits| signed(bits, from) as u64 & mask(to));
        }
        _ => {}
    }
    Ok(())
}

/// Converts the lowest numbers of the source's registers to the same number of the target's;
/// the rest becomes zero.
fn convert(
    registers: &mut Registers,
    (conversion, random): (Conversion, Option<Slot>),
    count: u32,
    src: &[Piece],
    dst: &[Piece],
    active: u32,
) {
    let (from, to) = (packed_bits(conversion.from), packed_bits(conversion.to));
    let sources: Vec<Slot> = src.iter().map(|piece| piece.slot).chain(random).collect();
    let undefined = sources.iter().fold(0, |lanes, slot| lanes | registers.undefined_in(*slot)) & active;
    let unknown: Vec<(u32, Unknown)> = lanes_of(undefined)
        .filter_map(|lane| Some((lane, unknown_conversion(registers, (from, to), count, src, random, lane)?)))
        .collect();
    let mut packed = [0u64; 32];
    for lane in lanes_of(active) {
        let word = random.map(|slot| registers.get(slot)[lane as usize] as u32);
        let codes = (0..count).zip(fields(registers, src, from, lane as usize));
        packed[lane as usize] = codes.fold(0, |bits, (i, code)| {
            let conversion = word.map_or(conversion, |word| conversion.randomly(word, i));
            bits | conversion.apply(code) << (i * to)
        });
    }
    let mut bit = 0;
    for piece in dst {
        let value = alu::map(&packed, |bits| bits >> bit & mask(piece.bits));
        registers.set_from(piece.slot, active, &value, &sources);
        for (lane, Unknown { origin, bits }) in &unknown {
            let bits = bits >> bit & mask(piece.bits);
            registers.set_unknown(piece.slot, *lane, Some(Unknown { origin: *origin, bits }));
        }
        bit += piece.bits;
    }
}

/// The undefined part of a lane's packed numbers, of which one is undefined if a bit of the
/// number that it is converted from is, or of the random bits.
#[cold]
fn unknown_conversion(
    registers: &Registers,
    (from, to): (u32, u32),
    count: u32,
    src: &[Piece],
    random: Option<Slot>,
    lane: u32,
) -> Option<Unknown> {
    let unknown = |slot: Slot| registers.unknown(slot, lane);
    let sources = src.iter().map(|piece| piece.slot);
    let origin = registers.origin_of(sources.chain(random).filter_map(unknown).map(|u| u.origin))?;
    let undefined = |slot: Slot| unknown(slot).map_or(0, |unknown| unknown.bits);
    let is_random = random.is_some_and(|slot| undefined(slot) != 0);
    let of_each = fields_of(src, from, undefined);
    let is_undefined = |bits: u64| is_random || bits != 0;
    let bits = (0..count).zip(of_each).filter(|(_, bits)| is_undefined(*bits));
    Some(Unknown { origin, bits: bits.fold(0, |all, (i, _)| all | mask(to) << (i * to)) })
}

/// Fields of `width` bits of a lane's registers, lowest first.
fn fields(registers: &Registers, pieces: &[Piece], width: u32, lane: usize) -> impl Iterator<Item = u64> {
    fields_of(pieces, width, move |slot| registers.get(slot)[lane])
}

/// The same bits in lanes of another width.
fn regroup_all(registers: &mut Registers, dst: Slot, src: Slot, from: u32, to: u32, lanes: u32, active: u32) {
    let parts = |i: u32| {
        if to < from { i / (from / to)..i / (from / to) + 1 } else { i * (to / from)..(i + 1) * (to / from) }
    };
    // The source may be the target's neighbour, never the target.
    for i in 0..lanes {
        let sources = parts(i);
        let value = std::array::from_fn(|lane| regroup(|s| registers.get(src + s)[lane], from, to, i));
        let undefined = sources.clone().fold(0, |u, s| u | registers.undefined_in(src + s));
        registers.set(dst + i, active, &value, undefined);
        let shift = if to < from { i % (from / to) * to } else { 0 };
        if undefined & active != 0
            && registers.regroup_flight(dst + i, src + sources.start, shift, to, active)
        {
            continue;
        }
        // Bits go with their values.
        for lane in lanes_of(undefined & active) {
            let unknown = |s: u32| registers.unknown(src + s, lane);
            let origins = sources.clone().filter_map(unknown).map(|u| u.origin);
            let Some(origin) = registers.origin_of(origins) else { continue };
            let bits = regroup(|s| unknown(s).map_or(0, |u| u.bits & mask(from)), from, to, i);
            registers.set_unknown(dst + i, lane, Some(Unknown { origin, bits }));
        }
    }
}

fn element(registers: &Registers, index: Slot, lanes: u32, lane: u32) -> Result<u32, LaneFinding> {
    let index = registers.get(index)[lane as usize];
    let element = u32::try_from(index).ok().filter(|i| *i < lanes);
    element.ok_or(LaneFinding { lane, kind: FindingKind::Lane { index, lanes } })
}

/// Fields of `width` bits of registers, lowest first.
fn fields_of(pieces: &[Piece], width: u32, at: impl Fn(Slot) -> u64) -> impl Iterator<Item = u64> {
    pieces.iter().flat_map(move |piece| {
        let register = at(piece.slot);
        (0..piece.bits / width).map(move |i| register >> (i * width) & mask(width))
    })
}
