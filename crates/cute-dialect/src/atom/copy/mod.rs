//! Copy atoms as values: the families, and the properties of each. A family is one file, or one
//! folder, that implements the trait below. Elsewhere, only the lowering distinguishes families.

mod bulk;
mod cp_async;
mod matrix;
mod s2t;
mod tma;
mod tmem;
mod universal;

pub use bulk::{BulkCopy, BulkWay};
pub use cp_async::{AsyncCopy, Cache};
pub use matrix::{MatrixCopy, Pattern};
pub use s2t::S2tCopy;
pub use tma::{LoadMode, TmaCopy, TmaKind, format_of};
pub use tmem::TmemCopy;
pub use universal::{Access, Priority, UniversalCopy};

use std::ops::Deref;

use cute_algebra::{CopyLayouts, CopySide};
use cute_arch::atoms;
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{AtomError, state::AtomState};
use crate::{scalars::bit_width, space::Space};

macro_rules! families {
    ($($(#[$doc:meta])* $variant:ident($stored:ty) = $family:ident,)*) => {
        /// A copy atom, by the family of its type.
        #[derive(Debug, Clone, PartialEq)]
        pub enum CopyAtom<'c> { $($(#[$doc])* $variant($stored)),* }

        impl<'c> Deref for CopyAtom<'c> {
            type Target = dyn CopyFamily<'c> + 'c;

            /// The family, which answers every question about the atom.
            fn deref(&self) -> &Self::Target {
                match self {
                    $(Self::$variant(family) => {
                        let family: &$family<'c> = family;
                        family
                    })*
                }
            }
        }

        impl<'c> CopyAtom<'c> {
            /// The body of a type, if a family reads that kind.
            fn read(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
                $(if let Some(parsed) = $family::parse(p, kind) {
                    return Some(parsed.map(|family| Self::$variant(family.into())));
                })*
                None
            }
        }
    };
}

families! {
    /// A plain load and store.
    Universal(UniversalCopy<'c>) = UniversalCopy,
    /// cp.async from global to shared memory.
    Async(AsyncCopy<'c>) = AsyncCopy,
    /// `ldmatrix` or `stmatrix`.
    Matrix(MatrixCopy<'c>) = MatrixCopy,
    /// `tcgen05.ld` or `tcgen05.st`.
    Tmem(TmemCopy<'c>) = TmemCopy,
    /// `tcgen05.cp`.
    S2t(S2tCopy<'c>) = S2tCopy,
    /// A bulk copy of contiguous bytes.
    Bulk(BulkCopy<'c>) = BulkCopy,
    /// A bulk copy of boxes.
    Tma(Box<TmaCopy<'c>>) = TmaCopy,
}

impl<'c> From<TmaCopy<'c>> for CopyAtom<'c> {
    fn from(tma: TmaCopy<'c>) -> Self {
        Self::Tma(Box::new(tma))
    }
}

impl<'c> CopyAtom<'c> {
    /// The atom of the TMA, if it is one.
    pub fn as_tma(&self) -> Option<&TmaCopy<'c>> {
        if let Self::Tma(tma) = self { Some(tma) } else { None }
    }

    /// Parses the body of a type of the kind, without its brackets; `None` if the kind is not a
    /// copy atom.
    pub fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        let at = p.at();
        let checked = |atom: Self| match atom.check() {
            Ok(()) => Ok(atom),
            Err(why) => p.error(at, &why.to_string()),
        };
        Self::read(p, kind).map(|parsed| parsed.and_then(checked))
    }
}

/// The properties of a family of copies.
pub trait CopyFamily<'c> {
    /// The body of a type, without its brackets; `None` for a kind of another family.
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>>
    where
        Self: Sized;

    /// Writes the part of the body after the element type, or all of it if the element type does
    /// not come first.
    fn print(&self, out: &mut String);

    /// Whether the body of the type begins with the element type.
    fn begins_with_element(&self) -> bool {
        true
    }

    /// The kind of type.
    fn kind(&self) -> Kind;

    /// Element type.
    fn elem(&self) -> Type<'c>;

    /// Its run-time state.
    fn state(&self) -> Option<AtomState<'c>> {
        None
    }

    /// The row of the registry for an instruction of a warp; `None` if a thread executes it alone,
    /// or if it copies in bulk.
    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, AtomError>> {
        None
    }

    /// Bits of a call.
    fn bits(&self) -> i64;

    /// Checks the rule of the atom, beyond the rule that a call copies whole elements.
    fn rule(&self) -> Result<(), AtomError>;

    /// The two sides of the copy; the error explains why it cannot be called.
    fn ends(&self) -> Result<CopyEnds, AtomError>;

    /// The operand of a prefetch by this atom, if it has one.
    fn prefetches(&self) -> Option<CopyEnd> {
        None
    }

    /// Whether all lanes of a warp call it and one of them is elected to issue it. The same holds
    /// for prefetches.
    fn is_elected(&self) -> bool {
        false
    }

    /// The reason why it cannot have a predicate, if it cannot.
    fn unconditional(&self) -> Option<&'static str> {
        None
    }

    /// The name of the copy if its type, and not the program, determines the swizzle of a tile in
    /// shared memory.
    fn swizzles_itself(&self) -> Option<&'static str> {
        None
    }

    /// Bits that a thread moves, or whose address it provides, per call.
    fn bits_of(&self, side: CopySide) -> i64 {
        self.row().map_or_else(|| self.bits(), |row| bits_of_row(row, side))
    }

    /// Its threads and (thread, value) layouts.
    fn layouts(&self) -> Result<CopyLayouts, cute_algebra::Error> {
        match self.row() {
            None => CopyLayouts::of_thread(self.values()),
            Some(Ok(row)) => row.layouts(bits_of_element(self.elem())),
            Some(Err(why)) => {
                Err(cute_algebra::Error::Unsupported { what: "copy atom", why: why.to_string() })
            }
        }
    }

    /// Elements of a call.
    fn values(&self) -> i64 {
        in_elements(self.bits(), self.elem())
    }

    /// Elements per thread of a call on one side.
    fn values_of(&self, side: CopySide) -> i64 {
        in_elements(self.bits_of(side), self.elem())
    }

    /// The rule that the atom breaks, if it breaks one.
    fn check(&self) -> Result<(), AtomError> {
        let t = self.elem();
        let Some(width) = bit_width(t).map(i64::from) else {
            return Err(AtomError::NoSize { elem: t.to_string() });
        };
        if let Some(Err(why)) = self.row() {
            return Err(why);
        }
        let bits = self.bits();
        if bits % width != 0 {
            return Err(AtomError::PartOfElement { bits, elem: t.to_string(), width });
        }
        self.rule()
    }
}

/// The two sides of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyEnds {
    /// The name of the copy in messages.
    pub name: &'static str,
    /// Where elements are read.
    pub src: CopyEnd,
    /// Where elements are written.
    pub dst: CopyEnd,
    /// The atom to use for other sides.
    pub otherwise: Option<&'static str>,
}

/// One side of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyEnd {
    /// A memref in which the values of a call are contiguous and aligned as a whole, in a given
    /// space if there is one.
    Vector(Option<Space>),
    /// A memref whose values the instruction finds wherever they are.
    Scattered(Space),
    /// A memref in which the values of a call are contiguous, from an address with this alignment
    /// in bytes; the instruction swizzles them.
    Block(Space, i64),
    /// A coord_tensor: the coordinates of the copied elements.
    Coordinates,
    /// A smem_desc_view: descriptors of shared memory.
    Descriptors,
}

impl CopyEnds {
    /// A copy from one space to another, that messages call `name`.
    pub fn between(name: &'static str, src: CopyEnd, dst: CopyEnd) -> Self {
        Self { name, src, dst, otherwise: Some("universal_copy") }
    }
}

/// Bits of an element of an atom, which every atom has that `CopyFamily::check` accepted.
pub(crate) fn bits_of_element(elem: Type<'_>) -> i64 {
    bit_width(elem).expect("the elements of an atom have a size").into()
}

/// Less than an element counts as one.
fn in_elements(bits: i64, elem: Type<'_>) -> i64 {
    (bits / bits_of_element(elem)).max(1)
}

/// Bits that a thread of a row holds, or whose address it provides, on one side. Every atom that
/// `CopyFamily::check` accepted has a row, if its family has.
fn bits_of_row(row: Result<&'static atoms::CopyAtom, AtomError>, side: CopySide) -> i64 {
    let row = row.expect("an atom has a row");
    let layout = if side == CopySide::Src { &row.src } else { &row.dst };
    let bits = layout.mode(1).and_then(|bits| cute_algebra::size(&bits));
    bits.expect("a row has threads and static values")
}
