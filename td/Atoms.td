// Atoms and what is built of them.

#ifndef CUTE_ATOMS
#define CUTE_ATOMS

include "Types.td"

def MakeAtomOp : Cute_Op<"make_atom", [Pure]>, CarriesState {
  let summary = "an atom; the operands are its run-time state";
  let arguments = (ins Variadic<AnyType>:$state);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $state `)` attr-dict `:` functional-type(operands, results)";
}
def MakeTiledCopyOp : Cute_Op<"make_tiled_copy", [
    Pure, TypesMatchWith<"atom is the one of the tiled copy", "result", "atom", "::cute::partOf($_self, CuteAtomPart)">]>, TilesAtom {
  let summary = "a copy atom laid over threads and values, as the result type says";
  let arguments = (ins AnyType:$atom);
  let results = (outs Cute_TiledCopy:$result);
  let assemblyFormat = "`(` $atom `)` attr-dict `:` qualified(type($result))";
}
def MakeTiledMmaOp : Cute_Op<"make_tiled_mma", [
    Pure, TypesMatchWith<"atom is the one of the tiled MMA", "result", "atom", "::cute::partOf($_self, CuteAtomPart)">]>, TilesAtom {
  let summary = "an MMA atom laid over threads, as the result type says";
  let arguments = (ins AnyType:$atom);
  let results = (outs Cute_TiledMma:$result);
  let assemblyFormat = "`(` $atom `)` attr-dict `:` qualified(type($result))";
}

// A tiled copy whose layout is that of an MMA's operand, or of a side of another copy.
class CopyLikeOf<string m, TypeConstraint t> : Cute_Functional<m>, DerivesCopy {
  let arguments = (ins AnyType:$atom, t:$like);
  let results = (outs Cute_TiledCopy:$result);
}
def MakeTiledCopyAOp : CopyLikeOf<"make_tiled_copy_A", Cute_TiledMma> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has A";
}
def MakeTiledCopyBOp : CopyLikeOf<"make_tiled_copy_B", Cute_TiledMma> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has B";
}
def MakeTiledCopyCOp : CopyLikeOf<"make_tiled_copy_C", Cute_TiledMma> {
  let summary = "a copy atom laid over threads and values as a tiled MMA has C";
}
def MakeTiledCopyCAtomOp : CopyLikeOf<"make_tiled_copy_C_atom", Cute_TiledMma> {
  let summary = "the smallest copy of C with the first values of each thread, as many as the atom takes";
}
def MakeTiledCopySOp : CopyLikeOf<"make_tiled_copy_S", Cute_TiledCopy> {
  let summary = "another copy atom on the thread-value layout of the source of a tiled copy";
}
def MakeTiledCopyDOp : CopyLikeOf<"make_tiled_copy_D", Cute_TiledCopy> {
  let summary = "another copy atom on the thread-value layout of the destination of a tiled copy";
}

class Partition<string m> : Cute_Functional<m> {
  let arguments = (ins Cute_TiledCopy:$tiled_copy, AnyView:$view, Cute_Coord:$thread);
  let results = (outs AnyView:$result);
}
def TiledCopyPartitionSOp : Partition<"tiled.copy.partition_S"> {
  let summary = "what a thread reads: (V, rest..)";
}
def TiledCopyPartitionDOp : Partition<"tiled.copy.partition_D"> {
  let summary = "what a thread writes: (V, rest..)";
}
def TiledCopyRetileOp : Cute_Functional<"tiled.copy.retile"> {
  let summary = "a fragment of another tiling in the order in which the copy takes its values";
  let arguments = (ins Cute_TiledCopy:$tiled_copy, AnyView:$fragment);
  let results = (outs AnyView:$result);
}

// A matrix of an MMA is written A, B or C.
defvar MatrixName = "custom<MatrixName>($operand_id)";
def TiledMmaPartitionOp : Cute_Pure<"tiled.mma.partition"> {
  let summary = "what a thread has of a matrix: (V, rest..)";
  let arguments = (ins Cute_TiledMma:$tiled_mma, AnyView:$view, Cute_Coord:$thread, I32Attr:$operand_id);
  let results = (outs AnyView:$result);
  let assemblyFormat = MatrixName # [{
    `(` $tiled_mma `,` $view `,` $thread `)` attr-dict `:`
    custom<OperandTypes>(type($tiled_mma), type($view), type($thread)) custom<ResultTypes>(type($result))
  }];
}
def TiledMmaPartitionShapeOp : Cute_Pure<"tiled.mma.partition_shape"> {
  let summary = "the shape of what a thread has of a matrix of some shape";
  let arguments = (ins Cute_TiledMma:$tiled_mma, Cute_Shape:$shape, I32Attr:$operand_id);
  let results = (outs Cute_Shape:$result);
  let assemblyFormat = MatrixName # [{
    `(` $tiled_mma `,` $shape `)` attr-dict `:` custom<OperandTypes>(type($tiled_mma), type($shape)) custom<ResultTypes>(type($result))
  }];
}

class MakesFragment<string m> : Cute_Op<m, [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
}
// What an MMA multiplies.
defvar Factor = AnyTypeOf<[Cute_MemRef, DescView], "memref or smem_desc_view">;
def MmaMakeFragmentOp : MakesFragment<"mma.make_fragment"> {
  let summary = "what an MMA takes of a partition or its shape: registers, descriptors of shared memory, or tensor memory";
  let arguments = (ins AnyType:$tiled_mma, AnyTypeOf<[Cute_MemRef, Cute_CoordTensor, Cute_Shape], "memref, coord_tensor or shape">:$like, I32Attr:$operand_id);
  let results = (outs Factor:$result);
  let assemblyFormat = MatrixName # "`(` $tiled_mma `,` $like `)` attr-dict `:` functional-type(operands, results)";
}
def MakeFragmentLikeOp : MakesFragment<"make_fragment_like"> {
  let summary = "registers for the elements of a view, in the order of its strides; of a layout, their layout";
  let arguments = (ins AnyTypeOf<[Cute_Layout, Cute_ComposedLayout, Cute_MemRef], "layout, composed layout or memref">:$like);
  let results = (outs AnyTypeOf<[Cute_Layout, Cute_MemRef], "layout or memref">:$result);
  let assemblyFormat = "`(` $like `)` attr-dict `:` functional-type(operands, results)";
}

class CopyLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, Viewed:$src, AnyView:$dst, Optional<AnyType>:$pred);
}
def CopyOp : CopyLike<"copy"> {
  let assemblyFormat = "`(` $atom `,` $src `,` $dst (`,` $pred^)? `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "the atom over all rest modes; `pred` says which of its calls happen";
}
def CopyAtomCallOp : CopyLike<"copy_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "one call of an atom on views (V)";
}

class PrefetchLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, AnyView:$src);
}
def PrefetchOp : PrefetchLike<"prefetch"> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "what the atom would read, brought to L2: the atom over all rest modes";
}
def PrefetchAtomCallOp : PrefetchLike<"prefetch_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "what one call of the atom would read, brought to L2";
}

class GemmLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, Cute_MemRef:$d, Factor:$a, Factor:$b, Cute_MemRef:$c);
}
def GemmOp : GemmLike<"gemm"> {
  let assemblyFormat = "`(` operands `)` attr-dict `:` `(` type(operands) `)`";
  let summary = "D = A B + C: the atom over all rest modes, (V,M,K) (V,N,K) -> (V,M,N) and the forms with fewer modes";
}
def MmaAtomCallOp : GemmLike<"mma_atom_call"> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let summary = "one call of an atom on fragments (V)";
}

#endif
