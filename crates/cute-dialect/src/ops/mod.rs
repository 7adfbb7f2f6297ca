//! What each op makes of its operands: one function, generic over the interpretation of integers. Over [`Dim`] it is
//! type inference, verification and folding; over the lowering's leaves it is the generated code.

mod accessors;
pub mod atoms;
pub mod constructors;
mod fragments;
pub mod layouts;
mod modes;
mod placements;
pub mod print;
pub mod products;
pub mod state;
pub mod tensors;
pub mod tuples;
pub mod writeups;

use std::borrow::Cow;

use cute_algebra::{AnyLayout, Coord, Dim, Layout, LayoutLike, Tiler, Tuple};
use cute_ffi::ir::{coord_attribute_type, dictionary_get};
use melior::{
    Context,
    ir::{
        Attribute, AttributeLike,
        attribute::{DenseI32ArrayAttribute, IntegerAttribute},
        r#type::IntegerType,
    },
};

use crate::{
    error::{Error, Result},
    types::value_of,
    value::{CoordTensor, Machine, MemRef, Ptr, SmemDescView, TiledCopy, Value},
};
pub use cute_ffi::ops::OpKind;

/// One op with its operands.
pub struct Call<'a, 'c, I: Machine> {
    /// Which op.
    pub kind: OpKind,
    /// Its operands.
    pub operands: &'a [Cow<'a, Value<'c, I>>],
    /// Its attributes, as one dictionary.
    pub attributes: Attribute<'c>,
    /// The declared results; empty while they are inferred.
    pub declared: &'a [Cow<'a, Value<'c, Dim>>],
    /// Where types are made.
    pub context: &'c Context,
}

