// Directives of assembly formats that also read older spellings; what they print is the current one.

#ifndef CUTE_SPELLINGS_H
#define CUTE_SPELLINGS_H

#include "FunctionType.h"

// A type; if its class is known, its name may be left out, and is not printed.
template <class T> mlir::ParseResult parseNamed(mlir::OpAsmParser &p, mlir::Type &type) {
  if constexpr (std::is_same_v<T, mlir::Type>) {
    return p.parseType(type);
  } else {
    T known;
    if (p.parseCustomTypeWithFallback(known))
      return mlir::failure();
    type = known;
    return mlir::success();
  }
}
template <class T> void printNamed(mlir::OpAsmPrinter &p, mlir::Type type) {
  if constexpr (std::is_same_v<T, mlir::Type>)
    p << type;
  else
    p.printStrippedAttrOrType(llvm::cast<T>(type));
}

// `T -> U`, `(T) -> U`, or `T`, which leaves out the result.
template <class T, class U>
mlir::ParseResult parseMapping(mlir::OpAsmParser &p, mlir::Type &from, mlir::Type &to) {
  bool parens = succeeded(p.parseOptionalLParen());
  if (parseNamed<T>(p, from) || (parens && p.parseRParen()))
    return mlir::failure();
  bool arrow = succeeded(p.parseOptionalArrow()) || succeeded(p.parseOptionalKeyword("to"));
  return arrow ? parseNamed<U>(p, to) : mlir::success();
}
template <class T, class U> void printMapping(mlir::OpAsmPrinter &p, mlir::Type from, mlir::Type to) {
  printNamed<T>(p, from);
  p << " -> ";
  printNamed<U>(p, to);
}
#define CUTE_MAPPING(name, T, U)                                                                             \
  static mlir::ParseResult parse##name(mlir::OpAsmParser &p, mlir::Type &from, mlir::Type &to) {             \
    return parseMapping<T, U>(p, from, to);                                                                  \
  }                                                                                                          \
  static void print##name(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Type from, mlir::Type to) {        \
    printMapping<T, U>(p, from, to);                                                                         \
  }
CUTE_MAPPING(Mapping, mlir::Type, mlir::Type)
CUTE_MAPPING(OfLayout, cute::LayoutType, mlir::Type)
CUTE_MAPPING(OfComposed, cute::ComposedLayoutType, mlir::Type)
CUTE_MAPPING(OuterOfComposed, cute::ComposedLayoutType, cute::LayoutType)
#undef CUTE_MAPPING

// `(A, B) -> R`, `(A, B)`, or CuTe DSL's `R`, whose parts are the operands.
struct OperandPart {
  mlir::Type &type;
  CutePart part;
};
static mlir::ParseResult parseMade(mlir::OpAsmParser &p, llvm::ArrayRef<OperandPart> operands,
                                   mlir::Type &made) {
  if (succeeded(p.parseOptionalLParen())) {
    for (size_t i = 0; i < operands.size(); ++i)
      if ((i && p.parseComma()) || p.parseType(operands[i].type))
        return mlir::failure();
    return mlir::failure(p.parseRParen() || (succeeded(p.parseOptionalArrow()) && p.parseType(made)));
  }
  if (p.parseType(made))
    return mlir::failure();
  for (const OperandPart &o : operands)
    o.type = cute::partOf(made, o.part);
  return mlir::success();
}
static void printMade(mlir::OpAsmPrinter &p, llvm::ArrayRef<mlir::Type> operands, mlir::Type made) {
  p << '(' << operands << ") -> " << made;
}
static mlir::ParseResult parseMadeLayout(mlir::OpAsmParser &p,
                                         std::optional<mlir::OpAsmParser::UnresolvedOperand> strideOperand,
                                         mlir::Type &shape, mlir::Type &stride, mlir::Type &made) {
  OperandPart both[] = {{shape, CuteShapePart}, {stride, CuteStridePart}};
  return parseMade(p, llvm::ArrayRef(both).take_front(strideOperand ? 2 : 1), made);
}
static void printMadeLayout(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value, mlir::Type shape,
                            mlir::Type stride, mlir::Type made) {
  mlir::Type both[] = {shape, stride};
  printMade(p, llvm::ArrayRef(both).take_front(stride ? 2 : 1), made);
}
static mlir::ParseResult parseMadeComposed(mlir::OpAsmParser &p, mlir::Type &inner, mlir::Type &offset,
                                           mlir::Type &outer, mlir::Type &made) {
  return parseMade(p, {{inner, CuteInnerPart}, {offset, CuteOffsetPart}, {outer, CuteOuterPart}}, made);
}
static void printMadeComposed(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Type inner, mlir::Type offset,
                              mlir::Type outer, mlir::Type made) {
  printMade(p, {inner, offset, outer}, made);
}

// `S -> R`, `S`, or CuTe DSL's `R`, whose shape is the operand.
static mlir::ParseResult parseMadeOfShape(mlir::OpAsmParser &p, mlir::Type &shape, mlir::Type &made) {
  bool parens = succeeded(p.parseOptionalLParen());
  if (p.parseType(shape) || (parens && p.parseRParen()))
    return mlir::failure();
  if (succeeded(p.parseOptionalArrow()))
    return p.parseType(made);
  if (!parens && !llvm::isa<cute::ShapeType>(shape))
    shape = cute::partOf(made = shape, CuteShapePart);
  return mlir::success();
}
static void printMadeOfShape(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Type shape, mlir::Type made) {
  p << shape << " -> " << made;
}

