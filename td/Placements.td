// Placements: where elements of a tile lie along lanes, warps, registers and tensor memory. Allocations and views carry
// them as the attribute `placement` (Tensors.td). Semantics: crates/cute-algebra/src/placement.

#ifndef CUTE_PLACEMENTS
#define CUTE_PLACEMENTS

include "Types.td"

def PlacementApplyOp : Cute_Functional<"placement.apply"> {
  let summary = "where the element at a coordinate of a shape lies: one integer an axis, axes by name";
  let description = [{Of elements with copies, the one of number `copy`, the first by default.}];
  let arguments = (ins Cute_Coord:$coord, Cute_Shape:$shape, Cute_PlacementAttr:$placement, OptionalAttr<I64Attr>:$copy);
  let results = (outs Cute_IntTuple:$result);
}
def PlacementConvertOp : Cute_Effect<"placement.convert", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the elements of a fragment in another placement, moved between registers of a warp or block";
  let description = [{The placements are those that the views carry, or `from` and `to`. All threads of the block take
    part; lowering chooses the cheapest way and says so in a remark.}];
  let arguments = (ins Cute_MemRef:$src, Cute_MemRef:$dst, OptionalAttr<Cute_PlacementAttr>:$from,
                       OptionalAttr<Cute_PlacementAttr>:$to);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
}

#endif
