// MLIR's translation to LLVM IR, without the verification that prints its findings: the caller verifies.
// Linked only into what translates.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Target/LLVMIR/TypeToLLVM.h"
#include "llvm-c/Types.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

// What LLVM's IR parser finds wrong with the constraints of inline assembly, which no verifier of modules
// looks at; nothing for other ops.
extern "C" void cuteAssemblyError(MlirOperation op, LLVMContextRef context, MlirStringCallback f, void *u) {
  auto assembly = mlir::dyn_cast<mlir::LLVM::InlineAsmOp>(unwrap(op));
  if (!assembly)
    return;
  auto &c = *llvm::unwrap(context);
  mlir::LLVM::TypeToLLVMIRTranslator types(c);
  llvm::SmallVector<llvm::Type *> operands;
  for (mlir::Type type : assembly.getOperandTypes())
    operands.push_back(types.translateType(type));
  auto *result = assembly->getNumResults() ? types.translateType(assembly->getResult(0).getType())
                                           : llvm::Type::getVoidTy(c);
  auto *type = llvm::FunctionType::get(result, operands, false);
  if (llvm::Error why = llvm::InlineAsm::verify(type, assembly.getConstraints())) {
    std::string text = llvm::toString(std::move(why));
    f(wrap(llvm::StringRef(text)), u);
  }
}

extern "C" LLVMModuleRef cuteTranslate(MlirOperation module, LLVMContextRef context) {
  return llvm::wrap(
      mlir::translateModuleToLLVMIR(unwrap(module), *llvm::unwrap(context), "LLVMDialectModule", true)
          .release());
}
