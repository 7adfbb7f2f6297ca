//! Copy atoms as values: which element, how many bits one call moves.

use cute_algebra::{CopyLayouts, CopySide};
use melior::ir::Type;

use super::MatrixCopy;
use crate::types::bit_width;

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

/// What one thread copies in one call.
#[derive(Debug, Clone, PartialEq)]
pub enum CopyAtom<'c> {
    /// A plain load and store.
    Universal {
        /// Element type.
        elem: Type<'c>,
        /// Bits of a call as written; 0 stands for one element.
        bits: i64,
    },
    /// cp.async from global to shared memory.
    Async {
        /// Element type.
        elem: Type<'c>,
        /// Cache operator.
        cache: Cache,
        /// Bits of a call as written; 0 stands for one element.
        bits: i64,
    },
    /// `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy<'c>),
}

impl<'c> CopyAtom<'c> {
    /// Element type.
    pub fn elem(&self) -> Type<'c> {
        match self {
            Self::Universal { elem, .. } | Self::Async { elem, .. } => *elem,
            Self::Matrix(m) => m.elem,
        }
    }

    /// Bits that a thread moves, or gives the address of, in a call.
    pub fn bits_of(&self, side: CopySide) -> i64 {
        let Self::Matrix(m) = self else { return self.bits() };
        m.entry().map_or(0, |entry| {
            let layout = if side == CopySide::Src { &entry.src } else { &entry.dst };
            layout.mode(1).ok().and_then(|bits| cute_algebra::size(&bits).ok()).unwrap_or(0)
        })
    }

    /// Its threads and (thread, value) layouts.
    pub fn layouts(&self) -> Result<CopyLayouts, cute_algebra::Error> {
        match self {
            Self::Matrix(m) => match m.entry() {
                Ok(entry) => entry.layouts(i64::from(bit_width(m.elem).unwrap_or(8))),
                Err(why) => Err(cute_algebra::Error::Unsupported { what: "copy atom", why }),
            },
            _ => CopyLayouts::of_thread(self.values()),
        }
    }

    /// Elements that a thread has of a call on a side.
    pub fn values_of(&self, side: CopySide) -> i64 {
        let elem = i64::from(bit_width(self.elem()).unwrap_or(1)).max(1);
        (self.bits_of(side) / elem).max(1)
    }

    /// Bits of a call.
    pub fn bits(&self) -> i64 {
        match self {
            Self::Universal { bits: 0, elem } | Self::Async { bits: 0, elem, .. } => {
                i64::from(bit_width(*elem).unwrap_or(0))
            }
            Self::Universal { bits, .. } | Self::Async { bits, .. } => *bits,
            Self::Matrix(m) => self.bits_of(if m.store { CopySide::Src } else { CopySide::Dst }),
        }
    }

    /// Elements of a call.
    pub fn values(&self) -> i64 {
        let elem = i64::from(bit_width(self.elem()).unwrap_or(1)).max(1);
        (self.bits() / elem).max(1)
    }

    /// The rule that the atom breaks, if it breaks one.
    pub fn check(&self) -> Result<(), String> {
        let elem = bit_width(self.elem()).map_or(0, i64::from);
        if elem == 0 {
            return Err(format!("element type {} has no size", self.elem()));
        }
        let bits = self.bits();
        if bits % elem != 0 {
            return Err(format!(
                "{bits} b is not a whole number of {} elements ({elem} b each)",
                self.elem()
            ));
        }
        match self {
            Self::Matrix(m) => m.entry().map(|_| ()),
            Self::Universal { .. } if !(8..=256).contains(&bits) || bits & (bits - 1) != 0 => {
                Err(format!("{bits} b is not one of 8, 16, 32, 64, 128, 256"))
            }
            Self::Async { cache: Cache::Global, .. } if bits != 128 => Err(format!(
                "cache = global copies 128 b, not {bits} b; cache = always copies 32, 64 or 128 b"
            )),
            Self::Async { .. } if ![32, 64, 128].contains(&bits) => {
                Err(format!("cp.async copies 32, 64 or 128 b, not {bits} b"))
            }
            _ => Ok(()),
        }
    }
}
