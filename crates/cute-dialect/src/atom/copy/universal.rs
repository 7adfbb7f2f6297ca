//! Plain copies of one thread.

use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{CopyEnd, CopyEnds, CopyFamily};
use crate::{
    atom::AtomError,
    space::Space,
    syntax::{element_type, named, one_of, positive, put},
};

/// A plain load and store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UniversalCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Bits of a call as written; 0 means one element.
    pub bits: i64,
    /// Further properties of its accesses.
    pub access: Access,
}

/// The properties of a plain copy's accesses other than their width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// The treatment of the lines in L1.
    pub priority: Option<Priority>,
    /// The source space.
    pub src: Option<Space>,
    /// The destination space.
    pub dst: Option<Space>,
}

named! {
    /// The treatment of an accessed line in L1.
    Priority {
        Normal "evict_normal",
        Unchanged "evict_unchanged",
        First "evict_first",
        Last "evict_last",
        NoAllocate "no_allocate",
    }
}

impl<'c> CopyFamily<'c> for UniversalCopy<'c> {
    /// `f32[, 32 b][, l1_cache_eviction_priority=no_allocate][, src_space = gmem][, dst_space =
    /// smem]`
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        (kind == Kind::UniversalCopy).then(|| {
            let (elem, mut bits, mut access) = (element_type(p)?, 0, Access::default());
            let spaces = Space::ALL.map(|s| (s.name(), s));
            while p.optional(",") {
                if p.optional("l1_cache_eviction_priority") {
                    p.expect("=")?;
                    access.priority = Some(one_of(p, "a priority of eviction", Priority::ALL)?);
                } else if p.optional("src_space") {
                    p.expect("=")?;
                    access.src = Some(one_of(p, "a memory space", &spaces)?);
                } else if p.optional("dst_space") {
                    p.expect("=")?;
                    access.dst = Some(one_of(p, "a memory space", &spaces)?);
                } else {
                    bits = call(p)?;
                }
            }
            Ok(Self { elem, bits, access })
        })
    }

    fn print(&self, out: &mut String) {
        put_call(out, self.bits);
        if let Some(priority) = self.access.priority {
            put(out, format_args!(", l1_cache_eviction_priority={}", priority.name()));
        }
        for (name, space) in [("src_space", self.access.src), ("dst_space", self.access.dst)] {
            if let Some(space) = space {
                put(out, format_args!(", {name} = {}", space.name()));
            }
        }
    }

    fn kind(&self) -> Kind {
        Kind::UniversalCopy
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn bits(&self) -> i64 {
        bits_of_call(self.bits, self.elem)
    }

    fn rule(&self) -> Result<(), AtomError> {
        match self.bits() {
            8 | 16 | 32 | 64 | 128 | 256 => Ok(()),
            bits => Err(AtomError::UniversalBits { bits }),
        }
    }

    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let Access { src, dst, .. } = self.access;
        let (src, dst) = (CopyEnd::Vector(src), CopyEnd::Vector(dst));
        Ok(CopyEnds { name: "this universal_copy", src, dst, otherwise: None })
    }

    fn prefetches(&self) -> Option<CopyEnd> {
        Some(CopyEnd::Vector(Some(Space::Gmem)))
    }
}

/// The bits of a call where `written` is 0 for one element.
pub(super) fn bits_of_call(written: i64, elem: Type<'_>) -> i64 {
    if written == 0 { super::bits_of_element(elem) } else { written }
}

/// `N b`: bits of a call.
pub(super) fn call(p: &Parser<'_>) -> ParseResult<i64> {
    let n = positive(p, "a positive number of bits, such as 128 b")?;
    p.expect("b").map(|()| n)
}

/// `, N b`; nothing if 0 means one element.
pub(super) fn put_call(out: &mut String, bits: i64) {
    if bits != 0 {
        put(out, format_args!(", {bits} b"));
    }
}
