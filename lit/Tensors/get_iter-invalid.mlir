// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute.layout<"8:1">) -> !cute.ptr<f32, gmem, align<16>> {
  // expected-error @below {{'cute.get_iter' op operand #0 must be a memref, coord_tensor or smem_desc_view, found !cute.layout}}
  %0 = cute.get_iter(%arg0) : !cute.layout<"8:1">
  return %0 : !cute.ptr<f32, gmem, align<16>>
}
