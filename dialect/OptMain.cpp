// mlir-opt's own main function, with everything registered. Linked into executables only.

#include "Cute.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

#include "llvm/Support/CommandLine.h"

enum Domain { Strict, Extend };
static llvm::cl::opt<Domain>
    domain("cute-domain", llvm::cl::init(Strict),
           llvm::cl::desc("Domain policy where no cute.domain attribute says otherwise"),
           llvm::cl::values(clEnumValN(Strict, "strict", "an op's equation must hold"),
                            clEnumValN(Extend, "extend", "what CuTe accepts")));

extern "C" int cuteOptMain(int argc, char **argv) {
  mlir::DialectRegistry r;
  r.addExtension(+[](mlir::MLIRContext *, cute::CuteDialect *d) {
    d->defaultDomain = domain == Extend ? "extend" : "strict";
  });
  mlir::registerAllDialects(r);
  mlir::registerAllExtensions(r);
  mlir::registerAllPasses();
  cuteRegisterDialects(wrap(&r));
  cuteRegisterPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "cute-opt: mlir-opt with the cute dialect\n", r));
}
