// Is linked with the plugin, and gets the dialects by handles in the convention of MLIR's C API.

#include "cute_mlir.h"
#include "lower.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

// mlirDialectHandleInsertDialect of libMLIRCAPIIR, which cannot be linked next to the shared libMLIR.
static void insert(MlirDialectHandle handle, mlir::DialectRegistry &registry) {
  static_cast<const MlirDialectRegistrationHooks *>(handle.ptr)->insertHook(wrap(&registry));
}

int main() {
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  for (MlirDialectHandle handle :
       {mlirGetDialectHandle__cute__(), mlirGetDialectHandle__cute_nvgpu__(), mlirGetDialectHandle__cuda__()})
    insert(handle, registry);
  mlirRegisterCutePasses();
  mlir::MLIRContext context(registry);
  return lower(context);
}
