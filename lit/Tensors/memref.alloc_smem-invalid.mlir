// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space() -> !cute.memref<f32, rmem, "8:1"> {
  // expected-error @below {{'cute.memref.alloc_smem' op the result lies in rmem, but this op allocates smem}}
  %0 = cute.memref.alloc_smem() : !cute.memref<f32, rmem, "8:1">
  return %0 : !cute.memref<f32, rmem, "8:1">
}

// -----

func.func @dynamic(%arg0: !cute.layout<"?:1">) -> !cute.memref<f32, smem, "?:1"> {
  // expected-error @below {{'cute.memref.alloc_smem' op the layout ?:1 is dynamic, but an allocation must have a static one}}
  %0 = cute.memref.alloc_smem(%arg0) : !cute.memref<f32, smem, "?:1">
  return %0 : !cute.memref<f32, smem, "?:1">
}
