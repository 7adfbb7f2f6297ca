// The two dialects and the base classes of everything in them.
//
// An op or type is only described here. What it means is one Rust function (crates/cute-dialect), reached
// through `cute_op_<Class>` and `cute_type_parse`: an op without its Rust half does not compile.

#ifndef CUTE_BASE
#define CUTE_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Built.td"
include "Documented.td"

class CuteDialectBase<string ns> : Dialect {
  let name = ns;
  let cppNamespace = "::cute";
  // The generated functions parse and print types. They are called through the functions declared below, whose error for an
  // unknown type names a similar one.
  let useDefaultTypePrinterParser = 0;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  code parsing = [{
    ::mlir::Type parseType(::mlir::DialectAsmParser &) const override;
    void printType(::mlir::Type, ::mlir::DialectAsmPrinter &) const override;
    ::std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef) const override;
  }];
}

def Cute_Dialect : CuteDialectBase<"cute"> {
  let summary = "CuTe's layout algebra, tensors and generic atoms";
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    ::std::string defaultDomain = "strict"; // as `cute.domain` spells it; set at registration
    ::mlir::MLIRContext *place = getContext(); // a place that holds the context's address, for Rust
    // Bodies that were parsed, by kind.
    ::std::vector<::llvm::StringMap<::mlir::Type>> known;
    ::std::mutex knownMutex;
  }] # parsing;
}

def CuteNvgpu_Dialect : CuteDialectBase<"cute_nvgpu"> {
  let summary = "NVIDIA's copy and MMA atoms, descriptors and architecture ops";
  let extraClassDeclaration = parsing;
}

// A type is the type that its body begins with, if any, and the text of the rest; with them lies the value that Rust
// made of it (BodyStorage in Cute.h).
class CuteTypeBase<Dialect d, string cls, string m> : TypeDef<d, cls>, Documented {
  let mnemonic = m;
  let summary = d.name # "." # m; // diagnostics use it, and the example
  let parameters = (ins StringRefParameter<>:$body, OptionalParameter<"::mlir::Type">:$inner);
  let storageClass = "BodyStorage";
  let storageNamespace = "::cute";
  let genStorageClass = 0;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 0;
  let extraClassDeclaration = "static constexpr ::llvm::StringLiteral example = R\"example(" # example # ")example\";";
  let extraClassDefinition = [{
    ::mlir::Type $cppClass::parse(::mlir::AsmParser &p) { return ::cute::parseType<$cppClass>(p); }
    void $cppClass::print(::mlir::AsmPrinter &p) const { ::cute::printBody(p, *this); }
  }];
}
class Cute_Type<string cls, string m> : CuteTypeBase<Cute_Dialect, cls, m>;

// Facts about ops, which become methods of Rust's `OpKind` (crates/cute-ffi/build/ops.rs). Memory effects do so too.
// An op that has memory effects, makes memory or emits is also a case of `EffectKind`, which says that it is lowered by
// code of its own.
class Emits;                       // needs code that the leaves of its result do not give, though it has no effects
class MakesMemory;                 // the result is memory that the op makes
class CarriesState;                // the result has the run-time state of an atom
class TilesAtom : CarriesState;    // lays the atom that is its first operand over threads
class DerivesCopy : TilesAtom;     // makes a tiled copy of an MMA or of another copy
class Indexes;                     // `strict`: a coordinate lies in the domain of a layout
class Divides;                     // `strict`: tiles cover a layout

