// What both programs do with a context that has the dialects.

#ifndef LOWER_H
#define LOWER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

// Element (i, j) of a layout of 4 x 8, in row-major order.
inline constexpr const char *source = R"mlir(
func.func @offset(%i: i32, %j: i32) -> i32 {
  %layout = cute.static : !cute.layout<"(4,8):(8,1)">
  %crd = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(?,?)">
  %offset = cute.crd2idx(%crd, %layout)
    : (!cute.coord<"(?,?)">, !cute.layout<"(4,8):(8,1)">) -> !cute.int_tuple<"?">
  %scalar = cute.get_scalars(%offset) : !cute.int_tuple<"?">
  return %scalar : i32
}
)mlir";

// Lowers the function to arithmetic, and prints it. Returns the exit code.
inline int lower(mlir::MLIRContext &context) {
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    return 1;
  mlir::PassManager passes(&context);
  if (failed(mlir::parsePassPipeline("cute-to-base", passes, llvm::errs())) || failed(passes.run(*module)))
    return 1;
  llvm::outs() << *module;
  return 0;
}

#endif
