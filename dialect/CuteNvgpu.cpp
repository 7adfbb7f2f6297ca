// Generated classes of the `cute_nvgpu` dialect.

#include "FunctionType.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CuteNvgpuDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CuteNvgpuTypes.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "CuteNvgpuAttrs.cpp.inc"

// One type, written once.
static ParseResult parseSameType(OpAsmParser &p, Type &a, Type &b) {
  ParseResult parsed = p.parseType(a);
  b = a;
  return parsed;
}
static void printSameType(OpAsmPrinter &p, Operation *, Type a, Type) { p << a; }

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
