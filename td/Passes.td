// Passes, from cute IR to LLVM and NVVM. Each is one function of crates/cute-lower.

#ifndef CUTE_PASSES
#define CUTE_PASSES

include "mlir/Pass/PassBase.td"

class Cute_Pass<string flag> : Pass<flag> {
  let dependentDialects = ["::cute::CuteDialect", "::cute::CuteNvgpuDialect", "::cute::cuda::CudaDialect",
                           "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect"];
}

def CudaToGpu : Cute_Pass<"cuda-to-gpu"> {
  let summary = "Turn cuda.kernel into gpu.func, and drop the host functions that launch them";
  let options = [Option<"abi", "abi", "std::string", "\"\"",
                        "How kernels receive their arguments: dsl or flat. The default is dsl for a cuda.kernel, and cute.abi for other kernels">,
                 Option<"runtimeChecks", "runtime-checks", "bool", "false", "Keep the assertions of cuda.kernel">];
}
def CudaToHost : Cute_Pass<"cuda-to-host"> {
  let summary = "Keep host functions, and only the signatures of the kernels that they launch";
}
def CuteFoldStatic : Cute_Pass<"cute-fold-static"> {
  let summary = "Replace every fully static value by cute.static";
}
def CuteCheckFragments : Cute_Pass<"cute-check-fragments"> {
  let summary = "Reject a gemm whose A or B is provably another matrix, of other elements, or filled with elements other than those the MMA reads";
}
def CuteCheckMemory : Cute_Pass<"cute-check-memory"> {
  let summary = "Reject TMA copies whose tensor map and shared memory have different swizzles, and views that leave their allocation";
}
def CuteExpandOps : Cute_Pass<"cute-expand-ops"> {
  let summary = "For pipelines of the public CuTe IR: replace static values by cute.static, and leave the rest to cute-to-base";
}
def CuteChooseSwizzle : Cute_Pass<"cute-choose-swizzle"> {
  let summary = "Give every allocation that says swizzle = auto the swizzle without bank conflicts";
}
def CuteExpandCopyGemm : Cute_Pass<"cute-expand-copy-gemm"> {
  let summary = "Turn cute.copy, cute.gemm and cute.prefetch into one atom call for each coordinate of their rest modes, and cute.print_view into loads and prints";
}
def CuteLowerAtoms : Cute_Pass<"cute-lower-atoms"> {
  let summary = "Turn atom calls into llvm and nvvm ops";
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "GPU the atoms must exist on">];
}
def CuteToBase : Cute_Pass<"cute-to-base"> {
  let summary = "Replace every value by its dynamic leaves: arith, llvm and builtin types only";
  let options = [Option<"runtimeChecks", "runtime-checks", "bool", "false",
                        "Trap, with a message, if an op's assumption about run-time integers does not hold">];
}
def CuteLowerMath : Cute_Pass<"cute-lower-math"> {
  let summary = "Turn math into PTX's instructions, and what PTX lacks into calls of libdevice or polynomials";
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "GPU whose instructions to use">,
                 Option<"fastMath", "fast-math", "bool", "false",
                        "Treat every op as fastmath<fast>: approximate instructions, subnormals flushed to zero">,
                 Option<"libdevice", "libdevice", "bool", "false",
                        "Emit calls of libdevice, to be linked later, for functions that PTX lacks">];
}
def CuteLowerReductions : Cute_Pass<"cute-lower-reductions"> {
  let summary = "Turn vector.multi_reduction into ops on vectors, and gpu.subgroup_reduce into shuffles";
}
def CuteLowerConversions : Cute_Pass<"cute-lower-conversions"> {
  let summary = "Turn arith.truncf and arith.extf of floats of at most 8 bits into conversions of pairs";
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "GPU the conversions must exist on">];
}
def CuteFinishKernels : Cute_Pass<"cute-finish-kernels"> {
  let summary = "Pass descriptors of the TMA to kernels by value, and give kernels that move registers between warps nvvm.minctasm";
}
def CuteLowerWaits : Cute_Pass<"cute-lower-waits"> {
  let summary = "Turn each wait for a phase of an mbarrier into a loop of one try_wait, without a limit of time, and hold registers at the fences and waits of wgmma";
}
def CuteContractFma : Cute_Pass<"cute-contract-fma"> {
  let summary = "Contract a multiplication and the addition that uses it to one math.fma, rounded once";
}

#endif
