//! Scale factors of block-scaled MMAs: in global memory, in the memory of a tile, and in registers.

use cute_algebra::{AnyLayout, Layout, MmaOperand, TiledMma};
use cute_arch::{
    atoms::{Major, MmaAtom, MmaUnit},
    block_scaled::{
        NoScales, SfBlock, SfVec, make_smem_layout_sfa, make_smem_layout_sfb, make_tmem_layout_sfa,
        make_tmem_layout_sfb, sf_atom, sm120_make_smem_layout_sfa, sm120_make_smem_layout_sfb,
        tile_atom_to_shape_sf, tile_atom_to_shape_sfa, tile_atom_to_shape_sfb, tile_atom_to_shape_sfd,
    },
};

use super::{Args, Function};
use crate::{error::Result, leaf::Leaf, value::Value};

/// The result, or its error at the column of the call.
fn at<T>(a: &Args, result: std::result::Result<T, NoScales>) -> Result<T> {
    a.at(result.map_err(Into::into))
}

fn layout(layout: Layout<Leaf>) -> Value {
    Value::Layout(AnyLayout::Plain(layout))
}

fn constant(own: Layout<i64>) -> Value {
    layout(own.map(|n| Leaf::fixed(*n)))
}

fn vector(a: &Args, i: usize) -> Result<SfVec> {
    at(a, SfVec::new(a.number(i)?))
}

fn atom(a: &Args, block: SfBlock, major: Major) -> Result<Value> {
    Ok(layout(at(a, sf_atom(block, vector(a, 0)?, major))?))
}

/// The layout that `make` computes of a shape and a vector.
fn shaped(
    a: &Args,
    make: impl FnOnce(&cute_algebra::Tuple<Leaf>, SfVec) -> std::result::Result<Layout<Leaf>, NoScales>,
) -> Result<Value> {
    Ok(layout(at(a, make(&a.tuple(0)?, vector(a, 1)?))?))
}

/// The atom, and the tile (M,N,K).
fn tile(a: &Args) -> Result<(&'static MmaAtom, [i64; 3])> {
    let (atom, arg) = (a.get(0)?.mma_atom()?, a.get(1)?);
    let extents =
        arg.tuple()?.to_const().filter(|tile| !tile.is_leaf() && tile.rank() == tile.leaves().len());
    let extents = extents.and_then(|tile| <[i64; 3]>::try_from(tile.leaves().to_vec()).ok());
    Ok((atom, extents.ok_or_else(|| arg.not("a tile (M,N,K) of static integers"))?))
}

fn in_shared_memory(a: &Args, of_a: bool) -> Result<Layout<i64>> {
    let (atom, tile) = tile(a)?;
    let make = match (atom.instruction.unit, of_a) {
        (MmaUnit::MmaSync, true) => sm120_make_smem_layout_sfa,
        (MmaUnit::MmaSync, false) => sm120_make_smem_layout_sfb,
        (_, true) => make_smem_layout_sfa,
        (_, false) => make_smem_layout_sfb,
    };
    at(a, make(atom, tile))
}

fn in_tensor_memory(a: &Args, of_a: bool) -> Result<Layout<i64>> {
    let (atom, tile) = tile(a)?;
    at(
        a,
        match of_a {
            true => make_smem_layout_sfa(atom, tile).and_then(|smem| make_tmem_layout_sfa(&smem)),
            false => make_smem_layout_sfb(atom, tile).and_then(|smem| make_tmem_layout_sfb(atom, &smem)),
        },
    )
}

/// The tiling of the scale factors of a tiled MMA, which they have the place of A and B in.
fn of_registers(a: &Args) -> Result<TiledMma> {
    let arg = a.get(0)?;
    let scales = match &arg.value {
        Value::Tiling(tiling) => tiling.scales(),
        _ => None,
    };
    a.at(scales.ok_or_else(|| arg.not("a tiled MMA with scale factors in registers"))?)
}

fn layout_tv(a: &Args, operand: MmaOperand) -> Result<Value> {
    Ok(constant(a.at(of_registers(a)?.layout_tv(operand))?))
}

fn thrfrg(a: &Args, operand: MmaOperand) -> Result<Value> {
    Ok(Value::Layout(a.at(of_registers(a)?.thrfrg(operand, &a.layout(1)?))?))
}

fn partition_shape(a: &Args, operand: MmaOperand) -> Result<Value> {
    Ok(Value::Tuple(a.at(of_registers(a)?.partition_shape(operand, &a.shape(1)?))?))
}