// `T` or `T, C`, or CuTe DSL's `(T) -> R`, where the uses determine R.
static mlir::ParseResult parseDiced(mlir::OpAsmParser &p,
                                    std::optional<mlir::OpAsmParser::UnresolvedOperand> coord,
                                    mlir::Type &input, mlir::Type &coordType) {
  bool parens = succeeded(p.parseOptionalLParen());
  if (p.parseType(input) || (coord && (p.parseComma() || p.parseType(coordType))))
    return mlir::failure();
  mlir::Type made;
  return mlir::failure(parens && (p.parseRParen() || p.parseArrow() || p.parseType(made)));
}
static void printDiced(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Value, mlir::Type input,
                       mlir::Type coordType) {
  p << input;
  if (coordType)
    p << ", " << coordType;
}

// The types of any number of operands, none included.
static mlir::ParseResult parseTypesOf(mlir::OpAsmParser &p,
                                      llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
                                      llvm::SmallVectorImpl<mlir::Type> &types) {
  return operands.empty() ? mlir::success() : p.parseTypeList(types);
}
static void printTypesOf(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::OperandRange,
                         mlir::TypeRange types) {
  p << types;
}

// `<[1, 0]> (%x)`, or `(%x) <{mode = [1, 0]}>`.
static mlir::ParseResult parseModeOf(mlir::OpAsmParser &p, mlir::DenseI32ArrayAttr &mode,
                                     mlir::OpAsmParser::UnresolvedOperand &input) {
  auto list = [&] {
    mode = llvm::dyn_cast_or_null<mlir::DenseI32ArrayAttr>(mlir::DenseI32ArrayAttr::parse(p, {}));
    return mlir::failure(!mode);
  };
  if (succeeded(p.parseOptionalLess()) && (failed(list()) || p.parseGreater()))
    return mlir::failure();
  if (p.parseLParen() || p.parseOperand(input) || p.parseRParen())
    return mlir::failure();
  if (!mode && succeeded(p.parseOptionalLess()))
    if (p.parseLBrace() || p.parseKeyword("mode") || p.parseEqual() || failed(list()) || p.parseRBrace() ||
        p.parseGreater())
      return mlir::failure();
  if (!mode)
    mode = mlir::DenseI32ArrayAttr::get(p.getContext(), {});
  return mlir::success();
}
static void printModeOf(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::DenseI32ArrayAttr mode,
                        mlir::Value input) {
  if (mode && !mode.empty()) {
    p << '<';
    mode.print(p);
    p << '>';
  }
  p << " (" << input << ')';
}

// Nothing: in this form the number of operands is known.
static mlir::ParseResult parseSegments(mlir::OpAsmParser &, mlir::DenseI32ArrayAttr &) {
  return mlir::success();
}
static void printSegments(mlir::OpAsmPrinter &, mlir::Operation *, mlir::DenseI32ArrayAttr) {}

// `3`, which the generic form also writes as `3 : si32`.
static mlir::ParseResult parseRank(mlir::OpAsmParser &p, mlir::Attribute &rank) {
  int32_t n = 0;
  if (p.parseInteger(n))
    return mlir::failure();
  rank = p.getBuilder().getI32IntegerAttr(n);
  return mlir::success();
}
static void printRank(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::Attribute rank) {
  p << llvm::cast<mlir::IntegerAttr>(rank).getValue().getSExtValue();
}

// `<0, 2> (%x)`, or `(%x) <0, 2>`.
static mlir::ParseResult parseRangeOf(mlir::OpAsmParser &p, mlir::IntegerAttr &begin, mlir::IntegerAttr &end,
                                      mlir::OpAsmParser::UnresolvedOperand &input) {
  auto range = [&]() -> mlir::ParseResult {
    int32_t b = 0, e = 0;
    if (p.parseInteger(b) || p.parseComma() || p.parseInteger(e) || p.parseGreater())
      return mlir::failure();
    begin = p.getBuilder().getI32IntegerAttr(b);
    end = p.getBuilder().getI32IntegerAttr(e);
    return mlir::success();
  };
  bool first = succeeded(p.parseOptionalLess());
  if (first && range())
    return mlir::failure();
  if (p.parseLParen() || p.parseOperand(input) || p.parseRParen())
    return mlir::failure();
  return first ? mlir::success() : mlir::failure(p.parseLess() || range());
}
static void printRangeOf(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::IntegerAttr begin,
                         mlir::IntegerAttr end, mlir::Value input) {
  p << '<' << begin.getInt() << ", " << end.getInt() << "> (" << input << ')';
}

// A matrix of an MMA: `A`, `B` or `C`, or the scale factors of one: `SFA` or `SFB`.
static constexpr llvm::StringRef matrixNames[] = {"A", "B", "C", "SFA", "SFB"};
static mlir::ParseResult parseMatrixName(mlir::OpAsmParser &p, mlir::IntegerAttr &id) {
  llvm::StringRef name;
  llvm::SMLoc at = p.getCurrentLocation();
  if (p.parseKeyword(&name))
    return mlir::failure();
  const auto *found = llvm::find(matrixNames, name);
  if (found == std::end(matrixNames))
    return p.emitError(at, "expected a matrix: A, B, C, SFA or SFB");
  id = p.getBuilder().getI32IntegerAttr(found - std::begin(matrixNames));
  return mlir::success();
}
static void printMatrixName(mlir::OpAsmPrinter &p, mlir::Operation *, mlir::IntegerAttr id) {
  uint64_t i = id.getValue().getZExtValue();
  p << (i < std::size(matrixNames) ? matrixNames[i] : "?");
}

#endif
