//! Plain copies, cp.async, ldmatrix and stmatrix.

use cute_algebra::{Dim, Int, Tuple, parse_shape};
use cute_ffi::{
    syntax::{Parsed, Parser},
    types::Kind,
};

use super::{one_of, positive, tokens};
use crate::types::element::element_type;
use crate::{
    atom::{Access, AsyncCopy, Cache, CopyAtom, MatrixCopy, Pattern, Priority, UniversalCopy},
    types::{parse::quoted, print::put},
    value::Space,
};

/// The body of one of these.
pub(super) fn parse<'c>(p: &Parser<'c>, kind: Kind) -> Parsed<CopyAtom<'c>> {
    match kind {
        Kind::SimtAsyncCopy => asynchronous(p),
        Kind::Ldsm => ldmatrix(p),
        Kind::Stsm => stmatrix(p),
        _ => universal(p),
    }
}

/// What follows the element type.
pub(in crate::types) fn print(out: &mut String, atom: &CopyAtom<'_>) {
    match atom {
        CopyAtom::Universal(UniversalCopy { bits, access, .. }) => {
            call(out, *bits);
            if let Some(priority) = access.priority {
                put(out, format_args!(", l1_cache_eviction_priority={}", priority.name()));
            }
            for (name, space) in [("src_space", access.src), ("dst_space", access.dst)] {
                if let Some(space) = space {
                    put(out, format_args!(", {name} = {}", space.name()));
                }
            }
        }
        CopyAtom::Async(AsyncCopy { cache, bits, .. }) => {
            put(out, format_args!(", cache = {}", cache.name()));
            call(out, *bits);
        }
        CopyAtom::Tmem(tmem) => super::tmem::print(out, tmem),
        CopyAtom::S2t(s2t) => super::s2t::print(out, s2t),
        CopyAtom::Tma(tma) => super::tma::print(out, tma),
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
    let n = positive(p, "a positive number of bits, such as 128 b")?;
    p.expect("b").map(|()| n)
}

/// `f32[, 32 b][, l1_cache_eviction_priority=no_allocate][, src_space = gmem][, dst_space = smem]`
fn universal<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    let (elem, mut bits, mut access) = (element_type(p)?, 0, Access::default());
    let spaces = Space::ALL.map(|s| (s.name(), s));
    while p.optional(",") {
        if p.optional("l1_cache_eviction_priority") {
            p.expect("=")?;
            access.priority = Some(one_of(p, "a priority of eviction", &Priority::ALL)?);
        } else if p.optional("src_space") {
            p.expect("=")?;
            access.src = Some(one_of(p, "a memory space", &spaces)?);
        } else if p.optional("dst_space") {
            p.expect("=")?;
            access.dst = Some(one_of(p, "a memory space", &spaces)?);
        } else {
            bits = positive(p, "a positive number of bits, such as 128 b")?;
            p.expect("b")?;
        }
    }
    Ok(CopyAtom::Universal(UniversalCopy { elem, bits, access }))
}

fn asynchronous<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    let elem = element_type(p)?;
    tokens(p, &[",", "cache", "="])?;
    let cache = one_of(p, "a cache mode", &[Cache::Always, Cache::Global].map(|c| (c.name(), c)))?;
    Ok(CopyAtom::Async(AsyncCopy { elem, cache, bits: bits(p)? }))
}

fn ldmatrix<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    tokens(p, &["val_type", "="])?;
    let elem = element_type(p)?;
    let mode = mode(p)?;
    tokens(p, &[",", "sz_pattern", "="])?;
    let patterns: Vec<_> = Pattern::ALL.iter().map(|p| (p.name(), *p)).collect();
    let pattern = one_of(p, "a pattern of sizes", &patterns)?;
    let (matrices, transposed) = matrices(p)?;
    Ok(CopyAtom::Matrix(MatrixCopy { elem, mode, pattern, matrices, transposed, store: false }))
}

fn stmatrix<'c>(p: &Parser<'c>) -> Parsed<CopyAtom<'c>> {
    let elem = element_type(p)?;
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
