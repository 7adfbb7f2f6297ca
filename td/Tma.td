// The TMA: descriptors of tensors, and the boxes that its copies take.

#ifndef CUTE_TMA
#define CUTE_TMA

include "Types.td"

// A keyword that Rust knows by the attribute's mnemonic: `#cute_nvgpu.tiled_tma_load<sm_90>`.
class Keyword<string cls, string m> : AttrDef<CuteNvgpu_Dialect, cls>, Documented {
  let mnemonic = m;
  let summary = "#cute_nvgpu." # m;
  let parameters = (ins StringRefParameter<"the keyword">:$text);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseTextAttr<$cppClass>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { p << '<' << getText() << '>'; }
  }];
}
def CuteNvgpu_TiledTmaLoadAttr : Keyword<"TiledTmaLoad", "tiled_tma_load"> {
  let description = [{Which instruction loads boxes, and which CTAs signal its barrier.}];
  let example = [{<sm_100_2sm>}];
  let fields = [Field<"kind", "`sm_90`, `sm_90_multicast`, `sm_100_2sm` or `sm_100_2sm_multicast`">];
  let rules = [
    HasLoadKind
  ];
}
def CuteNvgpu_TmaDataFormatAttr : Keyword<"TmaDataFormat", "tma_data_format"> {
  let description = [{The name of an element type in a descriptor of the TMA. Without it, the name follows from the element type.}];
  let example = [{<TF32_RN>}];
  let fields = [
    Field<"format", "`U8`, `U16`, `U32`, `S32`, `U64`, `S64`, `F16_RN`, `F32_RN`, `F32_FTZ_RN`, `F64_RN`, `BF16_RN`, `U4`, `U4_UNPACK_U8`, `U6_UNPACK_U8`, `TF32_RN` or `TF32_FTZ_RN`">
  ];
  let rules = [
    Rule<"format-name", "the format has a name", "expected a format of elements: U8, U16, U32, ..",
         "write one of them">
  ];
}
def CuteNvgpu_TmaReduceKindAttr : Keyword<"TmaReduceKind", "tma_reduce_kind"> {
  let description = [{How boxes are reduced into memory.}];
  let example = [{<ADD>}];
  let fields = [Field<"reduction", "`ADD`, `MIN`, `MAX`, `INC`, `DEC`, `AND`, `OR` or `XOR`">];
  let rules = [
    Rule<"reduction-name", "the reduction has a name", "expected a reduction: ADD, MIN, MAX, INC, DEC, AND, OR, XOR",
         "write one of them">
  ];
}

