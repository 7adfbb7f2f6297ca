// MLIR's translation to LLVM IR, without the verification that prints its findings: the caller verifies.
// Linked only into what translates.

#include "mlir/CAPI/IR.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm-c/Types.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

extern "C" LLVMModuleRef cuteTranslate(MlirOperation module, LLVMContextRef context) {
  return llvm::wrap(
      mlir::translateModuleToLLVMIR(unwrap(module), *llvm::unwrap(context), "LLVMDialectModule", true)
          .release());
}