// Every op: verifier and folder in Rust.
class CuteOpBase<Dialect d, string m, list<Trait> traits = []> : Op<d, m, traits>, BuiltInRust, Documented {
  let hasVerifier = 1;
  let hasFolder = 1;
  code trampolines = [{
    extern "C" bool cute_op_$cppClass(CuteRequest *) __attribute__((visibility("hidden")));
    ::mlir::LogicalResult $cppClass::verify() { return ::cute::verifyInRust(cute_op_$cppClass, *this); }
  }];
  code foldOne = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return ::cute::foldOneInRust(cute_op_$cppClass, *this); }
  }];
  code foldMany = [{
    ::mlir::LogicalResult $cppClass::fold(FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &r) {
      return ::cute::foldInRust(cute_op_$cppClass, *this, r); }
  }];
  code inference = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *c, ::std::optional<::mlir::Location> l,
        ::mlir::ValueRange o, ::mlir::DictionaryAttr a, ::mlir::OpaqueProperties p, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &t) { return ::cute::inferInRust<$cppClass>(cute_op_$cppClass, c, l, o, a, p, t); }
    // A wrong declared type is reported once, by verify.
    ::mlir::LogicalResult $cppClass::refineReturnTypes(::mlir::MLIRContext *, ::std::optional<::mlir::Location>,
        ::mlir::ValueRange, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &) { return ::mlir::success(); }
  }];
  // `(a, b) : (A, B) -> R`, or as CuTe DSL 4.3 has it `(a, b) : A, B`.
  code functional = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &p, ::mlir::OperationState &s) { return ::cute::parseFunctional(p, s); }
    void $cppClass::print(::mlir::OpAsmPrinter &p) { ::cute::printFunctional(p, *this); }
  }];
  // `%view : T` and `%vector, %view : T`, or as CuTe DSL 4.5 has it `(%vector, %view) : (V, T) -> ()`.
  code vectorAccess = [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &p, ::mlir::OperationState &s) { return ::cute::parseVectorAccess(p, s); }
    void $cppClass::print(::mlir::OpAsmPrinter &p) { ::cute::printVectorAccess(p, *this); }
  }];
  let extraClassDefinition = trampolines # foldOne;
}

// Rules of several ops.
defvar InDomain = Rule<"each-static-index-lies-mode", "each static index lies in its mode", "is outside [0, ..); set cute.domain = \"extend\"",
                       "correct the index, or set `cute.domain = \"extend\"` on an op around it">;

defvar Inferred = DeclareOpInterfaceMethods<InferTypeOpInterface, ["refineReturnTypes"]>;

// An op whose result type is spelled out in full.
class Cute_Op<string m, list<Trait> traits = []> : CuteOpBase<Cute_Dialect, m, traits>;

// A pure op whose one result type is inferred. Formats write the types of results last, by `functional`, `custom<Results>` or a
// directive of Spellings.h, and let them be left out; Inferring (Cute.h) then infers them.
class Cute_Pure<string m, list<Trait> traits = []> : Cute_Op<m, traits # [Pure, Inferred]> {
  let extraClassDefinition = trampolines # foldOne # inference;
}

// The same, whose text is a list of operands and a function type.
class Cute_Functional<string m, list<Trait> traits = []> : Cute_Pure<m, traits> {
  let hasCustomAssemblyFormat = 1;
  let extraClassDefinition = trampolines # foldOne # inference # functional;
}

// An older name of an op, for IR in generic form. In its own form it is read as, and prints as, the current one.
class Older<string m, string current, string name> : Cute_Op<m, [Pure, Inferred]> {
  let summary = "the older name of " # name;
  string currentClass = current;
  let extraClassDeclaration = [{
    static ::mlir::OperationName::PrintAssemblyFn getPrintAssemblyFn() { return ::cute::printAs<}] # current # [{>; }
  }];
  let extraClassDefinition = !subst("cute_op_$cppClass", "cute_op_" # current, trampolines # foldOne # inference);
}

// CuTe DSL counts operands in generic form where an op takes one operand each. The count is checked, and not printed.
defvar Segments = OptionalAttr<DenseI32ArrayAttr>;

// The same with any number of results.
class Cute_PureMany<string m, list<Trait> traits = []> : Cute_Op<m, traits # [Pure, Inferred]> {
  let extraClassDefinition = trampolines # foldMany # inference;
}

// An op without results has nothing to fold.
class Cute_Effect<string m, list<Trait> traits = []> : Cute_Op<m, traits> {
  let hasFolder = 0;
  let extraClassDefinition = trampolines;
}

#endif
