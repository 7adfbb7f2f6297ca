// Placements: where elements of a tile lie along lanes, warps, registers and tensor memory. Allocations and views carry
// them as the attribute `placement` (Tensors.td). Semantics: crates/cute-algebra/src/placement.

#ifndef CUTE_PLACEMENTS
#define CUTE_PLACEMENTS

include "Types.td"

def PlacementApplyOp : Cute_Functional<"placement.apply">, Own {
  let summary = "the position of the element at a coordinate of a shape: one integer per axis, in the order of the axis names";
  let arguments = (ins Cute_Coord:$coord, Cute_Shape:$shape, Cute_PlacementAttr:$placement, OptionalAttr<I64Attr>:$copy);
  let results = (outs Cute_IntTuple:$result);
  let description = [{The result has one integer per axis, the axes in the order of their names. For elements with copies, `copy` chooses one; the first is the
    default.}];
  let example = [{
    %at = cute.placement.apply(%coord, %shape) {placement = #cute.placement<"S[(8, 16) : (4@laneid, 1@m)]">}
      : (!cute.coord<"(1,3)">, !cute.shape<"(8,16)">) -> !cute.int_tuple<"(4,3)">
  }];
  let rules = [
    Rule<"coordinate-lies-shape", "the coordinate lies in the shape", "coordinate 0 is 8",
         "correct the coordinate">
  ];
}
def PlacementConvertOp : Cute_Effect<"placement.convert", [MemoryEffects<[MemRead, MemWrite]>]>, Own {
  let summary = "the elements of a fragment in another placement, moved between registers of a warp or block";
  let arguments = (ins Cute_MemRef:$src, Cute_MemRef:$dst, OptionalAttr<Cute_PlacementAttr>:$from,
                       OptionalAttr<Cute_PlacementAttr>:$to);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let description = [{The placements are those that the views carry, or `from` and `to`. All threads of the block take part. The lowering chooses the cheapest
    way, and reports it in a remark: moves within a thread, shuffles within a warp, or shared memory.}];
  let example = [{
    cute.placement.convert(%src, %dst) {from = #cute.placement<"S[(8, 4, 4) : (4@laneid, 1@laneid, 1@m)]">, to = #cute.placement<"S[(4, 8, 4) : (8@laneid, 1@laneid, 1@m)]">}
      : (!cute.memref<f32, rmem, "4:1">, !cute.memref<f32, rmem, "4:1">) -> ()
  }];
  let rules = [
    Rule<"both-views-registers", "both views are registers", "the source lies in smem; use cute.copy to convert placements of registers",
         "use `cute.copy`">,
    Rule<"both-hold-same-elements", "both hold the same elements", "the source holds f32, but the destination holds f16",
         "convert the values before or after">,
    Rule<"each-end-placement", "each end has a placement", "the source carries no placement: give the op that makes it the attribute placement, or this one from",
         "state `from` and `to`">
  ];
}

#endif
