// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cuda-to-host)'

func.func @index() -> index {
  // expected-error @below {{'cute.kernel_smem_size' op result #0 must be i32 or i64, but got 'index'}}
  %0 = "cute.kernel_smem_size"() <{kernel_name = @kernels::@k}> : () -> index
  return %0 : index
}

// -----

gpu.module @kernels {
  func.func @helper() {
    return
  }
}
func.func @nothing() -> i64 {
  // expected-error @below {{'cute.kernel_smem_size' op: names @kernels::@scale, which is not a kernel of this module}}
  %0 = cute.kernel_smem_size @kernels::@scale : i64
  return %0 : i64
}

// -----

gpu.module @kernels {
  func.func @helper() {
    return
  }
}
func.func @function() -> i64 {
  // expected-error @below {{'cute.kernel_smem_size' op: names @kernels::@helper, which is not a kernel of this module}}
  %0 = cute.kernel_smem_size @kernels::@helper : i64
  return %0 : i64
}
