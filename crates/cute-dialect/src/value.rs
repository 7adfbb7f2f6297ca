//! Values of the dialect, generic over the interpretation of integers: over [`Dim`] a value is the
//! content of a type, and over the lowering's leaves it is what the program computes.

use std::{fmt::Debug, num::Wrapping};

use cute_algebra::{
    self as algebra, AnyLayout, ComposedLayout, Coord, Dim, Int, Layout, Paired, Payload, Stride, Swizzle,
    Tile, Tuple, Width, check_codomain,
};
use cute_ffi::types::Kind;
use melior::ir::Type;

pub use crate::space::Space;

use crate::{
    atom::{CopyAtom, Factor, MmaAtom},
    error::Error,
    scalars::bit_width,
};

/// The low half of a matrix descriptor, in which its address lies.
const LOW_WORD: i64 = 0xffff_ffff;

/// Integers together with addresses, which are the run-time part of pointers.
pub trait Machine: Int {
    /// The representation of an address: an SSA value, or nothing while types are inferred.
    type Address: Clone + Debug;
    /// The address in a space `offset` elements of `bits` bits further on.
    fn advance(space: Space, address: &Self::Address, offset: &Self, bits: u32) -> Self::Address;
    /// The address with its bits swizzled.
    fn swizzled(address: &Self::Address, swizzle: Swizzle) -> Self::Address;
    /// The matrix descriptor whose address is `units` of 16 bytes higher; all other fields stay.
    fn advance_descriptor(descriptor: &Self, units: &Self) -> Self;
    /// The same integer with the knowledge in `dim`.
    fn assumed(&self, dim: Dim) -> Self;
}

impl Machine for Dim {
    type Address = ();
    fn advance(_: Space, (): &(), _: &Self, _: u32) {}
    fn swizzled((): &(), _: Swizzle) {}
    fn advance_descriptor(descriptor: &Self, units: &Self) -> Self {
        if units.as_static() == Some(0) { *descriptor } else { Self::dynamic(Width::I64, 1) }
    }
    fn assumed(&self, dim: Dim) -> Self {
        dim
    }
}

/// A payload that computes addresses as well as integers.
pub trait AddressPayload: Payload {
    /// `self + index` elements of `bits` bits; with less than 8 bits it is an address inside a
    /// byte.
    fn element(&self, index: &Self, bits: u32) -> Self;
    /// The address with its bits swizzled.
    fn swizzled(&self, swizzle: Swizzle) -> Self;

    /// A word of 32 bits, rotated to the left.
    fn rotated_left(&self, by: u32) -> Self;
}

impl<P: AddressPayload> Machine for Paired<P> {
    type Address = P;

    fn advance(space: Space, address: &P, offset: &Self, bits: u32) -> P {
        if space == Space::Tmem {
            return advance_words(address, offset, bits);
        }
        let width = match (offset.dim().width(), offset.as_static()) {
            (Some(width), _) => width,
            (None, Some(0)) => return address.clone(),
            (None, Some(n)) if !Width::I32.holds(n) => Width::I64,
            (None, _) => Width::I32,
        };
        let index = offset.materialize(width);
        let per_byte = if bits > 0 && bits < 8 { 8 / bits } else { 1 };
        if per_byte > 1 && offset.dim().divisor() % i64::from(per_byte) == 0 {
            let bytes = match offset.as_static() {
                Some(n) => P::constant(n / i64::from(per_byte), width),
                None => index.shift_left(-(per_byte.ilog2() as i32), width),
            };
            return address.element(&bytes, 8);
        }
        address.element(&index, bits)
    }

    fn swizzled(address: &P, swizzle: Swizzle) -> P {
        if swizzle.is_identity() { address.clone() } else { address.swizzled(swizzle) }
    }

    /// The units are added to the low word. No address in shared memory makes the 14-bit field
    /// overflow. The high word stays unchanged, so it stays constant if it was.
    fn advance_descriptor(descriptor: &Self, units: &Self) -> Self {
        if units.as_static() == Some(0) {
            return descriptor.clone();
        }
        let (word, low) = (Width::I64, Width::I32);
        let own = descriptor.materialize(word);
        let sum = own.resize(word, low).add(&units.materialize(low), low).resize(low, word);
        let mask = |bits| P::constant(bits, word);
        let (high, sum) = (own.and(&mask(!LOW_WORD), word), sum.and(&mask(LOW_WORD), word));
        Self::dynamic(word, 1, high.xor(&sum, word))
    }