// A descriptor of a tensor in gmem, for tiles that lie in smem as `memory` says; `values` maps the values of a tile to modes of the
// tensor. The second result has the coordinates that the TMA takes.
class MakesTmaAtom<string m> : CuteOpBase<CuteNvgpu_Dialect, m, [Pure, Inferred]>, Emits {
  dag operands = (ins Cute_MemRef:$tensor, AnyLayout:$memory, Cute_Layout:$values);
  let results = (outs AnyType:$atom, Cute_CoordTensor:$coordinates);
  let hasFolder = 0;
  let extraClassDefinition = trampolines # inference;
  string before = "`(` $tensor `,` $memory `,` $values `)` ";
  string after = [{attr-dict `:` custom<OperandTypes>(type($tensor), type($memory), type($values))
                    custom<ResultTypes>(type($atom), type($coordinates))}];
}
def MakeNonExecTiledTmaLoadOp : MakesTmaAtom<"atom.make_non_exec_tiled_tma_load"> {
  let summary = "a descriptor to load boxes of a tensor, and the tensor of its coordinates";
  let arguments = !con(operands, (ins CuteNvgpu_TiledTmaLoadAttr:$kind, I32Attr:$num_multicast,
                                      OptionalAttr<TypeAttr>:$internal_type, OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # [{`<` `{` `kind` `=` $kind `num_multicast` `=` $num_multicast
                                  (`internal_type` `=` $internal_type^)? (`tma_format` `=` $tma_format^)? `}` `>` }] # after;
  let description = [{The host makes the descriptor and passes it to the kernel. `memory` is the layout of a tile in shared memory, `values` maps the values of
    a tile to modes of the tensor, and the second result has the coordinates that the TMA takes. `num_multicast` CTAs receive each box.
    `tma_format` is the format of the elements; `internal_type`, as CuTe DSL 4.3 has it, is a type with that format. f4E2M1FN is packed in
    shared memory too (`U4`), unless `U4_UNPACK_U8` gives each element a byte; f6E2M3FN and f6E3M2FN have a byte each.}];
  let example = [{
    %tma, %coords = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}>
      : (!cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64 div=8},1,?{i64 div=8})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">, !cute.layout<"(128,64):(1@0,1@1)">)
  }];
  let rules = [
    Rule<"tensor-lies-gmem", "the tensor lies in gmem", "a descriptor must describe a tensor in gmem, found smem",
         "pass the view of global memory">,
    Rule<"layout-tile-shared-memory-swizzle-tma", "the layout of the tile in shared memory has a swizzle of the TMA", "the TMA swizzles by S<0,4,3>, S<1,4,3>, S<2,4,3>, S<3,4,3> and S<2,5,2>, not by S<3,3,3>",
         "lay the tile out by one of these">,
    Rule<"neighbours-memory-neighbours-tensor", "neighbours in memory are neighbours in the tensor", "must be neighbours along one mode of the tensor, but they step by ..",
         "give tile and tensor the same contiguous mode">,
    Rule<"one-mode-stride-1", "one mode has stride 1, and other strides are multiples of 16 bytes", "the stride of mode 1 is 136 bytes: strides are multiples of 16 bytes; padding to 144 would do",
         "pad the rows of the tensor">,
    Rule<"box-most-256-elements-per-mode", "a box has at most 256 elements per mode", "a box has 1 to 256 elements per mode, but mode 0 of tma_gbasis (512,1):(1@1,1@0) has 512",
         "choose a smaller tile">,
    Rule<"box-elements-4-6-bits-byte", "a box of elements of 4 or 6 bits with a byte each has 128 along mode 0", "the box of mode 0 is 64: of elements of u6 in 8 bits it is 128; lay the tile out in columns of 128 elements along mode 0",
         "choose a tile of 128 elements, or of several columns of 128">
  ];
}
def MakeNonExecTiledTmaStoreOp : MakesTmaAtom<"atom.make_non_exec_tiled_tma_store"> {
  let summary = "a descriptor to store boxes of a tensor, and the tensor of its coordinates";
  let arguments = !con(operands, (ins OptionalAttr<TypeAttr>:$internal_type, OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # "custom<TmaFormats>($internal_type, $tma_format) " # after;
  let description = [{Operands, results and errors are those of `atom.make_non_exec_tiled_tma_load`. Elements of 6 bits are stored from the lower 6 bits of a
    byte each.}];
  let example = [{
    %tma, %coords = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile, %values)
      : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64 div=4},1,?{i64 div=4})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">)
  }];
  let rules = [
    Rule<"tensor-lies-gmem", "the tensor lies in gmem", "a descriptor must describe a tensor in gmem, found rmem",
         "pass the view of global memory">,
    Rule<"tma-stores-elements-format", "the TMA stores elements of the format", "the TMA does not store elements of u4 in 8 bits: pack them in shared memory, and write tma_format = U4",
         "pack elements of 4 bits">
  ];
}
def MakeNonExecTiledTmaReduceOp : MakesTmaAtom<"atom.make_non_exec_tiled_tma_reduce"> {
  let summary = "a descriptor to reduce boxes into a tensor, and the tensor of its coordinates";
  let arguments = !con(operands, (ins CuteNvgpu_TmaReduceKindAttr:$kind,
                                      OptionalAttr<TypeAttr>:$internal_type, OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # [{`<` `{` `kind` `=` $kind (`internal_type` `=` $internal_type^)?
                                  (`tma_format` `=` $tma_format^)? `}` `>` }] # after;
  let description = [{Operands, results and errors are those of `atom.make_non_exec_tiled_tma_load`. `kind` is ADD, MIN, MAX, INC, DEC, AND, OR or XOR.}];
  let example = [{
    %tma, %coords = cute_nvgpu.atom.make_non_exec_tiled_tma_reduce(%C, %tile, %values) <{kind = <ADD>}>
      : (!cute.memref<f32, gmem, align<16>, "(?,?,?):(?{i64 div=4},1,?{i64 div=4})">, !cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))">, !cute.layout<"(128,32):(1@0,1@1)">)
  }];
  let rules = [
    Rule<"tensor-lies-gmem", "the tensor lies in gmem", "a descriptor must describe a tensor in gmem, found rmem",
         "pass the view of global memory">
  ];
}

def MakeExecTmaOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_exec_tma", [Pure, Inferred]>, CarriesState {
  let summary = "the atom that copies by a descriptor; its barrier and mask are set later";
  let arguments = (ins AnyType:$descriptor);
  let results = (outs AnyType:$result);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # inference # functional;
  let description = [{A load then gets its barrier by `atom.set_value`, and a multicast its mask.}];
  let example = [{
    %exec = cute_nvgpu.atom.make_exec_tma(%tma)
      : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
      -> !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
  }];
  let rules = [
    Rule<"operand-atom-descriptor", "the operand is an atom that has a descriptor", "operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found ..",
         "pass the atom that the host made">
  ];
}

