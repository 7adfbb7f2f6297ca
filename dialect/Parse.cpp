// A module from text, with one made around ops that have none.

#include "Boundary.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

extern "C" MlirModule cuteModuleParse(MlirContext context, MlirStringRef text, MlirStringRef name) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(unwrap(text), unwrap(context), unwrap(name));
  return wrap(module.release());
}
