// Properties of MLIR's ops, types and attributes that the C API does not provide.

#include "Cuda.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

template <class... Enums> static StringRef keyword(Attribute a) {
  StringRef found;
  auto read = [&](auto attribute) {
    if (attribute)
      found = stringifyEnum(attribute.getValue());
  };
  (read(dyn_cast<Enums>(a)), ...);
  return found;
}

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
void cuteRegisteredOps(MlirContext c, MlirStringRef dialect, MlirStringCallback f, void *u) {
  // `getRegisteredOperationsByDialect` of LLVM 22 takes each name that differs for a smaller one.
  for (RegisteredOperationName name : unwrap(c)->getRegisteredOperations())
    if (name.getDialectNamespace() == unwrap(dialect))
      f(wrap(name.getStringRef()), u);
}
bool cuteIsCompatible(MlirType t) { return LLVM::isCompatibleType(unwrap(t)); }
bool cuteFastmathFlags(MlirOperation op, uint32_t *flags) {
  if (auto flagged = dyn_cast<arith::ArithFastMathInterface>(unwrap(op)))
    *flags = static_cast<uint32_t>(
        arith::convertArithFastMathFlagsToLLVM(flagged.getFastMathFlagsAttr().getValue()));
  else if (auto flagged = dyn_cast<LLVM::FastmathFlagsInterface>(unwrap(op)))
    *flags = static_cast<uint32_t>(flagged.getFastmathAttr().getValue());
  else
    return false;
  return true;
}
MlirAttribute cuteFastmathAttr(MlirContext c, uint32_t flags) {
  return wrap(LLVM::FastmathFlagsAttr::get(unwrap(c), static_cast<LLVM::FastmathFlags>(flags)));
}
MlirStringRef cuteKeyword(MlirAttribute a) {
  return wrap(
      keyword<gpu::DimensionAttr, NVVM::BarrierReductionAttr, NVVM::BlockScaleFormatAttr,
              NVVM::CTAGroupKindAttr, NVVM::ClusterLaunchControlQueryTypeAttr, NVVM::DotAccumulateTypeAttr,
              NVVM::FPRoundingModeAttr, NVVM::GridDepActionKindAttr, NVVM::LdStMatrixEltTypeAttr,
              NVVM::LoadCacheModifierKindAttr, NVVM::MMAB1OpAttr, NVVM::MMABlockScaleKindAttr,
              NVVM::MMAFragAttr, NVVM::MMAIntOverflowAttr, NVVM::MMALayoutAttr, NVVM::MMATypesAttr,
              NVVM::MatchSyncKindAttr, NVVM::MemOrderKindAttr, NVVM::MemScopeKindAttr, NVVM::PermuteModeAttr,
              NVVM::PrefetchCacheLevelAttr, NVVM::ProxyKindAttr, NVVM::ReduxKindAttr,
              NVVM::SaturationModeAttr, NVVM::ScaleVecSizeAttr, NVVM::SetMaxRegisterActionAttr,
              NVVM::ShflKindAttr, NVVM::Tcgen05CpMulticastAttr, NVVM::Tcgen05CpShapeAttr,
              NVVM::Tcgen05CpSrcFormatAttr, NVVM::Tcgen05FenceKindAttr, NVVM::Tcgen05LdStShapeAttr,
              NVVM::Tcgen05MMABlockScaleAttr, NVVM::Tcgen05MMAKindAttr, NVVM::Tcgen05WaitKindAttr,
              NVVM::TMALoadModeAttr, NVVM::TMAReduxKindAttr, NVVM::TMAStoreModeAttr, NVVM::VoteSyncKindAttr,
              NVVM::WGMMAScaleInAttr, NVVM::WGMMAScaleOutAttr, NVVM::WGMMATypesAttr>(unwrap(a)));
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
MlirAttribute cuteAttributes(MlirOperation op) { return wrap(Attribute(unwrap(op)->getAttrDictionary())); }
bool cuteIsIsolated(MlirOperation op) { return unwrap(op)->mightHaveTrait<OpTrait::IsIsolatedFromAbove>(); }
bool cuteFold(MlirOperation op, const MlirAttribute *operands, MlirAttribute *constant, MlirValue *value) {
  Operation *o = unwrap(op);
  SmallVector<Attribute> constants;
  for (unsigned i = 0; i < o->getNumOperands(); ++i)
    constants.push_back(unwrap(operands[i]));
  SmallVector<OpFoldResult> results;
  if (failed(o->fold(constants, results)) || results.size() != 1)
    return false;
  if (auto a = dyn_cast<Attribute>(results[0]))
    *constant = wrap(a);
  else
    *value = wrap(cast<Value>(results[0]));
  return true;
}
uint32_t cuteIndexWidth(MlirOperation op) {
  return DataLayout::closest(unwrap(op)).getTypeSizeInBits(IndexType::get(unwrap(op)->getContext()));
}
}
