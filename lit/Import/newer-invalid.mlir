// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// Ops that no known version has, in custom and generic form, are errors that name the nearest op.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%n: i32, %bar: !llvm.ptr<3>) attributes {
        cute.kernel,
        gpu.kernel,
        nvvm.reqntid = array<i32: 32, 1, 1>
    } {
      // CHECK: newer-invalid.mlir:[[#@LINE+1]]:12: error: 'cute.fast_divmod.computed' op is not known; it may be one of a newer CuTe DSL; did you mean 'cute.fast_divmod.compute'?
      %q = cute.fast_divmod.computed(%n, %n) : i32, i32 -> i32
      // CHECK: newer-invalid.mlir:[[#@LINE+1]]:12: error: 'cute_nvgpu.arch.alloc_smm' op is not known; it may be one of a newer CuTe DSL; did you mean 'cute_nvgpu.arch.alloc_smem'?
      %s = cute_nvgpu.arch.alloc_smm(4) : !cute.ptr<f32, smem, align<128>>
      // CHECK: newer-invalid.mlir:[[#@LINE+1]]:7: error: 'nvvm.mbarrier.txns' op is not known; it may be one of a newer CuTe DSL; did you mean 'nvvm.mbarrier.txn'?
      nvvm.mbarrier.txns %bar, %n : !llvm.ptr<3>, i32
      // CHECK: newer-invalid.mlir:[[#@LINE+1]]:12: error: 'cute_nvgpu.arch.later' op is not known; it may be one of a newer CuTe DSL
      %g = "cute_nvgpu.arch.later"(%n) : (i32) -> i32
      // CHECK: newer-invalid.mlir:[[#@LINE+1]]:7: error: 'cuda.retun' op is not known; it may be one of a newer CuTe DSL; did you mean 'cuda.return'?
      cuda.retun %n : i32
    }
  }
}
