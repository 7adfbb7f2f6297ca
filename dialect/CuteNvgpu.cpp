// Generated classes of the `cute_nvgpu` dialect.

#include "FunctionType.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CuteNvgpuDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CuteNvgpuTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "CuteNvgpuAttrs.cpp.inc"

// Ops on a field of an atom's state: `(%atom, %value : V) {field = #cute_nvgpu.<of the atom><name>} : R`,
// `(%atom, %value) {field = ..} : (ATOM, V) -> R`, or as CuTe DSL 4.5 has it `<name>(%atom, %value) : (ATOM,
// V) -> R`.
static ParseResult parseField(OpAsmParser &p, OperationState &s, size_t count) {
  StringRef name;
  SmallVector<OpAsmParser::UnresolvedOperand, 2> operands;
  SmallVector<Type, 2> types;
  SMLoc nameAt = p.getCurrentLocation();
  if (succeeded(p.parseOptionalLess()) && (p.parseKeyword(&name) || p.parseGreater()))
    return failure();
  SMLoc at = p.getCurrentLocation();
  if (p.parseLParen() || p.parseOperandList(operands))
    return failure();
  Type last, made;
  if (name.empty() && succeeded(p.parseOptionalColon())) {
    if (p.parseType(last) || p.parseRParen() || p.parseOptionalAttrDict(s.attributes) ||
        p.parseColonType(made))
      return failure();
    if (count == 2)
      types.push_back(made);
    types.push_back(last);
    s.types.push_back(made);
    return p.resolveOperands(operands, types, at, s.operands);
  }
  if (p.parseRParen() || cute::parseProperties(p, s) || p.parseOptionalAttrDict(s.attributes) ||
      p.parseColon())
    return failure();
  bool parens = succeeded(p.parseOptionalLParen());
  if (p.parseTypeList(types) || (parens && p.parseRParen()) || p.parseOptionalArrowTypeList(s.types) ||
      p.resolveOperands(operands, types, at, s.operands))
    return failure();
  if (s.types.empty() && count == 1)
    return p.emitError(p.getNameLoc(), "expected '->' and the type of the field's value");
  if (s.types.empty())
    s.types.push_back(types.front());
  if (name.empty())
    return success();
  std::string attribute;
  auto append = [](MlirStringRef part, void *u) {
    static_cast<std::string *>(u)->append(part.data, part.length);
  };
  if (!cute_field_attribute(wrap(types.front()), append, &attribute))
    return p.emitError(nameAt, "the first operand must be an atom with run-time state to have the field '")
           << name << "', found " << types.front();
  Attribute field = parseAttribute("#cute_nvgpu." + attribute + "<" + name.str() + ">", p.getContext());
  s.addAttribute("field", field);
  return success(static_cast<bool>(field));
}
ParseResult cute::parseSetValue(OpAsmParser &p, OperationState &s) { return parseField(p, s, 2); }
ParseResult cute::parseGetValue(OpAsmParser &p, OperationState &s) { return parseField(p, s, 1); }
void cute::printSetValue(OpAsmPrinter &p, Operation *op) {
  p << '(' << op->getOperands() << " : " << op->getOperand(1).getType() << ')';
  p.printOptionalAttrDict(op->getAttrs());
  p << " : " << op->getOperand(0).getType();
}
void cute::printGetValue(OpAsmPrinter &p, Operation *op) {
  p << '(' << op->getOperands() << " : " << op->getOperand(0).getType() << ')';
  p.printOptionalAttrDict(op->getAttrs());
  p << " : " << op->getResult(0).getType();
}

// `<{internal_type = T tma_format = F}>`, or nothing without both.
static ParseResult parseTmaFormats(OpAsmParser &p, TypeAttr &type, cute::TmaDataFormatAttr &format) {
  if (failed(p.parseOptionalLess()))
    return success();
  if (p.parseLBrace())
    return failure();
  Type internal;
  if (succeeded(p.parseOptionalKeyword("internal_type"))) {
    if (p.parseEqual() || p.parseType(internal))
      return failure();
    type = TypeAttr::get(internal);
  }
  if (succeeded(p.parseOptionalKeyword("tma_format")))
    if (p.parseEqual() || p.parseCustomAttributeWithFallback(format))
      return failure();
  return failure(p.parseRBrace() || p.parseGreater());
}
static void printTmaFormats(OpAsmPrinter &p, Operation *, TypeAttr type, cute::TmaDataFormatAttr format) {
  if (!type && !format)
    return;
  p << "<{";
  if (type)
    p << "internal_type = " << type.getValue() << (format ? " " : "");
  if (format) {
    p << "tma_format = ";
    p.printStrippedAttrOrType(format);
  }
  p << "}>";
}

#define GET_OP_CLASSES
#include "CuteNvgpuOps.cpp.inc"

std::optional<Dialect::ParseOpHook> cute::CuteNvgpuDialect::getParseOperationHook(StringRef name) const {
  return opHook(name);
}
Type cute::CuteNvgpuDialect::parseType(DialectAsmParser &p) const {
  return parseKnown(p, *const_cast<CuteNvgpuDialect *>(this), generatedTypeParser);
}
void cute::CuteNvgpuDialect::printType(Type t, DialectAsmPrinter &p) const {
  (void)generatedTypePrinter(t, p);
}

void cute::CuteNvgpuDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CuteNvgpuTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CuteNvgpuAttrs.cpp.inc"
      >();
  addOps(*this, TypeList<
#define GET_OP_LIST
#include "CuteNvgpuOps.cpp.inc"
                    >{});
}

template <class... Attrs> static StringRef wordOf(Attribute a, StringRef &mnemonic) {
  StringRef word;
  auto read = [&](auto attribute) {
    if (attribute) {
      mnemonic = attribute.getMnemonic();
      word = attribute.getText();
    }
  };
  (read(dyn_cast<Attrs>(a)), ...);
  return word;
}
extern "C" MlirStringRef cuteNvgpuWord(MlirAttribute a, MlirStringRef *mnemonic) {
  StringRef own, word = wordOf<
#define GET_ATTRDEF_LIST
#include "CuteNvgpuAttrs.cpp.inc"
                     >(unwrap(a), own);
  *mnemonic = wrap(own);
  return wrap(word);
}
