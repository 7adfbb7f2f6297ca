//! `cp.async`: copies of one thread that arrive later.

use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{
    CopyEnd, CopyEnds, CopyFamily,
    universal::{bits_of_call, call, put_call},
};
use crate::{
    atom::AtomError,
    space::Space,
    syntax::{element_type, named, one_of, put, tokens},
};

/// cp.async from global to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsyncCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Cache operator.
    pub cache: Cache,
    /// Bits of a call as written; 0 means one element.
    pub bits: i64,
}

named! {
    /// cp.async's cache operator.
    Cache {
        /// `.ca`: all levels; 4, 8 or 16 bytes.
        Always "always",
        /// `.cg`: L2 only; 16 bytes.
        Global "global",
    }
}

impl<'c> CopyFamily<'c> for AsyncCopy<'c> {
    /// `f16, cache = global[, 128 b]`
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        (kind == Kind::SimtAsyncCopy).then(|| {
            let elem = element_type(p)?;
            tokens(p, &[",", "cache", "="])?;
            let cache = one_of(p, "a cache mode", Cache::ALL)?;
            let bits = if p.optional(",") { call(p)? } else { 0 };
            Ok(Self { elem, cache, bits })
        })
    }

    fn print(&self, out: &mut String) {
        put(out, format_args!(", cache = {}", self.cache.name()));
        put_call(out, self.bits);
    }

    fn kind(&self) -> Kind {
        Kind::SimtAsyncCopy
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn bits(&self) -> i64 {
        bits_of_call(self.bits, self.elem)
    }

    fn rule(&self) -> Result<(), AtomError> {
        match (self.cache, self.bits()) {
            (_, 128) | (Cache::Always, 32 | 64) => Ok(()),
            (Cache::Global, bits) => Err(AtomError::GlobalBits { bits }),
            (Cache::Always, bits) => Err(AtomError::AsyncBits { bits }),
        }
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let vector = |space| CopyEnd::Vector(Some(space));
        Ok(CopyEnds::between("cp.async", vector(Space::Gmem), vector(Space::Smem)))
    }
}
