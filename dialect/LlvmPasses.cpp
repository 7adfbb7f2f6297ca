// The steps around LLVM's optimization that Rust takes, as passes of `opt` in its default pipelines. A
// translation unit of its own, because parsing LLVM's headers of passes takes time.

#include "Boundary.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

namespace {
template <CuteStep Step> struct CuteStepPass : llvm::PassInfoMixin<CuteStepPass<Step>> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    cute_llvm_step(llvm::wrap(&module), Step);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

extern "C" {
void cuteForbidContraction(LLVMValueRef instruction) {
  llvm::unwrap<llvm::Instruction>(instruction)->setHasAllowContract(false);
}

void cuteExpandConstants(LLVMValueRef global) {
  llvm::convertUsersOfConstantsToInstructions({llvm::unwrap<llvm::GlobalVariable>(global)});
}

uint32_t cuteLlvmPluginApi() { return LLVM_PLUGIN_API_VERSION; }

void cuteRegisterLlvmPasses(void *to) {
  auto &builder = *static_cast<llvm::PassBuilder *>(to);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(CuteStepPass<CuteBeforeOptimization>());
  });
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        passes.addPass(CuteStepPass<CuteAfterOptimization>());
      });
}
}
