// mlir-opt's own main function, with everything registered. Linked into executables only.

#include "Boundary.h"
#include "mlir/CAPI/IR.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

extern "C" int cuteOptMain(int argc, char **argv) {
  mlir::DialectRegistry r;
  mlir::registerAllDialects(r);
  mlir::registerAllExtensions(r);
  mlir::registerAllPasses();
  cuteRegisterDialects(wrap(&r));
  cuteRegisterPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "cute-opt: mlir-opt with the cute dialect\n", r));
}
