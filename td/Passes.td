// The options of a compilation, and the passes from cute IR to LLVM and NVVM. Each pass is an arm of `run` in crates/cute-lower.
//
// crates/cute-ffi/build/passes.rs reads the records; MLIR receives the passes from the table that it generates.

#ifndef CUTE_PASSES
#define CUTE_PASSES

include "mlir/Pass/PassBase.td"

// An option of a compilation, declared once: its name, its type in C++ (of passes) and in Rust (the field of
// cute_driver::Options), its default, its sentence, and what stands for its value in a usage. The command line of cutec,
// the options of the C library and their list in cute.h, the key of the cache, the pipeline and its text derive from it.
class Cute_Option<string name, string type, string rustType, string default, string sentence, string value = "">
  : Option<!subst("-", "_", name), name, type, default, sentence> {
  string rust = rustType;
  string valueName = value;
  // The default in words, where it is not a value.
  string stated = "";
  // The least and the most of a number; 0 stands for none.
  list<int> range = [];
  // What passes do with the option, where they receive less than its value.
  string forPasses = sentence;
}
// A switch that is off. On the command line it has no value.
class Cute_Flag<string name, string sentence> : Cute_Option<name, "bool", "bool", "false", sentence>;
// A number in a range, or none.
class Cute_Number<string name, int least, int most, string sentence, string value>
  : Cute_Option<name, "unsigned", "Option<Number<" # least # ", " # most # ">>", "0", sentence, value> {
  let range = [least, most];
}

def Target : Cute_Option<"target", "std::string", "Target", "sm_90a", "GPU to compile for", "GPU">;
def Abi : Cute_Option<"abi", "std::string", "Option<Abi>", "", "How kernels receive their arguments", "ABI"> {
  let stated = "dsl for kernels of CuTe DSL (cuda.kernel), flat for others";
}
def RuntimeChecks : Cute_Flag<"runtime-checks",
  "Trap, with a message, if an op's assumption about run-time integers or an assertion of CuTe DSL does not hold">;
def FastMath : Cute_Flag<"fast-math",
  "Treat all floating-point math as fastmath<fast>: approximate instructions that flush subnormals to zero">;
def Fmad : Cute_Option<"fmad", "bool", "bool", "true",
  "Contract a product and the sum that it is used in to one fused multiply-add", "BOOL">;
def Libdevice : Cute_Option<"libdevice", "bool", "Option<Libdevice>", "false",
  "CUDA's libdevice.10.bc, for math that PTX has no instruction for. With \"none\", or if there is none, polynomials are used for f32, and other math is an error",
  "FILE"> {
  let stated = "the one next to ptxas";
  let forPasses = "Emit calls of libdevice, to be linked later, for functions that PTX lacks";
}
def MaxRegisters : Cute_Number<"max-registers", 16, 255, "Limit of registers per thread, for kernels without an nvvm.maxnreg of their own", "N"> {
  let stated = "no limit";
}
def Lineinfo : Cute_Flag<"lineinfo", "Let PTX and cubin name the lines of FILE">;

class Cute_Pass<string name> : Pass<name>;

def CudaToGpu : Cute_Pass<"cuda-to-gpu"> {
  let summary = "Turn cuda.kernel into gpu.func, and drop the host functions that launch them";
  let options = [Abi, RuntimeChecks];
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
  let summary = "Reject TMA copies whose tensor map has another swizzle than their shared memory, or is not the one that their boxes were partitioned by, and views that leave their allocation";
}
def CuteExpandOps : Cute_Pass<"cute-expand-ops"> {
  let summary = "For pipelines of the public CuTe IR: replace static values by cute.static, and leave the rest to cute-to-base";
}
def CuteAssignLayouts : Cute_Pass<"cute-assign-layouts"> {
  let summary = "Make the choices that ops leave open by auto: layouts and swizzles of tiles in shared memory, and the threads of tiled copies";
}
def CuteForgetLayouts : Cute_Pass<"cute-forget-layouts"> {
  let summary = "For tests of cute-assign-layouts: leave the layout of every tile of shared memory and the threads of every tiled copy open";
}
def CuteChooseSwizzle : Cute_Pass<"cute-choose-swizzle"> {
  let summary = "Give every allocation that says swizzle = auto the swizzle without bank conflicts";
}
def CuteExpandCopyGemm : Cute_Pass<"cute-expand-copy-gemm"> {
  let summary = "Turn cute.copy, cute.gemm and cute.prefetch into one atom call for each coordinate of their rest modes, and cute.print_view into loads and prints";
}
def CuteLowerAtoms : Cute_Pass<"cute-lower-atoms"> {
  let summary = "Turn atom calls into llvm and nvvm ops";
  let options = [Target];
}
def CuteToBase : Cute_Pass<"cute-to-base"> {
  let summary = "Replace every value by its dynamic leaves: arith, llvm and builtin types only";
  let options = [RuntimeChecks];
}
def CuteLowerMath : Cute_Pass<"cute-lower-math"> {
  let summary = "Turn math into PTX's instructions, and what PTX lacks into calls of libdevice or polynomials";
  let options = [Target, FastMath, Libdevice];
}
def CuteLowerReductions : Cute_Pass<"cute-lower-reductions"> {
  let summary = "Turn vector.multi_reduction into ops on vectors, and gpu.subgroup_reduce into shuffles";
}
def CuteLowerConversions : Cute_Pass<"cute-lower-conversions"> {
  let summary = "Turn arith.truncf and arith.extf of floats of at most 8 bits into conversions of pairs";
  let options = [Target];
}
def CuteFinishKernels : Cute_Pass<"cute-finish-kernels"> {
  let summary = "Pass descriptors of the TMA to kernels by value, and give kernels the limits of registers that ptxas needs or that max-registers asks for";
  let options = [MaxRegisters];
}
def CuteMarkBranches : Cute_Pass<"cute-mark-branches"> {
  let summary = "Mark blocks by the places of their ops, so that equal branches from different places are not merged before cute-lower-waits removes the marks";
}
def CuteLowerWaits : Cute_Pass<"cute-lower-waits"> {
  let summary = "Turn each wait for a phase of an mbarrier into a loop of one try_wait, without a limit of time, hold registers at the fences and waits of wgmma, and remove the marks of cute-mark-branches";
}
def CuteContractFma : Cute_Pass<"cute-contract-fma"> {
  let summary = "Contract a multiplication and the addition that uses it to one math.fma, rounded once";
}

// The pipeline of most of the passes.
def CuteCompile : PassBase<"cute-compile", ""> {
  let summary = "Compile cute IR to the LLVM and NVVM dialects";
  let options = [Target, Abi, RuntimeChecks, FastMath, Fmad, Libdevice, MaxRegisters];
}

// All options of a compilation, in the order of --help. Those of the pipeline are among them.
def Compilation {
  list<Cute_Option> options = [Target, Abi, RuntimeChecks, FastMath, Fmad, Libdevice, MaxRegisters, Lineinfo];
}

#endif
