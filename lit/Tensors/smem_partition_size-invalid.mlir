// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

func.func @index() -> index {
  // expected-error @below {{'cute.smem_partition_size' op result #0 must be i32 or i64, but got 'index'}}
  %0 = "cute.smem_partition_size"() <{partition_id = 1 : i32}> : () -> index
  return %0 : index
}

// -----

func.func @function() -> i32 {
  // expected-error @below {{'cute.smem_partition_size' op: is not in a kernel, which alone has dynamic shared memory}}
  %0 = cute.smem_partition_size() {partition_id = 1 : i32} : i32
  return %0 : i32
}