/// What the op makes.
pub fn eval<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    use OpKind as K;
    let one = |value: Result<Value<'c, I>>| value.map(|v| vec![v]);
    match call.kind {
        K::Static => one(constructors::fixed(call)),
        K::MakeIntTuple | K::MakeShape | K::MakeStride | K::MakeCoord | K::MakeTile => {
            one(constructors::from_leaves(call))
        }
        K::MakeTuple => one(constructors::tuple(call)),
        K::MakeLayout => one(constructors::layout(call)),
        K::MakeComposedLayout => one(constructors::composed_layout(call)),
        K::MakeLayoutLike => one(layouts::make_layout_like(call)),
        K::MakeOrderedLayout => one(constructors::ordered_layout(call)),
        K::MakeIdentityLayout => one(constructors::identity_layout(call).map(Value::Layout)),
        K::MakeIdentityTensor => one(constructors::identity_tensor(call)),
        K::GetShape => one(accessors::shape(call)),
        K::GetStride => one(accessors::stride(call)),
        K::ComposedGetInner => one(accessors::inner(call)),
        K::ComposedGetOffset => one(accessors::offset(call)),
        K::ComposedGetOuter => one(accessors::outer(call)),
        K::ToIntTuple | K::ToCoord | K::ToShape | K::ToStride => one(accessors::cast(call)),
        K::Get => one(accessors::get(call)),
        K::Select => one(modes::select(call)),
        K::GetLayoutsFromTile => modes::layouts_from_tile(call),
        K::GetLeaves => accessors::leaves(call),
        K::GetScalars => accessors::scalars(call),
        K::Size => one(layouts::size(call)),
        K::Cosize => one(layouts::cosize(call)),
        K::Crd2Idx | K::LayoutEval => one(layouts::crd2idx(call)),
        K::Idx2Crd => one(layouts::idx2crd(call)),
        K::Slice => one(layouts::slice(call)),
        K::Dice => one(modes::dice(call)),
        K::RecastLayout => one(layouts::recast(call)),
        K::GroupModes => one(layouts::group_modes(call)),
        K::Flatten => one(layouts::flatten(call)),
        K::Coalesce => one(layouts::coalesce(call)),
        K::Filter | K::FilterZeros | K::RightInverse | K::LeftInverse => one(layouts::unary(call)),
        K::Complement => one(layouts::complement(call)),
        K::Composition => one(layouts::composition(call)),
        K::LogicalDivide | K::ZippedDivide | K::TiledDivide | K::FlatDivide => one(layouts::divide(call)),
        K::LocalTile => one(layouts::local_tile(call)),
        K::ElemLess => one(layouts::elem_less(call)),
        K::TupleProduct | K::TupleProductEach => one(tuples::product(call)),
        K::TupleAdd | K::TupleSub | K::TupleMul | K::TupleDiv | K::TupleMod => one(tuples::binary(call)),
        K::CeilDiv => one(tuples::ceil_div(call)),
        K::ShapeDiv => one(tuples::shape_div(call)),
        K::Equal => one(tuples::equal(call)),
        K::IncrementCoord => one(tuples::increment_coord(call)),
        K::AppendToRank | K::PrependToRank => one(modes::to_rank(call)),
        K::LogicalProduct | K::ZippedProduct | K::TiledProduct | K::FlatProduct => {
            one(products::by_tiler(call))
        }
        K::BlockedProduct | K::RakedProduct => one(products::ranked(call)),
        K::TileToShape => one(products::tile_to_shape(call)),
        K::GetFlatCoord | K::GetHierCoord => one(writeups::coord_of_index(call)),
        K::LocalPartition => one(writeups::local_partition(call)),
        K::OuterPartition => one(writeups::outer_partition(call)),
        K::TiledPartition => one(writeups::tiled_partition(call)),
        K::StencilDivide => one(writeups::stencil_divide(call)),
        K::OuterLogicalDivide | K::OuterZippedDivide | K::OuterTiledDivide | K::OuterFlatDivide => {
            one(writeups::outer_divide(call))
        }
        K::Nullspace | K::MaxCommonLayout | K::MaxCommonVector => one(writeups::common(call)),
        K::DomainDistribute => one(writeups::domain_distribute(call)),
        K::Assume => one(writeups::assume(call)),
        K::FastDivmodCreate => one(writeups::divisor(call)),
        K::FastDivmodCompute => writeups::divmod(call),
        K::MakeView => one(tensors::make_view(call)),
        K::GetIter => one(tensors::get_iter(call)),
        K::GetLayout => one(tensors::get_layout(call)),
        K::AddOffset => one(tensors::add_offset(call)),
        K::RecastIter => one(tensors::recast_iter(call)),
        K::MakeArithTupleIter => one(call.int_tuple(0).map(|t| Value::ArithTupleIter(t.clone()))),
        K::DerefArithTupleIter => one(tensors::deref(call)),
        K::ApplySwizzle => one(tensors::apply_swizzle(call)),
        K::IntToPtr => tensors::int_to_ptr(call),
        K::PtrToInt => tensors::ptr_to_int(call),
        K::Derefine => one(call.operand(0).cloned()),
        K::MemRefAlloca | K::MemRefAllocSmem => tensors::allocation(call),
        K::MemRefLoad => one(tensors::load(call)),
        K::MemRefStore => tensors::store(call),
        K::MemRefLoadVec => one(tensors::load_vec(call)),
        K::MemRefStoreVec => tensors::store_vec(call),
        K::MakeAtom => state::make_atom(call),
        K::AtomSetValue => one(state::set_value(call)),
        K::AtomGetValue => state::get_value(call),
        K::MakeTiledCopy => atoms::make_tiled_copy(call),
        K::MakeTiledMma => atoms::make_tiled_mma(call),
        K::MakeTiledCopyA
        | K::MakeTiledCopyB
        | K::MakeTiledCopyC
        | K::MakeTiledCopyCAtom
        | K::MakeTiledCopyS
        | K::MakeTiledCopyD => one(atoms::derived_copy(call)),
        K::PartitionS | K::PartitionD => one(atoms::partition_copy(call)),
        K::TiledMmaPartition => one(atoms::partition_mma(call)),
        K::TiledMmaPartitionShape => one(atoms::partition_shape(call)),
        K::Retile => one(atoms::retile(call)),
        K::MmaMakeFragment => atoms::make_mma_fragment(call),
        K::MakeFragmentLike => atoms::make_fragment_like(call),
        K::Copy | K::CopyAtomCall => atoms::copy(call),
        K::Gemm | K::MmaAtomCall => atoms::gemm(call),
        K::Prefetch | K::PrefetchAtomCall => atoms::prefetch(call),
        K::PlacementApply => one(placements::apply(call)),
        K::PlacementConvert => placements::convert(call),
        K::Print => print::check(call),
        K::GetDynSmem => tensors::get_dyn_smem(call),
    }
}

