//! Copies of one thread as values: plain ones, and `cp.async`.

use cute_ffi::types::Kind;
use melior::ir::Type;

use super::copy::CopyFamily;
use crate::{scalars::bit_width, space::Space};

/// A plain load and store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UniversalCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Bits of a call as written; 0 stands for one element.
    pub bits: i64,
    /// What else is said of its accesses.
    pub access: Access,
}

/// cp.async from global to shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AsyncCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Cache operator.
    pub cache: Cache,
    /// Bits of a call as written; 0 stands for one element.
    pub bits: i64,
}

/// cp.async's cache operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// `.ca`: all levels; 4, 8 or 16 bytes.
    Always,
    /// `.cg`: L2 only; 16 bytes.
    Global,
}

impl Cache {
    /// The keyword in a type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Global => "global",
        }
    }
}

/// What a plain copy says of its accesses beside their width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// What becomes of the lines in L1.
    pub priority: Option<Priority>,
    /// Where it reads.
    pub src: Option<Space>,
    /// Where it writes.
    pub dst: Option<Space>,
}

/// What L1 does with a line that is accessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Priority {
    Normal,
    Unchanged,
    First,
    Last,
    NoAllocate,
}

impl Priority {
    /// All of them, with their keywords in types.
    pub const ALL: [(&'static str, Self); 5] = [
        ("evict_normal", Self::Normal),
        ("evict_unchanged", Self::Unchanged),
        ("evict_first", Self::First),
        ("evict_last", Self::Last),
        ("no_allocate", Self::NoAllocate),
    ];

    /// The keyword in a type.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, p)| *p == self).map_or("", |(name, _)| name)
    }
}

/// The bits of a call where `written` is 0 for one element.
fn bits_of_call(written: i64, elem: Type<'_>) -> i64 {
    if written == 0 { i64::from(bit_width(elem).unwrap_or(0)) } else { written }
}

impl<'c> CopyFamily<'c> for UniversalCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        Kind::UniversalCopy
    }

    fn bits(&self) -> i64 {
        bits_of_call(self.bits, self.elem)
    }

    fn check(&self) -> Result<(), String> {
        match self.bits() {
            8 | 16 | 32 | 64 | 128 | 256 => Ok(()),
            bits => Err(format!("{bits} b is not one of 8, 16, 32, 64, 128, 256")),
        }
    }
}

impl<'c> CopyFamily<'c> for AsyncCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        Kind::SimtAsyncCopy
    }

    fn bits(&self) -> i64 {
        bits_of_call(self.bits, self.elem)
    }

    fn check(&self) -> Result<(), String> {
        match (self.cache, self.bits()) {
            (_, 128) | (Cache::Always, 32 | 64) => Ok(()),
            (Cache::Global, bits) => Err(format!(
                "cache = global copies 128 b, not {bits} b; cache = always copies 32, 64 or 128 b"
            )),
            (Cache::Always, bits) => Err(format!("cp.async copies 32, 64 or 128 b, not {bits} b")),
        }
    }
}
