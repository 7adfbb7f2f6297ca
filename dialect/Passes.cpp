// Passes and the pipeline: they pass their options to Rust, which declares them and does the work.

#include "Cuda.h"
#include "Cute.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm-c/Core.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;

namespace cute {
namespace {
CuteValue valueOf(const std::string &text) { return {wrap(StringRef(text)), false, 0}; }
CuteValue valueOf(bool flag) { return {wrap(StringRef()), flag, 0}; }
CuteValue valueOf(unsigned number) { return {wrap(StringRef()), false, number}; }

// The declared options of a pass or of the pipeline. MLIR parses them for their parent.
struct Options {
  template <typename Parent> Options(Parent &parent, const CuteDeclaration &of) {
    for (const CuteOption &o : llvm::ArrayRef(of.options, of.numOptions))
      switch (o.type) {
      case CuteText:
        add(parent, o, unwrap(o.preset.text).str());
        break;
      case CuteFlag:
        add(parent, o, o.preset.flag);
        break;
      case CuteNumber:
        add(parent, o, unsigned(o.preset.number));
        break;
      }
  }
  template <typename Parent, typename T> void add(Parent &parent, const CuteOption &o, T preset) {
    using Option = typename Parent::template Option<T>;
    auto option = std::make_unique<Option>(parent, unwrap(o.name), llvm::cl::desc(unwrap(o.sentence)),
                                           llvm::cl::init(preset));
    reads.push_back([p = option.get()] { return valueOf(p->getValue()); });
    owned.push_back(std::move(option));
  }
  std::vector<CuteValue> values() const {
    std::vector<CuteValue> values;
    for (auto &read : reads)
      values.push_back(read());
    return values;
  }

  std::vector<std::unique_ptr<llvm::cl::Option>> owned;
  std::vector<std::function<CuteValue()>> reads;
};

// The pass at a place of the list of declarations.
struct RustPass : OperationPass<> {
  RustPass(int32_t number, const CuteDeclaration &of)
      : OperationPass<>(TypeID::getFromOpaquePointer(&of)), number(number), of(of), options(*this, of) {}
  StringRef getName() const override { return unwrap(of.className); }
  StringRef getArgument() const override { return unwrap(of.name); }
  StringRef getDescription() const override { return unwrap(of.summary); }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<RustPass>(number, of); }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<CuteDialect, CuteNvgpuDialect, cuda::CudaDialect, arith::ArithDialect, gpu::GPUDialect,
                    math::MathDialect, scf::SCFDialect, vector::VectorDialect, LLVM::LLVMDialect,
                    NVVM::NVVMDialect>();
  }
  void runOnOperation() override {
    auto values = options.values();
    if (!cute_pass_run(number, wrap(getOperation()), values.size(), values.data()))
      signalPassFailure();
  }
  using Pass::Option;

  int32_t number;
  const CuteDeclaration &of;
  Options options;
};

struct PipelineOptions : mlir::detail::PassOptions {
  PipelineOptions(const CuteDeclaration &of) : options(*this, of) {}
  Options options;
};
} // namespace
} // namespace cute

extern "C" {
void cuteRegisterPasses(const CuteDeclaration *passes, intptr_t count, const CuteDeclaration *pipeline) {
  for (int32_t i = 0; i < count; ++i)
    registerPass([i, pass = passes + i] { return std::make_unique<cute::RustPass>(i, *pass); });
  registerPassPipeline(
      unwrap(pipeline->name), unwrap(pipeline->summary),
      [pipeline](OpPassManager &pm, StringRef given, function_ref<LogicalResult(const Twine &)> error) {
        cute::PipelineOptions own(*pipeline);
        if (failed(own.parseFromString(given)))
          return failure();
        std::string text;
        auto append = [](MlirStringRef s, void *u) {
          static_cast<std::string *>(u)->append(s.data, s.length);
        };
        auto values = own.options.values();
        if (!cute_pipeline(values.size(), values.data(), append, &text) ||
            failed(parsePassPipeline(text, pm)))
          return error("its passes are not registered");
        return success();
      },
      [pipeline](function_ref<void(const mlir::detail::PassOptions &)> show) {
        show(cute::PipelineOptions(*pipeline));
      });
}

bool cuteVersionMatches(MlirStringCallback f, void *u) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR)
    return true;
  std::string s = "built for LLVM " LLVM_VERSION_STRING ", loaded into LLVM " + std::to_string(major) + "." +
                  std::to_string(minor) + "." + std::to_string(patch);
  f(wrap(StringRef(s)), u);
  return false;
}
}