impl<'c, I: Machine> Call<'_, 'c, I> {
    /// Operand `i`.
    pub fn operand(&self, i: usize) -> Result<&Value<'c, I>> {
        let found = self.operands.len();
        self.optional(i)
            .ok_or_else(|| Error::OperandCount { expected: format!("at least {} operands", i + 1), found })
    }

    /// Operand `i` if there are so many.
    pub fn optional(&self, i: usize) -> Option<&Value<'c, I>> {
        self.operands.get(i).map(|v| &**v)
    }

    fn wrong<T>(&self, index: usize, expected: &'static str) -> Result<T> {
        Err(Error::OperandKind { index, expected, found: self.operand(index)?.what() })
    }

    /// The layout of operand `i`, whatever carries it.
    pub fn layout(&self, i: usize) -> Result<AnyLayout<I>> {
        match self.operand(i)?.layout() {
            Some(layout) => Ok(layout),
            None => self.wrong(i, "a layout, composed layout, memref or coord_tensor"),
        }
    }

    /// Operand `i`, a layout or composed layout: no view of something.
    pub fn pure_layout(&self, i: usize) -> Result<AnyLayout<I>> {
        match self.operand(i)? {
            Value::Layout(_) | Value::ComposedLayout(_) => self.layout(i),
            _ => self.wrong(i, "a layout or composed layout"),
        }
    }

    /// Operand `i` with its layout, or the outer layout of a composed one, replaced by what `f` makes of it.
    fn map_outer(
        &self,
        i: usize,
        f: impl FnOnce(&Layout<I>) -> std::result::Result<Layout<I>, cute_algebra::Error>,
    ) -> Result<Value<'c, I>> {
        Ok(match self.operand(i)? {
            Value::Layout(layout) => Value::Layout(f(layout)?),
            Value::ComposedLayout(layout) => Value::from_layout(layout.map_outer(f)?.simplify()),
            Value::MemRef(view) => {
                Value::MemRef(MemRef { iter: view.iter.clone(), layout: view.layout.map_outer(f)? })
            }
            Value::CoordTensor(view) => {
                Value::CoordTensor(CoordTensor { origin: view.origin.clone(), layout: f(&view.layout)? })
            }
            Value::SmemDescView(view) => {
                Value::SmemDescView(SmemDescView { iter: view.iter.clone(), layout: f(&view.layout)? })
            }
            _ => return self.wrong(i, "a layout, composed layout, memref or coord_tensor"),
        })
    }

    /// A plain layout.
    pub fn plain(&self, i: usize) -> Result<&Layout<I>> {
        match self.operand(i)? {
            Value::Layout(layout) => Ok(layout),
            _ => self.wrong(i, "a layout"),
        }
    }

    /// Operand `i`, a shape.
    pub fn shape(&self, i: usize) -> Result<&Tuple<I>> {
        match self.operand(i)? {
            Value::Shape(shape) => Ok(shape),
            _ => self.wrong(i, "a shape"),
        }
    }

    fn int_tuple(&self, i: usize) -> Result<&Tuple<I>> {
        match self.operand(i)? {
            Value::IntTuple(t) => Ok(t),
            _ => self.wrong(i, "an int_tuple"),
        }
    }

    /// A coordinate.
    pub fn coord(&self, i: usize) -> Result<&Coord<I>> {
        match self.operand(i)? {
            Value::Coord(coord) => Ok(coord),
            _ => self.wrong(i, "a coord"),
        }
    }

    /// A tuple of integers, whatever its kind; no `_`, no basis.
    fn integers(&self, i: usize) -> Result<Tuple<I>> {
        match self.operand(i)? {
            Value::IntTuple(t) | Value::Shape(t) => Ok(t.clone()),
            Value::Coord(c) => c
                .to_ints()
                .ok_or_else(|| Error::Rule(format!("operand #{i} has a `_`, integers are required"))),
            Value::Stride(s) => Ok(s.try_map(|d| d.expect_int("a tuple of integers").cloned())?),
            _ => self.wrong(i, "an int_tuple, shape, stride or coord"),
        }
    }

    /// A tiler: layout, shape or tile.
    pub fn tiler(&self, i: usize) -> Result<Tiler<I>> {
        match self.operand(i)? {
            Value::Layout(layout) => Ok(layout.clone().into()),
            Value::Shape(shape) => Ok(shape.clone().into()),
            Value::Tile(tile) => Ok(tile.clone().into()),
            _ => self.wrong(i, "a layout, shape or tile"),
        }
    }

    /// A memref.
    pub fn memref(&self, i: usize) -> Result<&MemRef<'c, I>> {
        match self.operand(i)? {
            Value::MemRef(view) => Ok(view),
            _ => self.wrong(i, "a memref"),
        }
    }

    fn ptr(&self, i: usize) -> Result<&Ptr<'c, I>> {
        match self.operand(i)? {
            Value::Ptr(ptr) => Ok(ptr),
            _ => self.wrong(i, "a ptr"),
        }
    }

    pub(crate) fn tiled_copy(&self, i: usize) -> Result<&TiledCopy<'c>> {
        match self.operand(i)? {
            Value::TiledCopy(tiled) => Ok(tiled),
            _ => self.wrong(i, "a tiled_copy"),
        }
    }

    /// The declared result, for ops whose result type says what they make.
    pub(crate) fn declared(&self, i: usize) -> Result<&Value<'c, Dim>> {
        self.declared
            .get(i)
            .map(|v| &**v)
            .ok_or_else(|| Error::Rule("the result type cannot be inferred, it must be declared".into()))
    }

    /// The mode path `mode`; empty where it is left out.
    pub fn mode_path(&self) -> Result<Vec<usize>> {
        let Some(a) = dictionary_get(self.attributes, "mode") else { return Ok(Vec::new()) };
        let bad = Error::Attribute { name: "mode", expected: "a list of non-negative integers" };
        let list = DenseI32ArrayAttribute::try_from(a).map_err(|_| bad.clone())?;
        (0..list.len())
            .map(|i| list.element(i).ok().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| bad.clone()))
            .collect()
    }

    /// A non-negative integer attribute.
    pub fn index_attribute(&self, name: &'static str) -> Result<usize> {
        dictionary_get(self.attributes, name)
            .and_then(|a| IntegerAttribute::try_from(a).ok())
            .and_then(|a| {
                let signed = IntegerType::try_from(a.r#type()).is_ok_and(|t| t.is_signed());
                usize::try_from(if signed { a.signed_value() } else { a.value() }).ok()
            })
            .ok_or(Error::Attribute { name, expected: "a non-negative integer" })
    }

    /// The operands are as many as an attribute of the generic form counts.
    pub fn check_segments(&self) -> Result<()> {
        let name = "operandSegmentSizes";
        let Some(a) = dictionary_get(self.attributes, name) else { return Ok(()) };
        let bad = Error::Attribute { name, expected: "0 or 1 for each operand" };
        let list = DenseI32ArrayAttribute::try_from(a).map_err(|_| bad.clone())?;
        let sizes = (0..list.len()).map(|i| list.element(i).ok().filter(|n| (0..=1).contains(n)));
        let counted = sizes.sum::<Option<i32>>().ok_or(bad)?;
        let found = self.operands.len();
        if usize::try_from(counted) == Ok(found) {
            return Ok(());
        }
        Err(Error::OperandCount { expected: format!("{counted} operands, as {name} counts them"), found })
    }

    /// Whether a unit attribute is there.
    pub fn has(&self, name: &str) -> bool {
        dictionary_get(self.attributes, name).is_some()
    }

    /// The coordinate attribute `name`.
    pub fn coord_attribute(&self, name: &'static str) -> Result<Option<Coord<Dim>>> {
        let Some(a) = dictionary_get(self.attributes, name) else { return Ok(None) };
        match coord_attribute_type(a).map(value_of).as_deref() {
            Some(Value::Coord(coord)) => Ok(Some(coord.clone())),
            _ => Err(Error::Attribute { name, expected: "a #cute.coord" }),
        }
    }
}

