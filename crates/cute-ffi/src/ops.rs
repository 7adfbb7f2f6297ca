//! The ops of the dialects, with an entry point each: TableGen's code calls `cute_op_<Class>`, and a missing one does not
//! link.

use crate::dialect::{RawRequest, respond};

macro_rules! ops {
    ($($kind:ident $entry:ident $name:literal,)*) => {
        /// The ops of the dialects.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum OpKind { $($kind),* }

        impl OpKind {
            /// All ops.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name with its dialect: `cute.size`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// The op of that name, current or older.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)*
                    "cute.tuple.product" => Some(Self::TupleProduct),
                    "cute.tuple.product_each" => Some(Self::TupleProductEach),
                    _ => None,
                }
            }
        }

        $(
            #[unsafe(no_mangle)]
            #[allow(non_snake_case)]
            unsafe extern "C" fn $entry(request: *mut RawRequest) -> bool {
                // SAFETY: MLIR calls with a valid request.
                unsafe { respond(OpKind::$kind, request) }
            }
        )*
    };
}

ops! {
    Static cute_op_StaticOp "cute.static",
    MakeIntTuple cute_op_MakeIntTupleOp "cute.make_int_tuple",
    MakeShape cute_op_MakeShapeOp "cute.make_shape",
    MakeStride cute_op_MakeStrideOp "cute.make_stride",
    MakeCoord cute_op_MakeCoordOp "cute.make_coord",
    MakeTile cute_op_MakeTileOp "cute.make_tile",
    MakeTuple cute_op_MakeTupleOp "cute.make_tuple",
    MakeLayout cute_op_MakeLayoutOp "cute.make_layout",
    MakeComposedLayout cute_op_MakeComposedLayoutOp "cute.make_composed_layout",
    MakeLayoutLike cute_op_MakeLayoutLikeOp "cute.make_layout_like",
    MakeOrderedLayout cute_op_MakeOrderedLayoutOp "cute.make_ordered_layout",
    MakeIdentityLayout cute_op_MakeIdentityLayoutOp "cute.make_identity_layout",
    MakeIdentityTensor cute_op_MakeIdentityTensorOp "cute.make_identity_tensor",
    GetShape cute_op_GetShapeOp "cute.get_shape",
    GetStride cute_op_GetStrideOp "cute.get_stride",
    ComposedGetInner cute_op_ComposedGetInnerOp "cute.composed_get_inner",
    ComposedGetOffset cute_op_ComposedGetOffsetOp "cute.composed_get_offset",
    ComposedGetOuter cute_op_ComposedGetOuterOp "cute.composed_get_outer",
    ToIntTuple cute_op_ToIntTupleOp "cute.to_int_tuple",
    ToCoord cute_op_ToCoordOp "cute.to_coord",
    ToShape cute_op_ToShapeOp "cute.to_shape",
    ToStride cute_op_ToStrideOp "cute.to_stride",
    Get cute_op_GetOp "cute.get",
    Select cute_op_SelectOp "cute.select",
    GetLayoutsFromTile cute_op_GetLayoutsFromTileOp "cute.get_layouts_from_tile",
    GetLeaves cute_op_GetLeavesOp "cute.get_leaves",
    GetScalars cute_op_GetScalarsOp "cute.get_scalars",
    Size cute_op_SizeOp "cute.size",
    Cosize cute_op_CosizeOp "cute.cosize",
    Crd2Idx cute_op_Crd2IdxOp "cute.crd2idx",
    LayoutEval cute_op_LayoutEvalOp "cute.layout_eval",
    Idx2Crd cute_op_Idx2CrdOp "cute.idx2crd",
    Slice cute_op_SliceOp "cute.slice",
    Dice cute_op_DiceOp "cute.dice",
    RecastLayout cute_op_RecastLayoutOp "cute.recast_layout",
    GroupModes cute_op_GroupModesOp "cute.group_modes",
    Flatten cute_op_FlattenOp "cute.flatten",
    Coalesce cute_op_CoalesceOp "cute.coalesce",
    Filter cute_op_FilterOp "cute.filter",
    FilterZeros cute_op_FilterZerosOp "cute.filter_zeros",
    RightInverse cute_op_RightInverseOp "cute.right_inverse",
    LeftInverse cute_op_LeftInverseOp "cute.left_inverse",
    Complement cute_op_ComplementOp "cute.complement",
    Composition cute_op_CompositionOp "cute.composition",
    LogicalDivide cute_op_LogicalDivideOp "cute.logical_divide",
    ZippedDivide cute_op_ZippedDivideOp "cute.zipped_divide",
    TiledDivide cute_op_TiledDivideOp "cute.tiled_divide",
    FlatDivide cute_op_FlatDivideOp "cute.flat_divide",
    LocalTile cute_op_LocalTileOp "cute.local_tile",
    ElemLess cute_op_ElemLessOp "cute.elem_less",
    TupleProduct cute_op_TupleProductOp "cute.tuple_product",
    TupleProductEach cute_op_TupleProductEachOp "cute.tuple_product_each",
    TupleAdd cute_op_TupleAddOp "cute.tuple_add",
    TupleSub cute_op_TupleSubOp "cute.tuple_sub",
    TupleMul cute_op_TupleMulOp "cute.tuple_mul",
    TupleDiv cute_op_TupleDivOp "cute.tuple_div",
    TupleMod cute_op_TupleModOp "cute.tuple_mod",
    CeilDiv cute_op_CeilDivOp "cute.ceil_div",
    ShapeDiv cute_op_ShapeDivOp "cute.shape_div",
    Equal cute_op_EqualOp "cute.equal",
    IncrementCoord cute_op_IncrementCoordOp "cute.increment_coord",
    AppendToRank cute_op_AppendToRankOp "cute.append_to_rank",
    PrependToRank cute_op_PrependToRankOp "cute.prepend_to_rank",
    LogicalProduct cute_op_LogicalProductOp "cute.logical_product",
    ZippedProduct cute_op_ZippedProductOp "cute.zipped_product",
    TiledProduct cute_op_TiledProductOp "cute.tiled_product",
    FlatProduct cute_op_FlatProductOp "cute.flat_product",
    BlockedProduct cute_op_BlockedProductOp "cute.blocked_product",
    RakedProduct cute_op_RakedProductOp "cute.raked_product",
    TileToShape cute_op_TileToShapeOp "cute.tile_to_shape",
    GetFlatCoord cute_op_GetFlatCoordOp "cute.get_flat_coord",
    GetHierCoord cute_op_GetHierCoordOp "cute.get_hier_coord",
    LocalPartition cute_op_LocalPartitionOp "cute.local_partition",
    OuterPartition cute_op_OuterPartitionOp "cute.outer_partition",
    TiledPartition cute_op_TiledPartitionOp "cute.tiled_partition",
    StencilDivide cute_op_StencilDivideOp "cute.stencil_divide",
    OuterLogicalDivide cute_op_OuterLogicalDivideOp "cute.outer_logical_divide",
    OuterZippedDivide cute_op_OuterZippedDivideOp "cute.outer_zipped_divide",
    OuterTiledDivide cute_op_OuterTiledDivideOp "cute.outer_tiled_divide",
    OuterFlatDivide cute_op_OuterFlatDivideOp "cute.outer_flat_divide",
    Nullspace cute_op_NullspaceOp "cute.nullspace",
    MaxCommonLayout cute_op_MaxCommonLayoutOp "cute.max_common_layout",
    MaxCommonVector cute_op_MaxCommonVectorOp "cute.max_common_vector",
    DomainDistribute cute_op_DomainDistributeOp "cute.domain_distribute",
    Assume cute_op_AssumeOp "cute.assume",
    FastDivmodCreate cute_op_FastDivmodCreateDivisorOp "cute.fast_divmod.create_divisor",
    FastDivmodCompute cute_op_FastDivmodComputeOp "cute.fast_divmod.compute",
    MakeView cute_op_MakeViewOp "cute.make_view",
    GetIter cute_op_GetIterOp "cute.get_iter",
    GetLayout cute_op_GetLayoutOp "cute.get_layout",
    AddOffset cute_op_AddOffsetOp "cute.add_offset",
    RecastIter cute_op_RecastIterOp "cute.recast_iter",
    MakeArithTupleIter cute_op_MakeArithTupleIterOp "cute.make_arith_tuple_iter",
    DerefArithTupleIter cute_op_DerefArithTupleIterOp "cute.deref_arith_tuple_iter",
    ApplySwizzle cute_op_ApplySwizzleOp "cute.apply_swizzle",
    IntToPtr cute_op_IntToPtrOp "cute.inttoptr",
    PtrToInt cute_op_PtrToIntOp "cute.ptrtoint",
    Derefine cute_op_DerefineOp "cute.derefine",
    MemRefAlloca cute_op_MemRefAllocaOp "cute.memref.alloca",
    MemRefAllocSmem cute_op_MemRefAllocSmemOp "cute.memref.alloc_smem",
    MemRefLoad cute_op_MemRefLoadOp "cute.memref.load",
    MemRefStore cute_op_MemRefStoreOp "cute.memref.store",
    MemRefLoadVec cute_op_MemRefLoadVecOp "cute.memref.load_vec",
    MemRefStoreVec cute_op_MemRefStoreVecOp "cute.memref.store_vec",
    MakeAtom cute_op_MakeAtomOp "cute.make_atom",
    MakeTiledCopy cute_op_MakeTiledCopyOp "cute.make_tiled_copy",
    MakeTiledCopyA cute_op_MakeTiledCopyAOp "cute.make_tiled_copy_A",
    MakeTiledCopyB cute_op_MakeTiledCopyBOp "cute.make_tiled_copy_B",
    MakeTiledCopyC cute_op_MakeTiledCopyCOp "cute.make_tiled_copy_C",
    MakeTiledCopyCAtom cute_op_MakeTiledCopyCAtomOp "cute.make_tiled_copy_C_atom",
    MakeTiledCopyS cute_op_MakeTiledCopySOp "cute.make_tiled_copy_S",
    MakeTiledCopyD cute_op_MakeTiledCopyDOp "cute.make_tiled_copy_D",
    PartitionS cute_op_TiledCopyPartitionSOp "cute.tiled.copy.partition_S",
    PartitionD cute_op_TiledCopyPartitionDOp "cute.tiled.copy.partition_D",
    MakeTiledMma cute_op_MakeTiledMmaOp "cute.make_tiled_mma",
    TiledMmaPartition cute_op_TiledMmaPartitionOp "cute.tiled.mma.partition",
    TiledMmaPartitionShape cute_op_TiledMmaPartitionShapeOp "cute.tiled.mma.partition_shape",
    Retile cute_op_TiledCopyRetileOp "cute.tiled.copy.retile",
    MmaMakeFragment cute_op_MmaMakeFragmentOp "cute.mma.make_fragment",
    MakeFragmentLike cute_op_MakeFragmentLikeOp "cute.make_fragment_like",
    Gemm cute_op_GemmOp "cute.gemm",
    MmaAtomCall cute_op_MmaAtomCallOp "cute.mma_atom_call",
    Copy cute_op_CopyOp "cute.copy",
    CopyAtomCall cute_op_CopyAtomCallOp "cute.copy_atom_call",
    Prefetch cute_op_PrefetchOp "cute.prefetch",
    PrefetchAtomCall cute_op_PrefetchAtomCallOp "cute.prefetch_atom_call",
    Print cute_op_PrintOp "cute.print",
    AtomSetValue cute_op_AtomSetValueOp "cute_nvgpu.atom.set_value",
    AtomGetValue cute_op_AtomGetValueOp "cute_nvgpu.atom.get_value",
    PlacementApply cute_op_PlacementApplyOp "cute.placement.apply",
    PlacementConvert cute_op_PlacementConvertOp "cute.placement.convert",
    GetDynSmem cute_op_GetDynSmemOp "cute_nvgpu.arch.get_dyn_smem",
}

impl OpKind {
    /// Whether the op makes a tiled copy of an MMA or of another copy.
    pub fn derives_copy(self) -> bool {
        use OpKind as K;
        matches!(
            self,
            K::MakeTiledCopyA
                | K::MakeTiledCopyB
                | K::MakeTiledCopyC
                | K::MakeTiledCopyCAtom
                | K::MakeTiledCopyS
                | K::MakeTiledCopyD
        )
    }

    /// Whether the op lays the atom that is its first operand over threads. The atom's run-time state goes with it.
    pub fn tiles_atom(self) -> bool {
        matches!(self, Self::MakeTiledCopy | Self::MakeTiledMma) || self.derives_copy()
    }
}
