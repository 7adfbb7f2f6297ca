//! Bodies of atoms, read and written, in the spelling of the public CuTe IR: a file a family.

mod copy;
mod mma;
mod s2t;
mod tma;
mod tmem;

pub(super) use copy::print as print_copy;
pub(super) use mma::print as print_mma;

use cute_algebra::Dim;
use cute_ffi::{
    syntax::{Parsed, Parser},
    types::Kind,
};

use crate::{
    atom::{CopyAtom, MmaKind, TmaKind},
    value::Value,
};

/// The body of an atom, without its brackets.
pub(super) fn parse<'c>(p: &Parser<'c>, kind: Kind) -> Parsed<Value<'c, Dim>> {
    let at = p.at();
    if let Some(kind) = MmaKind::ALL.into_iter().find(|k| k.kind() == kind) {
        return mma::parse(p, kind).map(Value::MmaAtom);
    }
    let atom = match (TmaKind::ALL.into_iter().find(|k| k.kind() == kind), kind) {
        (Some(kind), _) => CopyAtom::Tma(Box::new(tma::parse(p, kind)?)),
        (_, Kind::TmemLoad | Kind::TmemStore) => CopyAtom::Tmem(tmem::parse(p, kind == Kind::TmemStore)?),
        (_, Kind::S2tCopy) => CopyAtom::S2t(s2t::parse(p)?),
        (_, Kind::Sm100S2tCopyV2) => CopyAtom::S2t(s2t::parse_named(p)?),
        _ => copy::parse(p, kind)?,
    };
    match atom.check() {
        Ok(()) => Ok(Value::CopyAtom(atom)),
        Err(why) => p.error(at, &why),
    }
}

/// Tokens that must follow.
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

/// A positive integer.
fn positive(p: &Parser<'_>, what: &str) -> Parsed<i64> {
    let at = p.at();
    match p.integer() {
        Some(n) if n > 0 => Ok(n),
        _ => p.error(at, &format!("expected {what}")),
    }
}
