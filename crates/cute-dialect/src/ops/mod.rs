//! The results of each op, computed from its operands by one function, generic over the
//! interpretation of integers. Over [`Dim`] it is type inference, verification and folding; over
//! the lowering's leaves it is the generated code.

mod accessors;
pub mod atoms;
pub mod constructors;
pub mod extensions;
pub mod fragments;
pub mod layouts;
mod modes;
mod placements;
pub mod print;
pub mod products;
pub mod s2t;
pub mod scales;
pub mod state;
pub mod tensors;
pub mod tma;
mod tmem;
pub mod tuples;

use cute_algebra::{AnyLayout, Dim, Layout, Tuple};

use crate::{
    error::{Error, Result},
    value::{CoordTensor, Machine, MemRef, SmemDesc, SmemDescView, Value},
};
pub use {
    crate::{attributes::Attributes, call::Call},
    cute_ffi::ops::{AttributeName, OpKind},
};

/// The results of the op.
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
        K::CosizeBits => one(layouts::cosize_bits(call)),
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
        K::GetFlatCoord | K::GetHierCoord => one(extensions::coord_of_index(call)),
        K::LocalPartition => one(extensions::local_partition(call)),
        K::OuterPartition => one(extensions::outer_partition(call)),
        K::TiledPartition => one(extensions::tiled_partition(call)),
        K::StencilDivide => one(extensions::stencil_divide(call)),
        K::OuterLogicalDivide | K::OuterZippedDivide | K::OuterTiledDivide | K::OuterFlatDivide => {
            one(extensions::outer_divide(call))
        }
        K::Nullspace | K::MaxCommonLayout | K::MaxCommonVector => one(extensions::common(call)),
        K::DomainDistribute => one(extensions::domain_distribute(call)),
        K::Assume => one(extensions::assume(call)),
        K::FastDivmodCreateDivisor => one(extensions::divisor(call)),
        K::FastDivmodCompute => extensions::divmod(call),
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
        K::TiledCopyPartitionS | K::TiledCopyPartitionD => one(atoms::partition_copy(call)),
        K::TiledMmaPartition => one(atoms::partition_mma(call)),
        K::TiledMmaPartitionShape => one(atoms::partition_shape(call)),
        K::TiledCopyRetile => one(atoms::retile(call)),
        K::MmaMakeFragment => atoms::make_mma_fragment(call),
        K::MakeFragmentLike => atoms::make_fragment_like(call),
        K::Copy | K::CopyAtomCall => atoms::copy(call),
        K::Gemm | K::MmaAtomCall => atoms::gemm(call),
        K::Prefetch | K::PrefetchAtomCall => atoms::prefetch(call),
        K::PlacementApply => one(placements::apply(call)),
        K::PlacementConvert => placements::convert(call),
        K::Print => print::check(call),
        K::PrintView => Ok(Vec::new()),
        K::GetDynSmem => tensors::get_dyn_smem(call),
        K::GetDynSmemSize | K::KernelSmemSize | K::SmemPartitionSize => Ok(Vec::new()),
        // For a single lane, the result is the operand.
        K::MakeWarpUniform => one(call.operand(0).cloned()),
        K::MakeNonExecTiledTmaLoad | K::MakeNonExecTiledTmaStore | K::MakeNonExecTiledTmaReduce => {
            tma::make_descriptor(call)
        }
        K::MakeExecTma => one(tma::make_executable(call)),
        K::TmaPartition => tma::partition(call),
        K::PrefetchTmaDesc | K::CopyTmaDesc | K::UpdateTmaDesc => tma::on_descriptor(call),
        K::AllocTmem | K::RetrieveTmemPtr | K::DeallocTmem | K::RelinquishTmemAllocPermit => {
            tmem::check(call)
        }
        K::MakeTmemCopy | K::MakeS2tCopy => one(tmem::make_copy(call)),
        K::GetCopyS2tSmemDescView => s2t::descriptors(call),
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

/// The layout of a view that cannot have another kind of layout.
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
            let iter = view.iter.advance(scalar(offset)?)?;
            Ok(Value::MemRef(MemRef { iter, layout }))
        }
        Value::CoordTensor(view) => {
            let origin = cute_algebra::add_values(view.origin.view(), offset.view())?;
            let moved = Value::CoordTensor(CoordTensor { origin, layout: view.layout.clone() });
            with_layout(&moved, layout)
        }
        Value::SmemDescView(view) => {
            let word = I::advance_descriptor(&view.iter.word, scalar(offset)?);
            let iter = SmemDesc { word, of: view.iter.of };
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
