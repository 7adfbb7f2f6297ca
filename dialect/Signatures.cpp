// Rewrites function, call and control-flow signatures 1:N, by the stock structural patterns. Rust provides
// the leaves of a type; values stay cute values behind unrealized_conversion_cast.

#include "Cute.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace {
// scf.execute_region and cf.switch: upstream has no patterns for these two.
struct ExecuteRegion : OpConversionPattern<scf::ExecuteRegionOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(scf::ExecuteRegionOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> flat;
    SmallVector<size_t> counts;
    for (Type t : op.getResultTypes()) {
      size_t before = flat.size();
      if (failed(getTypeConverter()->convertType(t, flat)))
        return failure();
      counts.push_back(flat.size() - before);
    }
    auto made = scf::ExecuteRegionOp::create(rewriter, op.getLoc(), flat, op.getNoInline());
    rewriter.inlineRegionBefore(op.getRegion(), made.getRegion(), made.getRegion().end());
    if (failed(rewriter.convertRegionTypes(&made.getRegion(), *getTypeConverter())))
      return failure();
    SmallVector<SmallVector<Value>> results;
    size_t next = 0;
    for (size_t n : counts) {
      results.emplace_back(made.getResults().slice(next, n));
      next += n;
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

struct Switch : OpConversionPattern<cf::SwitchOp> {
  using OpConversionPattern::OpConversionPattern;
  static SmallVector<Value> flat(ArrayRef<ValueRange> values) {
    SmallVector<Value> all;
    for (ValueRange leaves : values)
      llvm::append_range(all, leaves);
    return all;
  }
  // Cases may share a block, which the first of them converts.
  FailureOr<Block *> converted(Block *block, ValueRange operands, ConversionPatternRewriter &rewriter) const {
    if (block->getArgumentTypes() == operands.getTypes())
      return block;
    auto signature = getTypeConverter()->convertBlockSignature(block);
    if (!signature)
      return failure();
    return rewriter.applySignatureConversion(block, *signature, getTypeConverter());
  }
  LogicalResult matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> fallback = flat(adaptor.getDefaultOperands());
    if (failed(converted(op.getDefaultDestination(), fallback, rewriter)))
      return failure();
    SmallVector<SmallVector<Value>> cases;
    for (auto [i, values] : llvm::enumerate(adaptor.getCaseOperands())) {
      cases.push_back(flat(values));
      if (failed(converted(op.getCaseDestinations()[i], cases.back(), rewriter)))
        return failure();
    }
    SmallVector<ValueRange> ranges(cases.begin(), cases.end());
    rewriter.replaceOpWithNewOp<cf::SwitchOp>(op, op.getFlag(), fallback, ranges, op.getCaseValuesAttr(),
                                              op.getDefaultDestination(), op.getCaseDestinations());
    return success();
  }
};
} // namespace

// Made once per pass, and used for each function.
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
  target.addDynamicallyLegalOp<func::CallOp, func::ReturnOp>(
      [this](Operation *o) { return types.isLegal(o); });
  RewritePatternSet all(c);
  populateAnyFunctionOpInterfaceTypeConversionPattern(all, types);
  populateReturnOpTypeConversionPattern(all, types);
  populateCallOpTypeConversionPattern(all, types);
  scf::populateSCFStructuralTypeConversionsAndLegality(types, all, target);
  cf::populateCFStructuralTypeConversionsAndLegality(types, all, target);
  all.add<ExecuteRegion, Switch>(types, c);
  target.addDynamicallyLegalOp<scf::ExecuteRegionOp>(
      [this](scf::ExecuteRegionOp op) { return types.isLegal(op.getResultTypes()); });
  target.addDynamicallyLegalOp<scf::YieldOp>([this](scf::YieldOp op) {
    return !isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp, scf::WhileOp, scf::ExecuteRegionOp>(
               op->getParentOp()) ||
           types.isLegal(op.getOperandTypes());
  });
  patterns = FrozenRewritePatternSet(std::move(all));
}

extern "C" {
CuteSignatures *cuteSignaturesNew(MlirContext c) { return new CuteSignatures(unwrap(c)); }
void cuteSignaturesDelete(CuteSignatures *s) { delete s; }
bool cuteSignaturesConvert(CuteSignatures *s, MlirOperation op) {
  return succeeded(applyPartialConversion(unwrap(op), s->target, s->patterns));
}
}
