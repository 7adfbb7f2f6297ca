//! Bodies of atoms, read and written, in the spelling of the public CuTe IR.

use std::fmt::Display;

use cute_algebra::{Dim, Int, Tuple, parse_shape};
use cute_arch::atoms::{Major, MmaOp};
use melior::ir::Type;

use super::{parse::quoted, print::put};
use crate::{
    atom::{Cache, CopyAtom, MatrixCopy, MmaAtom, MmaKind, MmaOptions, Pattern},
    boundary::{
        syntax::{At, Parsed, Parser},
        types::Kind,
    },
    value::Value,
};

/// The body of an atom, without its brackets.
pub(super) fn parse<'c>(p: &Parser<'c>, kind: Kind) -> Parsed<Value<'c, Dim>> {
    let at = p.at();
    if let Some(kind) = MmaKind::ALL.into_iter().find(|k| k.kind() == kind) {
        return mma(p, kind).map(Value::MmaAtom);
    }
    let atom = match kind {
        Kind::SimtAsyncCopy => asynchronous(p)?,
        Kind::Ldsm => ldmatrix(p)?,
        Kind::Stsm => stmatrix(p)?,
        _ => CopyAtom::Universal { elem: p.r#type()?, bits: bits(p)? },
    };
    match atom.check() {
        Ok(()) => Ok(Value::CopyAtom(atom)),
        Err(why) => p.error(at, &why),
    }
}

/// Whether the body begins with the element type.
pub(super) fn begins_with_element(atom: &CopyAtom<'_>) -> bool {
    !matches!(atom, CopyAtom::Matrix(m) if !m.store)
}

/// What follows the element type.
pub(super) fn print_copy(out: &mut String, atom: &CopyAtom<'_>) {
    match atom {
        CopyAtom::Universal { bits, .. } => call(out, *bits),
        CopyAtom::Async { cache, bits, .. } => {
            put(out, format_args!(", cache = {}", cache.name()));
            call(out, *bits);
        }
        CopyAtom::Matrix(m) => {
            let (MatrixCopy { elem, pattern, matrices, .. }, [rows, columns]) = (m, m.mode);
            if !m.store {
                put(out, format_args!("val_type = {elem}"));
            }
            put(out, format_args!(", mode = <\"({rows},{columns})\">"));
            if !m.store {
                put(out, format_args!(", sz_pattern = {pattern}"));
            }
            let t = if m.transposed { "t" } else { "n" };
            put(out, format_args!(", num_matrices = {matrices}, {t}"));
        }
    }
}

/// All of an MMA atom.
pub(super) fn print_mma(out: &mut String, atom: &MmaAtom<'_>) {
    let ([m, n, k], [a, b, c]) = (atom.shape, atom.elems);
    put(out, format_args!("{m}x{n}x{k}, "));
    if atom.kind == MmaKind::UniversalFma {
        return put(out, format_args!("({a}, {b}) -> {c} "));
    }
    if atom.kind.has_majors() {
        let (a, b) = atom.options.majors;
        put(out, format_args!("ab_major = ({}, {}), ", major_name(a), major_name(b)));
    }
    put(out, format_args!("elem_type = ({a}, {b}, {c}) "));
    match atom.options.op {
        MmaOp::MulAdd => {}
        MmaOp::MulAddSaturate => put(out, format_args!("int_overflow = <satfinite>")),
        MmaOp::XorPopc => put(out, format_args!("binary_op = <xor_popc>")),
        MmaOp::AndPopc => put(out, format_args!("binary_op = <and_popc>")),
    }
}

/// Bits of a call; 0 stands for one element.
fn call(out: &mut String, bits: i64) {
    if bits != 0 {
        put(out, format_args!(", {bits} b"));
    }
}

/// `[, N b]`: bits of a call; 0 where it is left out.
fn bits(p: &Parser<'_>) -> Parsed<i64> {
    if !p.optional(",") {
        return Ok(0);
    }
    let at = p.at();
    match p.integer() {
        Some(n) if n > 0 => p.expect("b").map(|()| n),
        _ => p.error(at, "expected a positive number of bits, such as 128 b"),
    }
}

fn tokens(p: &Parser<'_>, tokens: &[&str]) -> Parsed<()> {
    tokens.iter().try_for_each(|t| p.expect(t))
}

/// One of several keywords.
fn one_of<T: Copy>(p: &Parser<'_>, what: &str, choices: &[(&str, T)]) -> Parsed<T> {
    let at = p.at();
    let word = p.keyword();
    let found = choices.iter().find(|(name, _)| word.as_deref() == Some(name));
    let names = || choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.map_or_else(|| p.error(at, &format!("expected {what}: {}", names())), |(_, choice)| Ok(*choice))
}

fn asynchronous<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    let elem = p.r#type()?;
    tokens(p, &[",", "cache", "="])?;
    let cache = one_of(p, "a cache mode", &[Cache::Always, Cache::Global].map(|c| (c.name(), c)))?;
    Ok(CopyAtom::Async { elem, cache, bits: bits(p)? })
}

