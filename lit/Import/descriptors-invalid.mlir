// REQUIRES: cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// CHECK: descriptors-invalid.mlir:[[#@LINE+6]]:12: error: 'cute_nvgpu.make_umma_smem_desc' op B, contiguous along k, has no descriptor:
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "func.func"() <{function_type = (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> (), sym_name = "k"}> ({
    ^bb0(%p: !cute.ptr<f16, smem, align<128>, S<3,4,3>>):
      // Rows of 32 bytes are not what the swizzle permutes.
      %d = "cute_nvgpu.make_umma_smem_desc"(%p) <{layout = #cute.layout<"((96,16),1):((16,1),0)">, major = #cute_nvgpu.major<k>}> : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute_nvgpu.smem_desc
      "func.return"() : () -> ()
    }) {cute.kernel = unit} : () -> ()
  }) : () -> ()
}) {gpu.container_module = unit} : () -> ()
