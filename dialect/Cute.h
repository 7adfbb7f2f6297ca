// The classes that TableGen generates from td/, and the trampolines that they call.

#ifndef CUTE_H
#define CUTE_H

#include "Boundary.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <atomic>
#include <mutex>

#include "CuteDialect.h.inc"
#include "CuteNvgpuDialect.h.inc"

namespace cute {
// The type at the beginning of the body and the text of the rest identify a type. The value belongs to Rust.
struct BodyStorage : mlir::TypeStorage {
  using KeyTy = std::tuple<llvm::StringRef, mlir::Type>;
  BodyStorage(llvm::StringRef body, mlir::Type inner) : body(body), inner(inner) {}
  ~BodyStorage() { cute_value_drop(value); }
  static BodyStorage *construct(mlir::TypeStorageAllocator &a, const KeyTy &key) {
    return new (a.allocate<BodyStorage>()) BodyStorage(a.copyInto(std::get<0>(key)), std::get<1>(key));
  }
  bool operator==(const KeyTy &key) const { return key == getAsKey(); }
  KeyTy getAsKey() const { return {body, inner}; }

  llvm::StringRef body;
  mlir::Type inner;
  std::atomic<void *> value = nullptr;
  std::atomic<int32_t> kind = -1; // Unknown until it is asked for.
};

template <class T> int32_t kindOf();
mlir::ParseResult unknown(mlir::AsmParser &, mlir::SMLoc, CuteNameKind, llvm::StringRef name);
mlir::Type parseBody(mlir::AsmParser &, int32_t kind);
template <class T> mlir::Type parseType(mlir::AsmParser &p) { return parseBody(p, kindOf<T>()); }
void printBody(mlir::AsmPrinter &, mlir::Type);
mlir::Attribute parseCoordAttr(mlir::AsmParser &);
template <class Attr, class T> mlir::Attribute parseValueAttr(mlir::AsmParser &p) {
  mlir::Type t = parseType<T>(p);
  return t ? Attr::get(p.getContext(), t) : Attr();
}
mlir::LogicalResult verifyCoordAttr(llvm::function_ref<mlir::InFlightDiagnostic()> error, mlir::Type);
std::optional<std::string> parseText(mlir::AsmParser &, llvm::StringRef mnemonic); // the normal form
void printText(mlir::AsmPrinter &, llvm::StringRef text);
template <class T> mlir::Attribute parseTextAttr(mlir::AsmParser &p) {
  std::optional<std::string> text = parseText(p, T::getMnemonic());
  return text ? T::get(p.getContext(), *text) : T();
}
// `<word>`
template <class T> mlir::Attribute parseKeywordAttr(mlir::AsmParser &p) {
  llvm::StringRef name;
  if (p.parseLess() || p.parseKeyword(&name) || p.parseGreater())
    return {};
  return T::get(p.getContext(), name);
}
// A type of the dialect; the error for an unknown name suggests a similar one.
template <class Known> mlir::Type parseKnown(mlir::DialectAsmParser &p, mlir::Dialect &d, Known known) {
  mlir::SMLoc at = p.getCurrentLocation();
  llvm::StringRef mnemonic;
  mlir::Type t;
  if (known(p, &mnemonic, t).has_value())
    return t;
  (void)unknown(p, at, CuteTypeName, (d.getNamespace() + "." + mnemonic).str());
  return {};
}
// An op under its current name, or an error that suggests a similar name.
std::optional<mlir::Dialect::ParseOpHook> opHook(llvm::StringRef name);
mlir::Type partOf(mlir::Type, CutePart); // NoneType where there is none

// `(%a, %b) : (A, B) -> R`, or `(A, B)` or `A, B`, which leave out the results. Where an op has several
// results, one type stands for all of them. Properties may precede the attributes, as `<{key = value}>`.
mlir::ParseResult parseFunctional(mlir::OpAsmParser &, mlir::OperationState &);
// The same after its operands.
mlir::ParseResult parseFunctional(mlir::OpAsmParser &, mlir::OperationState &, llvm::SMLoc,
                                  llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand>);
// `%v` or `%v, %a`, with the type of the last operand, which is a view; the value has the vector of the view.
// Later versions of CuTe DSL write these ops like functions.
mlir::ParseResult parseVectorAccess(mlir::OpAsmParser &, mlir::OperationState &);
void printVectorAccess(mlir::OpAsmPrinter &, mlir::Operation *);
// Nothing, or `<{key = value}>`.
mlir::ParseResult parseProperties(mlir::OpAsmParser &, mlir::OperationState &);
mlir::ParseResult parseSetValue(mlir::OpAsmParser &, mlir::OperationState &);
mlir::ParseResult parseGetValue(mlir::OpAsmParser &, mlir::OperationState &);
void printSetValue(mlir::OpAsmPrinter &, mlir::Operation *);
void printGetValue(mlir::OpAsmPrinter &, mlir::Operation *);
void printFunctional(mlir::OpAsmPrinter &, mlir::Operation *);
template <class Op> void printAs(mlir::Operation *op, mlir::OpAsmPrinter &p, llvm::StringRef) {
  p << Op::getOperationName();
  printFunctional(p, op);
}

mlir::LogicalResult verifyInRust(CuteOp, mlir::Operation *);
mlir::OpFoldResult foldOneInRust(CuteOp, mlir::Operation *);
mlir::LogicalResult foldInRust(CuteOp, mlir::Operation *, llvm::SmallVectorImpl<mlir::OpFoldResult> &);
mlir::LogicalResult infer(CuteOp, mlir::MLIRContext *, std::optional<mlir::Location>, mlir::ValueRange,
                          mlir::DictionaryAttr, llvm::SmallVectorImpl<mlir::Type> &);

// Properties and discardable attributes as one dictionary, then inference.
template <class Op>
mlir::LogicalResult inferInRust(CuteOp fn, mlir::MLIRContext *c, std::optional<mlir::Location> l,
                                mlir::ValueRange o, mlir::DictionaryAttr a, mlir::OpaqueProperties p,
                                llvm::SmallVectorImpl<mlir::Type> &t) {
  mlir::NamedAttrList all(a);
  if constexpr (!std::is_same_v<typename Op::Properties, mlir::EmptyProperties>)
    if (p)
      if (auto d = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(
              Op::getPropertiesAsAttr(c, *p.as<typename Op::Properties *>())))
        for (mlir::NamedAttribute n : d)
          all.set(n.getName(), n.getValue());
  return infer(fn, c, l, o, all.getDictionary(c), t);
}
} // namespace cute

