// Types of the `cute` dialect. Bodies are parsed and printed in Rust: crates/cute-dialect/src/types.

#ifndef CUTE_TYPES
#define CUTE_TYPES

include "Base.td"

def Cute_IntTuple : Cute_Type<"IntTuple", "int_tuple"> {
  let description = [{an integer or a tuple of integers: `"(4,(?,8))"`}];
}
def Cute_Shape : Cute_Type<"Shape", "shape"> {
  let description = [{extents: `"(128,(?,8))"`}];
}
def Cute_Stride : Cute_Type<"Stride", "stride"> {
  let description = [{strides, integer or on a basis: `"(1,?{i64 div=8})"`, `"(1@0,1@1)"`}];
}
def Cute_Coord : Cute_Type<"Coord", "coord"> {
  let description = [{a coordinate; `_` leaves a mode open: `"(_,?)"`}];
}
def Cute_Layout : Cute_Type<"Layout", "layout"> {
  let description = [{a function from coordinates to indices, shape and stride: `"(4,8):(1,4)"`}];
}
def Cute_Tile : Cute_Type<"Tile", "tile"> {
  let description = [{one tiler per mode: `"[64:1;_]"`}];
}
def Cute_Swizzle : Cute_Type<"Swizzle", "swizzle"> {
  let description = [{a permutation of an index space by XOR of bits: `"S<3,4,3>"`}];
}
def Cute_ComposedLayout : Cute_Type<"ComposedLayout", "composed_layout"> {
  let description = [{inner, offset, layout: `"S<3,4,3> o 0 o (8,64):(64,1)"`}];
}
def Cute_Ptr : Cute_Type<"Ptr", "ptr"> {
  let description = [{a pointer: `<f16, smem, align<16>, S<3,4,3>>`}];
}
def Cute_MemRef : Cute_Type<"MemRef", "memref"> {
  let description = [{a pointer and a layout: `<f32, gmem, align<16>, "(?,8):(8,1)">`}];
}
def Cute_ArithTupleIter : Cute_Type<"ArithTupleIter", "arith_tuple_iter"> {
  let description = [{an iterator over coordinates: `<"(0,?)">`}];
}
def Cute_CoordTensor : Cute_Type<"CoordTensor", "coord_tensor"> {
  let description = [{an origin and a layout with basis strides: `<"(0,0)", "(?,?):(1@0,1@1)">`}];
}
def Cute_TiledCopy : Cute_Type<"TiledCopy", "tiled_copy"> {
  let description = [{a copy atom laid over threads and values: `<ATOM, layout_copy_tv = <"TV">, tiler_mn = <"[..]">>`}];
}
def Cute_TiledMma : Cute_Type<"TiledMma", "tiled_mma"> {
  let description = [{an MMA atom laid over threads: `<ATOM, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;_]">>`}];
}
def Cute_AssumedI32 : Cute_Type<"AssumedI32", "i32"> {
  let description = [{an i32 with a known divisor: `<divby 8>`}];
}
def Cute_AssumedI64 : Cute_Type<"AssumedI64", "i64"> {
  let description = [{an i64 with a known divisor: `<divby 8>`}];
}
def Cute_FastDivmodDivisor : Cute_Type<"FastDivmodDivisor", "fast_divmod_divisor"> {
  let description = [{a divisor of 32 bits, its multiplier and two shifts: `<32>`}];
}
def Cute_SparseElem : Cute_Type<"SparseElem", "sparse_elem"> {
  let description = [{a stored element of a sparse operand, which represents N logical elements, all others being zero: `<2, f16>`}];
}

def Cute_CoordAttr : AttrDef<Cute_Dialect, "CoordValue"> {
  let description = [{a static coordinate as attribute: `#cute.coord<"(1,_)">`}];
  let mnemonic = "coord";
  let summary = "#cute.coord";
  let parameters = (ins "::mlir::Type":$type);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> error, ::mlir::Type t) {
      return ::cute::verifyCoordAttr(error, t); }
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseCoordAttr(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { ::cute::printBody(p, getType()); }
  }];
}

