// The halves of a function type in assembly formats; the second may be left out.

#ifndef CUTE_FUNCTION_TYPE_H
#define CUTE_FUNCTION_TYPE_H

#include "Cute.h"

// The types of operands: `(A, B)`, or `A, B`.
template <class... Ts> mlir::ParseResult parseOperandTypes(mlir::OpAsmParser &p, Ts &...types) {
  bool parens = succeeded(p.parseOptionalLParen());
  mlir::Type *all[] = {&types...};
  for (mlir::Type *type : all)
    if ((type != all[0] && p.parseComma()) || p.parseType(*type))
      return mlir::failure();
  return parens ? p.parseRParen() : mlir::success();
}
template <class... Ts> void printOperandTypes(mlir::OpAsmPrinter &p, mlir::Operation *, Ts... types) {
  mlir::Type all[] = {types...};
  p << '(' << llvm::ArrayRef<mlir::Type>(all) << ')';
}

// The types of results: `-> R`, `-> (R, S)`, or nothing, which leaves them null.
template <class... Ts> mlir::ParseResult parseResultTypes(mlir::OpAsmParser &p, Ts &...types) {
  mlir::Type *all[] = {&types...};
  llvm::SmallVector<mlir::Type> given;
  llvm::SMLoc at = p.getCurrentLocation();
  if (p.parseOptionalArrowTypeList(given))
    return mlir::failure();
  if (!given.empty() && given.size() != sizeof...(types))
    return p.emitError(at, "expected ") << sizeof...(types) << " result types, found " << given.size();
  for (auto [type, one] : llvm::zip(all, given))
    *type = one;
  return mlir::success();
}
template <class... Ts> void printResultTypes(mlir::OpAsmPrinter &p, mlir::Operation *, Ts... types) {
  mlir::Type all[] = {types...};
  bool one = sizeof...(types) == 1;
  p << (one ? "-> " : "-> (") << llvm::ArrayRef<mlir::Type>(all) << (one ? "" : ")");
}

// The types of any number of operands, in parentheses.
inline mlir::ParseResult parseListedTypes(mlir::OpAsmParser &p, llvm::SmallVectorImpl<mlir::Type> &types) {
  return p.parseCommaSeparatedList(mlir::OpAsmParser::Delimiter::Paren,
                                   [&] { return p.parseType(types.emplace_back()); });
}
inline void printListedTypes(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::TypeRange types) {
  p << '(' << types << ')';
}

// `-> R`, where the operands do not determine the result.
inline mlir::ParseResult parseDeclaredType(mlir::OpAsmParser &p, mlir::Type &type) {
  llvm::SmallVector<mlir::Type> given;
  if (p.parseOptionalArrowTypeList(given))
    return mlir::failure();
  if (given.size() != 1)
    return p.emitError(p.getNameLoc(),
                       "expected '->' and the type of the result, which the operands do not determine");
  type = given.front();
  return mlir::success();
}
inline void printDeclaredType(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Type type) {
  p << "-> " << type;
}

#endif