fn ldmatrix<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    tokens(p, &["val_type", "="])?;
    let elem = p.r#type()?;
    let mode = mode(p)?;
    tokens(p, &[",", "sz_pattern", "="])?;
    let patterns: Vec<_> = Pattern::ALL.iter().map(|p| (p.name(), *p)).collect();
    let pattern = one_of(p, "a pattern of sizes", &patterns)?;
    let (matrices, transposed) = matrices(p)?;
    Ok(CopyAtom::Matrix(MatrixCopy { elem, mode, pattern, matrices, transposed, store: false }))
}

fn stmatrix<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    let elem = p.r#type()?;
    let mode = mode(p)?;
    let (matrices, transposed) = matrices(p)?;
    // The rows say what is stored: 8 columns of 16 bits, or 16 rows of 8 bits.
    let pattern = if mode[0] == 16 { Pattern::U8 } else { Pattern::U16 };
    Ok(CopyAtom::Matrix(MatrixCopy { elem, mode, pattern, matrices, transposed, store: true }))
}

/// `, mode = <"(8,8)">`
fn mode(p: &Parser<'_>) -> Parsed<[i64; 2]> {
    tokens(p, &[",", "mode", "=", "<"])?;
    let at = p.at();
    let shape: Tuple<Dim> = quoted(p, parse_shape)?;
    let leaves: Vec<_> = shape.leaves().iter().filter_map(Int::as_static).collect();
    p.expect(">")?;
    match leaves[..] {
        [rows, columns] if shape.rank() == 2 => Ok([rows, columns]),
        _ => p.error(
            at,
            &format!("expected rows and columns of a matrix, such as \"(8,8)\", found \"{shape}\""),
        ),
    }
}

/// `, num_matrices = 4, n`
fn matrices(p: &Parser<'_>) -> Parsed<(i64, bool)> {
    tokens(p, &[",", "num_matrices", "="])?;
    let at = p.at();
    let Some(count) = p.integer() else { return p.error(at, "expected a number of matrices: 1, 2 or 4") };
    p.expect(",")?;
    Ok((count, one_of(p, "the order of elements", &[("n", false), ("t", true)])?))
}

fn major_name(major: Major) -> &'static str {
    if major == Major::Mn { "mn" } else { "k" }
}

fn mma<'c>(p: &Parser<'c>, kind: MmaKind) -> Parsed<MmaAtom<'c>> {
    let at = p.at();
    let shape = p.dimensions()?;
    p.expect(",")?;
    let mut options = MmaOptions::default();
    if kind.has_majors() {
        tokens(p, &["ab_major", "=", "("])?;
        let a = major(p)?;
        p.expect(",")?;
        options.majors = (a, major(p)?);
        tokens(p, &[")", ","])?;
    }
    let elems = if kind == MmaKind::UniversalFma { function(p)? } else { triple(p)? };
    if kind != MmaKind::UniversalFma {
        options.op = operation(p)?;
    }
    made(p, at, MmaAtom::new(kind, shape, elems, options))
}

fn made<T>(p: &Parser<'_>, at: At, result: Result<T, impl Display>) -> Parsed<T> {
    result.or_else(|why| p.error(at, &why.to_string()))
}

fn major(p: &Parser<'_>) -> Parsed<Major> {
    one_of(p, "the mode that lies contiguous", &[("k", Major::K), ("mn", Major::Mn)])
}

/// `(f32, f32) -> f32`
fn function<'c>(p: &Parser<'c>) -> Parsed<[Type<'c>; 3]> {
    p.expect("(")?;
    let a = p.r#type()?;
    p.expect(",")?;
    let b = p.r#type()?;
    tokens(p, &[")", "->"])?;
    Ok([a, b, p.r#type()?])
}

/// `elem_type = (f16, f16, f32)`
fn triple<'c>(p: &Parser<'c>) -> Parsed<[Type<'c>; 3]> {
    tokens(p, &["elem_type", "=", "("])?;
    let a = p.r#type()?;
    p.expect(",")?;
    let b = p.r#type()?;
    p.expect(",")?;
    let c = p.r#type()?;
    p.expect(")")?;
    Ok([a, b, c])
}

/// `[int_overflow = <satfinite>]` or `[binary_op = <xor_popc>]`, a comma before them or not.
fn operation(p: &Parser<'_>) -> Parsed<MmaOp> {
    let comma = p.optional(",");
    let choices: &[(&str, MmaOp)] = if p.optional("int_overflow") {
        &[("wrapped", MmaOp::MulAdd), ("satfinite", MmaOp::MulAddSaturate)]
    } else if p.optional("binary_op") {
        &[("xor_popc", MmaOp::XorPopc), ("and_popc", MmaOp::AndPopc)]
    } else if comma {
        return p.error(p.at(), "expected int_overflow or binary_op");
    } else {
        return Ok(MmaOp::MulAdd);
    };
    tokens(p, &["=", "<"])?;
    let op = one_of(p, "an operation", choices)?;
    p.expect(">").map(|()| op)
}
