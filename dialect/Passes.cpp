// Passes and pipelines: they pass their options to Rust, which does the work.

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
#define GEN_PASS_DECL
#include "CutePasses.h.inc"
#define GEN_PASS_DEF_CUDATOGPU
#define GEN_PASS_DEF_CUDATOHOST
#define GEN_PASS_DEF_CUTECHECKFRAGMENTS
#define GEN_PASS_DEF_CUTECHECKMEMORY
#define GEN_PASS_DEF_CUTECHOOSESWIZZLE
#define GEN_PASS_DEF_CUTEFOLDSTATIC
#define GEN_PASS_DEF_CUTEFINISHKERNELS
#define GEN_PASS_DEF_CUTECONTRACTFMA
#define GEN_PASS_DEF_CUTEEXPANDCOPYGEMM
#define GEN_PASS_DEF_CUTEEXPANDOPS
#define GEN_PASS_DEF_CUTELOWERATOMS
#define GEN_PASS_DEF_CUTELOWERCONVERSIONS
#define GEN_PASS_DEF_CUTELOWERMATH
#define GEN_PASS_DEF_CUTELOWERREDUCTIONS
#define GEN_PASS_DEF_CUTELOWERWAITS
#define GEN_PASS_DEF_CUTETOBASE
#include "CutePasses.h.inc"