// A value as an attribute, of the text that is also a type's.
class Cute_ValueAttr<string cls, string m> : AttrDef<Cute_Dialect, cls # "Value"> {
  let mnemonic = m;
  let summary = "#cute." # m;
  let parameters = (ins "::mlir::Type":$type);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseValueAttr<$cppClass, }] # cls # [{Type>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { ::cute::printBody(p, getType()); }
  }];
}
def Cute_IntTupleAttr : Cute_ValueAttr<"IntTuple", "int_tuple"> {
  let description = [{integers as an attribute: `#cute.int_tuple<"(1,(?,3))">`}];
}
def Cute_ShapeAttr : Cute_ValueAttr<"Shape", "shape"> {
  let description = [{extents as an attribute: `#cute.shape<"(128,(?,8))">`}];
}
def Cute_StrideAttr : Cute_ValueAttr<"Stride", "stride"> {
  let description = [{strides as an attribute: `#cute.stride<"(1@0,1@1)">`}];
}
def Cute_LayoutAttr : Cute_ValueAttr<"Layout", "layout"> {
  let description = [{a layout as an attribute: `#cute.layout<"(4,8):(1,4)">`}];
}
def Cute_TileAttr : Cute_ValueAttr<"Tile", "tile"> {
  let description = [{a tile as an attribute: `#cute.tile<"[64:1;_]">`}];
}
def Cute_ComposedLayoutAttr : Cute_ValueAttr<"ComposedLayout", "composed_layout"> {
  let description = [{a composed layout as an attribute: `#cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">`}];
}
def Cute_SwizzleAttr : Cute_ValueAttr<"Swizzle", "swizzle"> {
  let description = [{a swizzle as an attribute: `#cute.swizzle<"S<3,4,3>">`}];
}

// A value of the algebra that has no type, in its normal form. Read and printed in Rust, which knows it by its mnemonic.
class Cute_TextAttr<string cls, string m> : AttrDef<Cute_Dialect, cls> {
  let mnemonic = m;
  let summary = "#cute." # m;
  let parameters = (ins StringRefParameter<"the normal form">:$text);
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::parse(::mlir::AsmParser &p, ::mlir::Type) { return ::cute::parseTextAttr<$cppClass>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { ::cute::printText(p, getText()); }
  }];
}
def Cute_DescriptorAttr : Cute_TextAttr<"Descriptor", "descriptor"> {
  let description = [{steps along dimensions, counts in lowest terms: `#cute.descriptor<"(16@0,(1/2@1,1@0@1))">`}];
}
def Cute_PlacementAttr : Cute_TextAttr<"Placement", "placement"> {
  let description = [{where elements lie along named axes: `#cute.placement<"S[(8, 2) : (4@laneid, 1@m)] + R[(2) : (1@warpid)]">`}];
}

// What ops accept.
defvar AnyLayout = AnyTypeOf<[Cute_Layout, Cute_ComposedLayout], "layout or composed layout">;
defvar TupleLike = AnyTypeOf<[Cute_IntTuple, Cute_Shape, Cute_Stride, Cute_Coord], "int_tuple, shape, stride or coord">;
defvar AnyView = AnyTypeOf<[Cute_MemRef, Cute_CoordTensor], "memref or coord_tensor">;
// Types of the other dialect.
class Nvgpu<string cls, string name> : Type<CPred<"::llvm::isa<::cute::" # cls # "Type>($_self)">, name>;
def Desc : Nvgpu<"SmemDesc", "smem_desc">;
def DescView : Nvgpu<"SmemDescView", "smem_desc_view">;
// An iterator and a layout.
defvar Viewed = AnyTypeOf<[Cute_MemRef, Cute_CoordTensor, DescView], "memref, coord_tensor or smem_desc_view">;
defvar AnyIterator = AnyTypeOf<[Cute_Ptr, Cute_ArithTupleIter, Desc], "ptr, arith_tuple_iter or smem_desc">;
defvar Tileable = AnyTypeOf<[Cute_Layout, Cute_ComposedLayout, Cute_MemRef, Cute_CoordTensor],
                            "layout, composed layout, memref or coord_tensor">;
defvar Tiler = AnyTypeOf<[Cute_Layout, Cute_Shape, Cute_Tile], "layout, shape or tile">;
defvar Leaf = AnyTypeOf<[I32, I64, Index, Cute_AssumedI32, Cute_AssumedI64, Cute_IntTuple, Cute_Shape, Cute_Stride, Cute_Coord],
                        "i32, i64, index or a value of rank at most 1">;

#endif
