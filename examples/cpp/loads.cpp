// Loads the plugin at run time, as mlir-opt does.

#include "lower.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: loads libcute_mlir.so\n";
    return 1;
  }
  auto dialects = mlir::DialectPlugin::load(argv[1]);
  auto passes = mlir::PassPlugin::load(argv[1]);
  if (!dialects || !passes) {
    llvm::errs() << (dialects ? passes.takeError() : dialects.takeError()) << '\n';
    return 1;
  }
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  dialects->registerDialectRegistryCallbacks(registry);
  passes->registerPassRegistryCallbacks();
  mlir::MLIRContext context(registry);
  return lower(context);
}