namespace {
struct CudaToGpu : impl::CudaToGpuBase<CudaToGpu> {
  using CudaToGpuBase::CudaToGpuBase;
  void runOnOperation() override {
    if (!cute_pass_cuda_to_gpu(wrap(getOperation()), wrap(StringRef(abi)), runtimeChecks))
      signalPassFailure();
  }
};
struct CudaToHost : impl::CudaToHostBase<CudaToHost> {
  void runOnOperation() override {
    if (!cute_pass_cuda_to_host(wrap(getOperation())))
      signalPassFailure();
  }
};
struct FoldStatic : impl::CuteFoldStaticBase<FoldStatic> {
  void runOnOperation() override {
    if (!cute_pass_fold_static(wrap(getOperation())))
      signalPassFailure();
  }
};
struct CheckFragments : impl::CuteCheckFragmentsBase<CheckFragments> {
  void runOnOperation() override {
    if (!cute_pass_check_fragments(wrap(getOperation())))
      signalPassFailure();
  }
};
struct CheckMemory : impl::CuteCheckMemoryBase<CheckMemory> {
  void runOnOperation() override {
    if (!cute_pass_check_memory(wrap(getOperation())))
      signalPassFailure();
  }
};
struct ExpandOps : impl::CuteExpandOpsBase<ExpandOps> {
  void runOnOperation() override {
    if (!cute_pass_expand_ops(wrap(getOperation())))
      signalPassFailure();
  }
};
struct ChooseSwizzle : impl::CuteChooseSwizzleBase<ChooseSwizzle> {
  void runOnOperation() override {
    if (!cute_pass_choose_swizzle(wrap(getOperation())))
      signalPassFailure();
  }
};
struct ExpandCopyGemm : impl::CuteExpandCopyGemmBase<ExpandCopyGemm> {
  void runOnOperation() override {
    if (!cute_pass_expand_copy_gemm(wrap(getOperation())))
      signalPassFailure();
  }
};
struct LowerAtoms : impl::CuteLowerAtomsBase<LowerAtoms> {
  using CuteLowerAtomsBase::CuteLowerAtomsBase;
  void runOnOperation() override {
    if (!cute_pass_lower_atoms(wrap(getOperation()), wrap(StringRef(target))))
      signalPassFailure();
  }
};
struct ToBase : impl::CuteToBaseBase<ToBase> {
  using CuteToBaseBase::CuteToBaseBase;
  void runOnOperation() override {
    if (!cute_pass_to_base(wrap(getOperation()), runtimeChecks))
      signalPassFailure();
  }
};
struct LowerMath : impl::CuteLowerMathBase<LowerMath> {
  using CuteLowerMathBase::CuteLowerMathBase;
  void runOnOperation() override {
    CuteOptions o = {};
    o.target = wrap(StringRef(target));
    o.fastMath = fastMath;
    o.libdevice = libdevice;
    if (!cute_pass_lower_math(wrap(getOperation()), &o))
      signalPassFailure();
  }
};
struct LowerReductions : impl::CuteLowerReductionsBase<LowerReductions> {
  void runOnOperation() override {
    if (!cute_pass_lower_reductions(wrap(getOperation())))
      signalPassFailure();
  }
};
struct LowerConversions : impl::CuteLowerConversionsBase<LowerConversions> {
  using CuteLowerConversionsBase::CuteLowerConversionsBase;
  void runOnOperation() override {
    if (!cute_pass_lower_conversions(wrap(getOperation()), wrap(StringRef(target))))
      signalPassFailure();
  }
};
struct FinishKernels : impl::CuteFinishKernelsBase<FinishKernels> {
  void runOnOperation() override {
    if (!cute_pass_finish_kernels(wrap(getOperation())))
      signalPassFailure();
  }
};
struct LowerWaits : impl::CuteLowerWaitsBase<LowerWaits> {
  void runOnOperation() override {
    if (!cute_pass_lower_waits(wrap(getOperation())))
      signalPassFailure();
  }
};
struct ContractFma : impl::CuteContractFmaBase<ContractFma> {
  void runOnOperation() override {
    if (!cute_pass_contract_fma(wrap(getOperation())))
      signalPassFailure();
  }
};
struct CompileOptions : PassPipelineOptions<CompileOptions> {
  Option<std::string> target{*this, "target", llvm::cl::desc("GPU to compile for"), llvm::cl::init("sm_90a")};
  Option<bool> runtimeChecks{*this, "runtime-checks",
                             llvm::cl::desc("Trap where an assumption does not hold"), llvm::cl::init(false)};
  Option<bool> fastMath{*this, "fast-math", llvm::cl::desc("Approximate instructions for all math"),
                        llvm::cl::init(false)};
  Option<bool> fmad{*this, "fmad", llvm::cl::desc("Contract products and sums to fma"), llvm::cl::init(true)};
  Option<bool> libdevice{*this, "libdevice",
                         llvm::cl::desc("Call libdevice for the math that PTX lacks; link it later"),
                         llvm::cl::init(false)};
  Option<std::string> abi{
      *this, "abi", llvm::cl::desc("How kernels are passed arguments: dsl or flat; without it they decide")};
};
} // namespace
} // namespace cute

extern "C" {
void cuteRegisterPasses() {
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::CudaToGpu>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::CudaToHost>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::FoldStatic>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::CheckFragments>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::CheckMemory>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::ExpandOps>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::ChooseSwizzle>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::ExpandCopyGemm>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::LowerAtoms>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::ToBase>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::LowerMath>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::LowerReductions>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::LowerConversions>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::FinishKernels>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::LowerWaits>(); });
  registerPass([]() -> std::unique_ptr<Pass> { return std::make_unique<cute::ContractFma>(); });
  static PassPipelineRegistration<cute::CompileOptions> compile(
      "cute-compile", "Compile cute IR to the LLVM and NVVM dialects",
      [](OpPassManager &pm, const cute::CompileOptions &o) {
        std::string text;
        auto append = [](MlirStringRef s, void *u) {
          static_cast<std::string *>(u)->append(s.data, s.length);
        };
        CuteOptions options = {wrap(StringRef(o.target)), o.runtimeChecks, o.fastMath, o.fmad, o.libdevice,
                               wrap(StringRef(o.abi))};
        if (cute_pipeline(&options, append, &text) && failed(parsePassPipeline(text, pm)))
          llvm::report_fatal_error("cute-compile: its passes are not registered");
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
