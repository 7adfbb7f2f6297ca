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

extern "C" bool cuteConvertSignatures(MlirOperation root) {
  Operation *op = unwrap(root);
  MLIRContext *c = op->getContext();
  TypeConverter types;
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

  RewritePatternSet patterns(c);
  ConversionTarget target(*c);
  target.markUnknownOpDynamicallyLegal([&](Operation *o) {
    if (auto f = dyn_cast<FunctionOpInterface>(o))
      if (auto t = dyn_cast_or_null<FunctionType>(f.getFunctionType()))
        return types.isSignatureLegal(t);
    return true;
  });
  target.addDynamicallyLegalOp<func::FuncOp>(
      [&](func::FuncOp f) { return types.isSignatureLegal(f.getFunctionType()); });
  target.addDynamicallyLegalOp<gpu::GPUFuncOp>(
      [&](gpu::GPUFuncOp f) { return types.isSignatureLegal(f.getFunctionType()); });
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>([&](Operation *o) { return types.isLegal(o); });
  populateAnyFunctionOpInterfaceTypeConversionPattern(patterns, types);
  populateReturnOpTypeConversionPattern(patterns, types);
  populateCallOpTypeConversionPattern(patterns, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
  cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
  return succeeded(applyPartialConversion(op, target, std::move(patterns)));
}
