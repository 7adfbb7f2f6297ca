// MLIR's patterns that neither a public pass nor the C API provides.

#include "Cute.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

extern "C" bool cuteApplyPatterns(MlirOperation op, CutePatterns which) {
  const unsigned warp = 32, word = 32;
  RewritePatternSet p(unwrap(op)->getContext());
  switch (which) {
  case CutePolynomials:
    populateMathPolynomialApproximationPatterns(p, [](StringRef) { return true; });
    break;
  case CuteReductions:
    vector::populateVectorMultiReductionLoweringPatterns(p,
                                                         vector::VectorMultiReductionLowering::InnerParallel);
    populateGpuBreakDownSubgroupReducePatterns(p, word);
    populateGpuLowerSubgroupReduceToShufflePatterns(p, warp, word);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(p, warp, word);
    break;
  }
  // Equal branches from different places of the source stay apart, so that a message names the right one.
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  return succeeded(applyPatternsGreedily(unwrap(op), std::move(p), config));
}
