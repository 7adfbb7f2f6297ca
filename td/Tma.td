// The TMA: descriptors of tensors, and the boxes that its copies take.

#ifndef CUTE_TMA
#define CUTE_TMA

include "Types.td"

// A keyword that Rust knows by the attribute's mnemonic: `#cute_nvgpu.tiled_tma_load<sm_90>`.
class Keyword<string cls, string m> : AttrDef<CuteNvgpu_Dialect, cls> {
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
  let description = [{which instruction loads boxes: `#cute_nvgpu.tiled_tma_load<sm_100_2sm>`}];
}
def CuteNvgpu_TmaDataFormatAttr : Keyword<"TmaDataFormat", "tma_data_format"> {
  let description = [{how a descriptor names elements: `#cute_nvgpu.tma_data_format<TF32_RN>`}];
}
def CuteNvgpu_TmaReduceKindAttr : Keyword<"TmaReduceKind", "tma_reduce_kind"> {
  let description = [{how boxes are reduced into memory: `#cute_nvgpu.tma_reduce_kind<ADD>`}];
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
                                      OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # [{`<` `{` `kind` `=` $kind `num_multicast` `=` $num_multicast
                                  (`tma_format` `=` $tma_format^)? `}` `>` }] # after;
}
def MakeNonExecTiledTmaStoreOp : MakesTmaAtom<"atom.make_non_exec_tiled_tma_store"> {
  let summary = "a descriptor to store boxes of a tensor, and the tensor of its coordinates";
  let arguments = !con(operands, (ins OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # "(`<` `{` `tma_format` `=` $tma_format^ `}` `>`)? " # after;
}
def MakeNonExecTiledTmaReduceOp : MakesTmaAtom<"atom.make_non_exec_tiled_tma_reduce"> {
  let summary = "a descriptor to reduce boxes into a tensor, and the tensor of its coordinates";
  let arguments = !con(operands, (ins CuteNvgpu_TmaReduceKindAttr:$kind,
                                      OptionalAttr<CuteNvgpu_TmaDataFormatAttr>:$tma_format));
  let assemblyFormat = before # "`<` `{` `kind` `=` $kind (`tma_format` `=` $tma_format^)? `}` `>` " # after;
}

def MakeExecTmaOp : CuteOpBase<CuteNvgpu_Dialect, "atom.make_exec_tma", [Pure, Inferred]>, CarriesState {
  let summary = "the atom that copies by a descriptor; its barrier and mask are set later";
  let arguments = (ins AnyType:$descriptor);
  let results = (outs AnyType:$result);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # inference # functional;
}

def TmaPartitionOp : CuteOpBase<CuteNvgpu_Dialect, "atom.tma_partition", [Pure, Inferred]> {
  let summary = "tiles in smem and of coordinates as boxes, ((box,boxes),rest..), from the part of one of several CTAs on";
  let arguments = (ins AnyType:$atom, Cute_Coord:$cta, Cute_Layout:$ctas, Cute_MemRef:$memory, Cute_CoordTensor:$coordinates);
  let results = (outs Cute_MemRef:$in_memory, Cute_CoordTensor:$in_tensor);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldMany # inference # functional;
}

// What a thread does with a descriptor.
class OnDescriptor<string m, dag more> : CuteOpBase<CuteNvgpu_Dialect, m, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = !con((ins AnyType:$descriptor), more);
  let hasFolder = 0;
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # functional;
}
def PrefetchTmaDescOp : OnDescriptor<"prefetch_tma_desc", (ins)> {
  let summary = "the descriptor, brought to the cache of descriptors";
}
def CopyTmaDescOp : OnDescriptor<"copy_tma_desc", (ins Cute_Ptr:$where)> {
  let summary = "the 128 bytes of the descriptor, copied to memory";
}
def UpdateTmaDescOp : OnDescriptor<"update_tma_desc", (ins Cute_MemRef:$tensor, Cute_Ptr:$where)> {
  let summary = "address, extents and strides of a copy of the descriptor, replaced by those of a tensor";
}

#endif
