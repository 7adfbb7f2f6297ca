//! Copy atoms as values: the families that there are, and what each says of itself. A family is one file, or one folder, that
//! answers every question below; outside of it only the lowering asks which family an atom belongs to.

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
pub use tma::{LoadMode, TmaCopy, TmaFormat, TmaKind};
pub use tmem::TmemCopy;
pub use universal::{Access, Priority, UniversalCopy};

use std::ops::Deref;

use cute_algebra::{CopyLayouts, CopySide};
use cute_arch::atoms;
use cute_ffi::{
    syntax::{Parsed, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::state::AtomState;
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
            fn read(p: &Parser<'c>, kind: Kind) -> Option<Parsed<Self>> {
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

    /// The body of a type of the kind, without its brackets; `None` where copy atoms have no such kind.
    pub fn parse(p: &Parser<'c>, kind: Kind) -> Option<Parsed<Self>> {
        let at = p.at();
        let checked = |atom: Self| match atom.check() {
            Ok(()) => Ok(atom),
            Err(why) => p.error(at, &why),
        };
        Self::read(p, kind).map(|parsed| parsed.and_then(checked))
    }
}

/// What a family of copies says of itself.
pub trait CopyFamily<'c> {
    /// The body of a type, without its brackets; `None` for a kind of another family.
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<Parsed<Self>>
    where
        Self: Sized;

    /// Writes what follows the element type; all of the body where it does not come first.
    fn print(&self, out: &mut String);

    /// Whether the body of the type begins with that of the elements.
    fn begins_with_element(&self) -> bool {
        true
    }

    /// The kind of type.
    fn kind(&self) -> Kind;

    /// Element type.
    fn elem(&self) -> Type<'c>;

    /// What it is given at run time.
    fn state(&self) -> Option<AtomState<'c>> {
        None
    }

    /// The row of the registry of an instruction of a warp; none where a thread is on its own, or the instruction copies in bulk.
    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        None
    }

    /// Bits of a call.
    fn bits(&self) -> i64;

    /// The rule that the atom breaks, beside that a call is whole elements.
    fn rule(&self) -> Result<(), String>;

    /// What it goes between; otherwise why it cannot be called.
    fn ends(&self) -> Result<CopyEnds, String>;

    /// What a prefetch by it names, if it has one.
    fn prefetches(&self) -> Option<CopyEnd> {
        None
    }

    /// Whether all lanes of a warp call it, of which one is elected to issue it. So it is with prefetches by it.
    fn is_elected(&self) -> bool {
        false
    }

    /// Why no predicate can be given, if none can.
    fn unconditional(&self) -> Option<&'static str> {
        None
    }

    /// What to call it where its type, and not the program, says how a tile in shared memory is swizzled.
    fn swizzles_itself(&self) -> Option<&'static str> {
        None
    }

    /// Bits that a thread moves, or gives the address of, in a call.
    fn bits_of(&self, side: CopySide) -> i64 {
        self.row().map_or_else(|| self.bits(), |row| bits_of_row(row, side))
    }

    /// Its threads and (thread, value) layouts.
    fn layouts(&self) -> Result<CopyLayouts, cute_algebra::Error> {
        match self.row() {
            None => CopyLayouts::of_thread(self.values()),
            Some(Ok(row)) => row.layouts(i64::from(bit_width(self.elem()).unwrap_or(8))),
            Some(Err(why)) => Err(cute_algebra::Error::Unsupported { what: "copy atom", why }),
        }
    }

    /// Elements of a call.
    fn values(&self) -> i64 {
        in_elements(self.bits(), self.elem())
    }

    /// Elements that a thread has of a call on a side.
    fn values_of(&self, side: CopySide) -> i64 {
        in_elements(self.bits_of(side), self.elem())
    }

    /// The rule that the atom breaks, if it breaks one.
    fn check(&self) -> Result<(), String> {
        let (t, bits) = (self.elem(), self.bits());
        let elem = bit_width(t).map_or(0, i64::from);
        if elem == 0 {
            return Err(format!("element type {t} has no size"));
        }
        if bits % elem != 0 {
            return Err(format!("{bits} b is not a whole number of {t} elements ({elem} b each)"));
        }
        self.rule()
    }
}

/// What a copy goes between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyEnds {
    /// What messages call the copy.
    pub name: &'static str,
    /// What it reads.
    pub src: CopyEnd,
    /// What it writes.
    pub dst: CopyEnd,
    /// The atom that goes between other ends.
    pub otherwise: Option<&'static str>,
}

/// One end of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyEnd {
    /// A memref whose values of a call lie side by side and are aligned together; in a space, if one is named.
    Vector(Option<Space>),
    /// A memref whose values the instruction finds wherever they are.
    Scattered(Space),
    /// A memref whose values of a call lie side by side, from an address that is aligned to so many bytes; the instruction
    /// swizzles them.
    Block(Space, i64),
    /// A coord_tensor: the coordinates of what is copied.
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

fn in_elements(bits: i64, elem: Type<'_>) -> i64 {
    let elem = i64::from(bit_width(elem).unwrap_or(1)).max(1);
    (bits / elem).max(1)
}

/// Bits that a thread of a row has, or gives the address of, on a side; none where there is no row.
fn bits_of_row(row: Result<&'static atoms::CopyAtom, String>, side: CopySide) -> i64 {
    let layout = row.map(|row| if side == CopySide::Src { &row.src } else { &row.dst });
    let bits = layout.ok().and_then(|layout| layout.mode(1).ok());
    bits.and_then(|bits| cute_algebra::size(&bits).ok()).unwrap_or(0)
}
