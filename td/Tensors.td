// Tensors: iterators, views and memory.

#ifndef CUTE_TENSORS
#define CUTE_TENSORS

include "Types.td"

def MakeViewOp : Cute_Op<"make_view", [Pure]> {
  let summary = "iterator and layout as a view; the layout may be left out where it is static";
  let arguments = (ins AnyIterator:$iter, Optional<AnyLayout>:$layout, OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Viewed:$result);
  let assemblyFormat = [{
    `(` $iter (`,` $layout^)? `)` attr-dict `:` custom<PartsOfView>(ref($layout), type($iter), type($layout), type($result))
  }];
}
class OfView<string m, Type result> : Cute_Pure<m> {
  let arguments = (ins Viewed:$view);
  let results = (outs result:$result);
  let assemblyFormat = "`(` $view `)` attr-dict `:` type($view)";
}
def GetIterOp : OfView<"get_iter", AnyIterator> {
  let summary = "the iterator of a view";
}
def GetLayoutOp : OfView<"get_layout", AnyLayout> {
  let summary = "the layout of a view";
}
// An int_tuple is the iterator of coordinates in CuTe DSL 4.3.
defvar Movable = AnyTypeOf<[Cute_Ptr, Cute_ArithTupleIter, Cute_IntTuple], "ptr, arith_tuple_iter or int_tuple">;
def AddOffsetOp : Cute_Functional<"add_offset"> {
  let summary = "the iterator advanced, a pointer by elements";
  let arguments = (ins Movable:$iter, Cute_IntTuple:$offset);
  let results = (outs Movable:$result);
}
def RecastIterOp : Cute_Op<"recast_iter", [Pure]> {
  let summary = "the same address with another element type, or swizzle";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $iter `)` attr-dict `:` qualified(type($iter)) `to` qualified(type($result))";
}
def MakeArithTupleIterOp : Cute_Functional<"make_arith_tuple_iter"> {
  let summary = "an iterator over coordinates, at a coordinate";
  let arguments = (ins Cute_IntTuple:$tuple);
  let results = (outs Cute_ArithTupleIter:$result);
}
def DerefArithTupleIterOp : Cute_Functional<"deref_arith_tuple_iter"> {
  let summary = "the coordinate an iterator is at";
  let arguments = (ins Cute_ArithTupleIter:$iter);
  let results = (outs Cute_IntTuple:$result);
}
def ApplySwizzleOp : Cute_Functional<"apply_swizzle"> {
  let summary = "the address that an access through a swizzled pointer goes to";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs Cute_Ptr:$result);
}
def IntToPtrOp : Cute_Op<"inttoptr", [Pure]>, Emits {
  let summary = "an address as a pointer";
  let arguments = (ins AnyTypeOf<[I32, I64, Cute_AssumedI32, Cute_AssumedI64], "i32 or i64">:$address);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $address `)` attr-dict `:` type($address) `to` qualified(type($result))";
}
def PtrToIntOp : Cute_Op<"ptrtoint", [Pure]>, Emits {
  let summary = "the address of a pointer; 32 bits hold one of shared or tensor memory";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs AnyTypeOf<[I32, I64], "i32 or i64">:$result);
  let assemblyFormat = "`(` $iter `)` attr-dict `:` qualified(type($iter)) `to` type($result)";
}
def DerefineOp : Cute_Op<"derefine", [Pure]>, CarriesState {
  let summary = "the same value with fewer facts in its type";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $input `)` attr-dict `:` type($input) `to` type($result)";
}

def MemRefAllocaOp : Cute_Op<"memref.alloca", [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let summary = "a register fragment of the thread";
  let arguments = (ins Optional<AnyLayout>:$layout, OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Cute_MemRef:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` ($layout^)? `)` attr-dict `:` custom<LayoutOfView>(ref($layout), type($layout), type($result))";
}
def MemRefAllocSmemOp : Cute_Op<"memref.alloc_smem", [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let summary = "static shared memory of the block";
  let description = [{`swizzle = auto` leaves it to `cute-choose-swizzle` to find the swizzle of the pointer behind which its
    accesses have no bank conflicts.}];
  let arguments = (ins Optional<AnyLayout>:$layout, UnitAttr:$auto_swizzle, OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Cute_MemRef:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = [{
    `(` ($layout^)? `)` (`swizzle` `=` `auto` $auto_swizzle^)? attr-dict `:`
    custom<LayoutOfView>(ref($layout), type($layout), type($result))
  }];
}
def MemRefLoadOp : Cute_Op<"memref.load", [MemoryEffects<[MemRead]>, Inferred]>, Indexes {
  let summary = "the element at a coordinate";
  let arguments = (ins Cute_MemRef:$memref, Cute_Coord:$coord);
  let results = (outs AnyType:$result);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # inference # functional;
}
def MemRefStoreOp : Cute_Effect<"memref.store", [MemoryEffects<[MemWrite]>]>, Indexes {
  let summary = "a new element at a coordinate";
  let arguments = (ins Cute_MemRef:$memref, Cute_Coord:$coord, AnyType:$value);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
}
def MemRefLoadVecOp : Cute_Op<"memref.load_vec", [MemoryEffects<[MemRead]>, Inferred]> {
  let summary = "all elements of a static view, in the order of its coordinates";
  let arguments = (ins Cute_MemRef:$memref);
  let results = (outs AnyVectorOfAnyRank:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines # inference;
  let assemblyFormat = "$memref attr-dict `:` qualified(type($memref))";
}
def MemRefStoreVecOp : Cute_Effect<"memref.store_vec", [
    MemoryEffects<[MemWrite]>,
    TypesMatchWith<"value is the vector of the view's elements", "memref", "value", "::cute::partOf($_self, CuteVectorPart)">]> {
  let summary = "all elements of a static view, in the order of its coordinates";
  let arguments = (ins AnyVectorOfAnyRank:$value, Cute_MemRef:$memref);
  let assemblyFormat = "$value `,` $memref attr-dict `:` qualified(type($memref))";
}

#endif
