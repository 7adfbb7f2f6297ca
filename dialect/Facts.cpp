// What an op, type or attribute of MLIR's is, where the C API does not tell.

#include "Cuda.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

extern "C" {
bool cuteIsFunction(MlirOperation op) { return isa<FunctionOpInterface>(unwrap(op)); }
bool cuteIsSymbolTable(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::SymbolTable>(); }
uint32_t cuteOverflowFlags(MlirOperation op) {
  if (auto flagged = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(unwrap(op)))
    return static_cast<uint32_t>(flagged.getOverflowAttr().getValue());
  if (auto flagged = dyn_cast<LLVM::IntegerOverflowFlagsInterface>(unwrap(op)))
    return static_cast<uint32_t>(flagged.getOverflowFlags());
  return 0;
}
bool cuteArrayLength(MlirType t, uint64_t *length) {
  auto array = dyn_cast<LLVM::LLVMArrayType>(unwrap(t));
  if (array)
    *length = array.getNumElements();
  return bool(array);
}
bool cuteMmaShape(MlirAttribute a, int32_t extents[3]) {
  auto shape = dyn_cast<NVVM::MMAShapeAttr>(unwrap(a));
  if (!shape)
    return false;
  extents[0] = shape.getM();
  extents[1] = shape.getN();
  extents[2] = shape.getK();
  return true;
}
int32_t cuteMaxLaunchAttributes(MlirType t) {
  auto cfg = dyn_cast<cute::cuda::LaunchCfgType>(unwrap(t));
  return cfg ? cfg.getMaxAttrs() : -1;
}
MlirOperation cuteResolve(MlirOperation from, MlirAttribute symbol) {
  auto name = dyn_cast<SymbolRefAttr>(unwrap(symbol));
  return wrap(name ? SymbolTable::lookupNearestSymbolFrom(unwrap(from), name) : nullptr);
}
bool cuteIsIsolated(MlirOperation op) { return unwrap(op)->mightHaveTrait<OpTrait::IsIsolatedFromAbove>(); }
uint32_t cuteIndexWidth(MlirOperation op) {
  return DataLayout::closest(unwrap(op)).getTypeSizeInBits(IndexType::get(unwrap(op)->getContext()));
}
}