    fn assumed(&self, dim: Dim) -> Self {
        match dim.width() {
            Some(width) => Self::new(dim, self.materialize(width)),
            None => self.clone(),
        }
    }
}

/// A number as an address in bits.
impl AddressPayload for Wrapping<i64> {
    fn rotated_left(&self, by: u32) -> Self {
        Self((self.0 as u32).rotate_left(by).into())
    }

    fn element(&self, index: &Self, bits: u32) -> Self {
        *self + *index * Wrapping(i64::from(bits))
    }
    fn swizzled(&self, swizzle: Swizzle) -> Self {
        let bytes = self.0 >> 3;
        Wrapping(swizzle.apply(&bytes).expect("XOR of 64-bit integers cannot fail") << 3 | self.0 & 7)
    }
}

/// Advances an address in tensor memory. It counts words of 32 bits: columns in its lower half,
/// lanes in its upper half. A smaller element has the address of its word; for one of 8 bits, such
/// as a scale factor, the upper two bits are the byte in the word, as in CUTLASS. An instruction
/// descriptor repeats them.
fn advance_words<P: AddressPayload>(address: &P, offset: &Paired<P>, bits: u32) -> P {
    const WORD: u32 = 32;
    let width = Width::I32;
    let is_whole = match offset.as_static() {
        Some(n) => n % 4 == 0,
        None => offset.dim().divisor() % 4 == 0,
    };
    if bits == 8 && !is_whole {
        // The address of a byte is its number, rotated.
        let number = address.rotated_left(2).add(&offset.materialize(width), width);
        return number.rotated_left(WORD - 2);
    }
    let (per_word, words_each) = (WORD / bits.clamp(1, WORD).next_power_of_two(), (bits / WORD).max(1));
    let words = match offset.as_static() {
        Some(0) => return address.clone(),
        Some(n) => P::constant((n * i64::from(words_each)).div_euclid(i64::from(per_word)), width),
        None => match (offset.materialize(width), per_word.ilog2()) {
            (n, 0) if words_each == 1 => n,
            (n, 0) => n.mul(&P::constant(i64::from(words_each), width), width),
            (n, shift) => n.shift_left(-shift.cast_signed(), width),
        },
    };
    address.add(&words, width)
}

/// A pointer with what its type promises: element, space, alignment and swizzle.
#[derive(Debug, Clone)]
pub struct Ptr<'c, I: Machine> {
    /// Element type; a pointer may have none.
    pub elem: Option<Type<'c>>,
    /// The address space.
    pub space: Space,
    /// The alignment of the address in bytes.
    pub align: i64,
    /// XOR of the byte address at each access.
    pub swizzle: Swizzle,
    /// Where it points.
    pub address: I::Address,
}

/// A pointer with a layout.
#[derive(Debug, Clone)]
pub struct MemRef<'c, I: Machine> {
    /// The place of coordinate 0 of the layout.
    pub iter: Ptr<'c, I>,
    /// Offsets in elements.
    pub layout: AnyLayout<I>,
}

/// A tensor of coordinates.
#[derive(Debug, Clone)]
pub struct CoordTensor<I> {
    /// The coordinate at coordinate 0.
    pub origin: Tuple<I>,
    /// Basis strides: what each step adds.
    pub layout: Layout<I>,
}

/// A stride of a tensor of coordinates leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("stride {stride} of {layout} steps along no mode of the origin {origin}")]
pub struct NoSuchMode {
    /// The one that leads nowhere.
    pub stride: String,
    /// The layout that has it.
    pub layout: String,
    /// The coordinate whose modes it could step along.
    pub origin: String,
}

