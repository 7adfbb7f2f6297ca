// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// An op that a version of CuTe DSL is known to have is an error with these versions, the reason and a way out. Others are errors as well.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (i32) -> (), sym_name = "k"}> ({
    ^bb0(%n: i32):
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'nvvm.tensormap.replace' op of CuTe DSL 4.7 and later is not supported: descriptors change by cute_nvgpu.update_tma_desc; call
      %0 = "nvvm.tensormap.replace"(%n) : (i32) -> i32
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:7: error: 'cuda.result_assert_success' op of CuTe DSL 4.7 and later is not supported: a host function checks a result by returning it; end the host function in cuda.return_if_error
      "cuda.result_assert_success"(%n) : (i32) -> ()
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'cute.atom' op of CuTe DSL before 4.3 is not supported: 4.3 is the first version that is read; trace the kernel with a later one
      %a = "cute.atom"() : () -> !cute_nvgpu.atom.universal_copy<f32>
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'lir.create_pipeline' op of CuTe DSL 4.7 and later is not supported: it belongs to the extension of CuTe DSL (cute_ext, cute.experimental), which has a compiler of its own; trace the kernel with CUTE_DSL_USE_EXTENSION_COMPILER=0 (4.8 and later), and write it without cute.experimental
      %p = "lir.create_pipeline"(%n) : (i32) -> !lir.pipeline<2>
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:7: error: 'nvvm.trace.mark' op of CuTe DSL 4.5 and later is not supported: it marks a trace of iket; compile the kernel without its instrumentation
      "nvvm.trace.mark"(%n) : (i32) -> ()
      // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:12: error: 'cute_nvgpu.arch.mma.SM90' op of CuTe DSL 4.3 and later is not supported: a pass of CuTe DSL makes it; use the module before any pass
      %m = "cute_nvgpu.arch.mma.SM90"(%n) : (i32) -> i32
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (i32, i64) -> (), sym_name = "host"}> ({
  ^bb0(%n: i32, %address: i64):
    // CHECK: unsupported-invalid.mlir:[[#@LINE+1]]:10: error: 'cuda.tensor_map_encode_tiled' op of CuTe DSL 4.7 and later is not supported: a descriptor is made of the atom of a tiled copy; make the descriptor of a tiled copy by cute.nvgpu.cpasync.make_tiled_tma_atom
    %1 = "cuda.tensor_map_encode_tiled"(%n, %address) : (i32, i64) -> !cuda.result
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