/// The operand with another layout: the iterator of a view stays.
fn with_layout<'c, I: Machine>(of: &Value<'c, I>, layout: AnyLayout<I>) -> Result<Value<'c, I>> {
    Ok(match of {
        Value::MemRef(view) => Value::MemRef(MemRef { iter: view.iter.clone(), layout }),
        Value::CoordTensor(view) => {
            let origin = view.origin.clone();
            Value::CoordTensor(CoordTensor { origin, layout: plain_of("a coord_tensor", layout)? })
        }
        Value::SmemDescView(view) => {
            let iter = view.iter.clone();
            Value::SmemDescView(SmemDescView { iter, layout: plain_of("a smem_desc_view", layout)? })
        }
        _ => Value::from_layout(layout),
    })
}

/// The layout of a view that can have no other.
fn plain_of<I>(what: &str, layout: AnyLayout<I>) -> Result<Layout<I>> {
    match layout {
        AnyLayout::Plain(layout) => Ok(layout),
        AnyLayout::Composed(_) => Err(Error::Rule(format!("{what} has no composed layout"))),
    }
}

/// The operand with another layout, its iterator moved by `offset`.
fn moved<'c, I: Machine>(of: &Value<'c, I>, layout: AnyLayout<I>, offset: &Tuple<I>) -> Result<Value<'c, I>> {
    match of {
        Value::MemRef(view) => {
            let iter = view.iter.advance(scalar(offset)?);
            Ok(Value::MemRef(MemRef { iter, layout }))
        }
        Value::CoordTensor(view) => {
            let origin = cute_algebra::add_values(view.origin.view(), offset.view())?;
            let moved = Value::CoordTensor(CoordTensor { origin, layout: view.layout.clone() });
            with_layout(&moved, layout)
        }
        Value::SmemDescView(view) => {
            let iter = view.iter.add(scalar(offset)?)?;
            with_layout(&Value::SmemDescView(SmemDescView { iter, layout: view.layout.clone() }), layout)
        }
        _ => with_layout(of, layout),
    }
}

/// The one integer of an offset in elements.
fn scalar<I: Machine>(offset: &Tuple<I>) -> Result<&I> {
    let why =
        || Error::Rule(format!("an offset of {offset} elements is not one integer", offset = dims(offset)));
    offset.as_leaf().ok_or_else(why)
}

fn dims<I: Machine>(t: &Tuple<I>) -> Tuple<Dim> {
    t.map(|i| i.dim())
}