impl CoordTensor<Dim> {
    /// Checks that each stride steps along a mode of its origin.
    pub fn check(&self) -> Result<(), NoSuchMode> {
        for d in self.layout.stride().leaves() {
            let mode = |path: Vec<usize>| self.origin.get(&path).is_some_and(|m| m.is_leaf());
            let found = d.is(0) || d.basis().expect_path("coord_tensor").is_ok_and(mode);
            if !found {
                return Err(NoSuchMode {
                    stride: d.to_string(),
                    layout: self.layout.to_string(),
                    origin: self.origin.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// A descriptor of a matrix in shared memory.
#[derive(Debug, Clone)]
pub struct SmemDesc<'c, I> {
    /// The descriptor, a word of 64 bits.
    pub word: I,
    /// Its matrix, if that is known.
    pub of: Option<Factor<'c>>,
}

impl<'c> SmemDesc<'c, Dim> {
    /// A descriptor whose bits are unknown.
    pub fn new(of: Option<Factor<'c>>) -> Self {
        Self { word: Dim::dynamic(Width::I64, 1), of }
    }
}

/// Descriptors of matrices in shared memory.
#[derive(Debug, Clone)]
pub struct SmemDescView<'c, I> {
    /// The first descriptor.
    pub iter: SmemDesc<'c, I>,
    /// The layout of offsets that are added to it, in units of 16 bytes: the address is in the
    /// word's low bits.
    pub layout: Layout<I>,
}

impl<I> SmemDescView<'_, I> {
    /// The same descriptors in the spelling of the public CuTe IR, which states nothing about their
    /// matrix.
    #[must_use]
    pub fn unstated(mut self) -> Self {
        self.iter.of = None;
        self
    }
}

/// A copy atom laid over threads and values.
#[derive(Debug, Clone, PartialEq)]
pub struct TiledCopy<'c> {
    /// The atom, which one call copies.
    pub atom: CopyAtom<'c>,
    /// (thread, value) to the position in the tiler, column-major.
    pub tv: Layout<Dim>,
    /// The tile that all threads copy at once.
    pub tiler: Tile<Dim>,
}

/// An MMA atom laid over threads.
#[derive(Debug, Clone)]
pub struct TiledMma<'c> {
    /// The atom, which one call multiplies.
    pub atom: MmaAtom<'c>,
    /// Atoms along M, N and K.
    pub atom_layout: Layout<Dim>,
    /// The permutation of the tile's modes, if there is one.
    pub permutation: Option<Tile<Dim>>,
}

impl<'c> TiledCopy<'c> {
    /// An atom laid out like `copy`. Extents of its tile are layouts, in the spelling of types:
    /// `32` is `32:1`.
    pub fn new(atom: CopyAtom<'c>, copy: &algebra::TiledCopy) -> Self {
        let tv = copy.tv().map(|n| Dim::fixed(*n));
        let tiler = as_layouts(copy.tiler()).map(&mut |n| Dim::fixed(*n));
        Self { atom, tv, tiler }
    }

    /// The tiling as algebra.
    pub fn tiling(&self) -> Result<algebra::TiledCopy, algebra::Error> {
        let (tv, tiler) = (self.tv.map(known), self.tiler.map(&mut known));
        algebra::TiledCopy::new(self.atom.layouts()?, tv, tiler)
    }
}

/// A tile with its extents as layouts.
fn as_layouts(tile: &Tile<i64>) -> Tile<i64> {
    match tile {
        Tile::Int(n) => Layout::identity(*n).map_or(Tile::Int(*n), Tile::Layout),
        Tile::Modes(modes) => Tile::Modes(modes.iter().map(as_layouts).collect()),
        other => other.clone(),
    }
}

impl TiledMma<'_> {
    /// The tiling as algebra.
    pub fn tiling(&self) -> Result<algebra::TiledMma, algebra::Error> {
        let permutation = match self.permutation.as_ref().map(|p| p.map(&mut known)) {
            None => Vec::new(),
            Some(Tile::Modes(modes)) => modes,
            Some(one) => vec![one],
        };
        algebra::TiledMma::new(self.atom.layouts()?, &self.atom_layout.map(known), &permutation)
    }

