// Parses a module from text, and creates one around ops without a module; registers the dialects for text of
// other versions.

#include "Boundary.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

extern "C" {
MlirModule cuteModuleParse(MlirContext context, MlirStringRef text, MlirStringRef name, bool verify) {
  mlir::ParserConfig config(unwrap(context), verify);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(unwrap(text), config, unwrap(name));
  return wrap(module.release());
}
// All dialects that kernels use, except nvvm, nvgpu and vector, whose ops differ from version to version.
void cuteRegisterUndrifted(MlirDialectRegistry r) {
  unwrap(r)
      ->insert<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
               mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
               mlir::scf::SCFDialect>();
}
}
