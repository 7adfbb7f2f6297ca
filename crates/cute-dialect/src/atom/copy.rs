//! Copy atoms as values: the families that there are, and what each says of itself.

use cute_algebra::{CopyLayouts, CopySide};
use cute_arch::atoms;
use cute_ffi::types::Kind;
use melior::ir::Type;

use super::{AsyncCopy, MatrixCopy, S2tCopy, TmaCopy, TmemCopy, UniversalCopy};
use crate::scalars::bit_width;

/// What one instruction copies: one variant per family.
#[derive(Debug, Clone, PartialEq)]
pub enum CopyAtom<'c> {
    /// A plain load and store.
    Universal(UniversalCopy<'c>),
    /// cp.async from global to shared memory.
    Async(AsyncCopy<'c>),
    /// `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy<'c>),
    /// `tcgen05.ld` or `tcgen05.st`.
    Tmem(TmemCopy<'c>),
    /// `tcgen05.cp`.
    S2t(S2tCopy<'c>),
    /// A bulk copy of boxes.
    Tma(Box<TmaCopy<'c>>),
}

/// What a family of copies says of itself. Its file answers for all of them.
pub trait CopyFamily<'c> {
    /// Element type.
    fn elem(&self) -> Type<'c>;

    /// The kind of type.
    fn kind(&self) -> Kind;

    /// Whether the body of the type begins with that of the elements.
    fn begins_with_element(&self) -> bool {
        true
    }

    /// The row of the registry of an instruction of a warp; none where a thread is on its own, or the instruction copies in bulk.
    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        None
    }

    /// Bits of a call.
    fn bits(&self) -> i64;

    /// The rule that the atom breaks, beside that a call is whole elements.
    fn check(&self) -> Result<(), String>;
}

/// Bits that a thread of a row has, or gives the address of, on a side; none where there is no row.
pub(super) fn bits_of_row(row: Result<&'static atoms::CopyAtom, String>, side: CopySide) -> i64 {
    let layout = row.map(|row| if side == CopySide::Src { &row.src } else { &row.dst });
    let bits = layout.ok().and_then(|layout| layout.mode(1).ok());
    bits.and_then(|bits| cute_algebra::size(&bits).ok()).unwrap_or(0)
}

impl<'c> CopyAtom<'c> {
    /// What its family says.
    pub fn family(&self) -> &dyn CopyFamily<'c> {
        match self {
            Self::Universal(family) => family,
            Self::Async(family) => family,
            Self::Matrix(family) => family,
            Self::Tmem(family) => family,
            Self::S2t(family) => family,
            Self::Tma(family) => &**family,
        }
    }

    /// Element type.
    pub fn elem(&self) -> Type<'c> {
        self.family().elem()
    }

    /// Bits that a thread moves, or gives the address of, in a call.
    pub fn bits_of(&self, side: CopySide) -> i64 {
        self.family().row().map_or_else(|| self.bits(), |row| bits_of_row(row, side))
    }

    /// Its threads and (thread, value) layouts.
    pub fn layouts(&self) -> Result<CopyLayouts, cute_algebra::Error> {
        match self.family().row() {
            None => CopyLayouts::of_thread(self.values()),
            Some(Ok(row)) => row.layouts(i64::from(bit_width(self.elem()).unwrap_or(8))),
            Some(Err(why)) => Err(cute_algebra::Error::Unsupported { what: "copy atom", why }),
        }
    }

    /// Elements that a thread has of a call on a side.
    pub fn values_of(&self, side: CopySide) -> i64 {
        self.in_elements(self.bits_of(side))
    }

    /// Bits of a call.
    pub fn bits(&self) -> i64 {
        self.family().bits()
    }

    /// Elements of a call.
    pub fn values(&self) -> i64 {
        self.in_elements(self.bits())
    }

    fn in_elements(&self, bits: i64) -> i64 {
        let elem = i64::from(bit_width(self.elem()).unwrap_or(1)).max(1);
        (bits / elem).max(1)
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
        self.family().check()
    }
}