    /// The tiling of the scale factors in registers, which take the places of A and B; `None` if
    /// the MMA has none there.
    pub fn tiling_of_scales(&self) -> Option<Result<algebra::TiledMma, algebra::Error>> {
        let layouts = self.atom.entry?.scale_layouts()?;
        let tiling = self.tiling();
        Some(tiling.and_then(|mma| algebra::TiledMma::new(layouts, mma.atom_layout(), mma.permutation())))
    }
}

/// A leaf that the parser has already checked to be static.
fn known(leaf: &Dim) -> i64 {
    leaf.as_static().expect("the parser takes static leaves alone")
}

/// Any value that an op can take or return.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
#[allow(
    clippy::large_enum_variant,
    reason = "values are few, and those of types are made once; a box would cost an allocation each"
)]
pub enum Value<'c, I: Machine> {
    IntTuple(Tuple<I>),
    Shape(Tuple<I>),
    Stride(Tuple<Stride<I>>),
    Coord(Coord<I>),
    Layout(Layout<I>),
    Tile(Tile<I>),
    Swizzle(Swizzle),
    ComposedLayout(ComposedLayout<I>),
    Ptr(Ptr<'c, I>),
    MemRef(MemRef<'c, I>),
    ArithTupleIter(Tuple<I>),
    CoordTensor(CoordTensor<I>),
    CopyAtom(CopyAtom<'c>),
    TiledCopy(TiledCopy<'c>),
    MmaAtom(MmaAtom<'c>),
    TiledMma(TiledMma<'c>),
    /// A descriptor of a matrix in shared memory.
    SmemDesc(SmemDesc<'c, I>),
    SmemDescView(SmemDescView<'c, I>),
    /// A value without further information in its type: a descriptor.
    Opaque(Kind),
    /// A machine integer with a known divisor.
    Assumed(I),
    /// A divisor of 32 bits, its multiplier and two shifts.
    FastDivisor([I; 4]),
    /// A stored element of a sparse operand that represents N logical elements, the others being
    /// zero; only used in types.
    SparseElem(i64, Type<'c>),
    /// A machine integer: i32, i64 or index.
    Scalar(I),
    /// A comparison: static, or to be computed.
    Flag(Option<bool>),
    /// A value of another dialect.
    Other(Type<'c>),
}

impl<'c, I: Machine> Value<'c, I> {
    /// Returns an error unless the value is meaningful: its strides can be added, and those of the
    /// parts of a composed layout too.
    pub fn check(&self) -> Result<(), cute_algebra::Error> {
        match self {
            Self::Stride(stride) => check_codomain(stride.leaves()),
            Self::Layout(layout) => check_codomain(layout.stride().leaves()),
            Self::ComposedLayout(layout) => layout.check(),
            Self::MemRef(view) => view.layout.check(),
            _ => Ok(()),
        }
    }

    /// The kind of type; `None` for values of other dialects.
    pub fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::IntTuple(_) => Kind::IntTuple,
            Self::Shape(_) => Kind::Shape,
            Self::Stride(_) => Kind::Stride,
            Self::Coord(_) => Kind::Coord,
            Self::Layout(_) => Kind::Layout,
            Self::Tile(_) => Kind::Tile,
            Self::Swizzle(_) => Kind::Swizzle,
            Self::ComposedLayout(_) => Kind::ComposedLayout,
            Self::Ptr(_) => Kind::Ptr,
            Self::MemRef(_) => Kind::MemRef,
            Self::ArithTupleIter(_) => Kind::ArithTupleIter,
            Self::CoordTensor(_) => Kind::CoordTensor,
            Self::CopyAtom(atom) => atom.kind(),
            Self::TiledCopy(_) => Kind::TiledCopy,
            Self::MmaAtom(atom) => atom.kind.kind(),
            Self::TiledMma(_) => Kind::TiledMma,
            Self::Assumed(i) if i.dim().width() == Some(Width::I64) => Kind::AssumedI64,
            Self::Assumed(_) => Kind::AssumedI32,
            Self::FastDivisor(_) => Kind::FastDivmodDivisor,
            Self::SmemDesc(_) => Kind::SmemDesc,
            Self::SmemDescView(_) => Kind::SmemDescView,
            Self::Opaque(kind) => *kind,
            Self::SparseElem(..) => Kind::SparseElem,
            Self::Scalar(_) | Self::Flag(_) | Self::Other(_) => return None,
        })
    }

    /// The name of the kind in messages: "layout", "memref", "machine integer".
    pub fn what(&self) -> String {
        match (self, self.kind()) {
            (_, Some(kind)) => format!("!{}", kind.name()),
            (Self::Scalar(i), _) => if i.dim().width() == Some(Width::I64) { "i64" } else { "i32" }.into(),
            (Self::Flag(_), _) => "i1".into(),
            (Self::Other(t), _) => t.to_string(),
            _ => unreachable!("every value of ours has a kind"),
        }
    }

    /// A layout of either form.
    pub fn from_layout(layout: AnyLayout<I>) -> Self {
        match layout {
            AnyLayout::Plain(layout) => Self::Layout(layout),
            AnyLayout::Composed(layout) => Self::ComposedLayout(layout),
        }
    }

    /// The layout of a layout, composed layout or view.
    pub fn layout(&self) -> Option<AnyLayout<I>> {
        match self {
            Self::Layout(layout) => Some(layout.clone().into()),
            Self::ComposedLayout(layout) => Some(layout.clone().into()),
            Self::MemRef(view) => Some(view.layout.clone()),
            Self::CoordTensor(view) => Some(view.layout.clone().into()),
            Self::SmemDescView(view) => Some(view.layout.clone().into()),
            _ => None,
        }
    }

    /// Every integer leaf in type order (pointers have none): depth first, shape before stride.
    pub fn leaves(&self) -> Vec<I> {
        fn ints<I: Int>(t: &Tuple<I>) -> Vec<I> {
            t.leaves().to_vec()
        }
        fn layout<I: Int>(l: &Layout<I>) -> Vec<I> {
            let strides = l.stride().leaves().iter().map(|d| d.scale().clone());
            l.shape().leaves().iter().cloned().chain(strides).collect()
        }
        fn composed<I: Int>(l: &ComposedLayout<I>) -> Vec<I> {
            let mut out = match l.inner() {
                cute_algebra::Inner::Swizzle(_) => Vec::new(),
                cute_algebra::Inner::Layout(inner) => layout(inner),
            };
            out.extend(ints(l.offset()));
            out.extend(layout(l.outer()));
            out
        }
        fn any<I: Int>(l: &AnyLayout<I>) -> Vec<I> {
            match l {
                AnyLayout::Plain(l) => layout(l),
                AnyLayout::Composed(l) => composed(l),
            }
        }
        fn tile<I: Int>(t: &Tile<I>) -> Vec<I> {
            match t {
                Tile::Layout(l) => layout(l),
                Tile::Int(n) => vec![n.clone()],
                Tile::Underscore => Vec::new(),
                Tile::Modes(modes) => modes.iter().flat_map(tile).collect(),
            }
        }
        match self {
            Self::IntTuple(t) | Self::Shape(t) | Self::ArithTupleIter(t) => ints(t),
            Self::Stride(t) => t.leaves().iter().map(|d| d.scale().clone()).collect(),
            Self::Coord(t) => t.leaves().iter().filter_map(|c| c.as_int().cloned()).collect(),
            Self::Layout(l) => layout(l),
            Self::Tile(t) => tile(t),
            Self::ComposedLayout(l) => composed(l),
            Self::MemRef(view) => any(&view.layout),
            Self::CoordTensor(view) => ints(&view.origin).into_iter().chain(layout(&view.layout)).collect(),
            Self::SmemDescView(view) => {
                [view.iter.word.clone()].into_iter().chain(layout(&view.layout)).collect()
            }
            Self::Scalar(i) | Self::Assumed(i) | Self::SmemDesc(SmemDesc { word: i, .. }) => vec![i.clone()],
            Self::FastDivisor(parts) => parts.to_vec(),
            _ => Vec::new(),
        }
    }

    /// The same value with every leaf replaced, in the order of [`Value::leaves`], and its address
    /// replaced.
    pub fn try_map<J: Machine, E>(
        &self,
        address: impl FnOnce(&I::Address) -> Result<J::Address, E>,
        mut leaf: impl FnMut(&I) -> J,
    ) -> Result<Value<'c, J>, E> {
        let leaf = &mut leaf;
        Ok(match self {
            Self::IntTuple(t) => Value::IntTuple(t.map(leaf)),
            Self::Shape(t) => Value::Shape(t.map(leaf)),
            Self::ArithTupleIter(t) => Value::ArithTupleIter(t.map(leaf)),
            Self::Stride(t) => Value::Stride(t.map(|d| d.map(&mut *leaf))),
            Self::Coord(t) => Value::Coord(t.map(|c| c.map(&mut *leaf))),
            Self::Layout(l) => Value::Layout(l.map(leaf)),
            Self::Tile(t) => Value::Tile(t.map(leaf)),
            Self::Swizzle(s) => Value::Swizzle(*s),
            Self::ComposedLayout(l) => Value::ComposedLayout(l.map(leaf)),
            Self::Ptr(p) => Value::Ptr(p.at(address(&p.address)?)),
            Self::MemRef(view) => {
                let iter = view.iter.at(address(&view.iter.address)?);
                Value::MemRef(MemRef { iter, layout: view.layout.map(leaf) })
            }
            Self::CoordTensor(view) => {
                let origin = view.origin.map(&mut *leaf);
                Value::CoordTensor(CoordTensor { origin, layout: view.layout.map(leaf) })
            }
            Self::CopyAtom(atom) => Value::CopyAtom(atom.clone()),
            Self::TiledCopy(tiled) => Value::TiledCopy(tiled.clone()),
            Self::MmaAtom(atom) => Value::MmaAtom(atom.clone()),
            Self::TiledMma(tiled) => Value::TiledMma(tiled.clone()),
            Self::SmemDesc(d) => Value::SmemDesc(SmemDesc { word: leaf(&d.word), of: d.of }),
            Self::SmemDescView(view) => {
                let iter = SmemDesc { word: leaf(&view.iter.word), of: view.iter.of };
                Value::SmemDescView(SmemDescView { iter, layout: view.layout.map(leaf) })
            }
            Self::Opaque(kind) => Value::Opaque(*kind),
            Self::SparseElem(n, stored) => Value::SparseElem(*n, *stored),
            Self::Assumed(i) => Value::Assumed(leaf(i)),
            Self::FastDivisor(parts) => Value::FastDivisor(parts.each_ref().map(leaf)),
            Self::Scalar(i) => Value::Scalar(leaf(i)),
            Self::Flag(flag) => Value::Flag(*flag),
            Self::Other(t) => Value::Other(*t),
        })
    }

    /// Whether it has no run-time part.
    pub fn is_static(&self) -> bool {
        match self {
            Self::Ptr(_) | Self::MemRef(_) | Self::Opaque(_) | Self::SparseElem(..) | Self::Other(_) => false,
            Self::Flag(flag) => flag.is_some(),
            _ => self.leaves().iter().all(Int::is_static),
        }
    }
}

impl<'c, I: Machine> Ptr<'c, I> {
    /// The same pointer with another address, possibly in another interpretation.
    pub fn at<J: Machine>(&self, address: J::Address) -> Ptr<'c, J> {
        Ptr { elem: self.elem, space: self.space, align: self.align, swizzle: self.swizzle, address }
    }

    /// Bits by which an element advances the address. A pointer without an element type counts
    /// bytes. `None` if elements have no size: no offset counts them.
    pub fn bits(&self) -> Option<u32> {
        self.elem.map_or(Some(8), bit_width)
    }

    /// Whether several elements share a byte. An element without a size is a value of LLVM's, which
    /// has bytes of its own.
    pub fn is_packed(&self) -> bool {
        self.bits().is_some_and(|bits| bits < 8)
    }

    /// The pointer of an access after its bits are swizzled. Only the bits below the swizzle keep
    /// the alignment.
    pub fn swizzled(&self) -> Self {
        let mut p = self.at(I::swizzled(&self.address, self.swizzle));
        if !self.swizzle.is_identity() {
            let lowest = self.swizzle.target_mask().trailing_zeros().min(62);
            p.align = p.align.min(1 << lowest);
        }
        p
    }

    /// The pointer `offset` elements higher; its alignment divides both the address and the offset.
    pub fn advance(&self, offset: &I) -> crate::error::Result<Self> {
        let Some(bits) = self.bits() else {
            if offset.is(0) {
                return Ok(self.clone());
            }
            let elem = self.elem.map(|elem| elem.to_string()).unwrap_or_default();
            let rule = format!("there is no address {} elements on", offset.dim());
            return Err(Error::NoSize { elem, rule });
        };
        let step = offset.dim().divisor().saturating_mul(i64::from(bits));
        let align = if offset.is(0) { self.align } else { power_of_two_divisor(self.align, step) };
        let mut p = self.at(I::advance(self.space, &self.address, offset, bits));
        p.align = align;
        Ok(p)
    }
}

/// The largest power of two of bytes that divides `align` bytes and `step` bits; at least 1.
fn power_of_two_divisor(align: i64, step: i64) -> i64 {
    let bytes = if step == 0 { i64::from(u32::MAX) + 1 } else { (1 << step.trailing_zeros()) / 8 };
    let align = if align <= 0 { 1 } else { 1 << align.trailing_zeros() };
    align.min(bytes.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cute_arch::smem::ADDRESS_FIELD;

    /// The descriptor that steps lead to.
    fn stepped(descriptor: i64, steps: &[Paired<Wrapping<i64>>]) -> i64 {
        let start = Paired::dynamic(Width::I64, 1, Wrapping(descriptor));
        let end = steps.iter().fold(start, |d, step| Machine::advance_descriptor(&d, step));
        end.payload().expect("a descriptor is dynamic").0
    }

    #[test]
    fn a_step_changes_the_address_of_a_descriptor_alone() {
        let dynamic = |n| Paired::dynamic(Width::I32, 1, Wrapping(n));
        for others in [0, 0x4000_0040_0001_0000, !ADDRESS_FIELD >> 1 & !ADDRESS_FIELD] {
            for (address, step) in [(0x40, 2), (0x3ffe, 1), (0x100, -0x80), (0, 0x3fff), (0x3fff, -0x3fff)] {
                let expected = others | (address + step);
                for step in [Paired::fixed(step), dynamic(step)] {
                    assert_eq!(stepped(others | address, &[step]), expected, "{address:#x}");
                }
            }
        }
    }

    #[test]
    fn steps_there_and_back_cancel() {
        let there = [0x3fff, 0x1234, 7].map(Paired::fixed);
        let back = [-7, -0x1234, -0x3fff].map(Paired::fixed);
        assert_eq!(stepped(0x4000_0040_0001_3f00, &[there, back].concat()), 0x4000_0040_0001_3f00);
    }

    #[test]
    fn a_step_of_nothing_is_the_descriptor() {
        let known = Dim::dynamic(Width::I64, 16);
        assert_eq!(Dim::advance_descriptor(&known, &Dim::fixed(0)), known);
        assert_eq!(Dim::advance_descriptor(&known, &Dim::fixed(2)), Dim::dynamic(Width::I64, 1));
    }

    #[test]
    fn tensor_memory_counts_words() {
        // Numbers of 64 bits stand for words of 32.
        let advance = |offset, bits| {
            let step = Paired::dynamic(Width::I32, 1, Wrapping(offset));
            let steps = [step, Paired::fixed(offset)];
            let [by_run_time, by_constant] =
                steps.map(|step| Machine::advance(Space::Tmem, &Wrapping(5), &step, bits).0 as u32);
            assert_eq!(by_constant, by_run_time);
            by_run_time
        };
        // Lane 3, column 4: the lane stride counts elements, and a column has 1, 2 or 4 of them.
        for bits in [32, 16, 8] {
            let per_word = 32 / i64::from(bits);
            assert_eq!(advance(3 * 65_536 * per_word + 4 * per_word, bits), 5 + (3 << 16) + 4);
        }
        // The byte in the word, of negative numbers too.
        assert_eq!(advance(3, 8), 5 | 3 << 30);
        assert_eq!(advance(4 + 1, 8), 6 | 1 << 30);
        assert_eq!(advance(-1, 8), 4 | 3 << 30);
        assert_eq!(advance(2, 64), 9);
    }
}
