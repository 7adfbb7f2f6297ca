// Atoms and what is built of them.

#ifndef CUTE_ATOMS
#define CUTE_ATOMS

include "Types.td"

def MakeAtomOp : Cute_Op<"make_atom", [Pure]> {
  let summary = "an atom; the operands are its run-time state";
  let arguments = (ins Variadic<AnyType>:$state);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $state `)` attr-dict `:` functional-type(operands, results)";
}
def MakeTiledCopyOp : Cute_Op<"make_tiled_copy", [
    Pure, TypesMatchWith<"atom is the one of the tiled copy", "result", "atom", "::cute::partOf($_self, CuteAtomPart)">]> {
  let summary = "a copy atom laid over threads and values, as the result type says";
  let arguments = (ins AnyType:$atom);
  let results = (outs Cute_TiledCopy:$result);
  let assemblyFormat = "`(` $atom `)` attr-dict `:` qualified(type($result))";
}

class Partition<string m> : Cute_Pure<m> {
  let arguments = (ins Cute_TiledCopy:$tiled_copy, AnyView:$view, Cute_Coord:$thread);
  let results = (outs AnyView:$result);
  let assemblyFormat = "`(` $tiled_copy `,` $view `,` $thread `)` attr-dict `:` functional-type(operands, results)";
}
def TiledCopyPartitionSOp : Partition<"tiled.copy.partition_S"> {
  let summary = "what a thread reads: (V, rest..)";
}
def TiledCopyPartitionDOp : Partition<"tiled.copy.partition_D"> {
  let summary = "what a thread writes: (V, rest..)";
}

class CopyLike<string m> : Cute_Effect<m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins AnyType:$atom, AnyView:$src, Cute_MemRef:$dst, Optional<AnyType>:$pred);
  let assemblyFormat = "`(` $atom `,` $src `,` $dst (`,` $pred^)? `)` attr-dict `:` `(` type(operands) `)`";
}
def CopyOp : CopyLike<"copy"> {
  let summary = "the atom over all rest modes; `pred` says which of its calls happen";
}
def CopyAtomCallOp : CopyLike<"copy_atom_call"> {
  let summary = "one call of an atom on views (V)";
}

#endif
