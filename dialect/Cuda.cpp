// Generated classes of the `cuda` dialect.

#include "Cuda.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

#include "CudaDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "CudaTypes.cpp.inc"

// A keyword, and a list of keywords.
static ParseResult parseWord(AsmParser &p, std::string &word) {
  StringRef keyword;
  if (p.parseKeyword(&keyword))
    return failure();
  word = keyword.str();
  return success();
}
static void printWord(AsmPrinter &p, StringRef word) { p << word; }
static ParseResult parseWords(AsmParser &p, SmallVector<StringAttr> &words) {
  return p.parseCommaSeparatedList([&] {
    StringRef word;
    if (p.parseKeyword(&word))
      return failure();
    words.push_back(StringAttr::get(p.getContext(), word));
    return success();
  });
}
static void printWords(AsmPrinter &p, ArrayRef<StringAttr> words) {
  llvm::interleaveComma(words, p, [&](StringAttr word) { p << word.getValue(); });
}
#define GET_ATTRDEF_CLASSES
#include "CudaAttrs.cpp.inc"

// An integer with its type: `3 : i32`.
static ParseResult parseTypedI32(OpAsmParser &p, IntegerAttr &n) {
  Type i32 = p.getBuilder().getI32Type();
  SMLoc at = p.getCurrentLocation();
  Attribute a;
  if (p.parseAttribute(a))
    return failure();
  n = dyn_cast<IntegerAttr>(a);
  if (n && n.getType() == i32)
    return success();
  return p.emitError(at, "expected an integer of type i32, as in `3 : i32`, found ") << a;
}
static void printTypedI32(OpAsmPrinter &p, Operation *, IntegerAttr n) { p << n; }

#define GET_OP_CLASSES
#include "CudaOps.cpp.inc"

namespace cute::cuda {
void CudaDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "CudaTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "CudaAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "CudaOps.cpp.inc"
      >();
}

ParseResult KernelOp::parse(OpAsmParser &p, OperationState &s) {
  auto type = [](Builder &b, ArrayRef<Type> arguments, ArrayRef<Type> results,
                 function_interface_impl::VariadicFlag,
                 std::string &) { return b.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(p, s, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(s.name), type,
                                                  getArgAttrsAttrName(s.name), getResAttrsAttrName(s.name));
}
void KernelOp::print(OpAsmPrinter &p) {
  function_interface_impl::printFunctionOp(p, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}
} // namespace cute::cuda