fn partition(a: &Args, operand: MmaOperand) -> Result<Value> {
    let part = of_registers(a)?.partition(operand, &a.layout(1)?, &a.leaf(2)?);
    let (layout, offset) = a.at(part)?;
    Ok(Value::Part { offset, layout })
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "sf_atom",
        "vector: integer",
        "the block of 128 rows of four factors, over rows and K; each factor is for vector elements",
        "sf_atom(16)",
        |a| atom(a, SfBlock::Sm1xx, Major::K),
    ),
    Function::new(
        "sf_atom_mn",
        "vector: integer",
        "sf_atom over K and rows, for factors along M or N",
        "sf_atom_mn(32)",
        |a| atom(a, SfBlock::Sm1xx, Major::Mn),
    ),
    Function::new(
        "sm103_sf_atom",
        "vector: integer",
        "the block of factors for MMAs with K = 96",
        "sm103_sf_atom(16)",
        |a| atom(a, SfBlock::Sm103, Major::K),
    ),
    Function::new(
        "tile_atom_to_shape_sf",
        "shape: shape, vector: integer",
        "the factors of a matrix (rows,K) or (rows,K,L) in global memory",
        "tile_atom_to_shape_sf((256,512,2), 16)",
        |a| shaped(a, |shape, vec| tile_atom_to_shape_sf(SfBlock::Sm1xx, shape, vec)),
    )
    .aliases(&["tile_atom_to_shape_SF"]),
    Function::new(
        "tile_atom_to_shape_sfa",
        "problem: shape, vector: integer",
        "the factors of A for a problem (M,N,K) or (M,N,K,L)",
        "tile_atom_to_shape_sfa((256,128,512,2), 16)",
        |a| shaped(a, |problem, vec| tile_atom_to_shape_sfa(SfBlock::Sm1xx, problem, vec)),
    )
    .aliases(&["tile_atom_to_shape_SFA"]),
    Function::new(
        "tile_atom_to_shape_sfb",
        "problem: shape, vector: integer",
        "the factors of B for a problem (M,N,K) or (M,N,K,L)",
        "tile_atom_to_shape_sfb((256,128,512,2), 16)",
        |a| shaped(a, |problem, vec| tile_atom_to_shape_sfb(SfBlock::Sm1xx, problem, vec)),
    )
    .aliases(&["tile_atom_to_shape_SFB"]),
    Function::new(
        "tile_atom_to_shape_sfd",
        "problem: shape, vector: integer",
        "the factors along N that an epilogue makes of D for a problem (M,N,K,L)",
        "tile_atom_to_shape_sfd((256,128,512,2), 16)",
        |a| shaped(a, |problem, vec| tile_atom_to_shape_sfd(Major::K, problem, vec)),
    )
    .aliases(&["tile_atom_to_shape_SFD"]),
    Function::new(
        "make_smem_layout_sfa",
        "atom: MMA atom, tile: shape",
        "the factors of A in shared memory, in bytes, for the tile (M,N,K) of a CTA or a pair",
        "make_smem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))",
        |a| in_shared_memory(a, true).map(constant),
    ),
    Function::new(
        "make_smem_layout_sfb",
        "atom: MMA atom, tile: shape",
        "the factors of B in shared memory, in bytes, for the tile (M,N,K) of a CTA or a pair",
        "make_smem_layout_sfb(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))",
        |a| in_shared_memory(a, false).map(constant),
    ),
    Function::new(
        "make_tmem_layout_sfa",
        "atom: MMA atom, tile: shape",
        "the factors of A in tensor memory, in bytes, four per column; a lane is 262144",
        "make_tmem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))",
        |a| in_tensor_memory(a, true).map(constant),
    ),
    Function::new(
        "make_tmem_layout_sfb",
        "atom: MMA atom, tile: shape",
        "the factors of B in tensor memory, in bytes, four per column; a lane is 262144",
        "make_tmem_layout_sfb(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))",
        |a| in_tensor_memory(a, false).map(constant),
    ),
    Function::new(
        "layoutSFA_TV",
        "mma: tiled MMA",
        "(thread, element) to the index in the tile (M,K) whose factors the thread has",
        "layoutSFA_TV(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)))",
        |a| layout_tv(a, MmaOperand::A),
    )
    .aliases(&["get_layoutSFA_TV"]),
    Function::new(
        "layoutSFB_TV",
        "mma: tiled MMA",
        "(thread, element) to the index in the tile (N,K) whose factors the thread has",
        "layoutSFB_TV(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)))",
        |a| layout_tv(a, MmaOperand::B),
    )
    .aliases(&["get_layoutSFB_TV"]),
    Function::new(
        "thrfrg_SFA",
        "mma: tiled MMA, tensor: layout",
        "the factors (M,K) of A as ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,..)))",
        "thrfrg_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16))",
        |a| thrfrg(a, MmaOperand::A),
    ),
    Function::new(
        "thrfrg_SFB",
        "mma: tiled MMA, tensor: layout",
        "the factors (N,K) of B as ((ThrV,(ThrN,ThrK)),(FrgV,(RestN,RestK,..)))",
        "thrfrg_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16))",
        |a| thrfrg(a, MmaOperand::B),
    ),
    Function::new(
        "partition_SFA",
        "mma: tiled MMA, tensor: layout, thread: integer",
        "a thread's part of the factors (M,K) of A",
        "partition_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16), 5)",
        |a| partition(a, MmaOperand::A),
    ),
    Function::new(
        "partition_SFB",
        "mma: tiled MMA, tensor: layout, thread: integer",
        "a thread's part of the factors (N,K) of B",
        "partition_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), sf_atom(16), 5)",
        |a| partition(a, MmaOperand::B),
    ),
    Function::new(
        "partition_shape_SFA",
        "mma: tiled MMA, shape: shape",
        "the shape of a thread's part of the factors (M,K) of A",
        "partition_shape_SFA(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), (64,64))",
        |a| partition_shape(a, MmaOperand::A),
    ),
    Function::new(
        "partition_shape_SFB",
        "mma: tiled MMA, shape: shape",
        "the shape of a thread's part of the factors (N,K) of B",
        "partition_shape_SFB(tiled_mma(SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>, (2,2,1)), (64,64))",
        |a| partition_shape(a, MmaOperand::B),
    ),
];
