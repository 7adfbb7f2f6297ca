// Function, call and control-flow signatures, 1:N, by the stock structural patterns. Which leaves a type has
// is asked of Rust; values stay cute values behind unrealized_conversion_cast.

#include "Cute.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

// Made once a pass, used function by function.
struct CuteSignatures {
  CuteSignatures(MLIRContext *);
  TypeConverter types;
  ConversionTarget target;
  FrozenRewritePatternSet patterns;
};

CuteSignatures::CuteSignatures(MLIRContext *c) : target(*c) {
  types.addConversion([](Type t) { return t; });
  types.addConversion([](Type t, SmallVectorImpl<Type> &out) -> std::optional<LogicalResult> {
    if (cuteTypeKind(wrap(t)) < 0)
      return std::nullopt;
    auto push = [](MlirType leaf, void *u) {
      static_cast<SmallVectorImpl<Type> *>(u)->push_back(unwrap(leaf));
    };
    return success(cute_type_leaves(wrap(t), push, &out));
  });
  auto bridge = [](OpBuilder &b, TypeRange results, ValueRange inputs, Location l) -> SmallVector<Value> {
    auto op = UnrealizedConversionCastOp::create(b, l, results, inputs);
    return SmallVector<Value>(op.getResults());
  };
  types.addSourceMaterialization(
      [=](OpBuilder &b, Type t, ValueRange v, Location l) { return bridge(b, t, v, l)[0]; });
  types.addTargetMaterialization(
      [=](OpBuilder &b, TypeRange t, ValueRange v, Location l) { return bridge(b, t, v, l); });

  target.markUnknownOpDynamicallyLegal([this](Operation *o) {
    if (auto f = dyn_cast<FunctionOpInterface>(o))
      if (auto t = dyn_cast_or_null<FunctionType>(f.getFunctionType()))
        return types.isSignatureLegal(t);
    return true;
  });
  target.addDynamicallyLegalOp<func::FuncOp>(
      [this](func::FuncOp f) { return types.isSignatureLegal(f.getFunctionType()); });
  target.addDynamicallyLegalOp<gpu::GPUFuncOp>(
      [this](gpu::GPUFuncOp f) { return types.isSignatureLegal(f.getFunctionType()); });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>(
      [this](Operation *o) { return types.isLegal(o); });
  RewritePatternSet all(c);
  populateAnyFunctionOpInterfaceTypeConversionPattern(all, types);
  populateReturnOpTypeConversionPattern(all, types);
  populateCallOpTypeConversionPattern(all, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, all, target);
  cf::populateCFStructuralTypeConversionsAndLegality(types, all, target);
  patterns = FrozenRewritePatternSet(std::move(all));
}

extern "C" {
CuteSignatures *cuteSignaturesNew(MlirContext c) { return new CuteSignatures(unwrap(c)); }
void cuteSignaturesDelete(CuteSignatures *s) { delete s; }
bool cuteSignaturesConvert(CuteSignatures *s, MlirOperation op) {
  return succeeded(applyPartialConversion(unwrap(op), s->target, s->patterns));
}
}
