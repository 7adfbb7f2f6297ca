// Attributes of the `cute` dialect: values of the algebra.

#ifndef CUTE_ATTRIBUTES
#define CUTE_ATTRIBUTES

include "Base.td"

def Cute_CoordAttr : AttrDef<Cute_Dialect, "CoordValue">, Documented {
  let description = [{A static coordinate, which `cute.dice`, `cute.local_tile` and `cute.local_partition` take. In their text it is a string.}];
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
  let example = [{<"(1,_)">}];
  let fields = [Field<"1", "the mode is kept">, Field<"_", "the mode is dropped, or stays open">];
  let rules = [
    Rule<"coordinate-static", "the coordinate is static", "a coordinate in an attribute must be static, but mode 1 of (1,?) is ?",
         "pass an operand">
  ];
}

// A value as an attribute, of the text that is also a type's.
class Cute_ValueAttr<string cls, string m> : AttrDef<Cute_Dialect, cls # "Value">, Documented {
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
  let description = [{An int_tuple as an attribute. The body is that of the type of the same name.}];
  let example = [{<"(1,(?,3))">}];
}
def Cute_ShapeAttr : Cute_ValueAttr<"Shape", "shape"> {
  let description = [{A shape as an attribute. The body is that of the type of the same name.}];
  let example = [{<"(128,(?,8))">}];
}
def Cute_StrideAttr : Cute_ValueAttr<"Stride", "stride"> {
  let description = [{A stride as an attribute. The body is that of the type of the same name.}];
  let example = [{<"(1@0,1@1)">}];
}
def Cute_LayoutAttr : Cute_ValueAttr<"Layout", "layout"> {
  let description = [{A layout as an attribute. The body is that of the type of the same name.}];
  let example = [{<"(4,8):(1,4)">}];
}
def Cute_TileAttr : Cute_ValueAttr<"Tile", "tile"> {
  let description = [{A tile as an attribute. The body is that of the type of the same name.}];
  let example = [{<"[64:1;_]">}];
}
def Cute_ComposedLayoutAttr : Cute_ValueAttr<"ComposedLayout", "composed_layout"> {
  let description = [{A composed layout as an attribute. The body is that of the type of the same name.}];
  let example = [{<"S<3,4,3> o 0 o (8,64):(64,1)">}];
}
def Cute_SwizzleAttr : Cute_ValueAttr<"Swizzle", "swizzle"> {
  let description = [{A swizzle as an attribute. The body is that of the type of the same name.}];
  let example = [{<"S<3,4,3>">}];
}

// A value of the algebra that has no type, in its normal form. Read and printed in Rust, which knows it by its mnemonic.
class Cute_TextAttr<string cls, string m> : AttrDef<Cute_Dialect, cls>, Documented, Own {
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
  let description = [{Steps along dimensions, with counts in lowest terms.}];
  let example = [{<"(16@0,(1/2@1,1@0@1))">}];
  let fields = [Field<"16@0", "16 steps along dimension 0">, Field<"1/2@1", "half a step along dimension 1">];
  let rules = [
    Rule<"each-count-dimension", "each count has a dimension", "expected `@` and a dimension, or `/`, found `)`",
         "write `@` and a number">,
    Rule<"text-brackets", "the text is in brackets", "expected `(`, found `1`",
         "write `(16@0)`">
  ];
}
def Cute_PlacementAttr : Cute_TextAttr<"Placement", "placement"> {
  let description = [{The places of elements along named axes: shards `S[..]`, copies `R[..]` and an offset. See [Placements](placements.md).}];
  let example = [{<"S[(8, 2) : (4@laneid, 1@m)] + R[(2) : (1@warpid)]">}];
  let fields = [
    Field<"S[shape : strides]", "each element along axes">, Field<"R[shape : strides]", "copies of each element">,
    Field<"axis", "`laneid`, `warpid`, `tx`, `m` (registers and memory), `TLane`, `TCol` and so on">
  ];
}

#endif