#define GET_TYPEDEF_CLASSES
#include "CuteTypes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "CuteNvgpuTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "CuteAttrs.h.inc"
#define GET_ATTRDEF_CLASSES
#include "CuteNvgpuAttrs.h.inc"

#define GET_OP_CLASSES
#include "CuteOps.h.inc"
#define GET_OP_CLASSES
#include "CuteNvgpuOps.h.inc"

namespace cute {
// A kind of type is its position in this list.
template <class... Ts> struct TypeList {};
using AllTypes = TypeList<
#define GET_TYPEDEF_LIST
#include "CuteTypes.cpp.inc"
    ,
#define GET_TYPEDEF_LIST
#include "CuteNvgpuTypes.cpp.inc"
    >;
template <class T, class... Ts> constexpr int32_t position(TypeList<Ts...>) {
  int32_t i = 0, found = -1;
  ((std::is_same_v<T, Ts> ? (void)(found = i) : void(), ++i), ...);
  return found;
}
template <class T> int32_t kindOf() { return position<T>(AllTypes{}); }

template <class Op> struct Hooks;
} // namespace cute
// An op's hooks are private, except for MLIR's models.
template <class Op> struct mlir::RegisteredOperationName::Model<cute::Hooks<Op>> {
  static auto verifier() { return Op::getVerifyInvariantsFn(); }
};
namespace cute {
// Infers the types of results that the text of an op leaves out.
using InferReturnTypes = mlir::LogicalResult(mlir::MLIRContext *, std::optional<mlir::Location>,
                                             mlir::ValueRange, mlir::DictionaryAttr, mlir::OpaqueProperties,
                                             mlir::RegionRange, llvm::SmallVectorImpl<mlir::Type> &);
mlir::ParseResult inferParsed(mlir::OperationState &, InferReturnTypes *);
// The result of verifying an op; if it is not valid, the other ops of its function are verified as well.
mlir::LogicalResult verifyOthers(mlir::Operation *, mlir::LogicalResult);
// An op as MLIR knows it. Its text may leave out the types of inferred results, and where it is not valid,
// the errors of other ops of its function are reported too.
template <class Op> struct Registered : Op {
  using Op::Op;
  static mlir::TypeID resolveTypeID() { return mlir::TypeID::get<Op>(); }
  static mlir::ParseResult parse(mlir::OpAsmParser &p, mlir::OperationState &s) {
    if (Op::parse(p, s))
      return mlir::failure();
    if constexpr (Op::template hasTrait<mlir::InferTypeOpInterface::Trait>())
      if (s.types.empty() || llvm::is_contained(s.types, mlir::Type()))
        return inferParsed(s, Op::inferReturnTypes);
    return mlir::success();
  }
  static mlir::OperationName::VerifyInvariantsFn getVerifyInvariantsFn() {
    return [](mlir::Operation *op) {
      return verifyOthers(op, mlir::RegisteredOperationName::Model<Hooks<Op>>::verifier()(op));
    };
  }
};
// Adds the ops of a list to a dialect.
template <class... Ops> void addOps(mlir::Dialect &d, TypeList<Ops...>) {
  (mlir::RegisteredOperationName::insert<Registered<Ops>>(d), ...);
}
} // namespace cute

#endif
