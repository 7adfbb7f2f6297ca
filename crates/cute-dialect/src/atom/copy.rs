//! Copy atoms as values: which element, how many bits one call moves.

use cute_algebra::{CopyLayouts, CopySide};
use cute_arch::atoms;
use melior::ir::Type;

use super::{MatrixCopy, S2tCopy, TmaCopy, TmemCopy};
use crate::{scalars::bit_width, space::Space};

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

/// What one thread copies in one call.
#[derive(Debug, Clone, PartialEq)]
pub enum CopyAtom<'c> {
    /// A plain load and store.
    Universal {
        /// Element type.
        elem: Type<'c>,
        /// Bits of a call as written; 0 stands for one element.
        bits: i64,
        /// What else is said of its accesses.
        access: Access,
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
    /// `tcgen05.ld` or `tcgen05.st`.
    Tmem(TmemCopy<'c>),
    /// `tcgen05.cp`.
    S2t(S2tCopy<'c>),
    /// A bulk copy of boxes.
    Tma(Box<TmaCopy<'c>>),
}

impl<'c> CopyAtom<'c> {
    /// Element type.
    pub fn elem(&self) -> Type<'c> {
        match self {
            Self::Universal { elem, .. } | Self::Async { elem, .. } => *elem,
            Self::Matrix(m) => m.elem,
            Self::Tmem(t) => t.elem,
            Self::S2t(t) => t.elem,
            Self::Tma(t) => t.elem,
        }
    }

    /// The row of the registry of an instruction of a warp; none where a thread is on its own.
    fn entry(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        match self {
            Self::Matrix(m) => Some(m.entry()),
            Self::Tmem(t) => Some(t.entry()),
            Self::S2t(t) => Some(t.entry()),
            _ => None,
        }
    }

    /// Bits that a thread moves, or gives the address of, in a call.
    pub fn bits_of(&self, side: CopySide) -> i64 {
        match self.entry() {
            None => self.bits(),
            Some(Err(_)) => 0,
            Some(Ok(entry)) => {
                let layout = if side == CopySide::Src { &entry.src } else { &entry.dst };
                layout.mode(1).ok().and_then(|bits| cute_algebra::size(&bits).ok()).unwrap_or(0)
            }
        }
    }

    /// Its threads and (thread, value) layouts.
    pub fn layouts(&self) -> Result<CopyLayouts, cute_algebra::Error> {
        match self.entry() {
            None => CopyLayouts::of_thread(self.values()),
            Some(Ok(entry)) => entry.layouts(i64::from(bit_width(self.elem()).unwrap_or(8))),
            Some(Err(why)) => Err(cute_algebra::Error::Unsupported { what: "copy atom", why }),
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
            Self::Universal { bits: 0, elem, .. } | Self::Async { bits: 0, elem, .. } => {
                i64::from(bit_width(*elem).unwrap_or(0))
            }
            Self::Universal { bits, .. } | Self::Async { bits, .. } => *bits,
            Self::Matrix(MatrixCopy { store, .. }) | Self::Tmem(TmemCopy { store, .. }) => {
                self.bits_of(if *store { CopySide::Src } else { CopySide::Dst })
            }
            Self::S2t(_) => self.bits_of(CopySide::Dst),
            Self::Tma(t) => t.bits,
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
            Self::Tmem(t) => t.entry().map(|_| ()),
            Self::S2t(t) => t.entry().map(|_| ()),
            Self::Tma(t) => t.check(),
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
