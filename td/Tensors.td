// Tensors: iterators, views and memory.

#ifndef CUTE_TENSORS
#define CUTE_TENSORS

include "Types.td"

def MakeViewOp : Cute_Op<"make_view", [Pure]> {
  let summary = "iterator and layout as a view; the layout may be left out where it is static";
  let arguments = (ins AnyIterator:$iter, Optional<AnyLayout>:$layout, UnitAttr:$auto_layout, OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Viewed:$result);
  let assemblyFormat = [{
    `(` $iter (`,` $layout^)? `)` (`layout` `=` `auto` $auto_layout^)? attr-dict `:` custom<PartsOfView>(ref($layout), type($iter), type($layout), type($result))
  }];
  let description = [{Only the result type is written; the types of iterator and layout are its parts. `placement` records where the elements lie along named
    axes. `layout = auto` is for a tile in a buffer of shared memory: the layout of the result is a placeholder, which the pass
    `cute-assign-layouts` [replaces](auto.md) by one that takes no more bytes.}];
  let example = [{
    %gA = cute.make_view(%ptr, %layout) : !cute.memref<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
    %sA = cute.make_view(%buffer) layout = auto : !cute.memref<f16, smem, align<128>, "(128,64):(64,1)">
  }];
  let rules = [
    Rule<"layout-left-out-static", "a layout that is left out is static", "the layout (?,8):(8,1) is dynamic: it must be given as an operand",
         "pass the layout as the second operand">,
    Rule<"iterator-over-coordinates-descriptors-plain-layout", "an iterator over coordinates or descriptors has a plain layout", "operand #0 must be a ptr, or an arith_tuple_iter or smem_desc with a plain layout, found ..",
         "take the outer layout of a composed one">,
    Rule<"placement-counts-along-axes-memory", "a placement counts along axes of the memory", "the placement .. has the axis TCol; rmem is counted along m",
         "count elements of registers, shared and global memory along `m`, those of tensor memory along `TLane` and `TCol`">,
    Rule<"layout-auto-tile-shared-memory", "`layout = auto` is for a tile of shared memory", "layout = auto is for a tile of shared memory, found gmem",
         "write the layout of other memory">,
    Rule<"layout-auto-result-only-layout-no", "with `layout = auto`, the result has the only layout, and no swizzle", "layout = auto takes no layout as an operand: the type of the result has a placeholder",
         "remove the operand, and the swizzle: the choice includes it">,
    Rule<"layout-auto-kernel-states-block-size", "with `layout = auto`, the kernel states its block size", "layout = auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">
  ];
}
class OfView<string m, Type result> : Cute_Pure<m> {
  let arguments = (ins Viewed:$view);
  let results = (outs result:$result);
  let assemblyFormat = "`(` $view `)` attr-dict `:` type($view)";
}
def GetIterOp : OfView<"get_iter", AnyIterator> {
  let summary = "the iterator of a view";
  let example = [{
    %ptr = cute.get_iter(%gA) : !cute.memref<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
  }];
  let rules = [
    Rule<"operand-view", "the operand is a view", "operand #0 must be a memref, coord_tensor or smem_desc_view, found !cute.layout",
         "pass a view">
  ];
}
def GetLayoutOp : OfView<"get_layout", AnyLayout> {
  let summary = "the layout of a view";
  let example = [{
    %layout = cute.get_layout(%gA) : !cute.memref<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
  }];
  let rules = [
    Rule<"operand-view", "the operand is a view", "operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.ptr",
         "pass a view">
  ];
}
// An int_tuple is the iterator of coordinates in CuTe DSL 4.3.
defvar Movable = AnyTypeOf<[Cute_Ptr, Cute_ArithTupleIter, Cute_IntTuple], "ptr, arith_tuple_iter or int_tuple">;
def AddOffsetOp : Cute_Functional<"add_offset"> {
  let summary = "the iterator advanced by an offset, which counts elements for a pointer";
  let arguments = (ins Movable:$iter, Cute_IntTuple:$offset);
  let results = (outs Movable:$result);
  let description = [{The result keeps as much of the alignment as the offset allows: a static offset or a divisor `?{div=8}` preserves it.}];
  let example = [{
    %ptr_B = cute.add_offset(%smem, %bytes_of_A)
      : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"32768">) -> !cute.ptr<i8, smem, align<1024>>
  }];
  let rules = [
    Rule<"pointer-moves-one-integer", "a pointer moves by one integer", "an offset of (1,2) elements is not one integer",
         "take `cute.crd2idx` of the coordinate first">,
    Rule<"elements-size", "the elements have a size", "!llvm.ptr has no size, so there is no address ? elements on",
         "recast the pointer to elements of a known size">,
    Rule<"coordinate-moves-one-structure", "a coordinate moves by one of its structure", "(0,0) and 4 cannot be added: a nonzero integer and a tuple have no sum",
         "write one offset per mode">
  ];
}
def RecastIterOp : Cute_Op<"recast_iter", [Pure]> {
  let summary = "the same address with another element type, or swizzle";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $iter `)` attr-dict `:` qualified(type($iter)) `to` qualified(type($result))";
  let example = [{
    %ptr_A = cute.recast_iter(%smem) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
  }];
  let rules = [
    Rule<"memory-space-stays", "the memory space stays", "the memory space changes from gmem to smem",
         "copy the elements instead">,
    Rule<"alignment-does-not-grow", "the alignment does not grow", "the address is known to be aligned to 4 bytes, but align<16> claims more",
         "align the memory where it is made, and carry the alignment in the types">
  ];
}
def MakeArithTupleIterOp : Cute_Functional<"make_arith_tuple_iter"> {
  let summary = "an iterator over coordinates, at a coordinate";
  let arguments = (ins Cute_IntTuple:$tuple);
  let results = (outs Cute_ArithTupleIter:$result);
  let example = [{
    %origin = cute.make_arith_tuple_iter(%at)
      : (!cute.int_tuple<"(0,?{div=8})">) -> !cute.arith_tuple_iter<"(0,?{div=8})">
  }];
}
def DerefArithTupleIterOp : Cute_Functional<"deref_arith_tuple_iter"> {
  let summary = "the coordinate an iterator is at";
  let arguments = (ins Cute_ArithTupleIter:$iter);
  let results = (outs Cute_IntTuple:$result);
  let example = [{
    %at = cute.deref_arith_tuple_iter(%iter)
      : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
  }];
}
def ApplySwizzleOp : Cute_Functional<"apply_swizzle"> {
  let summary = "the address that an access through a swizzled pointer goes to";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs Cute_Ptr:$result);
  let description = [{Loads and stores of a swizzled pointer apply the swizzle themselves; this op is for code that computes addresses.}];
  let example = [{
    %address = cute.apply_swizzle(%ptr)
      : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
  }];
}
def IntToPtrOp : Cute_Op<"inttoptr", [Pure]>, Emits {
  let summary = "an address as a pointer";
  let arguments = (ins AnyTypeOf<[I32, I64, Cute_AssumedI32, Cute_AssumedI64], "i32 or i64">:$address);
  let results = (outs Cute_Ptr:$result);
  let assemblyFormat = "`(` $address `)` attr-dict `:` type($address) `to` qualified(type($result))";
  let description = [{The program promises that the address has the alignment of the result type.}];
  let example = [{
    %ptr = cute.inttoptr(%address) : i64 to !cute.ptr<f32, gmem, align<16>>
  }];
  let rules = [
    Rule<"integer-holds-address-space", "the integer holds an address of the space", "i32 cannot hold an address in gmem; use i64",
         "use an `i64`; 32 bits are enough for `smem` and `tmem`">
  ];
}
def PtrToIntOp : Cute_Op<"ptrtoint", [Pure]>, Emits {
  let summary = "the address of a pointer; an i32 holds only addresses of shared or tensor memory";
  let arguments = (ins Cute_Ptr:$iter);
  let results = (outs AnyTypeOf<[I32, I64], "i32 or i64">:$result);
  let assemblyFormat = "`(` $iter `)` attr-dict `:` qualified(type($iter)) `to` type($result)";
  let example = [{
    %address = cute.ptrtoint(%ptr) : !cute.ptr<f16, smem> to i32
  }];
  let rules = [
    Rule<"integer-holds-address-space", "the integer holds an address of the space", "i32 cannot hold an address in gmem; use i64",
         "use an `i64`; 32 bits are enough for `smem` and `tmem`">
  ];
}
def DerefineOp : Cute_Op<"derefine", [Pure]>, CarriesState {
  let summary = "the same value with fewer facts in its type";
  let arguments = (ins AnyType:$input);
  let results = (outs AnyType:$result);
  let assemblyFormat = "`(` $input `)` attr-dict `:` type($input) `to` type($result)";
  let description = [{Branches that yield values of different types meet in a weaker type: smaller divisors, smaller alignment.}];
  let example = [{
    %any = cute.derefine(%ptr) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<f32, gmem>
  }];
}

