//! Small integers as elements of every type, and files of them.

use std::{fs, path::Path};

use cute_arch::Element;
use cute_kernels::gemm::{sm80::Types, sm90};
use cute_sim::format::{Overflow, Rounding, encode};
use half::{bf16, f16};

/// Small integers, the same for a seed.
pub(in super::super) fn numbers(count: usize, seed: usize) -> Vec<i8> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % 16) as i8 - 8).collect()
}

/// Writes a matrix of elements that numpy knows as `descr`.
pub(in super::super) fn write(
    folder: &Path,
    name: &str,
    descr: &str,
    shape: &[usize],
    bytes: impl Iterator<Item = u8>,
) {
    let shape: String = shape.iter().map(|n| format!("{n}, ")).collect();
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.bytes());
    file.extend(bytes);
    fs::write(folder.join(name), file).unwrap();
}

/// A type of elements: its name here and in numpy, and the bytes of a number.
pub(in super::super) type Numbers = (&'static str, &'static str, fn(i8) -> Vec<u8>);

/// Elements of A and B, and of C and D.
pub(in super::super) struct Elements {
    pub factors: Numbers,
    pub sums: Numbers,
}

pub(in super::super) const F32: Numbers = ("f32", "<f4", |n| f32::from(n).to_le_bytes().into());
pub(in super::super) const I32: Numbers = ("i32", "<i4", |n| i32::from(n).to_le_bytes().into());

pub(in super::super) const MADE_F32: (&str, fn(i32) -> Vec<u8>) =
    ("f32", |n| (n as f32).to_le_bytes().into());
pub(in super::super) const MADE_I32: (&str, fn(i32) -> Vec<u8>) = ("i32", |n| n.to_le_bytes().into());
pub(in super::super) const MADE_F16: (&str, fn(i32) -> Vec<u8>) =
    ("f16", |n| f16::from_f32(n as f32).to_le_bytes().into());
pub(in super::super) const MADE_E4M3: (&str, fn(i32) -> Vec<u8>) = ("f8E4M3FN", |n| rounded_e4m3(n));
/// For results that are quantized, so that no integer is an element.
pub(in super::super) const MADE_E2M1: (&str, fn(i32) -> Vec<u8>) = ("f4E2M1FN", |_| vec![0]);
pub(in super::super) const MADE_BF16: (&str, fn(i32) -> Vec<u8>) =
    ("bf16", |n| bf16::from_f32(n as f32).to_le_bytes().into());

/// The float of 8 bits with 4 bits of exponent that is nearest to an integer, of two the even one;
/// the largest where there is none.
pub(in super::super) fn rounded_e4m3(n: i32) -> Vec<u8> {
    let size = n.unsigned_abs();
    let unit = 1 << size.checked_ilog2().unwrap_or(0).saturating_sub(3);
    let (below, rest) = (size / unit, size % unit);
    let up = 2 * rest > unit || (2 * rest == unit && below % 2 == 1);
    let size = ((below + u32::from(up)) * unit).min(448);
    let bits = size.checked_ilog2().map_or(0, |e| (e + 7) << 3 | ((size << 3 >> e) - 8));
    vec![bits as u8 | if n < 0 { 0x80 } else { 0 }]
}

/// A small integer as an 8-bit float with this number of bits of mantissa.
pub(in super::super) fn f8(n: i8, mantissa: u32) -> Vec<u8> {
    let (size, bias) = (u32::from(n.unsigned_abs()), if mantissa == 3 { 7 } else { 15 });
    let bits = match size.checked_ilog2() {
        None => 0,
        Some(e) => (e + bias) << mantissa | ((size << mantissa >> e) - (1 << mantissa)),
    };
    vec![bits as u8 | if n < 0 { 0x80 } else { 0 }]
}

/// A small integer as a float of 6 bits.
fn f6(n: i8, element: Element) -> Vec<u8> {
    let code = encode(element, n.into(), Rounding::NearestEven, Overflow::Saturate);
    vec![code.expect("a float of 6 bits") as u8]
}

/// The code of a float of 4 bits: 0, 1, 2, 3, 4 or 6, or a negative one.
fn e2m1(n: i8) -> u8 {
    let size = [0, 1, 2, 3, 4, 6].into_iter().position(|size| size == n.abs()).expect("an exact number");
    [0, 2, 4, 5, 6, 7][size] | if n < 0 { 8 } else { 0 }
}

/// The number that elements of a type have in place of a small integer.
pub(in super::super) fn exact(types: sm90::Types) -> fn(i8) -> i8 {
    match types {
        sm90::Types::Mxf4 | sm90::Types::Nvf4 => |n| match n.abs() {
            5 => n - n.signum(),
            7 | 8 => 6 * n.signum(),
            _ => n,
        },
        sm90::Types::Mxf6E2m3 => |n| n.clamp(-7, 7),
        _ => |n| n,
    }
}

pub(in super::super) fn factors90(types: sm90::Types) -> Numbers {
    match types {
        sm90::Types::F16 => elements(Types::F16).factors,
        sm90::Types::Bf16 => elements(Types::Bf16).factors,
        sm90::Types::Tf32 => F32,
        sm90::Types::E4m3 => ("f8E4M3FN", "|u1", |n| f8(n, 3)),
        sm90::Types::E5m2 => ("f8E5M2", "|u1", |n| f8(n, 2)),
        sm90::Types::S8 => elements(Types::S8).factors,
        sm90::Types::Mxf8 => ("f8E4M3FN", "|u1", |n| f8(n, 3)),
        sm90::Types::Mxf8E5m2 => ("f8E5M2", "|u1", |n| f8(n, 2)),
        sm90::Types::Mxf6E2m3 => ("f6E2M3FN", "|u1", |n| f6(n, Element::E2m3)),
        sm90::Types::Mxf6E3m2 => ("f6E3M2FN", "|u1", |n| f6(n, Element::E3m2)),
        sm90::Types::Mxf4 | sm90::Types::Nvf4 => ("f4E2M1FN", "|u1", |n| vec![e2m1(n)]),
    }
}

pub(in super::super) fn elements(types: Types) -> Elements {
    match types {
        Types::F16 => {
            Elements { factors: ("f16", "<f2", |n| f16::from_f32(n.into()).to_le_bytes().into()), sums: F32 }
        }
        Types::Bf16 => Elements {
            factors: ("bf16", "<u2", |n| bf16::from_f32(n.into()).to_le_bytes().into()),
            sums: F32,
        },
        Types::Tf32 => Elements { factors: F32, sums: F32 },
        Types::S8 => Elements { factors: ("i8", "|i1", |n| n.to_le_bytes().into()), sums: I32 },
    }
}

/// The numbers that are written in bytes of a type of D.
pub(in super::super) fn read(name: &str, bytes: &[u8]) -> f64 {
    let word = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
    match name {
        "f16" => f16::from_bits(word(bytes)).into(),
        "bf16" => bf16::from_bits(word(bytes)).into(),
        "f8E4M3FN" => {
            let (exponent, mantissa) = (i32::from(bytes[0] >> 3 & 15), f64::from(bytes[0] & 7) / 8.0);
            let size =
                if exponent == 0 { mantissa / 64.0 } else { (1.0 + mantissa) * 2f64.powi(exponent - 7) };
            if bytes[0] & 0x80 != 0 { -size } else { size }
        }
        "i32" => i32::from_le_bytes(bytes.try_into().expect("4 bytes")).into(),
        _ => f32::from_le_bytes(bytes.try_into().expect("4 bytes")).into(),
    }
}