def TmaPartitionOp : CuteOpBase<CuteNvgpu_Dialect, "atom.tma_partition", [Pure, Inferred]> {
  let summary = "tiles in smem and their coordinates as views of boxes, ((box,boxes),rest..), which begin at the part that this CTA loads";
  let arguments = (ins AnyType:$atom, Cute_Coord:$cta, Cute_Layout:$ctas, Cute_MemRef:$memory, Cute_CoordTensor:$coordinates);
  let results = (outs Cute_MemRef:$in_memory, Cute_CoordTensor:$in_tensor);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldMany # inference # functional;
  let description = [{Mode 0 of the results is ((box,boxes)). With several CTAs in `ctas`, each loads its part of a box, and begins there.}];
  let example = [{
    %sA_boxes, %gA_boxes = cute_nvgpu.atom.tma_partition(%tma, %cta, %ctas, %sA, %gA)
      : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64),3):((64,1),8192)">, !cute.coord_tensor<"(0,0,0)", "((128,64),?):((1@0,1@1),64@1)">)
  }];
  let rules = [
    Rule<"tile-lies-smem", "the tile lies in smem", "the TMA copies tiles in smem, found gmem",
         "pass the tile in shared memory">,
    Rule<"elements-those-atom", "the elements are those of the atom", "the memory has elements of f32, but the atom copies f16",
         "recast the iterator">,
    Rule<"elements-4-6-bits-tma-pads", "elements of 4 and 6 bits that the TMA pads are bytes", "the memory has elements of f6E2M3FN, but the TMA gives each element of f6E2M3FN a byte of shared memory: recast the iterator to i8",
         "recast the iterator to i8">,
    Rule<"mode-0-both-tile", "mode 0 of both is the tile", "mode 0 of the memory has 8192 elements, but mode 0 of the coordinates has 4096",
         "group the modes of the tile by `cute.group_modes`">,
    Rule<"tile-holds-whole-boxes", "a tile holds whole boxes", "mode 0 has 4096 elements, not a multiple of the 8192 of a box",
         "make the descriptor for this tile">,
    Rule<"ctas-multicast-share-box-equally", "the CTAs of a multicast share a box equally", "boxes: 3 CTAs do not share a box of 8192 elements equally",
         "use 2, 4, 8 or 16 CTAs">
  ];
}

// What a thread does with a descriptor.
class OnDescriptor<string m, dag more> : CuteOpBase<CuteNvgpu_Dialect, m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = !con((ins AnyType:$descriptor), more);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
}
def PrefetchTmaDescOp : OnDescriptor<"prefetch_tma_desc", (ins)> {
  let summary = "the descriptor, prefetched into the cache of descriptors";
  let example = [{
    cute_nvgpu.prefetch_tma_desc(%tma)
      : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>)
      -> ()
  }];
  let rules = [
    Rule<"operand-atom-descriptor", "the operand is an atom that has a descriptor", "operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found ..",
         "pass the atom that the host made">
  ];
}
def CopyTmaDescOp : OnDescriptor<"copy_tma_desc", (ins Cute_Ptr:$where)> {
  let summary = "the 128 bytes of the descriptor, copied to memory";
  let example = [{
    cute_nvgpu.copy_tma_desc(%tma, %where)
      : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.ptr<i64, smem, align<128>>)
      -> ()
  }];
  let rules = [
    Rule<"operand-atom-descriptor", "the operand is an atom that has a descriptor", "operand #0 must be an atom that has a descriptor and cannot be executed, such as !cute_nvgpu.atom.non_exec_tiled_tma_load, found ..",
         "pass the atom that the host made">,
    Rule<"memory-aligned-64-bytes", "the memory is aligned to 64 bytes, in smem or gmem", "a copy of a descriptor must lie in smem or gmem, aligned to 64 bytes, found ..",
         "allocate 128 bytes with `align<64>` or more">
  ];
}
def UpdateTmaDescOp : OnDescriptor<"update_tma_desc", (ins Cute_MemRef:$tensor, Cute_Ptr:$where)> {
  let summary = "address, extents and strides of a copy of the descriptor, replaced by those of a tensor";
  let description = [{A persistent kernel changes a copy of the descriptor in shared memory, and copies it back to global memory before the TMA reads it.}];
  let example = [{
    cute_nvgpu.update_tma_desc(%tma, %A, %where)
      : (!cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>, !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64 div=8},1,?{i64 div=8})">, !cute.ptr<i64, smem, align<128>>)
      -> ()
  }];
  let rules = [
    Rule<"tensor-one-descriptor-can-describe", "the tensor is one that the descriptor can describe", "the descriptor must describe a tensor of f16 in gmem, found f32 in gmem",
         "make a descriptor for this element type">,
    Rule<"memory-aligned-64-bytes", "the memory is aligned to 64 bytes, in smem or gmem", "a copy of a descriptor must lie in smem or gmem, aligned to 64 bytes, found ..",
         "allocate 128 bytes with `align<64>` or more">
  ];
}

#endif