def MemRefAllocaOp : Cute_Op<"memref.alloca", [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let summary = "a register fragment of the thread, or memory of the block";
  let arguments = (ins Optional<AnyLayout>:$layout, OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Cute_MemRef:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` ($layout^)? `)` attr-dict `:` custom<LayoutOfView>(ref($layout), type($layout), type($result))";
  let description = [{LLVM keeps the elements in registers if every index is static after unrolling.

    In `smem`, a kernel of CuTe DSL 4.5 or later allocates a part of its dynamic shared memory. The attribute `smem.partition_id` (1
    without it) orders the parts, with those of equal number in the order of the ops, and each at its alignment.
    `cute.kernel_smem_size` is what a launch has to provide. `smem.struct_fields` describes a part, and has no effect.}];
  let example = [{
    %rA = cute.memref.alloca() : !cute.memref<f16, rmem, align<16>, "(8,4):(1,8)">
  }];
  let rules = [
    Rule<"result-lies-rmem-smem", "the result lies in `rmem` or `smem`", "the result lies in gmem, but this op allocates rmem or smem",
         "pass global memory to the kernel">,
    Rule<"shared-memory-allocated-kernel", "shared memory is allocated by a kernel", "allocates dynamic shared memory, which only a kernel has",
         "allocate it in the kernel, and pass it to the function">,
    Rule<"kernel-either-allocates-takes-base-itself", "a kernel either allocates or takes the base itself", "allocates dynamic shared memory, and 'cute_nvgpu.arch.get_dyn_smem' takes its base: the two would overlap",
         "use one of them">,
    Rule<"smem-partition-id-number", "`smem.partition_id` is a number", "'smem.partition_id' must be an integer from 0 on, found ..",
         "number the partitions from 0">,
    Rule<"elements-whole-bytes", "elements have whole bytes, or divide one", "the element type neither has whole bytes nor divides one",
         "store elements of 3 or 6 bits in bytes">,
    Rule<"layout-static", "the layout is static", "the layout ?:1 is dynamic, but an allocation must have a static one",
         "allocate the largest tile, and use a part of it">
  ];
}
def KernelSmemSizeOp : Cute_Op<"kernel_smem_size", [Pure]>, Emits {
  let summary = "the bytes of dynamic shared memory that the allocations of a kernel need";
  let arguments = (ins SymbolRefAttr:$kernel_name);
  let results = (outs AnyTypeOf<[I32, I64], "i32 or i64">:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "$kernel_name attr-dict `:` type($result)";
  let description = [{A host function passes the size to the kernel's launch. It covers the `cute.memref.alloca` of the kernel in `smem`, and
    becomes a constant.}];
  let example = [{
    %bytes = cute.kernel_smem_size @kernels::@scale : i64
  }];
  let rules = [
    Rule<"symbol-kernel", "the symbol is a kernel", "names @kernels::@scale, which is not a kernel of this module",
         "name a `cuda.kernel`">
  ];
}
def SmemPartitionSizeOp : Cute_Op<"smem_partition_size", [Pure]>, Emits {
  let summary = "the bytes that the kernel around the op allocates in a partition of its dynamic shared memory";
  let arguments = (ins I32Attr:$partition_id, OptionalAttr<AnyAttr>:$cumulative);
  let results = (outs AnyTypeOf<[I32, I64], "i32 or i64">:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = "`(` `)` attr-dict `:` type($result)";
  let description = [{`cumulative`, if it is not `false`, adds the partitions before it.}];
  let example = [{
    %bytes = cute.smem_partition_size() {partition_id = 1 : i32, cumulative} : i32
  }];
  let rules = [
    Rule<"op-kernel", "the op is in a kernel", "is not in a kernel, which alone has dynamic shared memory",
         "compute the size in the kernel">
  ];
}
def MemRefAllocSmemOp : Cute_Op<"memref.alloc_smem", [MemoryEffects<[MemAlloc]>]>, MakesMemory {
  let summary = "static shared memory of the block";
  let arguments = (ins Optional<AnyLayout>:$layout, UnitAttr:$auto_swizzle, UnitAttr:$auto_layout,
    OptionalAttr<Cute_PlacementAttr>:$placement);
  let results = (outs Cute_MemRef:$result);
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
  let assemblyFormat = [{
    `(` ($layout^)? `)` (`swizzle` `=` `auto` $auto_swizzle^)? (`layout` `=` `auto` $auto_layout^)? attr-dict `:`
    custom<LayoutOfView>(ref($layout), type($layout), type($result))
  }];
  let description = [{`layout = auto` leaves the layout to the pass `cute-assign-layouts`, and `swizzle = auto` only the swizzle of the pointer. The result type
    then is a placeholder, with which the module verifies. The pass computes the addresses of all threads in all accesses to the tile, takes [what costs
    least](auto.md), and infers the types that follow.}];
  let example = [{
    %sA = cute.memref.alloc_smem() layout = auto : !cute.memref<f16, smem, align<128>, "(128,64):(64,1)">
    %sB = cute.memref.alloc_smem() swizzle = auto : !cute.memref<f16, smem, align<128>, "(128,64):(64,1)">
  }];
  let rules = [
    Rule<"result-lies-smem", "the result lies in `smem`", "the result lies in rmem, but this op allocates smem",
         "use `cute.memref.alloca` for registers">,
    Rule<"swizzle-auto-layout-auto-tile-without", "`swizzle = auto` and `layout = auto` are for a tile without a swizzle", "swizzle = auto requires a tile without a swizzle, but the result has S<3,4,3>",
         "remove one of the two">,
    Rule<"one-thing-open", "one thing is open", "swizzle = auto and layout = auto exclude each other: the choice of a layout includes its swizzle",
         "write `layout = auto` alone, or `swizzle = auto` if strides and types of views must stay">,
    Rule<"layout-auto-result-type-only-layout", "with `layout = auto`, the result type has the only layout", "layout = auto takes no layout as an operand: the type of the result has a placeholder",
         "remove the operand">,
    Rule<"swizzle-auto-layout-auto", "with `swizzle = auto` or `layout = auto`, the kernel states its block size", "swizzle = auto needs the number of threads that access the tile: give the kernel known_block_size",
         "set `known_block_size` of the `gpu.func`">,
    Rule<"layout-static", "the layout is static", "the layout ?:1 is dynamic, but an allocation must have a static one",
         "allocate the largest tile, and use a part of it">
  ];
}
def MemRefLoadOp : Cute_Op<"memref.load", [MemoryEffects<[MemRead]>, Inferred]>, Indexes {
  let summary = "the element at a coordinate";
  let arguments = (ins Cute_MemRef:$memref, Cute_Coord:$coord);
  let results = (outs AnyType:$result);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # inference # functional;
  let example = [{
    %x = cute.memref.load(%rC, %at)
      : (!cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)">, !cute.coord<"((0,1),?)">) -> f32
  }];
  let rules = [
    Rule<"coordinate-one-index-per-mode", "the coordinate has one index per mode", "the coordinate: rank 3, expected exactly 2",
         "write one index per mode; one integer alone counts all elements, first mode fastest">,
    Rule<"coordinate-no-underscore", "the coordinate has no `_`", "the coordinate (1,_) has a `_`, but only a single element is read or written",
         "use `cute.slice` for a part of the view">,
    InDomain,
    Rule<"memory-not-tensor-memory", "the memory is not tensor memory", "tensor memory is reached through its own copy atoms only",
         "copy by `cute_nvgpu.atom.tmem_load`">
  ];
}
def MemRefStoreOp : Cute_Effect<"memref.store", [MemoryEffects<[MemWrite]>]>, Indexes {
  let summary = "a new element at a coordinate";
  let arguments = (ins Cute_MemRef:$memref, Cute_Coord:$coord, AnyType:$value);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
  let example = [{
    cute.memref.store(%pred, %at, %inside) : (!cute.memref<i8, rmem, "(1,8):(0,1)">, !cute.coord<"(0,?)">, i8) -> ()
  }];
  let rules = [
    Rule<"coordinate-one-index-per-mode", "the coordinate has one index per mode", "the coordinate: rank 3, expected exactly 2",
         "write one index per mode; one integer alone counts all elements, first mode fastest">,
    Rule<"coordinate-no-underscore", "the coordinate has no `_`", "the coordinate (_,2) has a `_`, but only a single element is read or written",
         "use `cute.slice` for a part of the view">,
    Rule<"value-element-type", "the value has the element type", "f16 cannot be stored in a memref of f32",
         "convert the value, for example by `arith.extf`">
  ];
}
def MemRefLoadVecOp : Cute_Op<"memref.load_vec", [MemoryEffects<[MemRead]>, Inferred]> {
  let summary = "all elements of a static view, in the order of its coordinates";
  let arguments = (ins Cute_MemRef:$memref);
  let results = (outs AnyVectorOfAnyRank:$result);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # inference # vectorAccess;
  let example = [{
    %values = cute.memref.load_vec %rC : !cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)">
  }];
  let rules = [
    Rule<"view-static-number-elements", "the view has a static number of elements", "the view has 131072 elements, but a vector needs a static number up to 65536",
         "load parts of the view by `cute.slice`">
  ];
}
def MemRefStoreVecOp : Cute_Effect<"memref.store_vec", [
    MemoryEffects<[MemWrite]>,
    TypesMatchWith<"value is the vector of the view's elements", "memref", "value", "::cute::partOf($_self, CuteVectorPart)">]> {
  let summary = "all elements of a static view, in the order of its coordinates";
  let arguments = (ins AnyVectorOfAnyRank:$value, Cute_MemRef:$memref);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # vectorAccess;
  let description = [{The type of the vector is that of the view, and is not written.}];
  let example = [{
    cute.memref.store_vec %values, %rC : !cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)">
  }];
  let rules = [
    Rule<"vector-size-element-type-view", "the vector has the size and element type of the view", "failed to verify that value is the vector of the view's elements",
         "convert the vector, or recast the view">
  ];
}

#endif
