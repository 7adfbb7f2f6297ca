// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// An op that a version of CuTe DSL is known to have is an error with that version. Others are errors as well.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (i32) -> (), sym_name = "k"}> ({
    ^bb0(%n: i32):
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'nvvm.tensormap.replace' op of CuTe DSL 4.7 is not supported
      %0 = "nvvm.tensormap.replace"(%n) : (i32) -> i32
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:7: error: 'cuda.result_assert_success' op of CuTe DSL 4.7 is not supported
      "cuda.result_assert_success"(%n) : (i32) -> ()
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'cute.atom' op of CuTe DSL before 4.3 is not supported; 4.3 is the first version that is read; trace the kernel with a later one
      %a = "cute.atom"() : () -> !cute_nvgpu.atom.universal_copy<f32>
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'lir.create_pipeline' op belongs to CuTe DSL's cute.experimental, which is not supported; write the kernel without it
      %p = "lir.create_pipeline"(%n) : (i32) -> !lir.pipeline<2>
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i64) -> (), sym_name = "host"}> ({
  ^bb0(%n: i32, %address: i64):
    // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:10: error: 'cuda.tensor_map_encode_tiled' op of CuTe DSL 4.7 is not supported; make the descriptor of a tiled copy by cute.nvgpu.cpasync.make_tiled_tma_atom
    %1 = "cuda.tensor_map_encode_tiled"(%n, %address) : (i32, i64) -> !cuda.result
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
